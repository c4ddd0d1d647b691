"""Classifiers of pairs as judges: the same formula, log p(yes) - log p(no), without a prompt.

Any checkpoint for sequence classification that reads two texts (fine-tuned on MRPC, PAWS or QQP, say) judges in one
short forward pass per pair. Which of its labels are yes and no is what its configuration calls them. Two entries there
are this metric's: `languages`, such as ["en"], is what it reads, and `too_close` so small a log-ratio, without sign,
that the verdict is as good as open. The small judge in judge/ has only a delta (see `judge_delta`).
"""

import json
import re
import unicodedata
from collections.abc import Iterator
from dataclasses import replace
from functools import cache, cached_property
from math import log
from pathlib import Path

import numpy as np

from .common import Message, argument, input_error, short_repr
from .common_bert import in_numpy
from .common_hub import commit_of, file_of, find, folders_of
from .common_judge import AnyOrder
from .common_llm import LOCK, file_stats, files_digest, in_batches, load, loading_errors, torch_device
from .common_minilm import MINILM, REVISION, find_minilm
from .common_prompts import ItemError
from .judge_delta import BASE, DELTA, open_in_numpy, open_in_torch
from .judge_kept import indices_of_all
from .templates import TEMPLATES

HEAD = "ForSequenceClassification"  # how the names of such models end
SMALL = "small"  # the model_id of the small judge
SMALL_DIGEST = "7190b702e7cd"  # of its files: a copy elsewhere is taken only if it is the same
SMALL_ON_HUB = "metrics/parapluie/judge"  # publish.py writes the model's name on the Hub here
TURNS = [{"role": "user", "content": "{source}"}, {"role": "user", "content": "{hypothesis}"}]  # the two texts
YES = frozenset("yes true same paraphrase paraphrases isparaphrase equivalent duplicate isduplicate duplicates".split())
NO = frozenset(f"{before}{word}" for before in ("not", "non", "isnot", "un") for word in YES) | {
    "no", "false", "different"
}  # fmt: skip
BATCH_TOKENS = {"cpu": 2048, "cuda": 65536}  # in one forward pass
CLASSIFIER = "a classifier of pairs with safetensors weights"
WINDOW = 512  # tokens, for models that do not say
SURE = 0.97  # p(yes) of a text and itself: about as much as the small judge ever says
WORD = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)*")
# Signs of private use, and the one for what cannot be read; many tokenizers drop them.
MEANINGLESS = re.compile("[\ue000-\uf8ff\ufffd\U000f0000-\U000ffffd\U00100000-\U0010fffd]+")
ELIDED = re.compile(r"(?<!\w)(?:[ldjmtsncLDJMTSNC]|[qQ]u)'(?=[a-zß-ÿ]{3})")
# Function words of English, and of French, Spanish, Portuguese, Italian, German and Dutch; none that is in both.
ENGLISH = frozenset(
    "the an of and to it it's its that this these those there he's she they them their his him i'm i'll i've my "
    "you your our us with without from by at for not could should would must might may shall be been being has "
    "had have is was were does did are what who which when where why how than then if because but about after "
    "before between into out up down never always nobody some any all each every more most very just only as".split()
)
OTHER_LANGUAGES = frozenset(
    "le la les un une des du et est sont ne pas que qui il elle ils elles nous vous je dans avec sur au aux ce "
    "cette mais où très était el los las una es son se por para como pero muy está están yo mi su con del al qué "
    "más fue os um uma não em com na foi ele ela il lo gli di che è sono questo della nel ha ho si der das und "
    "ist nicht ein eine einen den dem zu mit auf für von ich er sie wir ihr sich hat haben wird bei wie het een "
    "en niet van op te dat zijn ik hij ze je wij heeft naar voor maar".split()
)


# ---- Options ----


def word_of(label: str) -> str:
    """A label's letters, without case: "Not-equivalent" is notequivalent."""
    return "".join(filter(str.isalpha, label.casefold()))


def is_classifier(options) -> bool:
    """Whether the live model, or the configuration of model_id, is one for sequence classification."""
    if options.model is not None:
        return type(options.model).__name__.endswith(HEAD)
    if options.model_id == SMALL:
        return True
    if str(options.model_id).lower() == SMALL and not Path(options.model_id).exists():
        raise input_error(argument("model_id"), repr(options.model_id), f"{SMALL!r}, if the small judge is meant")
    from transformers import PretrainedConfig

    try:
        location, offline = find(options.model_id, options.revision)
        config, _ = PretrainedConfig.get_config_dict(location, revision=options.revision, local_files_only=offline)
    except (ValueError, OSError, RecursionError):  # the loader of chat models says what is wrong
        return False
    return any(name.endswith(HEAD) for name in config.get("architectures") or ())


def for_pairs(options, judge):
    """The options of `compute` as a classifier of pairs takes them: no prompt, its labels as the answers, both orders.

    ValueError if an option needs a chat model, or the labels do not say which of them is yes.
    """
    needless = {
        "template": options.template.messages != TEMPLATES["fs_direct"],
        "explanations": options.explanations is not None,
        "classify": options.classify,
        "grades": options.grades is not None,
        "think": options.think,
        "chat_template_kwargs": options.chat_template_kwargs,
    }
    for name, given in needless.items():
        if given:
            found = "this option with a classifier of pairs, which has no prompt"
            expected = Message("the default, or a chat model as ", argument("model_id"))
            raise input_error(argument(name), found, expected, but="; ")
    own = options.answers == options.template.answers
    answers = judge.yes_and_no() if own else judge.checked(options.answers)
    return replace(options, template=TURNS, answers=answers, both_orders=options.both_orders is not False)


# ---- Loading ----


def load_classifier(model_id: str, revision: str | None = None, dtype: str = "auto", device: str = "auto") -> tuple:
    """(model, tokenizer, source) of a classifier or a delta, on the Hub or in a folder, loaded once per process.

    ValueError where it is not in reach or cannot be loaded.
    """
    if model_id == SMALL and revision is not None:
        raise input_error("", f"the revision {revision!r} of {SMALL!r}, which has its own", "no revision", but="; ")
    return load(open_classifier, model_id, revision, dtype, device, (SMALL_DIGEST,) if model_id == SMALL else None)


@cache
def small_judge() -> tuple:
    """(folder or name on the Hub, revision) of the small judge: beside this file, where evaluate has copied this file
    from, in the installed package, on the Hub."""
    for folder in (str(place / "judge") for place in folders_of(__file__, "parapluie")):
        if files_digest(folder, file_stats(folder)) == SMALL_DIGEST:
            return folder, None
    return SMALL_ON_HUB, f"weights-{SMALL_DIGEST}"


def open_classifier(model_id, revision, dtype, device) -> tuple:
    """The model and its tokenizer; MiniLM with a delta in numpy, unless a GPU, a device or a precision is asked for."""
    location, revision = small_judge() if model_id == SMALL else (model_id, revision)
    location, offline = find(location, revision)
    with loading_errors(model_id, CLASSIFIER):
        commit = commit_of(location, "config.json", revision, offline)
        options = {"revision": commit, "local_files_only": offline}
        folder = _folder_of_delta(location, options)
        files = find_minilm().files if folder else {}
        if folder and in_numpy(device, dtype):
            model, tokenizer = open_in_numpy(files, folder)
        else:
            opened = open_in_torch(files, folder, dtype) if folder else _open_whole(location, dtype, options)
            model, tokenizer = opened
            model = model.to(torch_device(device)).eval()
        model.config._commit_hash = commit
        return model, tokenizer


def _folder_of_delta(location, options) -> Path | None:
    """Where a classifier's files are that has only a delta; None for others."""
    base = json.loads(file_of(location, "config.json", **options).read_text(encoding="utf-8")).get(BASE)
    if base not in (None, MINILM):
        raise input_error("", f"a delta of {base!r}", f"a delta of {MINILM}")
    return file_of(location, DELTA, **options).parent if base else None


def _open_whole(location, dtype, options) -> tuple:
    from transformers import AutoModelForSequenceClassification, AutoTokenizer

    options = {**options, "trust_remote_code": False}
    model = AutoModelForSequenceClassification.from_pretrained(location, dtype=dtype, use_safetensors=True, **options)
    return model, AutoTokenizer.from_pretrained(location, **options)


# ---- What it can read ----


def as_seen(text: str) -> str:
    """A text as it is seen: white space and ways to encode a letter make no difference."""
    return " ".join(unicodedata.normalize("NFC", text).split())


def may_be_english(text: str, n_tokens: int) -> bool:
    """Whether nothing says that a text is in another language: its letters, its function words, its words' pieces.

    Without a function word, it is in another language if many words have other letters than English ones, or an
    English tokenizer, which makes n_tokens of it, cuts its words into nearly two pieces each.

    >>> may_be_english("It is late.", 4), may_be_english("Il est tard.", 5), may_be_english("Поздно.", 7)
    (True, False, False)
    """
    letters = [c for c in text if c.isalpha()]
    if 2 * sum("LATIN" in unicodedata.name(c, "") for c in letters) < len(letters):
        return False
    text = text.replace("’", "'")
    written = WORD.findall(text)
    words = [word.lower() for word in written]
    english = sum(word in ENGLISH or word.endswith(("n't", "'s", "'ll", "'re", "'ve")) for word in words)
    # Capitals may be those of names, at the beginning, too: Los Angeles, Le Monde, D'Angelo.
    beginning = [] if written[1:2] and written[1][0].isupper() else words[:1]
    others = sum(word in OTHER_LANGUAGES for word in (*beginning, *written[1:])) + len(ELIDED.findall(text))
    if english or len(words) < 4:
        return others <= english
    accented, units = sum(not word.isascii() for word in words), len(re.findall(r"\w+|[^\w\s]", text))
    return not (others or 3 * accented >= len(words) or n_tokens >= 1.8 * units)


# ---- Judging ----


class PairJudge(AnyOrder):
    """A classifier of pairs as a judge; a conversation is two turns, the source and the hypothesis.

    source: what `load_classifier` was asked for; None for live objects.
    """

    def __init__(self, model, tokenizer, source=None, batch_size: int | str = "auto"):
        self.model, self.tokenizer, self.batch_size = model, tokenizer, batch_size
        path, _, _, stats, _ = source or (type(model).__name__, None, None, (), None)
        commit = f"+{REVISION[:12]}" if hasattr(model.config, BASE) else ""  # of a delta's encoder
        version = f"{getattr(model.config, '_commit_hash', None) or files_digest(path, stats)}{commit}"
        self.name = f"{Path(path).name}@{SMALL_DIGEST if path == SMALL else version}"
        self.identity = ["pairs", "sure of a text and itself", self.name, str(getattr(model, "dtype", ""))]
        self.labels = {i: str(label) for i, label in model.config.id2label.items()}
        self.too_close = getattr(model.config, "too_close", None)

    def yes_and_no(self) -> tuple:
        """The names of the labels that mean yes and no, as `answers` has them; ValueError if they do not say it."""
        plain = {name: word_of(name) for name in self.labels.values()}
        yes, no = ([name for name in plain if plain[name] in words] for words in (YES, NO))
        if len(yes) != 1 or len(no) != 1:
            labels = f"the labels {short_repr(list(plain))} of {self.name}"
            found = f"{labels}, which do not say which means yes and which no"
            expected = "answers=(the label for yes, the label for no)"
            raise input_error(argument("answers"), found, expected, but="; ")
        return (yes[0],), (no[0],)

    def checked(self, answers: tuple) -> tuple:
        """The answers, if all are labels. Raises ValueError if not."""
        unknown = [name for variants in answers for name in variants if name not in self.labels.values()]
        if unknown:
            expected = f"labels of {self.name}: {', '.join(self.labels.values())}"
            raise input_error(argument("answers"), short_repr(unknown[0]), expected)
        return answers

    def as_completed(self, method: str, conversations: list, answers) -> Iterator[tuple]:
        """Yield (index, (log p(first answer), log p(second answer), top label)), the longest pairs first.

        A text and itself is a paraphrase, a text and nothing is none, whatever the model would say.
        """
        if method == "generate":
            raise input_error("", f"{self.name}, a classifier of pairs, which writes no text", "a chat model", but="; ")
        pairs = [[message["content"] for message in turns] for turns in conversations]
        for i, pair in enumerate(pairs):
            if len(pair) != 2:
                found = f"found {len(pair)} turns for {self.name}, a classifier of pairs"
                raise ItemError(i, f"{found}, expected two texts")
        seen = [[as_seen(text) for text in pair] for pair in pairs]
        known = {i: a == b for i, (a, b) in enumerate(seen) if a == b or not (a and b)}
        others = [i for i in range(len(pairs)) if i not in known]
        with indices_of_all(others):
            rows = self._rows([pairs[i] for i in others])
        yes = (log(1 - SURE), log(SURE)) if word_of(answers[0][0]) in NO else (log(SURE), log(1 - SURE))
        for i, same in known.items():
            sure = yes if same else yes[::-1]
            yield i, (*sure, answers[sure[0] < sure[1]][0])
        columns = [[i for i, name in self.labels.items() if name in variants] for variants in answers]

        def run(batch):
            with LOCK:
                log_probs = self._log_probs([rows[i] for i in batch])
            sums = [np.logaddexp.reduce(log_probs[:, some], axis=-1).tolist() for some in columns]
            return list(zip(*sums, [self.labels[i] for i in log_probs.argmax(-1).tolist()], strict=True))

        in_torch = not hasattr(self.model, "batch_tokens")
        most = BATCH_TOKENS.get(self.model.device.type, BATCH_TOKENS["cpu"]) if in_torch else self.model.batch_tokens
        judged = in_batches([len(row["input_ids"]) for row in rows], most, self.batch_size, run)
        yield from ((others[i], value) for i, value in judged)

    def _log_probs(self, rows):
        """log p of every label for rows that a tokenizer gave, the longest first: (rows, labels)."""
        if hasattr(self.model, "log_probs"):
            return self.model.log_probs(*([row[name] for row in rows] for name in ("input_ids", "token_type_ids")))
        import torch

        with torch.inference_mode():
            padded = self.tokenizer.pad(rows, return_tensors="pt").to(self.model.device)
            return self.model(**padded).logits.float().log_softmax(-1).cpu().numpy()

    def unread(self, pairs: list) -> list[bool]:
        """Of each pair of different texts, whether one of them says little or nothing to the model.

        So are texts in no language that it reads, and those of which half the tokens or more are unknown; and texts
        that differ in unknown tokens only. A run of signs without a meaning is one more unknown token.
        """
        reads = getattr(self.model.config, "languages", None)
        texts = list({text for pair in pairs for text in pair})
        plain = [MEANINGLESS.sub("", text) for text in texts]
        ids = self.tokenizer(plain, add_special_tokens=False, split_special_tokens=True, verbose=False)["input_ids"]
        known, unknown, strange = {}, {}, {}
        for text, row in zip(texts, ids, strict=True):
            meaningless = len(MEANINGLESS.findall(text))
            known[text] = [token for token in row if token != self.tokenizer.unk_token_id]
            unknown[text] = len(row) - len(known[text]) + meaningless
            foreign = reads == ["en"] and not may_be_english(text, len(row))
            strange[text] = foreign or unknown[text] > 0 and 2 * unknown[text] >= len(row) + meaningless

        def is_unread(a, b):
            return strange[a] or strange[b] or known[a] == known[b] and unknown[a] + unknown[b] > 0

        return [as_seen(a) != as_seen(b) and is_unread(a, b) for a, b in pairs]

    def _rows(self, pairs):
        """What the model reads of each pair; nothing in a text becomes a control token."""
        sides = map(list, zip(("x", "x"), *pairs, strict=True))
        encoded = self.tokenizer(*sides, split_special_tokens=True, truncation=False, verbose=False)
        harmless, *rows = ({name: values[i] for name, values in encoded.items()} for i in range(len(pairs) + 1))
        own = self._controls(harmless)
        for i, row in enumerate(rows):
            if self._controls(row) != own:
                found = f"found a text that {self.name} cannot tell from control tokens"
                raise ItemError(i, f"{found}, expected one without them")
            if (n := len(row["input_ids"])) > self.window:
                raise ItemError(i, f"found a pair of {n} tokens, expected at most {self.window} for {self.name}")
        return rows

    def _controls(self, row):
        """The added tokens in a row but the unknown one, which any rare character may become."""
        added = set(self.tokenizer.get_added_vocab().values()) - {self.tokenizer.unk_token_id}
        return [token for token in row["input_ids"] if token in added]

    @cached_property
    def window(self) -> int:
        """The most tokens of a pair that the model reads."""
        config = self.model.config.get_text_config()
        positions = getattr(config, "max_position_embeddings", None) or WINDOW
        embeddings = getattr(getattr(self.model, "base_model", None), "embeddings", None)
        padding = getattr(getattr(embeddings, "position_embeddings", None), "padding_idx", None)
        positions -= 0 if padding is None else padding + 1  # RoBERTa counts from there
        return min(positions, self.tokenizer.model_max_length)

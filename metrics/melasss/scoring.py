"""From options and examples to MeLaSSS's result: similarities, what led to them, what an empty summary gets."""

from dataclasses import dataclass
from math import isfinite

from .common import (
    Message,
    a_number,
    argument,
    at_least,
    example,
    input_error,
    one_of,
    option,
    prefix_errors,
    setting,
    short_repr,
    warn,
)
from .common_hub import find
from .common_judge import signature
from .common_llm import ChatModel, ChatOptions, a_name, a_revision, load, loading_errors
from .common_statistics import IntervalOptions, Sample, interval_of
from .encoder import DEFAULT, POOLINGS, Encoder
from .encoder import load as load_encoder
from .learn_fit import LEARNED, TRAINABLE, open_head
from .rewriting import MODES, TASKS, rewrite_all, rewritten
from .similarities import KINDS, judge_scores, matches, no_matches
from .terms_table import ASPECTS
from .text_pairs import check_sides, encode_in_chunks, sentences_of
from .text_sentences import has_word, without_frame, without_items

SIMILARITIES = ("regression", "rouge", *LEARNED, "llm")
WORST = 0.0  # the score of an empty summary


@dataclass(frozen=True, kw_only=True)
class Options(IntervalOptions, ChatOptions):
    """Options of `compute`; those of `ChatOptions` say which chat model, for rewrite and similarity "llm".

    The signature has the encoder with its pooling and the head as they were opened, not as they were asked for.
    """

    model_id: str = option("meta-llama/Meta-Llama-3-8B-Instruct", a_name, affects_score=False)  # the paper's
    similarity: str = option("regression", one_of(SIMILARITIES))
    aspect: str = option("relevance", one_of(tuple(ASPECTS)), affects_score=False)
    encoder: str | None = option(None, lambda value: value if value is None else a_name(value), affects_score=False)
    pooling: str | None = option(None, one_of((None, *POOLINGS)), affects_score=False)
    head: object = option(None, affects_score=False)
    rewrite: str | None = option(None, one_of((None, *MODES)))
    rewrite_unit: str = option("sentence", one_of(TASKS))
    encoder_revision: str | None = option(None, a_revision, affects_score=False)
    max_new_tokens: int | None = option(None, lambda value: value if value is None else at_least(1)(value))
    threshold: float = option(0.5, a_number, affects_score=False)

    @property
    def uses_judge(self) -> bool:
        """Whether a chat model, or another judge, is asked."""
        return self.similarity == "llm" or self.rewrite is not None

    @property
    def uses_encoder(self) -> bool:
        """Whether sentences are encoded."""
        return self.similarity != "llm" or self.rewrite is not None

    def check_together(self):
        super().check_together()
        if self.aspect != "relevance" and (self.similarity != "regression" or self.head is not None):
            found = "a head of its own" if self.head is not None else f"similarity {self.similarity!r}"
            found = f"{self.aspect!r} and {found}, which has no aspects"
            raise input_error(argument("aspect"), found, "'relevance'", but="; ")
        if self.head is not None and self.similarity not in TRAINABLE:
            found = f"a head, which similarity {self.similarity!r} does not use"
            raise input_error(argument("head"), found, "no head", but="; ")
        if self.head is None and self.similarity in LEARNED:
            expected = (
                f"a trained head for similarity {self.similarity!r}; train one with "
                "metric.fit(texts, summaries, ratings, similarity=...) or pass a folder or repository"
            )
            raise input_error(argument("head"), "None", expected)
        if self.encoder is not None and not self.uses_encoder:
            found = Message(f"{short_repr(self.encoder)}, which similarity 'llm' uses only with ", setting("rewrite"))
            raise input_error(argument("encoder"), found, "no encoder", but="; ")
        for name in () if self.uses_judge else ("model", "judge"):
            if getattr(self, name) is not None:
                found = f"{short_repr(getattr(self, name), 60)}, which only rewrite and similarity llm use"
                raise input_error(argument(name), found, f"no {name}", but="; ")


def check_examples(predictions, references, start: int = 0) -> tuple[list, list]:
    """Summaries and texts as lists of the same length, of strings or lists of sentences; a summary may be empty."""
    return check_sides(predictions, references, ("predictions", "references"), start, allow_empty=True)


ODD = ("empty_predictions", "headings", "out_of_range", "language_neutral")  # counts of examples
OF_ROWS = ("far", "neutral")  # what a row says only to be counted


def sample_of(lists: dict) -> Sample:
    """The examples, from the lists of a result's details."""
    return Sample.of_means({"score": lists["scores"], "melasss": lists["scores"]})


class Scorer:
    """A similarity with its head, its encoder and its judge; None for what is not used."""

    ADDS_UP = ("scores",)

    def __init__(self, options: Options):
        self.options = options
        self.head = open_head(options.head, options.similarity, options.aspect)
        self.encoder = open_encoder(options, self.head) if options.uses_encoder else None
        self.judge = open_judge(options) if options.uses_judge else None

    def close(self):
        """Nothing is left open."""

    def signature(self) -> str:
        options = self.options
        parts = [options.signature() if self.judge else f"similarity:{options.similarity}"]
        parts += [f"model:{signature(self.judge)}"] if self.judge else []
        parts += [f"encoder:{self.encoder.signature()}|pooling:{self.encoder.pooling}"] if self.encoder else []
        parts += [f"head:{self.head.aspect}@{self.head.digest()}"] if self.head else []
        return "|".join(parts)

    def score(self, predictions: list, references: list) -> dict:
        """The result of `compute` for summaries and their texts, strings or lists of sentences."""
        return self.combine(*self._judged(predictions, references), self.options)

    def sample(self, predictions: list, references: list) -> Sample:
        """The examples, as their scores add up."""
        return sample_of(self._judged(predictions, references)[1])

    @staticmethod
    def combine(known: dict, lists: dict, options: IntervalOptions) -> dict:
        """The result, from counts and from the lists of its details."""
        sample = sample_of(lists)
        counts = {name: known[name] for name in ODD if known.get(name)}
        if "rewritings" in lists:
            # What two parts have asked about counts once, as in one.
            distinct = {tuple(each["sentences"]): each for each in lists["rewritings"]}
            fallbacks = [
                {"sentence": sentence, "faults": faults, "output": each["output"]}
                for each in distinct.values()
                for sentence, faults in zip(each["sentences"], each["faults"], strict=True)
                if faults
            ]
            lists = lists | {"rewritings": list(distinct.values()), "fallbacks": fallbacks}
            n, n_refused = sum(map(len, distinct)), len(fallbacks)
            counts = {"rewritten": n - n_refused, "not_rewritten": n_refused} | counts
        result = sample.scores() | counts | sample.intervals(*interval_of(options))
        return result | (lists if options.details else {})

    def _judged(self, predictions: list, references: list) -> tuple[dict, dict]:
        """Counts, and lists of what is said of each example."""
        given = list(map(alone, predictions))
        n_headings = sum(new != old and has_word(old) for new, old in zip(given, predictions, strict=True))
        summaries = [without_items(sentences_of(item)) if has_word(item) else [] for item in given]
        texts = list(map(sentences_of, references))
        judged = [i for i, summary in enumerate(summaries) if summary]
        n_empty, rewritings = len(summaries) - len(judged), {}
        if n_empty:
            what = argument("predictions")
            warn(f"{n_empty} of {len(summaries)} ", what, f" are empty; they get the score {WORST:g}")
        self._warn_of_odd_input(texts, summaries, judged)
        if self.options.rewrite:
            texts, summaries, rewritings = self._rewrite(texts, summaries, judged)
        rows = self._rows(texts, summaries, judged)
        n_far, n_neutral = (sum(row.pop(name, False) for row in rows.values()) for name in OF_ROWS)
        if n_far:
            warn(
                f"{n_far} of {len(summaries)} examples have a text or a summary much longer than those that the head "
                "was fitted on; their scores are guesses"
            )
        if n_neutral:
            warn(
                f"{n_neutral} of {len(summaries)} texts are neither in English nor in French by their function words; "
                "in these all words count alike, and numbers, names and negations are not compared"
            )
        table = [rows[i] if i in rows else self._empty_row(text) for i, text in enumerate(texts)]
        lists = {name: [row[name] for row in table] for name in table[0]}
        return dict(zip(ODD, (n_empty, n_headings, n_far, n_neutral), strict=True)), lists | rewritings

    def _warn_of_odd_input(self, texts, summaries, judged):
        """Say where the sides may be exchanged and where the encoder cannot read."""
        n_longer = sum(sum(map(len, summaries[i])) > sum(map(len, texts[i])) for i in judged)
        if n_longer > len(judged) / 2:
            predictions, references = argument("predictions"), argument("references")
            count = f"{n_longer} of {len(texts)} "
            warn(count, predictions, " are longer than their ", references, "; are the two sides exchanged?")
        sides = ((" ".join(side[i]) for side in (texts, summaries)) for i in judged if self.encoder)
        n_foreign = sum(any(map(self.encoder.is_foreign, both)) for both in sides)
        if n_foreign:
            warn(
                f"{n_foreign} of {len(texts)} examples are in a script that the encoder {self.encoder.name} hardly "
                "knows, and their scores mean little; choose ",
                setting("encoder"),
                " for that language",
            )

    def _rewrite(self, texts, summaries, judged):
        """Both sides with the sentences of the judged examples rewritten, and what became of all that was asked."""
        options, originals = self.options, [side[i] for i in judged for side in (texts, summaries)]
        by_asked = rewrite_all(
            originals, options.rewrite, options.rewrite_unit, self.judge, options.max_new_tokens, self.encoder
        )
        kept = set(judged)
        texts, summaries = (
            [rewritten(item, by_asked) if i in kept else item for i, item in enumerate(side)]
            for side in (texts, summaries)
        )
        rewritings = [
            {"sentences": list(asked), "faults": [one.failed for one in each], "output": each[0].output}
            for asked, each in by_asked.items()
        ]
        return texts, summaries, {"rewritings": rewritings}

    def _rows(self, texts, summaries, judged) -> dict[int, dict]:
        """{index of an example: its score, and with details what led to it}, of the judged ones."""
        options = self.options
        if options.similarity == "llm":
            asked, about = ([side[i] for i in judged] for side in (texts, summaries))
            scores = judge_scores(self.judge, asked, about, name=lambda k: example("example", judged[k]))
            return {i: {"scores": score} for i, score in zip(judged, scores.tolist(), strict=True)}
        rows, kind = {}, KINDS[options.similarity]
        whole = options.details or getattr(self.head, "needs_whole_text", True)
        for indices, pairs in encode_in_chunks(self.encoder, texts, summaries, kind.tokens, judged, whole):
            for i, pair, row in zip(indices, pairs, kind.rows(self.head, pairs), strict=True):
                if not isfinite(row["scores"]):
                    expected = "a finite score; the encoder or the head has weights that are not finite numbers"
                    raise input_error(example("example", i), f"the score {row['scores']}", expected)
                wanted = row if options.details else {name: row[name] for name in ("scores", *OF_ROWS) if name in row}
                rows[i] = wanted | (matches(pair, options.threshold) if options.details else {})
        return rows

    def _empty_row(self, text):
        """The row of an empty summary: no model is asked, and no sentence of the text is covered."""
        if self.options.similarity == "llm" or not self.options.details:
            return {"scores": WORST}
        return {"scores": WORST} | KINDS[self.options.similarity].of_empty | no_matches(text)


def alone(summary):
    """A summary, a string or a list of sentences, without what is said around it, such as "Here is a summary:"."""
    if isinstance(summary, str):
        return without_frame(summary)
    ends = (0, len(summary) - 1)
    bare = [without_frame(sentence) if i in ends else sentence for i, sentence in enumerate(summary)]
    return [new for new, old in zip(bare, summary, strict=True) if new or not old]


def open_judge(options: Options):
    """The judge that the options ask for."""
    if options.judge is not None:
        return options.judge
    if options.model is not None:
        return ChatModel(options.model, options.tokenizer, batch_size=options.batch_size)
    with prefix_errors(argument("model_id")):
        model, tokenizer, source = load(
            open_chat_model, options.model_id, options.revision, options.dtype, options.device
        )
    return ChatModel(model, tokenizer, source, batch_size=options.batch_size)


def open_chat_model(model_id, revision, dtype, device) -> tuple:
    """(model, tokenizer) of safetensors weights; no code of the repository is run."""
    from transformers import AutoModelForCausalLM, AutoTokenizer

    name, offline = find(model_id, revision)
    options = {"revision": revision, "local_files_only": offline, "trust_remote_code": False}
    with loading_errors(model_id):
        tokenizer = AutoTokenizer.from_pretrained(name, **options)
        options |= {"dtype": dtype, "device_map": device, "use_safetensors": True}
        return AutoModelForCausalLM.from_pretrained(name, **options).eval(), tokenizer


def open_encoder(options: Options, head) -> Encoder:
    """The encoder asked for, or the head's; their widths must be the same."""
    name = options.encoder or (DEFAULT if head is None else head.encoder)
    pooling = options.pooling or getattr(head, "pooling", None)
    revision = options.encoder_revision or getattr(head, "encoder_revision", None)
    encoder = load_encoder(name, pooling, revision, options.device)
    if head is None:
        return encoder
    if head.width != encoder.width:
        found = f"a head for vectors of width {head.width} ({head.encoder})"
        hint = f"train one with metric.fit(..., encoder={name!r})"
        raise input_error(argument("head"), found, f"the width {encoder.width} of {name}; {hint}")
    if (head.encoder, head.pooling) != (encoder.name, encoder.pooling):
        warn(
            argument("head"),
            f": found a head trained on vectors of {head.encoder} ({head.pooling} pooling) and vectors of "
            f"{encoder.name} ({encoder.pooling}); unless both are the same the scores mean nothing",
        )
    return encoder

"""Why do two scorers disagree? The conventions under which a key and a response have a score that a tool printed."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import partial
from itertools import product

import numpy as np

from .common import (
    CheckedOptions,
    argument,
    at_least,
    input_error,
    is_number,
    keyword_options,
    one_of,
    option,
    progress,
    short_repr,
)
from .documents import larger_clusters, named_copies, partitions
from .match_carried import WORDS
from .match_documents import DOCUMENTS
from .measure_files import FILE_MEASURES
from .measures import MEANS_OF_F1, MEASURES, NAMES, Corpus, f1
from .read_formats import AUTO, FORMATS, is_source
from .read_pairs import announced_pairs, heads_wanted, pairs_of, read_sides
from .score_files import FileOptions, a_column, a_field, file_counts, has_file_measures
from .scoring import Options, count, prepare
from .show_report import open_pairs

E2E, OF_E2E = "e2e", ("ceafe", "conll")  # a convention, and the scores that it alone has
# What tools do differently, the usual way first: {option: {value: in words}}.
READING: dict[str, dict] = {
    "match": {
        "exact": "mentions are the same if their words are",
        "head": "mentions are the same if their heads are (CRAC)",
        "partial": "a mention may be a part of the key's that has its head",
    },
    "zeros": {"linear": "zeros matched by their number", "dependent": "zeros matched by their dependencies"},
    "keep_singletons": {
        True: "singletons are kept",
        False: "singletons are removed first",
        E2E: "the response's singletons are removed, the key's for all but CEAF-e (e2e-coref, fastcoref)",
    },
    "duplicates": {
        "error": "no mention in two classes",
        "first": "a repeated mention counts where it is first",
        "conll": "a repeated mention counts as in the CoNLL scorer",
    },
}
SCORING: dict[str, dict] = {
    "mentions": {"raw": "each side has its own mentions", "union": "each side gets the other's as singletons"},
    "zero_division": {0.0: "0/0 is 0", 1.0: "0/0 is 1"},
    "average": {
        "micro": "numerators and denominators are added up over documents",
        "macro": "the mean over documents",
        "macro of recall and precision": "F1 of the mean recall and the mean precision over documents",
        "weighted": "the mean over documents, weighted by the key's mentions",
        "one document": "all documents are taken as one, with links between them",
    },
}
NEGLIGIBLE = 1e-12  # rounding
CONVENTIONS = READING | SCORING
READ_SO = ("format", "field", "key_field", "words", "documents", "word_column")
USUAL = {name: next(iter(values)) for name, values in CONVENTIONS.items()}


@dataclass(frozen=True, kw_only=True)
class ExplainOptions(CheckedOptions):
    """Options of `explain_score`."""

    measure: str | None = option(None, one_of((None, *NAMES, *FILE_MEASURES)))
    format: str = option(AUTO, one_of((AUTO, *FORMATS)))
    field: str | None = option(None, a_field)
    key_field: str | None = option(None, a_field)
    words: str = option("exact", one_of(WORDS))
    documents: str = option("name", one_of(DOCUMENTS))
    word_column: int | None = option(None, a_column)
    most: int = option(10, at_least(1))


@keyword_options
def explain_score(key, response, value, options: ExplainOptions) -> dict:
    """Under which conventions is this the score? Tries all measures under all conventions of the usual tools.

    Args:
        key: path of the key's file, or documents as `compute` takes them.
        response: the same for the response.
        value: what the other tool printed: a number, or text such as "56.30" where the last digits are zeros. Above 1
            (or with a %) it is taken as percent. It is met by what is printed so with as many digits; 0 and 1
            without any by these alone.
        measure: look at one measure only; of CorefUD files also "mor" or "zero".
        format, field, key_field, words, documents, word_column: of the files, as for `score_files`.
        most: how many explanations to give.

    Returns:
        found: whether some score is printed so.
        explanations: the simplest ones (or, if there is none, the nearest scores) as {"score", "value", "difference",
            "differs"}: the key in `compute`'s result (or conll_recall, conll_precision, the means of three measures),
            its value, how far that is from what was printed, and what is unlike the usual way, {convention: value}.
        text: the same, for people, a line each.

    Raises:
        ValueError: a value that is no number, or input as `score_files` or `compute` refuses it.
    """
    text, printed, half_step = _printed(value)
    scores = list(all_scores(key, response, options))
    close = [entry for entry in scores if abs(entry["value"] - printed) <= half_step]
    entries = _simplest(close) or _nearest(scores, printed)
    explanations = [entry | {"difference": entry["value"] - printed} for entry in entries[: options.most]]
    lines = _lines(text, bool(close), explanations)
    return {"found": bool(close), "explanations": explanations, "text": "\n".join(lines)}


def _printed(value) -> tuple[str, float, float]:
    """A score as it was printed, as a fraction, and half a unit of its last digit; ValueError for what is no number."""
    given = str(value).strip() if is_number(value) or isinstance(value, str) else ""
    text = given.removesuffix("%").strip()
    if not re.fullmatch(r"[+-]?(\d+\.?\d*|\.\d+)(e-?\d+)?", text, re.I):
        expected = "a number as it was printed, such as 0.563 or '56.30'"
        raise input_error(argument("value"), short_repr(value), expected)
    number, unit = Decimal(text), "%" if given.endswith("%") else ""
    scale = 100 if unit or abs(number) > 1 else 1
    exponent = int(number.as_tuple().exponent)
    half_step = 0.0 if scale == 1 and exponent >= 0 else 0.5 * 10.0**exponent  # 0 and 1 are not rounded
    return text + unit, float(number) / scale, (half_step + NEGLIGIBLE) / scale


# ---- All scores under all conventions ----


def all_scores(key, response, options: ExplainOptions) -> Iterator[dict]:
    """{"score", "value", "differs"} for every measure under every convention; undefined ones are left out."""
    ways = _ways_to_read(key, response, options)
    for reading, read in progress(ways, desc="Trying conventions", unit="way", delay=2):
        pairs, is_e2e = read(), reading["keep_singletons"] is E2E
        if not is_e2e:
            yield from _scores_of_files(pairs, reading, options)
        if options.measure not in FILE_MEASURES:
            for mentions in ["raw"] if is_e2e else SCORING["mentions"]:
                yield from _scores_of_documents(pairs, reading | {"mentions": mentions}, options)


def _scores_of_documents(pairs, reading, options):
    """The scores that `compute` has too, under all ways to count and average."""
    scoring = Options(mentions=reading["mentions"], measures=options.measure and [options.measure])
    examples = partitions(pairs)
    documents = prepare(examples["predictions"], examples["references"], scoring)
    counts = _counts(documents, scoring, reading, named_copies(pairs))
    merged = _counts([_as_one(documents)], scoring, reading)
    weights = np.array([sum(map(len, key)) for key, _ in documents], float)
    for zero_division in SCORING["zero_division"]:
        corpora = [Corpus(each, scoring.measures, "micro", zero_division) for each in (counts, merged)]
        for average, values in _averages(*corpora, weights, len(documents)).items():
            # The mean recall and precision of MUC, B3 and CEAF-e are printed by e2e-coref and fastcoref.
            values = values | _means(values, "recall") | _means(values, "precision")
            if reading["keep_singletons"] is E2E:
                values = {name: value for name, value in values.items() if name.startswith(OF_E2E)}
            yield from _entries(values, reading | {"zero_division": zero_division, "average": average})


def _means(values, part):
    """{mean: value} of the three measures' recall, precision or f1, where all are there; F1's is the CoNLL F1."""
    names = {f"{mean.removesuffix('f1')}{part}": parts for mean, parts in MEANS_OF_F1.items()}
    each = {mean: [values.get(f"{name}_{part}") for name in parts] for mean, parts in names.items()}
    return {mean: np.mean(scores) for mean, scores in each.items() if None not in scores}


def _entries(values, used):
    differs = {name: value for name, value in used.items() if value != USUAL[name]}
    for name, value in values.items():
        if not np.isnan(value):
            yield {"score": name, "value": float(value), "differs": differs}


def _counts(documents, scoring, reading, copies=None):
    """The counts of documents; as e2e-coref's program has them, where CEAF-e keeps the key's singletons."""
    if reading["keep_singletons"] is not E2E:
        return count(documents, scoring, copies=copies)
    without = [[larger_clusters(side) for side in pair] for pair in documents]
    counts = count(without, scoring)
    if "ceafe" in counts:
        kept = [(key, response) for (key, _), (_, response) in zip(documents, without, strict=True)]
        counts["ceafe"] = count(kept, replace(scoring, measures=["ceafe"]))["ceafe"]
    return counts


def _scores_of_files(pairs, reading, options):
    """MOR and the score of zeros, which depend on fewer conventions."""
    if not has_file_measures(pairs) or options.measure not in (None, *FILE_MEASURES):
        return
    counts = file_counts(pairs)
    for zero_division, average in product(SCORING["zero_division"], ("micro", "macro")):
        values = Corpus(counts, FILE_MEASURES, average, zero_division, FILE_MEASURES).scores()
        own = {name: v for name, v in values.items() if options.measure in (None, name.partition("_")[0])}
        yield from _entries(own, reading | {"zero_division": zero_division, "average": average})


def _ways_to_read(key, response, options) -> list[tuple]:
    """(conventions, function that gives the pairs) for every way of reading that makes a difference."""
    own = {name: getattr(options, name) for name in READ_SO}
    if is_source(key):
        read, choices = _reader_of_files(key, response, own)
    else:
        open_pairs(key, response, FileOptions())  # or the documents are refused
        read, choices = partial(open_pairs, key, response), {"keep_singletons": READING["keep_singletons"]}
    ways = [dict(zip(choices, values, strict=True)) for values in product(*choices.values())]
    return [
        # e2e-coref reads singletons, and removes them later.
        (way, partial(read, FileOptions(**own, **way | {"keep_singletons": bool(way["keep_singletons"])})))
        for way in ways
    ]


def _reader_of_files(key, response, own):
    """A function from options to pairs, which reads nothing again, and what there is to choose."""
    usual = FileOptions(**own, duplicates="first")
    sides = read_sides(key, response, usual)
    pairs, dropped = announced_pairs(*sides, usual)
    has_zeros = any(pair.key_empty or pair.response_empty for pair in pairs)
    choices = {
        "match": [match for match in READING["match"] if not heads_wanted(*sides, match)],
        "zeros": READING["zeros"] if has_zeros else [USUAL["zeros"]],
        "keep_singletons": READING["keep_singletons"],
        "duplicates": ["first", "conll"] if dropped else ["error"],
    }
    return (lambda chosen: pairs_of(*sides, chosen)[0]), choices


def _as_one(documents):
    """All documents as one; equal names in different documents stay apart."""
    sides = ([], [])
    for number, pair in enumerate(documents):
        for side, clusters in zip(sides, pair, strict=True):
            side += [[f"{number} {mention}" for mention in cluster] for cluster in clusters]
    return sides


def _averages(corpus, merged, weights, n):
    """{average: {key: score}}; for one document there is one only."""
    micro = corpus.scores()
    if n < 2:
        return {"micro": micro}
    values = corpus.values(corpus.summands)
    defined = ~np.isnan(values)
    with np.errstate(invalid="ignore"):
        means = np.nan_to_num(values).sum(axis=0) / defined.sum(axis=0)
        weighted_means = weights @ np.nan_to_num(values) / (weights @ defined)
    macro, weighted = (dict(zip(corpus.keys, each, strict=True)) for each in (means, weighted_means))
    return {
        "micro": micro,
        "macro": macro,
        "macro of recall and precision": _of_means(macro),
        "weighted": weighted,
        "one document": merged.scores(),
    }


def _of_means(macro):
    """The F1 of mean recalls and precisions."""
    scores = {}
    for name in MEASURES:
        if f"{name}_recall" in macro:
            recall, precision = (np.float64(macro[f"{name}_{part}"]) for part in ("recall", "precision"))
            scores[f"{name}_f1"] = f1(recall, precision)
    return scores | {name: value for name, value in _means(scores, "f1").items() if name in macro}


def _simplest(entries):
    """The entries without those that need more conventions for the same score; of as many, main scores first."""
    kept = []
    for entry in sorted(entries, key=lambda entry: (len(entry["differs"]), not entry["score"].endswith("_f1"))):
        needed = entry["differs"].items()
        if not any(e["score"] == entry["score"] and e["differs"].items() <= needed for e in kept):
            kept.append(entry)
    return kept


def _nearest(entries, printed):
    """The entries by distance, each value of a score once, under the fewest conventions."""
    values = {}
    for entry in sorted(entries, key=lambda entry: len(entry["differs"])):
        values.setdefault((entry["score"], round(entry["value"], 12)), entry)
    return sorted(values.values(), key=lambda entry: abs(entry["value"] - printed))


def _lines(text, is_met, explanations):
    yield f"{text} is:" if is_met else f"No score is printed as {text}; the nearest are:"
    for entry in explanations:
        differs = [f"{CONVENTIONS[name][value]} ({name}={value!r})" for name, value in entry["differs"].items()]
        yield f"  {entry['score']} = {entry['value']:.6f}: {'; '.join(differs) or 'the usual conventions'}"

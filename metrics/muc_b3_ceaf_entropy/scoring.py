"""From options and documents to the result: one table per document, its counts, the corpus's scores.

Documents come normalised, as `check_input.check_sides` gives them: lists of clusters, each a list of strings.
"""

import random
from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain, islice
from numbers import Real

import numpy as np

from .common import (
    CheckedOptions,
    a_boolean,
    at_least,
    expecting,
    is_number,
    keyword_options,
    one_of,
    option,
    prefix_errors,
    progress,
    short_repr,
)
from .measure_table import by_first_mention, contingencies
from .show_errors import added_up, diagnose
from .check_input import check_documents, check_same_mentions, check_sides, normalise_subset, restrict
from .measure_repeats import measured_with_copies
from .measures import MEASURES, NAMES, Corpus, base_measures, count_documents, measure_document
from .measure_confidence import bootstrap_interval, randomisation_p_values

# ---- Options ----


def some_measures(measures) -> tuple[str, ...]:
    """Check of an option: names of measures, None for all; an iterator is refused, as it could be used only once."""
    if measures is None:
        return NAMES
    if isinstance(measures, (str, Iterator)) or not isinstance(measures, Iterable) or not list(measures):
        raise ValueError(f"found {short_repr(measures)}, expected a non-empty list of names")
    return tuple(map(one_of(NAMES), measures))


def _is_zero_one_or_nan(value) -> bool:
    return value in (0, 1) if is_number(value) else isinstance(value, Real) and value != value


def _is_confidence(value) -> bool:
    return value is None or is_number(value) and 0 < value < 1


a_zero_division = expecting("0.0, 1.0 or NaN", _is_zero_one_or_nan, float)
a_confidence = expecting(
    "a number between 0 and 1, such as 0.95", _is_confidence, lambda value: None if value is None else float(value)
)


@dataclass(frozen=True, kw_only=True)
class ScoringOptions(CheckedOptions):
    """What is scored, and how; the card says what each option means."""

    measures: list[str] | None = option(None, some_measures, affects_score=False)
    mentions: str = option("raw", one_of(("raw", "union", "strict")))
    zero_division: float = option(0.0, a_zero_division)
    average: str = option("micro", one_of(("micro", "macro")))
    keep_singletons: bool = option(True, a_boolean)
    subset: list | None = option(None)

    def check_together(self):
        if self.subset is not None:  # here, because its errors say which document, as in "subset[3]"
            object.__setattr__(self, "subset", normalise_subset(self.subset))


@dataclass(frozen=True, kw_only=True)
class Options(ScoringOptions):
    """Options of `compute`."""

    baselines: bool = option(False, a_boolean, affects_score=False)
    confidence: float | None = option(None, a_confidence)
    n_resamples: int = option(1000, at_least(1))
    seed: int = option(0, at_least(0))
    details: bool = option(False, a_boolean, affects_score=False)


@dataclass(frozen=True, kw_only=True)
class CompareOptions(ScoringOptions):
    """Options of `compare`."""

    n_resamples: int = option(9999, at_least(1))
    seed: int = option(0, at_least(0))
    confidence: float | None = option(None, a_confidence)
    details: bool = option(False, a_boolean, affects_score=False)


# ---- compute ----

MENTIONS_TOGETHER = 50_000  # of documents that are counted together
FRACTIONS = ("recall_numerator", "recall_denominator", "precision_numerator", "precision_denominator")


class Scorer:
    """Scores documents as the options say; there is nothing to open or to close."""

    def __init__(self, options: Options):
        self.options = options

    def close(self):
        """Nothing is open."""

    def signature(self) -> str:
        return self.options.signature()

    def score(self, predictions: list, references: list, names: list | None = None, copies: list | None = None) -> dict:
        """The result of `compute` for the responses and the keys.

        Args:
            predictions, references: normalised documents, the same number of each.
            names: of the documents, where they have some; for details and errors.
            copies: for each document the mentions that the key repeats, as for `measured_with_copies`; None for none.

        Raises:
            ValueError: there are no documents, or too few for an interval; the subset does not fit them; the mentions
                of a document differ (mentions="strict").
        """
        options = self.options
        if options.confidence is not None:
            _check_enough(references, "a confidence interval over documents")
        documents = prepare(predictions, references, options, names=names)
        diagnoses = []
        keep = (lambda *document: diagnoses.append(diagnose(*document))) if options.details else None
        counts = count(documents, options, keep, copies)
        corpus = corpus_of(counts, options)
        result = corpus.scores()
        if options.baselines:
            result |= self._baselines(documents)
        if options.confidence is not None:
            result |= self._intervals(corpus)
        if options.details:
            result |= self._details(corpus, counts, diagnoses, names)
        return result

    def _baselines(self, documents) -> dict:
        """The scores of trivial responses to the keys."""
        options, result = self.options, {}
        for name, respond in BASELINES.items():
            trivial = [(key, _scored_clusters(respond(key, options.seed), options)) for key, _ in documents]
            scores = corpus_of(count(trivial, options), options).scores()
            result |= {f"{name}_{key}": value for key, value in scores.items()}
        return result

    def _intervals(self, corpus) -> dict:
        """Both ends of each score's interval."""
        options, result = self.options, {}
        low, high = bootstrap_interval(
            corpus.summands, corpus.values, options.confidence, options.n_resamples, options.seed
        )
        for key, *ends in zip(corpus.keys, low.tolist(), high.tolist()):
            result[f"{key}_low"], result[f"{key}_high"] = ends
        return result

    def _details(self, corpus, counts, diagnoses, names) -> dict:
        """What the scores of each document, and of all together, come from."""
        named = [{}] * len(diagnoses) if names is None else [{"name": name} for name in names]
        totals = added_up(diagnosis["totals"] for diagnosis in diagnoses)
        fractions = {
            name: dict(zip(FRACTIONS, values.sum(axis=0).tolist()))
            for name, values in counts.items()
            if MEASURES[name].terms
        }
        return {
            "documents": [
                {**name, "scores": scores, **diagnosis}
                for name, scores, diagnosis in zip(named, corpus.each(), diagnoses, strict=True)
            ],
            "totals": totals | {"fractions": fractions},
        }


# ---- Trivial responses to a key, against which a score can be read (Popescu-Belis, section 5.1) ----


def no_resolution(key: list, seed: int) -> list:
    """Every mention of the key alone."""
    return [[mention] for cluster in key for mention in cluster]


def one_class(key: list, seed: int) -> list:
    """All mentions of the key in one class; no class for an empty key."""
    mentions = list(chain.from_iterable(key))
    return [mentions] if mentions else []


def random_classes(key: list, seed: int) -> list:
    """The key's mentions shuffled into classes of the key's sizes; the same for a document wherever it stands."""
    mentions = sorted(chain.from_iterable(key))
    random.Random(f"{seed} {mentions}").shuffle(mentions)
    rest = iter(mentions)
    return [list(islice(rest, size)) for size in sorted(map(len, key), reverse=True)]


BASELINES: dict[str, Callable[[list, int], list]] = {
    "no_resolution": no_resolution,
    "one_class": one_class,
    "random": random_classes,
}


# ---- The steps, which compute and compare share ----


def prepare(
    predictions: list, references: list, options: ScoringOptions, name: str = "predictions", names: list | None = None
) -> list[tuple]:
    """Pairs of key and response as they are to be scored, clusters by first mention.

    Args:
        predictions, references: normalised documents, the same number of each.
        name: what to call the responses in errors.
        names: of the documents, where they have some.

    Raises:
        ValueError: as `Scorer.score`.
    """
    if not references:
        raise ValueError("found no documents, expected at least one")
    pairs = list(zip(references, predictions, strict=True))
    if options.subset is not None:
        pairs = restrict(pairs, options.subset)
    if options.mentions == "strict":
        for i, pair in enumerate(pairs):
            check_same_mentions(*pair, f"document {short_repr(names[i]) if names and names[i] else i}", name)
    return [tuple(_scored_clusters(side, options) for side in pair) for pair in pairs]


def count(
    documents: list[tuple], options: ScoringOptions, keep: Callable | None = None, copies: list | None = None
) -> dict[str, np.ndarray]:
    """The counts of each document: {measure: array of shape (documents, n)}.

    Args:
        documents: from `prepare`.
        keep: keep(key, response, measured) is given what `measures.measure_document` finds in each document.
        copies: as for `Scorer.score`.
    """
    bases = base_measures(options.measures)
    one_by_one = keep is not None or copies is not None
    copies = copies or [{}] * len(documents)
    rows = {name: array("d") for name in bases}  # a million documents' counts take 350 MB, not gigabytes
    with progress(total=len(documents), desc="Scoring coreference", unit="document", delay=2) as bar:
        for start, end in _batches(documents):
            together = documents[start:end]
            blocks = contingencies(together)
            if one_by_one:
                counts = _count_each(together, blocks, bases, options, keep, copies[start:end])
            else:
                counts = count_documents(blocks, bases, options.mentions)
            for name, each in counts.items():
                rows[name].frombytes(each.tobytes())
            bar.update(len(together))
    return {name: np.frombuffer(values).reshape(len(documents), -1) for name, values in rows.items()}


def _batches(documents):
    """Where parts of the documents start and end that have about MENTIONS_TOGETHER mentions."""
    start, size = 0, 0
    for end, document in enumerate(documents, 1):
        size += sum(map(len, chain.from_iterable(document)))
        if size >= MENTIONS_TOGETHER or end == len(documents):
            yield start, end
            start, size = end, 0


def _count_each(documents, blocks, bases, options, keep, copies):
    """The counts of each document by itself, each handed on with its tables."""
    rows = {name: [] for name in bases}
    for document, table, own in zip(documents, blocks.each(), copies):
        measured = measure_document(table, bases, options.mentions)
        if own and options.mentions == "raw":
            measured |= measured_with_copies(*document, own, bases)
        for name, each in measured.items():
            rows[name].append(each.counts)
        if keep is not None:
            keep(*document, measured)
    return {name: np.array(values, float) for name, values in rows.items()}


def corpus_of(counts: dict[str, np.ndarray], options: ScoringOptions) -> Corpus:
    """The documents with these counts, to be scored together."""
    return Corpus(counts, options.measures, options.average, options.zero_division)


def _scored_clusters(clusters, options) -> list:
    return by_first_mention(cluster for cluster in clusters if options.keep_singletons or len(cluster) > 1)


def _check_enough(keys, purpose):
    if len(keys) < 2:
        raise ValueError(f"found {len(keys)} document(s), expected at least 2 for {purpose}")


# ---- Two systems, several types of links ----


@keyword_options
def compare(predictions_a: list, predictions_b: list, references: list, options: CompareOptions) -> dict:
    """Is the difference between two systems more than chance? Approximate randomisation, paired by document.

    Args:
        predictions_a: the first system's responses, in the form that `compute` takes.
        predictions_b: the second system's responses to the same documents.
        references: the keys.
        measures, mentions, zero_division, average, keep_singletons, subset: as for `compute`.
        n_resamples: number of random exchanges; with few documents all exchanges are tried instead. Also of
            bootstrap draws.
        seed: of the random exchanges and draws.
        confidence: such as 0.95; adds <key>_difference_low and <key>_difference_high, a percentile bootstrap
            interval over documents, which are drawn together for both systems.
        details: True adds "documents": for each its number as "document", <key>_a, <key>_b and <key>_difference.

    Returns:
        For every key of `compute`: <key>_a, <key>_b, <key>_difference (a - b) and <key>_p_value (two-sided; NaN
        where the score is undefined for some exchange).

    Raises:
        ValueError: input as `compute` refuses it, or fewer than two documents.
    """
    given = {"predictions_a": predictions_a, "predictions_b": predictions_b}
    *systems, keys = check_sides(given, references)
    return compare_counts(
        *(count(prepare(responses, keys, options, name), options) for name, responses in zip(given, systems)), options
    )


def compare_counts(counts_a: dict, counts_b: dict, options: CompareOptions) -> dict:
    """What `compare` gives, from the counts of both systems."""
    _check_enough(next(iter(counts_a.values())), "a comparison")
    a, b = (corpus_of(counts, options) for counts in (counts_a, counts_b))
    p_values = randomisation_p_values(a.summands, b.summands, a.values, options.n_resamples, options.seed)
    result = _differences(a.scores(), b.scores())
    result |= {f"{key}_p_value": p_value for key, p_value in zip(a.keys, p_values.tolist())}
    names = ["a", "b", "difference", "p_value"]
    if options.confidence is not None:
        result |= _difference_intervals(a, b, options)
        names += ["difference_low", "difference_high"]
    result = {f"{key}_{name}": result[f"{key}_{name}"] for key in a.keys for name in names}
    if options.details:
        each = enumerate(zip(a.each(), b.each()))
        result["documents"] = [{"document": number} | _differences(*scores) for number, scores in each]
    return result


def _differences(a, b):
    """Two systems' scores, and their differences."""
    result = {}
    for key, value in a.items():
        result |= {f"{key}_a": value, f"{key}_b": b[key], f"{key}_difference": value - b[key]}
    return result


def _difference_intervals(a, b, options):
    """Both ends of the interval of each difference."""
    n = a.summands.shape[1]
    both = np.concatenate([a.summands, b.summands], axis=1)
    low, high = bootstrap_interval(
        both,
        lambda sums: a.values(sums[..., :n]) - b.values(sums[..., n:]),
        options.confidence,
        options.n_resamples,
        options.seed,
    )
    ends = {"low": low.tolist(), "high": high.tolist()}
    return {f"{key}_difference_{end}": value for end, values in ends.items() for key, value in zip(a.keys, values)}


@keyword_options
def compute_typed(predictions: Mapping, references: Mapping, options: Options) -> dict:
    """Score each type of coreference link by itself (section 5.5): identity, part-whole, and so on.

    Args:
        predictions: {type of link: documents}, each value in the form that `compute` takes.
        references: the keys, for the same types.
        measures and the other options: as for `compute`, the same for all types.

    Returns:
        The result of `compute` for every type, its keys prefixed with the type: identity_muc_recall, ... (The
        signature is that of `compute`, and not repeated.)

    Raises:
        ValueError: a side is not a dict, the types differ, or input as `compute` refuses it, with its type.
    """
    _check_types(predictions, references)
    scorer, result = Scorer(options), {}
    for link_type, keys in references.items():
        with prefix_errors(f"link type {short_repr(link_type)}"):
            scores = scorer.score(*check_documents(predictions[link_type], keys))
        result |= {f"{link_type}_{name}": value for name, value in scores.items()}
    return result


def _check_types(predictions, references):
    for name, value in (("predictions", predictions), ("references", references)):
        if not isinstance(value, Mapping):
            raise ValueError(f"{name}: found {type(value).__name__}, expected a dict from type to documents")
    if set(predictions) != set(references):
        raise ValueError(
            f"found the link types {list(predictions)} in predictions and {list(references)} in references, expected "
            "the same types on both sides"
        )

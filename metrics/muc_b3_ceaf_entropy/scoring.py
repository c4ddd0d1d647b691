"""From options and documents to the result: one table per document, its counts, the corpus's scores.

Documents come normalised, as `check_input.check_documents` gives them: lists of clusters, each a list of strings.
"""

import random
from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain, islice
from numbers import Real

import numpy as np

from .check_input import check_documents, check_same_mentions, normalise_subset, restrict
from .common import (
    CheckedOptions,
    a_boolean,
    argument,
    expecting,
    input_error,
    is_number,
    keyword_options,
    one_of,
    option,
    prefix_errors,
    progress,
    short_repr,
)
from .common_statistics import IntervalOptions, exact_sums, interval_of
from .documents import larger_clusters
from .measure_files import FILE_MEASURES
from .measure_repeats import measured_with_copies
from .measure_table import by_first_mention, contingencies
from .measures import MEASURES, NAMES, Corpus, base_measures, count_documents, measure_document
from .show_errors import added_up, diagnose


def some_measures(measures) -> tuple[str, ...]:
    """Check of an option: one name or several, None for all; an iterator is refused, as it could be used only once."""
    if measures is None:
        return NAMES
    measures = [measures] if isinstance(measures, str) else measures
    if isinstance(measures, Iterator) or not isinstance(measures, Iterable) or not list(measures):
        raise input_error("", short_repr(measures), "a non-empty list of names")
    return tuple(map(one_of(NAMES), measures))


a_zero_division = expecting(
    "0.0, 1.0 or NaN",
    lambda value: value in (0, 1) if is_number(value) else isinstance(value, Real) and value != value,
    float,
)


@dataclass(frozen=True, kw_only=True)
class ScoringOptions(CheckedOptions):
    """What is scored, and how; the card says what each option means."""

    measures: str | list[str] | None = option(None, some_measures, affects_score=False)
    mentions: str = option("raw", one_of(("raw", "union", "strict")))
    zero_division: float = option(0.0, a_zero_division)
    average: str = option("micro", one_of(("micro", "macro")))
    keep_singletons: bool = option(True, a_boolean)
    subset: list | None = option(None)

    @property
    def measure_names(self) -> tuple[str, ...]:
        """The measures to give; all where none are named."""
        return tuple(self.measures or NAMES)

    def check_together(self):
        if self.subset is not None:  # here, because its errors say which document, as in "subset[3]"
            object.__setattr__(self, "subset", normalise_subset(self.subset))


@dataclass(frozen=True, kw_only=True)
class Options(IntervalOptions, ScoringOptions):
    """Options of `compute`."""

    baselines: bool = option(False, a_boolean, affects_score=False)
    OF_COMPUTE = ("baselines",)


MENTIONS_TOGETHER = 50_000  # of documents that are counted together
FRACTIONS = ("recall_numerator", "recall_denominator", "precision_numerator", "precision_denominator")


class Scorer:
    """Scores documents as the options say; there is nothing to open or to close."""

    ADDS_UP = ("documents",)

    def __init__(self, options: Options):
        self.options = options

    def close(self):
        """Nothing is open."""

    def signature(self) -> str:
        return self.options.signature()

    def score(
        self,
        predictions: list,
        references: list,
        names: list | None = None,
        copies: list | None = None,
        counts: dict[str, np.ndarray] | None = None,
    ) -> dict:
        """The result of `compute` for the responses and the keys.

        Args:
            predictions, references: normalised documents, the same number of each.
            names: of the documents, where they have some; for details and errors.
            copies: for each document the mentions that the key repeats, as for `measured_with_copies`; None for none.
            counts: of each document for measures of files, {name in `FILE_MEASURES`: array of shape (documents, n)}.

        Raises:
            ValueError: there are no documents; the subset does not fit them; the mentions of a document differ
                (mentions="strict").
        """
        options = self.options
        documents = prepare(predictions, references, options, names=names)
        diagnoses = []
        keep = (lambda *document: diagnoses.append(diagnose(*document))) if options.details else None
        counts = count(documents, options, keep, copies) | self._baselines(documents) | (counts or {})
        result = scored(counts, options.measure_names, options.average, options.zero_division, interval_of(options))
        if options.details:
            named: list[dict] = [{"name": name} for name in names] if names else [{}] * len(documents)
            columns = zip(named, corpus_of(counts, options).each(), _rows(counts), diagnoses, strict=True)
            each = [{**name, "scores": scores, "counts": own, **rest} for name, scores, own, rest in columns]
            result |= details_of(each, counts)
        return result

    def sample(self, predictions: list, references: list, copies: list | None = None) -> Corpus:
        """The documents, as their counts add up; arguments as for `score`."""
        options = self.options
        return corpus_of(count(prepare(predictions, references, options), options, copies=copies), options)

    @staticmethod
    def combine(known: dict, lists: dict, options: IntervalOptions) -> dict:
        """The result, from the documents of its details, and from its keys and its signature."""
        scoring = _scoring_of(known["signature"])
        names = [name for name in NAMES if name in known or f"{name}_f1" in known]
        counts = _counts_of(lists["documents"], base_measures(names))
        result = scored(counts, names, scoring.average, scoring.zero_division, interval_of(options))
        return result | (details_of(lists["documents"], counts) if options.details else {})

    def _baselines(self, documents) -> dict:
        """The counts of trivial responses to the keys, if they are wanted."""
        options = self.options
        counts: dict[str, np.ndarray] = {}
        for name, respond in BASELINES.items() if options.baselines else ():
            trivial = [(key, _scored_clusters(respond(key, options.seed), options)) for key, _ in documents]
            counts |= {f"{name}_{measure}": values for measure, values in count(trivial, options).items()}
        return counts


def scored(counts: Mapping, names: Iterable, average: str, zero_division: float, interval: tuple) -> dict:
    """The scores of counts, and their intervals: of the measures, trivial responses, measures of files."""

    def corpus(prefix, measures, names=names):
        own = {name: counts[prefix + name] for name in measures if prefix + name in counts}
        return Corpus(own, names, average, zero_division, measures) if own else None

    given = corpus("", MEASURES)
    result = given.scores()
    for prefix in (f"{name}_" for name in BASELINES):
        if trivial := corpus(prefix, MEASURES):
            result |= {prefix + key: value for key, value in trivial.scores().items()}
    result |= given.intervals(*interval)
    if of_files := corpus("", FILE_MEASURES, FILE_MEASURES):
        result |= of_files.scores() | of_files.intervals(*interval)
    return result


def _rows(counts):
    """{measure: the numbers} of each document."""
    columns = [values.tolist() for values in counts.values()]
    return [dict(zip(counts, row, strict=True)) for row in zip(*columns, strict=True)]


def _scoring_of(signature: str) -> ScoringOptions:
    """How the counts of a result were averaged, by its signature."""
    settings = dict(part.partition(":")[::2] for part in signature.split("|")[1:])
    if "cross_document" in settings:
        raise input_error("", "results of cross_document=True, which do not add up", "results without cross_document")
    with prefix_errors(f"signature: found {short_repr(signature)}, expected a signature of compute"):
        zero_division = float(settings.get("zero_division", "none"))
        return ScoringOptions.of({"average": settings.get("average"), "zero_division": zero_division}, "combine")


def _counts_of(documents: list, needed: list[str]) -> dict[str, np.ndarray]:
    """The counts of documents of a result's details, {measure: array of shape (documents, n)}."""
    given = [document.get("counts") if isinstance(document, Mapping) else None for document in documents]
    rows = [counts if isinstance(counts, Mapping) else {} for counts in given]
    for i, row in enumerate(rows):
        if not row or row.keys() != rows[0].keys():
            found = ", ".join(map(str, row)) or "none"
            raise input_error(argument("documents"), f"the counts of {found} in document {i}", "the same counts in all")
    lacking = sorted(set(needed) - set(rows[0]))
    if lacking:
        raise input_error(argument("documents"), f"no counts of {', '.join(lacking)}", "the counts of all scores")
    with prefix_errors("documents: found counts that are no table, expected as many numbers in each document"):
        return {name: np.array([row[name] for row in rows], float) for name in rows[0]}


def details_of(documents: list[dict], counts: Mapping) -> dict:
    """The documents, and what they add up to."""
    totals = added_up(each["totals"] for each in documents) if "totals" in documents[0] else {}
    fractions = {
        name: dict(zip(FRACTIONS, exact_sums(values).tolist(), strict=True))
        for name, values in counts.items()
        if name in MEASURES and MEASURES[name].terms
    }
    return {"documents": documents, "totals": totals | {"fractions": fractions}}


# ---- Trivial responses to a key, against which a score can be read (Popescu-Belis, section 5.1) ----


def no_resolution(key: list, _seed: int) -> list:
    """Every mention of the key alone."""
    return [[mention] for cluster in key for mention in cluster]


def one_class(key: list, _seed: int) -> list:
    """All mentions of the key in one class; no class for an empty key."""
    mentions = list(chain.from_iterable(key))
    return [mentions] if mentions else []


def random_classes(key: list, seed: int) -> list:
    """The key's mentions shuffled into classes of the key's sizes; the same for a document wherever it stands."""
    mentions = sorted(chain.from_iterable(key))
    random.Random(f"{seed} {mentions}").shuffle(mentions)
    rest = iter(mentions)
    return [list(islice(rest, size)) for size in sorted(map(len, key), reverse=True)]


BASELINES: dict[str, Callable] = {"no_resolution": no_resolution, "one_class": one_class, "random": random_classes}


# ---- The steps, which compute and compare share ----


def prepare(predictions: list, references: list, options: ScoringOptions, names: list | None = None) -> list[tuple]:
    """Pairs of key and response as they are to be scored, clusters by first mention; as for `Scorer.score`."""
    if not references:
        raise input_error("", "no documents", "at least one document")
    pairs = list(zip(references, predictions, strict=True))
    if options.subset is not None:
        pairs = restrict(pairs, options.subset)
    if options.mentions == "strict":
        for i, pair in enumerate(pairs):
            check_same_mentions(*pair, f"document {short_repr(names[i]) if names and names[i] else i}")
    return [tuple(_scored_clusters(side, options) for side in pair) for pair in pairs]


def count(
    documents: list[tuple], options: ScoringOptions, keep: Callable | None = None, copies: list | None = None
) -> dict[str, np.ndarray]:
    """The counts of each document, from `prepare`: {measure: array of shape (documents, n)}.

    keep(key, response, measured) is given what `measures.measure_document` finds in each; copies as in `Scorer.score`.
    """
    bases = base_measures(options.measure_names)
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
    for document, table, own in zip(documents, blocks.each(), copies, strict=True):
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
    own = {name: values for name, values in counts.items() if name in MEASURES}
    return Corpus(own, options.measure_names, options.average, options.zero_division)


def _scored_clusters(clusters, options) -> list:
    return by_first_mention(clusters if options.keep_singletons else larger_clusters(clusters))


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
    for name, value in (("predictions", predictions), ("references", references)):
        if not isinstance(value, Mapping):
            raise input_error(name, type(value).__name__, "a dict from type to documents")
    if set(predictions) != set(references):
        found = f"the link types {list(predictions)} in predictions and {list(references)} in references"
        raise input_error("", found, "the same types on both sides")
    scorer = Scorer(options)
    result: dict = {}
    for link_type, keys in references.items():
        with prefix_errors(f"link type {short_repr(link_type)}"):
            scores = scorer.score(*check_documents(predictions[link_type], keys))
        result |= {f"{link_type}_{name}": value for name, value in scores.items()}
    return result

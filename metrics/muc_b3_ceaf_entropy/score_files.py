"""From two files to scores: the options, presets, and the measures that only files have."""

from collections.abc import Iterable
from dataclasses import dataclass
from math import isnan

import numpy as np

from .common import (
    a_boolean,
    argument,
    expecting,
    full_signature,
    input_error,
    is_integer,
    keyword_options,
    one_of,
    option,
    prefix_errors,
    short_repr,
)
from .common_comparison import CONFIDENCE, EXCHANGES, differences
from .documents import Pair, named_copies, partition_across, partitions
from .match_carried import WORDS
from .match_documents import DOCUMENTS
from .match_mentions import MATCHES, ZEROS
from .match_repeats import DUPLICATES
from .measure_files import FILE_MEASURES
from .measures import Corpus
from .read_formats import AUTO, FORMATS, is_source
from .read_pairs import read_pairs
from .read_rows import DATASET, is_dataset
from .scoring import Options, Scorer

PRESETS = {"crac": {"match": "head", "zeros": "dependent", "keep_singletons": False}}
WITH_HEADS = ("corefud",)  # formats of which the measures of `measure_files` are given
a_column = expecting("a number from 1, or None", lambda value: value is None or is_integer(value, 1))
a_field = expecting("a name", lambda value: value is None or isinstance(value, str) and bool(value))


@dataclass(frozen=True, kw_only=True)
class FileOptions(Options):
    """Options of `score_files`: those of `compute`, and how files are read and mentions matched."""

    format: str = option(AUTO, one_of((AUTO, *FORMATS)), affects_score=False)
    field: str | None = option(None, a_field, affects_score=False)
    key_field: str | None = option(None, a_field, affects_score=False)
    match: str = option("exact", one_of(MATCHES))
    zeros: str = option("linear", one_of(ZEROS))
    cross_document: bool = option(False, a_boolean, affects_score=False)
    duplicates: str = option("error", one_of(DUPLICATES))
    words: str = option("exact", one_of(WORDS))
    documents: str = option("name", one_of(DOCUMENTS), affects_score=False)
    word_column: int | None = option(None, a_column, affects_score=False)
    allow_empty: bool = option(True, a_boolean, affects_score=False)
    preset: str | None = option(None, one_of((None, *PRESETS)), affects_score=False)

    def signature(self) -> str:
        """As `CheckedOptions.signature`; it says so where documents are taken as one."""
        return super().signature() + ("|cross_document:True" if self.cross_document else "")

    @classmethod
    def of(cls, given: dict, caller: str):
        """As `CheckedOptions.of`; ValueError for what is given beside a preset that says otherwise."""
        options = super().of(given, caller)
        for name, value in PRESETS.get(options.preset, {}).items():
            if given.get(name, value) != value:
                found = f"{short_repr(given[name])} beside the preset {short_repr(options.preset)}"
                raise input_error(argument(name), found, f"{short_repr(value)}, or no preset")
        return options

    def check_together(self):
        super().check_together()
        for name, value in PRESETS.get(self.preset, {}).items():
            object.__setattr__(self, name, value)


# ---- What the metric offers ----


@keyword_options
def score_files(key: str, response: str, options: FileOptions) -> dict:
    """Scores of a file of responses against a file of keys.

    Args:
        key: path of the key, a file or a folder; or a `datasets.Dataset` of OntoNotes 5 or coref-data, or a list of its
            rows; or a list of these, one for each data set.
        response: the same of the response, or as long a list.
        format: "conll" (CoNLL-2012), "corefud" (CoNLL-U, stanza's too), "ua" (Universal Anaphora), "json" (JSON lines
            and the like; spaCy's and CoreNLP's), "booknlp", "litbank" (TSV), "brat", "webanno" (TSV 3), "corenlp"
            (XML), "spacy" (DocBin), "parquet" (rows of OntoNotes 5 or coref-data), "brackets" (text with
            [She]\x231), or "auto": by what each file has in it.
        field: where the response's clusters are: a field of JSON, the type of brat's relations, WebAnno's layer; None
            for the usual ones.
        key_field: the same of the key.
        match: "exact": mentions are the same if their words are; "partial": the response's lies within the key's and
            covers its head; "head": their heads are the same. "partial" needs a key with heads (CorefUD) or Min spans
            (UA), "head" heads on both sides.
        zeros: "linear": empty nodes are the same if they have the same number (N.k) in the sentence; "dependent":
            mentions with an empty node as head are first matched by the node's dependencies.
        keep_singletons: False removes each side's singletons, before mentions are matched.
        duplicates: a mention in two entities is an error ("error"), counts where it is first ("first"), or as the
            official CoNLL scorer has it ("conll"; the default where the key has it in two, with a warning, and
            with duplicates:conll_in_key in the signature); one that is twice in the same entity counts once (with
            "conll", the key's as there: CEAF can be above 1).
        words: "exact": words that differ are an error; "aligned": they are aligned, and the response's mentions carried
            over to the key's words.
        documents: "name": the documents of both files go by their names; "order": as they come.
        word_column: which column of CoNLL-2012 files has the words, from 1; None: it is found.
        cross_document: True takes entities of the same name in several documents as one, and all documents as one
            (without mor and zero, intervals and tests).
        allow_empty: False makes a response with words and no mention an error, where the key has some.
        preset: "crac", the setting of the CRAC shared tasks since 2024: match="head", zeros="dependent",
            keep_singletons=False; beside it these may not be given otherwise.
        measures and the other options: as for `compute`.

    Returns:
        The result of `compute`, and for CorefUD files (if `measures` and `subset` are None) recall, precision and f1
        of mor (Mention Overlap Ratio) and zero (anaphor-decomposable score of zeros; both Žabokrtský et al. 2022). For
        lists the mean of each over the data sets where it is defined, and under "files" a dict for each data set: its
        paths, all its scores and their intervals.

    Raises:
        ValueError: a file that cannot be read, documents or words that differ, a repeated mention (with file, line and
            document); a file without the heads that the matching needs.
    """
    if is_source(key) and is_source(response):
        return score_pairs(read_pairs(key, response, options), options)
    if not isinstance(key, (list, tuple)) or not isinstance(response, (list, tuple)) or len(key) != len(response):
        found = f"the key {short_repr(key)} and the response {short_repr(response)}"
        raise input_error("", found, "two paths or data sets, or two lists of as many")
    if not key:
        raise input_error("", "no files", "at least one file on each side")
    results = []
    for own_key, own_response in zip(key, response, strict=True):
        sides = {"key": own_key, "response": own_response}
        names = {name: DATASET if is_dataset(side) else str(side) for name, side in sides.items()}
        with prefix_errors(" and ".join(names.values())):
            scores = score_pairs(read_pairs(own_key, own_response, options), options)
        results.append(names | scores)
    return _means(results) | {"files": results}


@keyword_options
def read_pair(key: str, response: str, options: FileOptions) -> dict:
    """{"predictions", "references"} as `compute`, `compare` and the others take them, from two files.

    A matched mention of the response has the name of the key's: places in the text, such as "3-5", "3-4,8-8" or "7.1"
    (an empty node). Arguments, options and errors as for `score_files`, one file each.
    """
    return examples_of(read_pairs(key, response, options), options)


def _means(results):
    """The mean of every score, without the ends of intervals, which are not to be averaged."""
    ends = ("_low", "_high")
    names = [
        name
        for name, value in results[0].items()
        if isinstance(value, float) and not (name.endswith(ends) and f"{name.rpartition('_')[0]}_low" in results[0])
    ]
    return {name: mean_of_defined(scores[name] for scores in results if name in scores) for name in names}


def mean_of_defined(values: Iterable[float]) -> float:
    """The mean of the values that are not NaN; NaN if there are none."""
    defined = [value for value in values if not isnan(value)]
    return sum(defined) / len(defined) if defined else float("nan")


# ---- Scores ----


def score_pairs(pairs: list[Pair], options: FileOptions) -> dict:
    """The scores of pairs of documents, as `score_files` gives them for two files."""
    names = ["all documents"] if options.cross_document else [pair.name for pair in pairs]
    all_measures = options.measures == Options().measures and options.subset is None and not options.cross_document
    counts = file_counts(pairs) if all_measures and has_file_measures(pairs) else {}
    scorer = Scorer(options)
    result = scorer.score(**_scored_examples(pairs, options), names=names, counts=counts)
    if options.details:
        result["signature"] = full_signature("muc_b3_ceaf_entropy", scorer)
        if any(pair.copies for pair in pairs):  # no error, but the CoNLL scorer's rule
            result["signature"] = result["signature"].replace("duplicates:error", "duplicates:conll_in_key")
    return result


def file_counts(pairs: list[Pair]) -> dict[str, np.ndarray]:
    """The counts of each document for MOR and the score of zeros."""
    return {name: np.array([measure.count(each) for each in pairs], float) for name, measure in FILE_MEASURES.items()}


def compare_pairs(pairs: list[Pair], others: list[Pair], options: FileOptions) -> dict:
    """What `compare` says of two responses to the same key, document by document too, with their names."""
    a, b = (sample_of(each, options) for each in (pairs, others))
    compared = a.compare(b, options.confidence or CONFIDENCE, EXCHANGES, options.seed)
    return compared | {"documents": differing_documents(pairs, a, b)}


def sample_of(pairs: list[Pair], options: FileOptions) -> Corpus:
    """The documents, as their counts add up."""
    return Scorer(options).sample(**_scored_examples(pairs, options))


def differing_documents(pairs: list[Pair], a: Corpus, b: Corpus) -> list[dict]:
    """Number, name, scores and differences of each document."""
    each = enumerate(zip(pairs, a.each(), b.each(), strict=True))
    return [{"document": i} | differences(x, y) | {"name": pair.name} for i, (pair, x, y) in each]


def examples_of(pairs: list[Pair], options: FileOptions) -> dict:
    """{"predictions", "references"} for `compute`: each document by itself, or all as one."""
    return partition_across(pairs) if options.cross_document else partitions(pairs)


def _scored_examples(pairs, options):
    """The same, and the mentions that keys repeat; the CoNLL scorer's rule is for documents, not for all as one."""
    return examples_of(pairs, options) | {"copies": None if options.cross_document else named_copies(pairs)}


def has_file_measures(pairs: list[Pair]) -> bool:
    """Whether the measures of `measure_files` are given for these."""
    return any(pair.format in WITH_HEADS for pair in pairs)

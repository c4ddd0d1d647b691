"""From two files to scores: options, formats, what is done with singletons and repeated mentions, presets."""

from collections import Counter
from dataclasses import dataclass, fields, replace
from math import isnan
from os import PathLike

import numpy as np

from .match_words import align, pair_documents
from .common import VERSION, keyword_options, one_of, option, prefix_errors, short_repr, warn
from .read_conll import BEGIN, conll_documents
from .read_corefud import corefud_documents
from .read_json import KEY_CLUSTERS, RESPONSE_CLUSTERS, json_documents
from .read_text import HASH, numbered_lines
from .match_mentions import MATCHES, ZEROS, counted_twice, identity, match_mentions
from .measures import recall_precision_f1
from .documents import Document, Pair, clusters_of, mention_name, partitions
from .measure_files import FILE_MEASURES
from .measure_confidence import bootstrap_interval
from .scoring import Options, Scorer, ScoringOptions, compare
from .read_ua import ua_documents

READERS = {"conll": conll_documents, "corefud": corefud_documents, "ua": ua_documents, "json": json_documents}
FORMATS = ("auto", *READERS)
PRESETS = {"crac": {"match": "head", "zeros": "dependent", "keep_singletons": False}}
WITH_HEADS = ("corefud",)  # formats of which the measures of this module are given
MANY_COLUMNS = 11  # of the UA format; CoNLL-U has ten


@dataclass(frozen=True, kw_only=True)
class FileOptions(Options):
    """Options of `score_files`: those of `compute`, and how files are read and mentions matched."""

    format: str = option("auto", one_of(FORMATS), affects_score=False)
    match: str = option("exact", one_of(MATCHES))
    zeros: str = option("linear", one_of(ZEROS))
    duplicates: str = option("error", one_of(("error", "first")))
    preset: str | None = option(None, one_of((None, *PRESETS)), affects_score=False)

    @classmethod
    def of(cls, given: dict, caller: str):
        """As `CheckedOptions.of`; ValueError for what is given beside a preset that says otherwise."""
        options = super().of(given, caller)
        for name, value in PRESETS.get(options.preset, {}).items():
            if given.get(name, value) != value:
                raise ValueError(
                    f"{name}: found {short_repr(given[name])} beside the preset {short_repr(options.preset)}, expected "
                    f"{short_repr(value)}, or no preset"
                )
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
        key: path of the key, or a list of paths, one for each data set.
        response: path of the response, or as long a list.
        format: "conll" (CoNLL-2012), "corefud" (CoNLL-U), "ua" (Universal Anaphora), "json" (JSON lines and the
            like), or "auto": by what each file has in it.
        match: "exact": mentions are the same if their words are; "partial": the response's lies within the key's and
            covers its head; "head": their heads are the same. "partial" needs a key with heads (CorefUD) or Min spans
            (UA), "head" heads on both sides.
        zeros: "linear": empty nodes are the same if they have the same number (N.k) in the sentence; "dependent":
            mentions with an empty node as head are first matched by the node's dependencies.
        keep_singletons: False removes each side's singletons, before mentions are matched.
        duplicates: a mention in two entities is an error ("error"), or counts where it is first ("first"); one that is
            twice in the same entity counts once.
        preset: "crac", the official setting of the CRAC shared tasks since 2024: match="head", zeros="dependent",
            keep_singletons=False; beside it these may not be given otherwise.
        measures and the other options: as for `compute`.

    Returns:
        The result of `compute`, and for CorefUD files (if `measures` and `subset` are None) mor_recall, mor_precision,
        mor_f1 (Mention Overlap Ratio) and zero_recall, zero_precision, zero_f1 (anaphor-decomposable score of zeros;
        both Žabokrtský et al. 2022). For lists the mean of each over the data sets where it is defined (`confidence`
        gives each data set's intervals, none of the mean), and under "files" a dict for each data set: its paths and
        all its scores.

    Raises:
        ValueError: a file that cannot be read, documents or words that differ, a repeated mention (with file, line and
            document); a file without the heads that the matching needs.
    """
    if isinstance(key, (str, PathLike)) and isinstance(response, (str, PathLike)):
        return score_pairs(read_pairs(key, response, options), options)
    found = []
    for paths in _paths(key, response):
        with prefix_errors(f"{paths[0]} and {paths[1]}"):
            scores = score_pairs(read_pairs(*paths, options), options)
        found.append({"key": str(paths[0]), "response": str(paths[1]), **scores})
    return _means(found) | {"files": found}


@keyword_options
def read_pair(key: str, response: str, options: FileOptions) -> dict:
    """{"predictions", "references"} as `compute`, `compare` and the others take them, from two files.

    A matched mention of the response has the name of the key's: places in the text, such as "3-5", "3-4,8-8" or "7.1"
    (an empty node). Arguments, options and errors as for `score_files`, one file each.
    """
    return partitions(read_pairs(key, response, options))


def _paths(key, response):
    if not isinstance(key, (list, tuple)) or not isinstance(response, (list, tuple)) or len(key) != len(response):
        raise ValueError(
            f"found the key {short_repr(key)} and the response {short_repr(response)}, expected two paths, or two lists of as "
            "many paths"
        )
    if not key:
        raise ValueError("found no files, expected at least one of each side")
    return list(zip(key, response))


def _means(found):
    """The mean of every score, without the ends of intervals, which are not to be averaged."""
    ends = ("_low", "_high")
    names = [
        name
        for name, value in found[0].items()
        if isinstance(value, float) and not (name.endswith(ends) and f"{name.rpartition('_')[0]}_low" in found[0])
    ]
    means = {}
    for name in names:
        defined = [scores[name] for scores in found if name in scores and not isnan(scores[name])]
        means[name] = sum(defined) / len(defined) if defined else float("nan")
    return means


# ---- Reading ----


def read_documents(path: str, file_format: str = "auto", clusters: tuple = KEY_CLUSTERS) -> list[Document]:
    """The documents of a file; `clusters` are the fields that may have them in JSON.

    Raises:
        ValueError: what the format's reader refuses, or no format that is known.
    """
    name = find_format(path) if file_format == "auto" else file_format
    documents = list(json_documents(path, clusters) if name == "json" else READERS[name](path))
    for document in documents:
        document.format = name
    return documents


def find_format(path: str) -> str:
    """The name of a file's format, by its first lines.

    Raises:
        ValueError: it looks like none of them.
    """
    for number, line in numbered_lines(path):
        text = line.strip()
        if text[:1] in ("{", "["):
            return "json"
        if BEGIN.match(text):
            return "conll"
        if text.startswith(HASH):
            if "global.columns" in text and "IDENTITY" in text:
                return "ua"
        elif text:
            return _format_of_token(line, f"{path}:{number}")
    raise ValueError(f"{path}: found no document, expected a file of the format {', '.join(READERS)}")


def _format_of_token(line, where):
    if line.count("\t") == 9:
        return "corefud"
    if len(line.split()) >= MANY_COLUMNS:
        return "ua"
    raise ValueError(
        f"{where}: found {short_repr(line.strip(), 60)}, expected one of the formats {', '.join(READERS)}; say format="
    )


def read_pairs(key: str, response: str, options: FileOptions) -> list[Pair]:
    """Key and response of every document, aligned and matched; one warning for what is left out.

    Raises:
        ValueError: as `score_files`.
    """
    keys = read_documents(key, options.format)
    responses = read_documents(response, options.format, RESPONSE_CLUSTERS)
    headless = heads_wanted(keys, responses, options.match)
    if headless:
        raise ValueError(
            f"match: found {short_repr(options.match)}, but mentions without heads in {headless.where}, expected heads, as "
            'CorefUD has them (of a key in the UA format, Min will do for "partial"), or match="exact"'
        )
    pairs, dropped = pairs_of(keys, responses, options)
    _announce(pairs, dropped)
    _announce_headless(keys, responses, options.match)
    if options.zeros == "dependent":
        _announce_twice(sum(counted_twice(pair, options.match) for pair in pairs))
    return pairs


def heads_wanted(keys: list[Document], responses: list[Document], match: str) -> Document | None:
    """A document that lacks the heads without which the matching would be another one; None if there is none."""
    for documents in {"exact": (), "partial": (keys,), "head": (keys, responses)}[match]:
        bare = [document for document in documents if not all(mention.head for mention in document.mentions)]
        # For "partial", a markable without Min is matched by its words, as long as there are others.
        if bare and (match == "head" or not any(mention.head for each in documents for mention in each.mentions)):
            return bare[0]
    return None


def pairs_of(keys: list[Document], responses: list[Document], options: FileOptions) -> tuple[list[Pair], Counter]:
    """Documents of both sides aligned and matched, and how many mentions of which kind were dropped as repeated.

    The documents stay as they are.
    """
    pairs, dropped = [], Counter()
    for given in pair_documents(keys, responses):
        documents = [replace(document) for document in given]
        for document in documents:
            dropped += _clean(document, options)
        pair = align(*documents)
        pair.matches = match_mentions(pair, options.match, options.zeros)
        pairs.append(pair)
    return pairs, dropped


def _clean(document, options) -> Counter:
    """Remove repeated mentions and singletons, as the options say; how many repeated ones of each kind."""
    dropped = Counter()
    if len({identity(mention, options.match) for mention in document.mentions}) < len(document.mentions):
        dropped = _drop_repeated(document, options)
    if not options.keep_singletons:
        clusters = clusters_of(document.mentions)
        kept = sorted(number for cluster in clusters if len(cluster) > 1 for number in cluster)
        document.mentions = [document.mentions[number] for number in kept]
    return dropped


def _drop_repeated(document, options):
    first, dropped = {}, Counter()
    for mention in document.mentions:
        earlier = first.setdefault(identity(mention, options.match), mention)
        if earlier is not mention:
            if earlier.entity != mention.entity and options.duplicates == "error":
                raise _repeated(document, earlier, mention)
            dropped["in the same entity" if earlier.entity == mention.entity else "in another entity"] += 1
    document.mentions = list(first.values())
    return dropped


def _repeated(document, earlier, mention):
    where = f"{document.file}:{mention.line}: document {short_repr(document.name)}" if mention.line else document.where
    words = " ".join(document.words[place] for place in mention.places) if document.words else mention.name
    text = f" {short_repr(words, 60)}" if words.strip() else f" {mention_name(mention, None)}"
    line = f" (line {earlier.line})" if earlier.line and earlier.line != mention.line else ""
    return ValueError(
        f"{where}: found the mention{text} in entity {short_repr(mention.entity)} and in {short_repr(earlier.entity)}{line}, "
        'expected it in one, or duplicates="first"'
    )


def _announce(pairs, dropped):
    """One warning each for repeated mentions and for annotation that is not scored."""
    for kind, times in dropped.items():
        warn(f"left out {times} mentions that are a second time {kind}")
    left_out = sum((pair.left_out for pair in pairs), Counter())
    if left_out:
        kinds = ", ".join(f"{times} {kind}" for kind, times in left_out.items())
        warn(f"coreference alone is scored, as by corefud-scorer; not scored, both sides together: {kinds}")


def _announce_headless(keys, responses, match):
    """A warning for CorefUD's mentions whose head has to be guessed."""
    times = sum(document.headless for document in (*keys, *responses))
    if match != "exact" and times:
        warn(f"{times} mentions of several words name no head; their first word is taken, as by corefud-scorer")


def _announce_twice(times):
    if times:
        warn(
            f"{times} mentions have the words of another that is not their match, because zeros are matched by "
            "dependencies; here each counts once, corefud-scorer 1.2 counts some of them twice"
        )


# ---- Scores ----


def score_pairs(pairs: list[Pair], options: FileOptions) -> dict:
    """The scores of pairs of documents, as `score_files` gives them for two files."""
    examples = partitions(pairs)
    result = Scorer(options).score(**examples, names=[pair.name for pair in pairs])
    details = {name: result.pop(name) for name in ("documents", "totals") if name in result}
    all_measures = options.measures == Options().measures and options.subset is None
    if all_measures and any(pair.format in WITH_HEADS for pair in pairs):
        result |= _file_measures(pairs, options)
    if options.details:
        details["signature"] = f"muc_b3_ceaf_entropy|version:{VERSION}|{options.signature()}"
    return result | details


def compare_pairs(pairs: list[Pair], others: list[Pair], options: FileOptions) -> dict:
    """What `compare` says of two responses to the same key."""
    first, second = partitions(pairs), partitions(others)
    counted = {each.name: getattr(options, each.name) for each in fields(ScoringOptions)}
    return compare(first["predictions"], second["predictions"], first["references"], **counted, seed=options.seed)


def _file_measures(pairs, options) -> dict:
    """MOR and the score of zeros, averaged and with intervals as the others."""
    result = {}
    for name, count in FILE_MEASURES.items():
        counts = np.array([count(pair) for pair in pairs], dtype=float)
        summands, values = counts, _micro(options)
        if options.average == "macro":
            scores = values(counts)
            summands, values = np.concatenate([np.nan_to_num(scores), ~np.isnan(scores)], axis=1), _macro
        keys = [f"{name}_recall", f"{name}_precision", f"{name}_f1"]
        result |= zip(keys, values(summands.sum(axis=0)).tolist())
        if options.confidence is not None:
            ends = bootstrap_interval(summands, values, options.confidence, options.n_resamples, options.seed)
            for score, low, high in zip(keys, *(end.tolist() for end in ends)):
                result |= {f"{score}_low": low, f"{score}_high": high}
    return result


def _micro(options):
    return lambda counts: np.stack(list(recall_precision_f1(counts, options.zero_division).values()), axis=-1)


def _macro(sums):
    with np.errstate(invalid="ignore"):
        return sums[..., :3] / sums[..., 3:]

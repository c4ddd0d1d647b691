"""Agreement of several annotators: every two of them, by the values that do not say whose text is the key."""

from collections.abc import Mapping
from dataclasses import replace
from itertools import combinations

from .common import argument, input_error, keyword_options, prefix_errors, short_repr
from .score_files import FileOptions, mean_of_defined, score_pairs
from .scoring import Options
from .show_report import open_pairs

# The measures with a value that stays the same when key and response change places; the others name a core of the
# key's (exclusive_core), leave out what the key lacks (blanc), or have a sign (d_error).
SYMMETRIC = ("muc", "b3", "ceafm", "ceafe", "lea", "mention", "conll_f1", "core", "entropy", "kappa", "size_overlap")
ONE_SIDED = ("_recall", "_precision")


@keyword_options
def agreement(annotations: Mapping, options: FileOptions) -> dict:
    """How well several annotators agree on the same documents: all pairs of them, and the mean of these.

    Args:
        annotations: {name of the annotator: path of a file or folder, or documents as `compute` takes them}.
        measures: some of muc, b3, ceafm, ceafe, lea, mention, conll_f1, core, entropy, kappa (Passonneau's, section
            4.2 of the paper: links in common beyond chance), size_overlap. Default: all of these, the values of which
            do not depend on who is taken as the key.
        match: "exact" or "head".
        format and the other options: as for `score_files`; details and baselines are not used.

    Returns:
        pairs: a dict for each pair: "a", "b", and their values (F1, or the value itself), with ends of intervals if
            there is a confidence.
        mean: of each value over the pairs where it is defined.

    Raises:
        ValueError: fewer than two annotators, a measure that depends on who is the key, input as `score_files` or
            `compute` refuses it, with both names.
    """
    if not isinstance(annotations, Mapping) or len(annotations) < 2:
        raise input_error(argument("annotations"), short_repr(annotations), "a dict of at least two annotators")
    if options.match == "partial":
        raise input_error(argument("match"), "'partial'", "exact or head, which treat both sides alike")
    measures = SYMMETRIC if options.measures == Options().measures else options.measure_names
    for name in measures:
        if name not in SYMMETRIC:
            found = f"{name!r}, which depends on who is the key"
            raise input_error(argument("measures"), found, f"some of {', '.join(SYMMETRIC)}")
    options = replace(options, measures=list(measures), details=False, baselines=False)
    pairs = []
    for a, b in combinations(annotations, 2):
        with prefix_errors(f"{a} and {b}"):
            scores = score_pairs(open_pairs(annotations[a], annotations[b], options), options)
        shared = (key for key in scores if not key.removesuffix("_low").removesuffix("_high").endswith(ONE_SIDED))
        pairs.append({"a": a, "b": b} | {key: scores[key] for key in shared})
    means = {key: mean_of_defined(pair[key] for pair in pairs) for key in pairs[0] if key not in ("a", "b")}
    return {"pairs": pairs, "mean": means}

"""The page that shows what a response got wrong: read, scored, marked, drawn and written."""

import os
from collections.abc import Iterable
from dataclasses import replace
from html import escape
from os import PathLike

from .check_input import check_documents
from .common import argument, input_error, keyword_options, progress, short_repr
from .common_page import opened, page, table
from .common_write import write_file
from .documents import Pair, larger_clusters
from .read_formats import is_source
from .read_pairs import read_pairs
from .read_text import HASH
from .score_files import FileOptions, compare_pairs, score_pairs
from .show_marks import pair_of, view_of
from .show_page import KINDS, STYLE, comparison_tables, document, legend, number, score_rows, totals_table

CONFIDENCE = 0.95  # of the intervals on the page, if no other is asked for
HEADS = {
    "name": "measure", "f1": "F1 or value %", "interval": "interval", "recall": "recall %", "precision": "precision %",
}  # fmt: skip


@keyword_options
def report(key, response, path: str, other=None, *, options: FileOptions) -> dict:
    """Write one HTML page, which needs nothing beside it, that shows where a response differs from the key.

    It has the text with the mentions of both sides, their classes in colours and numbers, and errors in words; all
    measures, with intervals where there are two documents or more; corpus totals; of another response its difference
    and the documents in which the two differ most.

    Args:
        key: path of the key's file, or documents as `compute` takes them (without running text, then).
        response: the same for the response.
        path: of the page, which is written anew; not that of a file that is read.
        other: another response, which is compared with the first (see `compare`).
        format, match, zeros, keep_singletons, duplicates, preset and the other options: as for `score_files`.

    Returns:
        The scores on the page, with details, and under "comparison" what `compare` gives.

    Raises:
        ValueError: input as `score_files` or `compute` refuses it; a page that cannot be written.
    """
    files = [side for side in (key, response, other) if is_path(side)]
    there = [file for file in files if os.path.exists(file)]
    if is_path(path) and os.path.exists(path) and any(os.path.samefile(path, file) for file in there):
        raise input_error(argument("path"), f"{short_repr(path)}, which is one of the files to read", "another file")
    check_apart(options)
    pairs = open_pairs(key, response, options)
    others = None if other is None else open_pairs(key, other, options)
    result, text = report_pairs(pairs, others, files, options)
    try:
        write_file(path, text)
    except (OSError, TypeError, ValueError) as error:
        expected = f"a file that can be written: {error}"
        raise input_error(argument("path"), short_repr(path), expected) from error
    return result


def report_pairs(pairs: list[Pair], others: list[Pair] | None, files: Iterable, options) -> tuple[dict, str]:
    """The scores as of `report`, and the page, of pairs that are read already; `files`: what the heading names."""
    confidence = options.confidence or (CONFIDENCE if len(pairs) > 1 else None)
    result = score_pairs(pairs, replace(options, details=True, confidence=confidence, baselines=False))
    if others is not None:
        result["comparison"] = compare_pairs(pairs, others, options)
    return result, html_of(pairs, result, " and ".join(names_of(files)))


def html_of(pairs: list[Pair], result: dict, sides: str = "") -> str:
    """The page of some documents, from their result with details; `sides`: what the heading names. The demo's, too."""
    views = [view_of(pair) for pair in progress(pairs, desc="Marking mentions", unit="document", delay=2)]
    is_open = opened(len(view.words or view.key) for view in views)
    parts = [summary(result, views), legend()]
    for i, (view, each) in enumerate(zip(views, result["documents"], strict=True)):
        parts.append(document(view, each["scores"], each["totals"], i, is_open[i]))
    return page(f"Coreference: {sides}" if sides else "Coreference", *parts, style=STYLE)


def check_apart(options: FileOptions) -> None:
    """Refuse documents taken together."""
    if options.cross_document:
        raise input_error(argument("cross_document"), "a page", "scores alone; a page shows documents one by one")


def open_pairs(key, response, options: FileOptions) -> list[Pair]:
    """Key and response from files, or from documents."""
    if is_source(key) != is_source(response):
        raise input_error("", f"{short_repr(key)} and {short_repr(response)}", "two files, or two lists of documents")
    if is_source(key):
        return read_pairs(key, response, options)
    responses, keys = check_documents(response, key)
    if not options.keep_singletons:
        responses, keys = ([larger_clusters(document) for document in side] for side in (responses, keys))
    return [pair_of(*pair) for pair in zip(keys, responses, strict=True)]


def is_path(value) -> bool:
    """Whether a side is given as a file."""
    return isinstance(value, (str, PathLike))


def names_of(paths: Iterable) -> list[str]:
    """What to call files: their names, or all of their paths where names are the same."""
    paths = list(map(os.fspath, paths))
    names = [os.path.basename(os.path.normpath(path)) for path in paths]
    return names if len(set(names)) == len(names) else paths


def summary(result: dict, views: list) -> str:
    """What stands above the documents: the score, all measures, the corpus in numbers, and a list of the documents."""
    large = f'<p class="large">CoNLL F1 {number(result["conll_f1"])}</p>' if "conll_f1" in result else ""
    rows = [_row(i, view, each) for i, (view, each) in enumerate(zip(views, result["documents"], strict=True))]
    columns = ["document", "CoNLL F1", "key mentions", *KINDS]
    listed = table(columns, rows, "Documents") if len(rows) > 1 else ""
    signature = f"<p><small>{escape(result['signature'])}</small></p>" if "signature" in result else ""
    heads, *measures = score_rows(result, HEADS)
    numbers = table(heads, measures, "Measures")
    compared = comparison_tables(result["comparison"]) if "comparison" in result else ""
    return f"{large}{signature}{numbers}{compared}{totals_table(result['totals'])}{listed}"


def _row(i, view, each):
    totals = each["totals"]
    kinds = (str(totals[kind]) for kind in ("key_mentions", *KINDS))
    score = number(each["scores"]["conll_f1"]) if "conll_f1" in each["scores"] else ""
    name = escape(view.name or f"document {i + 1}")
    return (f'<a href="{HASH}d{i}">{name}</a>', score, *kinds)

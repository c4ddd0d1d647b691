"""What stands behind the scores of one document: which classes were aligned, what went wrong, and what it cost."""

from itertools import chain
from typing import NamedTuple

from .contingency import contingency
from .measures import ALIGNMENTS, MEASURES, aligned_cells, tables

NEGLIGIBLE = 1e-9  # rounding, not a loss


class Side(NamedTuple):
    """What it is called when, seen from one side, a class is divided, is joined with others, has mentions that are
    absent from the other side, or meets mentions that are absent from its own."""

    divided: str
    joined: str
    absent: str
    extra: str


KEY_SIDE = Side("split", "merged", "missing", "spurious")
RESPONSE_SIDE = Side("merged", "split", "spurious", "missing")


def diagnose(key: list, response: list, bases, policy: str) -> dict:
    """Alignments and errors of one document.

    Args:
        key: clusters of mention ids (strings).
        response: likewise.
        bases: names of the measures to explain; those that are not sums over classes are left out.
        policy: as in `measures.tables`.

    Returns:
        matches: for CEAF-m and CEAF-e, the aligned classes as {"key", "response", "common", "similarity"}.
        key_errors: every key class that loses recall in some measure, as {"mentions", "errors", "parts", "missing",
            "lost"}: parts are its mentions by response class; lost says how much of the measure's recall
            denominator it costs. Over all classes lost adds up to denominator - numerator.
        response_errors: every response class that loses precision, with "spurious" in place of "missing".
        missing, spurious: the mentions that only the key, only the response has.

        Errors are named from the text's point of view: "split" (one key class in several response classes), "merged"
        (several key classes in one response class), "missing" and "spurious" (mentions only one side has).
    """
    by_measure = tables(contingency(key, response), bases, policy)
    missing, spurious = _twinless(key, response), _twinless(response, key)
    # The classes as the completed table numbers them.
    key_classes = key + [[m] for m in chain.from_iterable(spurious)]
    response_classes = response + [[m] for m in chain.from_iterable(missing)]
    terms = {name: MEASURES[name].terms(by_measure[name]) for name in bases if MEASURES[name].terms}
    key_lost = {name: t.key_possible - t.key_found for name, t in terms.items()}
    response_lost = {name: t.response_possible - t.response_found for name, t in terms.items()}
    return {
        "matches": {
            name: _matches(by_measure[name], similarity, key_classes, response_classes)
            for name, similarity in ALIGNMENTS.items()
            if name in bases
        },
        "key_errors": _class_errors(key_classes, key, response, key_lost, KEY_SIDE),
        "response_errors": _class_errors(response_classes, response, key, response_lost, RESPONSE_SIDE),
        "missing": list(chain.from_iterable(missing)),
        "spurious": list(chain.from_iterable(spurious)),
    }


def _twinless(clusters, others):
    """For each cluster its mentions that are in none of the others."""
    known = set(chain.from_iterable(others))
    return [[mention for mention in cluster if mention not in known] for cluster in clusters]


def _matches(table, similarity, key_classes, response_classes):
    values = similarity(table)
    return [
        {
            "key": key_classes[table.rows[cell]],
            "response": response_classes[table.columns[cell]],
            "common": int(table.counts[cell]),
            "similarity": float(values[cell]),
        }
        for cell in aligned_cells(table, similarity)
    ]


def _class_errors(classes, own, other, lost, side):
    """Entries of the classes that lose something, for either side, whose names for the errors are given."""
    other_class = {mention: j for j, cluster in enumerate(other) for mention in cluster}
    own_class = {mention: i for i, cluster in enumerate(own) for mention in cluster}
    joins_several = [len({own_class[m] for m in cluster if m in own_class}) > 1 for cluster in other]
    has_extra = [any(m not in own_class for m in cluster) for cluster in other]
    entries = []
    for i, cluster in enumerate(classes):
        costs = {name: float(values[i]) for name, values in lost.items() if i < len(values) and values[i] > NEGLIGIBLE}
        if not costs:
            continue
        parts = {}
        for mention in cluster:
            parts.setdefault(other_class.get(mention), []).append(mention)
        twinless = parts.pop(None, [])
        found = {
            side.divided: len(parts) > 1,
            side.joined: any(joins_several[j] for j in parts),
            side.absent: bool(twinless),
            side.extra: any(has_extra[j] for j in parts),
        }
        entries.append(
            {
                "mentions": cluster,
                "errors": [error for error in KEY_SIDE if found[error]],
                "parts": list(parts.values()),
                side.absent: twinless,
                "lost": costs,
            }
        )
    return entries

"""What a document's scores come from: which classes were aligned, what went wrong, what it cost."""

from collections.abc import Iterable
from itertools import chain
from typing import NamedTuple

from .documents import grouped
from .match_boundaries import boundary_pairs
from .measures import ALIGNMENTS

NEGLIGIBLE = 1e-9  # rounding, not a loss


class Side(NamedTuple):
    """What errors are called as one side sees them."""

    divided: str  # a class is in several of the other side
    joined: str  # it is there with others
    absent: str  # it has mentions that the other side lacks
    extra: str  # it is there with mentions that its own side lacks


KEY_SIDE = Side("split", "merged", "missing", "spurious")
RESPONSE_SIDE = Side("merged", "split", "spurious", "missing")
ERRORS = (*KEY_SIDE, "boundary")


def diagnose(key: list, response: list, measured: dict) -> dict:
    """Alignments and errors of one document, of clusters of mention ids and what `measures.measure_document` gives.

    All errors are named whatever the measures; what they cost is given for those that are sums over classes.

    Returns:
        matches: for CEAF-m and CEAF-e, the aligned classes as {"key", "response", "common", "similarity"}.
        key_errors: every key class with an error or a loss, as {"mentions", "errors", "parts", "missing", "lost"}:
            parts are its mentions by response class; lost says how much of the measure's recall denominator it costs.
            Over all classes lost adds up to denominator - numerator.
        response_errors: every such response class, with "spurious" in place of "missing", and losses of precision.
        missing, spurious: the mentions that only the key, only the response has.
        boundaries: {"key", "response"} of the mentions that are the same but for their boundaries; these are neither
            missing nor spurious, though every measure takes them so.
        totals: numbers that may be added up over documents: key_mentions, response_mentions, common_mentions,
            key_entities, response_entities; split (classes of the key that are in several of the response), merged
            (the other way round), missing, spurious and boundary (mentions).

        Errors are named from the text's point of view: "split" (one key class in several response classes), "merged"
        (several key classes in one response class), "missing" and "spurious" (mentions only one side has), "boundary".
    """
    missing, spurious = _twinless(key, response), _twinless(response, key)
    same = boundary_pairs(missing, spurious)
    # The classes as the completed table numbers them.
    key_classes, response_classes = key + [[m] for m in spurious], response + [[m] for m in missing]
    terms = {name: each.terms for name, each in measured.items() if each.terms}
    key_lost = {name: t.key_possible - t.key_found for name, t in terms.items()}
    response_lost = {name: t.response_possible - t.response_found for name, t in terms.items()}
    classes_of = _classes_of(key, same), _classes_of(response, same)
    bounded = {*same, *same.values()}
    entries = {
        "matches": {
            name: _matches(measured[name], similarity, key_classes, response_classes)
            for name, similarity in ALIGNMENTS.items()
            if name in measured
        },
        "key_errors": _class_errors(key_classes, key, response, classes_of, key_lost, KEY_SIDE, bounded),
        "response_errors": _class_errors(
            response_classes, response, key, classes_of[::-1], response_lost, RESPONSE_SIDE, bounded
        ),
        "missing": [m for m in missing if m not in bounded],
        "spurious": [m for m in spurious if m not in bounded],
        "boundaries": [{"key": same[m], "response": m} for m in spurious if m in same],
    }
    return entries | {"totals": _totals(key, response, entries)}


def _totals(key, response, entries):
    n = sum(map(len, key))
    missing, spurious, boundary = (len(entries[name]) for name in ("missing", "spurious", "boundaries"))
    return {
        "key_mentions": n,
        "response_mentions": sum(map(len, response)),
        "common_mentions": n - missing - boundary,
        "key_entities": len(key),
        "response_entities": len(response),
        "split": sum(len(entry["parts"]) > 1 for entry in entries["key_errors"]),
        "merged": sum(len(entry["parts"]) > 1 for entry in entries["response_errors"]),
        "missing": missing,
        "spurious": spurious,
        "boundary": boundary,
    }


def added_up(totals: Iterable[dict]) -> dict[str, int]:
    """The totals of several documents together, and how many they are."""
    totals = list(totals)
    return {"documents": len(totals)} | {name: sum(each[name] for each in totals) for name in totals[0]}


def _classes_of(clusters, same):
    """{mention: number of its class}, also under what a mention with other boundaries is called on the other side."""
    number = {mention: i for i, cluster in enumerate(clusters) for mention in cluster}
    for spurious, missing in same.items():
        for name, alias in ((spurious, missing), (missing, spurious)):
            if name in number:
                number[alias] = number[name]
    return number


def _twinless(clusters, others):
    """The mentions that are in none of the others."""
    known = set(chain.from_iterable(others))
    return [mention for mention in chain.from_iterable(clusters) if mention not in known]


def _matches(measured, similarity, key_classes, response_classes):
    table, cells = measured.table, measured.terms.aligned
    columns = table.rows[cells], table.columns[cells], table.counts[cells], similarity(table)[cells]
    return [
        {"key": key_classes[i], "response": response_classes[j], "common": int(common), "similarity": float(value)}
        for i, j, common, value in zip(*(column.tolist() for column in columns), strict=True)
    ]


def _class_errors(classes, own, other, classes_of, lost, side, bounded):
    """Entries of the classes of either side that lose something or have an error.

    `classes_of`: the mentions' classes on one's own and on the other side; `bounded`: those with other boundaries.
    """
    own_class, other_class = classes_of
    homes = [set(map(own_class.get, cluster)) for cluster in other]
    joins_several = [len(home) - (None in home) > 1 for home in homes]
    has_extra = [None in home for home in homes]
    entries = []
    for i, (cluster, costs) in enumerate(zip(classes, _costs(lost, len(classes)), strict=True)):
        if i >= len(own) and not costs:  # a completed class is no error in itself
            continue
        parts = grouped((other_class.get(mention), mention) for mention in cluster)
        twinless = parts.pop(None, [])
        holds = {
            side.divided: len(parts) > 1,
            side.joined: any(map(joins_several.__getitem__, parts)),
            side.absent: bool(twinless),
            side.extra: any(map(has_extra.__getitem__, parts)),
            "boundary": not bounded.isdisjoint(cluster),
        }
        errors = [error for error in ERRORS if holds[error]]
        if costs or errors:
            entry = {"mentions": cluster, "errors": errors, "parts": list(parts.values())}
            entries.append(entry | {side.absent: twinless, "lost": costs})
    return entries


def _costs(lost, n):
    """For each of n classes what it loses, {measure: number}."""
    costs = [{} for _ in range(n)]
    for name, values in lost.items():
        # A measure on tables that are not completed has no values of the classes that completion adds at the end.
        for own, value in zip(costs, values.tolist(), strict=False):
            if value > NEGLIGIBLE:
                own[name] = value
    return costs

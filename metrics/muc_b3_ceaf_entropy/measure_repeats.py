"""B3 and CEAF where the key has a mention in several entities, as the official CoNLL scorer has it.

The rule of reference-coreference-scorers 8.01 (lib/CorScorer.pm: IdentifMentions, BCUBED, CEAF): a mention belongs to
the last of its entities, so that MUC finds it there and misses it in the others; but in what an entity of the key and
one of the response have in common it counts for each entity that has it.
"""

from collections import Counter
from collections.abc import Mapping

import numpy as np

from .measure_table import Contingency, contingency
from .measures import MEASURES, Measured, Terms


def measured_with_copies(key: list, response: list, copies: Mapping, names) -> dict[str, Measured]:
    """{measure: Measured} of one document, of those measures among `names` that count otherwise.

    A mention that the key repeats has a name for each time; copies: {name: that in the last of its entities}.
    """
    table = contingency(key, response)
    key_class, response_class = ({m: i for i, cluster in enumerate(side) for m in cluster} for side in (key, response))
    there = [(copy, mention) for copy, mention in copies.items() if copy in key_class and mention in response_class]
    once_more = [(key_class[copy], mention) for copy, mention in there]  # (a class of the key, a mention it has again)
    elsewhere = {(i, mention) for i, mention in once_more if key_class.get(mention) != i}  # twice in one class is once
    cells_of_last = zip(table.rows.tolist(), table.columns.tolist(), strict=True)
    in_last = dict(zip(cells_of_last, table.counts.tolist(), strict=True))
    again = Counter((i, response_class[mention]) for i, mention in once_more)
    again_elsewhere = Counter((i, response_class[mention]) for i, mention in elsewhere)
    cells = sorted(in_last.keys() | again.keys())
    last, more, other = (
        np.array([counts.get(cell, 0) for cell in cells], np.int64) for counts in (in_last, again, again_elsewhere)
    )
    rows, columns = np.array(cells, np.int64).reshape(-1, 2).T
    table = Contingency(table.key_sizes, table.response_sizes, rows, columns, last + more)
    terms = {}
    if "b3" in names:  # for each mention the share of its class, on either side, that is in the other
        products = last * (last + other)
        found, kept = (each.sum_by_key(products) / each.key_sizes for each in (table, table.transposed))
        terms["b3"] = Terms(found, table.key_sizes, kept, table.response_sizes)
    for name in ("ceafm", "ceafe"):
        if name in names and (terms_of := MEASURES[name].terms):
            terms[name] = terms_of(table)
    return {name: Measured(table, each.sums(), each) for name, each in terms.items()}

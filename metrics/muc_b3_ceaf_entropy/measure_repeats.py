"""B3 and CEAF where the key has a mention in several entities, as the official CoNLL scorer has it.

The rule of reference-coreference-scorers 8.01 (lib/CorScorer.pm: IdentifMentions, BCUBED, CEAF): a
mention belongs to the last of its entities, so that MUC finds it there and misses it in the others;
but in what an entity of the key and one of the response have in common it counts for each entity
that has it.
"""

from collections import Counter
from collections.abc import Mapping

import numpy as np

from .measure_table import Contingency, contingency
from .measures import MEASURES, Measured, Terms


def measured_with_copies(key: list, response: list, copies: Mapping, names) -> dict[str, Measured]:
    """{measure: Measured} of one document, of those measures among `names` that count otherwise.

    Args:
        key, response: partitions as for `contingency`; a mention that the key repeats has a name
            for each time.
        copies: {name: the name under which the mention is in the last of its entities}.
    """
    table = contingency(key, response)
    key_class, response_class = ({m: i for i, cluster in enumerate(side) for m in cluster} for side in (key, response))
    more = [
        (key_class[copy], mention)
        for copy, mention in copies.items()
        if copy in key_class and mention in response_class
    ]
    other = {(entity, mention) for entity, mention in more if key_class.get(mention) != entity}  # twice in one is once
    last = dict(zip(zip(table.rows.tolist(), table.columns.tolist()), table.counts.tolist()))
    more, other = (Counter((entity, response_class[m]) for entity, m in each) for each in (more, other))
    cells = sorted(last.keys() | more.keys())
    last, more, other = (np.array([each.get(cell, 0) for cell in cells], np.int64) for each in (last, more, other))
    rows, columns = np.array(cells, np.int64).reshape(-1, 2).T
    table = Contingency(table.key_sizes, table.response_sizes, rows, columns, last + more)
    terms = {name: MEASURES[name].terms(table) for name in ("ceafm", "ceafe") if name in names}
    if "b3" in names:
        terms["b3"] = _b3(table, last * (last + other))
    return {name: Measured(table, each.sums(), each) for name, each in terms.items()}


def _b3(table, products):
    """For each mention the share of its class, on either side, that is in the other."""
    found, kept = (each.sum_by_key(products) / each.key_sizes for each in (table, table.transposed))
    return Terms(found, table.key_sizes, kept, table.response_sizes)

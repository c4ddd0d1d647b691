"""Pronoun resolution by the antecedents a system names (Popescu-Belis, section 5.4, after Mitkov and Belguith 1998)."""

from collections.abc import Mapping

import numpy as np

from .check_input import as_documents, document_kind, mention_kind, normalise_document, normalise_mention
from .common import input_error, short_repr
from .measures import f1


def pronoun_resolution(antecedents, key) -> dict:
    """Score the antecedents that a system gives to pronouns (section 5.4, after Mitkov and Belguith 1998).

    A pronoun is resolved when it and its antecedent are in the same class of the key.

    Args:
        antecedents: one document's {pronoun: antecedent}, with every pronoun of the document, None for one that the
            system left alone; or a list of such dicts, one a document. Pronouns and antecedents are mention ids as
            in the key (pairs as tuples).
        key: the document's clusters; or a list of documents' clusters.

    Returns:
        recall (resolved, of the given pronouns that are in the key), precision (resolved, of those given an
        antecedent; a pronoun that is not in the key counts here only), f1; 0/0 is 0. And the counts resolved,
        attempted and pronouns (in the key).

    Raises:
        ValueError: unequal numbers of documents, a pronoun as its own antecedent, or ids of different types.
    """
    if isinstance(antecedents, Mapping):
        antecedents, key = [antecedents], [key]
    antecedents, key = as_documents(antecedents, "antecedents"), as_documents(key, "key")
    if len(antecedents) != len(key):
        raise input_error("", f"{len(antecedents)} documents of antecedents and {len(key)} of key", "as many of both")
    counts = [_count_resolved(*pair, i) for i, pair in enumerate(zip(antecedents, key, strict=True))]
    resolved, attempted, pronouns = map(sum, zip((0, 0, 0), *counts, strict=True))
    recall, precision = resolved / max(pronouns, 1), resolved / max(attempted, 1)
    return {
        "recall": recall,
        "precision": precision,
        "f1": float(f1(np.float64(recall), np.float64(precision))),
        "resolved": resolved,
        "attempted": attempted,
        "pronouns": pronouns,
    }


def _count_resolved(antecedents, key, i):
    """Numbers of pronouns resolved, attempted, and in the key, for document number i."""
    where = f"antecedents[{i}]"
    if not isinstance(antecedents, Mapping):
        raise input_error(where, type(antecedents).__name__, "a dict from pronoun to antecedent")
    class_of = {m: j for j, cluster in enumerate(normalise_document(key, f"key[{i}]")) for m in cluster}
    kind = document_kind(key)
    resolved = attempted = existing = 0
    for pronoun, antecedent in antecedents.items():
        pronoun = _checked(pronoun, kind, where)
        existing += pronoun in class_of
        if antecedent is None:
            continue
        antecedent = _checked(antecedent, kind, where)
        if antecedent == pronoun:
            raise input_error(where, f"the pronoun {short_repr(pronoun)} as its own antecedent", "another mention")
        attempted += 1
        resolved += pronoun in class_of and class_of[pronoun] == class_of.get(antecedent)
    return resolved, attempted, existing


def _checked(mention, kind, where):
    """The mention's name, if it is of the key's kind."""
    name = normalise_mention(mention, where)
    if kind and mention_kind(mention) != kind:
        raise input_error(where, f"the mention {short_repr(mention)}", f"{kind} as in the key")
    return name

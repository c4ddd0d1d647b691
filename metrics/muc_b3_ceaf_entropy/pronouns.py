"""Pronoun resolution by the antecedents a system names (Popescu-Belis, section 5.4, after Mitkov and Belguith 1998)."""

from collections.abc import Mapping

from .documents import METRIC, document_kind, mention_kind, normalise_document, normalise_mention
from .values import shown


def count_resolved(antecedents: Mapping, key: list, i: int) -> tuple:
    """Numbers of pronouns resolved, attempted, and in the key, for document number i.

    Args:
        antecedents: {pronoun: antecedent, or None where the system gives none}, mention ids as in the key.
        key: the document's clusters.

    Raises:
        ValueError: a pronoun as its own antecedent, ids of another type than the key's, or a key that
            `documents.normalise_document` refuses.
    """
    where = f"antecedents[{i}]"
    if not isinstance(antecedents, Mapping):
        found = type(antecedents).__name__
        raise ValueError(f"{METRIC}: {where}: found {found}, expected a dict from pronoun to antecedent")
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
            raise ValueError(
                f"{METRIC}: {where}: found the pronoun {shown(pronoun)} as its own antecedent, expected another"
            )
        attempted += 1
        resolved += pronoun in class_of and class_of[pronoun] == class_of.get(antecedent)
    return resolved, attempted, existing


def _checked(mention, kind, where):
    name = normalise_mention(mention, where)
    if kind and mention_kind(mention) != kind:
        raise ValueError(f"{METRIC}: {where}: found the mention {shown(mention)}, expected {kind} as in the key")
    return name

"""What each test looks for in a language: the same functions for all, on the language's word lists."""

from collections.abc import Callable
from functools import partial

from .find_antecedents import find_antecedents
from .find_listed import find_comparative, find_negation, find_plural_pronoun, find_superlative
from .find_nouns import find_noun_phrase, find_plural_noun, find_varying_adjective
from .find_verbs import (
    compound_past,
    find_coordinated_verbs,
    find_subjunctive,
    find_tense,
    find_varying_verb,
    like_a_conditional,
    near_future,
)
from .language_lists import WordLists
from .verdicts import Rules, unless_copied, unless_untranslated
from .words import analyse, describe

# By the tests, each with its finder and what that takes after the lists.
ON_ONE_SIDE: dict[str, tuple] = {
    "past": (find_tense, "IJ", compound_past),
    "future": (find_tense, "F", near_future),
    "conditional": (find_tense, "C", like_a_conditional),
    "subjunctive": (find_subjunctive,),
    "noun_number": (find_plural_noun,),
    "pronoun_number": (find_plural_pronoun,),
    "comparative": (find_comparative,),
    "superlative": (find_superlative,),
    "negation": (find_negation,),
    "coord_verb": (find_coordinated_verbs,),
    "np": (find_noun_phrase,),
}
ON_ALL_SIDES: dict[str, Callable] = {"verb_consistency": find_varying_verb, "adj_consistency": find_varying_adjective}


def language_rules(lists: WordLists, default_lexicon: Callable | None = None, **exceptions: Callable) -> Rules:
    """The rules of a language that has these lists.

    Args:
        default_lexicon: gives the path of the lexicon where `compute` is given none (None: there is none).
        exceptions: by the test's name, finders of the language's own (`verdicts.Rules`).
    """
    finders: dict[str, Callable] = {
        **{name: unless_untranslated(partial(find, lists, *how)) for name, (find, *how) in ON_ONE_SIDE.items()},
        "coref": partial(find_antecedents, lists),
        **{name: unless_copied(partial(find, lists)) for name, find in ON_ALL_SIDES.items()},
    }
    return Rules(partial(analyse, lists), describe, finders | exceptions, default_lexicon, lists.drops_subjects)

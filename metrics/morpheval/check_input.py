"""The checks of the input: groups of translations, and their references."""

from collections import defaultdict
from collections.abc import Mapping
from statistics import correlation

from .common import as_python, check_text, input_error, is_listing, setting, short_repr, warn
from .contrastive_tests import TESTS

DIRECTIONS = ("added", "removed")
DIRECTED_TESTS = ("comparative", "superlative")
# Judged items in two languages have .66 to .95; shifted by a line or two, at one place at least, below .3.
FEWEST_GROUPS, LEAST_CORRELATION = 30, 0.4
# Of translations 1 % are not in the lexicon of their language, 60 % not in another one's. In draws of three groups 99 %
# have more than this in another one's; in their own those that are left in English.
FEWEST_WORDS, MOST_UNKNOWN = 20, 0.3
FEWEST_TEXTS, MOST_COPIED = 10, 0.5


def check_references(references, start: int = 0) -> list[dict]:
    """The references in one form: {"test", "sources", "direction"}.

    Args:
        references: dicts with "test" (a name of `contrastive_tests.TESTS`), "sources" (the base and
            its variants in English) and, for comparative and superlative, "direction": "added" (the
            default) if the variant has it, "removed" if the base has it.
        start: number of the first one, for errors.

    Raises:
        ValueError: anything else, with the index.
    """
    return [check_reference(reference, i) for i, reference in enumerate(_as_list(references, "references"), start)]


def check_reference(reference, i: int) -> dict:
    """One reference in that form; i is its number, for errors."""
    where = f"references[{i}]"
    if not isinstance(reference, Mapping) or "test" not in reference or "sources" not in reference:
        raise input_error(where, short_repr(reference), 'a dict with "test" and "sources"')
    unknown = reference.keys() - {"test", "sources", "direction"}
    if unknown:
        raise input_error(
            where, f"the keys {short_repr(sorted(map(str, unknown)))}", '"test", "sources" and "direction"'
        )
    test, direction = reference["test"], reference.get("direction")
    direction = "added" if direction is None or isinstance(direction, str) and not direction else direction
    if not isinstance(test, str) or test not in TESTS:
        raise input_error(where, f"the test {short_repr(test)}", f"one of {', '.join(TESTS)}")
    if not isinstance(direction, str) or direction not in (DIRECTIONS if test in DIRECTED_TESTS else DIRECTIONS[:1]):
        expected = f"one of {DIRECTIONS}, for {' or '.join(DIRECTED_TESTS)}"
        raise input_error(where, f"the direction {short_repr(direction)}", expected)
    sources = _check_group(reference["sources"], f"{where}, sources", test, may_be_empty=False)
    return {"test": test, "sources": sources, "direction": direction}


def check_groups(predictions, references, start: int = 0) -> tuple[list, list]:
    """Both sides, checked.

    Raises:
        ValueError: as `check_references` and `check_translations`.
    """
    references = check_references(references, start)
    return check_translations(predictions, references, start), references


def check_translations(predictions, references: list[dict], start: int = 0, name: str = "predictions") -> list:
    """The predictions, each with one translation for each source of its reference (which are checked already).

    An empty translation is data; so is one without a word.

    Raises:
        ValueError: different numbers of groups, a group of the wrong size, a translation that is not a string; with
            the index.
    """
    groups = _as_list(predictions, name)
    if len(groups) != len(references):
        raise input_error("", f"{len(groups)} {name} and {len(references)} references", "the same number of both")
    tests = [reference["test"] for reference in references]
    return [
        _check_group(group, f"{name}[{i}]", test, may_be_empty=True)
        for i, (group, test) in enumerate(zip(groups, tests, strict=True), start)
    ]


def warn_about_empty(predictions: list[list[str]]) -> int:
    """How many translations are empty, with a warning if there are any."""
    texts = [text for group in predictions for text in group]
    n_empty = sum(not text.strip() for text in texts)
    if n_empty:
        warn(f"{n_empty} of {len(texts)} translations are empty; they count as failed")
    return n_empty


def warn_about_sources(references: list[dict]) -> None:
    """Warn of groups whose sentences are all the same: no translation can differ as it should."""
    same = [i for i, group in enumerate(references) if len({" ".join(text.split()) for text in group["sources"]}) == 1]
    if same:
        warn(
            f"{len(same)} of {len(references)} groups have the same sentence as base and variant (references[{same[0]}]"
            " is the first); nothing is tested by them"
        )


def warn_about_copies(predictions: list[list[str]], references: list[dict]) -> None:
    """Warn where most translations are the English itself."""
    same = [
        text.strip() == source.strip()
        for group, reference in zip(predictions, references, strict=True)
        for text, source in zip(group, reference["sources"], strict=True)
    ]
    if len(same) >= FEWEST_TEXTS and sum(same) > MOST_COPIED * len(same):
        warn(f"{sum(same)} of {len(same)} translations are the same as the English; are they translated?")


def warn_about_order(predictions: list[list[str]], references: list[dict]) -> None:
    """Warn of translations that cannot be of their sources: long sentences have long translations, a shift ends that.

    Of each place in the groups by itself: one line too many leaves many variants beside their own bases.
    """
    by_size = defaultdict(list)
    for group, reference in zip(predictions, references, strict=True):
        if all(map(str.strip, group)):
            by_size[len(group)].append(
                [tuple(map(len, texts)) for texts in zip(reference["sources"], group, strict=True)]
            )
    for groups in (groups for groups in by_size.values() if len(groups) >= FEWEST_GROUPS):
        for place, lengths in enumerate(zip(*groups, strict=True)):
            sides = list(zip(*lengths, strict=True))
            if all(len(set(side)) > 1 for side in sides) and correlation(*sides) < LEAST_CORRELATION:
                warn(
                    f"the lengths of translations and of sources hardly correlate (place {place} in the groups of "
                    f"{len(groups[0])}); are the lines in the order of the suite, with none missing?"
                )
                return


def warn_about_language(n_unknown: int, n_words: int) -> None:
    """Warn where so many words are not in the lexicon that it is another language's."""
    if n_words >= FEWEST_WORDS and n_unknown > MOST_UNKNOWN * n_words:
        warn(
            f"{n_unknown / n_words:.0%} of the words are not in the lexicon; are the translations in its ",
            setting("language"),
            "?",
        )


def _check_group(texts, where: str, test: str, may_be_empty: bool) -> list[str]:
    size = TESTS[test][0].size
    if not is_listing(texts) or not hasattr(texts, "__len__"):
        expected = f"a list of {size} strings for the test {short_repr(test)}"
        raise input_error(where, f"{type(texts).__name__} {short_repr(texts)}", expected)
    if len(texts) != size:
        raise input_error(where, f"{len(texts)} sentences", f"{size} for the test {short_repr(test)}")
    return [check_sentence(text, f"{where}[{j}]", may_be_empty) for j, text in enumerate(texts)]


def check_sentence(text, where: str, may_be_empty: bool) -> str:
    """A text with words in it; without any it is empty, where it may be: systems write "..." for a line."""
    check_text(text, where)
    if any(map(str.isalnum, text)):
        return str(text)
    if not may_be_empty:
        raise input_error(where, "a text without words", "a sentence; a missing line shifts all that follow")
    return ""


def _as_list(groups, name: str) -> list:
    groups = as_python(groups)
    if not is_listing(groups):
        raise input_error(name, type(groups).__name__, "a list with one entry per group")
    return list(groups)

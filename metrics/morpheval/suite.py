"""Test suites: what a group is, the input's checks, and the files of the published suite."""

from collections.abc import Mapping
from itertools import groupby
from pathlib import Path

from .contrasts import TESTS
from .values import SURROGATE, is_listing, shown
from .verdicts import METRIC

# Names in the published suite that differ from those here.
PUBLISHED_TESTS = {
    "pron_plur": "pronoun_number",
    "coordverb": "coord_verb",
    "pron2nouns": "np",
    "syns_verb": "verb_consistency",
    "syns_adj": "adj_consistency",
}
PUBLISHED_FEATURES = {"time": "tense"}
DIRECTIONS = ("added", "removed")
DIRECTED_TESTS = ("comparative", "superlative")


def check_references(references, start: int = 0) -> list[dict]:
    """The references in one form: {"test", "sources", "direction"}.

    Args:
        references: dicts with "test" (a name of `contrasts.TESTS`), "sources" (the base and its variants in English)
            and, for comparative and superlative, "direction": "added" (the default) if the variant has it, "removed" if
            the base has it.
        start: number of the first one, for errors.

    Raises:
        ValueError: anything else, with the index.
    """
    return [_check_reference(reference, i) for i, reference in enumerate(_as_list(references, "references"), start)]


def _check_reference(reference, i: int) -> dict:
    where = f"references[{i}]"
    if not isinstance(reference, Mapping) or "test" not in reference or "sources" not in reference:
        raise _error(where, shown(reference), 'a dict with "test" and "sources"')
    test, direction = reference["test"], reference.get("direction")
    direction = "added" if direction is None or isinstance(direction, str) and not direction else direction
    if not isinstance(test, str) or test not in TESTS:
        raise _error(where, f"the test {shown(test)}", f"one of {', '.join(TESTS)}")
    if not isinstance(direction, str) or direction not in (DIRECTIONS if test in DIRECTED_TESTS else DIRECTIONS[:1]):
        raise _error(
            where, f"the direction {shown(direction)}", f"one of {DIRECTIONS}, for {' or '.join(DIRECTED_TESTS)}"
        )
    sources = _check_group(reference["sources"], f"{where}, sources", test)
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

    Raises:
        ValueError: different numbers of groups, a group of the wrong size, a translation that is no string or is empty;
            with the index.
    """
    groups = _as_list(predictions, name)
    if len(groups) != len(references):
        raise ValueError(f"{METRIC}: found {len(groups)} {name} and {len(references)} references, expected as many")
    return [_check_group(group, f"{name}[{i}]", references[i - start]["test"]) for i, group in enumerate(groups, start)]


def _check_group(texts, where: str, test: str) -> list[str]:
    size = TESTS[test][0].size
    if not is_listing(texts) or not hasattr(texts, "__len__"):
        raise _error(
            where, f"{type(texts).__name__} {shown(texts)}", f"a list of {size} strings for the test {shown(test)}"
        )
    if len(texts) != size:
        raise _error(where, f"{len(texts)} sentences", f"{size} for the test {shown(test)}")
    for j, text in enumerate(texts):
        if not isinstance(text, str):
            raise _error(f"{where}[{j}]", f"{type(text).__name__} {shown(text)}", "a string")
        if not any(map(str.isalnum, text)):
            raise _error(f"{where}[{j}]", "a text without words", "a sentence; a missing line shifts all that follow")
        if SURROGATE.search(text):
            raise _error(f"{where}[{j}]", "half a surrogate pair", "Unicode text")
    return list(map(str, texts))


def _as_list(groups, name: str) -> list:
    if not is_listing(groups):
        raise _error(name, type(groups).__name__, "a list with one entry per group")
    return list(groups)


def _error(where: str, found: str, expected: str) -> ValueError:
    return ValueError(f"{METRIC}: {where}: found {found}, expected {expected}")


# ---- Files ----


def load_suite(sents_path: str | Path, info_path: str | Path) -> list[dict]:
    """A suite from a pair of files in the form of the published one (morpheval.limsi.v2.en).

    Args:
        sents_path: one English sentence a line.
        info_path: a line "ID TEST" or "ID TEST:FEATURE" for each; lines in a row with the same ID are one group. The
            published names of tests are understood as well as those here.

    Returns:
        References for `compute`, one per group.

    Raises:
        ValueError: files of different lengths, a line of another form, an unknown test, a group of the wrong size.
    """
    sentences, info = _lines(sents_path), _lines(info_path)
    if len(sentences) != len(info):
        raise ValueError(
            f"{METRIC}: found {len(sentences)} lines in {sents_path} and {len(info)} in {info_path}, expected as many"
        )
    rows = [_parse_info(line, info_path, number) for number, line in enumerate(info, start=1)]
    suite, start = [], 0
    for (identity, test), group in groupby(rows):
        end = start + len(list(group))
        try:
            suite.append(_check_reference({"test": test, "sources": sentences[start:end]}, len(suite)))
        except ValueError as error:
            message = str(error).removeprefix(f"{METRIC}: ")
            raise ValueError(f"{METRIC}: {info_path}, line {start + 1}, group {identity:.60}: {message}") from error
        start = end
    return [{key: group[key] for key in ("test", "sources")} for group in suite]


def load_translations(path: str | Path, references: list[dict]) -> list[list[str]]:
    """Translations, one a line in the order of the suite's sentences, as predictions for `compute`.

    Raises:
        ValueError: another number of lines than the suite has sentences, or an empty line.
    """
    references = check_references(references)
    lines = _lines(path)
    expected = sum(len(reference["sources"]) for reference in references)
    if len(lines) != expected:
        raise ValueError(
            f"{METRIC}: {path}: found {len(lines)} lines, expected {expected}, one for each source sentence"
        )
    if "" in lines:
        raise ValueError(f"{METRIC}: {path}, line {lines.index('') + 1}: found an empty line, expected a translation")
    rest = iter(lines)
    return [[next(rest) for _ in reference["sources"]] for reference in references]


def _lines(path: str | Path) -> list[str]:
    if not isinstance(path, (str, Path)):  # an integer would be taken for an open file
        raise ValueError(f"{METRIC}: path: found {shown(path)}, expected the path of a file")
    try:
        with open(path, encoding="utf-8-sig") as file:
            return [line.strip() for line in file]
    except UnicodeDecodeError as error:
        raise ValueError(f"{METRIC}: {path}: found bytes that are no UTF-8 ({error.reason}), expected UTF-8") from error
    except (OSError, ValueError) as error:
        raise ValueError(
            f"{METRIC}: path: found {shown(path)}, which cannot be read, expected a file that can: {error}"
        ) from error


def _parse_info(line: str, path, number: int) -> tuple[str, str]:
    parts = line.split()
    if len(parts) != 2:
        raise ValueError(f"{METRIC}: {path}, line {number}: found {shown(line)}, expected an ID and a test")
    name, colon, feature = parts[1].partition(":")
    return parts[0], PUBLISHED_TESTS.get(name, name) + colon + PUBLISHED_FEATURES.get(feature, feature)

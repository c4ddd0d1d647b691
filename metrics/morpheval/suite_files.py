"""Test suites and translations as files: the published form, datasets, and what a suite is once it is loaded."""

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from contextlib import ExitStack
from difflib import get_close_matches
from importlib import import_module
from itertools import groupby
from pathlib import Path
from tempfile import TemporaryDirectory

from .check_input import DIRECTED_TESTS, DIRECTIONS, check_reference, check_references, check_sentence
from .common import argument, input_error, prefix_errors, short_repr, warn
from .common_files import numbered_lines, read_texts
from .common_write import whole_file
from .contrastive_tests import TESTS
from .lexicon import is_file
from .suite_shipped import GROUPS_DIGEST, SUITE_DIGEST, SUITE_VERSION, digest_of_groups, find_suite

# Names in the published suite that differ from those here.
PUBLISHED_TESTS = {
    "pron_plur": "pronoun_number",
    "coordverb": "coord_verb",
    "pron2nouns": "np",
    "syns_verb": "verb_consistency",
    "syns_adj": "adj_consistency",
}
# Its tests of Czech and German, which its one .info file has beside those of French.
TESTS_OF_OTHER_LANGUAGES = frozenset(
    "adj_strong compounds_syns preposition pron2coord pron_fem pron_relative syns_noun verb_position".split()
)
LIKENESS = 0.8  # of an unknown name to a known one (difflib) from which on it is taken for a slip
PUBLISHED_FEATURES = {"time": "tense"}
PARTS = ("test", "sources", "direction")  # of a group

# ---- Files ----


def load_suite(sents_path: str | Path | None = None, info_path: str | Path | None = None) -> "Suite":
    """The suite that ships; or one from a pair of files in the form of the published one (morpheval.limsi.v2.en), from
    one of JSON lines, or a saved one.

    Empty lines at the end of a file do not count.

    Args:
        sents_path: one English sentence a line (in .jsonl a string, or an object with "source" or "text"). Without
            info_path a whole suite: a .jsonl with a group a line, {"test", "sources"} with "direction" and "id" where
            there are some, or the folder that `Suite.save` has written; None for the suite that ships with the metric.
        info_path: a line "ID TEST" or "ID TEST:FEATURE" for each (for comparative and superlative ":removed" where the
            base has it, not the variant); lines in a row with the same ID are one group. The
            published names of tests are understood as well as those here; groups of other tests, such as the
            published ones of Czech and German, are left out with a warning that counts them by name.

    Returns:
        References for `compute`, one per group, with settings and report where they were saved, and in ``skipped`` the
        numbers of the lines that were left out: `load_translations` leaves them out of a system's output, too.

    Raises:
        ValueError: files of different lengths, a line of another form, a name that is nearly a test's, no known test, a
            group of the wrong size.
    """
    if info_path is not None:
        if sents_path is None:
            found = f"None with info_path {short_repr(info_path)}"
            raise input_error(argument("sents_path"), found, "the sentences' file")
        pair, about = _load_pair(sents_path, info_path), Path(f"{sents_path}.json")
        return _with_about(*pair, about.read_text(encoding="utf-8", errors="replace") if is_file(about) else "")
    path = find_suite() if sents_path is None else sents_path
    rows, description = (read_texts(path), "") if _is_lines(path) else _load_folder(path)
    with prefix_errors(str(path)):
        parts = [{key: row[key] for key in PARTS if key in row} if isinstance(row, Mapping) else row for row in rows]
        groups = map(_plain, check_references(parts))
    ids = [row.get("id") for row in rows]
    return _with_about(groups, (), () if None in ids else map(str, ids), description)


def _is_lines(path) -> bool:
    return isinstance(path, (str, Path)) and str(path).removesuffix(".gz").endswith(".jsonl")


def is_suite(path: str) -> bool:
    """Is it a suite by itself, a folder or JSON lines with groups?"""
    return Path(path).is_dir() or _is_lines(path) and '"sources"' in _first_line(path)


def is_info(path: str) -> bool:
    """Are its lines an ID and the name of a test?"""
    name = _first_line(path).partition(" ")[2].partition(":")[0].strip()
    return name in TESTS or name in PUBLISHED_TESTS


def _first_line(path: str) -> str:
    return next((line for _, line in numbered_lines(path)), "")


def _plain(reference: dict) -> dict:
    """A checked reference with a direction only where it can have two."""
    return {key: value for key, value in reference.items() if key != "direction" or reference["test"] in DIRECTED_TESTS}


def _load_pair(sents_path: str | Path, info_path: str | Path) -> tuple[list[dict], list[int], list[str]]:
    """The groups of known tests, the numbers of the lines of others, from 0, and the groups' IDs."""
    info = _without_end([line.strip() for _, line in numbered_lines(info_path)], 0)
    sentences = _without_end(_lines(sents_path, "source"), len(info))
    if len(sentences) != len(info):
        counts = f"{len(sentences)} lines in {sents_path} and {len(info)} in {info_path}"
        raise input_error("", counts, "the same number of lines")
    rows = [_parse_info(line, info_path, number) for number, line in enumerate(info, start=1)]
    suite: list[dict] = []
    skipped: list[int] = []
    ids: list[str] = []
    others: Counter = Counter()
    start = 0
    for (identity, test), group in groupby(rows):
        end = start + len(list(group))
        with prefix_errors(f"{info_path}, line {start + 1}, group {identity:.60}"):
            if _is_of_other_language(test):
                others[test] += 1
                skipped.extend(range(start, end))
            else:
                suite.append(_group(test, sentences[start:end], len(suite)))
                ids.append(identity)
        start = end
    if others:
        counts = ", ".join(f"{short_repr(test)} ({n})" for test, n in others.items())
        if not suite:
            raise input_error(str(info_path), f"the tests {counts}", f"some of {', '.join(TESTS)}")
        warn(f"{info_path}: {others.total()} groups are left out, of tests that are not judged here: {counts}")
    return suite, skipped, ids


def _group(test: str, sources: list, i: int) -> dict:
    """The group of a test, whose name may be "comparative:removed"; i is its number, for errors."""
    name, _, direction = test.partition(":")
    directed = {"test": name, "direction": direction} if _is_directed(test) else {"test": test}
    return _plain(check_reference({"sources": sources, **directed}, i))


def _is_directed(test: str) -> bool:
    name, _, direction = test.partition(":")
    return name in DIRECTED_TESTS and direction in DIRECTIONS


def _is_of_other_language(test: str) -> bool:
    """Is the test unknown? What is nearly a known one is a slip, and no unknown test.

    Raises:
        ValueError: nearly a known one.
    """
    name = test.partition(":")[0]
    if test in TESTS or name in TESTS_OF_OTHER_LANGUAGES or _is_directed(test):
        return name in TESTS_OF_OTHER_LANGUAGES
    known, test_name = (*TESTS, *PUBLISHED_TESTS), test.lower()
    like = get_close_matches(test_name, known, n=1, cutoff=LIKENESS) or [k for k in known if test_name.startswith(k)]
    if like or name in TESTS:
        expected = f"expected one of {', '.join(TESTS)}; is it {(like or [name])[0]}?"
        raise ValueError(f"found the test {short_repr(test)}, {expected}")
    return True


def load_translations(path: str | Path, references: list[dict]) -> list[list[str]]:
    """Translations, one a line in the order of the suite's sentences, as predictions for `compute`.

    In .jsonl a line is a string, or an object with "translation" or "text". An empty line is an empty translation.
    Where `load_suite` left lines out, the translations of the whole file are understood, and those of the suite's own
    sentences only.

    Args:
        path: the file of translations.
        references: the suite, as `load_suite` and `make_suite` give it.

    Raises:
        ValueError: another number of lines than the suite has sentences.
    """
    skipped = set(getattr(references, "skipped", ()))
    references, lines = check_references(references), _lines(path, "translation")
    expected = sum(len(reference["sources"]) for reference in references)
    lines = _without_end(lines, expected + len(skipped))
    is_whole = skipped and len(lines) == expected + len(skipped)
    lines = lines if is_whole else _without_end(lines, expected)
    kept = [i for i in range(len(lines)) if not is_whole or i not in skipped]
    if len(kept) != expected:
        whole = f" (with those that were left out {expected + len(skipped)})" if skipped else ""
        raise input_error(path, f"{len(lines)} lines", f"{expected}{whole}, one for each source sentence")
    rest = (check_sentence(lines[i], f"{path}:{i + 1}", may_be_empty=True) for i in kept)
    return [[next(rest) for _ in reference["sources"]] for reference in references]


def _without_end(lines: list, least: int) -> list:
    """The lines without empty ones at the end, but so many at least."""
    while len(lines) > least and not lines[-1]:
        lines = lines[:-1]
    return lines


def _lines(path: str | Path, field: str) -> list:
    """The lines of a file without spaces at their ends; of JSON lines the values, of objects this field or "text"."""
    return [text.strip() if isinstance(text, str) else text for text in read_texts(path, field, "text")]


def _parse_info(line: str, path, number: int) -> tuple[str, str]:
    parts = line.split()
    if len(parts) != 2:
        raise input_error(f"{path}, line {number}", short_repr(line), "an ID and the name of a test")
    name, colon, feature = parts[1].partition(":")
    return parts[0], PUBLISHED_TESTS.get(name, name) + colon + PUBLISHED_FEATURES.get(feature, feature)


def make_suite(sentences, tests: list[str] | None = None, size: int = 500, seed: int = 0, **options) -> "Suite":
    """A suite from any English text, made by `meaning_metrics.suites.make_suite`.

    Args:
        sentences: strings, or the path of a text file with one a line.
        tests: names of tests; default: all.
        size: groups per test.
        seed: of the draw among the sentences that are suitable.
        options: the other arguments of `meaning_metrics.suites.make_suite`, by keyword.

    Raises:
        ImportError: the package is not installed; this folder does not have what makes suites.
    """
    try:
        tool = import_module("meaning_metrics.suites")
    except ImportError as error:
        raise ImportError(
            f"morpheval: make_suite: found no meaning_metrics.suites, which makes suites now ({error}); expected the "
            "package meaning-metrics: pip install '.[suites]' in a clone of its repository"
        ) from error
    return tool.make_suite(sentences, tests, size, seed, **options)


# ---- Suites ----


class Suite(list):
    """Groups {"test", "sources"} (with "direction" where it matters), as `compute` takes them as references.

    Attributes:
        settings: what the suite was made with.
        version: of a published suite; else None.
        report: for each test how many sentences were drawn and kept, and why the others were dropped.
        skipped: numbers of the lines of its file, from 0, that were left out.
        ids: the groups' IDs in its file; else their numbers, from 1.
    """

    def __init__(
        self,
        groups: Iterable[dict],
        settings: dict | None = None,
        report: dict | None = None,
        skipped: Iterable[int] = (),
        ids: Iterable[str] = (),
    ):
        super().__init__(groups)
        self.settings, self.report, self.skipped = settings or {}, report or {}, list(skipped)
        self.version = self.settings.get("version")
        self.ids = list(ids) or list(map(str, range(1, len(self) + 1)))

    def to_dataset(self):
        """The groups as rows of a `datasets.Dataset`; settings and report are in the description, as JSON."""
        from datasets import Dataset, Features, Value  # here, so that groups can be judged without it

        columns = {name: [Value("string")] if name == "sources" else Value("string") for name in ("id", *PARTS)}
        rows = [{"id": identity, "direction": "added", **g} for identity, g in zip(self.ids, self, strict=True)]
        dataset = Dataset.from_list(rows, features=Features(columns))
        dataset.info.description = json.dumps({"settings": self.settings, "report": self.report})
        return dataset

    def save(self, folder: str | Path) -> None:
        """Save as a dataset; `load_suite` has it back.

        Raises:
            ValueError: there are no groups.
        """
        if not self:
            raise input_error("", "no groups", "groups to save")
        dataset, folder = self.to_dataset(), Path(folder)
        folder.mkdir(parents=True, exist_ok=True)
        with TemporaryDirectory(dir=folder) as new:  # what was saved here before is lost only when the new is whole
            dataset.save_to_disk(new)
            for path in Path(new).iterdir():
                path.replace(folder / path.name)

    def save_pair(self, sents_path: str | Path, info_path: str | Path) -> None:
        """Save as a pair of files like the published one; settings and report go beside it, in <sents_path>.json."""
        lines = []
        for identity, group in zip(self.ids, self, strict=True):
            test = f"{group['test']}:removed" if group.get("direction") == "removed" else group["test"]
            lines += [(f"{identity} {test}\n", f"{text}\n") for text in group["sources"]]
        texts = {
            sents_path: "".join(text for _, text in lines),
            info_path: "".join(info for info, _ in lines),
            f"{sents_path}.json": json.dumps({"settings": self.settings, "report": self.report}, indent=1),
        }
        with ExitStack() as files:  # all are written before the first takes its place
            for path, text in texts.items():
                files.enter_context(whole_file(path)).write_text(text, encoding="utf-8")


def _load_folder(folder: str | Path) -> tuple[list[dict], str]:
    """The rows and the description of a dataset that `Suite.save` or `Dataset.save_to_disk` has written."""
    from datasets import Dataset, load_from_disk

    if not isinstance(folder, (str, Path)):
        raise input_error(argument("sents_path"), short_repr(folder), "the folder of a saved suite or a file")
    try:
        dataset = load_from_disk(str(folder))
        rows = list(dataset)
    except Exception as error:  # whatever the library makes of files that are missing or damaged
        raise input_error(
            folder,
            f"no dataset that can be read ({type(error).__name__}: {str(error):.300})",
            "the folder of a saved suite",
        ) from error
    if not isinstance(dataset, Dataset) or not {"test", "sources"} <= set(dataset.column_names):
        raise input_error(folder, short_repr(dataset), 'a dataset with "test" and "sources"')
    return rows, dataset.info.description


def _with_about(groups: Iterable[dict], skipped: Iterable[int], ids: Iterable[str], description: str) -> Suite:
    try:
        about = json.loads(description or "{}")
    except (ValueError, RecursionError):
        about = {}  # a dataset of another origin
    about, groups = about if isinstance(about, dict) else {}, list(groups)
    if digest_of_groups(groups) == GROUPS_DIGEST:  # the suite that ships, from whatever file
        about = about | {"settings": {"version": SUITE_VERSION, "digest": SUITE_DIGEST}}
    return Suite(groups, about.get("settings"), about.get("report"), skipped, ids)

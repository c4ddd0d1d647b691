"""Why a verdict is as it is, for people: its reason, the words that it rests on, the tokens."""

import re
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from types import SimpleNamespace

from .check_input import check_references
from .common import argument, input_error, short_repr
from .contrastive_tests import CONTRASTS, Judgement
from .verdicts import PASS, Evidence

PLACES = re.compile(r"\*?\{[^}]*\}\*?(?:[ +]*\{[^}]*\}\*?)*")  # of words in a reason


def explain(sentences: list, judgements: dict[str, Judgement], direction: str, describe: Callable) -> dict:
    """The details of one group: verdicts, reasons, words, themes, tokens; with several tests all but tokens are dicts.

    The theme of what has not passed is its reason without the words, the same for all groups that fail alike.

    Args:
        sentences: the analysed translations as they were judged: the other way round for the direction "removed".
        describe: from readings to words, as in `verdicts.Rules`.
    """
    entries: dict[str, dict] = {"verdicts": {}, "reasons": {}, "words": {}, "themes": {}}
    for name, judgement in judgements.items():
        said: dict[str, list] = {"reasons": [], "words": [], "themes": []}
        for finding in judgement.findings:
            words = [_word(evidence, sentences, direction, describe) for evidence in finding.evidence]
            reason = finding.reason.format(*(SimpleNamespace(**word) for word in words))
            passed = finding.verdict == PASS
            said["words"].append(words)
            said["reasons"].append(reason if passed else f"{reason}; expected {CONTRASTS[name].sought}")
            said["themes"].append("" if passed else PLACES.sub("…", finding.reason))
        entries["verdicts"][name] = judgement.verdict
        for key, values in said.items():
            entries[key][name] = values if isinstance(judgement.verdict, list) else values[0]
    if len(judgements) == 1:
        entries = {key: value for key, (value,) in zip(entries, (e.values() for e in entries.values()), strict=True)}
    tokens = [[_written(word) for word in sentence] for sentence in sentences]
    return entries | {"tokens": tokens if direction == "added" else tokens[::-1]}


def _word(evidence: Evidence, sentences: list, direction: str, describe: Callable) -> dict:
    """Which translation, where among its tokens, the word, and the readings that count."""
    return {
        "translation": evidence.side if direction == "added" else 1 - evidence.side,
        "position": evidence.position,
        "form": _written(sentences[evidence.side][evidence.position]),
        "reading": describe(evidence.readings),
    }


def failures(result: dict, references: list[dict]) -> dict[str, dict[str, list]]:
    """The groups that have not passed, by test and by theme, the most frequent theme first.

    Args:
        result: what `compute` returned with details=True.
        references: those that it was computed with.

    Returns:
        {test: {theme: the groups' IDs in their suite, of a list their numbers}}; test C has no themes but for what was
        rejected.

    Raises:
        ValueError: a result without details, or of other references.
    """
    ids = ids_of(references)
    found = failed_groups(result, references)
    return {test: {theme: [ids[i] for i in numbers] for theme, numbers in of.items()} for test, of in found.items()}


def ids_of(references: list[dict]) -> Sequence:
    """What the groups are called: by their suite, else by their numbers, from 0."""
    return getattr(references, "ids", range(len(references)))


def failed_groups(result: dict, references: list[dict]) -> dict[str, dict[str, list[int]]]:
    """What `failures` returns, with the groups' numbers."""
    if not isinstance(result, Mapping) or "themes" not in result:
        raise input_error(argument("result"), short_repr(result), "a result of compute with details=True")
    references = check_references(references)
    if len(references) != len(result["themes"]):
        raise input_error("", f"{len(result['themes'])} groups and {len(references)} references", "the same groups")
    groups: defaultdict = defaultdict(lambda: defaultdict(list))
    for i, (reference, entry) in enumerate(zip(references, result["themes"], strict=True)):
        for test, themes in (entry if isinstance(entry, dict) else {reference["test"]: entry}).items():
            for theme in dict.fromkeys(themes if isinstance(themes, list) else [themes]):
                if theme:
                    groups[test][theme].append(i)
    return {test: dict(sorted(themes.items(), key=lambda item: -len(item[1]))) for test, themes in groups.items()}


def _written(word) -> str:
    """The word as it is written: adverbs of several words are one, with underscores."""
    return word.form.replace("_", " ")

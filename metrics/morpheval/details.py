"""Why a verdict is as it is, for people: its reason, the words that it rests on, the tokens."""

from collections.abc import Callable
from types import SimpleNamespace

from .contrasts import CONTRASTS, Judgement
from .verdicts import PASS, Evidence


def explain(sentences: list, judgements: dict[str, Judgement], direction: str, describe: Callable) -> dict:
    """The details of one group: verdicts, reasons, words, tokens; with several tests the first three are dicts by test.

    Args:
        sentences: the analysed translations as they were judged: the other way round for the direction "removed".
        describe: from readings to words, as in `verdicts.Rules`.
    """

    def per_side(judgement: Judgement, values: list):
        return values if isinstance(judgement.verdict, list) else values[0]

    entries = {"verdicts": {}, "reasons": {}, "words": {}}
    for name, judgement in judgements.items():
        words = [
            [_word(evidence, sentences, direction, describe) for evidence in f.evidence] for f in judgement.findings
        ]
        reasons = [_reason(finding, found, name) for finding, found in zip(judgement.findings, words)]
        entries["verdicts"][name] = judgement.verdict
        entries["reasons"][name] = per_side(judgement, reasons)
        entries["words"][name] = per_side(judgement, words)
    if len(judgements) == 1:
        entries = {key: value for key, (value,) in zip(entries, (e.values() for e in entries.values()))}
    tokens = [[_shown(word) for word in sentence] for sentence in sentences]
    return entries | {"tokens": tokens if direction == "added" else tokens[::-1]}


def _word(evidence: Evidence, sentences: list, direction: str, describe: Callable) -> dict:
    """Which translation, where among its tokens, the word, and the readings that count."""
    return {
        "translation": evidence.side if direction == "added" else 1 - evidence.side,
        "position": evidence.position,
        "form": _shown(sentences[evidence.side][evidence.position]),
        "reading": describe(evidence.readings),
    }


def _reason(finding, words: list[dict], test: str) -> str:
    reason = finding.reason.format(*(SimpleNamespace(**word) for word in words))
    return reason if finding.verdict == PASS else f"{reason}; expected {CONTRASTS[test].sought}"


def _shown(word) -> str:
    """The word as it is written: adverbs of several words are one, with underscores."""
    return word.form.replace("_", " ")

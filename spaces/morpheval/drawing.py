"""What the demo of morpheval draws: verdicts with their reasons, a failure card, and systems side by side."""

import re
from html import escape
from math import isnan
from typing import NamedTuple

from demo import framed, headings, number

CHIPS = {"pass": "good", "fail": "bad", "rejected": "unsure"}
ORDER = {"fail": 0, "rejected": 2, "pass": 3}  # entropies above 0 come after failures
MOST_SHOWN = 200  # verdicts on the screen; the files have all
NOTHING = "nothing"


class Verdict(NamedTuple):
    """One verdict of one system on one group.

    Attributes:
        test, system: their names.
        sources, translations: texts, the base first.
        value: "pass", "fail", "rejected", or test C's entropy.
        reason: in words, *words of the translation* between asterisks.
        marked: the translations as HTML, with the words that the verdict rests on marked.
        rests: how many these are.
    """

    test: str
    system: str
    sources: list
    translations: list
    value: object
    reason: str
    marked: list
    rests: int


def verdicts_of(system: str, suite: list, translations: list, result: dict) -> list[Verdict]:
    """All verdicts of a system, one for each test, group and, for `coref`, side."""
    verdicts = []
    details = (result[name] for name in ("verdicts", "reasons", "words", "tokens"))
    for group, texts, *given, tokens in zip(suite, translations, *details, strict=True):
        # A name without feature stands for several tests, each with its own verdict, reason and words.
        parts = [part if isinstance(part, dict) else {group["test"]: part} for part in given]
        for test in parts[0]:
            for value, reason, words in _sides(*(part[test] for part in parts)):
                marked = mark(tokens, words)
                verdicts.append(Verdict(test, system, group["sources"], texts, value, reason, marked, len(words)))
    return verdicts


def _sides(value, reason, words):
    """The verdicts of a group: one, or one for each side."""
    return zip(value, reason, words) if isinstance(value, list) else [(value, reason, words)]


def mark(tokens: list, words: list) -> list[str]:
    """Each translation as HTML, token by token; those that a verdict rests on are marked."""
    positions = {(word["translation"], word["position"]) for word in words}
    return [
        " ".join(f"<mark>{escape(t)}</mark>" if (i, j) in positions else escape(t) for j, t in enumerate(sentence))
        for i, sentence in enumerate(tokens)
    ]


def chip(value) -> str:
    """A verdict in a word and a colour; an entropy as a figure."""
    if isinstance(value, str):
        return f'<span class="chip {CHIPS[value]}">{value.upper()}</span>'
    return f'<span class="chip {"bad" if value else "good"}">entropy {number(value)}</span>'


def in_italics(reason: str) -> str:
    """A reason as HTML."""
    return re.sub(r"\*([^*]+)\*", r"<i>\1</i>", escape(reason))


def first_failure(verdicts: list[Verdict]) -> Verdict | None:
    """The failure that is told in the fewest words, if one of them rests on words."""
    failures = [v for v in verdicts if v.value == "fail"]
    return min(failures, key=lambda v: (not v.rests, len(v.reason)), default=None)


def card(verdict: Verdict | None, language: str) -> str:
    """A failure: what was said in English, what in the other language, and what is wrong with that."""
    if verdict is None:
        return '<div class="card"><p>No test failed.</p></div>'
    lines = "".join(
        f"<p>{escape(source)}<br><b>{translation}</b></p>"
        for source, translation in zip(verdict.sources, verdict.marked)
    )
    return (
        f'<div class="card"><h2>{chip(verdict.value)} {escape(verdict.test)}, system {escape(verdict.system)}</h2>'
        f"<p><small>English, and its translation into {language}:</small></p>{lines}"
        f"<p>Why: {in_italics(verdict.reason)}.</p></div>"
    )


def verdict_table(verdicts: list[Verdict]) -> str:
    """The verdicts, failures first, the words that they rest on marked."""
    ordered = sorted(verdicts, key=lambda v: ORDER.get(v.value, 1 if v.value else 3))
    body = "".join(
        f'<tr><th scope="row">{escape(v.test)}</th><td>{escape(v.system)}</td><td>{chip(v.value)}</td>'
        f"<td>{'<br>'.join(map(escape, v.sources))}</td><td>{'<br>'.join(v.marked)}</td>"
        f"<td>{in_italics(v.reason)}</td></tr>"
        for v in ordered[:MOST_SHOWN]
    )
    heads = ("test", "system", "verdict", "English", "translation", "reason")
    left = f" (the first {MOST_SHOWN} of {len(verdicts)}; the files have all)" if len(verdicts) > MOST_SHOWN else ""
    return framed(f"verdicts, failures first{left}", headings(heads) + body)


def tests_of(result: dict) -> list[str]:
    """The tests that a result has figures of."""
    return [key for key in result if f"{key}_n" in result and "_frequency_" not in key]


def side_by_side(results: dict, comparison: dict) -> str:
    """A row for each test: every system's accuracy with its interval, and the difference of two."""
    names, body = list(results), ""
    for test in tests_of(results[names[0]]):
        cells = "".join(f"<td>{_accuracy(test, result)}</td>" for result in results.values())
        cells += f"<td>{_difference(test, comparison)}</td>" if comparison else ""
        body += f'<tr><th scope="row">{escape(test)}</th>{cells}</tr>'
    heads = ["test", *names, *(["difference"] if comparison else [])]
    return framed("accuracy (of verb_ and adj_ the entropy: 0 is best) with 95 % intervals", headings(heads) + body)


def _accuracy(test, result):
    n, rejected = result[f"{test}_n"], result[f"{test}_rejected"]
    if not n:
        return f"{NOTHING} judged, {rejected} rejected"
    low, high = (number(result[f"{test}_{end}"]) for end in ("low", "high"))
    left_out = f", {rejected} rejected" if rejected else ""
    return f"<b>{number(result[test])}</b> <small>{low} to {high}, n = {n}{left_out}</small>"


def _difference(test, comparison):
    value, low, high = (comparison[f"{test}_{end}"] for end in ("difference", "difference_low", "difference_high"))
    if isnan(value):
        return ""
    interval = "" if isnan(low) else f" <small>{low:+.2f} to {high:+.2f}</small>"
    return f"<b>{value:+.2f}</b>{interval}"

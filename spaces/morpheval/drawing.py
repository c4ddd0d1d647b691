"""What the demo of morpheval draws: failure cards, systems side by side, what has changed, every verdict."""

import re
from html import escape
from math import isnan
from typing import NamedTuple

from demo import framed, headings, number

CHIPS = {"pass": "good", "fail": "bad", "rejected": "unsure"}
ORDER = {"fail": 0, "rejected": 2, "pass": 3}  # entropies above 0 come after failures
MOST_CARDS, MOST_CHANGES = 60, 5  # on the screen
FEW = 5  # sentences, below which a figure says little
# Words that tell the languages apart: in one of them frequent, in the others rare or none.
FREQUENT = {
    "French": frozenset("le les des est je il elle nous vous ils elles dans et du ne pas que une au aux sont".split()),
    "Spanish": frozenset("el los las es yo él ella nosotros ellos ellas en y del no que una al son muy creo".split()),
    "Italian": frozenset("il gli i è io lui lei noi loro nel e della non che una al sono più di lo".split()),
    "Portuguese": frozenset("o os as é eu ele ela nós eles elas em e do da no na não que um uma são muito".split()),
    "English": frozenset("the is are of and to he she they we you in not that a was were will his her".split()),
}
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
    return zip(value, reason, words, strict=True) if isinstance(value, list) else [(value, reason, words)]


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


def key_of(verdict: Verdict) -> tuple:
    """What tells a verdict from all others, whatever the translation."""
    return verdict.system, verdict.test, tuple(verdict.sources)


def is_failure(verdict: Verdict) -> bool:
    return verdict.value == "fail" or isinstance(verdict.value, float) and verdict.value > 0


def cards(verdicts: list[Verdict], first: set, language: str) -> tuple[str, dict]:
    """The failures as cards, one at a time, the one told in the fewest words first; and {test: number of a card}.

    Args:
        verdicts: all.
        first: keys of those that come first, whatever they say.
        language: of the translations.

    A card is chosen by its mark above it (mouse, keys or touch), by previous and next, or by its test in the chart.
    """
    failures = [v for v in verdicts if is_failure(v) or key_of(v) in first]
    passed = {v.test: v for v in verdicts if v.value != "rejected"}
    for v in failures:
        passed.pop(v.test, None)
    ordered = sorted(failures, key=lambda v: (key_of(v) not in first, v.value != "fail", not v.rests, len(v.reason)))[
        :MOST_CARDS
    ]
    ordered += passed.values()
    drawn = [_card(i, len(ordered), v, language) for i, v in enumerate(ordered)]
    of_test = {v.test: i for i, v in reversed(list(enumerate(ordered)))}
    if not drawn:
        return '<div class="card"><p>No sentence could be judged.</p></div>', {}
    failed, shown = sum(map(is_failure, verdicts)), sum(map(is_failure, ordered))
    told = f"{failed} in all" if shown == failed else f"the first {shown} of {failed}"
    return (
        f"<p>Cards: failures ({told}), and a contrast that passes of each test without one.</p>"
        f'<div class="cards" role="radiogroup" aria-label="verdicts, failures first">{"".join(drawn)}</div>'
    ), of_test


def _card(i, n, verdict, language):
    """A verdict: what was said in English, what in the other language, and what is wrong with that."""
    lines = "".join(
        f'<p>{escape(source)}<br><b lang="{language[:2].lower()}">{translation}</b></p>'
        for source, translation in zip(verdict.sources, verdict.marked, strict=True)
    )
    said = "fails" if is_failure(verdict) else "passes"
    name = escape(f"{i + 1}: {verdict.system} {said} {verdict.test}")
    return (
        f'<input type="radio" name="card" id="card{i}" class="{said}" aria-label="{name}"{"" if i else " checked"}>'
        f'<div class="card"><h2>{chip(verdict.value)} {escape(verdict.test)}, {escape(verdict.system)}</h2>'
        f"<p><small>English, and its translation into {escape(language)}:</small></p>{lines}"
        f"<p>Why: {in_italics(verdict.reason) or 'nothing is wrong'}.</p>"
        f'<p class="turn"><label for="card{(i - 1) % n}">← previous</label> card {i + 1} of {n} '
        f'<label for="card{(i + 1) % n}">next →</label></p></div>'
    )


def dumbbells(results: dict, of_test: dict) -> str:
    """A row for each test: both systems on one scale from 0 to 1, right is better; a test's name opens its card.

    For tests of consistency, 1 less the entropy, so that right is better everywhere.
    """
    names, rows = list(results), []
    for test in tests_of(next(iter(results.values()))):
        least = min(result.get(f"{test}_n", 0) for result in results.values())
        values = [share(test, result) for result in results.values()]
        if least:
            rows.append((min(values), test, least, values))
    body = ""
    for _, test, n, values in sorted(rows, key=lambda row: row[:2]):
        low, high = 100 * min(values), 100 * max(values)
        points = "".join(f'<b class="s{i}" style="left: {100 * value:.1f}%"></b>' for i, value in enumerate(values))
        name = re.sub(r"([_:])", r"\1<wbr>", escape(test))
        name = f'<label for="card{of_test[test]}">{name}</label>' if test in of_test else name
        said = " and ".join(number(value) for value in values)
        body += (
            f'<tr{" class=few" if n < FEW else ""}><th scope="row">{name}</th><td class="track" aria-hidden="true">'
            f'<div><i style="left: {low:.1f}%; width: {high - low:.1f}%"></i>{points}</div></td>'
            f'<td class="number">{said} <small>n = {n}</small></td></tr>'
        )
    legend = ", ".join(f'<span class="dot s{i}"></span> {escape(name)}' for i, name in enumerate(names))
    heads = headings(["test (press it: its card)", "0 to 1, right is better", " and ".join(names)])
    return (
        f"<h2>Test by test</h2><p>{legend}. Pale: fewer than {FEW} sentences, so the figure is unreliable.</p>"
        f'<div class="dumbbells">{framed("share of contrasts carried over", heads + body)}</div>'
    )


def share(test: str, result: dict) -> float:
    """How well a test went, from 0 to 1: the accuracy, or 1 less the entropy."""
    return 1 - result[test] if "_consistency" in test else result[test]


def changes(before: dict | None, now: dict) -> tuple[str, set]:
    """What has become of verdicts since last time, in a sentence, and the keys of those that changed.

    Args:
        before, now: {key of a verdict: its value}; before is None at first.
    """
    common = [key for key in now if key in (before or {})]
    changed = [key for key in common if before[key] != now[key]]
    if not common:
        return "", set()
    if not changed:
        return '<p role="status"><b>Judged again:</b> every verdict is as before.</p>', set()
    listed = "; ".join(
        f"{escape(test)} ({escape(system)}): {_word(before[system, test, texts])} → {_word(now[system, test, texts])}"
        for system, test, texts in changed[:MOST_CHANGES]
    )
    more = f" and {len(changed) - MOST_CHANGES} more" if len(changed) > MOST_CHANGES else ""
    return f'<p role="status"><b>Judged again:</b> {listed}{more}.</p>', set(changed)


def _word(value):
    return value if isinstance(value, str) else number(value)


def looks_like(texts: list, languages: list) -> str | None:
    """The language, of some, that most frequent words of the texts belong to; None where there are too few."""
    words = [word for text in texts for word in re.findall(r"[^\W\d_]+", text.lower())]
    counts = {name: sum(word in FREQUENT[name] for word in words) for name in languages if name in FREQUENT}
    best, *others = sorted(counts, key=counts.get, reverse=True) or [None]
    return best if best and counts[best] >= max(3, *(2 * counts[name] for name in others)) else None


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
    low, high = (result[f"{test}_{end}"] for end in ("low", "high"))
    interval = "" if isnan(low) else f"{number(low)} to {number(high)}, "
    left_out = f", {rejected} rejected" if rejected else ""
    return f"<b>{number(result[test])}</b> <small>{interval}n = {n}{left_out}</small>"


def _difference(test, comparison):
    value, low, high = (comparison[f"{test}_{end}"] for end in ("difference", "difference_low", "difference_high"))
    if isnan(value):
        return ""
    interval = "" if isnan(low) else f" <small>{low:+.2f} to {high:+.2f}</small>"
    return f"<b>{value:+.2f}</b>{interval}"


STYLE = """
.cards { display: flex; flex-wrap: wrap; gap: .35em; align-items: center }
.cards input { appearance: none; width: 1.5em; height: 1.5em; margin: 0; padding: 0; border: 0; border-radius: .3em;
  cursor: pointer; box-shadow: none }
.cards input.fails, .cards input.fails:checked { background: rgb(220, 38, 38) }
.cards input.passes, .cards input.passes:checked { background: rgb(5, 150, 105) }
.cards input:checked { outline: 3px solid currentColor; outline-offset: 1px }
.cards input:focus-visible { outline: 3px solid rgb(217, 119, 6) }
.cards .card { display: none; order: 1; width: 100%; font-size: 1.1em }
.cards input:checked + .card { display: block }
.cards h2 { margin: .1em 0; font-size: 1.3em }
.turn label, .dumbbells label { cursor: pointer; text-decoration: underline }
.turn { display: flex; gap: 1em }
.dumbbells table { width: 100% } .dumbbells th { font-weight: 400 } .dumbbells .grid { max-height: none }
.dumbbells .grid :is(table, tr, th, td) { border: 0 }
.dumbbells .track { width: 60%; min-width: 6em } .track div { position: relative; height: 1.2em; margin: 0 .6em }
.track div::before { content: ""; position: absolute; top: .55em; width: 100%;
  border-top: 1px dotted rgb(128, 128, 128) }
.track i { position: absolute; top: .5em; height: .2em; background: currentColor; opacity: .5 }
.track b, .dot { width: .9em; height: .9em; border: 1px solid var(--body-background-fill) }
.track b { position: absolute; top: .15em; margin-left: -.45em } .dot { display: inline-block; vertical-align: -.1em }
.s0 { background: rgb(37, 99, 235); border-radius: 50% } .s1 { background: rgb(217, 119, 6); transform: rotate(45deg) }
.track b.s1 { width: .6em; height: .6em; top: .28em; margin-left: -.3em }
.few th, .few td { color: var(--body-text-color-subdued) }
.few .track i { opacity: .2 } .few .track b { opacity: .6 }
@media (max-width: 40em) { .dumbbells .track { width: 35%; min-width: 4.5em } .dumbbells th { min-width: 5.5em } }
"""

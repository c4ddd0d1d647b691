"""What the demo of parapluie draws: a gauge, the words that differ, the judge's health, a map of pairs."""

import re
from html import escape
from math import exp

from demo import framed, grid, headings, module

differences = module("parapluie", "show_differences").differences
LEAST_MASS = 0.5  # of yes and no together; below it, the judge would say something else
ALL_MASS = 0.9999  # what more is left to nothing else
CLOSE = 0.4  # nats from 0, about 40 to 60 %, where a judge has no band of its own
VERDICTS = {True: ("good", "PARAPHRASE"), False: ("bad", "NOT A PARAPHRASE"), None: ("unsure", "TOO CLOSE TO CALL")}


def probability(score: float) -> float:
    """p(yes) among yes and no."""
    return 1 / (1 + exp(-max(min(score, 700), -700)))


def verdict(score: float, band: float) -> bool | None:
    """Whether it is a paraphrase; None where the score is so near to 0 that it is as good as open."""
    return None if abs(score) < band else score > 0


def chip(score: float, band: float) -> str:
    """The verdict, in colour."""
    colour, words = VERDICTS[verdict(score, band)]
    return f'<span class="chip {colour}">{words}</span>'


# ---- One pair ----


def one_pair(pair: tuple, score: float, band: float) -> str:
    """The verdict in large letters, the gauge, and the pair with the words that differ."""
    yes, low, high = (100 * probability(value) for value in (score, -band, band))
    a, b = differences(*pair)
    gauge = (
        f'<div class="gauge" role="img" aria-label="{yes:.0f} percent yes, from no to yes; {low:.0f} to {high:.0f} '
        f'is too close to call"><i style="left: {low:.1f}%; width: {high - low:.1f}%"></i>'
        f'<b style="left: {yes:.1f}%"></b></div>'
    )
    return (
        f'<p class="figure">{chip(score, band)} <small>{yes:.0f} % yes</small></p>{gauge}<div class="ends">'
        "<span>no, another meaning</span><span>too close to call</span><span>yes, the same meaning</span></div>"
        f'<div class="pair"><p dir="auto"><b>A</b> {a}</p><p dir="auto"><b>B</b> {b}</p></div>'
    )


def one_word_apart(pair: tuple, score: float, band: float) -> str:
    """Where a pair passes for a paraphrase and one word alone is another: which, for the visitor to decide."""
    marked = [re.findall("<mark>(.*?)</mark>", text) for text in differences(*pair)]
    if not verdict(score, band) or any(len(words) != 1 or " " in words[0] for words in marked):
        return ""
    (a,), (b,) = marked
    return (
        f"<p>Only one word differs: <mark>{a}</mark> and <mark>{b}</mark>. Judges often miss such a difference: decide "
        "yourself whether these two mean the same here.</p>"
    )


def health_in_words(result: dict, name: str) -> str:
    """In a sentence or two whether the judge can be relied on for the first pair."""
    mass, likeliest = result["answer_masses"][0], escape(result["likeliest"][0])
    if any(result.get("unread", ())):
        return (
            f'<p><span class="chip unsure">A GUESS</span> {escape(name)} reads English only, and cannot read a word or '
            "a sign of this. Do not rely on it.</p>"
        )
    if mass < LEAST_MASS:
        return (
            f'<p><span class="chip unsure">UNRELIABLE</span> {escape(name)} would rather say “{likeliest}”: yes and no '
            f"together have {mass:.0%} of its answer. Do not rely on it.</p>"
        )
    if "order_differences" in result:
        agree = result["order_agreement"] == 1
        words = "gives the same verdict" if agree else "does not always give the same verdict"
        return f"<p>{escape(name)} judges A, B and B, A, and {words}; what you see is the mean.</p>"
    if mass > ALL_MASS:  # a classifier, which has no other answers
        return f"<p>{escape(name)} is fast and calibrated, but sometimes misses a word that matters.</p>"
    return f"<p>Yes and no together have {mass:.0%} of {escape(name)}'s answer: it understood the question.</p>"


def grade_in_words(result: dict, grades: tuple) -> str:
    """The expected grade of one pair, and how much of the judge's answer the grades have."""
    low, high, mass = min(grades), max(grades), result["answer_mass"]
    unsure = '<span class="chip unsure">UNRELIABLE</span> ' if mass < LEAST_MASS else ""
    return (
        f"<p>{unsure}Asked for a grade instead, from {low} (nothing of A's meaning is kept) to {high} (all of it): "
        f"<b>{result['score']:.1f}</b>, the mean of the grades by their probabilities, which together are {mass:.0%} "
        "of its answer.</p>"
    )


def health(result: dict, most: int) -> str:
    """What the judge would say: the answers' probabilities, their sum, the most probable word."""
    rows = [
        (i, exp(yes), exp(no), mass, top_token)
        for i, ((yes, no), mass, top_token) in enumerate(
            zip(result["answer_log_probs"], result["answer_masses"], result["likeliest"], strict=True), 1
        )
    ]
    columns = ["pair", "p(yes)", "p(no)", "both together (mass)", "most probable"]
    return grid(columns, rows[:most], caption="what the judge would say")


# ---- Many pairs ----


def pair_table(pairs: list, scores: list, band: float, meant: dict, most: int) -> str:
    """Each pair with its verdict and probability, and what it is meant as, if that is known."""
    body = ""
    for (source, candidate), score in list(zip(pairs, scores, strict=True))[:most]:
        known, found = meant.get((source, candidate)), verdict(score, band)
        right = "open" if found is None else "correct" if known == found else "wrong"
        meant_as = f"<br><small>{right}: written as {'' if known else 'no '}paraphrase</small>"
        remark = "" if known is None else meant_as
        texts = "".join(f'<div dir="auto">{text}</div>' for text in differences(source, candidate))
        share = f'<td class="number">{probability(score):.0%}</td>'
        body += f"<tr><td>{chip(score, band)}{remark}</td>{share}<td>{texts}</td></tr>"
    left = f" (the first {most} of {len(pairs)})" if len(pairs) > most else ""
    return framed(f"every pair{left}", headings(["verdict", "yes", "A, and B below it"]) + body)


def pair_map(pairs: list, scores: list, distances: list, band: float) -> str:
    """Every pair as a point: upwards p(yes), to the right how many characters differ. A point shows its pair."""
    low, high = (100 * probability(-end) for end in (band, -band))
    points = ""
    for i, (pair, score, distance) in enumerate(zip(pairs, scores, distances, strict=True)):
        a, b = differences(*pair)
        yes, colour = probability(score), VERDICTS[verdict(score, band)][0]
        said = f"pair {i + 1}: {yes:.0%} yes, {distance:.0%} of the characters differ"
        points += (
            f'<input type="radio" name="pair" class="{colour}" aria-label="{said}"{" checked" if not i else ""} '
            f'style="left: {100 * distance:.1f}%; top: {100 - 100 * yes:.1f}%"><div class="card"><p>'
            f'{chip(score, band)} {yes:.0%} yes</p><p dir="auto">{a}</p><p dir="auto">{b}</p></div>'
        )
    return (
        '<div class="map" role="radiogroup" aria-label="the pairs"><div class="up">yes, the same meaning</div>'
        f'<div class="field"><i style="top: {low:.1f}%; height: {high - low:.1f}%"></i>{points}</div>'
        '<div class="down">no, another meaning</div><div class="across"><span>same characters</span>'
        "<span>all differ →</span></div>"
        "<p><small>Each point is a pair: press one, or use the arrow keys. Paraphrases far to the right are those that "
        "a comparison of letters would miss.</small></p></div>"
    )


STYLE = """
.gauge { position: relative; height: 1.6em; margin: 1.2em 0 .3em; border-radius: .8em; background:
  linear-gradient(90deg, rgba(220, 38, 38, .55), rgba(220, 38, 38, .15) 45%, rgba(5, 150, 105, .15) 55%,
  rgba(5, 150, 105, .55)) }
.gauge i { position: absolute; top: 0; bottom: 0; background: rgb(156, 163, 175) }
.gauge b { position: absolute; top: -.5em; bottom: -.5em; width: .5em; margin-left: -.25em; border-radius: .25em;
  background: currentColor; box-shadow: 0 0 0 2px var(--body-background-fill) }
.ends { display: flex; justify-content: space-between; gap: 1em; font-size: .85em }
.ends span:nth-child(2) { text-align: center } .ends span:last-child { text-align: right }
.pair { margin: 1.2em 0 .6em } .pair p { font-size: 1.3em; margin: .2em 0; line-height: 1.5 }
.pair p { position: relative; padding-inline-start: 1.6em }
.pair p > b { position: absolute; inset-inline-start: 0 }
.pair mark { color: inherit; background: rgba(217, 119, 6, .4); border-radius: .2em }
.beside { display: flex; flex-wrap: wrap; gap: 1em 2em }
.beside > * { flex: 1 1 20em; min-width: 0 }
.map { margin-bottom: 1em }
.map .up, .map .down, .map .across { font-size: .85em }
.map .across { display: flex; justify-content: space-between }
.map .field { position: relative; height: 16em; margin: .7em .7em .7em .4em; border: solid rgba(128, 128, 128, .7);
  border-width: 0 0 1px 1px }
.map .field > i { position: absolute; left: 0; right: 0; background: rgba(128, 128, 128, .25) }
.map input { appearance: none; position: absolute; width: 1.5em; height: 1.5em; margin: -.75em; padding: 0; border: 0;
  background: none; cursor: pointer; display: grid; place-content: center; box-shadow: none }
.map input::before { content: ""; width: .9em; height: .9em; border: 1px solid var(--body-background-fill) }
.map input.good::before { border-radius: 50%; background: rgb(5, 150, 105) }
.map input.bad::before { background: rgb(220, 38, 38) }
.map input.unsure::before { transform: rotate(45deg); background: rgb(107, 114, 128) }
.map input.good, .map input.bad, .map input.unsure { background: none }
.map input:checked { outline: 3px solid currentColor; border-radius: 50%; z-index: 1 }
.map input:focus-visible { outline: 3px solid rgb(217, 119, 6) }
.map input + .card { display: none }
.map input:checked + .card { display: block; position: absolute; top: calc(100% + 4em); left: 0; right: 0 }
.map:has(.card) > p { margin-top: 9.5em }
"""

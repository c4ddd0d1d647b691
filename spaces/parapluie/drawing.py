"""What the demo of parapluie draws: verdicts, how reliable the judge is, a map of many pairs."""

from html import escape
from math import exp

from demo import framed, grid, headings

LEAST_MASS = 0.5  # of yes and no together; below it, the judge would say something else


def probability(score: float) -> float:
    """p(yes) among yes and no."""
    return 1 / (1 + exp(-max(min(score, 700), -700)))


def chip(score: float) -> str:
    """The verdict, in colour."""
    colour, verdict = ("good", "PARAPHRASE") if score > 0 else ("bad", "NOT A PARAPHRASE")
    return f'<span class="chip {colour}">{verdict}</span>'


def pair_table(pairs: list, scores: list, meant: dict, most: int) -> str:
    """Each pair with its verdict and probability, and what it is meant as, if that is known."""
    body = ""
    for (source, candidate), score in list(zip(pairs, scores))[:most]:
        known = meant.get((source, candidate))
        right = "correct" if known == (score > 0) else "wrong"
        meant_as = f"<br><small>{right}: meant as {'a paraphrase' if known else 'none'}</small>"
        remark = "" if known is None else meant_as
        texts = f"<td>{escape(source)}<br>{escape(candidate)}</td>"
        share = f'<td class="number">{probability(score):.0%} <small>({score:+.1f})</small></td>'
        body += f"<tr><td>{chip(score)}{remark}</td>{share}{texts}</tr>"
    left = f" (the first {most} of {len(pairs)})" if len(pairs) > most else ""
    return framed(f"is B a paraphrase of A?{left}", headings(["verdict", "p(yes), score", "A, and B below it"]) + body)


def health(result: dict, most: int) -> str:
    """What the judge would say: the answers' probabilities, their sum, the most probable word."""
    rows = [
        (i, exp(yes), exp(no), mass, top_token)
        for i, ((yes, no), mass, top_token) in enumerate(
            zip(result["answer_log_probs"], result["answer_masses"], result["likeliest"]), 1
        )
    ]
    columns = ["pair", "p(yes)", "p(no)", "both together (mass)", "most probable"]
    return grid(columns, rows[:most], caption="what the judge would say")


def warning(result: dict) -> str:
    """Whether the judge would rather say something else."""
    weak = [word for word, mass in zip(result["likeliest"], result["answer_masses"]) if mass < LEAST_MASS]
    if not weak:
        return ""
    return (
        f'<p><span class="chip unsure">UNRELIABLE</span> For {len(weak)} of {len(result["likeliest"])} pairs the model '
        f"would rather say something other than yes or no, such as “{escape(weak[0])}”: do not rely on it.</p>"
    )


def pair_map(pairs: list, scores: list, distances: list) -> str:
    """Every pair as a dot: to the right how many characters differ, upwards its score, from 0."""
    top, dots = max(2, *map(abs, scores)), ""
    for (source, candidate), score, distance in zip(pairs, scores, distances):
        note = escape(f"{score:+.1f}: {source} / {candidate}")
        position = f"left: {4 + 92 * distance:.1f}%; top: {50 - 44 * score / top:.1f}%"
        dots += f'<i class="{"above" if score > 0 else "below"}" style="{position}" title="{note}"></i>'
    return (
        f'<div><div class="map" role="img" aria-label="{len(pairs)} pairs, score against edit distance; the table has '
        f'the figures"><b></b><small>+{top:.0f}</small>{dots}</div><p><small>Each mark is a pair (point at it): round '
        "and above the line at 0 for a paraphrase, square and below it for others; the further to the right, the "
        "more characters differ.</small></p></div>"
    )


STYLE = """
.beside { display: flex; flex-wrap: wrap; gap: 1em }
.beside > * { flex: 1 1 18em; min-width: 0 }
.map { position: relative; height: 14em; border: solid rgba(128, 128, 128, .5); border-width: 0 0 1px 1px }
.map b { position: absolute; top: 50%; width: 100%; border-top: 2px dashed }
.map small { padding: 0 .3em }
.map i { position: absolute; width: .8em; height: .8em; margin: -.4em }
.above { border-radius: 50%; background: rgb(5, 150, 105) }
.below { background: rgb(220, 38, 38) }
"""

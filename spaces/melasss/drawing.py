"""What the demo of melasss draws: summaries on one scale, sentences linked to their sources, what makes the score."""

from html import escape

from demo import bars, grid, number, shade

MOST_CELLS = 10_000  # of the heat map
MOST_LINKED = 80  # sentences of the text that light up
# What of the evidence speaks against a sentence, and the word for it.
DOUBTS = {
    "numbers": "NUMBER NOT IN THE TEXT",
    "names": "NAME NOT IN THE TEXT",
    "dates": "DATE NOT IN THE TEXT",
}


def _lit(i: int) -> str:
    """A text's sentence lights up with the summary's sentences that come from it, and these with it."""
    of, at = f'[data-of="{i}"]', f'[data-at="{i}"]'
    pointed = ":is(:hover, :focus)"
    return f".linked:has({of}{pointed}) {at}, .linked:has({at}{pointed}) {of}"


STYLE = f"""
.linked {{ display: flex; flex-wrap: wrap; gap: 0 1.5em }}
.linked > div {{ flex: 1 1 20em; min-width: 0 }}
.linked h2 {{ font-size: 1.1em; margin: .6em 0 .2em }}
.linked p {{ margin: .3em 0; padding: .3em .5em; border-radius: .4em; line-height: 1.5 }}
.linked p b:first-child {{ font-variant-numeric: tabular-nums }}
{", ".join(map(_lit, range(MOST_LINKED)))} {{ outline: 3px solid rgb(217, 119, 6) }}
"""


def scale(scores: dict, chosen: str, words: str) -> str:
    """The score of the chosen summary, large, and those of all on one scale."""
    rows = [(name, score, number(score), "" if name == chosen else "grey") for name, score in scores.items()]
    return (
        f'<p class="figure">{number(scores[chosen])} <small>{escape(chosen)}: {escape(words)}</small></p>'
        f"{bars(rows, 'all on one scale')}"
    )


def linked(row: dict) -> str:
    """Summary and text, sentence by sentence: which is nearest to which, and what has nothing near it.

    Args:
        row: the details of one example.
    """
    sentences, claims, cosines = (row[name] for name in ("text_sentences", "summary_sentences", "similarities"))
    best = [max(values, default=0.0) for values in cosines]  # an empty summary has no cosines
    found = [max(values) for values in zip(*cosines)]
    of = "".join(
        _line(f'data-of="{row["summary_matches"][j]}"', j, claim, found[j], _support(row, j))
        for j, claim in enumerate(claims)
    )
    at = "".join(
        _line(f'data-at="{i}"', i, sentence, best[i], _coverage(row, i, best[i]))
        for i, sentence in enumerate(sentences)
    )
    n, m = len(claims) - len(row["unsupported"]), len(sentences) - len(row["uncovered"])
    return (
        f"<p>{n} of the summary's {len(claims)} sentences have a source; {m} of the text's {len(sentences)} are "
        f'covered.</p><div class="linked"><div><h2>Summary, and where it is from</h2>{of or "<p>It is empty.</p>"}'
        f"</div><div><h2>Text, and what is covered</h2>{at}</div></div>"
    )


def _line(link, i, sentence, strength, note):
    """A numbered sentence, the stronger the colour the nearer its counterpart; what it is linked to lights up."""
    return (
        f'<p {link} tabindex="0" style="{shade(strength)}"><b>{i + 1}</b> {escape(sentence)} <small>{note}</small></p>'
    )


def _support(row, j):
    source = row["summary_matches"][j]
    cosine = row["similarities"][source][j]
    doubts = "".join(f'<br><span class="chip bad">{word}</span> {what}' for word, what in _doubts(row["evidence"][j]))
    if j in row["unsupported"]:
        return f'<span class="chip bad">NOT SUPPORTED</span> nearest: {source + 1}, cosine {number(cosine)}{doubts}'
    return f'<span class="chip good">from {source + 1}</span> cosine {number(cosine)}{doubts}'


def _doubts(evidence):
    """What speaks against a sentence: (word, what it is, as HTML) of numbers, names, dates and negations."""
    for kind, word in DOUBTS.items():
        if evidence[kind]:
            yield word, escape(", ".join(evidence[kind]))
    if evidence["negations"]:
        yield "NEGATION", "that the text does not make"


def _coverage(row, i, best):
    if i in row["uncovered"]:
        return f'<span class="chip unsure">not covered</span> best cosine {number(best)}'
    return f'<span class="chip good">covered by {row["text_matches"][i] + 1}</span> cosine {number(best)}'


def table_of_aspects(aspects: tuple, scores: dict) -> str:
    """The scores of summaries, {name: one for each aspect}, as a table with shades."""
    if not scores:
        return "<p>Only the metric's own regression has aspects.</p>"
    rows = [[name, *map(float, values)] for name, values in scores.items()]
    return grid(["summary", *aspects], rows, [row[1:] for row in rows], "estimated ratings, 0 to 1")


def reasons(contributions: dict, gates: dict, meanings: dict) -> str:
    """What raises and what lowers the score, in words, and what cuts it.

    Args:
        contributions: {term: log-odds} of the regression.
        gates: {gate: the share of the score that it takes away}.
        meanings: {term or gate: what it is}.
    """
    ordered = sorted(contributions, key=contributions.get, reverse=True)
    raised, lowered = ([t for t in ordered if sign * contributions[t] > 0.005] for sign in (1, -1))
    rows = {
        ("raises the score", "log-odds"): [(meanings[term], f"{contributions[term]:+.2f}") for term in raised],
        ("lowers the score", "log-odds"): [(meanings[term], f"{contributions[term]:+.2f}") for term in lowered[::-1]],
        ("cuts the score", "by"): [(meanings[gate], f"{share:.0%}") for gate, share in gates.items() if share],
    }
    return "".join(grid(list(columns), cells, caption=columns[0]) for columns, cells in rows.items() if cells)


def heat_map(row: dict) -> str:
    """Every cosine as a shaded cell, where they are not too many for a screen."""
    columns, rows = cosine_table(row)
    if len(columns) * len(rows) > MOST_CELLS:
        return f"<p>{len(rows)} times {len(columns) - 1} cosines are too many to show; the files have all.</p>"
    return grid(columns, rows, row["similarities"], "cosines; the summary's sentences in their order")


def cosine_table(row: dict) -> tuple:
    """(columns, rows) of the cosines."""
    columns = ["sentence of the text", *(f"summary {j + 1}" for j in range(len(row["summary_sentences"])))]
    pairs = enumerate(zip(row["text_sentences"], row["similarities"]), 1)
    return columns, [[f"{i}. {sentence}", *values] for i, (sentence, values) in pairs]

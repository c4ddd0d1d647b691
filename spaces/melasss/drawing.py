"""What the demo of melasss draws: one scale, sentences with their doubts and sources, why the score is so."""

import re
from html import escape

from demo import bars, grid, module, number, shade

DOUBTS = module("melasss", "show_doubts")
doubts, with_doubts = DOUBTS.doubts, DOUBTS.with_doubts
MOST_CELLS = 10_000  # of the heat map
MOST_LINKED = 80  # sentences of the text that light up
COVERAGE = {"covered": "good", "in doubt": "bad", "not covered": "unsure"}  # and the colour of each
# {term of the regression: what it says where it raises the score, and where it lowers it}.
SAID = {
    "token_recall": ("It comes close to what the text says at its beginning.", "It misses what the text begins with."),
    "word_recall": ("It has many of the text's important words.", "It lacks many of the text's important words."),
    "shared_words": ("It shares many different words with the text.", "It shares few different words with the text."),
    "repeated_pairs": ("It hardly repeats itself.", "It repeats itself."),
    "token_support": ("What it says is near what the text says.", "Some of what it says is far from the text."),
    "single_support": (
        "Its sentences each follow one sentence of the text.", "Its sentences do not follow single ones of the text.",
    ),
    "known_words": ("Nearly all its words are in the text.", "Too many of its words are not in the text."),
    "unknown_numbers": ("It has no number that the text lacks.", "It has numbers that the text lacks."),
}  # fmt: skip


def _lit(i: int) -> str:
    """A text's sentence lights up with the summary's sentences that come from it, and these with it."""
    of, at = f'[data-of="{i}"]', f'[data-at="{i}"]'
    pointed = ":is(:hover, :focus)"
    return f".linked:has({of}{pointed}) {at}, .linked:has({at}{pointed}) {of}"


STYLE = f"""
.linked {{ display: flex; flex-wrap: wrap; gap: 0 4em; position: relative }}
.linked > div {{ flex: 1 1 18em; min-width: 0 }}
.linked h2 {{ font-size: 1.1em; margin: .6em 0 .2em }}
.linked p {{ margin: .3em 0; padding: .3em .5em; border-radius: .4em; line-height: 1.5 }}
.linked p b:first-child {{ font-variant-numeric: tabular-nums }}
.linked p.doubted {{ background: rgba(220, 38, 38, .12); border-left: .3em solid rgb(220, 38, 38) }}
.linked mark {{ color: inherit; background: rgba(220, 38, 38, .3); border-radius: .2em; padding: 0 .1em;
  font-weight: 600 }}
.linked u {{ text-decoration: underline dotted rgb(220, 38, 38) 2px; text-underline-offset: .2em }}
.linked svg {{ position: absolute; inset: 0; width: 100%; height: 100%; pointer-events: none }}
.linked path {{ fill: none; stroke: rgb(37, 99, 235); stroke-width: 2; opacity: .7 }}
.linked path.doubted {{ stroke: rgb(220, 38, 38); stroke-dasharray: 5 4 }}
{", ".join(map(_lit, range(MOST_LINKED)))} {{ outline: 3px solid rgb(217, 119, 6) }}
"""
# Lines from each element with data-of to that with data-at of the same number, drawn anew when the page changes.
LINES = """
const draw = () => {
  const root = element.querySelector(".linked"), svg = "http://www.w3.org/2000/svg";
  if (!root) return;
  root.querySelector("svg")?.remove();
  const box = root.getBoundingClientRect(), lines = document.createElementNS(svg, "svg");
  lines.setAttribute("aria-hidden", "true");
  for (const of of root.querySelectorAll("[data-of]")) {
    const at = root.querySelector(`[data-at="${of.dataset.of}"]`), from = of.getBoundingClientRect();
    const to = at.getBoundingClientRect(), right = to.left > from.right;
    if (!right && to.right > from.left) continue;  // one above the other, on a narrow screen
    const x = (right ? from.right : from.left) - box.left, end = (right ? to.left : to.right) - box.left;
    const y = from.top + from.height / 2 - box.top, last = to.top + to.height / 2 - box.top, half = (x + end) / 2;
    const path = document.createElementNS(svg, "path");
    path.setAttribute("d", `M${x} ${y} C${half} ${y} ${half} ${last} ${end} ${last}`);
    path.setAttribute("class", of.className);
    lines.append(path);
  }
  root.append(lines);
};
new ResizeObserver(draw).observe(element);
new MutationObserver(() => element.querySelector(".linked > svg") || draw()).observe(
  element, {childList: true, subtree: true});
draw();
"""


def headline(scores: dict, chosen: list, words: str) -> str:
    """The score of the chosen summary, large; with two chosen, which is higher."""
    first, *second = (scores[name] for name in chosen)
    ahead = ""
    if second:
        side = "scores above" if first > second[0] else "scores below" if first < second[0] else "scores as"
        ahead = f"<p>“{escape(chosen[0])}” {side} {escape(chosen[1])}, {number(first)} to {number(second[0])}.</p>"
    return f'<p class="figure">{number(first)} <small>{escape(chosen[0])}: {escape(words)}</small></p>{ahead}'


def all_on_one_scale(scores: dict, chosen: list) -> str:
    """The scores of all summaries as bars, the chosen ones in colour."""
    kinds = dict(zip(chosen, ("", "other"), strict=False))
    rows = [(name, score, number(score), kinds.get(name, "grey")) for name, score in scores.items()]
    return bars(rows, "all on one scale")


# ---- Sentences ----


def verdict(rows: list) -> str:
    """In a sentence how many sentences of the summary say something that the text does not; of two, of each."""
    said = []
    for row, whose in zip(rows, ("The summary", "The other summary"), strict=False):
        n, doubted = len(row["summary_sentences"]), [j for j in range(len(row["summary_sentences"])) if doubts(row, j)]
        if not n:
            said.append(f'<span class="chip bad">NOTHING SAID</span> {whose} has no words.')
            continue
        if not doubted:
            lacking = dict.fromkeys(
                word for j in range(n) for word in re.findall("<u [^>]*>(.*?)</u>", with_doubts(row, j))
            )
            look = f" Look at the words that the text lacks: {', '.join(lacking)}." if lacking else ""
            said.append(
                f'<span class="chip unsure">NOTHING FLAGGED</span> {whose}: every sentence is near one of the text. '
                f"This compares words; it does not check facts.{look}"
            )
            continue
        listed = "; ".join(dict.fromkeys(what for j in doubted for what, _ in doubts(row, j)))
        said.append(f'<span class="chip bad">{len(doubted)} OF {n} IN DOUBT</span> {whose}: {listed}.')
    notes = [coverage(rows[:1], i) for i in range(len(rows[0]["text_sentences"]))]
    counted = ", ".join(f"{notes.count(note)} {note}" for note in COVERAGE if note in notes)
    return f"<p>{'<br>'.join(said)}</p><p>Of the text's sentences: {counted}.</p>"


def coverage(rows: list, i: int) -> str:
    """Whether a summary has something near sentence i of the text, and whether that is in doubt."""
    near = [row for row in rows if i not in row["uncovered"]]
    if not near:
        return "not covered"
    return "in doubt" if all(doubts(row, row["text_matches"][i]) for row in near) else "covered"


def linked(rows: list) -> str:
    """Summary and text, sentence by sentence, with lines between what is nearest; of two summaries, on both sides."""
    row, columns = rows[0], [_claims(each, i) for i, each in enumerate(rows)]
    lines = ""
    for i, sentence in enumerate(row["text_sentences"]):
        best = max(max(each["similarities"][i], default=0.0) for each in rows)  # an empty summary has no cosines
        said = coverage(rows, i)
        note = f'<span class="chip {COVERAGE[said]}">{said}</span>'
        lines += (
            f'<p data-at="{i}" tabindex="0" style="{shade(best)}"><b>{i + 1}</b> {escape(sentence)} <small>{note} '
            f"cosine {number(best)}</small></p>"
        )
    columns.insert(1, f"<div><h2>Text, and what is covered</h2>{lines}</div>")
    return (
        f'<div class="linked">{"".join(columns)}</div><p><small>Marked: what the text does not say. Dotted: a word '
        "that the text lacks. A line leads to the nearest sentence; blue is near, red and dashed is in doubt."
        "</small></p>"
    )


def _claims(row, number_of_summary):
    """The sentences of a summary, each with its source and its doubts."""
    lines = ""
    for j, source in enumerate(row["summary_matches"]):
        cosine, against = row["similarities"][source][j], doubts(row, j)
        kind = ' class="doubted"' if against else f' style="{shade(cosine)}"'
        chips = "".join(f'<span class="chip bad">{what}</span> ' for what, _ in against)
        chips = chips or f'<span class="chip good">from {source + 1}</span> '
        lines += (
            f'<p data-of="{source}" tabindex="0"{kind}><b>{j + 1}</b> {with_doubts(row, j)} <small>{chips}'
            f"nearest: {source + 1}, cosine {number(cosine)}</small></p>"
        )
    heading = ("Summary, and where it is from", "The other summary")[number_of_summary]
    return f"<div><h2>{heading}</h2>{lines or '<p>It has no words.</p>'}</div>"


# ---- The score ----


def table_of_aspects(aspects: tuple, scores: dict) -> str:
    """The scores of summaries, {name: one for each aspect}, as a table with shades."""
    if not scores:
        return "<p>Only the metric's own regression has aspects.</p>"
    rows = [[name, *map(float, values)] for name, values in scores.items()]
    return grid(["summary", *aspects], rows, [row[1:] for row in rows], "estimated ratings, 0 to 1")


def reasons(contributions: dict, meanings: dict) -> str:
    """Every term as a sentence, the strongest first, with how much it raises or lowers the score.

    Args:
        contributions: {term: log-odds} of the regression, beside an average summary.
        meanings: {term: what it is}, for one that has no sentence here.
    """
    rows = []
    for term, value in sorted(contributions.items(), key=lambda item: -abs(item[1])):
        raised, lowered = SAID.get(term, (f"{meanings.get(term, term)}: much.", f"{meanings.get(term, term)}: little."))
        strength = "much" if abs(value) > 0.3 else "somewhat" if abs(value) > 0.1 else "a little"
        rows.append(
            (raised if value > 0 else lowered, f"{'raises' if value > 0 else 'lowers'} it {strength}", f"{value:+.2f}")
        )
    return grid(["what the score sees", "what it does", "log-odds"], rows, caption="beside an average summary")


def heat_map(row: dict) -> str:
    """Every cosine as a shaded cell, where they are not too many for a screen."""
    columns, rows = cosine_table(row)
    if len(columns) * len(rows) > MOST_CELLS:
        return f"<p>{len(rows)} times {len(columns) - 1} cosines are too many to show; the files have all.</p>"
    return grid(columns, rows, row["similarities"], "cosines; the summary's sentences in their order")


def cosine_table(row: dict) -> tuple:
    """(columns, rows) of the cosines."""
    columns = ["sentence of the text", *(f"summary {j + 1}" for j in range(len(row["summary_sentences"])))]
    pairs = enumerate(zip(row["text_sentences"], row["similarities"], strict=True), 1)
    return columns, [[f"{i}. {sentence}", *values] for i, (sentence, values) in pairs]

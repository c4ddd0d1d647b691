"""Draw the README's figure from the tables in benchmarks/results: python docs/figure.py

Every bar is a cell of a table there, with its interval where the cell has one.
"""

import re
from html import escape
from pathlib import Path

HERE = Path(__file__).resolve().parent
RESULTS = HERE.parent / "benchmarks" / "results"
# Title, page, bars: the beginning of a row, its column (from 0, the row's name), what the figure calls it.
PANELS = (
    (
        "Coreference: seconds for 10,000 mentions",
        "side_by_side.md",
        (
            ("muc_b3_ceaf_entropy, mentions | 10,000", 3, "this, fourteen measures"),
            ("muc_b3_ceaf_entropy, mentions | 10,000", 2, "scorch, five measures"),
        ),
    ),
    (
        "Morphology: gender in MT-GenEval's references, %",
        "morpheval_mt_geneval.md",
        (
            ("gender of marked spans", 2, "this, precision"),
            ("gender of marked spans", 3, "this, recall"),
        ),
    ),
    (
        "Paraphrases: errors on PARAPHRASUS, %",
        "paraphrasus.md",
        (
            ("**small**", 13, "this, small judge"),
            ("edit distance, threshold", 13, "edit distance"),
            ("Llama-3.3-70B-Instruct (Q8) (published)", 13, "Llama-3.3-70B, published"),
        ),
    ),
    (
        "Summaries: Spearman with people, 5 sets left out",
        "validity.md",
        (
            ("**melasss**, pooled", 6, "this"),
            ("token matching F, pooled", 6, "token matching"),
            ("ROUGE-2 F1, pooled", 6, "ROUGE-2"),
            ("words, pooled", 6, "number of words"),
        ),
    ),
)
LEFT, WIDTH, ROW, PANEL = 170, 150, 20, 400  # pixels; two panels side by side


def cell(page: str, row: str, column: int) -> list[float]:
    """The numbers in a table's cell: the value, and its interval if there is one.

    Raises:
        ValueError: the page has no such row, or the cell no number.
    """
    lines = (RESULTS / page).read_text(encoding="utf-8").splitlines()
    found = [line for line in lines if line.startswith(f"| {row}")]
    if not found:
        raise ValueError(f"{page}: found no row {row!r}, expected one; adapt docs/figure.py")
    numbers = re.findall(r"-?\d+(?:\.\d+)?", found[0].split("|")[1:][column].replace(",", ""))
    if not numbers:
        raise ValueError(f"{page}: found no number in column {column} of {row!r}, expected one")
    return [float(number) for number in numbers[:3]]


def panel(title: str, page: str, bars: tuple, x: int, y: int) -> list[str]:
    """A title and a bar for each cell, in one scale."""
    values = [cell(page, row, column) for row, column, _ in bars]
    scale = WIDTH / max(max(numbers) for numbers in values)
    drawn = [f'<text x="{x}" y="{y + 14}" font-weight="bold">{escape(title)}</text>']
    for (_, _, name), (value, *interval) in zip(bars, values, strict=True):
        y += ROW
        end = LEFT + scale * max([value, *interval])
        colour = "#4477aa" if name.startswith("this") else "#bbbbbb"
        drawn += [
            f'<text x="{x}" y="{y + 14}">{escape(name)}</text>',
            f'<rect x="{x + LEFT}" y="{y + 3}" width="{max(1, scale * value):.1f}" height="14" fill="{colour}"/>',
            f'<text x="{x + end + 5:.1f}" y="{y + 14}">{value:g}</text>',
        ]
        if interval:
            low, high = (x + LEFT + scale * bound for bound in interval)
            drawn.append(f'<path d="M{low:.1f} {y + 10}H{high:.1f}" stroke="black" stroke-width="1.5"/>')
    return drawn


def figure() -> str:
    """All panels, as SVG on white."""
    parts, y = ['<rect width="100%" height="100%" fill="white"/>'], 5
    for pair in (PANELS[:2], PANELS[2:]):
        for place, each in enumerate(pair):
            parts += panel(*each, x=8 + place * PANEL, y=y)
        y += (max(len(bars) for *_, bars in pair) + 1) * ROW + 10
    size = f'width="{2 * PANEL}" height="{y}" font-family="sans-serif" font-size="12"'
    return "\n".join([f'<svg xmlns="http://www.w3.org/2000/svg" {size}>', *parts, "</svg>"]) + "\n"


if __name__ == "__main__":
    (HERE / "figure.svg").write_text(figure(), encoding="utf-8")

"""The page of --html: scores with intervals, systems compared, and the examples in which they differ most, marked."""

import argparse
from collections.abc import Callable, Iterable, Mapping, Sequence
from html import escape
from math import isfinite

from ..muc_b3_ceaf_entropy.common_page import STYLE, example, opened, page
from . import tables
from .shared import Output, Parser, decimal, figures

MOST = 20  # examples on a page
STYLE_OF_TEXTS = f"""{STYLE}
@media (min-width: 40em) {{ article p {{ padding-left: 7em }} article p > i {{ margin-left: -7em }} }}
article u {{ text-decoration: underline dotted 2px }}
.doubt {{ border-radius: .6em; padding: 0 .4em; background: rgb(220 38 38 / .25) }}
"""


def add_page_option(parser: Parser) -> None:
    """The page."""
    parser.add_argument(
        "--html",
        metavar="FILE",
        help="write an HTML page with the scores, their intervals and the examples in which the systems differ most; "
        "intervals are printed, too (--confidence 0.95 if it is not given)",
    )


def with_intervals(args: argparse.Namespace, n: int) -> None:
    """A page of two examples or more has intervals, where no confidence is given."""
    from ..muc_b3_ceaf_entropy.common_comparison import CONFIDENCE

    if args.html and n > 1 and args.confidence is None:
        args.confidence = CONFIDENCE


def scores_output(
    results: dict[str, dict],
    sample_of: Callable,
    args: argparse.Namespace,
    title: str,
    unit: str,
    body: Callable[[str, int], str],
    before: Callable[[int], str] | None = None,
) -> Output:
    """The scores of systems that score each example, as JSON those of the first, and the page if one is asked for.

    results: of each system, with details, of which `sample_of` gives what is compared; for the rest see `examples_of`.
    """
    first, comparison = figures(next(iter(results.values()))), {}
    scores = [tables.scores_table(first)]
    if len(results) > 1:
        comparison = tables.compared({name: sample_of(result) for name, result in results.items()}, args)
        # "score" has another name, too.
        scores = tables.comparison_tables(comparison, lambda key: key != "score", args.against)
    if args.json:
        lines = tables.as_json(first, args, comparison)
    else:
        lines = tables.printed(scores, args, first["signature"])
        has_head = comparison or args.percent or not tables.is_plain(args)
        lines = tables.with_signature(lines if has_head else lines[1:], first, args)
    if not args.html:
        return Output(lines)

    def written(score):
        return tables.hundredths(tables.in_percent(score, args.unscaled, "score")) if args.percent else decimal(score)

    examples = examples_of(
        unit, {name: result["scores"] for name, result in results.items()}, body, before, (), written
    )
    drawn = scores_page(f"{title}: {', '.join(results)}", scores, first["signature"], examples, args)
    return Output(lines, {args.html: drawn})


def scores_page(
    title: str,
    scores: Iterable[list[tuple]],
    signature: str,
    examples: Iterable[str],
    args: argparse.Namespace,
    style: str = STYLE_OF_TEXTS,
) -> str:
    """The page of tables as they are printed, and of examples, which are HTML."""
    scaled, number = tables.in_unit(scores, args.percent or args.in_percent, args.unscaled)
    drawn = [
        tables.as_html(rows, number, caption) for rows, caption in zip(scaled, ("Scores", "Differences"), strict=False)
    ]
    marks = f"Bold: the best; *: differs from {args.against or 'the best'}, corrected p below {tables.LEVEL}."
    note = f"<p><small>{escape(marks)}</small></p>" if len(drawn) > 1 else ""
    return page(
        title, *drawn[:1], note, *drawn[1:], f"<p><small>{escape(signature)}</small></p>", *examples, style=style
    )


def most_different(scores: Mapping[str, Sequence[float]]) -> list[int]:
    """The numbers of the examples whose scores differ most between the systems; of one system, of the lowest."""
    columns = list(zip(*scores.values(), strict=True))
    spread = [max(values) - min(values) if len(values) > 1 else -values[0] for values in columns]
    chosen = [i for i, value in enumerate(spread) if isfinite(value) and (value or len(scores) == 1)]
    return sorted(chosen, key=lambda i: -spread[i])[:MOST]


def examples_of(
    unit: str,
    scores: Mapping[str, Sequence[float]],
    body: Callable[[str, int], str],
    before: Callable[[int], str] | None = None,
    names: Sequence[str] = (),
    written: Callable[[float], str] = decimal,
) -> list[str]:
    """The examples in which the systems differ most, as HTML; long ones, and those after much text, are folded.

    scores: {system: a score for each example}; body(system, i) draws what a system says of an example, before(i) what
    stands above all systems; names: of the examples, else they are called by their unit and number.
    """
    chosen = most_different(scores)
    heading = f"The {unit}s in which the systems differ most" if len(scores) > 1 else f"The {unit}s that score least"
    drawn = []
    for i in chosen:
        each = {name: written(values[i]) for name, values in scores.items()}
        systems = (f"<h3>{escape(name)} {score}</h3>{body(name, i)}" for name, score in each.items())
        note = " · ".join(map(" ".join, each.items()))
        name = (names[i] if names else "") or f"{unit} {i + 1}"
        drawn.append((i, name, note, "".join([before(i) if before else "", *systems])))
    folds = opened(len(text.split()) for *_, text in drawn)
    examples = [example(*each, is_open) for each, is_open in zip(drawn, folds, strict=True)]
    return [f"<h2>{heading}</h2>", *examples] if examples else []

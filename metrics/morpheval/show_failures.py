"""What goes wrong, as one HTML page: groups that have not passed, by test and theme, with all systems' sentences."""

from collections.abc import Mapping
from functools import partial
from html import escape

from .check_input import check_translations
from .common_page import STYLE, page, table
from .show_reasons import failed_groups, ids_of

MOST = 50  # groups of a theme that are shown
GROUPS = f"""{STYLE}
.group td {{ white-space: normal; vertical-align: top; min-width: 9em }} .group :is(td, th) {{ text-align: left }}
.fail {{ background: rgb(220 38 38 / .25) }} .rejected {{ background: rgb(128 128 128 / .3) }}
"""


def failures_page(results: Mapping[str, dict], systems: Mapping[str, list], references: list[dict]) -> str:
    """The page, in one file without anything from elsewhere.

    Args:
        results: what `compute` returned with details=True for each system, by its name.
        systems: their translations.
        references: those that they were computed with.

    Raises:
        ValueError: a result without details or of other references, names that differ, translations of other groups.
    """
    if not results or list(results) != list(systems):
        raise ValueError(f"systems: found {list(systems)}, expected those of the results, {list(results)}")
    return page("Morpheval: what has not passed", themes(results, systems, references), style=GROUPS)


def themes(results: Mapping[str, dict], systems: Mapping[str, list], references: list[dict]) -> str:
    """What has not passed, as HTML; see `failures_page`."""
    found = {name: failed_groups(result, references) for name, result in results.items()}
    for name, groups in systems.items():
        check_translations(groups, references, name=name)
    parts = []
    for test in dict.fromkeys(test for each in found.values() for test in each):
        parts.append(f"<h2>{escape(test)}</h2>")
        for name, of_test in ((name, each[test]) for name, each in found.items() if test in each):
            for theme, groups in of_test.items():
                shown = "".join(group_table(test, i, results, systems, references) for i in groups[:MOST])
                more = f"<p>and {len(groups) - MOST} more</p>" if len(groups) > MOST else ""
                title = f"{escape(name)}: {escape(theme)} ({len(groups)})"
                parts.append(f"<details><summary>{title}</summary>{shown}{more}</details>")
    return "\n".join(parts) or "<p>All groups have passed.</p>"


def group_table(test: str, i: int, results: Mapping, systems: Mapping, references: list[dict]) -> str:
    """One group: its sentences, the words marked that the verdicts rest on; then the verdicts and their reasons."""
    rows = [
        [escape(source), *(_marked(test, i, j, results[name], groups) for name, groups in systems.items())]
        for j, source in enumerate(references[i]["sources"])
    ]
    rows.append(["", *map(partial(_judged, test, i), results.values())])
    return f'<div class="group">{table(["", *systems], rows, f"{test}, group {ids_of(references)[i]}")}</div>'


def _marked(test, i, j, result, groups):
    words = _of_test(result["words"][i], test)
    sides = words if words and isinstance(words[0], list) else [words]
    places = {word["position"] for side in sides for word in side if word["translation"] == j}
    text, drawn, last = groups[i][j], "", 0
    for place, token in enumerate(result["tokens"][i][j]):
        begin = text.lower().find(token.lower(), last)
        if begin >= 0:
            end = begin + len(token)
            word = f"<mark>{escape(text[begin:end])}</mark>" if place in places else escape(text[begin:end])
            drawn, last = f"{drawn}{escape(text[last:begin])}{word}", end
    return drawn + escape(text[last:])


def _judged(test, i, result):
    verdict, reason = (_of_test(result[key][i], test) for key in ("verdicts", "reasons"))
    kinds = verdict if isinstance(verdict, list) else [verdict]
    kind = next((kind for kind in ("fail", "rejected") if kind in kinds), "")
    return f"<div class={kind!r}>{escape(_joined(verdict))}: {escape(_joined(reason))}</div>"


def _of_test(value, test: str):
    return value[test] if isinstance(value, dict) else value


def _joined(value) -> str:
    return "; ".join(value) if isinstance(value, list) else f"{value:.3f}" if isinstance(value, float) else value

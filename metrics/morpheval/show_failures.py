"""What goes wrong, as one HTML page: groups that have not passed, by test and theme, with all systems' sentences."""

from collections.abc import Mapping
from html import escape

from .check_input import check_translations
from .common import argument, input_error
from .show_reasons import failed_groups, ids_of

STYLE = (
    "body{font:15px/1.4 sans-serif;max-width:70em;margin:2em auto;padding:0 1em}table{border-collapse:collapse;"
    "margin:.5em 0 1.5em}td,th{border:1px solid silver;padding:.2em .6em;text-align:left;vertical-align:top}"
    "summary{cursor:pointer}.fail{background:mistyrose}.rejected{background:gainsboro}"
)
MOST = 50  # groups of a theme that are shown


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
        raise input_error(argument("systems"), f"{list(systems)}", f"those of the results, {list(results)}")
    found = {name: failed_groups(result, references) for name, result in results.items()}
    for name, groups in systems.items():
        check_translations(groups, references, name=name)
    tests = dict.fromkeys(test for themes in found.values() for test in themes)
    parts = [f"<!DOCTYPE html><html lang='en'><meta charset='utf-8'><title>Morpheval</title><style>{STYLE}</style>"]
    parts.append("<h1>What has not passed</h1>")
    for test in tests:
        parts.append(f"<h2>{escape(test)}</h2>")
        for name, themes in ((name, themes[test]) for name, themes in found.items() if test in themes):
            for theme, groups in themes.items():
                shown = "".join(_table(test, i, results, systems, references) for i in groups[:MOST])
                more = f"<p>and {len(groups) - MOST} more</p>" if len(groups) > MOST else ""
                title = f"{escape(name)}: {escape(theme)} ({len(groups)})"
                parts.append(f"<details><summary>{title}</summary>{shown}{more}</details>")
    return "\n".join(parts) + ("" if tests else "<p>All groups have passed.</p>")


def _table(test: str, i: int, results: Mapping, systems: Mapping, references: list[dict]) -> str:
    """One group: a row for each sentence, and the verdicts with their reasons."""
    cells = [("th", "", f"group {ids_of(references)[i]}"), *(("th", "", name) for name in systems)]
    rows = [cells]
    for j, source in enumerate(references[i]["sources"]):
        rows.append([("td", "", source), *(("td", "", groups[i][j]) for groups in systems.values())])
    last = [("td", "", "")]
    for result in results.values():
        verdict, reason = (_of_test(result[key][i], test) for key in ("verdicts", "reasons"))
        kinds = verdict if isinstance(verdict, list) else [verdict]
        kind = next((kind for kind in ("fail", "rejected") if kind in kinds), "")
        last.append(("td", kind, f"{_joined(verdict)}: {_joined(reason)}"))
    return f"<table>{''.join(_row(row) for row in (*rows, last))}</table>"


def _of_test(value, test: str):
    return value[test] if isinstance(value, dict) else value


def _joined(value) -> str:
    return "; ".join(value) if isinstance(value, list) else f"{value:.3f}" if isinstance(value, float) else value


def _row(cells: list[tuple[str, str, str]]) -> str:
    return f"<tr>{''.join(f'<{tag} class={kind!r}>{escape(text)}</{tag}>' for tag, kind, text in cells)}</tr>"

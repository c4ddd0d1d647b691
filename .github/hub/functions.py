"""Write metrics/_functions.py, the package's functions, from what the metrics say of `compute`.

python .github/hub/functions.py

Each has its metric's options with their types and defaults, and the description of the metric's
class: written out, so that editors and type checkers know them without importing anything.
"""

import ast
import re
import sys
import textwrap
from inspect import formatannotation
from pathlib import Path
from unittest.mock import Mock

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))
sys.modules["metrics._functions"] = Mock()  # those of before are not needed, nor need they be right

from metrics._loading import METRICS, part  # noqa: E402

FILE = ROOT / "metrics" / "_functions.py"
WIDTH = 120
HEADER = '''\
# Written by make vendor, from the Options and the descriptions of the metrics: edit these.
"""The metrics as functions on plain data, without evaluate."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from ._loading import compute

if TYPE_CHECKING:
    from .morpheval.lexicon import Lexicon
else:  # for typing.get_type_hints, without what that module imports
    Lexicon = Any
'''
EXAMPLES = {  # types of predictions and references
    "coreference": ("Iterable[Iterable[Iterable[Any]]]", "Iterable[Iterable[Iterable[Any]]]"),
    "morphology": ("Iterable[Iterable[str]]", "Iterable[Mapping[str, Any]]"),
    "paraphrases": ("Iterable[str]", "Iterable[str]"),
    "summaries": ("Iterable[str | Iterable[str]]", "Iterable[str | Iterable[str]]"),
}
FUNCTION = '''

def {name}(
    predictions: {types[0]},
    references: {types[1]},
    *,
{options}
) -> dict[str, Any]:
{description}

{arguments}

    Raises:
        ValueError: an example or an option is wrong; it says which, what was found and what was expected.
    """
    return compute("{name}", **locals())
'''


def written() -> str:
    """The text of the module."""
    return HEADER + "".join(map(function, METRICS))


def function(metric) -> str:
    """One function."""
    parameters = part(metric.name, "scoring.Options").parameters()
    options = "\n".join(f"    {p.name}: {annotation(p)} = {literal(p.default)}," for p in parameters)
    description, arguments = descriptions(ROOT / "metrics" / metric.name / f"{metric.name}.py")
    given = {"name": metric.function, "types": EXAMPLES[metric.function], "options": options}
    return FUNCTION.format(**given, description=description, arguments=arguments)


def annotation(parameter) -> str:
    """Its type, without the modules."""
    return re.sub(r"\b\w+\.", "", formatannotation(parameter.annotation)).replace("'", '"')


def literal(value) -> str:
    """A default as the code is formatted."""
    return f'"{value}"' if isinstance(value, str) else repr(value)


def descriptions(path: Path) -> tuple[str, str]:
    """What a metric's main script says: what it is; arguments and result, without the example."""
    assigned = {
        node.targets[0].id: node.value.value
        for node in ast.parse(path.read_text(encoding="utf-8")).body
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant)
    }
    sections, _, _ = assigned["_KWARGS_DESCRIPTION"].partition("Example:\n")
    quoted = textwrap.fill('"""' + assigned["_DESCRIPTION"], WIDTH - 4, break_on_hyphens=False)
    return textwrap.indent(quoted, "    "), textwrap.indent(sections.strip(), "    ")


if __name__ == "__main__":
    FILE.write_text(written(), encoding="utf-8")
    print(FILE.relative_to(ROOT))

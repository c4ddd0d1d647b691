"""Run the notebooks and keep their outputs, without Jupyter: python docs/notebooks/run.py [NAME ...]

As in Jupyter, cells run one after the other in the notebook's folder, and what a cell prints and the value of its last
line are its outputs.
"""

import ast
import contextlib
import io
import json
import os
import sys
import warnings
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1]))

import metrics  # noqa: E402

sys.modules["meaning_metrics"] = metrics  # these files, whether the package is installed or not


def outputs(source: str, names: dict, count: int) -> list[dict]:
    """What a code cell shows; it is run with and leaves its names in `names`."""
    *body, last = ast.parse(source).body
    if not isinstance(last, ast.Expr):
        body, last = [*body, last], None
    printed, value = io.StringIO(), None
    with contextlib.redirect_stdout(printed):
        exec(compile(ast.Module(body, []), "<cell>", "exec"), names)
        if last is not None:
            value = eval(compile(ast.Expression(last.value), "<cell>", "eval"), names)
    text = printed.getvalue()
    shown = [{"name": "stdout", "output_type": "stream", "text": text.splitlines(True)}] if text else []
    if value is not None:
        html = {"text/html": value._repr_html_().splitlines(True)} if hasattr(value, "_repr_html_") else {}
        plain = "<picture>" if html else repr(value)
        data = html | {"text/plain": plain.splitlines(True)}
        shown.append({"data": data, "execution_count": count, "metadata": {}, "output_type": "execute_result"})
    return shown


def run(notebook: dict) -> dict:
    """The same notebook with the outputs that its cells have now."""
    names, cells, count = {"__name__": "__main__"}, [], 0
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            count += 1
            cell = cell | {"execution_count": count, "outputs": outputs("".join(cell["source"]), names, count)}
        cells.append(cell)
    return notebook | {"cells": cells}


def main(chosen: list[str], save: bool = True) -> None:
    """Run notebooks, all by default, and write them, or to standard output what would be written."""
    os.chdir(HERE)
    warnings.simplefilter("ignore")
    for name in chosen or sorted(path.stem for path in HERE.glob("*.ipynb")):
        path = HERE / f"{name}.ipynb"
        text = json.dumps(run(json.loads(path.read_text(encoding="utf-8"))), indent=1, ensure_ascii=False) + "\n"
        path.write_text(text, encoding="utf-8") if save else print(text)


if __name__ == "__main__":
    main([name for name in sys.argv[1:] if name != "--show"], save="--show" not in sys.argv)

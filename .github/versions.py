"""Print what setup.cfg requires, for users and for tests: python .github/versions.py oldest|newest

oldest: each package at its lower bound; newest: without bounds, so that pip takes the newest.
"""

import configparser
import re
import sys
from pathlib import Path

setup = configparser.ConfigParser()
setup.read(Path(__file__).resolve().parents[1] / "setup.cfg")
EXTRAS = ("evaluate", "morpheval", "parapluie", "melasss", "demo", "suites", "test")
parts = (setup["options"]["install_requires"], *map(setup["options.extras_require"].get, EXTRAS))
least, pinned = (dict(re.findall(rf"^(\S+?){how}(\S+)$", "\n".join(parts), re.MULTILINE)) for how in (">=", "=="))
bounds = pinned | least
print(*(f"{name}=={bound}" if sys.argv[1] == "oldest" else name for name, bound in bounds.items()), sep="\n")

"""Copy what several metrics, or several demos, share into the folders that have a copy.

python .github/hub/vendor.py [NAME ...]    (names of metrics that get the modules for the first time)
"""

import shutil
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PARTS = ("metrics", "spaces")


def vendor(names=()) -> list:
    """Copy every module of metrics/_common and spaces/_common; returns the copies' paths."""
    copies = []
    for part in PARTS:
        for source in sorted((ROOT / part / "_common").glob("*.py")):
            for folder in sorted((ROOT / part).iterdir()):
                if folder.name != "_common" and ((folder / source.name).exists() or folder.name in names):
                    copies.append(Path(shutil.copyfile(source, folder / source.name)))
    return copies


if __name__ == "__main__":
    for copy in vendor(sys.argv[1:]):
        print(copy.relative_to(ROOT))

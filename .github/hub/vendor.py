"""Copy the modules that several metrics share from metrics/_common into the folders of the metrics that have a copy.

python .github/hub/vendor.py [NAME ...]    (names of metrics that get the modules for the first time)
"""

import shutil
import sys
from pathlib import Path

METRICS = Path(__file__).resolve().parents[2] / "metrics"


def vendor(names=()) -> list:
    """Copy every shared module; returns the copies' paths."""
    copies = []
    for source in sorted((METRICS / "_common").glob("*.py")):
        for folder in sorted(METRICS.iterdir()):
            if folder.name != "_common" and ((folder / source.name).exists() or folder.name in names):
                copies.append(Path(shutil.copyfile(source, folder / source.name)))
    return copies


if __name__ == "__main__":
    for copy in vendor(sys.argv[1:]):
        print(copy.relative_to(METRICS.parent))

# Copied from metrics/_common/progress.py: edit there, then run make vendor.
"""Progress bars that need no `datasets`, and respect its switch where it is there."""

import sys
from collections.abc import Iterable


def progress(items: Iterable | None = None, **settings) -> Iterable:
    """The items, with a bar; or the bar alone. The settings are those of tqdm."""
    if "datasets" in sys.modules:
        from datasets.utils import tqdm
    else:
        from tqdm import tqdm
    return tqdm(items, **settings)

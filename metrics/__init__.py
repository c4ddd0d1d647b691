"""Four metrics of meaning: coreference, morphology, paraphrase, summaries. What is not used is not imported.

    >>> import meaning_metrics
    >>> result = meaning_metrics.coreference(predictions=[[["a", "b"], ["c"]]], references=[[["a", "b", "c"]]])
    >>> round(result["muc_f1"], 2)
    0.67

The classes (`MucB3CeafEntropy`, `Morpheval`, `Parapluie`, `Melasss`) are those that evaluate loads. The functions do
what their `compute` does, with the same options, checks, errors and result, on plain data and without evaluate;
`compare`, `compare_many` and `combine` take two systems, several, and results on parts of a corpus, of any metric. The
rest of a metric is in its modules, such as `meaning_metrics.muc_b3_ceaf_entropy.score_files`.
"""

from typing import TYPE_CHECKING

from ._functions import coreference, morphology, paraphrases, summaries
from ._loading import METRICS, hint, part
from ._statistics import combine, compare, compare_many

if TYPE_CHECKING:  # else when they are first used: evaluate takes seconds to import
    from .melasss.melasss import Melasss
    from .morpheval.morpheval import Morpheval
    from .muc_b3_ceaf_entropy.muc_b3_ceaf_entropy import MucB3CeafEntropy
    from .parapluie.parapluie import Parapluie

    __version__: str

__all__ = [
    "Melasss", "Morpheval", "MucB3CeafEntropy", "Parapluie",
    "__version__", "combine", "compare", "compare_many", "coreference", "morphology", "paraphrases", "summaries",
]  # fmt: skip


def __getattr__(name: str):
    if name == "__version__":
        return part("muc_b3_ceaf_entropy", "common.VERSION")
    for metric in METRICS:
        if name == metric.type:
            with hint("evaluate", metric.extra):
                return part(metric.name, f"{metric.name}.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__():
    return __all__

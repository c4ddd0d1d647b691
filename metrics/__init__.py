"""Four metrics of meaning: coreference, morphology, paraphrase, summaries. What is not used is not imported.

    >>> import meaning_metrics
    >>> result = meaning_metrics.coreference(predictions=[[["a", "b"], ["c"]]], references=[[["a", "b", "c"]]])
    >>> round(result["muc_f1"], 2)
    0.67

The classes (`MucB3CeafEntropy`, `Morpheval`, `Parapluie`, `Melasss`) are those that evaluate loads. The functions do
what their `compute` does, with the same options, checks, errors and result, on plain data and without evaluate. The
rest of a metric is in its modules, such as `meaning_metrics.muc_b3_ceaf_entropy.score_files`.
"""

from contextlib import closing, contextmanager
from importlib import import_module
from typing import NamedTuple


class _Metric(NamedTuple):
    """Where a metric's parts are; its extra is what `pip install` takes for it, "" for nothing."""

    function: str
    name: str
    type: str
    checks: str  # module and name of what brings its examples into one form
    extra: str = ""


_METRICS = (
    _Metric("coreference", "muc_b3_ceaf_entropy", "MucB3CeafEntropy", "check_input.check_documents"),
    _Metric("morphology", "morpheval", "Morpheval", "check_input.check_groups", "morpheval"),
    _Metric("paraphrases", "parapluie", "Parapluie", "scoring.check_pairs", "parapluie"),
    _Metric("summaries", "melasss", "Melasss", "scoring.check_examples", "melasss"),
)
_CLASSES = {metric.type: metric for metric in _METRICS}
_FUNCTIONS = {metric.function: metric for metric in _METRICS}

__all__ = ["__version__", *_CLASSES, *_FUNCTIONS]


def __getattr__(name: str):
    if name == "__version__":
        return _part("muc_b3_ceaf_entropy", "common.VERSION")
    if name in _CLASSES:
        metric = _CLASSES[name]
        with _hint("evaluate", metric.extra):
            return _part(metric.name, f"{metric.name}.{name}")
    if name in _FUNCTIONS:
        globals()[name] = function = _function(_FUNCTIONS[name])
        return function
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__():
    return sorted({*globals(), *__all__})


def _part(metric: str, path: str):
    """A name of a metric's module: "module.name"."""
    module, _, name = path.partition(".")
    return getattr(import_module(f".{metric}.{module}", __name__), name)


@contextmanager
def _hint(*extras: str):
    """A package that is missing inside is named with what to install."""
    try:
        yield
    except ModuleNotFoundError as error:
        wanted = ",".join(filter(None, extras))
        message = f"{error}, expected it: pip install 'meaning-metrics[{wanted}]'"
        raise ModuleNotFoundError(message, name=error.name) from error


def _function(metric: _Metric):
    """A metric's `compute` as a function on plain data."""
    with _hint(metric.extra):
        check_examples = _part(metric.name, metric.checks)
        Options, Scorer = (_part(metric.name, f"scoring.{each}") for each in ("Options", "Scorer"))
    keyword_options, metric_errors, version = (
        _part(metric.name, f"common.{each}") for each in ("keyword_options", "metric_errors", "VERSION")
    )

    def compute(predictions: list, references: list, options: Options) -> dict:
        predictions, references = check_examples(predictions, references)
        with _hint(metric.extra), closing(Scorer(options)) as scorer:
            result = scorer.score(predictions, references)
            signature = {"signature": f"{metric.name}|version:{version}|{scorer.signature()}"}
            return result | (signature if options.details else {})

    compute.__name__ = compute.__qualname__ = metric.function
    compute.__doc__ = f"""The metric {metric.name} on plain data, without evaluate.

    Args:
        predictions, references: as `{metric.type}.compute` takes them.
        options: those of `{metric.type}.compute`, by keyword.

    Returns:
        The dict that `{metric.type}.compute` gives.

    Raises:
        ValueError: an example or an option that it refuses, with the metric's name.
    """
    return metric_errors(metric.name)(keyword_options(compute))

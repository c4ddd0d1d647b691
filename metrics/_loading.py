"""Where the metrics' parts are, imported when they are first used; what is missing is named with what to install."""

import re
from collections.abc import Iterator
from contextlib import closing, contextmanager
from importlib import import_module
from importlib.metadata import PackageNotFoundError, requires
from typing import Any, Literal, NamedTuple

Name = Literal["muc_b3_ceaf_entropy", "morpheval", "parapluie", "melasss"]


class Metric(NamedTuple):
    """Where a metric's parts are; its extra is what `pip install` takes for it, "" for nothing."""

    function: str
    name: Name
    type: str
    unit: str  # what its examples are called
    checks: str  # module and name of what brings its examples into one form
    extra: str = ""


INSTALL = "; install what is missing: pip install "
MODELS = {"parapluie", "melasss"}  # the extras that bring torch and transformers
METRICS = (
    Metric("coreference", "muc_b3_ceaf_entropy", "MucB3CeafEntropy", "documents", "check_input.check_documents"),
    Metric("morphology", "morpheval", "Morpheval", "groups", "check_input.check_groups", "morpheval"),
    Metric("paraphrases", "parapluie", "Parapluie", "pairs", "scoring.check_pairs", "parapluie"),
    Metric("summaries", "melasss", "Melasss", "examples", "scoring.check_examples", "melasss"),
)


def part(metric: str, path: str) -> Any:
    """A name of a metric's module, "module.name", or a module."""
    name, _, inside = path.partition(".")
    module = import_module(f".{metric}.{name}", __package__)
    return getattr(module, inside) if inside else module


def input_error(where: str, found: str, expected: str) -> ValueError:
    """The metrics' error "where: found ..., expected ...", imported when there is one."""
    return part("muc_b3_ceaf_entropy", "common.input_error")(where, found, expected)


@contextmanager
def hint(*extras: str) -> Iterator[None]:
    """A package that is missing inside is named with what to install."""
    try:
        yield
    except ModuleNotFoundError as error:
        if INSTALL in str(error) or not any(extras):
            raise
        raise ModuleNotFoundError(f"{error}{INSTALL}{_needed(extras, error.name or '')}", name=error.name) from error


def _needed(extras: tuple, module: str) -> str:
    """What the extras bring, as pip takes it: by name, so that it does not matter where this package comes from.

    Where the default judge and encoder have the module, which is called like its package, it is what these need.
    """
    try:
        packages, small = _packages(extras), _packages(("small",))
    except PackageNotFoundError:  # a checkout that is not installed
        return f"'.[{','.join(filter(None, extras))}]' in the repository"
    names = {re.split("[<>=]", package)[0].lower() for package in small}
    is_small = MODELS & {*extras} and module.replace("_", "-").lower() in names
    return " ".join(f"'{package}'" for package in (small if is_small else packages))


def _packages(extras: tuple) -> list[str]:
    lines = [line.replace('"', "'").partition(";") for line in requires("meaning-metrics") or ()]
    return [line.strip() for line, _, of in lines if any(f"extra == '{each}'" in of for each in extras)]


class Result(dict):
    """A dict that a notebook shows as a table; copies of it, pickled ones too, are plain dicts.

    What asks for the very type, as yaml.safe_dump does, takes dict(result).
    """

    def _repr_html_(self) -> str:
        from ._commands.shared import figures
        from ._commands.tables import as_html, decimal, scores_table

        return as_html(scores_table(figures(self)), decimal, "Scores")

    def __reduce__(self):
        return dict, (dict(self),)


def compute(function: str, predictions, references, **options) -> dict[str, Any]:
    """What a metric's `compute` gives, on plain data and without evaluate."""
    [metric] = (metric for metric in METRICS if metric.function == function)
    with hint(metric.extra):
        common, scoring = (part(metric.name, each) for each in ("common", "scoring"))
        with common.metric_errors(metric.name):
            checked = scoring.Options(**with_default_judge(metric.name, options))
            examples = part(metric.name, metric.checks)(predictions, references)
            with closing(scoring.Scorer(checked)) as scorer:
                result = scorer.score(*examples)
                details = {"signature": common.full_signature(metric.name, scorer)} if checked.details else {}
                return Result(result | details)


def with_default_judge(metric: str, options: dict[str, Any]) -> dict[str, Any]:
    """Options of a metric; in those of parapluie the small judge, which runs anywhere, where none is named."""
    named = ("model_id", "model", "endpoint", "judge")
    if metric != "parapluie" or any(options.get(name) is not None for name in named):
        return options
    return {**options, "model_id": "small"}

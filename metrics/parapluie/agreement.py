"""How far several judges agree on the same pairs: Krippendorff's alpha, and every two of them beside each other."""

from collections.abc import Mapping
from itertools import combinations
from math import nan
from typing import Literal

import numpy as np

from .common import argument, input_error, is_listing, keyword_options, prefix_errors, short_repr
from .common_statistics import bootstrap_draws, percentiles
from .meta_evaluation import ResamplingOptions

Level = Literal["nominal", "interval"]


@keyword_options
def agreement(results, options: ResamplingOptions) -> dict:
    """How far judges agree, from their results on the same pairs.

    Of verdicts (above the threshold or not) alpha is nominal; of grades it is that of intervals, of the expected
    grades, and two judges agree on a pair where the most probable grade is the same. Alpha (Krippendorff 2018, chapter
    12, as the package `krippendorff` computes it) is 1 where all agree, 0 where they agree as by chance, and below 0
    where they agree less than that.

    Args:
        results: what `compute` gave with details=True for each judge, a list or {name of the judge: result}; at least
            two.
        confidence: of the intervals, percentiles of a bootstrap over the pairs (Efron 1979).
        resamples: its draws; 0 leaves the intervals out.
        seed: where the draws begin.
        details: True adds "judges", their names, and "pairwise", for every two of them a dict of their names ("a", "b")
            and of what the result has.

    Returns:
        alpha; agreement, the share of pairs on which two judges agree, mean over every two; each with <key>_low and
        <key>_high. Alpha is NaN where all verdicts are the same: then nothing says that they could differ.

    Raises:
        ImportError: the package krippendorff is not installed.
        ValueError: fewer than two results, one without details, or of other pairs, or of verdicts and grades both.
    """
    judges = _judges(results)
    values, verdicts, level = _columns(judges)
    order = np.lexsort([*values, *verdicts])  # what is drawn does not depend on the order of the pairs
    values, verdicts = values[:, order], verdicts[:, order]
    result = _agreement(values, verdicts, level, options)
    if options.details:
        names = list(judges)
        result["judges"] = names
        result["pairwise"] = [
            {"a": names[i], "b": names[k]} | _agreement(values[[i, k]], verdicts[[i, k]], level, options)
            for i, k in combinations(range(len(names)), 2)
        ]
    return result


def _judges(results) -> dict:
    """{name: result}, checked one by one."""
    if not isinstance(results, Mapping):
        if not is_listing(results):
            raise input_error(argument("results"), short_repr(results), "a list or a dict of results with details")
        results = {str(i): result for i, result in enumerate(results)}
    if len(results) < 2:
        raise input_error(argument("results"), f"{len(results)} results", "results of at least two judges")
    for name, result in results.items():
        with prefix_errors(f"results[{name!r}]"):
            if not isinstance(result, Mapping) or not isinstance(result.get("scores"), list):
                raise input_error("", short_repr(result), "a result of compute with details=True")
    return dict(results)


def _columns(judges: dict) -> tuple[np.ndarray, np.ndarray, Level]:
    """What alpha compares and what two judges agree on, of shape (judges, pairs), and alpha's level."""
    first = next(iter(judges.values()))
    graded, n = "grades" in first, len(first["scores"])
    for name, result in judges.items():
        if ("grades" in result) != graded or len(result["scores"]) != n:
            found = f"{len(result['scores'])} {'grades' if 'grades' in result else 'verdicts'}"
            expected = f"{n} {'grades' if graded else 'verdicts'}, as many as the first has, of the same pairs"
            raise input_error(f"results[{name!r}]", found, expected)
    if not n:
        raise input_error(argument("results"), "no pairs", "at least one pair")
    for name, result in judges.items():
        if result.get("edit_distances") != first.get("edit_distances"):
            raise ValueError(f"results[{name!r}]: found other pairs than the first has (their edit distances differ)")
        if graded and _scale(result) != _scale(first):
            raise input_error(f"results[{name!r}]", f"the {_scale(result)}", f"the {_scale(first)} of the first")
    verdicts = np.array([result["grades" if graded else "paraphrases"] for result in judges.values()], float)
    scores = np.array([result["scores"] for result in judges.values()], float)
    return (scores, verdicts, "interval") if graded else (verdicts, verdicts, "nominal")


def _scale(result) -> str:
    """What a result's signature says of its grades; "" where there is no signature."""
    return next((part for part in str(result.get("signature", "")).split("|") if part.startswith("grades:")), "")


def _agreement(values, verdicts, level, options) -> dict:
    """Both figures with their intervals."""
    pairs = np.arange(values.shape[1])

    def figures(drawn):  # (draws, pairs) -> (2, draws)
        return [[_alpha(values[:, each], level) for each in drawn], [_agreeing(verdicts[:, each]) for each in drawn]]

    result = {name: float(value) for name, (value,) in zip(("alpha", "agreement"), figures(pairs[None]), strict=True)}
    if not options.resamples:
        return result
    draws = bootstrap_draws([pairs], figures, options.resamples, options.seed, values.size)
    tail = (1 - options.confidence) / 2
    for name, ends in zip(list(result), percentiles(draws, [tail, 1 - tail]).tolist(), strict=True):
        result |= {f"{name}_{end}": value for end, value in zip(("low", "high"), ends, strict=True)}
    return result


def _alpha(values: np.ndarray, level: Level) -> float:
    """Krippendorff's alpha of (judges, pairs); NaN where all values are the same."""
    from krippendorff import alpha

    return nan if (values == values.flat[0]).all() else float(alpha(values, level_of_measurement=level))


def _agreeing(verdicts: np.ndarray) -> float:
    """The share of equal verdicts, mean over every two rows."""
    return float(np.mean([(a == b).mean() for a, b in combinations(verdicts, 2)]))

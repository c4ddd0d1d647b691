"""From compute to a score, on a toy metric: options, what survives failures, errors, signatures."""

import inspect
import warnings
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from dataclasses import FrozenInstanceError, dataclass
from typing import Literal

import datasets
import evaluate
import numpy as np
import pytest

from metrics._common.common import (
    VERSION,
    CheckedMetric,
    CheckedOptions,
    a_boolean,
    at_least,
    keyword_options,
    metric_errors,
    one_of,
    option,
    prefix_errors,
    warn,
)
from metrics.parapluie.scoring import check_texts


@dataclass(frozen=True, kw_only=True)
class Options(CheckedOptions):
    """How a toy scores."""

    size: int = option(1, at_least(1))
    case: str | None = option(None, one_of(("lower", "upper", None)))
    details: bool = option(False, a_boolean, affects_score=False)

    def check_together(self):
        if self.case == "upper" and self.size > 5:
            raise ValueError(f"size: found {self.size} in upper case, expected at most 5")


class Scorer:
    """Opens nothing; keeps what it is asked."""

    made = []

    def __init__(self, options):
        if options.size == 404:
            raise ValueError("model: found nothing there")
        self.options, self.closed, self.examples = options, False, None
        self.made.append(self)

    def score(self, predictions, references):
        self.examples = list(zip(predictions, references))
        if "?" in references:
            raise ValueError(f"pair {references.index('?')}: found '?'")
        if "interrupt" in references:
            raise KeyboardInterrupt
        if "" in predictions:
            warn("1 prediction is empty")
        return {"toy": float(len(predictions)), "size": self.options.size}

    def signature(self):
        return f"{self.options.signature()}|model:none"

    def close(self):
        self.closed = True


def check_pairs(predictions, references, start=0):
    predictions = check_texts(predictions, "predictions", start)
    references = check_texts(references, "references", start)
    if len(predictions) != len(references):
        raise ValueError(f"found {len(predictions)} and {len(references)}, expected the same number")
    return predictions, references


@keyword_options
def count(texts: list, options: Options) -> int:
    """How many texts are of some size."""
    return sum(len(text) >= options.size for text in texts)


class Toy(CheckedMetric, evaluate.Metric):
    """Counts pairs."""

    METRIC, UNIT = "toy", "pairs"
    Options, Scorer = Options, Scorer
    check_examples = staticmethod(check_pairs)
    count = staticmethod(count)

    def fail(self, texts):
        """A method that calls another public one, whose error comes through both."""
        warn("about to fail")
        return self.count(texts, size=0)

    def _info(self):
        text = datasets.Value("string")
        return evaluate.MetricInfo(
            description="", citation="", features=datasets.Features({"predictions": text, "references": text})
        )


@pytest.fixture(params=[True, False], ids=["in memory", "in a file"])
def metric(request, tmp_path):
    Scorer.made.clear()
    return Toy(keep_in_memory=request.param, cache_dir=str(tmp_path), experiment_id=request.node.name.split("[")[0])


def added(metric):
    """What a metric holds, in order, as its next score sees it."""
    metric.compute()
    return Scorer.made[-1].examples


PAIRS = [("a", "A"), ("b", "B"), ("c", "C")]


def add_pairs(metric):
    """Three pairs, one by one and as a batch."""
    metric.add(prediction="a", reference="A")
    metric.add_batch(predictions=["b", "c"], references=["B", "C"])


# ---- compute ----


def test_compute_shows_its_options(metric):
    parameters = inspect.signature(metric.compute).parameters
    assert list(parameters) == ["predictions", "references", "size", "case", "details"]
    assert {parameter.kind for parameter in parameters.values()} == {inspect.Parameter.KEYWORD_ONLY}
    assert [parameters[name].default for name in ("size", "case", "details")] == [1, None, False]
    assert [parameters[name].annotation for name in ("size", "case")] == [int, Literal["lower", "upper", None]]
    other = Toy(keep_in_memory=True)
    assert inspect.signature(other.compute) == inspect.signature(metric.compute)


def test_what_was_added_and_what_is_given_is_scored_together(metric):
    add_pairs(metric)
    assert metric.compute(predictions=["d"], references=["D"], size=2) == {"toy": 4.0, "size": 2}
    assert Scorer.made[-1].examples == [*PAIRS, ("d", "D")]
    assert metric.compute(predictions=["d"], references=["D"])["toy"] == 1.0  # a new round


@pytest.mark.parametrize(
    "options, kind, message",
    [
        ({"sise": 3}, TypeError, r"^compute\(\) found the unknown option 'sise', expected some of size, case"),
        ({"size": 0}, ValueError, "^toy: size: found 0, expected an integer of at least 1"),
        ({"case": "title"}, ValueError, "^toy: case: found 'title', expected one of lower, upper, None$"),
        ({"size": 6, "case": "upper"}, ValueError, "^toy: size: found 6 in upper case, expected at most 5$"),
        ({"size": 404}, ValueError, "^toy: model: found nothing there$"),
        ({"predictions": ["d"], "references": ["?"]}, ValueError, r"^toy: pair 3: found '\?'$"),
        ({"predictions": ["d"], "references": ["D", "E"]}, ValueError, "^toy: found 1 and 2, expected the same"),
        ({"predictions": ["d", 5], "references": ["D", "E"]}, ValueError, r"^toy: predictions\[4\]: found int 5"),
        ({"predictions": ["d"], "references": ["interrupt"]}, KeyboardInterrupt, "^$"),
    ],
    ids=["unknown", "wrong", "choice", "together", "out of reach", "score", "lengths", "example", "interrupted"],
)
def test_whatever_fails_what_was_added_stays(metric, options, kind, message):
    """And only that: what the failing call was given is not kept. Again, and after adding more."""
    add_pairs(metric)
    for _ in range(2):
        with pytest.raises(kind, match=message):
            metric.compute(**options)
    assert all(scorer.closed for scorer in Scorer.made)
    metric.add(prediction="e", reference="E")
    assert added(metric) == [*PAIRS, ("e", "E")]


def test_a_batch_that_is_refused_adds_nothing(metric):
    """Its examples are counted from those there are."""
    with pytest.raises(ValueError, match=r"^toy: references\[0\]: found int 1"):
        metric.add(prediction="x", reference=1)
    add_pairs(metric)
    with pytest.raises(ValueError, match=r"^toy: references\[4\]: found int 1"):
        metric.add_batch(predictions=["x", "y"], references=["X", 1])
    assert added(metric) == PAIRS


def test_nothing_at_all(metric):
    for _ in range(2):
        with pytest.raises(ValueError, match="^toy: found no pairs, expected pairs here or added before$"):
            metric.compute(size=404)  # nothing is opened for them
        assert metric.compute(predictions=["a"], references=["A"])["toy"] == 1.0


def test_signature(metric):
    """Version, what affects the score, what the scorer has opened; with details in the result."""
    assert metric.signature() == f"toy|version:{VERSION}|size:1|case:None|model:none"
    detailed = metric.compute(predictions=["a"], references=["A"], size=2, case="lower", details=True)
    assert detailed["signature"] == f"toy|version:{VERSION}|size:2|case:lower|model:none"
    assert detailed["signature"] == metric.signature(size=2, case="lower", details=False)
    assert [scorer.closed for scorer in Scorer.made] == [True] * 3  # one for each call
    with pytest.raises(ValueError, match="^toy: size: found 0"):
        metric.signature(size=0)
    with pytest.raises(TypeError, match=r"^signature\(\) found the unknown option 'sise'"):
        metric.signature(sise=0)


def test_two_processes_whose_results_are_one(tmp_path):
    """evaluate's num_process: each adds its share, the first has the result, in the order of the processes."""
    Scorer.made.clear()

    def share(process):
        options = {"num_process": 2, "process_id": process, "experiment_id": "two", "cache_dir": str(tmp_path)}
        metric = Toy(**options)
        metric.add_batch(predictions=[f"p{process}"] * 2, references=[f"r{process}"] * 2)
        return metric.compute(size=3)

    with ThreadPoolExecutor(2) as pool:
        assert list(pool.map(share, (0, 1))) == [{"toy": 4.0, "size": 3}, None]
    assert [scorer.examples for scorer in Scorer.made if scorer.examples] == [[("p0", "r0")] * 2 + [("p1", "r1")] * 2]


# ---- Names in errors and warnings ----


def test_errors_and_warnings_name_the_metric_once(metric):
    """However its methods call each other; also where a method is called on the class."""
    message = "^toy: size: found 0, expected"
    with pytest.warns(UserWarning, match="^toy: about to fail$"), pytest.raises(ValueError, match=message) as caught:
        metric.fail(["a"])
    assert str(caught.value.__cause__).startswith("size: found 0")
    with pytest.raises(ValueError, match="^toy: size: found 0"):
        Toy.count(["a"], size=0)
    with pytest.warns(UserWarning, match="^toy: 1 prediction is empty$"):
        metric.compute(predictions=[""], references=["A"])


def test_outside_a_metric_errors_and_warnings_have_no_name():
    with pytest.raises(ValueError, match="^size: found 0"):
        count(["a"], size=0)
    with pytest.warns(UserWarning, match="^beware$"):
        warn("beware")


def test_a_metric_inside_another_names_both():
    with (
        pytest.raises(ValueError, match="^outer: toy: lexicon: wrong$"),
        metric_errors("outer"), metric_errors("toy"), metric_errors("toy"), prefix_errors("lexicon"),
    ):  # fmt: skip
        raise ValueError("wrong")
    with pytest.raises(KeyError, match="as it is"), metric_errors("toy"):
        raise KeyError("as it is")


def test_names_of_threads_are_their_own():
    """A warning in one thread is not in the name of another's metric."""

    def message(_):
        with warnings.catch_warnings(record=True) as given:
            warnings.simplefilter("always")
            warn("beware")
        return [str(warning.message) for warning in given]

    with metric_errors("toy"), ThreadPoolExecutor(1) as pool:
        assert list(pool.map(message, [0])) == [["beware"]]
        assert copy_context().run(message, 0) == ["toy: beware"]


# ---- Options ----


def test_options_are_checked_and_converted():
    options = Options(size=np.int64(2), case="lower")
    assert (options.size, options.case, options.details) == (2, "lower", False)
    with pytest.raises(FrozenInstanceError):
        options.size = 3
    with pytest.raises(TypeError):
        Options(3)


def test_subclasses_take_over_options_and_their_checks():
    @dataclass(frozen=True, kw_only=True)
    class More(Options):
        """One option more."""

        seed: int = option(0, at_least(0))

    assert [parameter.name for parameter in More.parameters()] == ["size", "case", "details", "seed"]
    assert More(seed=3).signature() == "size:1|case:None|seed:3"
    with pytest.raises(ValueError, match="^size: found 6 in upper case"):
        More(size=6, case="upper")


def test_functions_with_keyword_options():
    parameters = inspect.signature(count).parameters
    assert list(parameters) == ["texts", "size", "case", "details"]
    assert parameters["size"].kind is inspect.Parameter.KEYWORD_ONLY and parameters["size"].default == 1
    assert count.__doc__ == "How many texts are of some size."
    assert count(["a", "bb"]) == count(texts=["a", "bb"]) == 2 and count(["a", "bb"], size=2) == 1
    with pytest.raises(TypeError, match=r"^count\(\) found the unknown option 'sise', expected some of size, case"):
        count(["a"], sise=1)
    with pytest.raises(TypeError, match="missing 1 required positional argument: 'texts'"):
        count(size=1)


def test_methods_with_keyword_options_show_them(metric):
    for method in (metric.count, Toy.count):
        assert list(inspect.signature(method).parameters) == ["texts", "size", "case", "details"]
        assert method(["a", "bb"], size=2) == 1

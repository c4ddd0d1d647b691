"""Options and Scorer: said once, shown by name, usable without evaluate; what was added is never lost."""

import inspect
import json

import pytest

from metrics.muc_b3_ceaf_entropy.check_input import check_documents
from metrics.muc_b3_ceaf_entropy.scoring import Options, Scorer

KEY = [["a", "b"], ["c"]]
RESPONSE = [["a"], ["b", "c"]]
SCORING = ["measures", "mentions", "zero_division", "average", "keep_singletons", "subset"]


def options_of(function):
    parameters = inspect.signature(function).parameters.values()
    return {p.name: p.default for p in parameters if p.kind is p.KEYWORD_ONLY}


def test_methods_show_their_options(metric):
    assert list(options_of(metric.compute)) == [
        *("predictions", "references"),
        *SCORING,
        *("confidence", "n_resamples", "seed", "details", "baselines"),
    ]
    assert options_of(metric.compute)["n_resamples"] == 1000
    assert list(options_of(metric.compute_typed)) == list(options_of(metric.compute))[2:]
    assert list(options_of(metric.link_mentions)) == ["template", "answers", "threshold"]
    for method in (metric.compute_typed, metric.link_mentions, metric.read_conll):
        assert "Raises:" in method.__doc__


def test_a_scorer_needs_no_evaluate(metric):
    documents = [[(0, 1), (3, 3)]], [[(0, 1)], [(3, 3)]], []
    responses, keys = documents[:2], documents[1::-1]
    options = {"baselines": True, "confidence": 0.9, "average": "macro", "mentions": "union"}
    result = Scorer(Options(**options)).score(*check_documents(responses, keys))
    assert result == pytest.approx(metric.compute(predictions=responses, references=keys, **options), nan_ok=True)


def test_typed_links_leave_added_documents_alone(metric):
    metric.add(prediction=KEY, reference=KEY)
    assert metric.compute_typed({"x": [RESPONSE]}, {"x": [KEY]}, measures=["muc"])["x_muc_f1"] == 0.0
    with pytest.raises(ValueError, match="^muc_b3_ceaf_entropy: link type 'x': document 0: found the mention"):
        metric.compute_typed({"x": [RESPONSE]}, {"x": [[["a"]]]}, mentions="strict")
    with pytest.raises(ValueError, match="^muc_b3_ceaf_entropy: measures: found 'x'"):
        metric.compute_typed({"x": [RESPONSE]}, {"x": [KEY]}, measures=["x"])
    assert metric.compute()["b3_f1"] == 1.0


def test_signature(metric):
    default = metric.signature()
    assert default.startswith("muc_b3_ceaf_entropy|version:")
    assert default.endswith("|mentions:raw|zero_division:0.0|average:micro|keep_singletons:True|subset:None")
    assert metric.signature(measures=["muc"], baselines=True, details=True, confidence=0.9, seed=1) == default
    for changed in ({"mentions": "union"}, {"average": "macro"}, {"keep_singletons": False}):
        assert metric.signature(**changed) != default
    subsets = [[["a", "b"], ["c"]], [["b", "a"], {"c"}], [["a"], ["b", "c"]]]
    first, same, other = (metric.signature(subset=subset) for subset in subsets)
    assert first == same != other and "|subset:2 documents@" in first
    with pytest.raises(ValueError, match="^muc_b3_ceaf_entropy: average: found 'x'"):
        metric.signature(average="x")


def test_signature_stands_under_details(metric):
    options = {"details": True, "zero_division": float("nan"), "measures": ["b3"]}
    result = metric.compute(predictions=[RESPONSE], references=[KEY], **options)
    assert list(result) == ["b3_recall", "b3_precision", "b3_f1", "documents", "totals", "signature"]
    assert result["signature"] == metric.signature(**options)
    assert "|zero_division:nan|" in json.loads(json.dumps(result))["signature"]

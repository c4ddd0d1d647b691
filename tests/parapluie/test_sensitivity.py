"""How far verdicts depend on template and order: figures by hand from compute's own scores."""

import numpy as np
import pytest

from .conftest import DEMO_MODEL, Said, random_judge
from .test_judge_pairs import save_classifier

SOURCES = ["the cat sat", "a", "it rains", "she sings"]
HYPOTHESES = ["a cat sat", "the end", "late", "she does not sing"]
TEMPLATES = ["direct", [{"role": "user", "content": "Same? {source} / {hypothesis}"}]]


@pytest.fixture(scope="module")
def classifier(tmp_path_factory):
    return save_classifier(tmp_path_factory.mktemp("classifier"))


@random_judge
def test_against_compute(metric):
    found = metric.sensitivity(HYPOTHESES, SOURCES, TEMPLATES, model_id=DEMO_MODEL, details=True, threshold=0.1)

    def scores(predictions, references, template):
        options = {"model_id": DEMO_MODEL, "template": template, "details": True}
        return metric.compute(predictions=predictions, references=references, **options)["scores"]

    there = np.array([scores(HYPOTHESES, SOURCES, template) for template in TEMPLATES])
    back = np.array([scores(SOURCES, HYPOTHESES, template) for template in TEMPLATES])
    assert np.array(found["scores"]) == pytest.approx(there, abs=1e-4)
    assert np.array(found["reversed_scores"]) == pytest.approx(back, abs=1e-4)
    everything = np.concatenate([there, back])
    spreads = everything.max(0) - everything.min(0)
    assert found["spreads"] == pytest.approx(spreads, abs=2e-4)
    assert found["spread"] == pytest.approx(spreads.mean(), abs=2e-4)
    assert found["order_difference"] == pytest.approx(np.abs(there - back).mean(), abs=2e-4)
    yes = (everything > 0.1).sum(0)
    assert found["verdicts"] == yes.tolist()
    assert found["agreement"] == np.mean((yes == 0) | (yes == 4))
    order = np.mean([np.mean((a > 0.1) == (b > 0.1)) for a, b in zip(there, back)])
    wording = np.mean([np.mean((a > 0.1) == (b > 0.1)) for a, b in (there, back)])
    assert (found["order_agreement"], found["template_agreement"]) == pytest.approx((order, wording))


def test_a_score_at_the_threshold_is_none_of_a_paraphrase(metric):
    judge = Said((-1.0, -1.0, "yes"))
    options = {"judge": judge, "threshold": 0.0, "details": True}
    assert metric.sensitivity(["a"], ["b"], TEMPLATES, **options)["verdicts"] == [0]
    assert metric.compute(predictions=["a"], references=["b"], judge=judge, threshold=0.0)["paraphrase_rate"] == 0


def test_classifier_of_pairs(metric, classifier):
    found = metric.sensitivity(HYPOTHESES, SOURCES, model_id=classifier, details=True)
    assert found["template_agreement"] == 1 and len(found["scores"]) == 1
    assert found["spread"] == found["order_difference"] > 0


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"templates": "direct"}, "templates: found 'direct', expected a list of templates"),
        ({"templates": []}, r"templates: found \[\], expected a list of templates"),
        ({"templates": [{"role": "user", "content": "x"}]}, "templates: found .*, expected a list of templates"),
        ({"template": "indirect", "explanations": ["a"] * 4}, "explanations: found explanations, expected none"),
    ],
)
def test_faults(metric, options, message):
    with pytest.raises(ValueError, match=message):
        metric.sensitivity(HYPOTHESES, SOURCES, model_id=DEMO_MODEL, **options)

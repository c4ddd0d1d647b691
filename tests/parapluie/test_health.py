"""Judge health: how much of the model's probability the two answers have, and what is said where it is little."""

import copy
import warnings

import numpy as np
import pytest

from metrics.parapluie.common_judge import YES_OR_NO, Judgement
from metrics.parapluie.common_prompts import Prompts
from metrics.parapluie.judge_local import LocalModel
from metrics.parapluie.scoring import mass
from metrics.parapluie.templates import TEMPLATES

from ..common import oracle
from ..common.judging import expected_log_probs, prompt_ids
from ..common.models import CHATML, TOKENIZERS, tiny_model
from .conftest import Said, random_judge
from .test_metric import FIELDS, HYPOTHESES, SOURCES


@pytest.fixture(scope="module")
def judge():
    tokenizer = TOKENIZERS["llama-3"]()
    return {"model": tiny_model("llama", len(tokenizer)), "tokenizer": tokenizer}


@pytest.fixture
def compute(metric):
    def compute(predictions=HYPOTHESES, references=SOURCES, **options):
        options = {"template": "direct", "details": True, **options}
        return metric.compute(predictions=predictions, references=references, **options)

    return compute


@random_judge
@pytest.mark.parametrize("template", ["direct", "fs_direct"])
def test_masses_equal_a_softmax_over_the_vocabulary(compute, judge, template):
    result = compute(template=template, **judge)
    local = LocalModel(*judge.values())
    expected = expected_log_probs(local, TEMPLATES[template], FIELDS, YES_OR_NO)
    assert result["answer_log_probs"] == [pytest.approx(pair, abs=1e-3) for pair in expected]
    assert result["answer_masses"] == pytest.approx(np.exp(result["answer_log_probs"]).sum(axis=1))
    assert result["answer_mass"] == pytest.approx(np.mean(result["answer_masses"]))
    assert result["scores"] == pytest.approx([first - second for first, second in result["answer_log_probs"]])
    assert result["score"] == pytest.approx(np.mean(result["scores"]))
    assert result["paraphrase_rate"] == np.mean(np.array(result["scores"]) > 0)
    prompts = prompt_ids(local.prompts, TEMPLATES[template], FIELDS)
    assert result["likeliest"] == [local.tokenizer.decode([oracle.likeliest(local.model, ids)]) for ids in prompts]


def test_order_of_the_results(compute, judge):
    with pytest.warns(UserWarning):
        result = compute(["", "b"], ["a", "b"], classify=True, **judge)
    assert list(result) == [
        "score", "parapluie", "paraphrase_rate", "answer_mass", "classified_rate", "empty_predictions",
        "scores", "paraphrases", "answer_masses", "answer_log_probs", "likeliest", "bounded",
        "edit_distances", "classes", "edit_distance_correlation", "signature",
    ]  # fmt: skip


def test_the_mass():
    assert mass(Judgement(np.log(0.5), np.log(0.25), "yes")) == pytest.approx(0.75)
    assert mass(Judgement(1e-4, -20.0, "yes")) == 1.0  # rounding


# ---- The warning ----


def half(mass, word):
    return float(np.log(mass / 2)), float(np.log(mass / 2)), word


def test_the_warning_says_how_many_what_instead_and_what_to_do(compute):
    judge = Said(half(0.49, " Sure"), half(0.6, " yes"), half(0.2, " Sure"), half(0.01, "The"))
    with pytest.warns(UserWarning) as given:
        result = compute(judge=judge)
    [message] = [str(warning.message) for warning in given]
    assert message.startswith("parapluie: for 3 of 4 pairs the two answers together are less likely than 0.5; ")
    assert "the model would rather say ' Sure' (2 times)" in message
    assert "Pass answers= with the words that it uses, or take another template or model" in message
    assert result["answer_mass"] == pytest.approx((0.49 + 0.6 + 0.2 + 0.01) / 4)
    assert result["likeliest"] == [" Sure", " yes", " Sure", "The"]


def test_half_is_enough(compute):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert compute(judge=Said(*[half(0.5, "Maybe")] * 4))["answer_mass"] == 0.5


# ---- Variants ----


@random_judge
def test_templates_name_their_answers(compute, judge):
    default, given = compute(**judge), compute(answers=(("yes", "Yes"), ("no", "No")), **judge)
    assert default == given  # the signature says which
    assert "answers:(('yes', 'Yes'), ('no', 'No'))" in default["signature"]
    literal = compute(answers=("yes", "no"), **judge)
    assert literal["scores"] != default["scores"] and "answers:(('yes',), ('no',))" in literal["signature"]


@random_judge
def test_after_plain_text_the_answer_has_a_space(compute, judge):
    template = "A: {source} B: {hypothesis} Same?"
    default = compute(template=template, **judge)
    given = compute(template=template, answers=((" yes", " Yes"), (" no", " No")), **judge)
    assert default["answer_log_probs"] == given["answer_log_probs"]
    on_a_new_line = compute(template=template + "\n", **judge)
    assert "answers:(('yes', 'Yes'), ('no', 'No'))" in on_a_new_line["signature"]


def untouchable():
    """Pairs that may not be looked at."""
    yield "a"
    raise AssertionError("a pair was consumed")


@pytest.mark.parametrize(
    "options, message",
    [
        ({"answers": ("yes", "yes it is")}, "found 'yes' and 'yes it is', expected answers of which none begins"),
        ({"answers": (("yes", "yes!"), "no")}, "found 'yes' and 'yes!', expected answers of which none begins another"),
        ({"answers": (("yes", "yes"), "no")}, "expected two different words, or two tuples of variants such as"),
        ({"answers": (("yes", "no"), "no")}, "expected two different words"),
        ({"answers": ((), "no")}, "expected two different words"),
        ({"answers": ("yes", "no", "maybe")}, "expected two different words"),
        ({"answers": (("yes", 1), "no")}, "expected two different words"),
        ({"chat_template_kwargs": {"thinks": True}}, r"found \['thinks'\], expected arguments of .*: it has none$"),
        ({"chat_template_kwargs": "off"}, "found 'off', expected a dict of arguments by name"),
        ({"think": 5}, "think: found .*, whose chat template has no thinking, expected 0"),
        ({"think": -1}, "think: found -1, expected an integer of at least 0"),
    ],
)
def test_what_is_wrong_is_refused_before_any_pair_is_consumed(compute, judge, options, message):
    with pytest.raises(ValueError, match=f"parapluie: .*{message}"):
        compute(untouchable(), untouchable(), **options, **judge)


# ---- Empty predictions and thinking ----


@random_judge
def test_empty_predictions_are_scored_counted_and_told(compute, judge):
    predictions = ["", HYPOTHESES[1], " \n\u200b", HYPOTHESES[3]]
    with pytest.warns(UserWarning, match="2 of 4 predictions are empty; they are scored as they are"):
        result = compute(predictions, **judge)
    assert result["empty_predictions"] == 2 and len(result["scores"]) == 4
    assert result["scores"][1::2] == pytest.approx(compute(**judge)["scores"][1::2], abs=1e-4)
    assert "empty_predictions" not in compute(**judge)


THINKER = CHATML.replace(
    "{{ '<|im_start|>assistant\n' }}",
    "{{ '<|im_start|>assistant\n' }}"
    "{% if not enable_thinking | default(true) %}{{ '<think>\n\n</think>\n\n' }}{% endif %}",
)


@pytest.fixture
def thinker():
    """A model whose chat template can turn its thinking off."""
    tokenizer = copy.deepcopy(TOKENIZERS["qwen2"]())
    tokenizer.add_tokens(["<think>", "</think>"])
    tokenizer.chat_template = THINKER
    return {"model": tiny_model("llama", len(tokenizer)), "tokenizer": tokenizer}


@random_judge
def test_thinking_is_off_where_there_is_a_switch_and_the_signature_says_so(compute, thinker):
    assert "'enable_thinking': False" in compute(**thinker)["signature"]
    message = "thinks before it answers, with thinking not switched off, where a score means nothing; pass"
    with pytest.raises(ValueError, match=message):
        compute(**thinker, chat_template_kwargs={"enable_thinking": True})


def test_one_of_two_switches_is_not_enough(thinker):
    tokenizer = thinker["tokenizer"]
    tokenizer.chat_template = "{% set both = [enable_thinking, thinking_budget, '<think>'] %}" + CHATML
    messages = [{"role": "user", "content": "x"}]

    def render(**switches):
        prompts = Prompts(tokenizer, "name", switches)
        return prompts.rendered(prompts.shape(messages))

    assert render().parts
    for switches in ({"thinking_budget": 512}, {"enable_thinking": True}):
        with pytest.raises(ValueError, match="with thinking not switched off"):
            render(**switches)

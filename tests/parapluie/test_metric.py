"""The metric as a user calls it: results, options, errors."""

import math
import sqlite3

import numpy as np
import pytest
import torch
from rapidfuzz.distance import Levenshtein
from scipy.stats import binomtest

from metrics.parapluie.common_judge import YES_OR_NO
from metrics.parapluie.common_prompts import Prompts
from metrics.parapluie.judge_local import LocalModel, load
from metrics.parapluie.scoring import begins
from metrics.parapluie.templates import TEMPLATES

from ..common.judging import answer_ids, conversations, expected_ratios, prompt_ids
from ..common.models import TOKENIZERS, tiny_model
from .conftest import DEMO_MODEL, Said, random_judge

pytestmark = random_judge

SOURCES = ["The cat sat on the mat.", "He is here.", "It is late.", 'She said "no".']
HYPOTHESES = ["On the mat sat a cat.", "He is not here.", "It is getting late!", "She refused."]
FIELDS = [{"source": s, "hypothesis": h} for s, h in zip(SOURCES, HYPOTHESES)]


@pytest.fixture(scope="module")
def compute(metric):
    def compute(hypotheses=HYPOTHESES, sources=SOURCES, **options):
        options = {"template": "direct", **({} if "model" in options else {"model_id": DEMO_MODEL}), **options}
        return metric.compute(predictions=hypotheses, references=sources, **options)

    return compute


def demo_judge():
    return LocalModel(*load(DEMO_MODEL))


def expected_scores(messages, fields, answers=YES_OR_NO):
    return expected_ratios(demo_judge(), messages, fields, answers)


def test_shares_of_pairs_have_wilsons_interval(metric):
    """Also where all pass: ten of ten is less than certainty. The means, of which none varies here, have the draws'."""
    judge = Said((-0.5, -1.5, "yes"))
    judge.too_close = 2.0
    options = {"judge": judge, "template": "direct", "both_orders": True, "classify": True, "confidence": 0.95}
    result = metric.compute(predictions=["b"] * 10, references=["a"] * 10, **options)
    low, high = binomtest(10, 10).proportion_ci(0.95, "wilson")
    for name in ("paraphrase_rate", "too_close_rate", "order_agreement", "classified_rate"):
        assert (result[name], result[f"{name}_high"]) == (1.0, high) and result[f"{name}_low"] == pytest.approx(low)
    for name in ("score", "parapluie", "answer_mass"):
        assert result[f"{name}_low"] == result[f"{name}_high"] == result[name]
    compared = metric.compare(["b"] * 10, ["c"] * 10, ["a"] * 10, **options)
    assert compared["paraphrase_rate_a_low"] == compared["paraphrase_rate_b_low"] == result["paraphrase_rate_low"]


def test_result_is_flat_floats(compute):
    result = compute()
    assert list(result) == ["score", "parapluie", "paraphrase_rate", "answer_mass"]
    assert result["parapluie"] == result["score"]
    assert all(type(value) is float for value in result.values())


def test_source_and_hypothesis_are_not_exchanged(compute):
    """A: is the source (the reference), B: the hypothesis (the prediction)."""
    forth = compute(HYPOTHESES[:1], SOURCES[:1])["score"]
    back = compute(SOURCES[:1], HYPOTHESES[:1])["score"]
    assert forth == pytest.approx(expected_scores(TEMPLATES["direct"], FIELDS[:1])[0], abs=1e-3)
    assert abs(forth - back) > 1e-2


def test_details(compute):
    result = compute(details=True)
    distances = [Levenshtein.normalized_distance(s, h) for s, h in zip(SOURCES, HYPOTHESES)]
    assert result["edit_distances"] == distances
    assert result["edit_distance_correlation"] == pytest.approx(np.corrcoef(result["scores"], distances)[0, 1])
    assert "explanations" not in result and "classes" not in result
    assert math.isnan(compute(HYPOTHESES[:1], SOURCES[:1], details=True)["edit_distance_correlation"])


@pytest.mark.parametrize("template", ["indirect", "exact"])
def test_explanations_are_generated_once_and_can_be_reused(compute, template):
    generated = compute(template=template, details=True, max_new_tokens=5)
    assert len(generated["explanations"]) == len(SOURCES)
    assert demo_judge().generate(conversations(TEMPLATES[template][:3], FIELDS), 5) == generated["explanations"]
    reused = compute(template=template, details=True, explanations=generated["explanations"])
    assert generated.pop("signature") != reused["signature"] and "|explanations:given|" in reused.pop("signature")
    assert reused == generated
    reused_once = compute(template=template, details=True, explanations=iter(generated["explanations"]))
    assert reused_once == reused | {"signature": reused_once["signature"]}
    other = compute(template=template, details=True, explanations=["Yes."] * 4)
    fields = [{**values, "explanation": "Yes."} for values in FIELDS]
    assert other["scores"] == pytest.approx(expected_scores(TEMPLATES[template], fields), abs=1e-3)


class Saying(LocalModel):
    """The demo's judge, which says these texts."""

    def __init__(self, *texts):
        super().__init__(*load(DEMO_MODEL))
        self.texts = texts

    def _write(self, shapes, prompts, max_new_tokens):
        yield from enumerate(self.texts)


@pytest.mark.parametrize(
    "answers, texts, classes",
    [
        (("✓", "✗"), ["✓", "✗", "yes ✓", "✓✓ sure"], [True, False, False, True]),
        ((("yes", "+"), "no"), ["+", "no", "Yes!", "-"], [True, False, True, False]),
        (None, ["Yes, they do.", "no", "Maybe yes", '"yes".'], [True, False, False, True]),
        (("हाँ", "है"), ["हाँ", "है", "हाँ।", "ह"], [True, False, True, False]),  # they differ in vowel signs alone
    ],
)
def test_classify_takes_the_first_generated_word(compute, answers, texts, classes):
    result = compute(judge=Saying(*texts), classify=True, answers=answers, details=True)
    assert (result["classes"], result["classified_rate"]) == (classes, 0.5)


@pytest.mark.parametrize(
    ("answers", "text", "expected"),
    [
        (("yes", "no"), "**Yes,** they do", True),
        (("yes", "no"), "“Yes”", True),
        (("yes", "no"), "Yes.They do", True),
        (("yes", "no"), "yesterday", False),
        (("yes", "no"), "", False),
        (("Oui bien", "Non"), "oui bien.", True),
        (("Oui bien", "Non"), "Oui", False),
        (("Yes.", "No."), "yes", True),
        (("STRASSE", "no"), "Straße!", True),
    ],
)
def test_first_words(answers, text, expected):
    assert begins(text, answers[0]) == expected


def test_dtypes_by_name_and_as_objects(compute, tmp_path):
    path = str(tmp_path / "scores.sqlite")
    named, given = (compute(dtype=dtype, resume=path) for dtype in ("bfloat16", torch.bfloat16))
    assert named == given
    assert sqlite3.connect(path).execute("SELECT count(*) FROM results").fetchone() == (len(SOURCES),)


def test_own_messages_and_answers(compute):
    messages = [{"role": "system", "content": "Judge."}, {"role": "user", "content": "{hypothesis} = {source}?"}]
    result = compute(template=messages, answers=("Oui bien", "Non"), details=True)
    expected = expected_scores(messages, FIELDS, (("Oui bien",), ("Non",)))
    assert result["scores"] == pytest.approx(expected, abs=1e-3)
    swapped = compute(template=messages, answers=("Non", "Oui bien"), details=True)
    assert swapped["scores"] == pytest.approx([-score for score in result["scores"]], abs=1e-3)


def test_explanations_are_looked_at_too(compute):
    tokenizer = TOKENIZERS["mistral v0.2"]()
    model = tiny_model("mistral", len(tokenizer))
    with pytest.warns(UserWarning, match=r"1 texts, such as '\[/INST\] yes', contain '\[/INST\]'"):
        compute(["a"], ["b"], model=model, tokenizer=tokenizer, template="exact", explanations=["[/INST] yes"])


@pytest.mark.parametrize(
    ("predictions", "references", "message"),
    [
        (["a"], ["a", "b"], "found 1 predictions and 2 references"),
        (["a", None], ["a", "b"], r"predictions\[1\]: found NoneType None, expected a string"),
        (["a", "b"], ["a", " "], r"references\[1\]: found ' ', expected a source sentence"),
        (["a", "b"], ["\u200b\x00", "b"], r"references\[0\]: found .*, expected a source sentence"),
        (["a", "b"], [1, "b"], r"references\[0\]: found int 1, expected a string"),
        (["a", "\ud800"], ["a", "b"], r"predictions\[1\]: found a lone surrogate"),
        ("ab", ["a", "b"], "predictions: found str .*, expected a list of strings"),
        (None, ["a"], "predictions: found NoneType"),
        ([], [], "found no pairs"),
        ({"a", "b"}, ["a", "b"], "predictions: found set"),
    ],
)
def test_bad_texts(compute, predictions, references, message):
    with pytest.raises(ValueError, match="parapluie: .*" + message):
        compute(predictions, references)
    assert compute()["score"]


SOME = {"role": "user", "content": "{source} {hypothesis}"}
BOTH = [SOME]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"template": "few"}, "template: found 'few', expected one of direct, indirect, exact, fs_direct"),
        ({"template": []}, r"template: found \[\]"),
        ({"template": [{"role": "user", "content": "{source}"}]}, r"found no \{hypothesis\} in the messages"),
        ({"template": [{**SOME, "content": "{source} {hypothesis} {x}"}]}, r"found the field \{x\}"),
        ({"template": [{**SOME, "role": "bot"}]}, "template: message 0: found"),
        ({"template": [{"role": "user"}]}, "template: message 0: found"),
        ({"template": [{**SOME, "content": "{source} {hypothesis} {explanation}"}]}, "alone in a turn of the ass"),
        ({"template": [*BOTH, {"role": "assistant", "content": "It is"}]}, "found a last message of the assistant"),
        ({"template": [*BOTH, {"role": "assistant", "content": "{explanation}"}]}, "found a last message of the assis"),
        ({"template": [{"role": "assistant", "content": "{explanation}"}, *BOTH]}, "found {explanation} first or"),
        ({"template": "{source} {hypothesis} "}, "hypothesis} . at the end, expected no space at the end"),
        ({"revision": "main"}, "found the revision 'main' of the path '.*', expected no revision of a path"),
        ({"answers": "yes"}, "answers: found 'yes'"),
        ({"answers": ("yes", " ")}, "answers: found"),
        ({"explanations": ["a"] * 4}, "the template has no {explanation}"),
        ({"template": "exact", "explanations": ["a"]}, "explanations: found 1 explanations, expected 4"),
        ({"template": "exact", "explanations": ["a", "b", 3, "d"]}, r"explanations\[2\]: found int 3"),
        ({"template": "exact", "explanations": {"a", "b"}}, "explanations: found set .*, expected a list of strings"),
        ({"template": "exact", "explanations": 3}, "explanations: found int"),
        ({"answers": ("yes", "\ud800")}, "answers: found .* expected two different words"),
        ({"answers": ("{source}", "no")}, "answers: found"),
        ({"answers": ("Yes", "yes"), "classify": True}, "expected words that differ in more than case"),
        ({"classify": 1}, "classify: found 1, expected True or False"),
        ({"endpoint": ""}, "endpoint: found ''"),
        ({"endpoint": 5}, "endpoint: found 5"),
        ({"endpoint": []}, "endpoint: found .., expected an address"),
        ({"dtype": "foo"}, "dtype: found 'foo', expected one of auto, float32"),
        ({"dtype": torch.int8}, "dtype: found torch.int8"),
        ({"model_id": ""}, "model_id: found ''"),
        ({"threshold": "0"}, "threshold: found '0', expected a number"),
        ({"threshold": math.nan}, "threshold: found nan"),
        ({"batch_size": 0}, "batch_size: found 0, expected a positive integer or 'auto'"),
        ({"max_new_tokens": 0}, "max_new_tokens: found 0"),
        ({"tokenizer": object()}, "found only one of model and tokenizer"),
    ],
)
def test_bad_options(compute, options, message):
    with pytest.raises(ValueError, match=message):
        compute(**options)


@pytest.mark.parametrize(
    ("options", "reserved"),
    [
        ({}, 1),
        ({"classify": True}, 8),
        ({"answers": ("yes and nothing else", "no")}, None),
        ({"template": "exact", "max_new_tokens": 50}, 50),
    ],
)
def test_prompts_longer_than_the_context_are_refused_before_any_scoring(compute, options, reserved):
    tokenizer = TOKENIZERS["qwen2"]()
    prompts = Prompts(tokenizer, "a model")
    messages = TEMPLATES[options.get("template", "direct")][:3]
    if reserved is None:
        answers = answer_ids(prompts, messages, tuple((answer,) for answer in options["answers"]))
        reserved = max(len(ids) for [ids] in answers)
    texts = ["a", "b", "long " * 200]
    longest = len(prompt_ids(prompts, messages, [{"source": "c", "hypothesis": texts[-1]}])[0])
    for spare, fits in ((reserved, True), (reserved - 1, False)):
        model = tiny_model("llama", len(tokenizer), max_position_embeddings=longest + spare)
        if fits:
            if "template" not in options:
                compute(texts, ["a", "b", "c"], model=model, tokenizer=tokenizer, **options)
            continue
        model.forward = None  # nothing may be scored
        message = f"pair 2: found a prompt of {longest} tokens, expected at most {longest - 1}"
        with pytest.raises(ValueError, match=message):
            compute(texts, ["a", "b", "c"], model=model, tokenizer=tokenizer, **options)

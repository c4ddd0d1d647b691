"""An empty summary is data: the worst score, counted, one warning, no model asked."""

import json
import warnings

import pytest

from .models import BAD, GOOD, HARBOUR, articles

EMPTY = ["", " \n", "...", [], [""], ["...", "-"]]


@pytest.mark.parametrize("empty", EMPTY, ids=repr)
def test_nothing_said_is_the_worst(metric, empty):
    good = GOOD if isinstance(empty, str) else [GOOD]
    examples = {"predictions": [empty, good], "references": [HARBOUR] * 2}
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        result = metric.compute(**examples)
    assert [str(each.message) for each in caught] == ["melasss: 1 of 2 predictions are empty; they get the score 0"]
    assert list(result) == ["score", "melasss", "empty_predictions"] and result["empty_predictions"] == 1
    assert result["score"] == metric.compute(predictions=[good], references=[HARBOUR])["score"] / 2


def test_nothing_but_silence(metric):
    with pytest.warns(UserWarning, match="2 of 2 predictions are empty"):
        result = metric.compute(predictions=["", ""], references=[HARBOUR] * 2)
    assert result == {"score": 0, "melasss": 0, "empty_predictions": 2}


@pytest.mark.parametrize("similarity", ["regression", "rouge", "attention", "transformer"])
def test_details(metric, tiny_bert, similarity):
    head = None
    if similarity in ("attention", "transformer"):
        texts = articles(4)
        head = metric.fit(texts, texts, [1, 2, 3, 4], similarity=similarity, encoder=tiny_bert, epochs=1)
    options = {"similarity": similarity, "head": head, "details": True}
    with pytest.warns(UserWarning, match="1 of 3 predictions are empty"):
        result = metric.compute(predictions=[GOOD, "", BAD], references=[HARBOUR] * 3, **options)
    others = metric.compute(predictions=[GOOD, BAD], references=[HARBOUR] * 2, **options)
    assert list(result) == ["score", "melasss", "empty_predictions", *list(others)[2:]]
    silent = {name: values.pop(1) for name, values in result.items() if isinstance(values, list)}
    own = {"regression": {"contributions": {}}, "transformer": {}}.get(similarity, {"weights": []})
    assert silent == {
        "scores": 0.0,
        "text_sentences": metric.split(HARBOUR),
        "summary_sentences": [],
        "similarities": [[]] * 5,
        "text_matches": [],
        "summary_matches": [],
        "uncovered": [0, 1, 2, 3, 4],
        "unsupported": [],
        "evidence": [],
        **own,
    }
    assert {name: result[name] for name in silent} == {name: others[name] for name in silent}
    json.dumps(result)


def test_an_error_names_the_example_among_all(metric, chat_model):
    examples = {"predictions": ["", GOOD], "references": [HARBOUR, HARBOUR * 200]}
    with (
        pytest.warns(UserWarning, match="1 of 2 predictions are empty"),
        pytest.raises(ValueError, match=r"^melasss: example 1: found a prompt of \d+ tokens, expected at most"),
    ):
        metric.compute(**examples, similarity="llm", model_id=chat_model)


class Recorder:
    """A judge that remembers what it is asked."""

    name, asked = "recorder", []

    def answer_log_probs(self, conversations, answers):
        self.asked.append(conversations)
        return [(-0.5, -2.0, "yes")] * len(conversations)

    def generate(self, conversations, max_new_tokens):
        self.asked.append([turns[-1]["content"] for turns in conversations])
        return ["nothing"] * len(conversations)


def test_no_judge_is_asked(metric):
    judge, asked = Recorder(), Recorder.asked
    examples = {"predictions": ["", GOOD], "references": [BAD, HARBOUR], "judge": judge, "details": True}
    with pytest.warns(UserWarning, match="1 of 2 predictions are empty"):
        result = metric.compute(**examples, similarity="llm")
    assert len(asked.pop()) == 1 and result["scores"][0] == 0 < result["scores"][1]
    with pytest.warns(UserWarning, match="1 of 2 predictions are empty"):
        result = metric.compute(**examples, rewrite="simplify", max_new_tokens=4)
    sentences = {prompt.rpartition("Sentence: ")[2].removesuffix("\nAnswer:") for prompt in asked.pop()}
    assert sentences == {*metric.split(HARBOUR), *metric.split(GOOD)}
    assert list(result)[:5] == ["score", "melasss", "rewritten", "not_rewritten", "empty_predictions"]
    assert result["text_sentences"][0] == metric.split(BAD) and list(result)[-2:] == ["fallbacks", "signature"]

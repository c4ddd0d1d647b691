"""judge=: rewriting and judging by a served model, here a server of the standard library on 127.0.0.1."""

import math

import pytest

from metrics.parapluie.judges import judge as open_judge

from ..parapluie import server as servers
from .models import BAD, GOOD, HARBOUR

PAIRS = {"predictions": [GOOD, BAD], "references": [HARBOUR, HARBOUR]}


def served(server):
    """The options of compute with the server as the judge, as parapluie's metric.judge(...) gives it."""
    return {"judge": open_judge(endpoint=server.url, model_id="served"), "details": True}


def echo(body):
    """What a model says that leaves each sentence as it is."""
    asked = body["messages"][-1]["content"]
    return asked.rpartition("Text:\n" if "Text:\n" in asked else "Sentence: ")[2].removesuffix("\nAnswer:")


@pytest.mark.parametrize("unit", ["sentence", "document"])
def test_rewriting_by_a_served_model(metric, server, unit):
    """A text is asked about once, whoever shares it; what comes back is checked like any other answer."""
    options = {**PAIRS, **served(server), "rewrite": "simplify", "rewrite_unit": unit}
    server.text = echo
    found = metric.compute(**options)
    sentences = {text: metric.split(text) for text in (HARBOUR, GOOD, BAD)}
    assert found["text_sentences"] == [sentences[HARBOUR]] * 2 and found["fallbacks"] == []
    assert found["scores"] == pytest.approx(metric.compute(**PAIRS, details=True)["scores"], abs=1e-6)
    distinct = {s for group in sentences.values() for s in group} if unit == "sentence" else sentences
    assert len(server.asked()) == len(distinct)
    assert {request["model"] for request in server.asked()} == {"served"}
    server.text = lambda body: "A bakery in Lyon burned down in 1871."
    refused = metric.compute(**options)
    assert refused["rewritten"] == 0 and refused["text_sentences"] == found["text_sentences"]
    assert len(refused["fallbacks"]) == refused["not_rewritten"] == len({s for g in sentences.values() for s in g})
    assert all(fallback["faults"] for fallback in refused["fallbacks"])


def test_a_served_judge(metric, server):
    """Summaries are scored p(yes) / (p(yes) + p(no)), from the log-probabilities that the server shows."""
    found = metric.compute(**PAIRS, **served(server), similarity="llm")
    asked = [request["messages"][-1]["content"] for request in server.asked()]
    for summary, score in zip((GOOD, BAD), found["scores"]):
        [content] = [content for content in asked if metric.split(summary)[-1] in content]
        top = servers.log_probs_of(content)
        assert score == pytest.approx(math.exp(top["yes"]) / (math.exp(top["yes"]) + math.exp(top["no"])), abs=1e-6)

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


def test_a_served_judge(metric, server):
    """Summaries are scored p(yes) / (p(yes) + p(no)), from the log-probabilities that the server shows."""
    found = metric.compute(**PAIRS, **served(server), similarity="llm")
    asked = [request["messages"][-1]["content"] for request in server.asked()]
    for summary, score in zip((GOOD, BAD), found["scores"]):
        [content] = [content for content in asked if metric.split(summary)[-1] in content]
        top = servers.log_probs_of(content)
        assert score == pytest.approx(math.exp(top["yes"]) / (math.exp(top["yes"]) + math.exp(top["no"])), abs=1e-6)

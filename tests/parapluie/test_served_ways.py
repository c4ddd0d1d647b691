"""Servers that want to be asked in a way of their own, or answer in one: what they refuse, list, call themselves."""

import math

import pytest

from metrics.parapluie.judge_served_answers import begins_thinking, is_same_model, log_p, log_probs, shown_names
from metrics.parapluie.judge_served_requests import Manner, allowed_top, refused_fields

from . import server as servers
from .conftest import random_judge
from .test_endpoint import ANSWERS, EXPECTED, THINKS, added

# ---- Fields of a request ----


def test_fields_of_the_users_own(compute, server):
    request = {"seed": None, "temperature": 1.0, "provider": {"order": ["here"]}, "top_logprobs": 7}
    result = compute(answers=ANSWERS, request=request)
    assert result["answer_log_probs"] == EXPECTED
    for body in server.asked():
        assert "seed" not in body and body["provider"] == {"order": ["here"]}
        assert (body["temperature"], body["top_logprobs"], body["max_tokens"]) == (1.0, 7, 1)
    assert f"|request:{request}" in result["signature"] and "|request:" not in compute()["signature"]


def test_other_fields_are_another_question(compute, server, tmp_path):
    path = str(tmp_path / "scores.sqlite")
    for request in (None, None, {"temperature": 1.0}, {"temperature": 1.0}, {"temperature": 0.5}):
        compute(resume=path, request=request)
    compute(resume=path, chat_template_kwargs={"enable_thinking": False})
    assert len(server.asked()) == 12


@pytest.mark.parametrize(
    "request_, message",
    [
        ("seed", "request: found 'seed', expected a dict of fields of the chat protocol"),
        ({"a": {1, 2}}, "request: found .*, expected a dict of fields"),
        ({"a": math.nan}, "request: found .*, expected a dict of fields"),
        ({1: 2}, "request: found .*, expected a dict of fields"),
        ({"messages": []}, "request: found the field 'messages', which the metric sets"),
        ({"chat_template_kwargs": {}}, "request: found the field 'chat_template_kwargs', which the metric sets"),
    ],
)
def test_fields_that_no_request_can_have(compute, server, request_, message):
    with pytest.raises(ValueError, match=f"^parapluie: {message}"):
        compute(request=request_)
    assert not server.asked()


def test_what_follows_the_address_is_sent_and_not_shown(compute, server):
    result = compute(endpoint=f"{server.url}?api-version=2026-01-01&key=secret", answers=ANSWERS)
    assert result["answer_log_probs"] == EXPECTED and server.queries == {"api-version=2026-01-01&key=secret"}
    assert "secret" not in result["signature"]
    server.refuses = lambda _: {"error": "no page /v1/chat/completions?api-version=2026-01-01&key=secret"}
    with pytest.raises(ValueError, match=r"no page /v1/chat/completions\?\.\.\.") as error:
        compute(endpoint=f"{server.url}?api-version=2026-01-01&key=secret")
    assert "secret" not in str(error.value)


# ---- What a server refuses ----

UNSUPPORTED = "Unsupported parameter: '{}' is not supported with this model."


def refusing(*names):
    """The answer of a server that refuses fields; the error repeats the request, as some do."""

    def refuses(body):
        name = next((name for name in names if name in body), None)
        if name is None:
            return None
        return {"error": {"message": UNSUPPORTED.format(name), "param": name, "request": {**body, "messages": 0}}}

    return refuses


@pytest.mark.parametrize("names", [("temperature",), ("seed",), ("seed", "presence_penalty", "temperature")])
def test_fields_that_a_server_refuses_are_left_out_and_that_is_said(compute, server, names):
    server.refuses = refusing(*names)
    with pytest.warns(UserWarning, match=f"refuses {', '.join(sorted(names))} and was asked without"):
        result = compute(answers=ANSWERS)
    assert result["answer_log_probs"] == EXPECTED
    assert len(server.asked()) == 3 + len(names)  # each refused once, and that was remembered
    assert all(set(names).isdisjoint(body) and body["max_tokens"] == 1 for body in server.answered)


def test_a_server_that_wants_max_completion_tokens(compute, server):
    server.refuses = refusing("max_tokens")
    assert compute(answers=ANSWERS)["answer_log_probs"] == EXPECTED
    assert [body.get("max_completion_tokens") for body in server.asked()] == [None, 1, 1, 1]
    assert not any("max_tokens" in body for body in server.answered)


def test_a_server_that_limits_no_tokens(compute, server):
    server.refuses = refusing("max_tokens", "max_completion_tokens")
    with pytest.warns(UserWarning, match="refuses max_completion_tokens and was asked without"):
        assert compute(answers=ANSWERS)["answer_log_probs"] == EXPECTED
    assert len(server.asked()) == 5


def test_what_the_user_has_set_is_not_taken_away(compute, server):
    server.refuses = refusing("temperature")
    with pytest.raises(ValueError, match="pair 0: .*Unsupported parameter: .*temperature"):
        compute(request={"temperature": 0.3})


def test_a_refusal_may_say_where_it_is():
    """As pydantic does, whose errors repeat the request; a plain text may name any field."""
    asked = {"seed": 0, "temperature": 0.0, "max_tokens": 1}
    error = '{"detail": [{"loc": ["body", "seed"], "msg": "extra", "input": {"temperature": 0, "max_tokens": 1}}]}'
    assert refused_fields(error, asked) == {"seed"}
    assert refused_fields('{"error": {"message": "seed is not supported", "param": "body"}}', asked) == {"seed"}
    assert refused_fields("'max_tokens' is not supported", asked) == {"max_tokens"}
    assert refused_fields("use max_completion_tokens", asked) == set()
    assert Manner(20).after({"messages": [], "top_logprobs": 1}, "no") == Manner(20)


@pytest.mark.parametrize("most, asked", [(8, [20, 8, 8, 8]), (5, [20, 5, 5, 5]), (19, [20, 19, 19, 19])])
def test_as_many_log_probabilities_as_the_server_allows(compute, server, most, asked):
    """Its message says how many."""
    server.most_top = most
    assert compute(answers=ANSWERS)["answer_log_probs"] == EXPECTED
    assert [body["top_logprobs"] for body in server.asked()] == asked


def test_fewer_log_probabilities_where_the_message_does_not_say_how_many(compute, server):
    server.refuses = lambda body: {"error": "bad request"} if body["top_logprobs"] > 6 else None
    assert compute(answers=ANSWERS)["answer_log_probs"] == EXPECTED
    assert [body["top_logprobs"] for body in server.asked()] == [20, 10, 5, 5, 5]


def test_numbers_in_other_messages_are_no_limit():
    assert allowed_top("the context has 7 tokens at most", 20) == 10
    assert allowed_top("top_logprobs: 5000 is above 20", 5000) == 20 == allowed_top("no", 5000)
    assert allowed_top("top_logprobs must be below 2", 2) == 1


# ---- Thinking ----


def quiet(body):
    """A model that thinks unless it is told not to in the protocol's own words."""
    told = body.get("reasoning_effort") == "none"
    return servers.log_probs_of(body["messages"][-1]["content"]) if told else THINKS


def test_thinking_is_switched_off_by_reasoning_effort(compute, server):
    server.say = quiet
    assert compute(answers=ANSWERS)["answer_log_probs"] == EXPECTED
    assert [body.get("reasoning_effort") for body in server.asked()] == [None, "none", "none", "none"]


def test_a_reasoning_effort_of_the_users_own_stays(compute, server):
    server.say = quiet
    with pytest.raises(ValueError, match="pair 0: found served thinking before it answers"):
        compute(request={"reasoning_effort": "low"})
    assert {body["reasoning_effort"] for body in server.asked()} == {"low"}


def test_explanations_of_a_model_that_thinks(compute, server):
    """Without the switch there are no tokens left for the answer."""
    server.text = lambda body: "They do." if body.get("reasoning_effort") == "none" else ""
    server.finish, server.say = "length", quiet
    assert compute(template="indirect", answers=ANSWERS, max_new_tokens=7)["explanations"] == ["They do."] * 3


@pytest.mark.parametrize("refused", [(), ("reasoning_effort",)])
@pytest.mark.parametrize("token", ["<think>", "<|channel|>", "<thi", "[TH"])
def test_a_model_that_goes_on_thinking_is_refused(compute, server, token, refused):
    """By the first token of a marker, whether the server knows a switch or not."""
    server.say, server.refuses = lambda _: {token: -0.01, "yes": -30.0, "no": -31.0}, refusing(*refused)
    with pytest.raises(ValueError, match="pair 0: found served thinking before it answers"):
        compute()


@pytest.mark.parametrize(
    "message", [{}, {"reasoning_content": "Hm"}, {"content": [{"type": "thinking", "thinking": [{"text": "Hm"}]}]}]
)
def test_a_model_whose_one_token_is_thinking_that_the_server_does_not_tell(compute, server, message):
    server.listed, server.finish, server.message = [], "length", {"content": "", **message}
    with pytest.raises(ValueError, match="pair 0: found served thinking before it answers;"):
        compute()


def test_contents_in_parts(compute, server):
    server.message = {"content": [{"type": "thinking", "thinking": [{"text": "Hm"}]}, {"type": "text", "text": "So."}]}
    assert compute(template="indirect", answers=ANSWERS)["explanations"] == ["So."] * 3


@random_judge
def test_a_sign_is_no_marker_until_it_goes_on_as_one(compute, server, monkeypatch):
    """ "[" may begin anything; the server is asked how it goes on."""
    server.say = lambda _: {"[": -0.01, "yes": -6.0, "no": -7.0}
    completion, after = servers.Handler._completion, "THINK] So"

    def going_on(self, body):
        found = completion(self, body)
        if body["max_tokens"] > 1:
            found["choices"][0]["logprobs"]["content"].append({"token": after, "logprob": -0.1, "top_logprobs": []})
        return found

    monkeypatch.setattr(servers.Handler, "_completion", going_on)
    with pytest.raises(ValueError, match=r"thinking before it answers \('\['\)"):
        compute()
    after = "yes]"
    assert compute(answers=ANSWERS)["answer_log_probs"] == [pytest.approx([-6.0, -7.0])] * 3


def test_how_thinking_begins():
    yes = "<think>; <think>\n;[TH;<Think>;<thinking>;<thought>;<reasoning>;<|begin_of_thought|>;◁think▷ So".split(";")
    assert [begins_thinking(text) for text in yes] == [True] * 9
    assert [begins_thinking(text) for text in ("", "yes", "<b>", "</think>")] == [False] * 4
    assert [begins_thinking(text) for text in ("<", "[", "<pon")] == [None] * 3


# ---- What a server lists ----


def test_the_first_token_is_not_counted_beside_its_own_list():
    assert log_probs([("a", -1.0), ("a", -1.0), ("a", -2.0)]) == {"a": pytest.approx(added(-1, -2))}
    assert log_p({"yes": -0.1, " yes": -0.1}, ["yes", "Yes"]) == (pytest.approx(-0.1), True)
    assert log_p({}, ["yes"]) == (pytest.approx(0.0), True)


def test_a_list_that_tells_no_probability_is_none(compute, server):
    server.listed = [("yes", None), ("no", -9999.0)]
    with pytest.raises(ValueError, match="pair 0: found no logprobs in the answer"):
        compute()


def test_a_log_probability_is_a_number(compute, server):
    server.listed = [("yes", "-0.5"), ("no", -1.0)]
    with pytest.raises(ValueError, match="pair 0: found .* no chat completion .TypeError: .*'-0.5' of 'yes'"):
        compute()


@pytest.mark.parametrize("log_p", [3.0, 710.0, 1e300, math.inf, math.nan])
def test_impossible_log_probabilities_are_the_servers_fault(compute, server, log_p):
    server.listed = [("yes", -0.1), ("other", log_p), ("no", -3.0)]
    with pytest.raises(ValueError, match=r"pair 0: found .*for 'other', .*what the server sends as logprobs"):
        compute()


# ---- Errors inside answers ----


@pytest.mark.parametrize("inner", [{"code": 429, "message": "busy"}, {"status": "503", "message": "busy"}])
@pytest.mark.parametrize("inside", [lambda error: {"error": error}, lambda error: {"choices": [{"error": error}]}])
def test_an_error_inside_an_answer_that_may_pass_is_waited_for(compute, server, monkeypatch, inner, inside):
    monkeypatch.setattr("time.sleep", lambda seconds: None)
    server.fault = lambda number: inside(inner) if number < 4 else None
    assert compute(answers=ANSWERS)["answer_log_probs"] == EXPECTED
    assert len(server.asked()) == 6


def test_an_error_inside_an_answer_that_does_not_pass_is_told(compute, server):
    server.fault = lambda number: {"error": {"code": 401, "message": "no credits left"}}
    with pytest.raises(ValueError, match=r"in it the error 401 \('no credits left'\), expected a key that it takes"):
        compute()
    assert len(server.asked()) == 1


# ---- Names of models ----


def test_long_lists_of_models_are_shortened(compute, server):
    server.models = [{"id": f"org/model-{i}"} for i in range(300)] + [{"id": "org/served-it"}]
    with pytest.warns(UserWarning, match="no model called 'served' but org/served-it, .* and 291 more;"):
        compute()
    assert shown_names(["a", "b"], "c") == "a, b"


def test_a_model_at_a_provider_is_known(compute, server):
    server.models = [{"id": "org/served"}]
    assert compute(model_id="org/served:fastest", answers=ANSWERS)["answer_log_probs"] == EXPECTED
    assert {body["model"] for body in server.asked()} == {"org/served:fastest"}


def test_answers_by_another_model_are_counted(compute, server):
    server.answers_as = lambda body: "fallback" if "cat" in body["messages"][-1]["content"] else "served-2026-01-31"
    with pytest.warns(UserWarning, match=r"1 of 3 answers are not by 'served' but by 'fallback' \(1\)"):
        compute()


@pytest.mark.parametrize(
    "asked, answered, same",
    [
        ("org/model", "model", True),
        ("/models/model.gguf", "model.gguf", True),
        ("model", "model-20260131", True),
        ("model-0613", "model-1106", False),
        ("model:8b", "model:70b", False),
        ("model:provider", "model", True),
        ("model", "model-large", False),
    ],
)
def test_names_of_the_same_model(asked, answered, same):
    assert is_same_model(asked, answered) is same


# ---- Explanations ----


@pytest.mark.parametrize("owner, field", [("vllm", "repetition_penalty"), ("llamacpp", "repeat_penalty")])
def test_penalties_are_reset(compute, server, owner, field):
    """A checkpoint's own settings may have some, which a server applies."""
    server.models = [{"id": "served", "owned_by": owner, "meta": {}}]
    server.most_top = 5000
    compute(template="indirect", answers=ANSWERS, max_new_tokens=7)
    for body in server.asked():
        assert (body[field], body["frequency_penalty"], body["presence_penalty"]) == (1.0, 0.0, 0.0)

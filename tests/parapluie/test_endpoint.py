"""endpoint=: a served model, here a server of the standard library on 127.0.0.1 that speaks the chat protocol."""

import base64
import math

import pytest

from . import server as servers
from .conftest import random_judge

ANSWERS = ("yes", "no")
EXPECTED = [pytest.approx(pair) for pair in servers.expected()]
THINKS = {"<think>": -0.01, "yes": -30.0, "no": -31.0}


@pytest.fixture
def vllm(server):
    server.models = [{"id": "served", "owned_by": "vllm", "root": "/models/judge", "max_model_len": 4096}]
    server.scores_ids = True
    return server


def test_scores_are_the_differences_of_the_log_probabilities(compute, server):
    result = compute(answers=ANSWERS)
    assert result["answer_log_probs"] == EXPECTED
    assert result["scores"] == pytest.approx([first - second for first, second in servers.expected()])
    assert result["answer_mass"] == pytest.approx(0.9) and "bounded_scores" not in result
    requests = server.asked()
    for request in requests:
        assert (request["model"], request["max_tokens"], request["logprobs"]) == ("served", 1, True)
        assert request["top_logprobs"] == 20 and request["temperature"] == request["seed"] == 0
        assert "chat_template_kwargs" not in request  # servers of other makers refuse what they do not know
    contents = {request["messages"][-1]["content"] for request in requests}
    # Texts stay literal.
    assert contents == {f'A: "{s}"; B: "{h}"' for s, h in zip(servers.SOURCES, servers.HYPOTHESES)}


def added(*log_probs):
    return math.log(sum(map(math.exp, log_probs)))


def left(*log_probs):
    return math.log(1 - sum(map(math.exp, log_probs)))


SPACED = [(" no", -0.9), ("Yes", -1.0), ("yes", -2.0), ("no", -3.0), ("No", -4.0)]


@random_judge
@pytest.mark.parametrize(
    "listed, answers, pair, bounded",
    [
        # Variants are added, and a space is another token; a tokenizer may show its spaces.
        (SPACED, None, (added(-2.0, -1.0), added(-3.0, -4.0)), False),
        (SPACED, ("yes", " no"), (-2.0, -0.9), False),
        ([("yes", -1.0), ("\u2581no", -1.5)], ("yes", " no"), (-1.0, -1.5), False),
        ([("yes", -1.0), ("\u0120no", -1.5)], ("yes", " no"), (-1.0, -1.5), False),
        # What is not listed is at most as likely as the last of the list, and as all that the list leaves.
        ([("yes", -1.0), ("no", -1.5)], ANSWERS, (-1.0, -1.5), False),
        ([("yes", -0.1), ("Maybe", -3.0)], ANSWERS, (-0.1, left(-0.1, -3.0)), True),
        ([("No", -0.001), ("A", -8.0), ("no", -9.0), ("B", -9.5)], ANSWERS, (-9.5, -9.0), True),
        # Several variants that are not listed may add up.
        ([("yes", -1.0), ("Yes", -2.0), ("Maybe", -4.0)], None, (added(-1.0, -2.0), -4.0 + math.log(2)), True),
        # One that is missing may be as likely as the last one that is listed, which may not matter.
        *(
            ([("yes", -1.2), ("Yes", -1.7), ("no", -1.8), ("A", last)], None, (added(-1.2, -1.7), -1.8), last > -8)
            for last in (-3.0, -7.5, -12.0)
        ),
        # llama.cpp's null and OpenAI's -9999.0 are no log-probabilities.
        *(
            ([("yes", -0.1), ("no", unknown), ("Maybe", -3.0)], ANSWERS, (-0.1, left(-0.1, -3.0)), True)
            for unknown in (None, -9999.0, float("-inf"))
        ),
        # TGI lists the chosen token once with its space and once without: more than 1, of which nothing is left.
        ([(" yes", -0.0005), ("yes", -0.0005), ("A", -18.0), ("B", -19.3)], ANSWERS, (-0.0005, -19.3), True),
    ],
)
def test_what_a_list_says_of_the_answers(compute, server, listed, answers, pair, bounded):
    server.listed = listed
    result = compute(answers=answers)
    assert result["answer_log_probs"] == [pytest.approx(pair)] * 3 and result["likeliest"] == [listed[0][0]] * 3
    assert (result.get("bounded_scores", 0), result["bounded"]) == (3 * bounded, [bounded] * 3)


def test_chat_template_arguments_are_sent(compute, server):
    result = compute(answers=ANSWERS, chat_template_kwargs={"enable_thinking": False})
    assert all(request["chat_template_kwargs"] == {"enable_thinking": False} for request in server.asked())
    assert "chat_template_kwargs:{'enable_thinking': False}" in result["signature"]
    assert "chat_template_kwargs:{}" in compute(answers=ANSWERS)["signature"]


def test_explanations_and_classes(compute, server):
    server.text = lambda body: "<think>Let me see.</think>\n\nYes, they do."
    result = compute(template="indirect", answers=ANSWERS, classify=True, max_new_tokens=7)
    assert result["explanations"] == ["Yes, they do."] * 3
    assert result["classes"] == [True] * 3
    scored = [request for request in server.asked() if request.get("logprobs")]
    assert all(request["messages"][3]["content"] == "Yes, they do." for request in scored)
    assert {request["max_tokens"] for request in server.asked()} == {1, 7, 8}


@pytest.mark.parametrize("text", ["<think>So, the sentences", "", "[THINK]So"])
def test_thinking_without_an_end_is_no_explanation(compute, server, text):
    """Some servers keep the thinking to themselves: then nothing is said, there are no tokens left for it."""
    server.text, server.finish = lambda body: text, "length"
    with pytest.raises(ValueError, match=r"pair \d: found served still thinking after 7 tokens, expected an answer"):
        compute(template="indirect", max_new_tokens=7)


def test_llama_cpp_is_asked_for_thousands(compute, server):
    """So that no variant is missing."""
    server.models, server.most_top = [{"id": "served", "owned_by": "llamacpp", "meta": {"n_vocab": 49152}}], 10**6
    log_probs = {f"word {i}": -6.0 - i / 100 for i in range(300)}
    server.say = lambda _: log_probs | {"yes": -0.1, "Yes": -5.0, "no": -8.5, "No": -20.0}
    result = compute()
    expected = [added(-0.1, -5.0), added(-8.5, -20.0)]
    assert result["answer_log_probs"] == [pytest.approx(expected)] * 3 and "bounded_scores" not in result
    assert {request["top_logprobs"] for request in server.asked()} == {5000}


def test_an_answer_without_log_probabilities(compute, server):
    server.say = lambda _: {}
    expected = "expected logprobs, as of vLLM, SGLang, TGI, llama.cpp; or run the model here"
    with pytest.raises(ValueError, match=rf"pair \d: found no logprobs in the answer of served, {expected}"):
        compute()


def test_a_model_that_thinks_first_is_refused(compute, vllm):
    vllm.say = lambda _: {**dict.fromkeys(servers.WORDS, -40.0), **THINKS}
    message = r"pair \d: found served thinking before it answers \('<think>'\).*'enable_thinking': False"
    with pytest.raises(ValueError, match=message):
        compute()


# ---- Servers and their ways ----


def test_a_request_that_is_refused_is_not_sent_again_and_again(compute, server):
    server.fault = lambda number: "400"
    with pytest.raises(ValueError, match=r"parapluie: pair 0: .* status 400 .*not now.*, expected an answer$"):
        compute(batch_size=1)
    asked = [(request["messages"][-1]["content"], request["top_logprobs"]) for request in server.asked()]
    assert len(set(asked)) == len(asked) and [top for _, top in asked] == [20, 10, 5, 2, 1]


@random_judge
def test_vllm_is_asked_for_the_tokens_by_number(compute, vllm):
    """However unlikely they are; " no" and "no" cannot be taken for each other."""
    vllm.say = lambda _: {"yes": -0.05, "Yes": -3.5, "no": -25.0, "No": -26.0, " no": -4.0, "A": -5.0, "\u00e9": -6.0}
    result = compute(chat_template_kwargs={"enable_thinking": False})
    assert result["answer_log_probs"] == [pytest.approx([added(-0.05, -3.5), added(-25.0, -26.0)])] * 3
    assert result["likeliest"] == ["yes"] * 3 and "bounded_scores" not in result
    for request in vllm.asked():
        assert request["logprob_token_ids"] == [0, 1, 2, 3] and request["return_tokens_as_token_ids"] is True
        assert request["chat_template_kwargs"] == {"enable_thinking": False}
    asked = vllm.asked("/tokenize")
    assert [body["messages"][-1] for body in asked[1:]] == [
        {"role": "assistant", "content": word} for word in ("yes", "Yes", "no", "No")
    ]
    assert all(body["chat_template_kwargs"] == {"enable_thinking": False} for body in asked)


def test_vllm_says_which_token_an_answer_is_behind_the_prompt(compute, vllm):
    """A template may write a space before it, which makes it another token."""
    vllm.gap = " "
    vllm.say = lambda _: {"yes": -9.0, " yes": -0.9, "no": -9.0, " no": -0.8}
    assert compute(answers=ANSWERS)["answer_log_probs"] == [pytest.approx([-0.9, -0.8])] * 3
    assert vllm.asked()[0]["logprob_token_ids"] == [servers.WORDS.index(" no"), servers.WORDS.index(" yes")]


@random_judge
def test_an_older_vllm_ignores_the_numbers(compute, vllm):
    """It sends the most probable tokens as text, as any other server does."""
    vllm.say = lambda _: {"yes": -0.1, "no": -3.0, " no": -2.9}
    send = servers.Handler._completion

    def ignoring(self, body):
        return send(self, {name: value for name, value in body.items() if "token_ids" not in name})

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(servers.Handler, "_completion", ignoring)
        assert compute()["answer_log_probs"] == [pytest.approx([-0.1, -3.0])] * 3


# Servers of three kinds: two that count tokens, each in its own words, and one that does not.
KINDS = {
    "vllm": {"models": [{"id": "served", "owned_by": "vllm"}], "scores_ids": True},
    "llama.cpp": {"models": [{"id": "served", "owned_by": "llamacpp", "meta": {}}], "counts_tokens": True},
    "another": {},
}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("answers", [("yes", "not at all"), (("yes", "Yes"), ("no", "nope"))])
def test_answers_of_several_tokens_are_refused(compute, server, kind, answers):
    """They were looked for among the first tokens, in vain: a score of 0.0 for every pair."""
    for name, value in KINDS[kind].items():
        setattr(server, name, value)
    if kind == "another" and answers[1] == ("no", "nope"):
        return  # one word, which may be one token
    with pytest.raises(ValueError, match=r"answers: found '(not at all|nope)', several tokens of served, .*VLLM"):
        compute(answers=answers)
    assert not server.asked()


@random_judge
def test_answers_that_no_server_tells_are_warned_of(compute, server):
    """A server that does not count tokens may have answers of several."""
    with pytest.warns(UserWarning, match="none of the answers is among the tokens that served tells, for any pair"):
        result = compute(answers=("nope", "yep"))
    assert result["scores"] == [0.0] * 3 and result["bounded_scores"] == 3


# ---- Addresses ----


@pytest.mark.parametrize("base", ["/v1", ""])
@pytest.mark.parametrize("path", ["", "/", "/v1", "/v1/", "/v1/chat/completions", "/chat/completions"])
def test_an_address_may_say_more_or_less_of_the_path(compute, vllm, metric, path, base):
    """It is the same server, which is asked in the same way for the same."""
    vllm.base = base
    address = vllm.url.removesuffix("/v1")
    result = compute(endpoint=address + path, answers=ANSWERS)
    assert result["answer_log_probs"] == EXPECTED
    assert len(vllm.asked(f"{base}/chat/completions")) == 3
    assert all("logprob_token_ids" in request for request in vllm.asked(f"{base}/chat/completions"))
    assert metric.judge(endpoint=address + path, model_id="served").identity == [
        address, "served", {}, "/models/judge", 4096, None, None
    ]  # fmt: skip
    assert f"model:served (served at {address})|" in result["signature"]


@pytest.mark.parametrize("path", ["/v1/chat/completions", "/openai/chat/completions"])
def test_a_server_without_a_page_of_models_is_asked_where_the_address_says(compute, server, path):
    server.base, server.models = path.removesuffix("/chat/completions"), None
    address = server.url.removesuffix("/v1") + path
    assert compute(endpoint=address, answers=ANSWERS)["answer_log_probs"] == EXPECTED


def test_a_password_in_the_address_is_sent_and_shown_nowhere(compute, server, metric, tmp_path, monkeypatch):
    path, address = tmp_path / "scores.sqlite", server.url.replace("//", "//an%20user:pass%3Aword@")
    signature = compute(endpoint=address, resume=str(path))["signature"]
    assert server.keys == {"Basic " + base64.b64encode(b"an user:pass:word").decode()}
    assert "pass" not in signature + str(metric.judge(endpoint=address, model_id="served").identity)
    assert b"pass" not in path.read_bytes()
    assert compute(resume=str(path)) and len(server.asked()) == 3  # the same server as without
    server.fault = lambda number: "401"
    for wrong in (address, address.replace("http", "ftp"), "http://an user:pass/word@host/v1"):
        with pytest.raises(ValueError, match="endpoint: found ") as error:
            compute(endpoint=wrong)
        assert "pass" not in str(error.value)
    monkeypatch.setenv("ENDPOINT_API_KEY", "key-of-the-server")
    server.fault = lambda number: None
    compute(endpoint=address)
    assert "Bearer key-of-the-server" in server.keys


# ---- Results that are kept ----


@pytest.mark.parametrize(
    "change",
    [
        lambda server: server.models[0].update(root="/models/another"),
        lambda server: server.models[0].update(max_model_len=8192),
        lambda server: setattr(server, "info", {"model_id": "served", "model_sha": "0a1b2c"}),
    ],
)
def test_another_model_behind_the_same_address_is_asked_anew(compute, server, tmp_path, change):
    path = str(tmp_path / "scores.sqlite")
    compute(resume=path)
    change(server)
    compute(resume=path)
    assert len(server.asked()) == 6


@pytest.mark.parametrize("field", ["reasoning_content", "reasoning", "reasoning_details"])
def test_a_server_that_keeps_the_thinking_apart(compute, server, field):
    """The first token is then one of the thinking."""
    server.message = {"content": None, field: "Okay"}
    with pytest.raises(ValueError, match=r"pair \d: found served thinking before it answers"):
        compute()


# ---- Who may ask ----


def test_the_hub_token_is_kept_from_other_servers(compute, server, monkeypatch):
    monkeypatch.setenv("HF_TOKEN", "hf_secret")
    compute()
    monkeypatch.setenv("ENDPOINT_API_KEY", "key-of-the-server")
    compute()
    assert server.keys == {"Bearer EMPTY", "Bearer key-of-the-server"}


def test_switched_off_hub_is_pointed_out(compute, monkeypatch):
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    with pytest.raises(ValueError, match="found HF_HUB_OFFLINE set, expected this variable unset"):
        compute()

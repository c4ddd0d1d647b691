"""endpoint=: a served model, here a server of the standard library on 127.0.0.1 that speaks the chat protocol."""

import base64
import math

import pytest

from . import server as servers

ANSWERS = ("yes", "no")
EXPECTED = [pytest.approx(pair) for pair in servers.expected()]
THINKS = {"<think>": -0.01, "yes": -30.0, "no": -31.0}
UNHEALTHY = pytest.mark.filterwarnings("ignore:.*the two answers together are less likely")


@pytest.fixture
def vllm(server):
    server.models = [{"id": "served", "owned_by": "vllm", "root": "/models/judge", "max_model_len": 4096}]
    server.scores_ids = True
    return server


@pytest.fixture
def compute(compute_served):
    return compute_served


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


def test_variants_are_added_and_a_space_is_another_token(compute, server):
    server.say = lambda _: {"yes": -2.0, "Yes": -1.0, "no": -3.0, " no": -0.9, "No": -4.0}
    result = compute()
    yes, no = math.log(math.exp(-2) + math.exp(-1)), math.log(math.exp(-3) + math.exp(-4))
    assert result["answer_log_probs"] == [pytest.approx([yes, no])] * 3
    assert result["likeliest"] == [" no"] * 3
    spaced = compute(answers=("yes", " no"))
    assert spaced["answer_log_probs"] == [pytest.approx([-2.0, -0.9])] * 3


@pytest.mark.parametrize("sign", ["\u2581no", "\u0120no"])
def test_a_tokenizer_may_show_its_spaces(compute, server, sign):
    server.say = lambda _: {"yes": -1.0, sign: -1.5}
    assert compute(answers=("yes", " no"))["scores"] == pytest.approx([0.5] * 3)


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


@UNHEALTHY
def test_an_answer_below_the_list_is_a_bound_that_is_counted_and_marked(compute, server):
    """It is at most as likely as the last token of the list, and as all that the list leaves."""
    log_probs = {
        'A: "The cat sat."; B: "A cat sat."': {"yes": -0.1, "Maybe": -3.0},
        'A: "He is here."; B: "He is not here."': {"No": -0.001, "A": -8.0, "no": -9.0, "B": -9.5},
        'A: "{hypothesis}"; B: "b"': {"yes": -1.0, "no": -1.5},
    }
    server.say = lambda body: log_probs[body["messages"][-1]["content"]]
    result = compute(answers=ANSWERS)
    left = math.log(1 - math.exp(-0.1) - math.exp(-3))  # -3.09, less likely than the last of the list
    assert result["answer_log_probs"] == [pytest.approx(pair) for pair in ([-0.1, left], [-9.5, -9.0], [-1.0, -1.5])]
    assert (result["bounded_scores"], result["bounded"]) == (2, [True, True, False])
    server.say = lambda _: {"yes": math.log(0.75), "Maybe": math.log(0.2)}
    assert compute(answers=ANSWERS)["answer_log_probs"] == [pytest.approx([math.log(0.75), math.log(0.05)])] * 3


@UNHEALTHY
@pytest.mark.parametrize("missing, bounded", [(-3.0, True), (-7.5, True), (-12.0, False)])
def test_a_score_that_a_missing_variant_may_change_is_a_bound(compute, server, missing, bounded):
    """One that is not listed may be as likely as the last one that is."""
    server.say = lambda _: {"yes": -1.2, "Yes": -1.7, "no": -1.8, "A": missing}
    result = compute()
    yes = math.log(math.exp(-1.2) + math.exp(-1.7))
    assert result["answer_log_probs"] == [pytest.approx([yes, -1.8])] * 3
    assert result.get("bounded_scores", 0) == 3 * bounded


def test_several_variants_below_the_list_may_add_up(compute, server):
    server.say = lambda _: {"yes": -1.0, "Yes": -2.0, "Maybe": -4.0}
    assert compute()["answer_log_probs"][0][1] == pytest.approx(-4.0 + math.log(2))


def test_llama_cpp_is_asked_for_thousands(compute, server):
    """So that no variant is missing."""
    server.models, server.most_top = [{"id": "served", "owned_by": "llamacpp", "meta": {"n_vocab": 49152}}], 10**6
    log_probs = {f"word {i}": -6.0 - i / 100 for i in range(300)}
    server.say = lambda _: log_probs | {"yes": -0.1, "Yes": -5.0, "no": -8.5, "No": -20.0}
    result = compute()
    yes, no = (math.log(math.exp(a) + math.exp(b)) for a, b in ((-0.1, -5.0), (-8.5, -20.0)))
    assert result["answer_log_probs"] == [pytest.approx([yes, no])] * 3 and "bounded_scores" not in result
    assert {request["top_logprobs"] for request in server.asked()} == {5000}


def test_a_low_mass_is_warned_of(compute, server):
    server.say = lambda _: {"Maybe": -0.1, "yes": -4.0, "no": -5.0}
    with pytest.warns(UserWarning, match=r"for 3 of 3 pairs the two answers .* rather say 'Maybe' \(3 times\)"):
        assert compute()["answer_mass"] == pytest.approx(math.exp(-4) + math.exp(-5))


def test_an_answer_without_log_probabilities(compute, server):
    server.say = lambda _: {}
    expected = "expected some: vLLM, SGLang, TGI and llama.cpp send them; or run the model here"
    with pytest.raises(ValueError, match=rf"pair \d: found no logprobs in the answer of served, {expected}"):
        compute()


@pytest.mark.parametrize("by_number", [False, True])
def test_a_model_that_thinks_first_is_refused(compute, server, by_number):
    server.say = lambda _: {**dict.fromkeys(servers.WORDS, -40.0), **THINKS}
    if by_number:
        server.models, server.scores_ids = [{"id": "served", "owned_by": "vllm"}], True
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


@UNHEALTHY
def test_vllm_is_asked_for_the_tokens_by_number(compute, vllm):
    """However unlikely they are; " no" and "no" cannot be taken for each other."""
    vllm.say = lambda _: {"yes": -0.05, "Yes": -3.5, "no": -25.0, "No": -26.0, " no": -4.0, "A": -5.0, "\u00e9": -6.0}
    result = compute(chat_template_kwargs={"enable_thinking": False})
    yes, no = (math.log(math.exp(a) + math.exp(b)) for a, b in ((-0.05, -3.5), (-25.0, -26.0)))
    assert result["answer_log_probs"] == [pytest.approx([yes, no])] * 3
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


@UNHEALTHY
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


@UNHEALTHY
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


@pytest.mark.parametrize("logprob", [None, -9999.0, float("-inf")])
@UNHEALTHY
def test_a_log_probability_that_is_not_told_is_a_bound(compute, server, logprob):
    """llama.cpp's null and OpenAI's -9999.0 are no log-probabilities."""
    ranked = {"yes": -0.1, "no": logprob, "Maybe": -3.0}
    server.say = lambda _: Ranked(ranked)
    result = compute(answers=ANSWERS)
    rest = math.log(1 - math.exp(-0.1) - math.exp(-3.0))
    assert result["answer_log_probs"] == [pytest.approx([-0.1, rest])] * 3 and result["bounded_scores"] == 3


class Ranked(dict):
    """In which the first is the most likely, whatever stands there."""

    def get(self, key):
        return -list(self).index(key)


@pytest.mark.parametrize("field", ["reasoning_content", "reasoning", "reasoning_details"])
def test_a_server_that_keeps_the_thinking_apart(compute, server, monkeypatch, field):
    """The first token is then one of the thinking."""
    completion = servers.Handler._completion

    def thinking(self, body):
        found = completion(self, body)
        found["choices"][0]["message"] |= {"content": None, field: "Okay"}
        return found

    monkeypatch.setattr(servers.Handler, "_completion", thinking)
    with pytest.raises(ValueError, match=r"pair \d: found served thinking before it answers"):
        compute()


def test_plain_text_is_refused(compute):
    with pytest.raises(ValueError, match="template: found plain text together with an endpoint"):
        compute(template="{source} {hypothesis} Answer:")


# ---- Who may ask ----


def test_the_hub_token_is_kept_from_other_servers(compute, server, monkeypatch):
    monkeypatch.setenv("HF_TOKEN", "hf_secret")
    compute()
    monkeypatch.setenv("ENDPOINT_API_KEY", "key-of-the-server")
    compute()
    assert server.keys == {"Bearer EMPTY", "Bearer key-of-the-server"}


def test_switched_off_hub_is_pointed_out(compute, monkeypatch):
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    with pytest.raises(ValueError, match="found HF_HUB_OFFLINE set, expected it unset"):
        compute()

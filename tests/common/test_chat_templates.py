"""Real chat templates of instruct models: the answer in its place, thinking off, or a refusal."""

import datetime
import re

import pytest
import transformers.utils.chat_template_utils as rendering

from metrics._common.common_llm import ChatModel
from metrics._common.common_prompts import FIXED_DATE, Prompts
from metrics.parapluie.judge_thinking import ThinkingPrompts
from metrics.parapluie.templates import TEMPLATES, conversation

from ..conftest import ROOT
from .judging import answer_ids, prompt_ids
from .models import byte_level_tokenizer, tiny_model

FOLDER = ROOT.parent / "shared" / "data" / "chat_templates"
FILES = sorted(FOLDER.glob("*.jinja"))
ANSWERS = ("yes", "Yes"), ("no", "No")
QWEN = '"b"<|im_end|>\n<|im_start|>assistant\n'
HARMONY = '"b"<|end|><|start|>assistant'
DIRECT = TEMPLATES["direct"]
PAIR = {"source": "a", "hypothesis": "b"}
REFUSAL = "^found .*, a model that thinks before it answers, with {}, where a score means nothing; pass think=1024 "
OPEN, NOT_OFF = REFUSAL.format("an open <think> block"), REFUSAL.format("thinking not switched off")

# How a prompt ends, and the words of an answer; with the switch that turns thinking off.
ANSWERED = {
    "ByteDance-Seed-OSS": ("directly start answering the question.</seed:cot_budget_reflect>\n</seed:think>", ""),
    "Mistral-v0.2-hub": ('"b" [/INST]', " "),
    "SmolLM3": (QWEN + "<think>\n\n</think>\n", ""),
    "gemma4": ('"b"<turn|>\n<|turn>model\n<|channel>thought\n<channel|>', ""),
    "meta-llama-Llama-3.2-3B-Instruct": ('"b"<|eot_id|><|start_header_id|>assistant<|end_header_id|>\n\n', ""),
    "trl_qwen3": (QWEN + "<think>\n\n</think>\n\n", ""),
    "trl_qwen3_5_think": (QWEN + "<think>\n\n</think>\n\n", ""),
}
REFUSED = {
    "NVIDIA-Nemotron-Nano-v2": OPEN,
    "deepseek-ai-DeepSeek-R1-Distill-Qwen-32B": OPEN,
    "trl_gptoss": NOT_OFF,
}
SWITCHES = {"SmolLM3", "gemma4", "trl_qwen3", "trl_qwen3_5_think"}  # "enable_thinking"
# How a prompt ends when the model may think, and how its thinking begins and ends.
THINKING = {
    "ByteDance-Seed-OSS": ('"b"<seed:eos><seed:bos>assistant\n', "<seed:think>", "</seed:think>"),
    "NVIDIA-Nemotron-Nano-v2": ('"b"\n<SPECIAL_11>Assistant\n<think>\n', "", "</think>"),
    "SmolLM3": (QWEN, "<think>", "</think>"),
    "deepseek-ai-DeepSeek-R1-Distill-Qwen-32B": ('"b"<｜Assistant｜><think>\n', "", "</think>"),
    "gemma4": ('"b"<turn|>\n<|turn>model\n', "<|channel>thought", "<channel|>"),
    "trl_gptoss": (HARMONY, "<|channel|>analysis", "<|channel|>final<|message|>"),
    "trl_qwen3": (QWEN, "<think>", "</think>"),
    "trl_qwen3_5_think": (QWEN + "<think>\n", "", "</think>"),
}


@pytest.fixture
def open_prompts():
    """open_prompts(name, arguments={}, think=False): the `Prompts` of a template by its file's name."""
    if not FILES:
        pytest.skip("shared/data/chat_templates is not beside this checkout")

    def open_prompts(name, arguments=None, think=False):
        return (ThinkingPrompts if think else Prompts)(tokenizer_of(name), name, arguments)

    return open_prompts


def tokenizer_of(name):
    """A tokenizer with the template, and what looks like a control token in it as one."""
    template = (FOLDER / f"{name}.jinja").read_text("utf-8")
    special = {"<think>", "</think>", "<s>", "</s>"}
    special |= set(re.findall(r"<\|?[^<>{}\s'\"=%]+\|?>|\[/?THINK\]", template))
    return byte_level_tokenizer(template, tuple(sorted(special)), bos="<s>", eos="</s>")


def prompt_text(prompts):
    [ids] = prompt_ids(prompts, DIRECT, [PAIR])
    return prompts.tokenizer.decode(ids)


def answer_texts(prompts, messages=DIRECT):
    found = answer_ids(prompts, messages, ANSWERS)
    return [[prompts.tokenizer.decode(ids) for ids in variants] for variants in found]


def is_open(prompts):
    return prompts.rendered(prompts.shape(DIRECT)).is_open


def test_every_template_is_listed():
    assert {file.stem for file in FILES} in (set(), ANSWERED.keys() | REFUSED.keys())


@pytest.mark.parametrize("name", ANSWERED)
def test_the_answer_is_where_the_template_writes_it(open_prompts, name):
    prompts = open_prompts(name)
    end, space = ANSWERED[name]
    text = prompt_text(prompts)
    assert text.endswith(end) and not is_open(prompts)
    assert answer_texts(prompts) == [[space + word for word in variants] for variants in ANSWERS]
    for part in ("Do these two sentences mean the same thing?", "Please provide the sentences", 'A: "a"; B: "b"'):
        assert text.count(part) == 1


@pytest.mark.parametrize("name", ANSWERED)
def test_answers_are_those_of_the_whole_turn(open_prompts, name):
    """The chat with the answer in it, as the template alone renders it, begins with the prompt and the answer."""
    prompts = open_prompts(name)
    [ids] = prompt_ids(prompts, DIRECT, [PAIR])
    messages = conversation([*DIRECT, {"role": "assistant", "content": "yes"}], PAIR)
    template = FIXED_DATE + prompts.template
    turn = prompts.tokenizer.apply_chat_template(
        messages, tokenize=False, chat_template=template, **prompts.template_kwargs
    )
    [[yes, *_], _] = answer_ids(prompts, DIRECT, ANSWERS)
    written = prompts.tokenizer.decode(ids + yes)
    if name in ("ByteDance-Seed-OSS", "gemma4"):  # which write the empty thinking only before a turn to come
        start, end = prompts.markers
        written = written[: written.rindex(start)] + written[written.rindex(end) + len(end) :]
    assert turn.startswith(written)


@pytest.mark.parametrize("name", REFUSED)
def test_refused_with_a_way_round(open_prompts, name):
    prompts = open_prompts(name)
    for ask in (prompt_text, answer_texts):
        with pytest.raises(ValueError, match=REFUSED[name]):
            ask(prompts)
    assert prompt_text(open_prompts(name, think=True)).endswith(THINKING[name][0])


def test_gpt_oss_answers_without_thinking_in_its_final_channel(open_prompts):
    """What the refusal suggests to those who know better; the channel is part of the prompt."""
    prompts = open_prompts("trl_gptoss", {"enable_thinking": False})
    assert prompt_text(prompts).endswith(HARMONY + "<|channel|>final<|message|>")
    assert answer_texts(prompts) == [list(variants) for variants in ANSWERS]


def test_a_switch_in_a_message(open_prompts):
    """Nemotron's; the template closes the block by itself."""
    off, on = ([{"role": "system", "content": f"Be brief. {switch}"}, *DIRECT] for switch in ("/no_think", "/think"))
    prompts = open_prompts("NVIDIA-Nemotron-Nano-v2")
    [ids] = prompt_ids(prompts, off, [PAIR])
    assert prompts.tokenizer.decode(ids).endswith("<SPECIAL_11>Assistant\n<think></think>")
    assert answer_texts(prompts, off) == [list(variants) for variants in ANSWERS]
    with pytest.raises(ValueError, match=OPEN):
        prompt_ids(prompts, on, [PAIR])


@pytest.mark.parametrize("name", THINKING)
def test_answers_after_thinking(open_prompts, name):
    prompts = open_prompts(name, think=True)
    end, start, close = THINKING[name]
    assert prompt_text(prompts).endswith(end) and is_open(prompts) == (not start)
    assert prompts.close.strip().endswith(close) and prompts.markers[0] == (start or "<think>")
    assert answer_texts(prompts) == [list(variants) for variants in ANSWERS]


@pytest.mark.parametrize("name", sorted(ANSWERED.keys() - THINKING.keys()))
def test_room_to_think_for_models_that_do_not(open_prompts, name):
    with pytest.raises(ValueError, match=f"^think: found {name}, whose chat template has no thinking, expected 0$"):
        open_prompts(name, think=True)


@pytest.mark.parametrize("name", [*ANSWERED, *REFUSED])
def test_thinking_switched_on_without_room_for_it(open_prompts, name):
    """Refused, or, if the template has no such switch, an unknown argument."""
    unknown = r"^chat_template_kwargs: found \['enable_thinking'\], expected arguments of the chat template of "
    with pytest.raises(ValueError, match=f"{OPEN}|{NOT_OFF}" if name in SWITCHES else unknown):
        prompt_text(open_prompts(name, {"enable_thinking": True}))


def test_a_budget_without_room_for_it(open_prompts):
    with pytest.raises(ValueError, match=NOT_OFF):
        prompt_text(open_prompts("ByteDance-Seed-OSS", {"thinking_budget": 512}))


@pytest.mark.parametrize("name", [*ANSWERED, *REFUSED])
def test_unknown_arguments(open_prompts, name):
    with pytest.raises(ValueError, match=rf"^chat_template_kwargs: found \['think'\], expected .* of {name}: "):
        open_prompts(name, {"think": False})


@pytest.mark.parametrize("name", ANSWERED)
def test_the_signature_says_that_thinking_is_off(open_prompts, name):
    open_prompts(name)
    signature = ChatModel(tiny_model("llama", 8), tokenizer_of(name)).signature()
    assert ("'enable_thinking': False" in signature) == (name in SWITCHES)
    assert ("'thinking_budget': 0" in signature) == (name == "ByteDance-Seed-OSS")


@pytest.mark.parametrize("name", [*ANSWERED, *REFUSED])
def test_the_same_prompt_tomorrow(open_prompts, name, monkeypatch):
    """A date in a template is fixed; several templates write today's."""
    think = name in REFUSED
    today = prompt_text(open_prompts(name, think=think))

    class Later(datetime.datetime):
        @classmethod
        def now(cls, tz=None):
            return cls(2031, 5, 17, tzinfo=tz)

    monkeypatch.setattr(rendering, "datetime", Later)
    fixed = {"SmolLM3": "26 July 2024", "meta-llama-Llama-3.2-3B-Instruct": "26 Jul 2024", "trl_gptoss": "2024-07-26"}
    assert prompt_text(open_prompts(name, think=think)) == today
    assert fixed.get(name, "") in today
    usual = tokenizer_of(name).apply_chat_template([{"role": "user", "content": "a"}], tokenize=False)
    assert ("2031" in usual) == (name in fixed)  # else the clock would not have been moved


def test_a_date_of_ones_own(open_prompts):
    name = "meta-llama-Llama-3.2-3B-Instruct"
    assert "1 May 2025" in prompt_text(open_prompts(name, {"date_string": "1 May 2025"}))


@pytest.mark.parametrize("name", ANSWERED)
def test_no_text_switches_thinking_on_or_ends_a_turn(open_prompts, name):
    prompts = open_prompts(name)
    added = set(prompts.added.values())

    def control(text):
        [ids] = prompt_ids(prompts, DIRECT, [PAIR | {"source": text}])
        return [token for token in ids if token in added]

    for text in ("/think", "/no_think", "<think>", "</think>yes", "<|channel>thought", "<|im_end|>", "<seed:think>"):
        assert control(text) == control("a")

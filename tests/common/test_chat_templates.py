"""Real chat templates of instruct models: the answer in its place, thinking off, or a refusal."""

import ast
import datetime
import json
import re
from pathlib import Path

import jinja2
import pytest
import transformers.utils.chat_template_utils as rendering

from metrics._common.common_llm import ChatModel
from metrics._common.common_turns import FIXED_DATE
from metrics.parapluie.judge_local import LocalPrompts
from metrics.parapluie.judge_thinking import ThinkingPrompts
from metrics.parapluie.templates import TEMPLATES, conversation

from ..conftest import ROOT
from .judging import answer_ids, prompt_ids
from .models import byte_level_tokenizer, tiny_model

DATA = ROOT.parent / "shared" / "data"
FILES = {
    file.stem: file for name in ("chat_templates", "chat_templates_2026") for file in (DATA / name).glob("*.jinja")
}
ANSWERS = ("yes", "Yes"), ("no", "No")
DIRECT = TEMPLATES["direct"]
PAIR = {"source": "a", "hypothesis": "b"}
WHOLE = PAIR | {"explanation": "so"}
REFUSAL = "^found .*, a model that thinks before it answers, with {}, where a score means nothing; pass think=1024 "

# What is expected of each template, by the key in its row: answered: how a prompt ends, and what is before an answer;
# refused: with what; switch: the template's own argument that turns thinking off, and the values for off and on;
# skipped: thinking in the prompt for a turn, and nowhere else; thinking: how a prompt ends when the model may think,
# how its thinking begins, and what follows it up to the answer; shown: in an answered turn. Those with a template are
# the tests' own: ways of writing that no list of models would have.
TABLE = json.loads((Path(__file__).parent / "chat_templates.json").read_text(encoding="utf-8"))
ANSWERED, WHY_REFUSED, SWITCHES, SKIPPED, THINKING, SHOWN, OWN = (
    {name: row[key] for name, row in TABLE.items() if key in row}
    for key in ("answered", "refused", "switch", "skipped", "thinking", "shown", "template")
)
REFUSED = {name: REFUSAL.format(why) for name, why in WHY_REFUSED.items()}
CONVERSATIONS = {
    **{name: TEMPLATES[name] for name in ("direct", "indirect", "fs_direct")},
    "system": [{"role": "system", "content": "Judge."}, *DIRECT],
}


@pytest.fixture
def open_prompts():
    """open_prompts(name, arguments={}, think=False): the prompts of a template by its file's name."""

    def open_prompts(name, arguments=None, think=False):
        if not FILES and name not in OWN:
            pytest.skip("shared/data/chat_templates is not beside this checkout")
        return (ThinkingPrompts if think else LocalPrompts)(tokenizer_of(name), name, arguments)

    return open_prompts


def tokenizer_of(name):
    """A tokenizer with the template, and what looks like a control token in it as one."""
    template = OWN.get(name) or FILES[name].read_text("utf-8")
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
    assert {*FILES, *OWN} in (set(OWN), ANSWERED.keys() | REFUSED.keys())


@pytest.mark.parametrize("name", ANSWERED)
def test_the_answer_is_where_the_template_writes_it(open_prompts, name):
    prompts = open_prompts(name)
    end, space = ANSWERED[name]
    text = prompt_text(prompts)
    assert text.endswith(end) and not is_open(prompts)
    assert answer_texts(prompts) == [[space + word for word in variants] for variants in ANSWERS]
    for part in ("Do these two sentences mean the same thing?", "Please provide the sentences", 'A: "a"; B: "b"'):
        assert text.count(part) == 1


def turn_of(prompts, messages, **fields):
    """The chat with an answer in it, or thoughts, too, as the template alone renders it."""
    turns = [*conversation(messages, WHOLE), {"role": "assistant", "content": "yes", **fields}]
    for form in (str, lambda text: [{"type": "text", "text": text}]):
        try:
            return prompts.tokenizer.apply_chat_template(
                [
                    turn if isinstance(turn["content"], list) else {**turn, "content": form(turn["content"])}
                    for turn in turns
                ],
                tokenize=False,
                chat_template=FIXED_DATE + prompts.template.text,
                **(
                    {"tools": []}
                    if "in tools %}" in prompts.template.text and "if tools" not in prompts.template.text
                    else {}
                ),
                **prompts.template_kwargs,
            )
        except jinja2.TemplateError as error:
            problem = error
    raise problem


@pytest.mark.parametrize("messages", CONVERSATIONS.values(), ids=list(CONVERSATIONS))
@pytest.mark.parametrize("name", ANSWERED)
def test_answers_are_those_of_the_whole_turn(open_prompts, name, messages):
    """The chat with the answer in it begins with the prompt and the answer, but for thinking that is skipped."""
    prompts = open_prompts(name)
    [ids] = prompt_ids(prompts, messages, [WHOLE])
    [[yes, *_], _] = answer_ids(prompts, messages, ANSWERS)
    before, skipped, after = prompts.tokenizer.decode(ids + yes).rpartition(SKIPPED.get(name, "\0"))
    assert bool(skipped) == (name in SKIPPED)
    assert turn_of(prompts, messages).startswith(before + after)


@pytest.mark.parametrize("messages", CONVERSATIONS.values(), ids=list(CONVERSATIONS))
@pytest.mark.parametrize("name", sorted(SHOWN))
def test_answers_after_thinking_are_those_of_the_whole_turn(open_prompts, name, messages):
    """The chat with thoughts and an answer: prompt, beginning of the thoughts, thoughts, closing text and answer."""
    prompts = open_prompts(name, think=True)
    [ids] = prompt_ids(prompts, messages, [WHOLE])
    prompt, start = prompts.tokenizer.decode(ids), THINKING[name][1]
    begun = "Here are my reasoning steps:\n" if name.startswith("Apriel") else ""  # by the prompt
    parts = [{"type": "thinking", "thinking": "Hm, so."}, {"type": "text", "text": "yes"}]
    ways = [{field: begun + "Hm, so."} for field in ("reasoning_content", "reasoning", "thinking")] + [
        {"content": parts}
    ]
    for fields in ways if name not in ("parts", "an effort") else ways[-1:]:
        turn = turn_of(prompts, messages, **fields)
        if "Hm, so." in turn:
            break
    assert turn.startswith(prompt)
    opening, _, closing = turn[len(prompt) :].partition("Hm, so.")
    gap = prompts.rendered(prompts.shape(messages)).gap
    assert opening.strip() == start and closing.startswith(prompts.close + gap + "yes")


@pytest.mark.parametrize("name", REFUSED)
def test_refused_with_a_way_round(open_prompts, name):
    prompts = open_prompts(name)
    for ask in (prompt_text, answer_texts):
        with pytest.raises(ValueError, match=REFUSED[name]):
            ask(prompts)
    assert prompt_text(open_prompts(name, think=True)).endswith(THINKING[name][0])


@pytest.mark.parametrize("name", [*REFUSED, *SWITCHES])
def test_what_a_refusal_names_works(open_prompts, name):
    """Each way that it names; an open block cannot be left by a word that the template does not read."""
    given = {SWITCHES[name][0]: SWITCHES[name][2]} if name in SWITCHES else None
    with pytest.raises(ValueError, match="^found ") as refusal:
        prompt_text(open_prompts(name, given))
    assert ("think=1024" in str(refusal.value)) == (name in THINKING)
    named = re.search(r"chat_template_kwargs=(\{.*\})", str(refusal.value))
    assert bool(named) == (name in SWITCHES or "switched off" in REFUSED[name])
    if named:
        assert answer_texts(open_prompts(name, ast.literal_eval(named[1])))


def test_a_switch_in_a_message(open_prompts):
    """Nemotron's; the template closes the block by itself."""
    off, on = ([{"role": "system", "content": f"Be brief. {switch}"}, *DIRECT] for switch in ("/no_think", "/think"))
    prompts = open_prompts("NVIDIA-Nemotron-Nano-v2")
    [ids] = prompt_ids(prompts, off, [PAIR])
    assert prompts.tokenizer.decode(ids).endswith("<SPECIAL_11>Assistant\n<think></think>")
    assert answer_texts(prompts, off) == [list(variants) for variants in ANSWERS]
    with pytest.raises(ValueError, match=REFUSED["NVIDIA-Nemotron-Nano-v2"]):
        prompt_ids(prompts, on, [PAIR])


@pytest.mark.parametrize("name", THINKING)
def test_answers_after_thinking(open_prompts, name):
    prompts = open_prompts(name, think=True)
    end, start, close = THINKING[name]
    assert prompt_text(prompts).endswith(end) and is_open(prompts) == (not start)
    assert prompts.close == close.rstrip(" ") and close.strip().startswith(prompts.template.thinking[1])
    assert not start or prompts.template.thinking[0] == start
    gap = close.removeprefix(prompts.close)
    assert answer_texts(prompts) == [[gap + word for word in variants] for variants in ANSWERS]


@pytest.mark.parametrize("name", sorted(ANSWERED.keys() - THINKING.keys()))
def test_room_to_think_for_models_that_do_not(open_prompts, name):
    with pytest.raises(ValueError, match=f"^think: found {name}, whose chat template has no thinking, expected 0$"):
        open_prompts(name, think=True)


@pytest.mark.parametrize("name", [*ANSWERED, *REFUSED])
def test_thinking_switched_on_without_room_for_it(open_prompts, name):
    """Refused, or, if the template has no such switch, an unknown argument."""
    switch, _, on = SWITCHES.get(name, ("enable_thinking", False, True))
    unknown = r"^chat_template_kwargs: found \['enable_thinking'\], expected arguments of the chat template of "
    with pytest.raises(ValueError, match=REFUSAL.format(".*") if name in SWITCHES else unknown):
        prompt_text(open_prompts(name, {switch: on}))


@pytest.mark.parametrize("name", [*ANSWERED, *REFUSED])
def test_unknown_arguments(open_prompts, name):
    with pytest.raises(ValueError, match=rf"^chat_template_kwargs: found \['think'\], expected .* of {name}: "):
        open_prompts(name, {"think": False})


@pytest.mark.parametrize("name", ANSWERED)
def test_the_signature_says_that_thinking_is_off(open_prompts, name):
    open_prompts(name)
    signature = ChatModel(tiny_model("llama", 8), tokenizer_of(name)).signature()
    assert [switch for switch, off, _ in SWITCHES.values() if f"'{switch}': {off!r}" in signature][:1] == [
        SWITCHES[name][0] for _ in [0] if name in SWITCHES
    ]


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
    usual = tokenizer_of(name).apply_chat_template([{"role": "user", "content": "a"}], tokenize=False, tools=[])
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

"""think=N: a model with scripted thinking; what is scored and generated follows its end."""

import pytest
import torch
from transformers import GenerationConfig, LogitsProcessor

from metrics._common.common_llm import ChatLLM
from metrics._common.common_prompts import ItemError

from . import oracle
from .models import byte_level_tokenizer, tiny_model

TURNS = (
    "{% for m in messages %}{{ '<|im_start|>' + m['role'] + '\n' + m['content'] + '<|im_end|>\n' }}{% endfor %}"
    "{% if add_generation_prompt %}{{ '<|im_start|>assistant\n' }}{% endif %}"
)
SWITCH = (
    "{% if add_generation_prompt and enable_thinking is defined and enable_thinking is false %}"
    "{{ '<think>\n\n</think>\n\n' }}{% endif %}"
)
# How four families write it; the first is Qwen 3's way, the second that of models that always think.
TEMPLATES = {
    "switch": TURNS + SWITCH,
    "open": TURNS + "{% if add_generation_prompt %}{{ '<think>\n' }}{% endif %}{# up to </think> #}",
    "gemma4": TURNS
    + "{% if add_generation_prompt and not enable_thinking | default(false) %}"
    + "{{ '<|channel>thought\n<channel|>' }}{% endif %}",
    "gpt-oss": (
        "{% for m in messages %}{{ '<|start|>' + m['role'] + ('<|channel|>final' if m['role'] == 'assistant' else '')"
        " + '<|message|>' + m['content'] + '<|end|>' }}{% endfor %}"
        "{% if add_generation_prompt %}{{ '<|start|>assistant' }}{% endif %}{# first: <|channel|>analysis #}"
    ),
}
BEGINNINGS = {
    "switch": "<think>\n",
    "open": "",
    "gemma4": "<|channel>thought\n",
    "gpt-oss": "<|channel|>analysis<|message|>",
}
ENDS = {
    "switch": "</think>\n\n",
    "open": "</think>\n\n",
    "gemma4": "<channel|>",
    "gpt-oss": "<|end|><|start|>assistant<|channel|>final<|message|>",
}
AT_ONCE = {"switch": "", "gemma4": "", "gpt-oss": "<|channel|>final<|message|>"}
SPECIAL = ("<|im_start|>", "<|im_end|>", "<|channel>", "<channel|>")
SPECIAL += ("<|start|>", "<|end|>", "<|message|>", "<|channel|>")
MESSAGES = [{"role": "user", "content": "{source} yes or no?"}]
WORDS = ("yes", "Yes"), ("no",)
END_OF_TURN = "<|im_end|>"


class Script(LogitsProcessor):
    """Makes a model generate script(prompt), whatever its probabilities, and end its turn."""

    def __init__(self, tokenizer, script):
        self.tokenizer, self.script, self.width = tokenizer, script, None

    def __call__(self, input_ids, scores):
        if self.width is None:
            self.width = input_ids.shape[1]
            self.said = [self.ids(self.script(self.tokenizer.decode(row))) for row in input_ids]
        k = input_ids.shape[1] - self.width
        end = self.tokenizer.convert_tokens_to_ids(END_OF_TURN)
        scores = torch.full_like(scores, -1e9)
        for row, ids in zip(scores, self.said):
            row[ids[k] if k < len(ids) else end] = 0
        return scores

    def ids(self, text):
        return self.tokenizer(text, add_special_tokens=False)["input_ids"]


@pytest.fixture
def scripted(monkeypatch):
    """scripted(form, script, think): a model that writes as the script says, with one of the templates above."""

    def make(form, script, think, markers=("<think>", "</think>"), template=None):
        tokenizer = byte_level_tokenizer(template or TEMPLATES[form], SPECIAL + markers, eos=END_OF_TURN)
        model = tiny_model("llama", len(tokenizer))
        model.generation_config = GenerationConfig(eos_token_id=tokenizer.eos_token_id)
        generate = model.generate
        monkeypatch.setattr(
            model, "generate", lambda **given: generate(logits_processor=[Script(tokenizer, script)], **given)
        )
        return ChatLLM(model, tokenizer, think=think)

    return make


def told_by(sayings, ends=()):
    """A script: the reply to a prompt with one of these words; after thinking, always the same."""

    def script(prompt):
        if any(prompt.endswith(end) for end in ends):
            return "Yes."
        return next(saying for word, saying in sayings.items() if word in prompt)

    return script


def thoughts(form):
    """{word in a prompt: (what the model writes, what its answer follows)}, for 30 tokens."""
    start, end = BEGINNINGS[form], ENDS[form]
    long = start + "a cat sat on a mat and " * 9
    said = {
        "ended": (f"{start}Hm, so.\n{end}Yes.", f"{start}Hm, so.\n{end}"),
        "endless": (long, None),
        "emoji": (f"{start}it 😀{end}no", f"{start}it 😀{end}"),
    }
    return said | ({"at once": (f"{AT_ONCE[form]}Yes.", AT_ONCE[form])} if form in AT_ONCE else {})


@pytest.mark.parametrize("markers", [("<think>", "</think>"), ()], ids=["special", "plain"])
@pytest.mark.parametrize("form", TEMPLATES)
@pytest.mark.parametrize("batch_size", ["auto", 1])
def test_scores_after_thinking(scripted, form, markers, batch_size):
    """Cut at its end, closed if it does not end, left out if there is none; also in one batch."""
    said = thoughts(form)
    llm = scripted(form, told_by({word: text for word, (text, _) in said.items()}), 30, markers)

    def ids(text):
        return llm.tokenizer(text, add_special_tokens=False)["input_ids"]

    prompts = llm.prompts(MESSAGES, [{"source": word} for word in said])
    answers = llm.answers(MESSAGES, WORDS)
    assert [[llm.tokenizer.decode(a) for a in side] for side in answers] == [["yes", "Yes"], ["no"]]
    found = dict(llm.answer_log_probs(prompts, answers, batch_size))
    for i, (text, thought) in enumerate(said.values()):
        row = prompts[i] + (ids(text)[:30] + ids(ENDS[form]) if thought is None else ids(thought))
        assert found[i][:2] == pytest.approx(oracle.answer_log_probs(llm.model, row, answers), abs=1e-3)
        assert found[i][2] == llm.tokenizer.decode([oracle.likeliest(llm.model, row)])
        others = [p for p in prompts if p is not prompts[i]]
        assert found[i][:2] != pytest.approx(oracle.answer_log_probs(llm.model, others[0], answers), abs=1e-2)


@pytest.mark.parametrize("form", TEMPLATES)
@pytest.mark.parametrize("batch_size", ["auto", 1])
def test_texts_have_no_thinking_in_them(scripted, form, batch_size):
    """Whether it ends by itself or is ended, or the model answers at once."""
    said = {word: text for word, (text, _) in thoughts(form).items()}
    llm = scripted(form, told_by(said, ends=[ENDS[form], AT_ONCE.get(form) or ENDS[form]]), 30)
    prompts = llm.prompts(MESSAGES, [{"source": word} for word in said])
    assert dict(llm.generate(prompts, 8, batch_size)) == dict.fromkeys(range(len(said)), "Yes.")


@pytest.mark.parametrize("think", [1, 7])
def test_a_model_thinks_no_longer_than_it_may(scripted, think):
    llm = scripted("switch", told_by({"": BEGINNINGS["switch"] + "a cat " * 99}), think)
    prompts, answers = llm.prompts(MESSAGES, [{"source": "a"}]), llm.answers(MESSAGES, WORDS)
    [(_, found)] = llm.answer_log_probs(prompts, answers)
    written = llm.tokenizer(BEGINNINGS["switch"] + "a cat " * 99)["input_ids"][:think]
    row = prompts[0] + written + llm.tokenizer(ENDS["switch"])["input_ids"]
    assert found[:2] == pytest.approx(oracle.answer_log_probs(llm.model, row, answers), abs=1e-3)


@pytest.mark.parametrize("start", ["<think>", "[THINK]", "<seed:think>", "<|channel>thought", "<|channel|>analysis"])
@pytest.mark.parametrize("template", [TURNS, TEMPLATES["switch"]], ids=["unknown", "switched off"])
def test_thinking_without_room_is_refused(scripted, start, template):
    """Also for a model whose template has no thinking."""
    llm = scripted(None, told_by({"fine": "Yes.", "thinks": f"{start}\nHm"}), 0, template=template)
    prompts = llm.prompts(MESSAGES, [{"source": "fine"}, {"source": "thinks"}])
    assert dict(llm.generate(prompts[:1])) == {0: "Yes."}
    with pytest.raises(ItemError, match="thinking before it answers; pass think=1024 for room$") as caught:
        dict(llm.generate(prompts))
    assert caught.value.index == 1


def test_thinking_once_more_is_refused(scripted):
    llm = scripted("switch", told_by({"": "<think>\nHm.\n</think>\n\n"}), 30)
    with pytest.raises(ItemError, match="thinking before it answers; expected an answer after 30 tokens$"):
        dict(llm.generate(llm.prompts(MESSAGES, [{"source": "a"}])))

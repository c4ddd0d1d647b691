"""think=N: a model with scripted thinking; what is scored and generated follows its end."""

import pytest
import torch
from transformers import GenerationConfig, LogitsProcessor

from metrics.parapluie.common_prompts import ItemError
from metrics.parapluie.judge_local import LocalModel
from metrics.parapluie.judge_thinking import ThinkingModel

from ..common import oracle
from ..common.judging import answer_ids, conversations, prompt_ids
from ..common.models import CHATML, byte_level_tokenizer, tiny_model

SWITCH = (
    "{% if add_generation_prompt and enable_thinking is defined and enable_thinking is false %}"
    "{{ '<think>\n\n</think>\n\n' }}{% endif %}"
)
# How four families write it; the first is Qwen 3's way, the second that of models that always think.
TEMPLATES = {
    "switch": CHATML + SWITCH,
    "open": CHATML + "{% if add_generation_prompt %}{{ '<think>\n' }}{% endif %}{# up to </think> #}",
    "gemma4": CHATML
    + "{% if add_generation_prompt and not enable_thinking | default(false) %}"
    + "{{ '<|channel>thought\n<channel|>' }}{% endif %}",
    "gpt-oss": (
        "{% for m in messages %}{% if m['thinking'] %}{{ '<|start|>assistant<|channel|>analysis<|message|>'"
        " + m['thinking'] + '<|end|>' }}{% endif %}"
        "{{ '<|start|>' + m['role'] + ('<|channel|>final' if m['role'] == 'assistant' else '')"
        " + '<|message|>' + m['content'] + '<|end|>' }}{% endfor %}"
        "{% if add_generation_prompt %}{{ '<|start|>assistant' }}{% endif %}"
    ),
}
BEGINNINGS = {
    "switch": "<think>\n", "open": "", "gemma4": "<|channel>thought\n", "gpt-oss": "<|channel|>analysis<|message|>",
}  # fmt: skip
ENDS = {
    "switch": "</think>\n\n", "open": "</think>\n\n", "gemma4": "<channel|>",
    "gpt-oss": "<|end|><|start|>assistant<|channel|>final<|message|>",
}  # fmt: skip
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
            self.written = [self.ids(self.script(self.tokenizer.decode(row))) for row in input_ids]
        k = input_ids.shape[1] - self.width
        end = self.tokenizer.convert_tokens_to_ids(END_OF_TURN)
        scores = torch.full_like(scores, -1e9)
        for row, ids in zip(scores, self.written):
            row[ids[k] if k < len(ids) else end] = 0
        return scores

    def ids(self, text):
        return self.tokenizer(text, add_special_tokens=False)["input_ids"]


@pytest.fixture
def scripted(monkeypatch):
    """scripted(form, script, think): a judge that writes as the script says, with one of the templates above."""

    def make(form, script, think, markers=("<think>", "</think>"), template=None, batch_size="auto"):
        tokenizer = byte_level_tokenizer(template or TEMPLATES[form], SPECIAL + markers, eos=END_OF_TURN)
        model = tiny_model("llama", len(tokenizer))
        model.generation_config = GenerationConfig(eos_token_id=tokenizer.eos_token_id)
        generate = model.generate
        monkeypatch.setattr(
            model, "generate", lambda **given: generate(logits_processor=[Script(tokenizer, script)], **given)
        )
        if think:
            return ThinkingModel(model, tokenizer, batch_size=batch_size, think=think)
        return LocalModel(model, tokenizer, batch_size=batch_size)

    return make


def told_by(sayings, ends=()):
    """A script: the reply to a prompt with one of these words; after thinking, always the same."""

    def script(prompt):
        if any(prompt.endswith(end) for end in ends):
            return "Yes."
        return next(saying for word, saying in sayings.items() if word in prompt)

    return script


def asked(*words):
    return conversations(MESSAGES, [{"source": word} for word in words])


def thoughts(form):
    """{word in a prompt: (what the model writes, what its answer follows)}, for 30 tokens."""
    start, end = BEGINNINGS[form], ENDS[form]
    long = start + "a cat sat on a mat and " * 9
    scripts = {
        "ended": (f"{start}Hm, so.\n{end}Yes.", f"{start}Hm, so.\n{end}"),
        "endless": (long, None),
        "emoji": (f"{start}it 😀{end}no", f"{start}it 😀{end}"),
    }
    return scripts | ({"at once": (f"{AT_ONCE[form]}Yes.", AT_ONCE[form])} if form in AT_ONCE else {})


@pytest.mark.parametrize("markers", [("<think>", "</think>"), ()], ids=["special", "plain"])
@pytest.mark.parametrize("form", TEMPLATES)
@pytest.mark.parametrize("batch_size", ["auto", 1])
def test_scores_after_thinking(scripted, form, markers, batch_size):
    """Cut at its end, closed if it does not end, left out if there is none; also in one batch."""
    scripts = thoughts(form)
    script = told_by({word: text for word, (text, _) in scripts.items()})
    judge = scripted(form, script, 30, markers, batch_size=batch_size)

    def ids(text):
        return judge.tokenizer(text, add_special_tokens=False)["input_ids"]

    prompts = prompt_ids(judge.prompts, MESSAGES, [{"source": word} for word in scripts])
    answers = answer_ids(judge.prompts, MESSAGES, WORDS)
    assert [[judge.tokenizer.decode(a) for a in side] for side in answers] == [["yes", "Yes"], ["no"]]
    found = judge.answer_log_probs(asked(*scripts), WORDS)
    for i, (text, after) in enumerate(scripts.values()):
        row = prompts[i] + (ids(text)[:30] + ids(ENDS[form]) if after is None else ids(after))
        assert found[i][:2] == pytest.approx(oracle.answer_log_probs(judge.model, row, answers), abs=1e-3)
        assert found[i][2] == judge.tokenizer.decode([oracle.likeliest(judge.model, row)])
        other = prompts[1] if i == 0 else prompts[0]
        assert found[i][:2] != pytest.approx(oracle.answer_log_probs(judge.model, other, answers), abs=1e-2)


@pytest.mark.parametrize("form", TEMPLATES)
@pytest.mark.parametrize("batch_size", ["auto", 1])
def test_texts_have_no_thinking_in_them(scripted, form, batch_size):
    """Whether it ends by itself or is ended, or the model answers at once."""
    scripts = {word: text for word, (text, _) in thoughts(form).items()}
    script = told_by(scripts, ends=[ENDS[form], AT_ONCE.get(form) or ENDS[form]])
    assert scripted(form, script, 30, batch_size=batch_size).generate(asked(*scripts), 8) == ["Yes."] * len(scripts)


@pytest.mark.parametrize("think", [1, 7])
def test_a_model_thinks_no_longer_than_it_may(scripted, think):
    judge = scripted("switch", told_by({"": BEGINNINGS["switch"] + "a cat " * 99}), think)
    [prompt] = prompt_ids(judge.prompts, MESSAGES, [{"source": "a"}])
    [found] = judge.answer_log_probs(asked("a"), WORDS)
    written = judge.tokenizer(BEGINNINGS["switch"] + "a cat " * 99)["input_ids"][:think]
    row = prompt + written + judge.tokenizer(ENDS["switch"])["input_ids"]
    answers = answer_ids(judge.prompts, MESSAGES, WORDS)
    assert found[:2] == pytest.approx(oracle.answer_log_probs(judge.model, row, answers), abs=1e-3)


@pytest.mark.parametrize("start", ["<think>", "[THINK]", "<seed:think>", "<|channel>thought", "<|channel|>analysis"])
@pytest.mark.parametrize("template", [CHATML, TEMPLATES["switch"]], ids=["unknown", "switched off"])
def test_thinking_without_room_is_refused(scripted, start, template):
    """Also for a model whose template has no thinking."""
    judge = scripted(None, told_by({"fine": "Yes.", "thinks": f"{start}\nHm"}), 0, template=template)
    assert judge.generate(asked("fine"), 256) == ["Yes."]
    with pytest.raises(ItemError, match="thinking before it answers; pass think=1024 to parapluie, or ") as caught:
        judge.generate(asked("fine", "thinks"), 256)
    assert caught.value.index == 1


def test_thinking_once_more_is_refused(scripted):
    judge = scripted("switch", told_by({"": "<think>\nHm.\n</think>\n\n"}), 30)
    with pytest.raises(ItemError, match="thinking before it answers; expected an answer after 30 tokens$"):
        judge.generate(asked("a"), 256)


def test_thinking_needs_room_in_the_context(scripted, monkeypatch):
    judge = scripted("switch", told_by({"": "<think>\nHm.\n</think>\n\nYes."}), 60)
    [prompt] = prompt_ids(judge.prompts, MESSAGES, [{"source": "a cat"}])
    monkeypatch.setattr(judge.model, "generate", None)  # nothing may be computed
    for method, argument, reserved in (("generate", 10, 70), ("answer_log_probs", WORDS, 61)):
        judge.context_length = len(prompt) + reserved - 1
        message = f"^found a prompt of {len(prompt)} tokens, expected at most {len(prompt) - 1} for "
        with pytest.raises(ItemError, match=message):
            getattr(judge, method)(asked("a cat"), argument)


def test_how_long_it_may_think_is_a_part_of_what_it_is(scripted):
    identities = [scripted("switch", told_by({"": "Yes."}), think).identity for think in (0, 5, 6)]
    assert len(set(map(str, identities))) == 3

"""Scores, likelihoods and generation against whole-sequence float64, for any batches."""

import math
from concurrent.futures import ThreadPoolExecutor

import pytest
import torch
from hypothesis import example, given, settings
from hypothesis import strategies as st

from metrics._common.common_llm import ChatModel
from metrics._common.common_prompts import ItemError
from metrics.melasss.scoring import Options, open_judge
from metrics.parapluie.judge_local import LocalModel, load
from metrics.parapluie.templates import TEMPLATES

from . import oracle
from .judging import answer_ids, conversations, expected_log_probs, expected_ratios, prompt_ids, ratios
from .models import TOKENIZERS, tiny_model
from .test_prompts import CONTROL_STRINGS, NASTY_TEXTS

PAIRS = [
    {"source": "The cat sat on the mat.", "hypothesis": "On the mat sat a cat.", "explanation": "Yes."},
    {"source": "It is late.", "hypothesis": "It is not late, is it?", "explanation": "No, they differ.\nReally."},
    *({"source": text, "hypothesis": "b", "explanation": text} for text in NASTY_TEXTS),
    {"source": "long " * 150, "hypothesis": "long " * 149, "explanation": ""},
]
YES_NO = (("yes",), ("no",))
WORDS = (("yes", "Yes"), ("no", "it is not"))


DIRECT = TEMPLATES["direct"]


def make(architecture, tokenizer="qwen2", dtype=torch.float32, batch_size="auto", **settings):
    tokenizer = TOKENIZERS[tokenizer]()
    return ChatModel(tiny_model(architecture, len(tokenizer), dtype, **settings), tokenizer, batch_size=batch_size)


def with_batches(judge, batch_size):
    """The same model in other batches."""
    return ChatModel(judge.model, judge.tokenizer, batch_size=batch_size)


@pytest.mark.parametrize("template", TEMPLATES)
def test_scores_equal_the_float64_oracle(template):
    """Of other architectures in test_architectures.py."""
    judge, exact = make("llama"), make("llama", dtype=torch.float64)
    pairs = PAIRS[:: 5 if template == "fs_direct" else 2]
    expected = expected_ratios(exact, TEMPLATES[template], pairs, YES_NO)
    assert max(expected) - min(expected) > 0.5  # or the test would pass for a constant
    assert ratios(judge, TEMPLATES[template], pairs, YES_NO) == pytest.approx(expected, abs=1e-3)


SYSTEM = [
    {"role": "system", "content": "{explanation}"},
    {"role": "user", "content": "{source}"},
    {"role": "assistant", "content": "{explanation} {hypothesis}"},
    {"role": "user", "content": 'And "{hypothesis}"?'},
]
ANY_TEXT = st.one_of(
    st.sampled_from(["/no_think", "Be brief. /no_think", "/think", *NASTY_TEXTS]),
    st.text(st.characters(exclude_categories=["Cs"]), max_size=40),
    st.lists(st.sampled_from([*CONTROL_STRINGS, "<", "|", ">", "a", " ", "\n"]), max_size=5).map("".join),
)


@pytest.fixture(scope="module", params=["mistral v0.2", "mistral v0.3", "llama-3", "qwen2"])
def both(request):
    """A judge, and the same in float64."""
    return make("llama", request.param), make("llama", request.param, dtype=torch.float64)


@settings(max_examples=15, deadline=None)
@given(st.lists(st.tuples(ANY_TEXT, ANY_TEXT, ANY_TEXT), min_size=1, max_size=4))
@example([("/no_think", "a", "b"), ("Judge. <|im_end|></s><|eot_id|>", "a", "b"), ("", "a", "b"), ("<unk>", " ", "")])
def test_any_conversation_is_scored_as_by_the_oracle(both, texts):
    """Whatever its texts, the system message's, too; which the template may read: they are of several shapes."""
    judge, exact = both
    fields = [{"explanation": system, "source": source, "hypothesis": text} for system, source, text in texts]
    expected = expected_log_probs(exact, SYSTEM, fields, WORDS)
    found = judge.answer_log_probs(conversations(SYSTEM, fields), WORDS)
    assert [pair for *pair, _ in found] == [pytest.approx(pair, abs=1e-3) for pair in expected]


@pytest.mark.parametrize("system", ["Judge.", "/no_think", "{explanation}"])
def test_the_chat_template_is_rendered_at_most_twice_for_a_call(system, monkeypatch):
    """As the prompt, and with an answer; however many conversations; once more, to tell thinking in a text."""
    judge, rendered = make("llama"), []
    apply = judge.tokenizer.apply_chat_template

    def counted(*args, **kwargs):
        rendered.append(args)
        return apply(*args, **kwargs)

    monkeypatch.setattr(judge.tokenizer, "apply_chat_template", counted)
    asked = conversations([{"role": "system", "content": system}, *DIRECT], PAIRS[:9])
    judge.answer_log_probs(asked, WORDS)
    assert 1 <= len(rendered) <= 2
    judge.generate(asked, 2)
    judge.answer_log_probs(asked, YES_NO)
    assert len(rendered) <= 4  # they are kept


def test_batch_size_and_order_do_not_matter():
    judge, template, pairs = make("llama"), TEMPLATES["fs_direct"], PAIRS[:20]
    expected = ratios(judge, template, pairs, YES_NO)
    for batch_size in (1, 2, 7, 100):
        assert ratios(with_batches(judge, batch_size), template, pairs, YES_NO) == pytest.approx(expected, abs=1e-4)
    assert ratios(judge, template, pairs[::-1], YES_NO)[::-1] == pytest.approx(expected, abs=1e-4)
    assert ratios(judge, template, pairs[:1], YES_NO) == pytest.approx(expected[:1], abs=1e-4)
    assert ratios(judge, template, [pairs[1]] * 3, YES_NO) == pytest.approx([expected[1]] * 3, abs=1e-4)
    assert ratios(judge, template, [], YES_NO) == [] == judge.generate([], 3)


def test_conversations_of_several_templates_in_one_call():
    """Chat messages of several shapes, by turns; as each alone, in their order."""
    judge = make("llama")
    asked = [conversations(TEMPLATES[name], PAIRS[:4]) for name in TEMPLATES]
    expected = [[pair[:2] for pair in judge.answer_log_probs(each, WORDS)] for each in asked]
    texts = [judge.generate(each, 3) for each in asked]
    together = [conversation for four in zip(*asked) for conversation in four]
    found = [pair[:2] for pair in judge.answer_log_probs(together, WORDS)]
    assert found == [pytest.approx(pair, abs=1e-4) for four in zip(*expected) for pair in four]
    assert judge.generate(together, 3) == [text for four in zip(*texts) for text in four]


def test_equals_the_papers_two_losses():
    judge = make("llama", dtype=torch.float64)
    answers = answer_ids(judge.prompts, DIRECT, YES_NO)
    expected = [oracle.two_losses(judge.model, ids, answers) for ids in prompt_ids(judge.prompts, DIRECT, PAIRS[:5])]
    found = ratios(judge, DIRECT, PAIRS[:5], YES_NO)
    assert found == pytest.approx(expected, abs=1e-3)  # transformers takes its losses in float32


def check_against_oracle(judge, pairs):
    expected = expected_ratios(judge, DIRECT, pairs, YES_NO)
    assert ratios(judge, DIRECT, pairs, YES_NO) == pytest.approx(expected, abs=1e-3)


def test_runs_that_take_turns_do_not_share_what_is_kept():
    judge = make("llama", batch_size=1)
    templates = DIRECT, TEMPLATES["indirect"]
    expected = [expected_ratios(judge, template, PAIRS[:6], YES_NO) for template in templates]
    runs = [judge.as_completed("answer_log_probs", conversations(t, PAIRS[:6]), YES_NO) for t in templates]
    found = [{}, {}]
    for _ in range(6):
        for run, values in zip(runs, found):
            values.update([next(run)])
    for values, wanted in zip(found, expected):
        assert [values[i][0] - values[i][1] for i in range(6)] == pytest.approx(wanted, abs=1e-3)


@pytest.mark.parametrize("architecture", ["mistral", "gemma2", "gemma3_text"])
def test_attention_windows(architecture):
    """Windows shorter than the prompts, just longer than them, and longer than a prompt but not than a pack."""
    pairs = [{"source": "a cat " * i, "hypothesis": "a dog"} for i in range(5)]
    longest = max(map(len, prompt_ids(make("mistral").prompts, DIRECT, pairs)))
    for window in (16, longest - 1, longest, longest + 1, longest + 2, longest + 40, 3 * longest):
        judge = make(architecture, sliding_window=window)
        expected = pytest.approx(4 * expected_ratios(judge, DIRECT, pairs, YES_NO), abs=1e-3)
        for batch_size in ("auto", 50):
            found = ratios(with_batches(judge, batch_size), DIRECT, 4 * pairs, YES_NO)
            assert found == expected, (window, batch_size)


def test_encoder_decoders_are_refused():
    from transformers import BartConfig, BartForConditionalGeneration

    config = BartConfig(vocab_size=10, d_model=16, encoder_layers=1, decoder_layers=1)
    with pytest.raises(ValueError, match="found BartForConditionalGeneration and .*, expected a causal language model"):
        ChatModel(BartForConditionalGeneration(config), TOKENIZERS["qwen2"]())


def test_threads_do_not_disturb_each_other():
    """One scores while another generates, through two vendored copies of the module."""
    from metrics.parapluie.common_llm import ChatModel as OtherCopy

    judge = make("llama", batch_size=2)
    other = OtherCopy(judge.model, judge.tokenizer, batch_size=2)
    asked = conversations(DIRECT, PAIRS[:8])
    expected, texts = ratios(judge, DIRECT, PAIRS[:8], YES_NO), judge.generate(asked, 4)
    with ThreadPoolExecutor(3) as pool:
        jobs = [pool.submit(judge.generate, asked, 4) for _ in range(4)]
        scores = [pool.submit(ratios, copy, DIRECT, PAIRS[:8], YES_NO) for copy in (judge, other) * 3]
        assert all(job.result() == texts for job in jobs)
        assert all(job.result() == pytest.approx(expected, abs=1e-4) for job in scores)


# ---- What the model would say ----


def test_all_tokens_but_one_are_likely_together(monkeypatch):
    """The probabilities of all tokens add up to 1, whichever side they are on."""
    judge = make("llama")
    tokens = [[token] for token in range(len(judge.tokenizer))]
    monkeypatch.setattr(judge.prompts, "answers", lambda *_: (tokens[::2], tokens[1::2]))
    for first, second, _ in judge.answer_log_probs(conversations(DIRECT, PAIRS[:3]), YES_NO):
        assert math.exp(first) + math.exp(second) == pytest.approx(1, abs=1e-9)


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
def test_an_answer_as_unlikely_as_can_be_has_a_finite_log_probability(dtype):
    """For one so far below the others that its probability is 0 in float32."""
    judge = make("llama", dtype=dtype)
    with torch.no_grad():
        judge.model.lm_head.weight *= 300
    found = judge.answer_log_probs(conversations(DIRECT, PAIRS[:4]), YES_NO)
    values = [value for *both, _ in found for value in both]
    assert all(map(math.isfinite, values)) and min(values) < -200


@pytest.mark.parametrize("kind", [{"tie_word_embeddings": True}, {"final_logit_softcapping": 5.0}])
def test_heads_of_every_kind(kind):
    """Tied to the embeddings, or with capped logits."""
    check_against_oracle(make("gemma2", head_dim=8, **kind), PAIRS[:6])


def test_a_head_with_a_bias():
    judge = make("llama")
    judge.model.lm_head.bias = torch.nn.Parameter(torch.linspace(-9, 9, len(judge.tokenizer)))
    before = ratios(make("llama"), DIRECT, PAIRS[:6], YES_NO)
    check_against_oracle(judge, PAIRS[:6])
    assert ratios(judge, DIRECT, PAIRS[:6], YES_NO) != pytest.approx(before, abs=0.1)


def test_an_adapter_on_the_head():
    peft = pytest.importorskip("peft")
    judge = make("llama")
    before, asked = ratios(judge, DIRECT, PAIRS[:6], YES_NO), conversations(DIRECT, PAIRS[:6])
    for modules in (["lm_head"], ["lm_head", "q_proj", "embed_tokens"]):
        config = peft.LoraConfig(r=4, target_modules=modules, init_lora_weights=False, task_type="CAUSAL_LM")
        model = peft.get_peft_model(make("llama").model, config).eval()
        for live in (model, model.base_model.model):  # wrapped, or with the adapter's layers put in
            found = ratios(ChatModel(live, judge.tokenizer), DIRECT, PAIRS[:6], YES_NO)
            expected = expected_ratios(judge, DIRECT, PAIRS[:6], YES_NO, model)
            assert found == pytest.approx(expected, abs=1e-3)
        assert found != pytest.approx(before, abs=0.05)
        before_it = model.generation_config.to_dict()
        texts = ChatModel(model, judge.tokenizer).generate(asked, 3)
        assert model.generation_config.to_dict() == before_it
        assert texts == ChatModel(model.merge_and_unload(), judge.tokenizer).generate(asked, 3)


def test_a_model_in_training_is_scored_without_dropout_and_goes_on_training():
    judge = make("llama", attention_dropout=0.5)
    asked = conversations(DIRECT, PAIRS[:4])
    expected, texts = ratios(judge, DIRECT, PAIRS[:4], YES_NO), judge.generate(asked, 4)
    judge.model.train()
    assert ratios(judge, DIRECT, PAIRS[:4], YES_NO) == pytest.approx(expected, abs=1e-6)
    assert judge.generate(asked, 4) == texts
    assert judge.model.training
    assert all(parameter.requires_grad for parameter in judge.model.parameters())


def test_batches_are_halved_when_memory_runs_out(monkeypatch):
    judge = make("llama")
    pairs = [{"source": "a cat " * i, "hypothesis": "a dog"} for i in range(8)]
    expected = ratios(judge, DIRECT, pairs, YES_NO)
    forward = judge.model.forward
    limit = 3 * max(map(len, prompt_ids(judge.prompts, DIRECT, pairs))) // 2

    def small_memory(*args, **kwargs):
        if kwargs["input_ids"].numel() > limit:
            raise torch.OutOfMemoryError("pretended")
        return forward(*args, **kwargs)

    monkeypatch.setattr(judge.model, "forward", small_memory)
    with pytest.warns(UserWarning, match="out of memory: the model goes on with batches of 4$"):
        assert ratios(with_batches(judge, 8), DIRECT, pairs, YES_NO) == pytest.approx(expected, abs=1e-4)
    limit = 1
    with pytest.raises(torch.OutOfMemoryError):
        ratios(with_batches(judge, 1), DIRECT, pairs, YES_NO)


def test_what_cannot_be_asked_is_refused_before_the_work(monkeypatch):
    """A prompt that is too long, the last of many: nothing is computed, and the error has its index among all."""
    judge = make("llama", max_position_embeddings=200)
    monkeypatch.setattr(judge.model, "forward", None)
    asked = conversations(TEMPLATES["direct"][:1], [{}] * 3) + conversations(DIRECT, [*PAIRS[:2], PAIRS[-1]])
    for argument, method in ((YES_NO, "answer_log_probs"), (50, "generate")):
        message = f"^found a prompt of .* tokens, expected at most {200 - (50 if argument == 50 else 1)} for Llama"
        with pytest.raises(ItemError, match=message) as caught:
            getattr(judge, method)(asked, argument)
        assert caught.value.index == 5
    with pytest.raises(
        ItemError, match="^found a prompt of .* tokens, expected at most 0 for Llama.*, with 300 to come$"
    ):
        judge.generate(asked[:1], 300)


def test_generation_is_greedy_and_does_not_depend_on_batches():
    judge = make("llama")
    asked = conversations(DIRECT, PAIRS[:5])
    alone = with_batches(judge, 1).generate(asked, 6)
    assert judge.generate(asked, 6) == alone
    for text, prompt in zip(alone, prompt_ids(judge.prompts, DIRECT, PAIRS[:5]), strict=True):
        ids = list(prompt)
        for _ in range(6):
            with torch.inference_mode():
                ids.append(int(judge.model(torch.tensor([ids])).logits[0, -1].argmax()))
        assert judge.tokenizer.decode(ids[len(prompt) :], skip_special_tokens=True).strip() == text


def test_generation_ends_with_the_turn_whatever_the_checkpoint_says(monkeypatch):
    """A checkpoint may not list its template's end of turn as an end; what follows is no answer."""
    judge = make("qwen2")
    shape = judge.prompts.shape(DIRECT)
    rendered, prompts = judge.prompts.rendered(shape), prompt_ids(judge.prompts, DIRECT, PAIRS[:3])
    assert rendered.turn_end == judge.tokenizer.convert_tokens_to_ids("<|im_end|>")
    for i, ids in list(judge._continuations([shape] * 3, prompts, 6)):
        other = rendered._replace(turn_end=ids[2])  # as if this were the template's
        monkeypatch.setattr(judge.prompts, "rendered", lambda _, other=other: other)
        [(_, ended)] = judge._continuations([shape], [prompts[i]], 6)
        assert ended == ids[: ids.index(ids[2])]


def test_generation_takes_no_penalties_from_the_checkpoint():
    judge = make("llama")
    asked = conversations(DIRECT, PAIRS[:3])
    expected = judge.generate(asked, 6)
    judge.model.generation_config.repetition_penalty = 5.0
    assert judge.generate(asked, 6) == expected


# ---- Loading ----


def test_a_folder_that_has_changed_is_loaded_anew(tmp_path):
    tokenizer = TOKENIZERS["qwen2"]()
    for width in (32, 64):
        tiny_model("llama", len(tokenizer), hidden_size=width).save_pretrained(tmp_path)
        tokenizer.save_pretrained(tmp_path)
        assert load(str(tmp_path))[0].config.hidden_size == width


@pytest.mark.parametrize("device", ["gpu", "cuda:999", "cpu:x"])
def test_a_device_that_is_not_there(device, tmp_path):
    message = f"^device: found '{device}', expected 'auto' or a device of torch here, such as 'cpu': "
    with pytest.raises(ValueError, match=message):
        load(str(tmp_path), device=device)


def test_models_are_loaded_once_per_process(tmp_path):
    live = make("llama")
    live.model.save_pretrained(tmp_path)
    live.tokenizer.save_pretrained(tmp_path)
    first, second = (LocalModel(*load(str(tmp_path))) for _ in range(2))
    assert first.model is second.model
    assert open_judge(Options(model_id=str(tmp_path))).model is first.model  # a vendored copy in another metric
    assert prompt_ids(first.prompts, DIRECT, PAIRS[:3]) == prompt_ids(live.prompts, DIRECT, PAIRS[:3])
    expected = ratios(live, DIRECT, PAIRS[:3], YES_NO)
    assert ratios(first, DIRECT, PAIRS[:3], YES_NO) == pytest.approx(expected, abs=1e-5)
    assert load(str(tmp_path), dtype="bfloat16")[0].dtype == torch.bfloat16

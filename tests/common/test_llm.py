"""Scores, likelihoods and generation against whole-sequence float64, for any batches."""

import math
from concurrent.futures import ThreadPoolExecutor

import pytest
import torch

from metrics._common.common_llm import ChatLLM
from metrics._common.common_loading import load
from metrics.parapluie.templates import TEMPLATES

from . import oracle
from .models import ARCHITECTURES, TOKENIZERS, tiny_model
from .test_architectures import SHAPES
from .test_prompts import NASTY_TEXTS

PAIRS = [
    {"source": "The cat sat on the mat.", "hypothesis": "On the mat sat a cat.", "explanation": "Yes."},
    {"source": "It is late.", "hypothesis": "It is not late, is it?", "explanation": "No, they differ.\nReally."},
    *({"source": text, "hypothesis": "b", "explanation": text} for text in NASTY_TEXTS),
    {"source": "long " * 150, "hypothesis": "long " * 149, "explanation": ""},
]
YES_NO = (("yes",), ("no",))
WORDS = (("yes", "Yes"), ("no", "it is not"))


def make(architecture, tokenizer="qwen2", dtype=torch.float32, **settings):
    tokenizer = TOKENIZERS[tokenizer]()
    return ChatLLM(tiny_model(architecture, len(tokenizer), dtype, **settings), tokenizer)


def ratios(llm, prompts, answers, batch_size="auto"):
    values = dict(llm.answer_log_probs(prompts, answers, batch_size))
    assert sorted(values) == list(range(len(prompts)))
    return [values[i][0] - values[i][1] for i in range(len(prompts))]


@pytest.mark.parametrize("architecture", ARCHITECTURES)
@pytest.mark.parametrize("template", TEMPLATES)
def test_scores_equal_the_float64_oracle(architecture, template):
    llm = make(architecture)
    exact = make(architecture, dtype=torch.float64)
    answers = llm.answers(TEMPLATES[template], YES_NO)
    prompts = llm.prompts(TEMPLATES[template], PAIRS[:: 5 if template == "fs_direct" else 2])
    expected = [oracle.log_ratio(exact.model, prompt, answers) for prompt in prompts]
    assert max(expected) - min(expected) > 0.5  # or the test would pass for a constant
    assert ratios(llm, prompts, answers) == pytest.approx(expected, abs=1e-3)
    assert llm.model._goes_on_from_a_cache


@pytest.mark.parametrize("tokenizer", TOKENIZERS)
def test_every_tokenizer(tokenizer):
    llm = make("mistral", tokenizer)
    answers = llm.answers(TEMPLATES["direct"], YES_NO)
    prompts = llm.prompts(TEMPLATES["direct"], PAIRS[:5])
    expected = [oracle.log_ratio(llm.model, prompt, answers) for prompt in prompts]
    assert ratios(llm, prompts, answers) == pytest.approx(expected, abs=1e-3)


def test_batch_size_and_order_do_not_matter():
    llm = make("llama")
    answers = llm.answers(TEMPLATES["fs_direct"], YES_NO)
    prompts = llm.prompts(TEMPLATES["fs_direct"], PAIRS[:20])
    expected = ratios(llm, prompts, answers)
    for batch_size in (1, 2, 7, 100):
        assert ratios(llm, prompts, answers, batch_size) == pytest.approx(expected, abs=1e-4)
    assert ratios(llm, prompts[::-1], answers)[::-1] == pytest.approx(expected, abs=1e-4)
    assert ratios(llm, prompts[:1], answers) == pytest.approx(expected[:1], abs=1e-4)
    assert ratios(llm, [prompts[1]] * 3, answers) == pytest.approx([expected[1]] * 3, abs=1e-4)
    assert ratios(llm, [], answers) == []


@pytest.mark.parametrize("words", [("Oui bien", "Non merci"), ("yes indeed", "no"), ("yes it is", "yes it was")])
def test_answers_of_several_tokens_follow_the_chain_rule(words):
    llm, exact = make("llama"), make("llama", dtype=torch.float64)
    answers = llm.answers(TEMPLATES["direct"], [[word] for word in words])
    assert max(len(variant) for variants in answers for variant in variants) > 1
    prompts = llm.prompts(TEMPLATES["direct"], PAIRS[:9])
    expected = [oracle.log_ratio(exact.model, prompt, answers) for prompt in prompts]
    assert ratios(llm, prompts, answers) == pytest.approx(expected, abs=1e-3)
    assert ratios(llm, prompts, answers, 1) == pytest.approx(expected, abs=1e-3)


def test_equals_the_papers_two_losses():
    llm = make("llama", dtype=torch.float64)
    answers = llm.answers(TEMPLATES["direct"], YES_NO)
    prompts = llm.prompts(TEMPLATES["direct"], PAIRS[:5])
    expected = [oracle.two_losses(llm.model, prompt, answers) for prompt in prompts]
    assert ratios(llm, prompts, answers) == pytest.approx(
        expected, abs=1e-3
    )  # transformers takes its losses in float32


def check_against_oracle(llm, pairs, batch_size="auto"):
    answers = llm.answers(TEMPLATES["direct"], YES_NO)
    prompts = llm.prompts(TEMPLATES["direct"], pairs)
    expected = [oracle.log_ratio(llm.model, prompt, answers) for prompt in prompts]
    assert ratios(llm, prompts, answers, batch_size) == pytest.approx(expected, abs=1e-3)
    return prompts


def tokens_seen(llm):
    """A list that grows by the number of tokens of every forward pass."""
    seen = []
    llm.model.register_forward_pre_hook(lambda _, __, given: seen.append(given["input_ids"].numel()), with_kwargs=True)
    return seen


@pytest.mark.parametrize(
    "model",
    [
        *({"architecture": name} for name in ARCHITECTURES),
        {"architecture": "gemma2", "sliding_window": 600},
        # Caches that cannot be cropped: of a window shorter than the prefix, of a state.
        {"architecture": "mistral", "sliding_window": 20},
        {"architecture": "lfm2", **SHAPES["lfm2"][1]},
    ],
    ids=lambda model: "-".join(map(str, list(model.values())[:2])),
)
def test_what_prompts_begin_with_is_kept_for_the_next_call(model):
    """Common prefixes longer than the last, shorter, equal, different; of one prompt, of none."""
    llm, exact = make(**model), make(**model, dtype=torch.float64)
    long = "the cat sat on a mat and drank its milk " * 3
    calls = [
        [long + "it is", long + "it was not"],
        [long + "it is late", long + "it is not easy", long + "it is"],
        [long[:50] + "no", long + "yes"],
        [long[:50] + "no", long + "yes"],
        ["another cat", "another mat"],
        [long],
        ["yes", "no"],
        [long, long],
    ]
    template = [{"role": "user", "content": "{source} yes or no?"}]
    answers = llm.answers(template, YES_NO)
    for texts in calls:
        prompts = llm.prompts(template, [{"source": text} for text in texts])
        expected = [oracle.log_ratio(exact.model, prompt, answers) for prompt in prompts]
        assert ratios(llm, prompts, answers) == pytest.approx(expected, abs=1e-3)
    assert llm.model._goes_on_from_a_cache
    seen = tokens_seen(llm)
    assert ratios(llm, prompts, answers) == pytest.approx(expected, abs=1e-3)
    assert seen == [2]  # of two equal prompts only the last token is computed again


def test_runs_that_take_turns_do_not_share_what_is_kept():
    llm = make("llama")
    answers = llm.answers(TEMPLATES["direct"], YES_NO)
    prompts, others = llm.prompts(TEMPLATES["direct"], PAIRS[:6]), llm.prompts(TEMPLATES["indirect"], PAIRS[:6])
    expected = [[oracle.log_ratio(llm.model, prompt, answers) for prompt in run] for run in (prompts, others)]
    runs = [llm.answer_log_probs(run, answers, 1) for run in (prompts, others)]
    found = [{}, {}]
    for step in range(6):
        for run, values in zip(runs, found):
            values.update([next(run)])
    for values, wanted in zip(found, expected):
        assert [values[i][0] - values[i][1] for i in range(6)] == pytest.approx(wanted, abs=1e-3)


@pytest.mark.parametrize("architecture", ["mistral", "gemma2", "gemma3_text"])
@pytest.mark.parametrize("batch_size", ["auto", 50])
def test_attention_windows(architecture, batch_size):
    """Windows shorter than the prompts, just longer than them, and longer than a prompt but not than a pack."""
    pairs = [{"source": "a cat " * (i % 5), "hypothesis": "a dog"} for i in range(20)]
    longest = max(map(len, check_against_oracle(make("mistral"), pairs)))
    for window in (16, longest - 1, longest, longest + 1, longest + 2, longest + 40, 3 * longest):
        check_against_oracle(make(architecture, sliding_window=window), pairs, batch_size)


def test_nested_configurations():
    """Models for several media keep the text model's settings in a configuration of its own."""
    llm = make("llama")
    nested = type("Nested", (), {"is_encoder_decoder": False, "get_text_config": lambda self: llm.model.config})()
    assert ChatLLM(type("Model", (), {"config": nested})(), llm.tokenizer).context_length == 4096


def test_encoder_decoders_are_refused():
    from transformers import BartConfig, BartForConditionalGeneration

    config = BartConfig(vocab_size=10, d_model=16, encoder_layers=1, decoder_layers=1)
    with pytest.raises(ValueError, match="found the encoder-decoder BartForConditionalGeneration"):
        ChatLLM(BartForConditionalGeneration(config), TOKENIZERS["qwen2"]())


def test_tied_and_biased_heads():
    check_against_oracle(make("llama", tie_word_embeddings=True), PAIRS[:6])
    llm = make("llama")
    head = torch.nn.Linear(32, len(llm.tokenizer), bias=True)
    torch.nn.init.normal_(head.bias)
    llm.model.set_output_embeddings(head)
    check_against_oracle(llm, PAIRS[:6])


def test_threads_do_not_disturb_each_other():
    """One scores while another generates, through two vendored copies of the module."""
    from metrics.parapluie.common_llm import ChatLLM as OtherCopy

    llm = make("llama")
    other = OtherCopy(llm.model, llm.tokenizer)
    answers = llm.answers(TEMPLATES["direct"], YES_NO)
    prompts = llm.prompts(TEMPLATES["direct"], PAIRS[:8])
    expected, texts = ratios(llm, prompts, answers), dict(llm.generate(prompts, 4))
    with ThreadPoolExecutor(3) as pool:
        jobs = [pool.submit(lambda: dict(llm.generate(prompts, 4))) for _ in range(4)]
        scores = [pool.submit(ratios, copy, prompts, answers, 2) for copy in (llm, other) * 3]
        assert all(job.result() == texts for job in jobs)
        assert all(job.result() == pytest.approx(expected, abs=1e-4) for job in scores)


@pytest.mark.parametrize("architecture", ["llama", "mpt"])
def test_bfloat16_is_near(architecture):
    exact, half = make(architecture, dtype=torch.float64), make(architecture, dtype=torch.bfloat16)
    answers = half.answers(TEMPLATES["direct"], WORDS)
    prompts = half.prompts(TEMPLATES["direct"], PAIRS[:10])
    expected = [oracle.log_ratio(exact.model, prompt, answers) for prompt in prompts]
    spread = max(expected) - min(expected)
    assert ratios(half, prompts, answers) == pytest.approx(expected, abs=0.1 * spread)


# ---- What the model would say ----


def full_softmax(model, prompt):
    """{token: p} after the prompt, over the whole vocabulary, in float64."""
    with torch.inference_mode():
        logits = model(input_ids=torch.tensor([prompt]), use_cache=False).logits[0, -1].double()
    return torch.softmax(logits, dim=-1)


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_mass_and_both_log_probabilities(architecture):
    """With variants and answers of several tokens, against softmax over the whole vocabulary."""
    llm, exact = make(architecture), make(architecture, dtype=torch.float64)
    answers = llm.answers(TEMPLATES["direct"], WORDS)
    prompts = llm.prompts(TEMPLATES["direct"], PAIRS[:8])
    found = dict(llm.answer_log_probs(prompts, answers))
    for i, prompt in enumerate(prompts):
        expected = oracle.answer_log_probs(exact.model, prompt, answers)
        assert found[i][:2] == pytest.approx(expected, abs=1e-3)
        p = full_softmax(exact.model, prompt)
        assert found[i][2] == llm.tokenizer.decode([int(p.argmax())])
        mass = math.exp(found[i][0]) + math.exp(found[i][1])
        [[yes], [other_yes]], [[no], several] = answers
        not_at_once = math.exp(oracle.log_likelihood(exact.model, prompt, several))
        assert mass == pytest.approx(float(p[yes] + p[other_yes] + p[no]) + not_at_once, abs=1e-4)
        assert 0 < mass < 1
    assert len({found[i][2] for i in found}) > 1


def test_all_tokens_but_one_are_likely_together():
    """The probabilities of all tokens add up to 1, whichever side they are on."""
    llm = make("llama")
    prompts = llm.prompts(TEMPLATES["direct"], PAIRS[:3])
    tokens = [[token] for token in range(len(llm.tokenizer))]
    for _, (first, second, _) in llm.answer_log_probs(prompts, (tokens[::2], tokens[1::2])):
        assert math.exp(first) + math.exp(second) == pytest.approx(1, abs=1e-9)


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
def test_an_answer_as_unlikely_as_can_be_has_a_finite_log_probability(dtype):
    """For one so far below the others that its probability is 0 in float32."""
    llm = make("llama", dtype=dtype)
    with torch.no_grad():
        llm.model.lm_head.weight *= 300
    answers = llm.answers(TEMPLATES["direct"], YES_NO)
    prompts = llm.prompts(TEMPLATES["direct"], PAIRS[:4])
    found = [value for _, (first, second, _) in llm.answer_log_probs(prompts, answers) for value in (first, second)]
    assert all(map(math.isfinite, found)) and min(found) < -200


@pytest.mark.parametrize("settings", [{"tie_word_embeddings": True}, {"final_logit_softcapping": 5.0}])
def test_heads_of_every_kind(settings):
    """Tied to the embeddings, or with capped logits."""
    check_against_oracle(make("gemma2", head_dim=8, **settings), PAIRS[:6])


def test_a_head_with_a_bias():
    llm = make("llama")
    llm.model.lm_head.bias = torch.nn.Parameter(torch.linspace(-9, 9, len(llm.tokenizer)))
    before = ratios(make("llama"), *asked(llm))
    check_against_oracle(llm, PAIRS[:6])
    assert ratios(llm, *asked(llm)) != pytest.approx(before, abs=0.1)


def asked(llm):
    return llm.prompts(TEMPLATES["direct"], PAIRS[:6]), llm.answers(TEMPLATES["direct"], YES_NO)


def test_an_adapter_on_the_head():
    peft = pytest.importorskip("peft")
    llm = make("llama")
    prompts, answers = asked(llm)
    before = ratios(llm, prompts, answers)
    for modules in (["lm_head"], ["lm_head", "q_proj", "embed_tokens"]):
        adapted = make("llama")
        config = peft.LoraConfig(r=4, target_modules=modules, init_lora_weights=False, task_type="CAUSAL_LM")
        model = peft.get_peft_model(adapted.model, config).eval()
        for live in (model, model.base_model.model):  # wrapped, or with the adapter's layers put in
            found = ratios(ChatLLM(live, llm.tokenizer), prompts, answers)
            assert found == pytest.approx([oracle.log_ratio(model, prompt, answers) for prompt in prompts], abs=1e-3)
        assert found != pytest.approx(before, abs=0.05)
        settings = model.generation_config.to_dict()
        texts = dict(ChatLLM(model, llm.tokenizer).generate(prompts, 3))
        assert model.generation_config.to_dict() == settings
        assert texts == dict(ChatLLM(model.merge_and_unload(), llm.tokenizer).generate(prompts, 3))


def test_a_model_in_training_is_scored_without_dropout_and_goes_on_training():
    llm = make("llama", attention_dropout=0.5)
    answers = llm.answers(TEMPLATES["direct"], YES_NO)
    prompts = llm.prompts(TEMPLATES["direct"], PAIRS[:4])
    expected, text = ratios(llm, prompts, answers), dict(llm.generate(prompts, 4))
    llm.model.train()
    assert ratios(llm, prompts, answers) == pytest.approx(expected, abs=1e-6)
    assert dict(llm.generate(prompts, 4)) == text
    assert llm.model.training
    assert all(parameter.requires_grad for parameter in llm.model.parameters())


def test_batches_are_halved_when_memory_runs_out(monkeypatch):
    llm = make("llama")
    answers = llm.answers(TEMPLATES["direct"], YES_NO)
    prompts = llm.prompts(TEMPLATES["direct"], [{"source": "a cat " * i, "hypothesis": "a dog"} for i in range(8)])
    expected = ratios(llm, prompts, answers)
    forward = llm.model.forward
    limit = 3 * max(map(len, prompts)) // 2

    def small_memory(*args, **kwargs):
        if kwargs["input_ids"].numel() > limit:
            raise torch.OutOfMemoryError("pretended")
        return forward(*args, **kwargs)

    monkeypatch.setattr(llm.model, "forward", small_memory)
    with pytest.warns(UserWarning, match="out of memory: going on with batches of 4 prompts"):
        assert ratios(llm, prompts, answers, 8) == pytest.approx(expected, abs=1e-4)
    limit = 1
    with pytest.raises(torch.OutOfMemoryError):
        ratios(llm, prompts, answers, 1)


def test_generation_is_greedy_and_does_not_depend_on_batches():
    llm = make("llama")
    prompts = llm.prompts(TEMPLATES["direct"], PAIRS[:5])
    alone = dict(llm.generate(prompts, 6, batch_size=1))
    assert dict(llm.generate(prompts, 6)) == alone
    for i, prompt in enumerate(prompts):
        ids = list(prompt)
        for _ in range(6):
            with torch.inference_mode():
                ids.append(int(llm.model(torch.tensor([ids])).logits[0, -1].argmax()))
        assert llm.tokenizer.decode(ids[len(prompt) :], skip_special_tokens=True).strip() == alone[i]


def test_generation_ends_with_the_turn_whatever_the_checkpoint_says():
    """A checkpoint may not list its template's end of turn as an end; what follows is no answer."""
    llm = make("qwen2")
    prompts = llm.prompts(TEMPLATES["direct"], PAIRS[:3])
    for i, ids in llm._continue(prompts, 6, "auto"):
        llm.text.__dict__["turn_end"] = ids[2]  # as if this were the template's
        [(_, ended)] = llm._continue([prompts[i]], 6, "auto")
        assert ended == ids[: ids.index(ids[2])]
    llm = make("qwen2")
    assert llm.text.turn_end == llm.tokenizer.convert_tokens_to_ids("<|im_end|>")


def test_generation_takes_no_penalties_from_the_checkpoint():
    llm = make("llama")
    prompts = llm.prompts(TEMPLATES["direct"], PAIRS[:3])
    expected = dict(llm.generate(prompts, 6))
    llm.model.generation_config.repetition_penalty = 5.0
    assert dict(llm.generate(prompts, 6)) == expected


def test_a_folder_that_has_changed_is_loaded_anew(tmp_path):
    tokenizer = TOKENIZERS["qwen2"]()
    for width in (32, 64):
        tiny_model("llama", len(tokenizer), hidden_size=width).save_pretrained(tmp_path)
        tokenizer.save_pretrained(tmp_path)
        assert load(str(tmp_path))[0].config.hidden_size == width


def test_models_are_loaded_once_per_process(tmp_path):
    llm = make("llama")
    llm.model.save_pretrained(tmp_path)
    llm.tokenizer.save_pretrained(tmp_path)
    first, second = ChatLLM(*load(str(tmp_path))), ChatLLM(*load(str(tmp_path)))
    assert first.model is second.model
    from metrics.parapluie import common_loading as copy

    assert copy.load(str(tmp_path))[0] is first.model  # a vendored copy in another metric
    answers = llm.answers(TEMPLATES["direct"], YES_NO)
    prompts = first.prompts(TEMPLATES["direct"], PAIRS[:3])
    assert prompts == llm.prompts(TEMPLATES["direct"], PAIRS[:3])
    assert ratios(first, prompts, answers) == pytest.approx(ratios(llm, prompts, answers), abs=1e-5)
    assert load(str(tmp_path), dtype="bfloat16")[0].dtype == torch.bfloat16

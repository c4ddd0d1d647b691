"""Every kind of model: log p of both answers and the top token, against whole sequences."""

import pytest
import torch
from transformers import AutoConfig

from metrics._common.common_llm import CONTINUES, ChatModel
from metrics._common.common_prompts import Prompts
from metrics.parapluie.templates import TEMPLATES

from . import oracle
from .judging import conversations, expected_log_probs, prompt_ids
from .models import TOKENIZERS, tiny_model

PAIRS = [{"source": "a cat " * (i % 4 + 1), "hypothesis": "a dog " * (i % 3) + "late"} for i in range(5)]
WORDS = (("yes", "Yes"), ("no",)), (("yes indeed",), ("no thanks", "never"))
CACHED, WHOLE = True, False
EXPERTS = {"num_local_experts": 4, "num_experts_per_tok": 2}
DELTA = {  # Qwen's gated linear attention
    "num_hidden_layers": 4,
    "head_dim": 8,
    "linear_num_value_heads": 4,
    "linear_num_key_heads": 2,
    "linear_key_head_dim": 8,
    "linear_value_head_dim": 8,
}
QWEN_EXPERTS = {
    "num_experts": 4,
    "num_experts_per_tok": 2,
    "moe_intermediate_size": 32,
    "shared_expert_intermediate_size": 32,
}
LATENT = {  # DeepSeek's attention
    "n_routed_experts": 4,
    "n_group": 1,
    "topk_group": 1,
    "num_experts_per_tok": 2,
    "kv_lora_rank": 8,
    "q_lora_rank": 8,
    "qk_rope_head_dim": 4,
    "qk_nope_head_dim": 4,
    "v_head_dim": 8,
    "moe_intermediate_size": 32,
    "first_k_dense_replace": 1,
    "num_key_value_heads": 4,
}
STATES = {"mamba_n_heads": 8, "mamba_d_head": 8, "mamba_d_state": 8, "mamba_n_groups": 1}
SHAPES = {  # model type: (goes on from a cache, settings besides those of `tiny_model`)
    "llama": (CACHED, {}),
    "mistral": (CACHED, {"sliding_window": 40}),  # shorter than what the prompts begin with
    "gemma": (CACHED, {"head_dim": 8}),
    "gemma2": (CACHED, {"head_dim": 8, "sliding_window": 30}),
    "gemma3_text": (CACHED, {"head_dim": 8, "sliding_window": 30, "num_hidden_layers": 7}),
    "qwen2": (CACHED, {}),
    "qwen3": (CACHED, {"head_dim": 8}),
    "phi3": (CACHED, {}),
    "cohere2": (CACHED, {"sliding_window": 30, "head_dim": 8}),
    "gpt2": (CACHED, {"n_embd": 32, "n_layer": 2, "n_head": 4, "n_positions": 4096}),
    "mpt": (CACHED, {"d_model": 32, "n_heads": 4, "n_layers": 2, "max_seq_len": 4096}),
    "bloom": (CACHED, {"n_layer": 2, "n_head": 4}),
    "gpt_neo": (
        CACHED,
        {"num_layers": 2, "num_heads": 4, "window_size": 32, "attention_types": [[["global", "local"], 1]]},
    ),
    "mixtral": (CACHED, EXPERTS),
    "gpt_oss": (CACHED, {**EXPERTS, "head_dim": 8, "sliding_window": 30}),
    "llama4_text": (
        CACHED,
        {
            "head_dim": 8,
            "num_local_experts": 2,
            "interleave_moe_layer_step": 1,
            "attention_chunk_size": 32,
            "intermediate_size_mlp": 64,
        },
    ),
    "deepseek_v3": (CACHED, LATENT),
    "qwen3_next": (CACHED, {**DELTA, **QWEN_EXPERTS}),
    "qwen3_5_text": (CACHED, DELTA),
    "granitemoehybrid": (
        CACHED,
        {
            **STATES,
            "num_hidden_layers": 4,
            "layer_types": ["mamba", "attention"] * 2,
            "mamba_expand": 2,
            "num_local_experts": 2,
            "num_experts_per_tok": 1,
            "shared_intermediate_size": 32,
            "position_embedding_type": "rope",
        },
    ),
    "falcon_h1": (CACHED, {**STATES, "mamba_d_ssm": 64, "head_dim": 8}),
    "nemotron_h": (
        CACHED,
        {
            "hybrid_override_pattern": "M*",
            "mamba_num_heads": 8,
            "mamba_head_dim": 8,
            "ssm_state_size": 8,
            "n_groups": 1,
            "head_dim": 8,
        },
    ),
    "lfm2": (
        CACHED,
        {"layer_types": ["conv", "full_attention"], "block_auto_adjust_ff_dim": False, "block_multiple_of": 8},
    ),
    "jamba": (
        WHOLE,
        {
            "num_hidden_layers": 4,
            "attn_layer_period": 2,
            "attn_layer_offset": 1,
            "expert_layer_period": 2,
            "expert_layer_offset": 1,
            "num_experts": 2,
            "num_experts_per_tok": 1,
            "mamba_d_state": 4,
            "mamba_dt_rank": 4,
        },
    ),
    "minimax": (
        WHOLE,
        {
            "layer_types": ["linear_attention", "full_attention"],
            "num_local_experts": 2,
            "num_experts_per_tok": 1,
            "head_dim": 8,
            "block_size": 16,
        },
    ),
    "mamba": (WHOLE, {"state_size": 4}),
    "mamba2": (WHOLE, {"state_size": 8, "num_heads": 8, "head_dim": 8, "expand": 2, "n_groups": 1}),
}
SLOW = {"gemma3_text", "qwen3_next", "granitemoehybrid", "falcon_h1", "jamba", "mamba2"}


@pytest.mark.parametrize(
    "architecture", [pytest.param(name, marks=pytest.mark.slow if name in SLOW else ()) for name in SHAPES]
)
def test_every_shape_of_model(architecture):
    """With variants and answers of several tokens, in batches of all prompts and of two."""
    cached, settings = SHAPES[architecture]
    try:
        AutoConfig.for_model(architecture)
    except ValueError:
        pytest.skip(f"this version of transformers has no {architecture}")
    tokenizer = TOKENIZERS["qwen2"]()
    model, direct = tiny_model(architecture, len(tokenizer), **settings), TEMPLATES["direct"]
    judges = [ChatModel(model, tokenizer, batch_size=batch_size) for batch_size in ("auto", 2)]
    prompts = prompt_ids(judges[0].prompts, direct, PAIRS)
    top_tokens = [tokenizer.decode([oracle.likeliest(model, prompt)]) for prompt in prompts]
    spread = []
    for words in WORDS:
        expected = expected_log_probs(judges[0], direct, PAIRS, words)
        for judge in judges:
            found = judge.answer_log_probs(conversations(direct, PAIRS), words)
            assert sum(([*both] for *both, _ in found), []) == pytest.approx(sum(expected, []), abs=1e-3)
            assert [top_token for *_, top_token in found] == top_tokens
        spread += [first - second for first, second in expected]
    assert max(spread) - min(spread) > 0.5  # or the test would pass for a constant
    assert CONTINUES[model] is cached


def test_all_shapes_see_the_whole_prompt():
    """The windows are shorter than what the prompts begin with."""
    prompts = prompt_ids(Prompts(TOKENIZERS["qwen2"](), "a model"), TEMPLATES["direct"], PAIRS)
    shared = next(i for i, tokens in enumerate(zip(*prompts)) if len(set(tokens)) > 1)
    windows = [v for _, s in SHAPES.values() for k, v in s.items() if k in ("sliding_window", "window_size")]
    assert max(windows) < shared and torch.tensor(windows).min() > 8

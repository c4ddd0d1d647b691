"""Every kind of model: log p of both answers and the top token, against whole sequences."""

import json
from pathlib import Path

import pytest
import torch
import transformers
from packaging.version import Version
from transformers import AutoConfig

from metrics._common.common_llm import CONTINUES, ChatModel
from metrics._common.common_prompts import Prompts
from metrics.parapluie.templates import TEMPLATES

from . import oracle
from .judging import conversations, expected_log_probs, prompt_ids
from .models import TOKENIZERS, tiny_model

PAIRS = [{"source": "a cat " * (i % 4 + 1), "hypothesis": "a dog " * (i % 3) + "late"} for i in range(5)]
WORDS = (("yes", "Yes"), ("no",)), (("yes it is",), ("yes it was", "never"))
# By model type: whether it goes on from a cache, or from which release of transformers on; settings besides those of
# `tiny_model`; and which is slow.
SHAPES = json.loads((Path(__file__).parent / "architectures.json").read_text(encoding="utf-8"))


def is_cached(architecture):
    """Whether a model of this type goes on from a cache with the installed transformers."""
    since = SHAPES[architecture]["cached"]
    return since if isinstance(since, bool) else Version(transformers.__version__) >= Version(since)


@pytest.mark.parametrize(
    "architecture", [pytest.param(name, marks=pytest.mark.slow if "slow" in SHAPES[name] else ()) for name in SHAPES]
)
def test_every_shape_of_model(architecture):
    """With variants and answers of several tokens, in batches of all prompts and of two."""
    try:
        AutoConfig.for_model(architecture)
    except ValueError:
        pytest.skip(f"this version of transformers has no {architecture}")
    tokenizer = TOKENIZERS["qwen2"]()
    model, direct = tiny_model(architecture, len(tokenizer), **SHAPES[architecture]["settings"]), TEMPLATES["direct"]
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
    assert CONTINUES[model] is is_cached(architecture)


def test_all_shapes_see_the_whole_prompt():
    """The windows are shorter than what the prompts begin with."""
    prompts = prompt_ids(Prompts(TOKENIZERS["qwen2"](), "a model"), TEMPLATES["direct"], PAIRS)
    shared = next(i for i, tokens in enumerate(zip(*prompts)) if len(set(tokens)) > 1)
    windows = [v for s in SHAPES.values() for k, v in s["settings"].items() if k in ("sliding_window", "window_size")]
    assert max(windows) < shared and torch.tensor(windows).min() > 8

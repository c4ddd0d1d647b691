"""Speed of ParaPLUIE beside the papers' way of computing it, in one process.

    make bench                    (or: python benchmarks/speed/time_paraphrases.py [--pairs 64 256] [--save])

Both sides score the same MRPC pairs (../shared/data/mrpc) with the template FS-Direct, on a Mistral of about 60 M
random parameters, float32, one thread, in CPU time. The papers' way is two whole forward passes with a loss for each
pair; it is run on a sample of the pairs, in turn with ours. The floor is the matrix products that cannot be avoided
(each distinct token once, through all layers) at the rate of such products measured in the same run.
"""

import argparse
import os
import sys
import time
from pathlib import Path

import torch
from transformers import MistralConfig, MistralForCausalLM

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from benchmarks.report import print_table  # noqa: E402
from metrics.parapluie.common_llm import ChatLLM  # noqa: E402
from metrics.parapluie.templates import TEMPLATES  # noqa: E402
from tests.common.models import TOKENIZERS  # noqa: E402
from tests.common.oracle import two_losses  # noqa: E402

MRPC = ROOT.parent / "shared" / "data" / "mrpc" / "msr_paraphrase_test.txt"
MESSAGES = TEMPLATES["fs_direct"]


def mrpc_pairs(n):
    rows = [line.split("\t") for line in MRPC.read_text(encoding="utf-8-sig").splitlines()[1 : n + 1]]
    return [{"source": row[3], "hypothesis": row[4]} for row in rows]


def mistral(vocabulary, hidden=512, layers=8, **settings):
    torch.manual_seed(0)
    config = MistralConfig(
        vocab_size=vocabulary, hidden_size=hidden, intermediate_size=hidden * 7 // 2, num_hidden_layers=layers,
        num_attention_heads=hidden // 64, num_key_value_heads=2, sliding_window=None, **settings,
    )  # fmt: skip
    return MistralForCausalLM(config).eval()


def matmul_rate(model, seconds=2.0):
    """Floating-point operations per CPU second of the products of 512 tokens with the weights of all layers in turn."""
    weights = [p.data.T for p in model.model.layers.parameters() if p.ndim == 2]
    inputs = {w.shape[0]: torch.randn(512, w.shape[0]) for w in weights}
    done, start = 0, time.process_time()
    while time.process_time() - start < seconds:
        for w in weights:
            inputs[w.shape[0]] @ w
        done += sum(2 * 512 * w.numel() for w in weights)
    return done / (time.process_time() - start)


def least_operations(model, prompts):
    """Operations for each distinct token once: the shared prefix, then every prompt's own tokens."""
    shared = len(os.path.commonprefix(prompts))
    tokens = shared + sum(len(prompt) - shared for prompt in prompts)
    weights = sum(p.numel() for name, p in model.named_parameters() if "layers" in name and p.ndim == 2)
    seen = shared * shared / 2 + sum((len(p) - shared) * (shared + (len(p) - shared) / 2) for p in prompts)
    attention = 4 * seen * model.config.hidden_size * model.config.num_hidden_layers
    return tokens, 2 * tokens * weights + attention


def cpu_seconds(function):
    start = time.process_time()
    result = function()
    return time.process_time() - start, result


def compare(llm, n):
    """Rows of the table for n pairs."""
    pairs = mrpc_pairs(n)
    answers = llm.answers(MESSAGES, ("yes", "no"))
    prompts = llm.prompts(MESSAGES, pairs)
    list(llm.log_ratios(prompts[:2], answers))  # the first call tries out what the model can do
    sample = prompts[:: max(1, n // 32)]
    ours, theirs, rates = [], 0.0, []
    slices = [sample[i::4] for i in range(4)]
    for part in slices:
        rates.append(matmul_rate(llm.model))
        seconds, scores = cpu_seconds(lambda: dict(llm.log_ratios(llm.prompts(MESSAGES, pairs), answers)))
        ours.append(seconds)
        seconds, expected = cpu_seconds(lambda: [two_losses(llm.model, prompt, answers) for prompt in part])
        theirs += seconds
        worst = max(abs(scores[prompts.index(prompt)] - value) for prompt, value in zip(part, expected))
    tokens, operations = least_operations(llm.model, prompts)
    rate = sorted(rates)[-1]
    best, two_loss = min(ours), theirs / len(sample) * n
    floor = operations / rate
    for what, seconds in (
        (f"two losses (a sample of {len(sample)})", two_loss),
        ("this metric, best of four runs", best),
        ("this metric, slowest of four runs", max(ours)),
        (f"floor ({tokens} distinct tokens, {rate / 1e9:.0f} GFLOP/s)", floor),
    ):
        yield f"{n} pairs: {what}", f"{n / seconds:.2f}", f"{two_loss / seconds:.1f}", f"{floor / seconds:.0%}"
    yield f"{n} pairs: largest difference of the scores in the last slice", f"{worst:.1e}", "", ""


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pairs", type=int, nargs="*", default=[64, 256])
    parser.add_argument("--save", action="store_true", help="write the table to benchmarks/results")
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    tokenizer = TOKENIZERS["mistral v0.2"]()
    llm = ChatLLM(mistral(len(tokenizer)), tokenizer)
    parameters = sum(p.numel() for p in llm.model.parameters()) / 1e6
    print_table(
        "ParaPLUIE: speed",
        ("torch", "transformers"),
        f"Mistral architecture, {parameters:.0f} M random parameters, float32, one thread, CPU time; "
        "one run, both sides in turn.",
        "| what | pairs/s | x two losses | share of the floor |\n|---|---:|---:|---:|",
        (row for n in arguments.pairs for row in compare(llm, n)),
        "parapluie" if arguments.save else None,
    )


if __name__ == "__main__":
    main()

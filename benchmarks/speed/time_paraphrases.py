"""Speed of ParaPLUIE beside the papers' way to compute it, in one process; on a GPU, if any, too.

    make bench                    (or: python benchmarks/speed/time_paraphrases.py [--pairs 64 256] [--save])

Both sides score the same MRPC pairs (../shared/data/mrpc) with the template FS-Direct. On the CPU:
a Mistral with about 60 M random parameters, float32, one thread, in CPU time. The papers' way takes
two whole forward passes with a loss for each pair; it runs on a sample of the pairs, in turn with
ours. On a GPU: the shape of Mistral-7B in bfloat16, with random weights made there. The floor is
the time of the unavoidable matrix products (each distinct token once, through all layers), at the
rate of such products measured in the same run.
"""

import argparse
import os
import sys
import time
from functools import partial
from pathlib import Path

import torch
from transformers import AutoModelForCausalLM, MistralConfig, MistralForCausalLM

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from benchmarks.report import print_table  # noqa: E402
from metrics.parapluie.judge_local import LocalModel  # noqa: E402
from metrics.parapluie.templates import TEMPLATES, conversation  # noqa: E402
from tests.common.judging import answer_ids, prompt_ids  # noqa: E402
from tests.common.models import TOKENIZERS  # noqa: E402
from tests.common.oracle import two_losses  # noqa: E402

MRPC = ROOT.parent / "shared" / "data" / "mrpc" / "msr_paraphrase_test.txt"
MESSAGES = TEMPLATES["fs_direct"]
ANSWERS = (("yes",), ("no",))  # the papers'
GPU_PAIRS = (64, 256, 1024, 4096)
HEADER = "| what | pairs/s | x two losses | share of the floor |\n|---|---:|---:|---:|"


def mrpc_pairs(n):
    """The first n pairs; beyond the last one they are repeated, made different by a number."""
    rows = [line.split("\t") for line in MRPC.read_text(encoding="utf-8-sig").splitlines()[1:]]
    again = [f" ({i // len(rows)})" if i >= len(rows) else "" for i in range(n)]
    rows = [rows[i % len(rows)] for i in range(n)]
    return [{"source": row[3] + mark, "hypothesis": row[4]} for row, mark in zip(rows, again)]


def mistral(vocabulary, hidden=512, layers=8, **settings):
    torch.manual_seed(0)
    config = MistralConfig(
        vocab_size=vocabulary, hidden_size=hidden, intermediate_size=hidden * 7 // 2, num_hidden_layers=layers,
        num_attention_heads=hidden // 64, num_key_value_heads=2, sliding_window=None, **settings,
    )  # fmt: skip
    return MistralForCausalLM(config).eval()


def matmul_rate(model, clock, tokens=512, seconds=2.0):
    """Floating-point operations per second, multiplying tokens with the weights of all layers."""
    weights = [p.data.T for p in model.model.layers.parameters() if p.ndim == 2]
    inputs = {w.shape[0]: torch.randn(tokens, w.shape[0], dtype=w.dtype, device=w.device) for w in weights}
    done, start = 0, clock()
    while clock() - start < seconds:
        for w in weights:
            inputs[w.shape[0]] @ w
        done += sum(2 * tokens * w.numel() for w in weights)
    return done / (clock() - start)


def least_operations(model, prompts):
    """Operations with each distinct token once: the shared prefix, then the prompts' own."""
    shared = len(os.path.commonprefix(prompts))
    tokens = shared + sum(len(prompt) - shared for prompt in prompts)
    weights = sum(p.numel() for name, p in model.named_parameters() if "layers" in name and p.ndim == 2)
    seen = shared * shared / 2 + sum((len(p) - shared) * (shared + (len(p) - shared) / 2) for p in prompts)
    attention = 4 * seen * model.config.hidden_size * model.config.num_hidden_layers
    return tokens, 2 * tokens * weights + attention


def gpu_clock():
    """Seconds on the clock, once the GPU has finished its work."""
    torch.cuda.synchronize()
    return time.perf_counter()


def seconds_of(function, clock=time.process_time):
    start = clock()
    result = function()
    return clock() - start, result


def ratios(judge, pairs):
    """Scores of pairs, tokenising included."""
    asked = [conversation(MESSAGES, pair) for pair in pairs]
    return [first - second for first, second, *_ in judge.answer_log_probs(asked, ANSWERS)]


def compare(judge, n):
    """Rows of the table for n pairs."""
    pairs = mrpc_pairs(n)
    answers, prompts = answer_ids(judge.prompts, MESSAGES, ANSWERS), prompt_ids(judge.prompts, MESSAGES, pairs)
    ratios(judge, pairs[:2])  # the first call tries out what the model can do
    sample = prompts[:: max(1, n // 32)]
    ours, theirs, rates = [], 0.0, []

    def losses(part):
        return [two_losses(judge.model, prompt, answers) for prompt in part]

    for part in (sample[i::4] for i in range(4)):
        rates.append(matmul_rate(judge.model, time.process_time))
        seconds, scores = seconds_of(lambda: ratios(judge, pairs))
        ours.append(seconds)
        seconds, expected = seconds_of(partial(losses, part))
        theirs += seconds
        worst = max(abs(scores[prompts.index(prompt)] - value) for prompt, value in zip(part, expected))
    tokens, operations = least_operations(judge.model, prompts)
    rate = max(rates)
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


def mistral_7b(vocabulary):
    """The shape of Mistral-7B, with random weights made on the GPU in bfloat16."""
    torch.manual_seed(0)
    config = MistralConfig(vocab_size=vocabulary, num_key_value_heads=8, sliding_window=None)
    with torch.device("cuda"):
        return AutoModelForCausalLM.from_config(config, dtype=torch.bfloat16).eval()


def on_gpu(judge):
    """Rows of the table for the GPU: whole runs, tokenising included."""
    rate = matmul_rate(judge.model, gpu_clock, tokens=8192)
    answers = answer_ids(judge.prompts, MESSAGES, ANSWERS)

    def losses(sample):
        return [two_losses(judge.model, ids, answers) for ids in sample]

    for n in GPU_PAIRS:
        pairs = mrpc_pairs(n)
        fresh = LocalModel(judge.model, judge.tokenizer)
        ratios(fresh, pairs[:2])
        best = min(seconds_of(partial(ratios, fresh, pairs), gpu_clock)[0] for _ in range(3))
        prompts = prompt_ids(judge.prompts, MESSAGES, pairs)
        sample = prompts[:: n // 16]
        theirs, _ = seconds_of(partial(losses, sample), gpu_clock)
        tokens, operations = least_operations(judge.model, prompts)
        floor, two_loss = operations / rate, theirs / len(sample) * n
        for what, seconds in (
            (f"two losses, one pair at a time (a sample of {len(sample)})", two_loss),
            ("this metric, best of three runs", best),
            (f"floor ({tokens} distinct tokens, {rate / 1e12:.0f} TFLOP/s)", floor),
        ):
            yield f"{n} pairs: {what}", f"{n / seconds:.1f}", f"{two_loss / seconds:.1f}", f"{floor / seconds:.0%}"


def described(model):
    """Shape and dtype of a model, for the head of a page."""
    config, parameters = model.config, sum(p.numel() for p in model.parameters()) / 1e6
    return (
        f"Mistral architecture ({config.num_hidden_layers} layers of {config.hidden_size}, "
        f"{config.num_key_value_heads} of {config.num_attention_heads} heads with keys, {config.vocab_size} tokens), "
        f"{parameters:.0f} M random parameters, {str(model.dtype).removeprefix('torch.')}"
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pairs", type=int, nargs="*", default=[64, 256], help="on the CPU")
    parser.add_argument("--save", action="store_true", help="write the tables to benchmarks/results")
    parser.add_argument("--gpu-only", action="store_true")
    arguments = parser.parse_args()
    tokenizer, packages = TOKENIZERS["mistral v0.2"](), ("torch", "transformers")
    if not arguments.gpu_only:
        torch.set_num_threads(1)
        judge = LocalModel(mistral(len(tokenizer)), tokenizer)
        print_table(
            "ParaPLUIE: speed",
            packages,
            f"{described(judge.model)}, one thread, CPU time; one run, both sides in turn.",
            HEADER,
            (row for n in arguments.pairs for row in compare(judge, n)),
            "parapluie" if arguments.save else None,
        )
    if not torch.cuda.is_available():
        print("No GPU here: its part has not run.")
        return
    judge = LocalModel(mistral_7b(len(tokenizer)), tokenizer)
    print_table(
        "ParaPLUIE: speed on a GPU",
        packages,
        f"{torch.cuda.get_device_name()}; {described(judge.model)}; wall-clock time of whole runs.",
        HEADER,
        on_gpu(judge),
        "parapluie_gpu" if arguments.save else None,
    )


if __name__ == "__main__":
    main()

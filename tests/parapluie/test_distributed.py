"""distributed=True: two processes on the CPU, joined by gloo, give every process the result of one."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from ..conftest import ROOT
from .conftest import DEMO_MODEL, random_judge

EXAMPLES = {
    "predictions": [*(f"On the mat sat cat {i}." for i in range(6)), "<|end|>"],
    "references": [f"The cat number {i} sat on the mat." for i in range(7)],
}
OPTIONS = {"model_id": DEMO_MODEL, "template": "indirect", "max_new_tokens": 4, "details": True}
SCRIPT = """
import json, os, sys, warnings, datasets, evaluate
warnings.simplefilter("ignore")
datasets.disable_progress_bars()
metric = evaluate.load(sys.argv[1])
asked = []
module = sys.modules[type(metric).__module__]
as_completed = module.ChatModel.as_completed
def telling(self, method, conversations, argument):
    asked.append([method, *(turns[2]["content"] for turns in conversations)])
    return as_completed(self, method, conversations, argument)
module.ChatModel.as_completed = telling
result = metric.compute(**json.loads(sys.argv[2]), distributed=True, resume=sys.argv[3] + ".sqlite")
with open(f"{sys.argv[3]}.{os.environ['RANK']}.json", "w") as file:
    json.dump({"result": result, "asked": asked}, file)
"""
FAILING = """
import torch.distributed as dist
from accelerate import PartialState
from metrics.parapluie.common_judge import ask
from metrics.parapluie.judge_kept import Shared
class Toy:
    name = "toy"
    def answer_log_probs(self, conversations, answers):
        for [turn] in conversations:
            if turn["content"] == "dead":
                raise ConnectionError("the line is dead")
            yield -5.0 if turn["content"] == "wrong" else (-1.0, -1.0, turn["content"])
    def generate(self, conversations, max_new_tokens):
        return []
def tell(file, fourth):
    asked = [[{"role": "user", "content": text}] for text in ("a", "b", "c", fourth, "d")]
    try:
        judged = ask(Shared(Toy()), "answer_log_probs", asked, (("yes",), ("no",)), "pair {}".format, "score")
        print(*(each.top_token for each in judged), dist.is_initialized(), file=file)
    except ValueError as error:
        print(error, dist.is_initialized(), file=file)
with open(f"{sys.argv[3]}.{os.environ['RANK']}", "w") as file:
    for fourth in ("wrong", "dead", "x"):
        tell(file, fourth)
    theirs = PartialState(cpu=True)
    for fourth in ("y" * 10**6, "dead", "z"):
        tell(file, fourth)
    theirs.destroy_process_group()
"""


@pytest.fixture(scope="module")
def two(tmp_path_factory):
    """The path of what two processes write, which run both scripts: to load the libraries takes most of their time."""
    folder = tmp_path_factory.mktemp("two")
    script, two = folder / "script.py", folder / "two"
    script.write_text(SCRIPT + FAILING)
    # On GPUs "accelerate launch" starts torchrun in just this way; on CPUs alone it would need MPI.
    launch = ["-m", "torch.distributed.run", "--nproc_per_node", "2", "--standalone"]
    environment = {**os.environ, "ACCELERATE_USE_CPU": "true", "PYTHONPATH": str(ROOT)}
    arguments = [str(ROOT / "metrics" / "parapluie"), json.dumps(EXAMPLES | OPTIONS), str(two)]
    command = [sys.executable, *launch, str(script), *arguments]
    finished = subprocess.run(command, capture_output=True, text=True, cwd=folder, timeout=240, env=environment)
    assert finished.returncode == 0, finished.stderr[-2000:]
    return str(two)


@random_judge
def test_two_processes_give_the_result_of_one(metric, two):
    first, second = (json.loads(Path(f"{two}.{rank}.json").read_text()) for rank in range(2))
    alone = metric.compute(**EXAMPLES, **OPTIONS)
    assert first["result"] == second["result"]
    assert first["result"]["explanations"] == alone["explanations"]
    for name in ("scores", "edit_distances"):
        assert len(first["result"][name]) == 7
        assert all(abs(a - b) < 1e-4 for a, b in zip(first["result"][name], alone[name]))
    for rank, one in enumerate((first, second)):  # each its own share, in two steps
        share = [f'A: "{EXAMPLES["references"][i]}"; B: "{EXAMPLES["predictions"][i]}"' for i in range(rank, 7, 2)]
        assert one["asked"] == [["generate", *share], ["answer_log_probs", *share]]


def test_an_error_of_one_process_is_that_of_all(two):
    """Of a pair by its number among all; or the others would wait for ever.

    No process group is left behind, and one that the script has made is still there.
    """
    for rank in range(2):
        assert Path(f"{two}.{rank}").read_text().splitlines() == [
            "pair 3: found -5.0, expected (log p(first answer), log p(second answer), top token) False",
            "ConnectionError: the line is dead False",
            "a b c x d False",
            f"a b c {'y' * 10**6} d True",
            "ConnectionError: the line is dead True",
            "a b c z d True",
        ]

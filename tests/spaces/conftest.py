"""All four Spaces, published once to a local Hub."""

import os
import subprocess
import sys

import pytest

from ..conftest import ROOT
from ..hub import local_hub

REPOSITORY = "https://code.example/lab/metrics"  # where links that leave a Space lead


def hub_environment(server, home):
    """The environment of a process whose Hub is the local one."""
    changed = {
        "HF_ENDPOINT": server.url,
        "HF_HOME": str(home),
        "HF_TOKEN": "hf_secret",
        "HF_UPDATE_DOWNLOAD_COUNTS": "0",
    }
    return {k: v for k, v in os.environ.items() if k not in ("HF_HUB_OFFLINE", "PYTHONPATH")} | changed


def publish(server, home, *arguments, root=ROOT, checks="--no-checks", token="hf_secret"):
    """publish.py, run as a command; the token must not be in what it prints."""
    command = [sys.executable, str(root / ".github" / "hub" / "publish.py"), *arguments, *([checks] if checks else [])]
    settings = {"HF_TOKEN": token, "HUB_REPOSITORY": REPOSITORY}
    done = subprocess.run(command, capture_output=True, text=True, env=hub_environment(server, home) | settings)
    assert "hf_secret" not in done.stdout + done.stderr
    return done


@pytest.fixture(scope="session")
def published(tmp_path_factory):
    """(the local Hub with all four under the organisation lab, its user's home)."""
    home = tmp_path_factory.mktemp("home")
    with local_hub() as server:
        done = publish(server, home, "--org", "lab")
        assert done.returncode == 0, done.stderr
        yield server, home

"""All four Spaces, published once to a local Hub."""

import io
import os
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout
from functools import cache

import pytest

from ..conftest import ROOT, module_at
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


def publish(server, home, *arguments, root=None, checks=False, token="hf_secret"):
    """(exit status, output, errors) of publish.py, in this process, or as the command that another root has.

    The token must not be in what it prints.
    """
    arguments = [*arguments, *([] if checks else ["--no-checks"])]
    environment = hub_environment(server, home) | {"HF_TOKEN": token, "HUB_REPOSITORY": REPOSITORY}
    if root:
        command = [sys.executable, str(root / ".github" / "hub" / "publish.py"), *arguments]
        done = subprocess.run(command, capture_output=True, text=True, env=environment)
        found = done.returncode, done.stdout, done.stderr
    else:
        found = in_this_process(publish_module().main, arguments, environment)
    assert "hf_secret" not in found[1] + found[2]
    return found


@cache
def publish_module():
    """publish.py, which finds what is beside it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(ROOT / ".github" / "hub"))
        return module_at(ROOT / ".github" / "hub" / "publish.py")


def in_this_process(main, arguments, environment):
    """(exit status, output, errors) of a script's main function."""
    status, out, errors = 0, io.StringIO(), io.StringIO()
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(out), redirect_stderr(errors):
        patch.setattr(sys, "argv", ["publish.py", *arguments])
        patch.setattr(os, "environ", environment)
        for name, value in {"ENDPOINT": environment["HF_ENDPOINT"], "HF_HUB_OFFLINE": False}.items():
            patch.setattr(f"huggingface_hub.constants.{name}", value)
        try:
            main()
        except SystemExit as end:
            status = end.code
    return (status, out.getvalue(), errors.getvalue()) if isinstance(status, int) else (1, out.getvalue(), status)


def run_python(server, home, folder, *arguments):
    """What Python prints in a folder, where the Hub is the local one."""
    command, environment = [sys.executable, *arguments], hub_environment(server, home)
    done = subprocess.run(command, capture_output=True, text=True, env=environment, cwd=folder)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="session")
def published(tmp_path_factory):
    """(the local Hub with all four under the organisation lab, its user's home)."""
    home = tmp_path_factory.mktemp("home")
    with local_hub() as server:
        status, _, errors = publish(server, home, "--org", "lab")
        assert status == 0, errors
        yield server, home

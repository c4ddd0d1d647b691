#!/bin/sh
# One would guess: the Hub's address is one setting, huggingface_hub.constants.ENDPOINT (HF_ENDPOINT when it is
# imported); a program that sets it, as tests and mirrors do, changes it for every function, or for none.
# Seen: after a change HfApi(), made anew, and the first request of snapshot_download go to the new address; model_info
# and its like (methods of one HfApi that is made when one of them is first used) and hf_hub_download to the old one,
# hf_hub_download even with endpoint=, which it looks for in a template of addresses kept since the import. One program
# talks to two Hubs: it may find a model's commit at one and download files from the other. Setting HF_ENDPOINT before
# the import is the one way for all.
set -eu
HERE=$(mktemp -d)
trap 'rm -rf "$HERE"' EXIT
python3 -m venv "$HERE/venv"
"$HERE/venv/bin/pip" install -q --disable-pip-version-check huggingface-hub==2.4.0
HF_HOME="$HERE/home" "$HERE/venv/bin/python" - <<'PYTHON'
import os
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

asked = []


class Hub(BaseHTTPRequestHandler):
    """A Hub that has nothing, and notes that it was asked."""

    def log_message(self, *arguments):
        pass

    def do_GET(self):
        asked.append(self.server.name)
        self.send_response(404)
        self.send_header("X-Error-Code", "RepoNotFound")
        self.send_header("Content-Length", "0")
        self.end_headers()

    do_HEAD = do_GET


def hub(name):
    server = ThreadingHTTPServer(("127.0.0.1", 0), Hub)
    server.name = name
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_port}"


os.environ["HF_ENDPOINT"] = hub("old")
import huggingface_hub
from huggingface_hub import constants
from huggingface_hub.errors import RepositoryNotFoundError



def who(function, *arguments, **options):
    asked.clear()
    try:
        function("lab/tiny", *arguments, **options)
    except RepositoryNotFoundError:
        return asked[0]


before = [who(huggingface_hub.model_info), who(huggingface_hub.hf_hub_download, "config.json")]
constants.ENDPOINT = new = hub("new")
found = {
    "HfApi().model_info": who(huggingface_hub.HfApi().model_info),
    "model_info": who(huggingface_hub.model_info),
    "snapshot_download": who(huggingface_hub.snapshot_download),
    "hf_hub_download": who(huggingface_hub.hf_hub_download, "config.json"),
    "hf_hub_download, endpoint=": who(huggingface_hub.hf_hub_download, "config.json", endpoint=new),
}
print("huggingface_hub", huggingface_hub.__version__, before, found)
assert before == ["old", "old"]
assert list(found.values()) == ["new", "old", "new", "old", "old"]
PYTHON

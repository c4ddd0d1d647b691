"""A Hub on 127.0.0.1 from the standard library: repositories, commits, files, as clients need."""

import base64
import hashlib
import json
import re
import threading
from contextlib import contextmanager
from functools import lru_cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


@lru_cache(maxsize=100)  # a model is of 90 MB, and asked for again and again
def git_oid(data):
    """git's name for a file's content."""
    return None if data is None else hashlib.sha1(b"blob %d\0" % len(data) + data).hexdigest()


class Handler(BaseHTTPRequestHandler):
    """`server.repos` maps (kind, name) to {path: bytes}; `server.requests` lists the requests.

    `server.tags` has each repository's tags and their commits; while `server.failing`, commits are
    refused.
    """

    protocol_version = "HTTP/1.1"

    def answer(self, body=None, status=200, headers=()):
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.send_response(status)
        for name, value in headers:
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(data)

    def missing(self, code):
        self.answer({"error": code}, 404, [("X-Error-Code", code)])

    def do_POST(self):
        size = int(self.headers.get("Content-Length") or 0)
        data = self.rfile.read(size)
        self.server.requests.append(f"POST {self.path}")
        if self.path == "/api/repos/create":
            asked = json.loads(data)
            kind, name = asked.get("type", "model") + "s", f"{asked.get('organization') or 'me'}/{asked['name']}"
            if (kind, name) in self.server.repos:
                return self.answer({"url": f"{self.server.url}/{name}"}, 409)
            self.server.repos[kind, name] = {}
            return self.answer({"url": f"{self.server.url}/{name}"})
        found = re.match(r"/api/(\w+)/([^/]+/[^/]+)/(preupload|commit|tag)/", self.path)
        if not found:  # such as the check of a card's front matter
            return self.answer({"errors": [], "warnings": []})
        kind, name, action = found.groups()
        files = self.server.repos[kind, name]
        if action == "tag":
            tags, tag = self.server.tags.setdefault(name, {}), json.loads(data)["tag"]
            status = 409 if tag in tags else 200
            tags.setdefault(tag, self.path.rpartition("/")[2])
            return self.answer({}, status)
        if action == "preupload":
            paths = [file["path"] for file in json.loads(data)["files"]]
            modes = {"uploadMode": "regular", "shouldIgnore": False}
            return self.answer({"files": [{"path": p, **modes, "oid": git_oid(files.get(p))} for p in paths]})
        if self.server.failing:
            return self.answer({"error": "the disk is full"}, 507)
        for line in data.splitlines():
            entry = json.loads(line)
            if entry["key"] == "file":
                files[entry["value"]["path"]] = base64.b64decode(entry["value"]["content"])
            elif entry["key"] == "deletedFile":
                files.pop(entry["value"]["path"])
        return self.answer({"commitUrl": f"{self.server.url}/{name}/commit/1", "commitOid": self.commit(files)})

    def do_GET(self):
        self.server.requests.append(f"{self.command} {self.path}")
        found = re.match(
            r"/(?:api/)?(?:(models|spaces|datasets)/)?([^/]+/[^/?]+)(?:/(\w+)/([^/?]+)/?([^?]*))?", self.path
        )
        if self.path == "/api/whoami-v2":
            return self.answer({"name": "me"}, 200 if "Authorization" in self.headers else 401)
        if self.path == "/" or not found:
            return self.answer({})
        if self.path.endswith("/refs"):
            tags = [
                {"name": t, "ref": f"refs/tags/{t}", "targetCommit": c} for t, c in self.server.tags[found[2]].items()
            ]
            return self.answer({"branches": [], "converts": [], "tags": tags})
        files = self.server.repos.get((found[1] or "models", found[2]))
        if files is None:
            return self.missing("RepoNotFound")
        action, path = found[3], found[5]
        if action == "tree":
            listed = [
                {"type": "file", "path": p, "size": len(files[p]), "oid": git_oid(files[p])}
                for p in files
                if p.startswith(path)
            ]
            return self.answer(listed) if listed or not path else self.missing("EntryNotFound")
        if action != "resolve":
            siblings = [{"rfilename": p} for p in files]
            return self.answer({"id": found[2], "sha": self.commit(files), "siblings": siblings})
        if path not in files:
            return self.missing("EntryNotFound")
        data = files[path]
        commit = found[4] if re.fullmatch("[0-9a-f]{40}", found[4]) else self.commit(files)
        headers = [("ETag", f'"{git_oid(data)}"'), ("X-Repo-Commit", commit)]
        return self.answer(data, headers=headers)

    do_HEAD = do_GET

    @staticmethod
    def commit(files):
        return hashlib.sha1(repr(sorted((path, git_oid(files[path])) for path in files)).encode()).hexdigest()

    def log_message(self, *_):
        pass


@contextmanager
def local_hub():
    """The server, with `url`, `repos`, `requests`, `tags` and `failing`."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.url, server.repos, server.requests = f"http://127.0.0.1:{server.server_port}", {}, []
    server.tags, server.failing = {}, False
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@contextmanager
def hub_in_reach(monkeypatch, cache):
    """The server, as the Hub of this process, with a cache of its own."""
    with local_hub() as hub:
        constants = {
            "HF_HUB_OFFLINE": False,
            "HF_HUB_CACHE": str(cache),
            "ENDPOINT": hub.url,
            "HUGGINGFACE_CO_URL_TEMPLATE": hub.url + "/{repo_id}/resolve/{revision}/{filename}",
        }
        for name, value in constants.items():
            monkeypatch.setattr(f"huggingface_hub.constants.{name}", value)
        # Both take the address when they are first used, and keep it.
        monkeypatch.setattr("huggingface_hub.hf_api.api.endpoint", hub.url)
        monkeypatch.setattr("transformers.utils.hub._hf_api", None, raising=False)  # transformers 5
        yield hub

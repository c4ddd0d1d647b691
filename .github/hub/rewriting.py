"""What a file says to readers of the repository, rewritten for readers of the Hub.

- A link to a file of the same Space leads to that file, a link to any other file to its page in the
  repository; so does a path in backquotes.
- "metrics/NAME" in code is "ORG/NAME", as evaluate.load takes it; "metrics/NAME/PART", a model, is "ORG/NAME-PART".
- "spaces/NAME/PATH" in examples is PATH in a download from that Space, added above the first one.
"""

import posixpath
import re
from collections.abc import Callable
from dataclasses import dataclass

PICTURES = (".png", ".svg", ".jpg", ".gif")
FENCED = re.compile(r"(^```.*?^```)", re.DOTALL | re.MULTILINE)
LINK = re.compile(r"""(\]\(|\b(?:src|href)=["']|^\[[^\]]+\]: +)([^)\s"']+)""", re.MULTILINE)
QUOTED = re.compile(r"(?<!\[)`([\w.-]+/[\w./-]+)`")
METRIC = re.compile(r'"metrics/(\w+)(?:/(\w+))?"')
SPACE = re.compile(r'f?"spaces/(\w+)/([^"]*)"')
REMARK = re.compile(r"  # from the Hub: .*")  # after the line that loads a metric from a checkout
LEFT = re.compile(r"(?<![\w/.-])(?:metrics|spaces)/\w[\w./-]*|<organi[sz]ation>")


@dataclass(frozen=True)
class Rewriting:
    """How the files of one Space, or of one model, are rewritten.

    Attributes:
        name: the metric, "NAME", or its model, "NAME/PART".
        org: organisation or user on the Hub.
        repository: address of the repository's pages, without a slash at the end.
        exists: whether the repository has a path, relative to its root.
    """

    name: str
    org: str
    repository: str
    exists: Callable[[str], bool]

    def markdown(self, text: str, folder: str) -> str:
        """A page of this folder of the repository."""
        parts = FENCED.split(text)
        parts[::2] = (self._prose(part, folder) for part in parts[::2])
        wanted, met = {}, set()  # {Space: its parts that examples need}, Spaces downloaded so far
        for name, path in SPACE.findall("".join(parts[1::2])):
            wanted.setdefault(name, set()).add(path.partition("/")[0])
        parts[1::2] = (self._examples(part, wanted, met) for part in parts[1::2])
        return "".join(parts)

    def code(self, text: str) -> str:
        """A module: its docstring shows how to load the metric."""
        return METRIC.sub(lambda match: f'"{self.org}/{"-".join(filter(None, match.groups()))}"', text)

    def in_space(self, path: str) -> str | None:
        """Where a path of the repository is in this Space or model; None if it is not."""
        for part in ("metrics", "spaces"):
            folder = f"{part}/{self.name}"
            if path == folder or path.startswith(f"{folder}/"):
                return path[len(folder) + 1 :] or "."
        return None

    def _prose(self, text, folder):
        def linked(match):
            before, target = match.groups()
            path, mark, section = target.partition("#")
            if "://" in target or not path:
                return match[0]
            return f"{before}{self._address(posixpath.normpath(posixpath.join(folder, path)), folder)}{mark}{section}"

        def quoted(match):
            path = match[1].rstrip("/")
            if not self.exists(path):
                return match[0]
            return f"`{self.in_space(path)}`" if self.in_space(path) else f"[`{path}`]({self._address(path, folder)})"

        return QUOTED.sub(quoted, LINK.sub(linked, text))

    def _address(self, path, folder):
        """The address of a path of the repository, from a page of the Space."""
        own = self.in_space(path)
        if own is not None:
            return posixpath.relpath(own, self.in_space(folder))
        return f"{self.repository}/{'raw' if path.endswith(PICTURES) else 'blob'}/main/{path}"

    def _examples(self, text, wanted, met):
        """A fenced block of code."""
        new = dict.fromkeys(name for name, _ in SPACE.findall(text) if name not in met)
        lines = [] if met or not new else ["from huggingface_hub import snapshot_download"]
        for name in new:
            patterns = [f"{part}/*" for part in sorted(wanted[name])]
            given = f'"{self.org}/{name}", repo_type="space", allow_patterns={patterns}'.replace("'", '"')
            lines.append(f"{name}_space = snapshot_download({given})")
        met |= set(new)
        prompt = ">>> " if "\n>>> " in text else ""
        fence, end, code = text.partition("\n")
        above = "".join(f"{prompt}{line}\n" for line in lines)
        return fence + end + above + SPACE.sub(r'f"{\1_space}/\2"', self.code(REMARK.sub("", code)))

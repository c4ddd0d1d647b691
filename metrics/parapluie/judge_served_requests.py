"""How a server wants to be asked: which fields of the chat protocol it takes, learnt from what it refuses."""

import re
from dataclasses import dataclass, replace

TOP_LOGPROBS = 20  # the protocol's limit; some servers allow fewer
# Fields that some servers or models refuse, and what says the same; without an alternative they are left out.
REFUSABLE = ("max_tokens", "max_completion_tokens", "temperature", "seed", "frequency_penalty", "presence_penalty")
ALTERNATIVES = {"max_tokens": "max_completion_tokens"}
# Where JSON says that the error is: as OpenAI does, and as pydantic does.
LOCATED = re.compile(r'"(?:param|loc)"\s*:\s*("[^"]*"|\[[^\]]*\])')


@dataclass(frozen=True)
class Manner:
    """How a server is asked."""

    top_logprobs: int  # how many of the most likely tokens it is to tell
    fixed: frozenset = frozenset()  # fields that the user has set, which nothing here changes
    without: frozenset = frozenset()  # fields that the server refuses
    quiet: bool = False  # whether it is told, in the protocol's own words, that the model is not to think
    is_known: bool = False  # whether it has answered so

    def fields(self, body: dict) -> dict:
        """A request's fields as the server takes them."""
        taken = dict(body)
        for name in REFUSABLE:
            if name in self.without and name in taken:
                value = taken.pop(name)
                if name in ALTERNATIVES:
                    taken[ALTERNATIVES[name]] = value
        taken |= {"top_logprobs": self.top_logprobs} if body.get("logprobs") else {}
        return taken | ({"reasoning_effort": "none"} if self.quiet else {})

    def after(self, asked: dict, message: str) -> "Manner":
        """The manner to try next after a refusal with this message; the same if there is none."""
        refused = refused_fields(message, asked)
        for name in REFUSABLE:
            if name in refused - self.fixed:
                return replace(self, without=self.without | {name})
        top = asked.get("top_logprobs") or 0
        if top > 1 and "top_logprobs" not in self.fixed:
            return replace(self, top_logprobs=allowed_top(message, top))
        return self


def refused_fields(message: str, asked: dict) -> set[str]:
    """The fields of a request that a refusal names: of JSON those where it says that the error is, if it names some.

    (The rest of it may repeat the whole request.)
    """
    texts = " ".join(LOCATED.findall(message)), message
    located, named = (asked.keys() & set(re.findall(r"\w+", text)) for text in texts)
    return located or named


def allowed_top(message: str, asked: int) -> int:
    """How many log-probabilities to ask for after a refusal: as many as the message allows, else half as many.

    >>> allowed_top("top_logprobs must be between 0 and 8, got 20", 20), allowed_top("bad request", 20)
    (8, 10)
    """
    if re.search(r"log_?prob|top_n|n_probs", message):
        fewer = [number for number in map(int, re.findall(r"\d+", message)) if 0 < number < asked]
        if fewer:
            return max(fewer)
    return min(TOP_LOGPROBS, asked // 2)

# Copied from metrics/_common/common_served.py: edit there, then run make vendor.
"""A served chat model (vLLM, TGI, an Inference Endpoint), asked over the OpenAI-compatible chat protocol.

`ServedLLM` has the methods of `ChatLLM` that `Chat` uses; its prompts are lists of messages, because the
server applies the chat template. What the texts contain is therefore the server's to keep apart from control tokens.
"""

import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from urllib.parse import urlsplit

from .common_llm import ItemError, fill

MOST_TOP_LOGPROBS = 20  # the protocol's limit
PARALLEL = 16  # requests under way at once when the batch size is "auto"


class ServedLLM:
    """A client of one model at one address.

    Args:
        endpoint: the server's address, such as "http://localhost:8000/v1".
        model_id: what the server calls the model.

    The server's key is taken from the environment variable ENDPOINT_API_KEY. The user's Hub token is sent to
    Hugging Face's own hosts only; others get the key "EMPTY" by default, as is usual for servers without one.
    """

    context_length = None

    def __init__(self, endpoint: str, model_id: str):
        from huggingface_hub import InferenceClient

        host = urlsplit(endpoint).hostname or ""
        own = host.endswith((".huggingface.co", ".huggingface.cloud"))
        self.name = model_id
        self.endpoint = endpoint
        self.identity = [endpoint, model_id]
        self.client = InferenceClient(
            base_url=endpoint, token=os.environ.get("ENDPOINT_API_KEY") or (None if own else "EMPTY")
        )

    def prompts(self, messages: list, fields: list) -> list:
        """The messages with each dict of fields filled in."""
        return [[{**message, "content": fill(message["content"], values)} for message in messages] for values in fields]

    def answers(self, messages: list, answers: tuple) -> tuple:
        """The two answers, as they are: the server has the tokens."""
        return answers

    def signature(self) -> str:
        """The model for a reader."""
        return f"{self.name} (served)"

    def control_words(self, messages: list) -> list:
        """None are known here."""
        return []

    def log_ratios(self, prompts: list, answers: tuple, batch_size="auto") -> Iterator:
        """Yield (index, log p(first answer) - log p(second answer)) of the first token, in order.

        Raises:
            ItemError: the server's top log-probabilities lack one of the answers (or it sent none).
        """
        for i, choice in self._ask(prompts, batch_size, max_tokens=1, logprobs=True, top_logprobs=MOST_TOP_LOGPROBS):
            content = choice.logprobs.content if choice.logprobs else None
            if not content:
                raise ItemError(i, f"found no logprobs in the answer of {self.name}, expected some")
            top = [(entry.token.strip(" \u2581\u0120\n"), entry.logprob) for entry in content[0].top_logprobs]
            first, second = (max((p for token, p in top if token == answer), default=None) for answer in answers)
            for answer, logprob in zip(answers, (first, second)):
                if logprob is None:
                    found = [token for token, _ in top]
                    raise ItemError(
                        i,
                        f"found no token {answer!r} among the {len(top)} most probable of {self.name}: {found}; "
                        "expected both answers, each as one token",
                    )
            yield i, first - second

    def generate(self, prompts: list, max_new_tokens: int = 256, batch_size="auto") -> Iterator:
        """Yield (index, the model's greedy answer), in order."""
        for i, choice in self._ask(prompts, batch_size, max_tokens=max_new_tokens):
            yield i, (choice.message.content or "").strip()

    def _ask(self, prompts, batch_size, **options):
        from huggingface_hub import constants
        from huggingface_hub.errors import HfHubHTTPError

        if constants.HF_HUB_OFFLINE:  # huggingface_hub's client would refuse, in words that differ between versions
            raise ValueError("endpoint: found HF_HUB_OFFLINE set, expected it unset to ask a server")

        def request(messages):
            try:
                answer = self.client.chat_completion(messages, model=self.name, temperature=0.0, seed=0, **options)
            except (ValueError, HfHubHTTPError):
                raise  # the server has answered
            except Exception as error:  # of the client's own libraries, other ones in each version
                raise ValueError(
                    f"endpoint: found {self.endpoint!r}, which does not answer ({error}), expected the "
                    "address of a server of chat models"
                ) from error
            return answer.choices[0]

        workers = PARALLEL if batch_size == "auto" else batch_size
        with ThreadPoolExecutor(workers) as pool:
            yield from enumerate(pool.map(request, prompts))

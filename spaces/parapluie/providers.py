"""A larger judge for one visitor: the Hub's Inference Providers, with the visitor's own token."""

from math import exp, log

from huggingface_hub import InferenceClient

ROUTER = "https://router.huggingface.co/v1"
MODELS = ["meta-llama/Llama-3.3-70B-Instruct", "Qwen/Qwen2.5-72B-Instruct", "google/gemma-3-27b-it"]
TOP_LOGPROBS = 20
TIMEOUT = 60  # seconds for one answer


class Providers:
    """A judge for the metric's `judge=`, whose `common_judge` says what it needs.

    Only this object has the token; no key of the demo's runner is sent.
    """

    def __init__(self, model: str, token: str, address: str = ROUTER):
        self.name = model
        self.client = InferenceClient(base_url=address, token=token, timeout=TIMEOUT)

    def answer_log_probs(self, conversations: list, answers: tuple):
        """Yield (log p(first answer), log p(second answer), top token, whether one is a bound)."""
        for messages in conversations:
            content = self._ask(messages, max_tokens=1, logprobs=True, top_logprobs=TOP_LOGPROBS).logprobs
            if not content or not content.content:
                raise ValueError(
                    f"model: found {self.name!r}, whose provider returns no log-probabilities; choose another"
                )
            first = content.content[0]
            known = {item.token: item.logprob for item in (first, *(first.top_logprobs or ()))}
            logprobs = [[known[variant] for variant in side if variant in known] for side in answers]
            left = max(1e-12, 1 - sum(map(exp, known.values()))) / max(1, logprobs.count([]))
            least = min(log(left), *known.values())
            values = [log(sum(map(exp, side))) if side else least for side in logprobs]
            yield (*values, first.token, not all(logprobs))

    def generate(self, conversations: list, max_new_tokens: int):
        """Yield the greedy answers."""
        for messages in conversations:
            yield self._ask(messages, max_tokens=max_new_tokens).message.content or ""

    def _ask(self, messages, **options):
        try:
            answer = self.client.chat_completion(messages, model=self.name, temperature=0, **options)
        except Exception as error:  # of the library's HTTP client, which differs between versions
            raise ValueError(f"model: found {self.name!r}, which did not answer: {str(error):.300}") from error
        return answer.choices[0]

"""vLLM in this process as a scorer: offline batches with prefix caching, the answers' tokens asked for by number."""

from collections.abc import Iterator

from .common_llm import answer_log_probs, beginnings
from .common_loading import files_state
from .common_prompts import Prompts

LIKELIEST = 20  # tokens to look among where this vLLM cannot be asked for given ones


class VLLM:
    """A model that vLLM runs here: pass it as scorer= to compute, of this metric or of another one.

    Prompts are made as for a local model, so that no text can become a control token, and thinking is off where the
    chat template has a switch. vLLM computes what prompts share once.

    Args:
        model_id: as vLLM takes it, a name on the Hub or a folder.
        chat_template_kwargs: arguments of the chat template.
        engine: arguments of `vllm.LLM`, such as tensor_parallel_size=2 or max_model_len=4096.

    Raises:
        ImportError: vLLM is not installed.
    """

    def __init__(self, model_id: str, chat_template_kwargs: dict | None = None, **engine):
        from vllm import LLM

        self.name = model_id
        settings = sorted(map(str, engine.items()))
        self.identity = ["vllm", model_id, files_state(model_id), chat_template_kwargs, settings]
        self.llm = LLM(model=model_id, **{"enable_prefix_caching": True, **engine})
        self.prompts = Prompts(self.llm.get_tokenizer(), model_id, chat_template_kwargs or {}, think=False)
        self._known = {}  # the variants' tokens behind messages of one shape

    def answer_log_probs(self, conversations: list, answers: tuple) -> Iterator[tuple]:
        """(log p(first answer), log p(second answer), likeliest token) of each conversation, in its order.

        With a vLLM that cannot score given tokens, one that is not among the 20 likeliest gets the log p of the last of
        them, and the tuple a fourth value, True: these are bounds.
        """
        asked, requests = [], []
        for prompt, messages in self._prompts(conversations):
            variants = self._variants(messages, answers)
            asked.append((variants, before := sorted(beginnings(variants))))
            requests += [[*prompt, *beginning] for beginning in before]
        tokens = sorted({token for variants, _ in asked for each in variants for ids in each for token in ids})
        outputs = iter(self._log_probs(requests, tokens))
        for variants, before in asked:
            found = {beginning: next(outputs) for beginning in before}
            known = {beginning: log_probs for beginning, (log_probs, *_) in found.items()}
            asked_for = {(tuple(ids[:k]), token) for each in variants for ids in each for k, token in enumerate(ids)}
            bounded = any(token in found[beginning][2] for beginning, token in asked_for)
            yield (*answer_log_probs(known, variants), found[()][1], bounded)

    def generate(self, conversations: list, max_new_tokens: int) -> Iterator[str]:
        """The greedy answers, in the conversations' order."""
        from vllm import SamplingParams

        requests = [{"prompt_token_ids": ids} for ids, _ in self._prompts(conversations)]
        for output in self.llm.generate(requests, SamplingParams(temperature=0.0, max_tokens=max_new_tokens)):
            yield output.outputs[0].text.strip()

    def _prompts(self, conversations):
        """(token ids, messages with fields) of each conversation; those of one shape are encoded together."""
        shapes, found = {}, {}
        for i, (messages, fields) in enumerate(map(_apart, conversations)):
            shapes.setdefault(str(messages), (messages, {}))[1][i] = fields
        for messages, fields in shapes.values():
            ids = self.prompts.ids(messages, list(fields.values()))
            found |= {i: (prompt, messages) for i, prompt in zip(fields, ids)}
        return [found[i] for i in range(len(conversations))]

    def _variants(self, messages, answers):
        key = str((messages, answers))
        if key not in self._known:
            self._known[key] = self.prompts.answers(messages, answers)
        return self._known[key]

    def _log_probs(self, requests, tokens):
        """For each request ({token: log p of the token behind it}, likeliest token, the tokens that have a bound)."""
        from vllm import SamplingParams

        settings = {"temperature": 0.0, "max_tokens": 1, "logprobs": LIKELIEST}
        if hasattr(SamplingParams(), "logprob_token_ids"):
            settings |= {"logprob_token_ids": tokens, "logprobs": len(tokens)}  # some versions want both alike
        outputs = self.llm.generate([{"prompt_token_ids": ids} for ids in requests], SamplingParams(**settings))
        for output in outputs:
            [said] = output.outputs
            top = {token: entry.logprob for token, entry in said.logprobs[0].items()}
            least = min(top.values())
            bounded = {token for token in tokens if token not in top}
            likeliest = self.prompts.tokenizer.decode([said.token_ids[0]])  # its text leaves control tokens out
            yield {token: top.get(token, least) for token in tokens}, likeliest, bounded


def _apart(conversation: list) -> tuple[list, dict]:
    """Messages with one field each, and their contents: nothing in them is read as a field or a control token."""
    fields = {f"turn{i}": message["content"] for i, message in enumerate(conversation)}
    return [{**message, "content": f"{{turn{i}}}"} for i, message in enumerate(conversation)], fields

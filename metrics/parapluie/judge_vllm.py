"""vLLM in this process as a judge: offline batches with prefix caching, the answers' tokens asked for by number."""

from collections.abc import Iterator

import numpy as np

from .common_llm import file_stats
from .judge_local import LocalPrompts

TOP_TOKENS = 20  # what vLLM gives for one position by default: the most likely, or given ones


class VLLM:
    """A model that vLLM runs here: pass it as judge= to compute, of this metric or of another one.

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
        self.llm = LLM(model=model_id, **{"enable_prefix_caching": True, **engine})
        dtype = self.llm.llm_engine.model_config.dtype  # it may not be the checkpoint's
        self.dtype = str(dtype).removeprefix("torch.")
        self.identity = ["vllm", model_id, file_stats(model_id), chat_template_kwargs, settings, self.dtype]
        self.prompts = LocalPrompts(self.llm.get_tokenizer(), model_id, chat_template_kwargs)

    def signature(self) -> str:
        """The model for a reader, with the dtype that it runs in."""
        return f"{self.name} (vLLM, {self.dtype})|chat_template_kwargs:{self.prompts.template_kwargs}"

    def answer_log_probs(self, conversations: list, answers: tuple) -> Iterator[tuple]:
        """(log p(first answer), log p(second answer), top token) of each conversation, in its order.

        With a vLLM that cannot score given tokens, one that is not among the 20 likeliest gets the log p of the last of
        them, and the tuple a fourth value, True: these are bounds.
        """
        asked, requests = [], []
        for shape, prompt in self._prompts(conversations):
            variants = self.prompts.answers(shape, answers)
            # What stands before a token of a variant: nothing, or the beginning of a variant of several tokens.
            before = sorted({tuple(ids[:k]) for side in variants for ids in side for k in range(len(ids))})
            asked.append((variants, before))
            requests += [[*prompt, *beginning] for beginning in before]
        tokens = sorted({token for variants, _ in asked for side in variants for ids in side for token in ids})
        outputs = iter(self._log_probs(requests, tokens))
        for variants, before in asked:
            after = {beginning: next(outputs) for beginning in before}
            known = {beginning: log_probs for beginning, (log_probs, *_) in after.items()}
            steps = {(tuple(ids[:k]), token) for side in variants for ids in side for k, token in enumerate(ids)}
            bounded = any(token in after[beginning][2] for beginning, token in steps)
            yield (*(_log_p(known, side) for side in variants), after[()][1], bounded)

    def generate(self, conversations: list, max_new_tokens: int) -> Iterator[str]:
        """The greedy answers, in the conversations' order."""
        from vllm import SamplingParams

        requests = [{"prompt_token_ids": ids} for _, ids in self._prompts(conversations)]
        for output in self.llm.generate(requests, SamplingParams(temperature=0.0, max_tokens=max_new_tokens)):
            yield output.outputs[0].text.strip()

    def _prompts(self, conversations):
        """(shape, token ids) of each conversation."""
        return list(zip(map(self.prompts.shape, conversations), self.prompts.ids(conversations), strict=True))

    def _log_probs(self, requests, tokens):
        """For each request ({token: log p of it as the next}, top token, tokens with a bound)."""
        from vllm import SamplingParams

        settings, prompts = {"temperature": 0.0, "max_tokens": 1}, [{"prompt_token_ids": ids} for ids in requests]
        if hasattr(SamplingParams(), "logprob_token_ids"):
            parts = [tokens[start : start + TOP_TOKENS] for start in range(0, len(tokens), TOP_TOKENS)]
            # Some versions want as many "logprobs" as tokens; all have a limit for these.
            runs = [SamplingParams(**settings, logprob_token_ids=part, logprobs=len(part)) for part in parts]
        else:
            runs = [SamplingParams(**settings, logprobs=TOP_TOKENS)]
        for outputs in zip(*(self.llm.generate(prompts, run) for run in runs), strict=True):
            top = {t: entry.logprob for output in outputs for t, entry in output.outputs[0].logprobs[0].items()}
            least = min(top.values())
            bounded = {token for token in tokens if token not in top}
            first = outputs[0].outputs[0].token_ids  # its text leaves control tokens out
            top_token = self.prompts.tokenizer.decode(first)
            yield {token: top.get(token, least) for token in tokens}, top_token, bounded


def _log_p(known, variants):
    """log p of an answer: a sum over its variants, each a product over its tokens (chain rule)."""
    chains = [sum(known[tuple(ids[:k])][token] for k, token in enumerate(ids)) for ids in variants]
    return float(np.logaddexp.reduce(chains))

"""A model that thinks before it answers: it writes its thinking, up to some length, and is judged after it."""

from bisect import bisect_right

from .common import argument, input_error
from .judge_local import LocalModel, LocalPrompts


class ThinkingPrompts(LocalPrompts):
    """Prompts with thinking switched on, up to where the model begins to think; answers stand after its end."""

    thinks = True

    def __init__(self, tokenizer, name, template_kwargs=None):
        super().__init__(tokenizer, name, template_kwargs)
        if self.template.thinking is None:
            raise input_error(argument("think"), f"{name}, whose chat template has no thinking", "0")
        *_, close = self.template.thinking
        self.close = close.rstrip(" ")  # a space is a part of the next word's token

    def rendered(self, shape):
        """As of `Prompts`, without what the template writes before an answer: the thinking comes first."""
        rendered = super().rendered(shape)
        *parts, last = rendered.parts
        gap = self.template.thinking[-1].removeprefix(self.close)
        return rendered._replace(parts=[*parts, last.removesuffix(rendered.header)], gap=gap)


class ThinkingModel(LocalModel):
    """A local model that may write `think` tokens before it answers; its thinking is ended if it does not end."""

    prompts_class = ThinkingPrompts

    def __init__(self, *args, think: int, **kwargs):
        super().__init__(*args, **kwargs)
        self.think, self.think_hint = think, f"expected an answer after {think} tokens"

    @property
    def identity(self) -> list:
        return [*super().identity, self.think]

    def _prompts(self, conversations, reserved):
        """Prompts with the model's thinking after them."""
        prompts = super()._prompts(conversations, reserved + self.think)
        start, end, _ = self.prompts.template.thinking
        shapes, thought, close = list(map(self.prompts.shape, conversations)), list(prompts), self.prompts.close
        space = close[: len(close) - len(close.lstrip())]
        stopping = {"stop_strings": [end], "tokenizer": self.tokenizer}
        for i, ids in self._continuations(shapes, prompts, self.think, **stopping):
            rendered = self.prompts.rendered(shapes[i])
            thinking, is_ended, _ = self.tokenizer.decode(ids).partition(end)
            if rendered.is_open or start and thinking.lstrip().startswith(start):
                n = bisect_right(range(len(ids) + 1), len(thinking), key=lambda k: len(self.tokenizer.decode(ids[:k])))
                ending = close.lstrip() if is_ended or thinking.endswith(space) else close
                thought[i] = [*prompts[i], *ids[: n - 1], *self.prompts.template_ids(ending)]
            elif not start or start not in rendered.header:  # it answers without thinking
                thought[i] = [*prompts[i], *self.prompts.template_ids(rendered.header)]
        return thought

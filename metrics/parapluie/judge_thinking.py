"""A model that thinks before it answers: it writes its thinking, up to some length, and is judged after it."""

from bisect import bisect_right

from .common import argument, input_error
from .judge_local import LocalModel, LocalPrompts


class ThinkingPrompts(LocalPrompts):
    """Prompts with thinking switched on, up to where the model begins to think; answers stand after its end."""

    switches = {"enable_thinking": True, "thinking": True}

    def __init__(self, tokenizer, name, template_kwargs=None):
        super().__init__(tokenizer, name, template_kwargs)
        if self.markers is None:
            raise input_error(argument("think"), f"{name}, whose chat template has no thinking", "0")
        end = self.markers[1]
        self.close = f"{end}\n\n" if end.startswith("</") else end  # what is written between thinking and answer

    def rendered(self, shape):
        """As of `Prompts`, without what the template writes before an answer: the thinking comes first."""
        rendered = super().rendered(shape)
        *parts, last = rendered.parts
        return rendered._replace(parts=[*parts, last.removesuffix(rendered.header)], gap="")

    def _refuse_thinking(self, text, is_open):
        """It may think."""


class ThinkingModel(LocalModel):
    """A local model that may write `think` tokens before it answers; its thinking is ended if it does not end."""

    prompts_class = ThinkingPrompts

    def __init__(self, *args, think: int, **kwargs):
        super().__init__(*args, **kwargs)
        self.think, self.think_hint = think, f"expected an answer after {think} tokens"

    @property
    def identity(self) -> list:
        return [*super().identity, self.think]

    def _prompts(self, shapes, conversations, reserved):
        """Prompts with the model's thinking after them."""
        prompts, (start, end) = super()._prompts(shapes, conversations, reserved + self.think), self.prompts.markers
        thought, stopping = list(prompts), {"stop_strings": [end], "tokenizer": self.tokenizer}
        close = self.prompts.template_ids(self.prompts.close)
        for i, ids in self._continuations(shapes, prompts, self.think, **stopping):
            rendered = self.prompts.rendered(shapes[i])
            thinking = self.tokenizer.decode(ids).partition(end)[0]
            if rendered.is_open or thinking.lstrip().startswith(start):
                n = bisect_right(range(len(ids) + 1), len(thinking), key=lambda k: len(self.tokenizer.decode(ids[:k])))
                thought[i] = [*prompts[i], *ids[: n - 1], *close]
            elif not any(marker in rendered.header for marker in (start, end)):  # it answers without thinking
                thought[i] = [*prompts[i], *self.prompts.template_ids(rendered.header)]
        return thought

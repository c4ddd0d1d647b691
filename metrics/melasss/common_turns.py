# Copied from metrics/_common/common_turns.py: edit there, then run make vendor.
"""What a chat template writes around the texts of a conversation, and before and after an answer."""

import re
from contextlib import suppress
from functools import lru_cache
from itertools import product
from os.path import commonprefix
from typing import NamedTuple

from .common import input_error

MARK = "\ue000"  # a private-use character; around a number it stands for a content while the template is rendered
PROBE = """Aa"'&<\\"""  # beside the number: a template that writes contents in another way changes it
SPACE = "\u2003"  # beside the marks: a template that trims contents takes it away, and would trim the text as well
THOUGHT = f"{MARK}thought{MARK}"  # stands for a model's thinking
THOUGHT_FIELDS = ("reasoning_content", "reasoning", "thinking")
# A template may write today's date; the same question is to get the same score tomorrow.
FIXED_DATE = (
    "{%- macro strftime_now(format) -%}{{ {'%d %b %Y': '26 Jul 2024', '%d %B %Y': '26 July 2024'}"
    ".get(format, '2024-07-26') }}{%- endmacro %}\n"
)


class Turn(NamedTuple):
    """How a chat template writes the assistant's turn after a conversation, from the user's last text on."""

    text: str  # the whole conversation, up to the turn to come
    prompt: str  # the end of it, after the user's last text
    answered: str  # in a turn that has an answer, what stands before that
    opening: str | None  # in a turn that has thoughts, too, what stands before these; None if they are not written
    closing: str  # and from there to the answer
    end: str  # what follows an answer
    skips: tuple = ()  # what a prompt may end in that skips thinking

    @property
    def header(self) -> str:
        """What prompt and answered turn both begin with, but for half a tag."""
        return re.sub(r"[<\[◁][^<>\[\]◁▷]*\Z", "", commonprefix([self.prompt, self.answered]))

    @property
    def thought(self) -> str | None:
        """What the prompt writes inside a block of thinking, closing text included; None if it begins none."""
        start = (self.opening or MARK).rstrip()
        return self.prompt[len(start) :] if self.prompt.startswith(start) else None

    @property
    def closed(self) -> int:
        """How many characters of the closing text, but for white space before it, the prompt ends in."""
        thought, closing = self.thought or "", self.closing.lstrip()
        return next((n for n in range(len(closing), 0, -1) if thought.endswith(closing[:n])), 0)

    @property
    def before_answer(self) -> str | None:
        """What stands before an answer that begins with the prompt; None if the template writes no such answer.

        Thinking that is skipped may stand in the prompt alone; after it comes what stands before every answer.
        """
        if self.answered.startswith(self.prompt):
            return self.answered
        if self.closed and (left := self.closing.lstrip()[self.closed :]).strip():
            return self.prompt + left
        if self.closed or self.prompt.rstrip().endswith(self.skips):
            return self.prompt + self.answered.removeprefix(self.header)
        return None if self.prompt.removeprefix(self.header).strip() else self.prompt


class ChatTemplate:
    """A tokenizer's chat template as `text`, the `arguments` that it takes from outside, the model's name for errors.

    It is asked about shapes, which are (role, content or None) of every turn, the user's last.
    """

    def __init__(self, tokenizer, name: str):
        from jinja2 import TemplateError

        text = getattr(tokenizer, "chat_template", None) or ""
        if isinstance(text, dict):  # several by name
            text = text.get("default") or next(iter(text.values()), "")
        self.tokenizer, self.name, self.text = tokenizer, name, text
        try:
            self.arguments = arguments_of(text)
        except TemplateError as error:
            found = f"the chat template of {name}, which cannot be read"
            raise input_error("", found, f"one of Jinja: {error}") from None

    def turn(self, shape: tuple, template_kwargs: dict) -> Turn:
        """What the template writes after a conversation; ValueError where it refuses its turns."""
        answer, user = mark(len(shape)), mark(len(shape) - 1)
        content, prompt = f"{SPACE}{answer}{SPACE}", self.apply(shape, template_kwargs)
        answered, _, end = self.apply(shape, template_kwargs, {"content": content}).partition(answer)
        parts = [{"type": "thinking", "thinking": THOUGHT}, {"type": "text", "text": content}]
        fields: list[dict] = [{field: THOUGHT, "content": content} for field in THOUGHT_FIELDS if field in self.text]
        opening, closing = None, ""
        for turn in [*fields, *([{"content": parts}] if re.search("[\"']thinking[\"']", self.text) else [])]:
            with suppress(ValueError):
                thinking = self.apply(shape, template_kwargs, turn).rpartition(user)[2]
                before, is_shown, after = thinking.partition(THOUGHT)
                if is_shown and opening is None and "type" not in before:  # which would be a list, written as it is
                    opening, closing = before, after.partition(answer)[0]
        n = answered.count(user)  # a prompt may say the user's text once more, which no turn does
        before, answered = (text.removesuffix(SPACE).split(user, n)[-1] for text in (prompt, answered))
        return Turn(prompt, before, answered, opening, closing.removesuffix(SPACE), end)

    def apply(self, shape: tuple, template_kwargs: dict, answer: dict | None = None) -> str:
        """The chat template's text, with a numbered mark for every content that it does not read.

        answer: the assistant's turn, with the next mark in its content; else the text ends where one is to begin.
        """
        from jinja2 import TemplateError

        if not self.text:
            raise input_error("", f"{self.name}, which has no chat template", "an instruct model or plain text")
        roles, marks = [role for role, _ in shape], [mark(i) for i in range(len(shape))]
        texts = [f"{SPACE}{own}{SPACE}" if text is None else text for own, (_, text) in zip(marks, shape, strict=True)]
        turns = [{"role": role, "content": text} for role, text in zip(roles, texts, strict=True)]
        turns += [] if answer is None else [{"role": "assistant", **answer}]
        template = FIXED_DATE + self.text
        usual = {"tokenize": False, "chat_template": template, "add_generation_prompt": answer is None}
        lists: dict[str, list] = {name: [] for name in ("tools", "documents") if name in self.arguments}
        problem = ""
        # Some templates want lists of parts, some those of tools.
        for more, form in product(({}, lists) if lists else ({},), (lambda content: content, as_parts)):
            formed = [{**turn, "content": form(turn["content"])} for turn in turns]
            try:
                rendered = self.tokenizer.apply_chat_template(formed, **usual | more | template_kwargs)
            except (TemplateError, TypeError) as error:
                expected = f"turns that the chat template of {self.name} takes"
                problem = problem or f"found {', '.join(turn['role'] for turn in turns)}, expected {expected}: {error}"
                continue
            written = zip(roles, marks, texts, strict=True)
            left_out = [(role, own) for role, own, text in written if own in text and own not in rendered]
            if not left_out:
                return rendered
            role, own = left_out[0]
            how = "rewrites, such as in capitals or as JSON" if own.partition(PROBE)[0] in rendered else "leaves out"
            problem = problem or f"found a turn of the {role}, which the chat template of {self.name} {how}"
        raise ValueError(problem)


def mark(i: int) -> str:
    """What stands for a content while the template is rendered."""
    return f"{MARK}{i}{PROBE}{MARK}"


def fill(parts: list, contents: list) -> list[str]:
    """The template's text and the contents by turns, these trimmed where the template trims them."""
    pieces = parts[:1]
    for left, i, right, text in zip(*[iter(parts[1:])] * 4, strict=True):
        content = contents[int(i)] if left else contents[int(i)].lstrip()
        pieces += content if right else content.rstrip(), text
    return pieces


def as_parts(content):
    """A text as a list of parts, as models for several media have it."""
    return [{"type": "text", "text": content}] if isinstance(content, str) else content


def arguments_of(template: str) -> set[str]:
    """The names that a chat template takes from outside."""
    from jinja2 import meta

    own = {"messages", "add_generation_prompt", "bos_token", "eos_token", "raise_exception", "namespace"}
    return meta.find_undeclared_variables(parsed(template)) - own


@lru_cache(64)
def parsed(template: str):
    """A chat template as a tree."""
    from jinja2 import Environment

    plain = re.sub(r"\{%-?\s*(end)?generation\s*-?%\}", "", template)  # a tag of transformers' own
    return Environment(extensions=["jinja2.ext.loopcontrols"]).parse(plain)

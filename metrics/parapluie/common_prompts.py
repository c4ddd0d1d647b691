# Copied from metrics/_common/common_prompts.py: edit there, then run make vendor.
"""From conversations to token ids: no text can become a control token, and an answer stands where the chat template
writes it. Thinking is switched off where the template has a switch; where it cannot be, the model is refused.
"""

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import combinations, count, islice
from typing import NamedTuple

from .common import short_repr

MARK = "\ue000"  # a private-use character; around a number it stands for a content while the template is rendered
SPACE = "\u2003"  # beside the marks: a template that trims contents takes it away, and would trim the text as well
ENCODED_TOGETHER = 1024  # prompts
# A template may write today's date; the same question is to get the same score tomorrow.
FIXED_DATE = (
    "{%- macro strftime_now(format) -%}{{ {'%d %b %Y': '26 Jul 2024', '%d %B %Y': '26 July 2024'}"
    ".get(format, '2024-07-26') }}{%- endmacro %}\n"
)
THINKING_OFF = {"enable_thinking": False, "thinking": False, "thinking_budget": 0}  # what templates call the switch
THINKING = (  # how a model's thinking begins and ends
    ("<think>", "</think>"),
    ("[THINK]", "[/THINK]"),
    ("<seed:think>", "</seed:think>"),
    ("<|channel>thought", "<channel|>"),
    ("<|channel|>analysis", "<|end|><|start|>assistant<|channel|>final<|message|>"),
)
THINK_HINT = "pass think=1024 to parapluie, or judge=parapluie.judge(think=1024) to another metric, to let it think"


class ItemError(ValueError):
    """What is wrong with one of several items; `index` is its position among them."""

    def __init__(self, index: int, message: str):
        super().__init__(message)
        self.index = index


class Rendered(NamedTuple):
    """What the chat template writes around the contents of conversations of one shape, up to the next turn."""

    parts: list  # its text, and (SPACE or "", index of a content, SPACE or "") where that stands, in one row
    gap: str  # the spaces between that and an answer
    header: str  # what it writes before every answer, such as gpt-oss's channel or an empty block of thinking
    is_open: bool  # whether it ends inside a block of thinking
    turn_end: int | None  # the control token after an answer


class Prompts:
    """A tokenizer with its chat template, and arguments of the template; `name` is the model's, for errors.

    A conversation is a list of {"role", "content"}, the user's last. The template is rendered once for each shape.
    """

    switches = THINKING_OFF
    close = ""  # what is written between a prompt and an answer

    def __init__(self, tokenizer, name: str, template_kwargs: dict | None = None):
        self.tokenizer, self.name = tokenizer, name
        template = getattr(tokenizer, "chat_template", None) or ""
        self.template = template.get("default", "") if isinstance(template, dict) else template
        self.arguments = arguments_of(self.template)
        switches = {k: v for k, v in self.switches.items() if k in self.arguments}
        self.template_kwargs = {"date_string": "26 Jul 2024", **switches, **(template_kwargs or {})}
        self.markers = next((pair for pair in THINKING if any(marker in self.template for marker in pair)), None)
        self.added = tokenizer.get_added_vocab()
        longest_first = sorted(self.added, key=len, reverse=True)
        self.added_pattern = re.compile(f"({'|'.join(map(re.escape, longest_first)) or '(?!)'})")
        self.control_ids = frozenset(self.added.values()) - {tokenizer.unk_token_id}  # which stands for any rare word
        self.rendered, self.answers = lru_cache(1024)(self.rendered), lru_cache(1024)(self.answers)
        self._own_control = lru_cache(1024)(lambda template_text: self._control(self.template_ids(template_text)))
        self._made_from = tokenizer, name, template_kwargs

    def __reduce__(self):
        """For pickle, which takes no caches."""
        return type(self), self._made_from

    def shape(self, conversation: list) -> tuple:
        """(role, content or None) of every turn; the template reads a content that is not None."""
        return tuple((turn["role"], None) for turn in conversation)

    def contents(self, conversation: list) -> list[str]:
        """What a conversation says besides the template's own text."""
        return [turn["content"] for turn in conversation]

    def ids(self, conversations: list) -> Iterator[list[int]]:
        """Yield every conversation's prompt; ItemError where a text cannot be told from control tokens.

        ValueError where the template refuses such turns, or the model would think before it answers.
        """
        return self._encode(fill(self.rendered(self.shape(each)).parts, self.contents(each)) for each in conversations)

    def answers(self, shape: tuple, answers: tuple) -> tuple:
        """For each of two answers the token ids of its variants, as the assistant's turn after these.

        ValueError where one variant begins another in the model's tokens, so that their probabilities overlap.
        """
        rendered, words = self.rendered(shape), [word for variants in answers for word in variants]
        *before, last = fill(rendered.parts, ["x"] * len(rendered.parts))
        last += self.close
        prompt, *turns = self._encode([[*before, last], *([*before, last + rendered.gap, word, ""] for word in words)])
        own = [ids[len(prompt) :] if ids[: len(prompt)] == prompt else [] for ids in turns]
        if self.tokenizer.decode(prompt[-1:]).endswith("\n"):
            # Some tokenizers cut two line breaks apart where a word follows; the prompt ends in both as one.
            own = [ids or self.plain_ids(word) for word, ids in zip(words, own)]
        if [] in own:
            expected = f"one that {self.name} reads as tokens of its own after the prompt"
            raise ValueError(f"answers: found {words[own.index([])]!r}, expected {expected}")
        for (one, ids), (other, others) in combinations(zip(words, own), 2):
            if ids[: len(others)] == others[: len(ids)]:
                expected = f"answers of which none begins another in the tokens of {self.name}"
                raise ValueError(f"answers: found {one!r} and {other!r}, expected {expected}")
        tokens = dict(zip(words, own))
        return tuple([tokens[word] for word in variants] for variants in answers)

    # ---- Rendering ----

    def rendered(self, shape: tuple) -> Rendered:
        """The template rendered for a shape, with and without an answer."""
        text = self._apply(shape, add_generation_prompt=True)
        turn = self._apply((*shape, ("assistant", None)), add_generation_prompt=False)
        turn, _, end = turn.rpartition(f"{MARK}{len(shape)}{MARK}")
        turn, end = turn.removesuffix(SPACE), self.added_pattern.match(end.removeprefix(SPACE).lstrip())
        gap = turn[len(text) :] if turn.startswith(text) else ""
        header = gap.rstrip(" ")  # a space is a part of the next word's token
        start, stop = self.markers or ("\0", "")
        is_open = start in text and stop not in text.rpartition(start)[2]
        self._refuse_thinking(text, is_open)
        parts = re.split(f"({SPACE}?){MARK}(\\d+){MARK}({SPACE}?)", text + header)
        return Rendered(parts, gap[len(header) :], header, is_open, end and self.added[end[0]])

    def _refuse_thinking(self, text, is_open):
        """Raise ValueError where the model would think after the rendered text."""
        switches = {k: v for k, v in self.template_kwargs.items() if k in THINKING_OFF}
        is_off = switches and switches.items() <= THINKING_OFF.items()
        if is_open or self.markers and not is_off and not text.rstrip().endswith(self.markers[1]):
            where = f"an open {self.markers[0]} block" if is_open else "thinking not switched off"
            raise ValueError(
                f"found {self.name}, a model that thinks before it answers, with {where}, where a score means nothing; "
                f"{THINK_HINT}, or, if it does not think, chat_template_kwargs={{'enable_thinking': False}}"
            )

    def _apply(self, shape, **options):
        """The chat template's text, with a numbered mark for every content that it does not read."""
        from jinja2 import TemplateError

        if not self.template:
            raise ValueError(f"found {self.name}, which has no chat template, expected an instruct model or plain text")
        roles, marks = [role for role, _ in shape], [f"{MARK}{i}{MARK}" for i in range(len(shape))]
        texts = [f"{SPACE}{mark}{SPACE}" if text is None else text for mark, (_, text) in zip(marks, shape)]
        options |= {"chat_template": FIXED_DATE + self.template, **self.template_kwargs}
        for form in (str, lambda text: [{"type": "text", "text": text}]):  # some templates want lists of parts
            turns = [{"role": role, "content": form(text)} for role, text in zip(roles, texts)]
            try:
                rendered = self.tokenizer.apply_chat_template(turns, tokenize=False, **options)
            except (TemplateError, TypeError) as error:
                expected = f"turns that the chat template of {self.name} takes"
                raise ValueError(f"found {', '.join(roles)}, expected {expected}: {error}") from None
            left_out = [role for role, mark, text in zip(roles, marks, texts) if mark in text and mark not in rendered]
            if not left_out:
                return rendered
        raise ValueError(f"found a turn of the {left_out[0]}, which the chat template of {self.name} leaves out")

    # ---- Encoding ----

    def _encode(self, prompts: Iterable):
        """Yield the token ids of prompts, each given as the template's text and the conversation's by turns."""
        prompts, indices, unknown = iter(prompts), count(), self.tokenizer.unk_token
        while some := list(islice(prompts, ENCODED_TOGETHER)):
            for pieces, ids, i in zip(some, self.template_ids(["".join(pieces) for pieces in some]), indices):
                own = self._own_control("x".join(pieces[::2]))
                if self._control(ids) != own or unknown and any(unknown in text for text in pieces[1::2]):
                    ids = self._encode_apart(pieces)
                if self._control(ids) != own:
                    expected = f"one that {self.name} can tell from control tokens"
                    raise ItemError(i, f"found the text {short_repr(pieces[1::2])}, expected {expected}")
                yield ids

    def _encode_apart(self, pieces):
        """The same where a text contains what would become a control token.

        The template's own are put in by number; a text's are cut after their first character, and so only ever text.
        """
        ids, text = [], ""
        for i, piece in enumerate(pieces):
            for j, part in enumerate(self.added_pattern.split(piece)):
                if j % 2 == 0:
                    text += part
                elif i % 2 == 0:
                    ids, text = [*ids, *self.plain_ids(text), self.added[part]], ""
                else:
                    ids, text = [*ids, *self.plain_ids(text + part[0])], part[1:]
        return ids + self.plain_ids(text)

    def plain_ids(self, text: str) -> list[int]:
        """Token ids of a text in which nothing is a control token."""
        return self.tokenizer(text, add_special_tokens=False, split_special_tokens=True)["input_ids"]

    def template_ids(self, text) -> list:
        """Token ids of a text, or of each of several, in which control tokens are what they are in a template."""
        return self.tokenizer(text, add_special_tokens=False)["input_ids"]

    def _control(self, ids):
        return [token for token in ids if token in self.control_ids]


def fill(parts: list, contents: list) -> list[str]:
    """The template's text and the contents by turns, these trimmed where the template trims them."""
    pieces = parts[:1]
    for left, i, right, text in zip(*[iter(parts[1:])] * 4):
        content = contents[int(i)] if left else contents[int(i)].lstrip()
        pieces += content if right else content.rstrip(), text
    return pieces


def arguments_of(template: str) -> set[str]:
    """The names that a chat template takes from outside."""
    from jinja2 import Environment, meta

    plain = re.sub(r"\{%-?\s*(end)?generation\s*-?%\}", "", template)  # a tag of transformers' own
    own = {"messages", "add_generation_prompt", "bos_token", "eos_token", "raise_exception", "namespace"}
    return meta.find_undeclared_variables(Environment(extensions=["jinja2.ext.loopcontrols"]).parse(plain)) - own

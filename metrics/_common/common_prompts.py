"""From conversations to token ids: no text can become a control token, and an answer stands where the chat template
writes it. Thinking is switched off where the template has a switch; where it cannot be, the model is refused.

A conversation is a list of {"role", "content"}, the user's last; or, for a model without a chat template, a tuple of
strings, the prompt's text and the user's by turns: ("Is ", source, " ", hypothesis, "? Answer:").
"""

import re
from functools import lru_cache
from math import inf
from typing import NamedTuple

from .common import short_repr

MARK = "\ue000"  # a private-use character; around a number it stands for a content while the template is rendered
SPACE = "\u2003"  # beside the marks: a template that trims contents takes it away, and would trim the text as well
# A template may write today's date; the same question is to get the same score tomorrow.
FIXED_DATE = (
    "{%- macro strftime_now(format) -%}{{ {'%d %b %Y': '26 Jul 2024', '%d %B %Y': '26 July 2024'}"
    ".get(format, '2024-07-26') }}{%- endmacro %}\n"
)
SWITCH = re.compile(r"(?<!\S)/\w")  # in a system message, such as "/no_think"
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

    parts: list  # its text, and (index of a content, strip left?, strip right?), by turns
    gap: str  # the spaces between that and an answer
    header: str  # what it writes before every answer, such as gpt-oss's channel or an empty block of thinking
    is_open: bool  # whether it ends inside a block of thinking
    turn_end: int | None  # the control token after an answer


class Prompts:
    """A tokenizer with its chat template, and arguments of the template; `name` is the model's, for errors.

    A shape of conversations has the role of every turn. System messages belong to it, so that the template sees
    switches in them, such as "/no_think", but for those with what could become a control token.
    """

    switches = THINKING_OFF

    def __init__(self, tokenizer, name: str, template_kwargs: dict | None = None):
        given = template_kwargs or {}
        self.tokenizer, self.name = tokenizer, name
        self.template = getattr(tokenizer, "chat_template", None) or ""
        if isinstance(self.template, dict):
            self.template = self.template.get("default", "")
        self.added = tokenizer.get_added_vocab()
        self.added_pattern = re.compile("|".join(map(re.escape, sorted(self.added, key=len, reverse=True))) or "(?!)")
        self.control_ids = frozenset(self.added.values()) - {tokenizer.unk_token_id}
        known = _arguments(self.template)
        harmless = {k for k, off in THINKING_OFF.items() if given.get(k) == off}  # nothing to switch off
        if unknown := sorted(given.keys() - known - harmless):
            expected = f"arguments of the chat template of {name}: {', '.join(sorted(known))}"
            raise ValueError(f"chat_template_kwargs: found {short_repr(unknown)}, expected {expected}")
        switches = {k: v for k, v in self.switches.items() if k in known}
        self.template_kwargs = {"date_string": "26 Jul 2024", **switches, **given}
        self.markers = next((pair for pair in THINKING if pair[1] in self.template or pair[0] in self.template), None)
        self.rendered, self.answers = lru_cache(64)(self.rendered), lru_cache(64)(self.answers)

    def shape(self, conversation) -> tuple:
        """What conversations have in common for which the template is rendered once."""
        if isinstance(conversation, tuple):
            return conversation[::2]
        return tuple((turn["role"], self._fixed(**turn)) for turn in conversation)

    def ids(self, shape: tuple, conversations: list, most: float = inf) -> list[list[int]]:
        """The prompts of conversations of this shape, each of at most so many tokens.

        Raises:
            ItemError: one is longer, or has a text that cannot be kept apart from control tokens.
            ValueError: the template refuses such turns, or the model would think before it answers.
        """
        prompts = self._encode(self.rendered(shape).parts, [contents_of(each) for each in conversations])
        for i, prompt in enumerate(prompts):
            if len(prompt) > most:
                raise ItemError(i, f"found a prompt of {len(prompt)} tokens, expected at most {most} for {self.name}")
        return prompts

    def answers(self, shape: tuple, answers: tuple) -> tuple:
        """For each of two answers the token ids of its variants, as the assistant's turn after these.

        Raises:
            ValueError: one variant begins another in the model's tokens, so that their probabilities overlap.
        """
        parts, gap = self._before_answer(self.rendered(shape))
        contents = ["x"] * len(shape)
        turn = [*parts[:-1], parts[-1] + gap, (len(contents), False, False), ""]
        [prompt] = self._encode(parts, [contents])
        tokens = []
        for word in (word for variants in answers for word in variants):
            [ids] = self._encode(turn, [[*contents, word]])
            if ids[: len(prompt)] == prompt:
                ids = ids[len(prompt) :]
            else:  # some tokenizers cut two line breaks apart where a word follows; the prompt ends in both as one
                ids = self.plain_ids(word) if self.tokenizer.decode(prompt[-1:]).endswith("\n") else []
            if not ids:
                expected = f"one that {self.name} reads as tokens of its own after the prompt"
                raise ValueError(f"answers: found {word!r}, expected {expected}")
            for other, before in tokens:
                if before[: len(ids)] == ids[: len(before)]:
                    expected = f"answers of which none begins another in the tokens of {self.name}"
                    raise ValueError(f"answers: found {other!r} and {word!r}, expected {expected}")
            tokens.append((word, ids))
        ids = iter(ids for _, ids in tokens)
        return tuple([next(ids) for _ in variants] for variants in answers)

    # ---- Rendering ----

    def rendered(self, shape: tuple) -> Rendered:
        """The template rendered for a shape, with and without an answer."""
        if isinstance(shape[0], str):  # plain text
            parts = [(self.tokenizer.bos_token or "") + shape[0]]
            for i, text in enumerate(shape[1:]):
                parts += (i, False, False), text
            return Rendered(parts, "", "", False, None)
        text = self._apply(shape, add_generation_prompt=True)
        turn = self._apply((*shape, ("assistant", None)), add_generation_prompt=False)
        turn, _, end = turn.rpartition(f"{MARK}{len(shape)}{MARK}")
        turn, end = turn.removesuffix(SPACE), end.removeprefix(SPACE).lstrip()
        gap = turn[len(text) :] if turn.startswith(text) else ""
        header = gap.rstrip(" ")  # a space is a part of the next word's token
        start, stop = self.markers or ("\0", "")
        is_open = start in text and stop not in text.rpartition(start)[2]
        pieces = re.split(f"({SPACE}?){MARK}(\\d+){MARK}({SPACE}?)", text + self._header(text, header, is_open))
        parts = pieces[:1]
        for left, number, right, text in zip(*[iter(pieces[1:])] * 4):
            parts += (int(number), not left, not right), text
        turn_end = self.added.get(max(filter(end.startswith, self.added), key=len, default=""))
        return Rendered(parts, gap[len(header) :], header, is_open, turn_end)

    def _before_answer(self, rendered):
        return rendered.parts, rendered.gap

    def _header(self, text, header, is_open):
        """What follows the rendered text before an answer; ValueError where the model would think first."""
        switches = self.template_kwargs.keys() & THINKING_OFF.keys()
        is_off = switches and all(self.template_kwargs[name] == THINKING_OFF[name] for name in switches)
        if is_open or self.markers and not is_off and not text.rstrip().endswith(self.markers[1]):
            where = f"an open {self.markers[0]} block" if is_open else "thinking not switched off"
            raise ValueError(
                f"found {self.name}, a model that thinks before it answers, with {where}, where a score means nothing; "
                f"{THINK_HINT}, or, if it does not think, chat_template_kwargs={{'enable_thinking': False}}"
            )
        return header

    def _fixed(self, role, content):
        """A system message with a switch, which the template must read; None for contents that it must not."""
        if role != "system" or not SWITCH.search(content):
            return None
        unknown = self.tokenizer.unk_token
        hostile = MARK in content or unknown and unknown in content or self._control(self._ids(content))
        return None if hostile else content

    def _apply(self, shape, **options):
        """The chat template's text, with a numbered mark for every content that is not fixed."""
        from jinja2 import TemplateError

        if not self.template:
            raise ValueError(f"found {self.name}, which has no chat template, expected an instruct model or plain text")
        marks = {i: f"{MARK}{i}{MARK}" for i, (_, fixed) in enumerate(shape) if fixed is None}
        texts = [f"{SPACE}{marks[i]}{SPACE}" if i in marks else fixed for i, (_, fixed) in enumerate(shape)]
        options |= {"chat_template": FIXED_DATE + self.template, **self.template_kwargs}
        for form in (str, lambda text: [{"type": "text", "text": text}]):  # some templates want lists of parts
            turns = [{"role": role, "content": form(text)} for (role, _), text in zip(shape, texts)]
            try:
                text = self.tokenizer.apply_chat_template(turns, tokenize=False, **options)
            except (TemplateError, TypeError) as error:
                expected = f"turns that the chat template of {self.name} takes"
                raise ValueError(
                    f"found {', '.join(role for role, _ in shape)}, expected {expected}: {error}"
                ) from None
            left_out = [shape[i][0] for i, mark in marks.items() if mark not in text]
            if not left_out:
                return text
        raise ValueError(f"found a turn of the {left_out[0]}, which the chat template of {self.name} leaves out")

    # ---- Encoding ----

    def _encode(self, parts, contents):
        """Token ids of the template's parts with each list of contents filled in."""
        filled = [list(parts) for _ in contents]
        for pieces, texts in zip(filled, contents):
            for k in range(1, len(parts), 2):
                i, strip_left, strip_right = parts[k]
                text = texts[i].lstrip() if strip_left else texts[i]
                pieces[k] = text.rstrip() if strip_right else text
        own = self._control(self._ids("".join("x" if k % 2 else part for k, part in enumerate(parts))))
        encoded, unknown = self._ids(["".join(pieces) for pieces in filled]), self.tokenizer.unk_token
        for i, pieces in enumerate(filled):
            if self._control(encoded[i]) != own or unknown and any(unknown in text for text in pieces[1::2]):
                encoded[i] = self._encode_apart(pieces)
            if self._control(encoded[i]) != own:
                expected = f"one that {self.name} can tell from control tokens"
                raise ItemError(i, f"found the text {short_repr(pieces[1::2])}, expected {expected}")
        return encoded

    def _encode_apart(self, pieces):
        """Token ids of template and texts (by turns) where a text contains what would become a control token.

        The template's own control tokens are put in by number. A text's are cut after their first character: what is
        encoded is then only ever text.
        """
        ids, text = [], ""
        for i, piece in enumerate(pieces):
            end = 0
            for token in self.added_pattern.finditer(piece):
                text += piece[end : token.start()]
                if i % 2 == 0:
                    ids += [*self.plain_ids(text), self.added[token[0]]]
                else:
                    ids += self.plain_ids(text + token[0][0])
                text, end = "" if i % 2 == 0 else token[0][1:], token.end()
            text += piece[end:]
        return ids + self.plain_ids(text)

    def plain_ids(self, text: str) -> list[int]:
        """Token ids of a text in which nothing is a control token."""
        return self.tokenizer(text, add_special_tokens=False, split_special_tokens=True)["input_ids"]

    def _ids(self, text):
        return self.tokenizer(text, add_special_tokens=False)["input_ids"]

    def _control(self, ids):
        """The added tokens among these but the unknown one, which stands for any rare word and controls nothing."""
        return [token for token in ids if token in self.control_ids]


def contents_of(conversation) -> list[str]:
    """What a conversation says besides the prompt's own text."""
    return list(conversation[1::2]) if isinstance(conversation, tuple) else [turn["content"] for turn in conversation]


def _arguments(template: str) -> set[str]:
    """The names that a chat template takes from outside."""
    from jinja2 import Environment, meta

    plain = re.sub(r"\{%-?\s*(end)?generation\s*-?%\}", "", template)  # a tag of transformers' own
    own = {"messages", "add_generation_prompt", "bos_token", "eos_token", "raise_exception", "namespace"}
    return meta.find_undeclared_variables(Environment(extensions=["jinja2.ext.loopcontrols"]).parse(plain)) - own

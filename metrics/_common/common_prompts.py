"""From conversations to token ids: no text can become a control token, and an answer stands where the chat template
writes it. A model that would think where its answer is looked at is refused.
"""

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import combinations, count, islice
from typing import NamedTuple

from .common import Message, argument, input_error, short_repr
from .common_thinking import ThinkingTemplate
from .common_turns import MARK, PROBE, SPACE, fill

ENCODED_TOGETHER = 1024  # prompts


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

    A conversation is a list of {"role", "content"}, the user's last. The template is rendered a few times for each
    shape.
    """

    thinks = False  # whether the model is to think before it answers
    close = ""  # what is written between a prompt and an answer

    def __init__(self, tokenizer, name: str, template_kwargs: dict | None = None):
        self.tokenizer, self.name = tokenizer, name
        self.template = ThinkingTemplate(tokenizer, name, template_kwargs or {}, self.thinks)
        self.template_kwargs = self.template.template_kwargs
        self.added = tokenizer.get_added_vocab()
        longest_first = sorted(self.added, key=len, reverse=True)
        self.added_pattern = re.compile(f"({'|'.join(map(re.escape, longest_first)) or '(?!)'})")
        self.control_ids = frozenset(self.added.values()) - {tokenizer.unk_token_id}  # which stands for any rare word
        self._own_control = lru_cache(1024)(lambda template_text: self._control(self.template_ids(template_text)))
        for method in ("rendered", "answers"):
            setattr(self, method, lru_cache(1024)(getattr(self, method)))
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
            own = [ids or self.plain_ids(word) for word, ids in zip(words, own, strict=True)]
        if [] in own:
            expected = f"an answer that {self.name} reads as tokens of its own after the prompt"
            raise input_error(argument("answers"), repr(words[own.index([])]), expected)
        for (one, ids), (other, others) in combinations(zip(words, own, strict=True), 2):
            if ids[: len(others)] == others[: len(ids)]:
                expected = f"answers of which none begins another in the tokens of {self.name}"
                raise input_error(argument("answers"), f"{one!r} and {other!r}", expected)
        tokens = dict(zip(words, own, strict=True))
        return tuple([tokens[word] for word in variants] for variants in answers)

    def rendered(self, shape: tuple) -> Rendered:
        """The template rendered for a shape, with and without an answer."""
        turn = self.template.turn(shape, self.template_kwargs)
        if not self.thinks and (why := self.template.why_not(turn, self.template_kwargs)):
            found = f"found {self.name}, {why}, where a score means nothing; "
            raise ValueError(Message(found, self.template.ways(shape)))
        before = (turn.before_answer or turn.prompt)[len(turn.prompt) :]
        header = before.rstrip(" ")  # a space is a part of the next word's token
        parts = re.split(f"({SPACE}?){MARK}(\\d+){re.escape(PROBE)}{MARK}({SPACE}?)", turn.text + header)
        end = self.added_pattern.match(turn.end.removeprefix(SPACE).lstrip())
        return Rendered(parts, before[len(header) :], header, self.template.is_open(turn), end and self.added[end[0]])

    # ---- Encoding ----

    def _encode(self, prompts: Iterable):
        """Yield the token ids of prompts, each given as the template's text and the conversation's by turns."""
        prompts, indices, unknown = iter(prompts), count(), self.tokenizer.unk_token
        while some := list(islice(prompts, ENCODED_TOGETHER)):
            each = self.template_ids(["".join(pieces) for pieces in some])
            for pieces, ids, i in zip(some, each, indices, strict=False):  # which go on
                own = self._own_control("x".join(pieces[::2]))
                if self._control(ids) != own or unknown and any(unknown in text for text in pieces[1::2]):
                    ids = self._encode_apart(pieces)
                if self._control(ids) != own:
                    expected = f"a text that {self.name} can tell from control tokens"
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

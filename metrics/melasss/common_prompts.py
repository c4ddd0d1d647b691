# Copied from metrics/_common/common_prompts.py: edit there, then run make vendor.
"""From chat messages to token ids: a user's text can never become a control token, and an answer stands where the
chat template writes it. Thinking is off where the template can turn it off; where it cannot, that is said."""

import re
from functools import cached_property

from .common import short_repr

MARK = "\ue000"  # a private-use character, around the number of a field, stands for a text while a template is rendered
SPACE = "\u2003"  # beside the marks: a template that trims the contents takes it away, and would trim the text as well
FIELD = re.compile(r"\{(\w+)\}")
# A template may write today's date; the same question is to get the same score tomorrow.
FIXED_DATE = (
    "{%- macro strftime_now(format) -%}{{ {'%d %b %Y': '26 Jul 2024', '%d %B %Y': '26 July 2024'}"
    ".get(format, '2024-07-26') }}{%- endmacro %}\n"
)
THINKING_OFF = {"enable_thinking": False, "thinking": False, "thinking_budget": 0}  # what templates call the switch
THINKING_ON = {"enable_thinking": True, "thinking": True}
THINKING = (  # how a model's thinking begins and ends
    ("<think>", "</think>"),
    ("[THINK]", "[/THINK]"),
    ("<seed:think>", "</seed:think>"),
    ("<|channel>thought", "<channel|>"),
    ("<|channel|>analysis", "<|end|><|start|>assistant<|channel|>final<|message|>"),
)


class ItemError(ValueError):
    """What is wrong with one of several items; `index` is its place among them."""

    def __init__(self, index: int, message: str):
        super().__init__(message)
        self.index = index


def fill(content: str, values: dict) -> str:
    """A message's content with its fields filled in, in one pass: braces in a text stay text."""
    return FIELD.sub(lambda match: values[match[1]], content)


def _arguments(template: str) -> set[str]:
    """The names that a chat template takes from outside."""
    from jinja2 import Environment, meta

    plain = re.sub(r"\{%-?\s*(end)?generation\s*-?%\}", "", template)  # a tag of transformers' own
    given = {"messages", "add_generation_prompt", "bos_token", "eos_token", "raise_exception", "namespace"}
    return meta.find_undeclared_variables(Environment(extensions=["jinja2.ext.loopcontrols"]).parse(plain)) - given


class Prompts:
    """A tokenizer with its chat template.

    Messages are a list of {"role", "content"} whose contents may have fields in braces, such as "{source}"; or one
    string with fields, for models without a chat template, behind which the answer follows.

    Args:
        tokenizer: of transformers.
        name: of the model, for errors.
        template_kwargs: arguments of the chat template.
        think: whether the model is given room to think before it answers.
    """

    def __init__(self, tokenizer, name: str, template_kwargs: dict, think: bool):
        self.tokenizer = tokenizer
        self.name = name
        self.think = think
        self.template = getattr(tokenizer, "chat_template", None) or ""
        if isinstance(self.template, dict):
            self.template = self.template.get("default", "")
        self.added = tokenizer.get_added_vocab()
        known = _arguments(self.template)
        harmless = {k for k, off in THINKING_OFF.items() if template_kwargs.get(k) == off}  # nothing to turn off
        unknown = template_kwargs.keys() - known - harmless
        if unknown:
            raise ValueError(
                f"chat_template_kwargs: found {short_repr(sorted(unknown))}, expected arguments of the chat template of "
                f"{name}: {', '.join(sorted(known))}"
            )
        switches = {k: v for k, v in (THINKING_ON if think else THINKING_OFF).items() if k in known}
        self.template_kwargs = {"date_string": "26 Jul 2024", **switches, **template_kwargs}
        self.markers = next((pair for pair in THINKING if pair[1] in self.template or pair[0] in self.template), None)
        self.is_open = False  # whether the last prompt ended inside a thinking block
        self.header = ""  # what the template wrote behind the last prompt, before an answer
        if think and self.markers is None:
            raise ValueError(f"think: found {name}, whose chat template has no thinking, expected 0")

    @cached_property
    def turn_end(self) -> int | None:
        """The control token that the template writes behind an answer, if it begins with one there."""
        if not self.template:
            return None
        chat = [{"role": "user", "content": "x"}, {"role": "assistant", "content": "{_answer}"}]
        try:
            turn, _ = self._render(chat, add_generation_prompt=False)
        except ValueError:  # a template of other turns
            return None
        behind = turn.rpartition(MARK)[2].lstrip()
        return self.added.get(max(filter(behind.startswith, self.added), key=len, default=""))

    @property
    def close(self) -> str:
        """What is written behind the model's thinking, before its answer."""
        end = self.markers[1]
        return f"{end}\n\n" if end.startswith("</") else end

    def ids(self, messages, fields: list) -> list[list[int]]:
        """Prompts for the model's next turn, one for each dict of fields.

        The control tokens of a prompt are those of the template, whatever the texts contain.

        Raises:
            ItemError: a text cannot be kept apart from them.
            ValueError: the model would think before it answers.
        """
        rendered, texts, _ = self._begin(messages)
        return self._fill(rendered, texts, fields)

    def answers(self, messages, answers: tuple) -> tuple[list, list]:
        """For each of two answers the token ids of its variants, as the assistant's turn after the messages.

        Raises:
            ValueError: one variant begins another in the model's tokens, so that their probabilities overlap.
        """
        rendered, texts, gap = self._begin(messages)
        if self.think:
            rendered, gap = rendered + self.close, ""
        filler = {name: "x" for name, *_ in texts}
        [prompt] = self._fill(rendered, texts, [filler])
        rendered += f"{gap}{MARK}{len(texts)}{MARK}"
        texts = [*texts, ("_answer", False, False)]
        found = []
        for variants in answers:
            found.append([])
            for variant in variants:
                [ids] = self._fill(rendered, texts, [filler | {"_answer": variant}])
                own = ids[len(prompt) :] if ids[: len(prompt)] == prompt else self._behind_a_break(prompt, variant)
                if not own:
                    raise ValueError(
                        f"answers: found {variant!r}, which {self.name} does not read as tokens of its own behind the "
                        "prompt; expected one that it does"
                    )
                found[-1].append(own)
        self._check_apart(answers, found)
        return tuple(found)

    def _behind_a_break(self, prompt, variant):
        """Token ids of an answer behind a prompt that ends in a line break; none behind another.

        Some tokenizers cut two line breaks apart where a word follows them. The prompt ends in both as one, and the
        model says the word next.
        """
        return self.plain_ids(variant) if self.tokenizer.decode(prompt[-1:]).endswith("\n") else []

    def control_words(self, messages) -> list[str]:
        """Words that the chat template writes as plain text, such as Mistral v0.2's "[INST]".

        A user's text that contains one looks to the model like part of the template; no encoding can prevent it.
        """
        if isinstance(messages, str):
            return []
        rendered, _ = self._render([{**message, "content": f"{MARK}{MARK}"} for message in messages])
        for token in sorted(self.added, key=len, reverse=True):
            rendered = rendered.replace(token, " ")
        words = set(rendered.replace(MARK, " ").split())
        return sorted(word for word in words if re.search(r"[<>\[\]|\x23]", word))

    # ---- Thinking ----

    def _check_thinking(self, rendered):
        if self.markers is None:
            return
        start, end = self.markers
        self.is_open = start in rendered and end not in rendered.rpartition(start)[2]
        if self.think:
            return
        way_out = "; pass think=1024 to let it think first"
        if self.is_open:
            raise ValueError(
                f"found a prompt that ends inside an open {start} block, where a score of {self.name} means nothing"
                + way_out
            )
        given = self.template_kwargs.keys() & THINKING_OFF.keys()
        switched_off = given and all(self.template_kwargs[name] == THINKING_OFF[name] for name in given)
        if not switched_off and not rendered.rstrip().endswith(end):
            raise ValueError(
                f"found the chat template of {self.name}, a model that thinks before it answers, with thinking not "
                f"switched off{way_out}, or, if it does not think, chat_template_kwargs={{'enable_thinking': False}}"
            )

    # ---- Rendering ----

    def _begin(self, messages):
        """The rendered prompt for the next turn, the fields in it, and the spaces between it and an answer.

        A header that the template writes before every answer, such as gpt-oss's channel or an empty block of thinking,
        is part of the prompt, unless the model thinks before it.
        """
        rendered, texts = self._render(messages)
        self._check_thinking(rendered)
        gap = self._gap(messages, rendered)
        self.header = gap.rstrip(" ")  # a space is a part of the next word's token
        if self.think:
            return rendered, texts, gap
        return rendered + self.header, texts, gap[len(self.header) :]

    def _render(self, messages, add_generation_prompt=True):
        """The chat as a string with numbered marks for fields, and the fields: (name, strip left, strip right)."""
        from jinja2 import TemplateError

        names = []

        def mark(match):
            names.append(match[1])
            return f"{SPACE}{MARK}{len(names) - 1}{MARK}{SPACE}"

        if isinstance(messages, str):
            rendered = (self.tokenizer.bos_token or "") + FIELD.sub(mark, messages)
        elif not self.template:
            raise ValueError(
                f"found {self.name}, which has no chat template, expected an instruct model, or a template that is one "
                "string of plain text with the fields in it"
            )
        else:
            marked = [{**message, "content": FIELD.sub(mark, message["content"])} for message in messages]
            try:
                rendered = self._apply(marked, add_generation_prompt)
                if any(f"{MARK}{i}{MARK}" not in rendered for i in range(len(names))):  # it may want lists of parts
                    parts = [{**m, "content": [{"type": "text", "text": m["content"]}]} for m in marked]
                    rendered = self._apply(parts, add_generation_prompt)
            except (TemplateError, TypeError) as error:
                raise ValueError(
                    f"found messages that the chat template of {self.name} refuses, expected others: {error}"
                ) from None
            left_out = [name for i, name in enumerate(names) if f"{MARK}{i}{MARK}" not in rendered]
            if left_out:
                raise ValueError(
                    f"found {{{left_out[0]}}} in a message that the chat template of {self.name} leaves out, expected "
                    "other messages"
                )
        strips = {}

        def strip(match):
            strips[int(match[2])] = not match[1], not match[3]
            return f"{MARK}{match[2]}{MARK}"

        rendered = re.sub(f"({SPACE}?){MARK}(\\d+){MARK}({SPACE}?)", strip, rendered)
        return rendered, [(name, *strips.get(i, (False, False))) for i, name in enumerate(names)]

    def _apply(self, messages, add_generation_prompt):
        return self.tokenizer.apply_chat_template(
            messages,
            tokenize=False,
            add_generation_prompt=add_generation_prompt,
            chat_template=FIXED_DATE + self.template,
            **self.template_kwargs,
        )

    def _gap(self, messages, rendered):
        """What the template writes between the prompt for the next turn and the answer in it: to the last space."""
        if isinstance(messages, str):
            return ""
        turn, _ = self._render([*messages, {"role": "assistant", "content": "{_answer}"}], add_generation_prompt=False)
        turn = turn[: max(turn.rfind(MARK, 0, turn.rfind(MARK)), 0)]
        return turn[len(rendered) :] if turn.startswith(rendered) else ""

    # ---- Encoding ----

    def _fill(self, rendered, texts, fields):
        """Token ids of the rendered chat with each dict of fields filled in."""
        if not fields:
            return []
        parts = re.split(f"{MARK}(\\d+){MARK}", rendered)
        filled = []
        for values in fields:
            pieces = list(parts)
            for i in range(1, len(parts), 2):
                name, left, right = texts[int(parts[i])]
                text = values[name]
                text = text.lstrip() if left else text
                pieces[i] = text.rstrip() if right else text
            filled.append(pieces)
        encoded = self.tokenizer(["".join(pieces) for pieces in filled], add_special_tokens=False)["input_ids"]
        unknown = self.tokenizer.unk_token_id  # stands for any word the tokenizer lacks, and controls nothing
        added = set(self.added.values()) - {unknown}

        def control(ids):
            return [token for token in ids if token in added]

        harmless = "".join("x" if i % 2 else part for i, part in enumerate(parts))
        own = control(self.tokenizer(harmless, add_special_tokens=False)["input_ids"])
        for i, pieces in enumerate(filled):
            spelled_out = unknown is not None and any(self.tokenizer.unk_token in text for text in pieces[1::2])
            if spelled_out or control(encoded[i]) != own:
                encoded[i] = self._encode_apart(pieces)
            if control(encoded[i]) != own:
                raise ItemError(
                    i, f"found a text that {self.name} cannot tell from control tokens, expected one without them"
                )
        return encoded

    def _encode_apart(self, pieces):
        """Token ids of template and texts (by turns) where a text contains what would become a control token.

        The template's own control tokens are put in by number. A text's are cut behind their first character: what is
        encoded is then only ever text.
        """
        split = re.compile("(" + "|".join(map(re.escape, sorted(self.added, key=len, reverse=True))) + ")")
        ids, text = [], ""
        for i, piece in enumerate(pieces):
            for j, part in enumerate(split.split(piece)):
                if j % 2 == 0:
                    text += part
                elif i % 2 == 0:
                    ids += [*self.plain_ids(text), self.added[part]]
                    text = ""
                else:
                    ids += self.plain_ids(text + part[0])
                    text = part[1:]
        return ids + self.plain_ids(text)

    def plain_ids(self, text: str) -> list[int]:
        """Token ids of a text in which nothing is a control token."""
        return self.tokenizer(text, add_special_tokens=False, split_special_tokens=True)["input_ids"]

    def _check_apart(self, answers, found):
        """Refuse variants one of which begins another: their probabilities could not be added or compared."""
        named = [pair for variants, tokens in zip(answers, found) for pair in zip(variants, tokens)]
        for i, (a, first) in enumerate(named):
            for j, (b, second) in enumerate(named):
                if i != j and second[: len(first)] == first:
                    raise ValueError(
                        f"answers: found {short_repr(a)} and {short_repr(b)}, one of which begins the other in the tokens of "
                        f"{self.name}; expected answers that differ before one ends"
                    )

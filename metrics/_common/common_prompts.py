"""From conversations to token ids: no text can become a control token, and an answer stands where the chat template
writes it. How a model thinks and how that is switched off is told by what its template writes, with and without an
answer and thoughts; a model that would think where its answer is looked at is refused.
"""

import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import cached_property, lru_cache
from itertools import chain, combinations, count, islice, product
from os.path import commonprefix
from typing import NamedTuple

from .common import argument, input_error, short_repr

MARK = "\ue000"  # a private-use character; around a number it stands for a content while the template is rendered
PROBE = """Aa"'&<\\"""  # beside the number: a template that writes contents in another way changes it
SPACE = "\u2003"  # beside the marks: a template that trims contents takes it away, and would trim the text as well
THOUGHT = f"{MARK}thought{MARK}"  # stands for a model's thinking
ENCODED_TOGETHER = 1024  # prompts
# A template may write today's date; the same question is to get the same score tomorrow.
FIXED_DATE = (
    "{%- macro strftime_now(format) -%}{{ {'%d %b %Y': '26 Jul 2024', '%d %B %Y': '26 July 2024'}"
    ".get(format, '2024-07-26') }}{%- endmacro %}\n"
)
SWITCH = re.compile(r"(enable_)?(thinking|reasoning)(_\w+)?")  # arguments of templates, and what says off in them
OFF = (False, 0, "none", "off", "disabled")
THOUGHT_FIELDS = ("reasoning_content", "reasoning", "thinking")
TAG = re.compile(r"[<\[◁]\|?(/|END_|end_)?[^\s<>\[\]]*?(?i:think|thought|reason)(?i:ing|s)?\|?[>\]▷]")  # of thinking
THINKING = (  # how a text of a well-known model begins and ends to think, where nothing else tells
    ("<think>", "</think>"),
    ("[THINK]", "[/THINK]"),
    ("<seed:think>", "</seed:think>"),
    ("<mm:think>", "</mm:think>"),
    ("<|START_THINKING|>", "<|END_THINKING|>"),
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


class Prompts:
    """A tokenizer with its chat template, and arguments of the template; `name` is the model's, for errors.

    A conversation is a list of {"role", "content"}, the user's last. The template is rendered a few times for each
    shape.
    """

    thinks = False  # whether the model is to think before it answers
    close = ""  # what is written between a prompt and an answer

    def __init__(self, tokenizer, name: str, template_kwargs: dict | None = None):
        self.tokenizer, self.name = tokenizer, name
        template = getattr(tokenizer, "chat_template", None) or ""
        if isinstance(template, dict):  # several by name
            template = template.get("default") or next(iter(template.values()), "")
        self.template, self.arguments = template, arguments_of(template)
        self.added = tokenizer.get_added_vocab()
        longest_first = sorted(self.added, key=len, reverse=True)
        self.added_pattern = re.compile(f"({'|'.join(map(re.escape, longest_first)) or '(?!)'})")
        self.control_ids = frozenset(self.added.values()) - {tokenizer.unk_token_id}  # which stands for any rare word
        given = {"date_string": "26 Jul 2024", **(template_kwargs or {})}
        self.end_tags = list(dict.fromkeys(tag[0] for tag in TAG.finditer(template) if tag[1]))
        self.ends: list[str] = []
        self.off: dict = {}
        self.on: dict = {}
        self.block = ""
        if template:
            self._read_template(given)
        self.template_kwargs = {**(self.on if self.thinks else self.off), **given}
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

    # ---- What the template writes ----

    def rendered(self, shape: tuple) -> Rendered:
        """The template rendered for a shape, with and without an answer."""
        turn = self._turn(shape, self.template_kwargs)
        if not self.thinks and (why := self._why_not(turn, self.template_kwargs)):
            raise ValueError(f"found {self.name}, {why}, where a score means nothing; {self._ways(shape)}")
        before = (turn.before_answer or turn.prompt)[len(turn.prompt) :]
        header = before.rstrip(" ")  # a space is a part of the next word's token
        parts = re.split(f"({SPACE}?){MARK}(\\d+){re.escape(PROBE)}{MARK}({SPACE}?)", turn.text + header)
        end = self.added_pattern.match(turn.end.removeprefix(SPACE).lstrip())
        return Rendered(parts, before[len(header) :], header, self._is_open(turn), end and self.added[end[0]])

    def _turn(self, shape, template_kwargs) -> Turn:
        """What the template writes after a conversation; ValueError where it refuses its turns."""
        answer, user = mark(len(shape)), mark(len(shape) - 1)
        content, prompt = f"{SPACE}{answer}{SPACE}", self._apply(shape, template_kwargs)
        answered, _, end = self._apply(shape, template_kwargs, {"content": content}).rpartition(answer)
        parts = [{"type": "thinking", "thinking": THOUGHT}, {"type": "text", "text": content}]
        fields = [{field: THOUGHT, "content": content} for field in THOUGHT_FIELDS if field in self.template]
        opening, closing = None, ""
        for turn in [*fields, *([{"content": parts}] if re.search("[\"']thinking[\"']", self.template) else [])]:
            with suppress(ValueError):
                thinking = self._apply(shape, template_kwargs, turn).rpartition(user)[2]
                before, is_shown, after = thinking.partition(THOUGHT)
                if is_shown and opening is None and "type" not in before:  # which would be a list, written as it is
                    opening, closing = before, after.partition(answer)[0]
        n = answered.count(user)  # a prompt may say the user's text once more, which no turn does
        before, answered = (text.removesuffix(SPACE).split(user, n)[-1] for text in (prompt, answered))
        return Turn(prompt, before, answered, opening, closing.removesuffix(SPACE), end, self._skips(self.block))

    def _read_template(self, given):
        """Find what ends thoughts, and which arguments turn thinking off and on."""
        if (usual := self.tried(given)) is None:
            return
        self.ends = [tag for tag in self.end_tags if tag in usual.text or self._drops(tag, given)]
        refused = self._why_not(usual, given)
        for name, values in switches_of(self.template).items():
            turns = {value: turn for value in values if (turn := self.tried({**given, name: value}))}
            for (off, turn), (on, other) in product(turns.items(), [*turns.items(), (None, usual)]):
                block = turn.prompt[len(other.prompt) :] if turn.prompt.startswith(other.prompt) else ""
                is_word, is_block = turns_off({name: off}), any(tag in block for tag in self.end_tags)
                is_printed = isinstance(off, bool) and turn.text.count(str(off)) > other.text.count(str(off))
                if turn.text == other.text or is_printed or not (refused or is_word or is_block):
                    continue
                block = block if is_word or is_block else ""
                if not self._why_not(turn._replace(skips=self._skips(block)), {**given, name: off}):
                    self.off, self.on, self.block = {name: off}, {} if usual.text != turn.text else {name: on}, block
                    return

    def tried(self, template_kwargs: dict) -> Turn | None:
        """The turn after a user's under these arguments; None where the template refuses it."""
        with suppress(ValueError):
            return self._turn((("user", None),), template_kwargs)
        return None

    def _skips(self, block):
        """What a prompt may end in that skips thinking: this block, or a tag that looks like its end."""
        return tuple(text for text in (block.rstrip(), *self.end_tags) if text)

    @cached_property
    def thinking(self) -> tuple[str, str, str] | None:
        """How thinking begins and ends, and what follows it up to the answer; None if the template shows none.

        From a turn with thoughts, under any arguments; from the block with which the template skips them; from a tag.
        """
        each = [{}, *({name: value} for name, values in switches_of(self.template).items() for value in values)]
        turns = [turn for arguments in each if (turn := self.tried(self.template_kwargs | arguments))]
        for turn in turns:
            if turn.opening is not None:
                start = turn.opening.removeprefix(turn.prompt) if turn.opening.startswith(turn.prompt) else ""
                *_, start = start.strip(), *(tag[0] for tag in TAG.finditer(turn.opening) if not start.strip())
                after = turn.answered.removeprefix(turn.header)
                return start, (turn.closing.removesuffix(after) or turn.closing).strip(), turn.closing
        if turns and self.block.strip():
            end = re.split(r"(?=[<\[◁])", self.block)[-1]
            after = turns[0].answered.removeprefix(turns[0].header)
            return self.block.removesuffix(end).strip(), end.strip(), end + after
        for tag in self.ends or self.end_tags:
            return opener(tag), tag, f"{tag}\n\n"  # as most models write it
        return None

    def _drops(self, tag, template_kwargs) -> bool:
        """Whether the template leaves out what stands before a tag in an answer of the past."""
        shape = ("user", None), ("assistant", f"{THOUGHT}{tag}yes"), ("user", None)
        with suppress(ValueError):
            return THOUGHT not in self._apply(shape, template_kwargs, {"content": "no"})
        return False

    def _is_open(self, turn) -> bool:
        """Whether the prompt ends inside a block of thinking, or in something else that no answer follows."""
        if turn.before_answer is None:
            return True
        if turn.opening is not None:
            return turn.thought is not None and not turn.closed
        return any(opener(tag) in turn.prompt and tag not in turn.prompt for tag in self.ends)

    def _why_not(self, turn, template_kwargs) -> str:
        """Why no answer is to be looked at after this prompt; "" if it is."""
        if self._is_open(turn):
            own = turn.prompt.removeprefix(turn.header).strip() or turn.prompt.strip().rpartition("\n")[2]
            *_, beginning = own, *(tag[0] for tag in TAG.finditer(turn.prompt))
            if turn.opening is not None or self.end_tags:
                return f"a model that thinks before it answers, with an open {beginning} block"
            return f"whose prompt for an answer ends in {beginning!r}, as no answer of its chat template begins"
        if turn.opening is not None:
            may_think = turn.opening.startswith(turn.prompt)
        else:
            is_known = self.block or self.ends or any(map(SWITCH.fullmatch, template_kwargs))
            may_think = is_known and not any(end in turn.prompt + turn.answered for end in turn.skips)
        is_left_on = may_think and not turns_off(template_kwargs)
        return "a model that thinks before it answers, with thinking not switched off" if is_left_on else ""

    def _ways(self, shape) -> str:
        """What can be done about it: what has been tried on the template, for a message."""
        ways = [THINK_HINT] if self.thinking else []
        for switch in (self.off, {"enable_thinking": False}):
            arguments = self.template_kwargs | switch
            if switch and not self._why_not(self._turn(shape, arguments), arguments):
                unless = "" if switch.keys() <= self.arguments else "if it does not think, "
                ways.append(f"{unless}chat_template_kwargs={switch}")
                break
        own = "with a chat template whose answered turns begin with its prompt for an answer"
        return ", or, ".join(ways) or f"pass model= and tokenizer=, {own}"

    def _apply(self, shape, template_kwargs, answer=None):
        """The chat template's text, with a numbered mark for every content that it does not read.

        answer: the assistant's turn, with the next mark in its content; else the text ends where one is to begin.
        """
        from jinja2 import TemplateError

        if not self.template:
            raise input_error("", f"{self.name}, which has no chat template", "an instruct model or plain text")
        roles, marks = [role for role, _ in shape], [mark(i) for i in range(len(shape))]
        texts = [f"{SPACE}{own}{SPACE}" if text is None else text for own, (_, text) in zip(marks, shape, strict=True)]
        turns = [{"role": role, "content": text} for role, text in zip(roles, texts, strict=True)]
        turns += [] if answer is None else [{"role": "assistant", **answer}]
        template = FIXED_DATE + self.template
        usual = {"tokenize": False, "chat_template": template, "add_generation_prompt": answer is None}
        lists, problem = {name: [] for name in ("tools", "documents") if name in self.arguments}, ""
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


def opener(tag: str) -> str:
    """The tag that begins what a tag ends."""
    return tag.replace("/", "").replace("END_", "START_").replace("end_", "start_")


def turns_off(template_kwargs: dict) -> bool:
    """Whether arguments of a template say in words that the model is not to think."""
    return any(SWITCH.fullmatch(name) and value in OFF for name, value in template_kwargs.items())


def arguments_of(template: str) -> set[str]:
    """The names that a chat template takes from outside."""
    from jinja2 import meta

    own = {"messages", "add_generation_prompt", "bos_token", "eos_token", "raise_exception", "namespace"}
    return meta.find_undeclared_variables(parsed(template)) - own


def switches_of(template: str) -> dict[str, list]:
    """The arguments whose names speak of thinking, each with values to try, what says off first.

    These are what the template compares the argument with, or what it makes of it; or False and True, whose arguments
    come first: an effort may be low without thinking being off.
    """
    from jinja2 import nodes

    switches, tree = {}, parsed(template)
    for name in sorted(name for name in arguments_of(template) if re.search("think|reason", name)):
        made = [node.target for node in tree.find_all(nodes.Assign) if name in names_in(node.node)]
        names = {name, *(target.name for target in made if isinstance(target, nodes.Name))}
        comparisons = [node for node in tree.find_all(nodes.Compare) if names & names_in(node)]
        constants = [constant.value for node in comparisons for constant in node.find_all(nodes.Const)]
        each = chain.from_iterable(value if isinstance(value, (list, tuple)) else [value] for value in constants)
        values = dict.fromkeys(value for value in each if type(value) in (str, int))
        switches[name] = sorted(values or (False, True), key=lambda value: value not in OFF)
    return dict(sorted(switches.items(), key=lambda switch: False not in switch[1]))


def names_in(node) -> set[str]:
    """The variables in a part of a parsed template."""
    from jinja2 import nodes

    return {name.name for name in node.find_all(nodes.Name)}


@lru_cache(64)
def parsed(template: str):
    """A chat template as a tree."""
    from jinja2 import Environment

    plain = re.sub(r"\{%-?\s*(end)?generation\s*-?%\}", "", template)  # a tag of transformers' own
    return Environment(extensions=["jinja2.ext.loopcontrols"]).parse(plain)

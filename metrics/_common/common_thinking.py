"""How a model thinks and how that is switched off, told by what its chat template writes with and without thoughts."""

import re
from contextlib import suppress
from functools import cached_property
from itertools import chain, product

from .common import Message, Term
from .common_turns import THOUGHT, ChatTemplate, Turn, arguments_of, parsed

SWITCH = re.compile(r"(enable_)?(thinking|reasoning)(_\w+)?")  # arguments of templates, and what says off in them
OFF = (False, 0, "none", "off", "disabled")
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
THINK = Term("think=1024 to parapluie, or judge=parapluie.judge(think=1024) to another metric,", "think", value="1024")
THINK_HINT = Message("pass ", THINK, " to let it think")


class ThinkingTemplate(ChatTemplate):
    """A chat template and its `template_kwargs`: those given, and what turns thinking off, or on if it `thinks`."""

    def __init__(self, tokenizer, name: str, given: dict, thinks: bool):
        super().__init__(tokenizer, name)
        given = {"date_string": "26 Jul 2024", **given}
        self.switches = switches_of(self.text)
        self.end_tags = list(dict.fromkeys(tag[0] for tag in TAG.finditer(self.text) if tag[1]))
        self.ends: list[str] = []
        self.off: dict = {}
        self.on: dict = {}
        self.block = ""
        self._read_switches(given)
        self.template_kwargs = {**(self.on if thinks else self.off), **given}

    def turn(self, shape: tuple, template_kwargs: dict) -> Turn:
        """As of `ChatTemplate`."""
        return super().turn(shape, template_kwargs)._replace(skips=self._skips(self.block))

    def tried(self, template_kwargs: dict) -> Turn | None:
        """The turn after a user's under these arguments; None where the template refuses it."""
        with suppress(ValueError):
            return self.turn((("user", None),), template_kwargs)
        return None

    def _read_switches(self, given):
        """Find what ends thoughts, and which arguments turn thinking off and on."""
        if (usual := self.tried(given)) is None:
            return
        self.ends = [tag for tag in self.end_tags if tag in usual.text or self._drops(tag, given)]
        refused = self.why_not(usual, given)
        for name, values in self.switches.items():
            turns = {value: turn for value in values if (turn := self.tried({**given, name: value}))}
            for (off, turn), (on, other) in product(turns.items(), [*turns.items(), (None, usual)]):
                block = turn.prompt[len(other.prompt) :] if turn.prompt.startswith(other.prompt) else ""
                is_word, is_block = turns_off({name: off}), any(tag in block for tag in self.end_tags)
                is_printed = isinstance(off, bool) and turn.text.count(str(off)) > other.text.count(str(off))
                if turn.text == other.text or is_printed or not (refused or is_word or is_block):
                    continue
                block = block if is_word or is_block else ""
                if not self.why_not(turn._replace(skips=self._skips(block)), {**given, name: off}):
                    self.off, self.on, self.block = {name: off}, {} if usual.text != turn.text else {name: on}, block
                    return

    def _skips(self, block):
        """What a prompt may end in that skips thinking: this block, or a tag that looks like its end."""
        return tuple(text for text in (block.rstrip(), *self.end_tags) if text)

    @cached_property
    def thinking(self) -> tuple[str, str, str] | None:
        """How thinking begins and ends, and what follows it up to the answer; None if the template shows none.

        From a turn with thoughts, under any arguments; from the block with which the template skips them; from a tag.
        """
        each = [{}, *({name: value} for name, values in self.switches.items() for value in values)]
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
            return THOUGHT not in self.apply(shape, template_kwargs, {"content": "no"})
        return False

    def is_open(self, turn: Turn) -> bool:
        """Whether the prompt ends inside a block of thinking, or in something else that no answer follows."""
        if turn.before_answer is None:
            return True
        if turn.opening is not None:
            return turn.thought is not None and not turn.closed
        return any(opener(tag) in turn.prompt and tag not in turn.prompt for tag in self.ends)

    def why_not(self, turn: Turn, template_kwargs: dict) -> str:
        """Why no answer is to be looked at after this prompt; "" if it is."""
        if self.is_open(turn):
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

    def ways(self, shape: tuple) -> Message:
        """What can be done about it: what has been tried on the template, for a message."""
        ways: list[str] = [THINK_HINT] if self.thinking else []
        for switch in (self.off, {"enable_thinking": False}):
            arguments = self.template_kwargs | switch
            if switch and not self.why_not(self.turn(shape, arguments), arguments):
                unless = "" if switch.keys() <= self.arguments else "if it does not think, "
                ways.append(Message(", or, " if ways else "", f"{unless}chat_template_kwargs={switch}"))
                break
        own = "with a chat template whose answered turns begin with its prompt for an answer"
        return Message(*ways or [f"pass model= and tokenizer=, {own}"])


def opener(tag: str) -> str:
    """The tag that begins what a tag ends."""
    return tag.replace("/", "").replace("END_", "START_").replace("end_", "start_")


def turns_off(template_kwargs: dict) -> bool:
    """Whether arguments of a template say in words that the model is not to think."""
    return any(SWITCH.fullmatch(name) and value in OFF for name, value in template_kwargs.items())


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

"""The zero-shot response: a chat model links mentions by yes/no questions (a baseline in the sense of section 5.1).

The mentions are taken in text order. Each is compared with every entity found so far and joins the one that the model
is most sure about, or opens a new one: n mentions of m entities make at most n * m questions. All of them begin with
the text, which `common_llm` therefore computes once.
"""

from collections import Counter
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from importlib.util import find_spec
from itertools import accumulate

from .common import a_number, check_text, keyword_options, option, progress, short_repr
from .common_chat import (
    YES_OR_NO,
    Chat,
    ChatOptions,
    check_messages,
    fitting_prompts,
    locate_errors,
    longest,
    two_answers,
)
from .check_input import mention_kind, plain

# {text} has all mentions in it as "[1: Ann] met [2: [3: her] sister]", numbered in text order, so that two mentions of
# the same words can be told apart; {mention} is one of them as it stands there, {entity} one or more.
FIELDS = ("text", "mention", "entity")
TEMPLATE = (
    {
        "role": "user",
        "content": "In the following text, brackets with a number mark the expressions that refer to somebody or "
        "something.\n\nText:\n{text}\n\nDoes {mention} refer to the same person, thing or event as {entity}? "
        'Answer with only one word "yes" or "no".',
    },
)
NEEDED = ("torch", "transformers", "accelerate")


def a_template(messages) -> list:
    """Check of an option: chat messages with all the fields and no others."""
    fields = set(check_messages(messages))
    if fields != set(FIELDS):
        raise ValueError(f"found the fields {sorted(fields)}, expected {', '.join(FIELDS)}")
    return list(messages)


@dataclass(frozen=True, kw_only=True)
class LinkOptions(ChatOptions):
    """Options of `link_mentions`; those of `ChatOptions` say which model."""

    template: list = option(TEMPLATE, a_template)
    answers: tuple = option(YES_OR_NO, two_answers)
    threshold: float = option(0.0, a_number)


@keyword_options
def link_mentions(text, mentions: list, options: LinkOptions) -> list:
    """A baseline's response to one document: a chat model says which mentions belong together.

    Each mention, in text order, joins the earlier entity for which log p(yes) - log p(no) is highest, if that is
    above the threshold, or else opens a new entity.

    Args:
        text: the document, a list of words or a string.
        mentions: its mentions, [start, end] pairs in any order: numbers of words from 0, the end inclusive (as
            `read_conll` gives them); or, where the text is a string, characters, the end exclusive.
        template: chat messages with {text} (all mentions in numbered brackets), {mention} (the one at hand) and
            {entity} (the mentions of an earlier entity) in them; what is the same for all questions comes first.
        answers: the two words whose likelihoods are compared, or tuples of variants whose probabilities are added.
        threshold: in nats; a higher one gives smaller clusters.
        model_id: a chat model on the Hub or in a folder.
        model, tokenizer: live objects instead of model_id.
        revision, dtype, device: how to load model_id; "auto" is the checkpoint's own dtype, and GPUs where there
            are any.
        batch_size: questions in one forward pass (requests at once, for an endpoint), or "auto".
        resume: path of a file that keeps every result as it is made; an interrupted run goes on from it.
        chat_template_kwargs, think, scorer: as for parapluie: arguments of the chat template, tokens to think before an
            answer, an object to ask instead of a model (see `common_served`).
        distributed: True under "accelerate launch": the processes share the questions about a mention.
        endpoint: address of a served model (OpenAI-compatible chat protocol), asked for model_id.

    Returns:
        The clusters, lists of [start, end], by their first mentions: a response in the form that `compute` takes.

    Raises:
        ValueError: a mention outside the text, empty, or repeated; options of the wrong type; a text too long for
            the model.
        ImportError: torch, transformers or accelerate is not installed.
    """
    text, mentions, spans = locate(text, mentions)
    if len(mentions) < 2:
        return [[mention] for mention in mentions]
    with closing(open_chat(options)) as chat:
        judge = Judge(chat, options.template, options.answers, text, spans)
        entities = link(len(mentions), judge, options.threshold)
    return [[mentions[i] for i in entity] for entity in entities]


# ---- Text and mentions ----


def locate(text, mentions) -> tuple:
    """The text as a string, its mentions in text order, and their places in the string.

    Args:
        text: a string, or a list of words, which are joined by spaces.
        mentions: [start, end] pairs, in any order. For a string, characters, the end exclusive (as Python slices); for
            words, their numbers from 0, the end inclusive (as the readers give them).

    Returns:
        (string, mentions, spans): both lists sorted by start, the longer first; spans are (start, end) characters, the
        end exclusive.

    Raises:
        ValueError: text that is neither; a mention that is not a pair of integers, or is empty, outside the text or
            repeated.
    """
    text, in_words = plain(text), not isinstance(text, str)
    if in_words:
        _check_words(text)
    string = check_text(" ".join(text) if in_words else text, "text")
    ordered = sorted(_checked_mentions(mentions, len(text), in_words), key=lambda mention: (mention[0], -mention[1]))
    if not in_words:
        return string, ordered, list(map(tuple, ordered))
    starts = list(accumulate((len(word) + 1 for word in text), initial=0))
    return string, ordered, [(starts[start], starts[end + 1] - 1) for start, end in ordered]


def _check_words(words):
    if not isinstance(words, (list, tuple)):
        raise ValueError(f"text: found {type(words).__name__}, expected a string or a list of words")
    for i, word in enumerate(words):
        if not isinstance(word, str) or not word:
            raise ValueError(f"text, word {i}: found {short_repr(word)}, expected a non-empty string")


def _checked_mentions(mentions, length, in_words):
    """The mentions as lists of two ints."""
    mentions = plain(mentions)
    if not isinstance(mentions, (list, tuple)):
        raise ValueError(f"mentions: found {type(mentions).__name__}, expected a list of [start, end] pairs")
    unit = "words, the end inclusive" if in_words else "characters, the end exclusive"
    checked = []
    for i, mention in enumerate(map(plain, mentions)):
        if mention_kind(mention) != "a [start, end] pair":
            raise ValueError(f"mentions[{i}]: found {short_repr(mention)}, expected a [start, end] pair of integers")
        start, end = map(int, mention)
        if not 0 <= start < end + in_words <= length:
            raise ValueError(f"mentions[{i}]: found {[start, end]}, expected a place in the text of {length} {unit}")
        checked.append([start, end])
    for mention, times in Counter(map(tuple, checked)).items():
        if times > 1:
            raise ValueError(f"mentions: found {list(mention)} {times} times, expected each mention once")
    return checked


def marked(text: str, spans: list) -> str:
    """The text with every span in brackets, numbered from 1: "[1: Ann] met [2: [3: her] sister]"."""
    opens = [(start, 1, f"[{i}: ") for i, (start, _) in enumerate(spans, 1)]
    closes = [(end, 0, "]") for _, end in spans]  # before what opens at the same place
    pieces, done = [], 0
    for place, _, mark in sorted(opens + closes, key=lambda event: event[:2]):
        pieces += text[done:place], mark
        done = place
    return "".join([*pieces, text[done:]])


# ---- Linking ----


def link(n: int, judge: Callable, threshold: float = 0.0) -> list:
    """Link n mentions, one after the other.

    Args:
        n: number of mentions; they are called 0 to n - 1.
        judge: judge(mention, entities) gives a number for each of the entities, lists of earlier mentions: how sure it
            is that the mention belongs to it.
        threshold: a mention joins the entity with the highest number above it (of equal ones the first), or opens one.

    Returns:
        The entities, lists of mentions, by their first mention.
    """
    entities = []
    for mention in progress(range(n), desc="Linking mentions", unit="mention"):
        sure = judge(mention, entities) if entities else []
        best = max(range(len(entities)), key=sure.__getitem__, default=None)
        if best is None or not sure[best] > threshold:
            entities.append([mention])
        else:
            entities[best].append(mention)
    return entities


class Judge:
    """A chat model that is asked about the mentions of one text; called as `link` does.

    Args:
        chat: a `Chat`.
        messages: `TEMPLATE` or the user's own.
        answers: two words.
        text, spans: from `locate`; at least two spans.

    Raises:
        ValueError: a prompt could become too long for the model.
    """

    def __init__(self, chat, messages: list, answers: tuple, text: str, spans: list):
        self.chat = chat
        self.messages = messages
        self.tokens = chat.llm.answers(messages, answers)
        self.text = marked(text, spans)
        self.names = [f"[{i}: {text[start:end]}]" for i, (start, end) in enumerate(spans, 1)]
        # No prompt about a mention is longer than if all earlier ones are one entity: say now what does not fit.
        room = longest(self.tokens)
        for mention in range(1, len(spans)):
            with locate_errors(lambda _: f"{self._name(mention)} with the earlier ones"):
                fitting_prompts(chat.llm, messages, self._fields(mention, [range(mention)]), room)

    def __call__(self, mention: int, entities: list) -> list:
        """log p(first answer) - log p(second answer), in nats, for each of the entities."""
        fields = self._fields(mention, entities)
        judged = self.chat.judge("link", self.messages, self.tokens, fields, lambda _: self._name(mention))
        return [question.log_ratio for question in judged]

    def _fields(self, mention, entities):
        """What is asked: one dict for each of the entities."""
        return [
            {"text": self.text, "mention": self.names[mention], "entity": ", ".join(self.names[i] for i in entity)}
            for entity in entities
        ]

    def _name(self, mention):
        return f"mention {self.names[mention]:.100}"


def open_chat(options: LinkOptions) -> Chat:
    """The chat model that the options ask for; `link` shows the progress.

    Raises:
        ImportError: what the rest of the metric does not need is not installed; says what.
        ValueError: the model is unreachable or cannot be loaded.
    """
    missing = [name for name in NEEDED if find_spec(name) is None]
    runs_here = options.model is None and options.endpoint is None and options.scorer is None
    if missing and (runs_here or options.distributed):
        raise ImportError(f"link_mentions needs {' and '.join(missing)}: pip install {' '.join(NEEDED)}")
    return Chat(options, silent=True)

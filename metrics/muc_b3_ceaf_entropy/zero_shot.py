"""The zero-shot response: a chat model links mentions by yes/no questions (a baseline in the sense of section 5.1).

The mentions are taken in text order. Each is compared with every entity found so far and joins the one that the model
is most sure about, or opens a new one: n mentions of m entities make at most n * m questions. All of them begin with
the text, which `chat_llm` therefore computes once.
"""

from collections import Counter
from collections.abc import Callable
from importlib.util import find_spec
from itertools import accumulate

from datasets.utils import tqdm

from .asking import Chat, fitting_prompts, placed, room_for
from .chat_options import check_answers, check_messages, check_model_options
from .documents import METRIC, mention_kind, plain
from .values import SURROGATE, check_numbers, named, shown

# {text} has all mentions in it as "[1: Ann] met [2: [3: her] sister]", numbered in text order, so that two mentions of
# the same words can be told apart; {mention} is one of them as it stands there, {entity} one or more.
FIELDS = ("text", "mention", "entity")
TEMPLATE = [
    {
        "role": "user",
        "content": "In the following text, brackets with a number mark the expressions that refer to somebody or "
        "something.\n\nText:\n{text}\n\nDoes {mention} refer to the same person, thing or event as {entity}? "
        'Answer with only one word "yes" or "no".',
    }
]
ANSWERS = ("yes", "no")
NEEDED = ("torch", "transformers", "accelerate")


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
        ValueError: text that is neither, a mention that is no pair of integers, empty, outside the text, or repeated.
    """
    text, in_words = plain(text), not isinstance(text, str)
    if in_words:
        _check_words(text)
    string = " ".join(text) if in_words else text
    if SURROGATE.search(string):
        raise ValueError(f"{METRIC}: text: found a lone surrogate, expected text that can be written as UTF-8")
    ordered = sorted(_checked_mentions(mentions, len(text), in_words), key=lambda mention: (mention[0], -mention[1]))
    if not in_words:
        return string, ordered, list(map(tuple, ordered))
    starts = list(accumulate((len(word) + 1 for word in text), initial=0))
    return string, ordered, [(starts[start], starts[end + 1] - 1) for start, end in ordered]


def _check_words(words):
    if not isinstance(words, (list, tuple)):
        raise ValueError(f"{METRIC}: text: found {type(words).__name__}, expected a string or a list of words")
    for i, word in enumerate(words):
        if not isinstance(word, str) or not word:
            raise ValueError(f"{METRIC}: text, word {i}: found {shown(word)}, expected a non-empty string")


def _checked_mentions(mentions, length, in_words):
    """The mentions as lists of two ints."""
    mentions = plain(mentions)
    if not isinstance(mentions, (list, tuple)):
        raise ValueError(f"{METRIC}: mentions: found {type(mentions).__name__}, expected a list of [start, end] pairs")
    unit = "words, the end inclusive" if in_words else "characters, the end exclusive"
    checked = []
    for i, mention in enumerate(map(plain, mentions)):
        if mention_kind(mention) != "a [start, end] pair":
            raise ValueError(
                f"{METRIC}: mentions[{i}]: found {shown(mention)}, expected a [start, end] pair of integers"
            )
        start, end = map(int, mention)
        if not 0 <= start < end + in_words <= length:
            raise ValueError(
                f"{METRIC}: mentions[{i}]: found {[start, end]}, expected a place in the text of {length} {unit}"
            )
        checked.append([start, end])
    for mention, times in Counter(map(tuple, checked)).items():
        if times > 1:
            raise ValueError(f"{METRIC}: mentions: found {list(mention)} {times} times, expected each mention once")
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
    for mention in tqdm(range(n), desc=f"{METRIC}: mentions", unit="mention"):
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
        room = room_for(self.tokens)
        for mention in range(1, len(spans)):
            with placed(lambda _: f"{self._name(mention)} with the earlier ones"):
                fitting_prompts(chat.llm, messages, self._fields(mention, [range(mention)]), room)

    def __call__(self, mention: int, entities: list) -> list:
        """log p(first answer) - log p(second answer), in nats, for each of the entities."""
        fields = self._fields(mention, entities)
        return self.chat.log_ratios("link", self.messages, self.tokens, fields, lambda _: self._name(mention))

    def _fields(self, mention, entities):
        """What is asked: one dict for each of the entities."""
        return [
            {"text": self.text, "mention": self.names[mention], "entity": ", ".join(self.names[i] for i in entity)}
            for entity in entities
        ]

    def _name(self, mention):
        return f"mention {self.names[mention]:.100}"


def open_chat(model_id, model, *options) -> Chat:
    """A chat model with what it has said before; `link` shows the progress.

    Args:
        model_id, model, options: as for `Chat.of`.

    Raises:
        ImportError: what the rest of the metric does not need is not installed; says what.
        ValueError: the model is out of reach or cannot be loaded.
    """
    missing = [name for name in NEEDED if find_spec(name) is None]
    if missing and model is None:
        raise ImportError(f"{METRIC}: link_mentions needs {' and '.join(missing)}: pip install {' '.join(NEEDED)}")
    return Chat.of(METRIC, model_id, model, *options, silent=True)


# ---- Options ----


def check_options(*, template, answers, threshold, **options) -> None:
    """Refuse options of the wrong type or value."""
    with named(METRIC):
        fields = set(check_messages(template))
        check_answers(answers)
        check_model_options(**options)
        check_numbers(threshold=threshold)
    if fields != set(FIELDS):
        raise ValueError(f"{METRIC}: template: found the fields {sorted(fields)}, expected {', '.join(FIELDS)}")

"""A zero-shot response, a baseline (section 5.1): a judge links mentions by yes/no questions.

The mentions are taken in text order. Each is compared with every entity found so far and joins the
one that the judge is most sure about, or opens a new one: n mentions of m entities make at most
n * m questions. All of them begin with the text, which a judge may therefore compute once.

Whatever answers questions is a judge, a chat model for instance; this module needs of it a name, for errors, and
answer_log_probs(conversations, answers): for each conversation, a list of {"role", "content"}, in their order (log
p(first answer), log p(second answer), ...) in nats. `answers` are two tuples of variants, whose probabilities are
added; the values may come one by one.
"""

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import accumulate, islice
from math import exp, isfinite

from .check_input import mention_kind, plain
from .common import (  # fmt: skip
    CheckedOptions,
    a_number,
    argument,
    check_text,
    expecting,
    input_error,
    keyword_options,
    option,
    prefix_errors,
    progress,
    short_repr,
)
from .common_templates import fields_of, filled, two_answers

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
YES_OR_NO = (("yes", "Yes"), ("no", "No"))  # models begin their answers in either case, whatever the prompt says
A_JUDGE = 'such as evaluate.load("parapluie").judge(model_id="...")'
ROUNDING = 1e-3  # by so much a probability may seem to be above 1
CHUNK = 1024  # conversations in memory at once; each has the whole text


def a_template(messages) -> list:
    """Check of an option: chat messages with all the fields and no others."""
    fields = set(fields_of(messages))
    if fields != set(FIELDS):
        raise input_error("", f"the fields {sorted(fields)}", f"the fields {', '.join(FIELDS)}")
    return list(messages)


a_judge = expecting(
    f"a judge, an object with a name and the method answer_log_probs, {A_JUDGE}",
    lambda value: hasattr(value, "name") and callable(getattr(value, "answer_log_probs", None)),
)


@dataclass(frozen=True, kw_only=True)
class LinkOptions(CheckedOptions):
    """Options of `link_mentions`."""

    template: list = option(TEMPLATE, a_template)
    answers: tuple = option(YES_OR_NO, two_answers)
    threshold: float = option(0.0, a_number)

    @classmethod
    def of(cls, given: dict, caller: str):
        """As `CheckedOptions.of`; the error says what to build of options that say which model."""
        try:
            return super().of(given, caller)
        except TypeError as error:
            raise TypeError(f"{error}; what says which model is for the judge, {A_JUDGE}") from None


@keyword_options
def link_mentions(text, mentions: list, judge, options: LinkOptions) -> list:
    """A baseline's response to a document: a judge, such as a chat model, says what belongs together.

    Each mention, in text order, joins the earlier entity for which log p(yes) - log p(no) is highest, if that is
    above the threshold, or else opens a new entity.

    Args:
        text: the document, a list of words or a string.
        mentions: its mentions, [start, end] pairs in any order: numbers of words from 0, the end inclusive (as
            `read_conll` gives them); or, where the text is a string, characters, the end exclusive.
        judge: what is asked: `evaluate.load("parapluie").judge(model_id=...)`, with any model that
            parapluie can ask, or an object with a name and answer_log_probs(conversations, answers).
        template: chat messages with {text} (all mentions in numbered brackets), {mention} (the one at hand) and
            {entity} (the mentions of an earlier entity) in them; what is the same for all questions comes first.
        answers: the two words whose likelihoods are compared, or tuples of variants whose probabilities are added.
        threshold: in nats; a higher one gives smaller clusters.

    Returns:
        The clusters, lists of [start, end], by their first mentions: a response in the form that `compute` takes.

    Raises:
        ValueError: a mention outside the text, empty, or repeated; options of the wrong type; what
            the judge refuses, such as a text that is too long for it, or gives that is no answer.
    """
    with prefix_errors("judge"):
        a_judge(judge)
    text, mentions, spans = locate(text, mentions)
    if len(mentions) < 2:
        return [[mention] for mention in mentions]
    sureness = asking(judge, options, text, spans)
    return [[mentions[i] for i in entity] for entity in link(len(mentions), sureness, options.threshold)]


# ---- Text and mentions ----


def locate(text, mentions) -> tuple:
    """(string, mentions, spans) of a text and its mentions, given as for `link_mentions`; with its errors.

    Words are joined by spaces. Both lists are sorted by start, the longer first; spans are (start, end) characters of
    the string, the end exclusive.
    """
    text, in_words = plain(text), not isinstance(text, str)
    if in_words and not isinstance(text, (list, tuple)):
        raise input_error(argument("text"), type(text).__name__, "a string or a list of words")
    for i, word in enumerate(text) if in_words else ():
        if not isinstance(word, str) or not word:
            raise input_error(f"text, word {i}", short_repr(word), "a non-empty string")
    string = check_text(" ".join(text) if in_words else text, "text")
    ordered = sorted(_checked_mentions(mentions, len(text), in_words), key=lambda mention: (mention[0], -mention[1]))
    if not in_words:
        return string, ordered, list(map(tuple, ordered))
    starts = list(accumulate((len(word) + 1 for word in text), initial=0))
    return string, ordered, [(starts[start], starts[end + 1] - 1) for start, end in ordered]


def _checked_mentions(mentions, length, in_words):
    """The mentions as lists of two ints."""
    mentions = plain(mentions)
    if not isinstance(mentions, (list, tuple)):
        raise input_error(argument("mentions"), type(mentions).__name__, "a list of [start, end] pairs")
    unit = "words, the end inclusive" if in_words else "characters, the end exclusive"
    checked = []
    for i, mention in enumerate(map(plain, mentions)):
        if mention_kind(mention) != "a [start, end] pair":
            raise input_error(argument("mentions", i), short_repr(mention), "a [start, end] pair of integers")
        start, end = map(int, mention)
        if not 0 <= start < end + in_words <= length:
            raise input_error(argument("mentions", i), f"{[start, end]}", f"a place in the text of {length} {unit}")
        checked.append([start, end])
    for mention, times in Counter(map(tuple, checked)).items():
        if times > 1:
            raise input_error(argument("mentions"), f"{list(mention)} {times} times", "each mention once")
    return checked


def marked(text: str, spans: list) -> str:
    """The text with every span in brackets, numbered from 1: "[1: Ann] met [2: [3: her] sister]"."""
    opens = [(start, 1, f"[{i}: ") for i, (start, _) in enumerate(spans, 1)]
    closes = [(end, 0, "]") for _, end in spans]  # before what opens at the same position
    pieces: list[str] = []
    done = 0
    for position, _, mark in sorted(opens + closes, key=lambda event: event[:2]):
        pieces += text[done:position], mark
        done = position
    return "".join([*pieces, text[done:]])


# ---- Linking ----


def link(n: int, sureness: Callable, threshold: float = 0.0) -> list:
    """Link n mentions, called 0 to n - 1, one after the other; gives the entities, by their first mention.

    sureness(mention, entities) gives for each of the entities, lists of earlier mentions, how sure it is that the
    mention belongs to it. It joins the surest above the threshold, of equal ones the first, or opens an entity.
    """
    entities: list[list[int]] = []
    for mention in progress(range(n), desc="Linking mentions", unit="mention"):
        sure = sureness(mention, entities) if entities else []
        best = max(range(len(entities)), key=sure.__getitem__, default=None)
        if best is None or not sure[best] > threshold:
            entities.append([mention])
        else:
            entities[best].append(mention)
    return entities


def asking(judge, options: LinkOptions, text: str, spans: list) -> Callable:
    """What `link` asks of a judge: log-ratios of its two answers, in nats. Its errors name the mention."""
    shown, names = marked(text, spans), [f"[{i}: {text[start:end]}]" for i, (start, end) in enumerate(spans, 1)]

    def sureness(mention: int, entities: list) -> list[float]:
        listed = [", ".join(names[i] for i in entity) for entity in entities]
        asked = {"text": shown, "mention": names[mention]}
        sure = []
        with prefix_errors(f"mention {names[mention]:.100}"):
            for start in range(0, len(entities), CHUNK):
                some = listed[start : start + CHUNK]
                conversations = [filled(options.template, asked | {"entity": entity}) for entity in some]
                sure += log_ratios(judge, conversations, options.answers)
        return sure

    return sureness


def log_ratios(judge, conversations: list, answers: tuple) -> list[float]:
    """log p(first answer) - log p(second answer), in nats, of each conversation, as a judge has it.

    Raises:
        ValueError: not one value for each conversation, or one that is no (log p(first),
            log p(second), ...) of finite numbers whose probabilities add up to at most 1.
    """
    values = judge.answer_log_probs(conversations, answers)
    if isinstance(values, str) or not isinstance(values, Iterable):
        raise input_error("", f"{short_repr(values)} from {judge.name}", "a list or a generator of values")
    values, asked = list(islice(values, len(conversations) + 1)), len(conversations)
    if len(values) != asked:
        n = f"more than {asked}" if len(values) > asked else len(values)
        raise input_error("", f"{n} values from {judge.name}", f"one for each of {asked} questions")
    return [first - second for first, second in map(_log_probs, values)]


def _log_probs(value) -> tuple[float, float]:
    """Both log-probabilities of what a judge gives for one conversation."""
    try:
        first, second, *_ = value
        first, second = float(first), float(second)
    except (TypeError, ValueError, OverflowError):
        expected = "(log p(first answer), log p(second answer), top token)"
        raise input_error("", short_repr(value), expected) from None
    if not isfinite(first) or not isfinite(second):
        raise input_error("", f"log-likelihoods of {(first, second)}", "finite numbers; try another dtype")
    if max(first, second) > ROUNDING or exp(first) + exp(second) > 1 + ROUNDING:
        expected = "two answers that together have a probability of at most 1"
        raise input_error("", f"log-likelihoods of {(first, second)}", expected)
    return first, second

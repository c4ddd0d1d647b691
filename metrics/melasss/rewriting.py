"""Sentences rewritten by a chat model into simple ones (section 2.2), and the checks a rewriting must pass.

A model is asked sentence by sentence, each distinct one once. Its prompt has the paper's form, [task] [instruction]
[definitions] [one example]; the wording is ours, the paper does not print its own. A sentence whose rewriting fails a
check is left as it was.
"""

import re
from itertools import chain
from typing import NamedTuple

from .common import shown
from .features import unit
from .languages import ENGLISH, FRENCH, negates
from .sentences import natural, split, words

TASKS = {
    "simplify": (
        "Task: Rewrite one sentence as several simple sentences.",
        "Instruction: Give each fact its own short sentence, in the order of the original. Keep every number, unit and "
        "name exactly as it is. Replace pronouns by what they stand for where the sentence tells it. Add nothing and "
        "leave nothing out. Answer with the sentences only, one a line.",
        "Definitions: A simple sentence has one subject and one verb. A fact is one thing that the sentence says.",
        "Example:\nSentence: The pilot boat, which the harbour had bought for 20,000 euros, sank off Brest on Friday.\n"
        "Answer:\nThe harbour had bought the pilot boat for 20,000 euros.\nThe pilot boat sank off Brest on Friday.",
    ),
    "relations": (
        "Task: Turn one sentence into a list of relations between entities.",
        "Instruction: Write each relation as one short sentence: entity, relation, entity. Take the entities and the "
        "relation from the sentence, in its words. Keep every number, unit and name exactly as it is. Add nothing and "
        "leave nothing out. Answer with the sentences only, one a line.",
        "Definitions: An entity is a person, a place, a thing, a date or a quantity. A relation is what the sentence "
        "says of two entities, mostly a verb.",
        "Example:\nSentence: The pilot boat, which the harbour had bought for 20,000 euros, sank off Brest on Friday.\n"
        "Answer:\nThe harbour had bought the pilot boat.\nThe pilot boat cost the harbour 20,000 euros.\n"
        "The pilot boat sank off Brest.\nThe pilot boat sank on Friday.",
    ),
}
MESSAGES = {
    mode: [{"role": "user", "content": "\n\n".join([*parts, "Sentence: {sentence}\nAnswer:"])}]
    for mode, parts in TASKS.items()
}

THOUGHT = re.compile(r"(?is)<think>.*?(?:</think>|$)")
INTRODUCTION = re.compile(
    r"(?i)^(?:(?:sure|certainly|of course|okay)\b\W*(?:[^.!?]*\b(?:here|help|happy|task|sentences?|relations?)\b.*)?|"
    r"(?:here (?:is|are)|here's|below (?:is|are)|these are|the following|voici)\b.*:|[^.!?]*:)$"
)
BULLET = re.compile(r"^(?:[-*•–—]+|\(?\d{1,2}[.)])\s+")
QUOTED = re.compile("^[\"'“](.*)[\"'”]$")
LABEL = re.compile(r"(?i)^(?:answer|output|rewritten|simplified|relations?|sentences?)(?: sentences?)?\s*:\s*")

FUNCTION_WORDS = ENGLISH.function_words | FRENCH.function_words
MOST_NEW_WORDS = {"simplify": 0.5, "relations": 0.3}  # share of a sentence's content words that the original lacks
SCALES = frozenset("hundred thousand million billion trillion dozen percent".split())
LENGTHS = (0.5, 3.0)  # words, as multiples of the original's
LEAST_COSINE = 0.5  # of each new sentence and the original
LEAST_COVERAGE = 0.7  # cosine of the new sentences' mean and the original


class Rewriting(NamedTuple):
    """What became of a sentence: the sentences that stand for it, the checks that failed, and what the model said."""

    sentences: list
    faults: list
    output: str


def cleaned(output: str) -> list[str]:
    """The sentences of a model's answer, without introductions, bullets, labels, quotes and emphasis.

    >>> cleaned('Here are the simple sentences:\\n1. "The boat sank."\\n- It sank on Friday.')
    ['The boat sank.', 'It sank on Friday.']
    """
    sentences = []
    for line in THOUGHT.sub("", output).splitlines():
        line = LABEL.sub("", BULLET.sub("", line.replace("**", "").strip()))
        if not INTRODUCTION.match(line):
            sentences += split(QUOTED.sub(r"\1", line))
    return [sentence for sentence in sentences if words(sentence)]


def faults(original: str, sentences: list, mode: str) -> list[str]:
    """The checks on words that a rewriting fails.

    Numbers with their units, names (words with a capital) and negation must be kept and none be new; no sentence may
    have more new content words than `MOST_NEW_WORDS`; the last one must be finished where another is; the whole may not
    be shorter or longer than `LENGTHS`.

    >>> faults("The whale swam 14,000 miles.", ["The whale works at Arctic."], "relations")
    ['lost number 14,000', 'new name arctic', 'new words in: The whale works at Arctic.']
    """
    before, after = words(original), [word for sentence in sentences for word in words(sentence)]
    found = []
    for what, old, new in (
        ("number", _numbers(before), _numbers(after)),
        ("negation", _negations(before), _negations(after)),
        ("unit", _units(before), _units(after)),
        ("name", _names([original]), _names(sentences)),
    ):
        found += [f"lost {what} {item}" for item in sorted(old - new - set(after))]
        found += [f"new {what} {item}" for item in sorted(new - old - set(before))]
    for sentence in sentences:
        content = set(words(sentence)) - FUNCTION_WORDS
        if len(content - set(before)) > MOST_NEW_WORDS[mode] * len(content):
            found.append(f"new words in: {sentence}")
    finished = [sentence.rstrip("\"')”’")[-1] in ".!?…" for sentence in sentences]
    if any(finished) and not finished[-1]:
        found.append(f"unfinished: {sentences[-1]}")
    least, most = (times * len(before) for times in LENGTHS)
    if not least <= len(after) <= most:
        found.append(f"{len(after)} words for {len(before)}")
    return found


def rewrite_all(texts: list, mode: str, chat, limit: int, encoder) -> dict[str, Rewriting]:
    """What becomes of each distinct sentence of texts, given as lists of them.

    Args:
        mode: "simplify" or "relations".
        chat: a `Chat`.
        limit: the longest answer, in tokens.
        encoder: compares, see `checked`.
    """
    originals = list(dict.fromkeys(chain.from_iterable(texts)))
    fields = [{"sentence": sentence} for sentence in originals]
    outputs = chat.texts("rewriting", MESSAGES[mode], fields, lambda i: f"sentence {shown(originals[i], 60)}", limit)
    return checked(originals, outputs, mode, encoder)


def checked(originals: list, outputs: list, mode: str, encoder) -> dict[str, Rewriting]:
    """What becomes of each sentence, given the model's answers.

    Args:
        originals: distinct sentences.
        outputs: the model's answers, one for each.
        mode: "simplify" or "relations".
        encoder: compares what passes the checks on words with the original, both ways.
    """
    result, passed = {}, []
    for original, output in zip(originals, outputs, strict=True):
        sentences = cleaned(output)
        found = faults(original, sentences, mode) if sentences else ["no sentence"]
        result[original] = Rewriting([original] if found else sentences, found, output)
        passed += [] if found else [original]
    sides = encoder.sides([[o, *result[o].sentences] for o in passed], tokens=False)
    for original, side in zip(passed, sides):
        before, after = side.directions[0], side.directions[1:]
        found = [
            f"cosine {cosine:.2f}: {sentence}"
            for cosine, sentence in zip(after @ before, side.sentences[1:])
            if cosine < LEAST_COSINE
        ]
        covered = float(unit(after.mean(axis=0)) @ before)
        found += [f"covers the sentence with cosine {covered:.2f}"] if covered < LEAST_COVERAGE else []
        if found:
            result[original] = Rewriting([original], found, result[original].output)
    return result


def rewritten(sentences: list, rewritings: dict[str, Rewriting]) -> list[str]:
    """The sentences that stand for some; one about which no model was asked stands for itself."""
    return [new for s in sentences for new in (rewritings[s].sentences if s in rewritings else [s])]


def _numbers(words):
    return {word for word in words if word in SCALES or any(character.isdigit() for character in word)}


def _units(words):
    """What stands behind the numbers."""
    pairs = zip(words, words[1:])
    return {f"{n} {unit}" for n, unit in pairs if n[0].isdigit() and unit.isalpha() and unit not in FUNCTION_WORDS}


def _negations(words):
    """ "not" for all of them: they may stand for each other."""
    return {"not" for word in words for language in (ENGLISH, FRENCH) if negates(word, language)}


def _names(sentences):
    """Words with a capital; the first of a sentence too, which may be one."""
    return {
        word.lower()
        for sentence in sentences
        for word in re.findall(r"\w[\w’'-]*", natural(sentence))
        if word[0].isupper() and word.lower() not in FUNCTION_WORDS
    }

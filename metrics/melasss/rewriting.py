"""Sentences rewritten by a chat model into simple ones (section 2.2), and the checks a rewriting must pass.

A model is asked about a sentence at a time, each distinct one once, or about a whole text as in the paper, so that
pronouns can be resolved across sentences; its sentences are numbered then, and each rewriting is checked by itself. The
prompt has the paper's form, [task] [instruction] [definitions] [one example]. Its wording, the numbers, and the checks
are ours, the paper does not print its own. A sentence whose rewriting fails a check is left as it was.
"""

import re
from itertools import chain
from typing import NamedTuple

from .common import short_repr
from .common_judge import ask
from .terms_pair import unit
from .text_evidence import names
from .text_languages import ENGLISH, FRENCH, language_of, negates
from .text_sentences import natural, split, without_thoughts, words

DEFINITIONS = {
    "simplify": "A simple sentence has one subject and one verb. A fact is one thing that the sentence says.",
    "relations": (
        "An entity is a person, a place, a thing, a date or a quantity. A relation is what the sentence says of two "
        "entities, mostly a verb."
    ),
}
KEEP = "Keep every number, unit and name exactly as it is. "
ADD_NOTHING = "Add nothing and leave nothing out. "
LINES = "Answer with the sentences only, one a line."
NUMBERED_LINES = (
    "Replace each pronoun by what it stands for, also where another sentence tells it. Answer with the sentences only, "
    "one a line, each behind the number of the sentence it was made from."
)
BOAT = "The pilot boat, which the harbour had bought for 20,000 euros, sank off Brest on Friday."
REWRITTEN_BOAT = {
    "simplify": "The harbour had bought the pilot boat for 20,000 euros.\nThe pilot boat sank off Brest on Friday.",
    "relations": (
        "The harbour had bought the pilot boat.\nThe pilot boat cost the harbour 20,000 euros.\n"
        "The pilot boat sank off Brest.\nThe pilot boat sank on Friday."
    ),
}
# The task and the instruction, by unit and mode.
TASKS = {
    "sentence": {
        "simplify": (
            "Rewrite one sentence as several simple sentences.",
            "Give each fact its own short sentence, in the order of the original. "
            f"{KEEP}Replace pronouns by what they stand for where the sentence tells it. {ADD_NOTHING}{LINES}",
        ),
        "relations": (
            "Turn one sentence into a list of relations between entities.",
            "Write each relation as one short sentence: entity, relation, entity. Take the entities and the relation "
            f"from the sentence, in its words. {KEEP}{ADD_NOTHING}{LINES}",
        ),
    },
    "document": {
        "simplify": (
            "Rewrite each sentence of a text as simple sentences.",
            f"Give each fact its own short sentence, in the order of the original. {KEEP}{ADD_NOTHING}{NUMBERED_LINES}",
        ),
        "relations": (
            "Turn each sentence of a text into a list of relations between entities.",
            "Write each relation as one short sentence: entity, relation, entity. Take the entities and the relation "
            f"from the text, in its words. {KEEP}{ADD_NOTHING}{NUMBERED_LINES}",
        ),
    },
}
MODES = tuple(DEFINITIONS)
ASKED = {"sentence": "Sentence: {text}\nAnswer:", "document": "Text:\n{text}\nAnswer:"}


def _prompt(unit, mode):
    (task, instruction), text, answer = TASKS[unit][mode], BOAT, REWRITTEN_BOAT[mode]
    if unit == "document":
        text = f"1. {BOAT}\n2. It was old."
        answer = "\n".join([*(f"1. {line}" for line in answer.splitlines()), "2. The pilot boat was old."])
    example = f"{ASKED[unit].replace('{text}', text)}\n{answer}"
    parts = f"Task: {task}", f"Instruction: {instruction}", f"Definitions: {DEFINITIONS[mode]}", f"Example:\n{example}"
    return "\n\n".join([*parts, ASKED[unit]])


PROMPTS = {unit: {mode: _prompt(unit, mode) for mode in MODES} for unit in TASKS}
MOST_TOKENS = {"sentence": 256, "document": 2048}  # of an answer, where max_new_tokens does not say

INTRODUCTION = re.compile(
    r"(?i)^(?:(?:sure|certainly|of course|okay)\b\W*(?:[^.!?]*\b(?:here|help|happy|task|sentences?|relations?)\b.*)?|"
    r"(?:here (?:is|are)|here's|below (?:is|are)|these are|the following|voici)\b.*:|[^.!?]*:)$"
)
BULLET = re.compile(r"^(?:[-*•–—]+|\(?\d{1,2}[.)])\s+")
QUOTED = re.compile("^[\"'“](.*)[\"'”]$")
NUMBERED = re.compile(r"^\W*(\d{1,4})[.):\]]\W*(?:\s(.*))?$")
UNIT = re.compile(r"(?<!\w)(\d\w*(?:[.,'’-]\w+)*)\s+(?=([^\W\d_]+)\b)")
LABEL = re.compile(r"(?i)^(?:answer|output|rewritten|simplified|relations?|sentences?)(?: sentences?)?\s*:\s*")

FUNCTION_WORDS = ENGLISH.function_words | FRENCH.function_words
MOST_NEW_WORDS = {"simplify": 0.5, "relations": 0.3}  # share of a sentence's content words that the original lacks
SCALES = frozenset("hundred thousand million billion trillion dozen percent".split())
LENGTHS = (0.5, 3.0)  # words, as multiples of the original's
LEAST_COSINE = 0.5  # of each new sentence and the original
# Cosine of the new sentences' mean and the original; less where they may say whom a pronoun stands for.
LEAST_COVERAGE = {"sentence": 0.7, "document": 0.55}


class Rewriting(NamedTuple):
    """What became of a sentence: the sentences that stand for it, the checks that failed, and what the model said."""

    original: str
    sentences: list
    failed: list
    output: str


def cleaned(output: str) -> list[str]:
    """The sentences of a model's answer, without introductions, bullets, labels, quotes and emphasis.

    >>> cleaned('Here are the simple sentences:\\n1. "The boat sank."\\n- It sank on Friday.')
    ['The boat sank.', 'It sank on Friday.']
    """
    sentences = []
    for line in without_thoughts(output).splitlines():
        line = LABEL.sub("", BULLET.sub("", line.replace("**", "").strip()))
        if not INTRODUCTION.match(line):
            sentences += split(QUOTED.sub(r"\1", line))
    return [sentence for sentence in sentences if words(sentence)]


def by_sentence(output: str, count: int) -> list[list[str]]:
    """The sentences of a model's answer about a whole text, for each of its sentences those with that number.

    A line without a number goes with the one before.

    >>> by_sentence("Sure:\\n1. The boat sank.\\n2) The boat was old.\\nThe boat was small.", 3)
    [['The boat sank.'], ['The boat was old.', 'The boat was small.'], []]
    """
    lines: list[list[str]] = [[] for _ in range(count)]
    number = None
    for line in without_thoughts(output).splitlines():
        numbered = NUMBERED.match(line)
        if numbered and 1 <= int(numbered[1]) <= count:
            number, line = int(numbered[1]), numbered[2] or ""
        if number:
            lines[number - 1].append(line)
    return [cleaned("\n".join(own)) for own in lines]


def failed_checks(original: str, sentences: list, mode: str, context: str = "") -> list[str]:
    """The checks on words that a rewriting fails.

    Numbers with their units, names and negation must be kept and none be new; no sentence may have more new content
    words than `MOST_NEW_WORDS`; the last one must be finished where another is; the whole may not be shorter or longer
    than `LENGTHS`. Names and words of the context, the text around it, are not new: they may stand for a pronoun.

    >>> failed_checks("The whale swam 14,000 miles.", ["The whale works at Arctic."], "relations")
    ['lost number 14,000', 'lost unit 14,000 miles', 'new name arctic', 'new words in: The whale works at Arctic.']
    """
    before, after = words(original), [word for sentence in sentences for word in words(sentence)]
    known = {*before, *words(context)}
    failed = []
    for what, old, new in (
        ("number", _numbers(before), _numbers(after)),
        ("negation", _negations(before), _negations(after)),
        ("unit", _units([original]), _units(sentences)),
        ("name", _names([original]), _names(sentences)),
    ):
        failed += [f"lost {what} {item}" for item in sorted(old - new - set(after))]
        failed += [f"new {what} {item}" for item in sorted(new - old - (known if what == "name" else set(before)))]
    for sentence in sentences:
        content = set(words(sentence)) - FUNCTION_WORDS
        if len(content - known) > MOST_NEW_WORDS[mode] * len(content):
            failed.append(f"new words in: {sentence}")
    finished = [sentence.rstrip("\"')”’")[-1] in ".!?…" for sentence in sentences]
    if any(finished) and not finished[-1]:
        failed.append(f"unfinished: {sentences[-1]}")
    least, most = (times * len(before) for times in LENGTHS)
    if not least <= len(after) <= most:
        failed.append(f"{len(after)} words for {len(before)}")
    return failed


def rewrite_all(texts: list, mode: str, unit: str, judge, limit: int | None, encoder) -> dict[tuple, list[Rewriting]]:
    """What becomes of texts, given as lists of sentences.

    mode: "simplify" or "relations"; unit: "sentence" or "document", what the judge (see `common_judge`) is asked about
    at once; limit: the longest answer, in tokens, None takes `MOST_TOKENS`; encoder: compares, see `checked`.

    Returns {what was asked about, a tuple of sentences: how each was rewritten}; of one sentence each if that is the
    unit.
    """
    documents = dict.fromkeys(map(tuple, texts))
    asked = list(documents if unit == "document" else dict.fromkeys((s,) for s in chain.from_iterable(documents)))
    conversations = []
    for item in asked:
        text = item[0] if unit == "sentence" else "\n".join(f"{i}. {sentence}" for i, sentence in enumerate(item, 1))
        conversations.append([{"role": "user", "content": PROMPTS[unit][mode].replace("{text}", text)}])

    def name(i):
        return f"{unit} {short_repr(' '.join(asked[i]), 60)}"

    outputs = ask(judge, "generate", conversations, limit or MOST_TOKENS[unit], name, "rewriting")
    drafts = []
    for item, output in zip(asked, outputs, strict=True):
        answers = by_sentence(output, len(item)) if unit == "document" else [cleaned(output)]
        context = " ".join(item)
        for sentence, new in zip(item, answers, strict=True):
            failed = failed_checks(sentence, new, mode, context) if new else ["no sentence"]
            drafts.append(Rewriting(sentence, [sentence] if failed else new, failed, output))
    before = chain.from_iterable(("", *item[:-1]) for item in asked)  # a pronoun may stand for what is said there
    done = iter(checked(drafts, encoder, unit, list(before)))
    return {item: [next(done) for _ in item] for item in asked}


def checked(
    drafts: list[Rewriting], encoder, asked: str = "sentence", before: list[str] | None = None
) -> list[Rewriting]:
    """The rewritings, with those refused whose vectors lie far from the original's.

    What passes the checks on words has failed none. The encoder compares it with the original, both ways, or with the
    original after the sentence before it, if that is nearer. asked: what the model was asked about, "sentence" or
    "document".
    """
    passed = [i for i, draft in enumerate(drafts) if not draft.failed]
    before = before or [""] * len(drafts)
    texts = [[drafts[i].original, f"{before[i]} {drafts[i].original}".strip(), *drafts[i].sentences] for i in passed]
    result = list(drafts)
    for i, side in zip(passed, encoder.sides(texts, tokens=False), strict=True):
        originals, after = side.directions[:2], side.directions[2:]
        failed = [
            f"cosine {cosine:.2f}: {sentence}"
            for cosine, sentence in zip((after @ originals.T).max(axis=1), side.sentences[2:], strict=True)
            if cosine < LEAST_COSINE
        ]
        covered = float((originals @ unit(after.mean(axis=0))).max())
        failed += [f"covers the sentence with cosine {covered:.2f}"] if covered < LEAST_COVERAGE[asked] else []
        if failed:
            result[i] = drafts[i]._replace(sentences=[drafts[i].original], failed=failed)
    return result


def rewritten(sentences: list, rewritings: dict[tuple, list[Rewriting]]) -> list[str]:
    """The sentences that stand for those of a text, given what `rewrite_all` gives."""
    own = rewritings.get(tuple(sentences)) or [rewritings[(sentence,)][0] for sentence in sentences]
    return [new for rewriting in own for new in rewriting.sentences]


def _numbers(words):
    return {word for word in words if word in SCALES or any(character.isdigit() for character in word)}


def _units(sentences):
    """Numbers with the word after them; a comma between says that it is no unit."""
    pairs = chain.from_iterable(UNIT.findall(natural(sentence).lower()) for sentence in sentences)
    return {f"{number} {unit}" for number, unit in pairs if unit not in FUNCTION_WORDS}


def _negations(words):
    """ "not" for all of them: they may stand for each other."""
    return {"not" for word in words for language in (ENGLISH, FRENCH) if negates(word, language)}


def _names(sentences):
    """Names, which the first word of a sentence is one of only before another."""
    language = language_of(chain.from_iterable(map(words, sentences)))
    return {word.lower() for sentence in sentences for name in names(sentence, language) for word in name}

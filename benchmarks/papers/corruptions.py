"""Summaries made worse by rule, each in one way, for benchmarks/papers/validity.py.

A rule is a function of (text, summary, other, random): lists of sentences of a text, of a good summary of it and of a
summary of another text, and numpy's generator. It gives sentences, or those of the summary where it does not apply.
"""

import re
from collections import Counter

from metrics.melasss.text_languages import language_of
from metrics.melasss.text_sentences import WORD, words

FIGURES = re.compile(r"\d+(?:[.,]\d+)*")
NAME = re.compile(r"(?<![.!?] )(?<!^)\b[A-Z][\w'’-]*(?: [A-Z][\w'’-]*)*")
VERBS = {
    verb: f"{verb} not" for verb in "is was are were has have had will would could may should did does do".split()
} | {"can": "cannot"}
VERBS_FR = {verb: f"ne {verb} pas" for verb in "sont va vont sera seront reste peut doit fait font".split()}
VERBS_FR |= {"est": "n'est pas", "était": "n'était pas", "a": "n'a pas", "ont": "n'ont pas", "avait": "n'avait pas"}


def length(sentences):
    """Words of sentences."""
    return sum(len(words(sentence)) for sentence in sentences)


def up_to(sentences, most):
    """The first sentences that have so many words."""
    kept = []
    for sentence in sentences:
        if length(kept) >= most:
            break
        kept.append(sentence)
    return kept


def lead(text, summary, other, random):
    """The text's first sentences, as long as the summary."""
    return up_to(text, length(summary))


def half(text, summary, other, random):
    """The first half of the text."""
    return text[: max(1, len(text) // 2)]


def copy(text, summary, other, random):
    """The whole text."""
    return list(text)


def keywords(text, summary, other, random):
    """The text's most frequent content words, with commas."""
    function_words = language_of(word for sentence in text for word in words(sentence)).function_words
    counts = Counter(w for s in text for w in words(s) if w not in function_words and len(w) > 2)
    return [", ".join(word for word, _ in counts.most_common(max(8, length(summary) * 2 // 3)))]


def shuffled(text, summary, other, random):
    """The words of each sentence in random order."""
    return [" ".join(random.permutation(sentence.split()).tolist()) for sentence in summary]


def swapped(text, summary, other, random):
    """The first two names changed round, or in each sentence the first and the last long word."""
    joined = "\n".join(summary)
    found = list(dict.fromkeys(match[0] for match in NAME.finditer(joined)))
    if len(found) > 1:
        one, two = found[:2]
        turned = re.sub(f"{re.escape(one)}|{re.escape(two)}", lambda m: two if m[0] == one else one, joined)
        return turned.split("\n")
    return [_ends_swapped(sentence) for sentence in summary]


def _ends_swapped(sentence):
    long = [match for match in WORD.finditer(sentence) if len(match[0]) > 5]
    if len(long) < 2:
        return sentence
    one, two = long[0], long[-1]
    return sentence[: one.start()] + two[0] + sentence[one.end() : two.start()] + one[0] + sentence[two.end() :]


def numbers(text, summary, other, random):
    """Every digit changed."""

    def changed(match):
        digits = [str((int(c) + int(random.integers(1, 9))) % 10) if c.isdigit() else c for c in match[0]]
        return "".join(digits).lstrip("0") or "7"

    return [FIGURES.sub(changed, sentence) for sentence in summary]


def negated(text, summary, other, random):
    """The first verb of each sentence that can be negated by a word."""
    french = "pas" in language_of(word for sentence in text for word in words(sentence)).negations
    verbs = VERBS_FR if french else VERBS
    pattern = re.compile(rf"\b(?:{'|'.join(verbs)})\b(?! not\b)")
    return [pattern.sub(lambda match: verbs[match[0]], sentence, count=1) for sentence in summary]


def insertion(text, summary, other, random):
    """A sentence of another summary put between."""
    place = int(random.integers(len(summary) + 1))
    return [*summary[:place], other[int(random.integers(len(other)))], *summary[place:]]


def other(text, summary, other, random):
    """A summary of another text."""
    return list(other)


def truncated(text, summary, other, random):
    """The first sentence only, or a third of the only one."""
    if len(summary) > 1:
        return summary[:1]
    return [" ".join(summary[0].split()[: max(3, len(summary[0].split()) // 3)])]


def repeated(text, summary, other, random):
    """The whole summary twice."""
    return [*summary, *summary]


RULES = {
    rule.__name__: rule
    for rule in (
        lead, half, copy, keywords, shuffled, swapped, numbers, negated, insertion, other, truncated, repeated,
    )
}  # fmt: skip


def corrupted(text, summary, other, random) -> dict[str, list]:
    """{rule: what it makes of a good summary}, of the rules that change it."""
    found = {name: rule(text, summary, other, random) for name, rule in RULES.items()}
    return {name: made for name, made in found.items() if made and made != summary}

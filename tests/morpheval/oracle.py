"""The rules of the published script (morpheval v2 for French) written out plainly, test by test, on plain lists.

`lexicon` is a dict from lower-case forms to lists of (category, lemma, features); `sentences` are lists of tokens. A
result is 1, 0, None for rejected, a pair (right, judged) for coreference, or an entropy.
"""

import math
from collections import Counter

TENSES = "PFIJCYSTKGW"
LETTERS = {"tense": TENSES, "person": "123", "number": "sp", "gender": "mf"}


def prepare(line):
    """Tokens of a tokenised line: lower-case, and clitics cut off at their hyphens."""
    tokens = []
    for token in line.split():
        if "-" in token and token.split("-")[-1] in ("le", "la", "les", "ils"):
            tokens.extend(token.split("-"))
        else:
            tokens.append(token)
    return [token.lower() for token in tokens]


def new_words(base, variant):
    return [i for i in range(len(variant)) if variant.count(variant[i]) > base.count(variant[i])]


def tags(lexicon, words, category):
    found = []
    for word in words:
        for reading in lexicon.get(word, ()):
            if reading[0] == category or (category == "n" and reading[0].startswith("n")):
                found.append(reading[2])
    return found


def values(found, feature):
    """Values of a feature in tags; "x" if there is none, which goes with any."""
    return {letter for tag in found for letter in LETTERS[feature] if letter in tag} or {"x"}


def match(first, second, feature):
    a, b = values(first, feature), values(second, feature)
    return int(bool(a & b) or "x" in a or "x" in b)


def judge(test, sentences, lexicon):  # noqa: C901, PLR0912  # the script's own order, test by test
    name, _, feature = test.partition(":")
    if name.endswith("_consistency"):
        return consistency(name, feature, sentences, lexicon)
    base, variant = sentences
    new = new_words(base, variant)
    words = [variant[i] for i in new]
    if name == "coref":
        return coreference(base, variant, feature, lexicon)
    if not new:
        return 0
    if name in ("past", "conditional", "subjunctive", "future", "noun_number"):
        category = "n" if name == "noun_number" else "v"
        found = tags(lexicon, words, category)
        if name == "subjunctive" and not found:
            words = variant
            found = tags(lexicon, words, category)
        if not found:
            return None
        wanted = {"past": "IJK", "conditional": "C", "subjunctive": "ST", "future": "F", "noun_number": "p"}[name]
        if any(letter in tag for tag in found for letter in wanted):
            return 1
        if name == "future":
            for word in words:
                for category, lemma, tag in lexicon.get(word, ()):
                    if category == "v" and lemma == "aller" and "P" in tag:
                        return 1
        return 0
    if name == "negation":
        return int(any(word in ("ne", "n'", "non") or word.startswith("aucun") for word in words))
    if name == "pronoun_number":
        return int(any(word in ("ils", "les", "leur", "eux", "en") for word in words))
    if name == "comparative":
        starts = ("ultérieur", "meilleur", "antérieur", "inférieur", "supérieur", "moindre")
        whole = ("plus", "moins", "pire", "davantage", "mieux")
        return int(any(word in whole or word.startswith(starts) for word in words))
    if name == "superlative":
        articles = variant if "plus" in words else words
        article = any(word in ("le", "la", "les") for word in articles)
        return int(article and any(word == "plus" or word.startswith(("meilleur", "pire")) for word in words))
    if name == "coord_verb":
        if len(new) < 2:
            return 0
        first = tags(lexicon, words, "v")
        second = tags(lexicon, variant[min(new) + 1 :], "v")
    else:
        first, second = tags(lexicon, words, "adj"), tags(lexicon, words, "n")
    return match(first, second, feature) if first and second else None


def coreference(base, variant, feature, lexicon):
    """For base and variant: 1, 0 or None; neither counts if one has no new word."""
    if not new_words(base, variant) or not new_words(variant, base):
        return None, None
    results = []
    for other, sentence in ((variant, base), (base, variant)):
        new = new_words(other, sentence)
        nouns = [i for i in new if tags(lexicon, [sentence[i]], "n")]
        result = None
        if nouns:
            pronouns = []
            for word in sentence[min(nouns) + 1 :]:
                pronouns += [tag for c, _, tag in lexicon.get(word, ()) if c == "pro" or c.startswith("cl")]
            pronoun_seen = any(
                c == "pro" or c.startswith("cl")
                for word in sentence[min(nouns) + 1 :]
                for c, _, _ in lexicon.get(word, ())
            )
            if pronoun_seen:
                result = match(tags(lexicon, [sentence[i] for i in nouns], "n"), pronouns, feature)
        results.append(result)
    return tuple(results)


def consistency(name, feature, sentences, lexicon):
    category = "v" if name == "verb_consistency" else "adj"
    possible = []
    for i, sentence in enumerate(sentences):
        found = set()
        for j, other in enumerate(sentences):
            if i != j:
                for k in new_words(other, sentence):
                    found |= values(tags(lexicon, [sentence[k]], category), feature)
        possible.append(found - {"x"} if len(found) > 1 else found)
    counts = Counter()
    for found in possible:
        counts.update(LETTERS[feature] if "x" in found else found)
    ranked = sorted(counts, key=lambda value: (counts[value], value), reverse=True)
    final = []
    for i, found in enumerate(possible):
        if not found:
            final.append(f"none {i}")
        else:
            final.append(next(value for value in ranked if value in found or "x" in found))
    shares = [count / len(final) for count in Counter(final).values()]
    return -sum(share * math.log(share) for share in shares) / math.log(5)

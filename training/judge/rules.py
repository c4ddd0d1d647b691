"""Pairs made from one sentence by rule: what changes its meaning, and what does not.

A rule takes tokens, tools and a random generator, and returns the other sentence, or None where it
does not apply.
"""

import re
from itertools import pairwise
from typing import NamedTuple

TOKEN = re.compile(r"\w+?(?=n't\b)|n't\b|'(?:s|re|ve|ll|d|m)\b|\w+(?:[-.,']\w+)*|\S", re.IGNORECASE)
CONTENT = ("NNP", "NN", "NNS", "JJ", "CD")
OPEN = {"NN": "n", "NNS": "n", "JJ": "a", "VB": "v", "VBD": "v", "VBZ": "v", "VBP": "v", "VBN": "v", "VBG": "v"}
COMMON = frozenset(
    "be have do get make take go come give put let keep say tell year more many other such same first "
    "last new one two".split()
)
ADVERBIAL = frozenset("In On At After During Before Since Until By From With For As Under".split())


class Tools(NamedTuple):
    tag: object
    inflect: object
    related: object


class Token(NamedTuple):
    text: str
    space: str
    tag: str
    lemma: str


def tagged(text: str, tools) -> list:
    matches = list(TOKEN.finditer(text))
    ends = [0, *(m.end() for m in matches)]
    tags = tools.tag([m[0] for m in matches])
    return [Token(m[0], text[end : m.start()], *t) for m, end, t in zip(matches, ends[:-1], tags, strict=True)]


def text_of(tokens) -> str:
    text = "".join(token.space + token.text for token in tokens).strip()
    return text[:1].upper() + text[1:]


def words(text: str) -> set:
    return set(re.findall(r"\w+", text.lower()))


def overlap(a: str, b: str) -> float:
    one, other = words(a), words(b)
    return len(one & other) / max(1, min(len(one), len(other)))


def is_statement(text: str) -> bool:
    """Whether its only final mark is a full stop, at its end.

    >>> is_statement("It rains."), is_statement("It rains. Stay."), is_statement("Does it rain?")
    (True, False, False)
    """
    return re.fullmatch(r"[^.?!]+\.", text) is not None


def chunks(tokens) -> list:
    """(start, end, tag) of runs of names and of single content words."""
    runs, i = [], 0
    while i < len(tokens):
        tag, end = tokens[i].tag, i + 1
        if tag == "NNP":
            while end < len(tokens) and tokens[end].tag == "NNP":
                end += 1
        if tag in CONTENT and re.match(r"\w", tokens[i].text):
            runs.append((i, end, tag))
        i = end
    return runs


def exchanged(tokens, one, other):
    """The tokens with two chunks in each other's place, spaces where they were."""
    (a, b, _), (c, d, _) = one, other
    left, right = list(tokens[a:b]), list(tokens[c:d])
    left[0], right[0] = left[0]._replace(space=tokens[c].space), right[0]._replace(space=tokens[a].space)
    if a == 0 and right[0].text[:1].islower() and left[0].tag != "NNP":
        left[0] = left[0]._replace(text=left[0].text.lower())
    return [*tokens[:a], *right, *tokens[b:c], *left, *tokens[d:]]


def coordinated(tokens, one, other) -> bool:
    """Does only "and", "or" or a comma stand between them, and do they end alike?"""
    between = [t.text.lower() for t in tokens[one[1] : other[0]]]
    return between in (["and"], ["or"], [","], [",", "and"])


def in_list(tokens, one, other) -> bool:
    between = {t.text.lower() for t in tokens[one[1] : other[0]]}
    return bool(between & {"and", "or"}) and len(tokens[one[1] : other[0]]) < 6


def swap(tokens, tools, rng):
    """Two names, nouns, adjectives or numbers in each other's place."""
    parts = chunks(tokens)
    options = [
        (a, b)
        for i, a in enumerate(parts)
        for b in parts[i + 1 :]
        if a[2] == b[2]
        and text_of(tokens[a[0] : a[1]]).lower() != text_of(tokens[b[0] : b[1]]).lower()
        and not in_list(tokens, a, b)
        and not coordinated(tokens, a, b)
        and a[1] != b[0]
    ]
    return text_of(exchanged(tokens, *rng.choice(options))) if options else None


def swap_coordinated(tokens, tools, rng):
    """Two coordinated words or names in each other's place: the same meaning."""
    parts = chunks(tokens)
    options = [
        (a, b)
        for a, b in pairwise(parts)
        if a[2] == b[2]
        and [t.text.lower() for t in tokens[a[1] : b[0]]] in (["and"], ["or"])
        and (b[1] >= len(tokens) or tokens[b[1]].tag not in CONTENT)
        and (a[0] == 0 or tokens[a[0] - 1].tag not in (*CONTENT, "DT", "PRP$", "POS"))
    ]
    return text_of(exchanged(tokens, *rng.choice(options))) if options else None


def move_adverbial(tokens, tools, rng):
    """In May, X. / X in May."""
    comma = next((i for i, t in enumerate(tokens[:9]) if t.text == ","), 0)
    rest = tokens[comma + 1 :]
    if (
        comma < 2
        or tokens[0].text not in ADVERBIAL
        or len(rest) < 4
        or rest[-1].text != "."
        or any(t.text in (",", ";", '"') for t in rest)
        or any(t.tag.startswith("VB") for t in tokens[:comma])
        or rest[0].tag == "CD"
    ):
        return None
    first = rest[0] if rest[0].tag == "NNP" else rest[0]._replace(text=rest[0].text.lower())
    start = tokens[0]._replace(text=tokens[0].text.lower(), space=" ")
    return text_of([first, *rest[1:-1], start, *tokens[1:comma], rest[-1]])


def front_adverbial(tokens, tools, rng):
    """X in May. / In May, X."""
    if tokens[-1].text != "." or any(t.text in (",", ";", '"') for t in tokens) or tokens[0].tag == "IN":
        return None
    indices = [i for i, t in enumerate(tokens[4:-1], 4) if t.text in ("in", "on", "during", "since", "after")]
    if not indices or len(tokens) - indices[-1] > 6:
        return None
    i = indices[-1]
    tail = tokens[i:-1]
    if tail[-1].tag not in ("CD", "NNP") or not any(t.text.isdigit() or t.text in MONTHS for t in tail):
        return None
    first = tokens[0]
    if first.tag != "NNP" and first.text != "I":
        first = first._replace(text=first.text.lower())
    start = tail[0]._replace(text=tail[0].text.capitalize(), space="")
    return text_of([start, *tail[1:], Token(",", "", ",", ","), first._replace(space=" "), *tokens[1:i], tokens[-1]])


MONTHS = frozenset(
    "January February March April May June July August September October November December Monday Tuesday Wednesday "
    "Thursday Friday Saturday Sunday".split()
)
SPELLED = (
    (r"\bdid not\b", "didn't"),
    (r"\bdoes not\b", "doesn't"),
    (r"\bis not\b", "isn't"),
    (r"\bwas not\b", "wasn't"),
    (r"\bwill not\b", "won't"),
    (r"\bcannot\b", "can't"),
    (r"\bhas not\b", "hasn't"),
    (r"\bwould not\b", "wouldn't"),
    (r"\bdo not\b", "don't"),
    (r"\bare not\b", "aren't"),
    (r"\bit is\b", "it's"),
    (r"\bI am\b", "I'm"),
    (r"\b(\d+) percent\b", r"\1%"),
    (r"\bper cent\b", "percent"),
    (r"\bmore than\b", "over"),
    (r"\babout (?=\d)", "around "),
    (r"\balso \b", ""),
    (r"\bhowever, ", ""),
    (r"\bsaid that\b", "said"),
    (r"\bin order to\b", "to"),
    (r"\bbegan\b", "started"),
    (r"\bbegin\b", "start"),
    (r"\bended\b", "finished"),
    (r"\bU\.S\.", "United States"),
    (r"\btwo\b", "2"),
    (r"\bthree\b", "3"),
    (r"\bfour\b", "4"),
    (r"\bfive\b", "5"),
    (r"\bten\b", "10"),
    (r"\bmany\b", "a lot of"),
    (r"\blarge\b", "big"),
    (r"\bfounded\b", "established"),
    (r"\bbecause\b", "since"),
    (r"\bwhile\b", "whereas"),
    (r"\balthough\b", "though"),
    (r"\bsuch as\b", "like"),
    (r"\bpurchased?\b", "bought"),
    (r"\bpeople\b", "persons"),
    (r"\btold reporters\b", "said to reporters"),
    (r"\bchildren\b", "kids"),
    (r"\bdied\b", "passed away"),
    (r"\bbuild\b", "construct"),
    (r"\bbuilt\b", "constructed"),
    (r"\bhelp\b", "assist"),
    (r"\bhelped\b", "assisted"),
    (r"\bnear\b", "close to"),
    (r"\bapproximately\b", "about"),
    (r"\bvia\b", "through"),
    (r"\bmovie\b", "film"),
    (r"\bfilm\b", "movie"),
    (r"\bshow(?=s|ed)?\b", "demonstrate"),
    (r"\bobtain", "gain"),
)


def respelled(tokens, tools, rng):
    """Contractions, figures, and pairs of words that are the same."""
    text, options = text_of(tokens), list(SPELLED)
    rng.shuffle(options)
    changed = 0
    for pattern, form in options:
        text, n = re.subn(pattern, form, text)
        changed += n
        if changed >= 2:
            break
    return text if changed else None


def restyled(tokens, tools, rng):
    """The same sentence in lower or upper case, or with less punctuation."""
    text = text_of(tokens)
    how = rng.randrange(4)
    if how == 0:
        return text.lower()
    if how == 1:
        return text.rstrip(".!")
    if how == 2:
        return text.replace(",", "").replace('"', "")
    return text.upper() if rng.random() < 0.3 else text


def synonym(tokens, tools, rng):
    """One or two words by the first synonym of their first sense, where each is the other's."""
    changes = {}
    for i, form in replacements(tokens, tools, rng, "synonyms", lambda words: words[:1]):
        word = tokens[i].lemma
        back = tools.related(form[1], OPEN[tokens[i].tag])["synonyms"]
        if word in back[:2]:
            changes[i] = form[0]
        if len(changes) == 2:
            break
    return replaced(tokens, changes) if changes else None


def replacements(tokens, tools, rng, relation, choose):
    """(index, (form, lemma)) of words that WordNet relates to the sentence's, in random order."""
    indices = [
        i
        for i, t in enumerate(tokens)
        if t.tag in OPEN and t.text.isalpha() and t.text.islower() and t.lemma not in COMMON and len(t.text) > 2
    ]
    rng.shuffle(indices)
    for i in indices:
        token = tokens[i]
        candidates = choose(tools.related(token.lemma, OPEN[token.tag])[relation])
        if candidates:
            word = rng.choice(candidates)
            form = tools.inflect(word, token.tag)
            if form.lower() != token.text.lower():
                yield i, (form, word)


def replaced(tokens, changes):
    return text_of([t._replace(text=changes[i]) if i in changes else t for i, t in enumerate(tokens)])


def with_relation(relation, n):
    """The rule that replaces a word by one of the n nearest that WordNet so relates to it."""

    def edit(tokens, tools, rng):
        replacement = next(replacements(tokens, tools, rng, relation, lambda words: words[:n]), None)
        if replacement is None:
            return None
        i, (form, word) = replacement
        token = tokens[i]
        if relation == "sisters" and word in tools.related(token.lemma, OPEN[token.tag])["synonyms"]:
            return None  # a synonym changes nothing
        return replaced(tokens, {i: form})

    return edit


def other_number(tokens, tools, rng):
    """One digit of a number by another."""
    indices = [i for i, t in enumerate(tokens) if re.fullmatch(r"\d[\d,.]*", t.text)]
    if not indices:
        return None
    i = rng.choice(indices)
    digits = list(tokens[i].text)
    k = rng.choice([j for j, d in enumerate(digits) if d.isdigit()])
    digits[k] = rng.choice([d for d in "123456789" if d != digits[k]])
    return replaced(tokens, {i: "".join(digits)})


NAMES = []


def other_name(tokens, tools, rng):
    """A name by one from another sentence."""
    names = [c for c in chunks(tokens) if c[2] == "NNP"]
    if not names or len(NAMES) < 50:
        NAMES.extend(text_of(tokens[a:b]) for a, b, _ in names)
        return None
    a, b, _ = rng.choice(names)
    name = rng.choice(NAMES)
    NAMES[rng.randrange(len(NAMES))] = text_of(tokens[a:b])
    if name == text_of(tokens[a:b]) or tokens[a].text in MONTHS:
        return None
    return text_of([*tokens[:a], tokens[a]._replace(text=name), *tokens[b:]])


WORDS = {}


def other_word(tokens, tools, rng):
    """A content word by one of the same tag from another sentence: no content word may differ."""
    indices = [i for i, t in enumerate(tokens) if t.tag in OPEN and t.text.isalpha() and t.text.islower()]
    if not indices:
        return None
    i = rng.choice(indices)
    known = WORDS.setdefault(tokens[i].tag, [])
    form = rng.choice(known) if len(known) > 50 else None
    known.append(tokens[i].text)
    related = tools.related(tokens[i].lemma, OPEN[tokens[i].tag])
    if form is None or form == tokens[i].text or form in related["synonyms"]:
        return None
    return replaced(tokens, {i: form})


def same(tokens, tools, rng):
    """The sentence itself."""
    return text_of(tokens)


AUXILIARY = frozenset("is are was were will would can could has have had should may must".split())


def negated(tokens, tools, rng):
    """With "not" or "never", or without the one that is there."""
    i = next((i for i, t in enumerate(tokens[1:-1], 1) if t.text in AUXILIARY), 0)
    if not i:
        i = next((i for i, t in enumerate(tokens[1:-1], 1) if t.tag in ("VBD", "VBZ") and t.text.islower()), 0)
        if not i:
            return None
        does = "did" if tokens[i].tag == "VBD" else "does"
        return replaced(tokens, {i: f"{does} not {tokens[i].lemma}"})
    if tokens[i + 1].text in ("not", "n't"):
        return text_of([*tokens[: i + 1], *tokens[i + 2 :]])
    return replaced(tokens, {i: f"{tokens[i].text} not" if rng.random() < 0.6 else f"{tokens[i].text} never"})


def other_tense(tokens, tools, rng):
    """A present or past verb in the future; some auxiliaries in the past."""
    indices = [i for i, t in enumerate(tokens) if t.tag in ("VBD", "VBZ") and t.text.islower() and t.text.isalpha()]
    if not indices:
        return None
    i = rng.choice(indices)
    if tokens[i].text in AUXILIARY:
        form = {"is": "was", "was": "will be", "has": "had", "were": "will be"}.get(tokens[i].text)
        return form and replaced(tokens, {i: form})
    return replaced(tokens, {i: f"will {tokens[i].lemma}"})


def cut(tokens, tools, rng):
    """Half of the sentence alone: it says too little."""
    indices = [i for i, t in enumerate(tokens[3:-3], 3) if t.text in (",", ";", "and", "but", "who", "which", "that")]
    if not indices or len(tokens) < 14:
        return None
    i = rng.choice(indices)
    if min(i, len(tokens) - i) < 0.35 * len(tokens):
        return None
    part = tokens[:i] if rng.random() < 0.6 else tokens[i + 1 : -1]
    return text_of([*part, Token(".", "", ".", ".")])


def fronted_subject(tokens, tools, rng):
    """X, said Y / Y said X."""
    if len(tokens) < 8 or tokens[-1].text != ".":
        return None
    i = next((i for i, t in enumerate(tokens[:6]) if t.text in ("said", "says") and t.lemma), 0)
    if not 0 < i < 5 or tokens[i + 1].text in (",", '"', "in", "on", "the") and tokens[i + 1].text != "the":
        return None
    who, what = tokens[:i], tokens[i + 1 : -1]
    if what and what[0].text == "that":
        what = what[1:]
    if len(what) < 4 or any(t.text == '"' for t in tokens):
        return None
    who = who if who[0].tag == "NNP" else [who[0]._replace(text=who[0].text.lower()), *who[1:]]
    return text_of([*what, Token(",", "", ",", ","), who[0]._replace(space=" "), *who[1:], tokens[i], tokens[-1]])


ADVERBS = frozenset(
    "also very really quite only just currently recently later then however therefore reportedly "
    "apparently actually finally eventually previously mainly mostly largely especially".split()
)


def eased(tokens, tools, rng):
    """Without an aside: brackets, what stands between two commas, an adverb, or a last remark."""
    options = []
    commas = [i for i, t in enumerate(tokens[:-1]) if t.text == ","]
    for a, b in pairwise(commas):
        if (
            2 <= b - a <= 9
            and tokens[a + 1].text not in ("and", "or")
            and tokens[b + 1].text not in ("and", "or")
            and (tokens[a + 1].tag in ("DT", "WP", "WDT", "IN", "VBN", "VBG", "RB"))
        ):
            options.append((a, b + 1))
    opened = [i for i, t in enumerate(tokens) if t.text == "("]
    for a in opened:
        b = next((i for i, t in enumerate(tokens[a:], a) if t.text == ")"), 0)
        if b and b - a < 10:
            options.append((a, b + 1))
    if commas and len(tokens) - commas[-1] < 0.3 * len(tokens) and tokens[commas[-1] + 1].tag in ("VBG", "IN", "DT"):
        options.append((commas[-1], len(tokens) - 1))
    options += [(i, i + 1) for i, t in enumerate(tokens) if i and t.text in ADVERBS]
    if not options or len(tokens) < 10:
        return None
    a, b = rng.choice(options)
    if b - a > 0.35 * len(tokens):
        return None
    return text_of([*tokens[:a], *tokens[b:]])


# Rules with their labels, 1 for a paraphrase, and how often they are tried.
WORDS_OF_SHORT = (
    (other_word, 0, 1.0),
    (synonym, 1, 1.0),
    (synonym, 1, 0.5),
    (same, 1, 0.08),
    (restyled, 1, 0.1),
    (respelled, 1, 1.0),
    (negated, 0, 0.1),
    (other_tense, 0, 0.05),
    (other_number, 0, 0.3),
    (with_relation("antonyms", 2), 0, 1.0),
    (swap, 0, 0.1),
)
EASED = ((eased, 1, 1.0),)
SWAPS = ((swap, 0, 1.0),)
REWORDINGS = (
    (swap_coordinated, 1, 1.0),
    (move_adverbial, 1, 1.0),
    (front_adverbial, 1, 1.0),
    (respelled, 1, 0.7),
    (restyled, 1, 0.15),
    (synonym, 1, 0.4),
    (fronted_subject, 1, 1.0),
)
EDITS = (
    (with_relation("antonyms", 2), 0, 0.5),
    (with_relation("sisters", 6), 0, 0.4),
    (other_number, 0, 0.4),
    (other_name, 0, 0.5),
    (negated, 0, 0.4),
    (other_tense, 0, 0.2),
    (cut, 0, 0.5),
)


def apply(sentences, rules, tools, rng) -> list:
    """The pairs that the rules make from tagged sentences."""
    pairs = []
    for tokens in sentences:
        if not tokens:
            continue
        for rule, label, share in rules:
            if rng.random() < share:
                other = rule(tokens, tools, rng)
                text = text_of(tokens)
                if other and (other != text or label):
                    pairs.append((text, other, label))
    return pairs

"""Words of two texts that are not quite the same, aligned: other case, quotes and hyphens, tokens joined or cut, words
dropped or added.

Both texts are compared as characters without spaces, each token in a plain form. What is equal is found from the
outside in: runs of characters that each text has once (as patience diff does with lines; linear but for a sort), then
the same within the gaps with shorter runs, and what is small by `difflib`. Two tokens belong together if
they share at least half of the shorter one's characters.
"""

import re
import unicodedata
from bisect import bisect_left
from difflib import SequenceMatcher
from itertools import accumulate, pairwise
from typing import NamedTuple

import numpy as np

RUNS = (24, 8, 4)  # characters that are looked for at once
SMALL = 10_000  # pairs of characters of a gap that difflib is given
FACTOR = np.uint64(0x9E3779B97F4A7C15)  # odd, no pattern in its bits
BRACKETS = {"-lrb-": "(", "-rrb-": ")", "-lsb-": "[", "-rsb-": "]", "-lcb-": "{", "-rcb-": "}"}  # Penn Treebank
SLASHED = re.compile(r"/(?=\W$)")  # "/." of OntoNotes' spoken texts
QUOTES = "\"'`´‘’‚‛“”„‟«»‹›′″＂＇"
HYPHENS = "-‐‑‒–—―−﹘﹣－"
AS_ONE = str.maketrans(dict.fromkeys(QUOTES, "'") | dict.fromkeys(HYPHENS, "-"))
REPEATED = re.compile(r"'{2,}|-{2,}")
NOT_SEEN = ("Cf", "Zs", "Cc", "Zl", "Zp")  # categories of Unicode: joiners, spaces, marks of direction


class Links(NamedTuple):
    """What belongs together in two texts, in order."""

    first: list[int]  # for each token of the response the first of the key's that belong to it; -1 for none
    last: list[int]  # and the last
    shared: int  # how many characters are the same
    characters: tuple[int, int]  # how many there are in the key and in the response


def plain_form(token: str) -> str:
    """A token as it is compared: no case, one kind of quotes and of hyphens, nothing that is not seen."""
    form = unicodedata.normalize("NFKC", token.casefold())
    form = SLASHED.sub("", BRACKETS.get(form, form))
    if not form.isascii() or not form.isprintable() or " " in form:
        form = "".join(c for c in form if unicodedata.category(c) not in NOT_SEEN)
    return REPEATED.sub(lambda run: run[0][0], form.translate(AS_ONE))


def is_punctuation(token: str) -> bool:
    """Whether a token has no letter and no digit."""
    return not any(character.isalnum() for character in token)


def link_tokens(key: list[str], response: list[str], form=plain_form) -> Links:
    """Which tokens of a key and of a response belong together, in order; `form` says what is compared of a token."""
    ours, theirs = _Text(key, form), _Text(response, form)
    blocks = _moved_right(_joined(_blocks(ours, theirs)), ours.characters, theirs.characters)
    blocks = _moved_left(blocks, ours.characters, theirs.characters)
    pairs = _pairs(blocks, ours, theirs)
    first, last = np.full(len(response), -1), np.full(len(response), -1)
    first[pairs[1][::-1]] = pairs[0][::-1]
    last[pairs[1]] = pairs[0]
    shared = sum(length for _, _, length in blocks)
    return Links(first.tolist(), last.tolist(), shared, (len(ours.characters), len(theirs.characters)))


class _Text:
    """The characters of a text, and which token each is of."""

    def __init__(self, tokens, form):
        forms = {token: form(token) for token in set(tokens)}
        lengths = [len(forms[token]) for token in tokens]
        self.characters = "".join(map(forms.__getitem__, tokens))
        words = {token: None if is_punctuation(own) else own for token, own in forms.items()}
        self.words = [words[token] or (self, number) for number, token in enumerate(tokens)]  # no sign is as another
        self.lengths = np.array(lengths, np.int64)
        self.token = np.repeat(np.arange(len(tokens)), self.lengths)
        self.offsets = list(accumulate(lengths, initial=0))
        self.bounds = set(self.offsets)  # where tokens begin and end
        self.codes = np.frombuffer(self.characters.encode("utf-32-le"), np.uint32).astype(np.uint64)


def _pairs(blocks, ours, theirs):
    """Arrays of tokens of the key and of the response that belong together."""
    if not blocks:
        return np.zeros((2, 0), np.int64)
    here, there, lengths = np.array(blocks).T
    offsets = np.arange(lengths.sum()) - np.repeat(np.cumsum(lengths) - lengths, lengths)
    key, response = ours.token[np.repeat(here, lengths) + offsets], theirs.token[np.repeat(there, lengths) + offsets]
    new = np.flatnonzero(np.diff(key, prepend=-1) | np.diff(response, prepend=-1))
    times = np.diff(new, append=len(key))
    key, response = key[new], response[new]
    enough = 2 * times >= np.minimum(ours.lengths[key], theirs.lengths[response])
    return np.stack([key[enough], response[enough]])


# ---- Equal runs of characters: (begin in the key, begin in the response, length) ----


def _blocks(ours, theirs):
    """Equal runs that follow each other in both texts: the sure ones first, then those in the gaps between them."""
    blocks, gaps = [], [(0, len(ours.characters), 0, len(theirs.characters), 0)]
    while gaps:
        *gap, step = gaps.pop()
        ends, gap = _equal_ends(ours, theirs, *gap)
        blocks += ends
        begin, end, start, stop = gap
        if begin == end or start == stop:
            continue
        if (end - begin) * (stop - start) <= SMALL:
            blocks += _by_difflib(ours, theirs, *gap)
        elif step < len(RUNS):
            runs = _unique_runs(ours, theirs, *gap, RUNS[step])
            blocks += runs
            edges = [(begin, start, 0), *runs, (end, stop, 0)]
            gaps += [(i + n, k, j + n, m, step + 1) for (i, j, n), (k, m, _) in pairwise(edges)]
    return sorted(blocks)


def _joined(runs):
    """Runs that touch on both sides as one."""
    joined = []
    for i, j, n in runs:
        before = joined[-1] if joined else (-1, -1, 0)
        if before[0] + before[2] == i and before[1] + before[2] == j:
            joined[-1] = (before[0], before[1], before[2] + n)
        else:
            joined.append((i, j, n))
    return joined


def _moved_right(runs, key, response):
    """A run that touches the next on one side and, on the other, has its characters before that as well, joins it.

    So "the" of "Here is the text: the dog" goes to the dog, not to what is around it.
    """
    runs = list(runs)
    for number in reversed(range(len(runs) - 1)):
        (i, j, n), (k, m, length) = runs[number : number + 2]
        touches_in_key, touches_in_response = i + n == k, j + n == m
        if n > length or not (touches_in_key or touches_in_response):
            continue
        before_next = key[k - n : k] if touches_in_response else response[m - n : m]
        if before_next == key[i : i + n]:
            runs[number : number + 2] = [(k - n, m - n, n + length)]
    return runs


def _moved_left(runs, key, response):
    """The same with a run and the one before it, which is longer."""
    kept = runs[:1]
    for k, m, length in runs[1:]:
        i, j, n = kept[-1]
        end, stop = i + n, j + n
        touches_in_key, touches_in_response = end == k, stop == m
        behind_last = key[end : end + length] if touches_in_response else response[stop : stop + length]
        if length < n and (touches_in_key or touches_in_response) and behind_last == key[k : k + length]:
            kept[-1] = (i, j, n + length)
        else:
            kept.append((k, m, length))
    return kept


def _equal_ends(ours, theirs, begin, end, start, stop):
    """The whole tokens with which a gap begins and ends on both sides, and what is left of the gap."""

    def first_same(same):
        return len(same) if same.all() else int(same.argmin())

    n = min(end - begin, stop - start)
    first = first_same(ours.codes[begin : begin + n] == theirs.codes[start : start + n])
    while first and not _ends_tokens(ours, theirs, begin + first, start + first):
        first -= 1
    n -= first
    last = first_same((ours.codes[end - n : end] == theirs.codes[stop - n : stop])[::-1])
    while last and not _ends_tokens(ours, theirs, end - last, stop - last):
        last -= 1
    blocks = [(begin, start, first), (end - last, stop - last, last)]
    return [block for block in blocks if block[2]], (begin + first, end - last, start + first, stop - last)


def _ends_tokens(ours, theirs, i, j):
    """Whether tokens begin or end at these two places."""
    return i in ours.bounds and j in theirs.bounds


def _by_difflib(ours, theirs, begin, end, start, stop):
    """Equal runs in a small gap: words that are the same, and in the gaps between them characters."""
    here, there = ours.token[begin], theirs.token[start]
    words = ours.words[here : ours.token[end - 1] + 1], theirs.words[there : theirs.token[stop - 1] + 1]
    for i, j, n in _equal_items(*words):
        first, other = ours.offsets[here + i], theirs.offsets[there + j]
        yield from _by_characters(ours, theirs, begin, first, start, other)
        begin, start = ours.offsets[here + i + n], theirs.offsets[there + j + n]
        if n:
            yield first, other, begin - first


def _equal_items(one, other):
    """Equal runs as `difflib` has them; the last is empty, at the end."""
    return SequenceMatcher(None, one, other, autojunk=False).get_matching_blocks()


def _by_characters(ours, theirs, begin, end, start, stop):
    """Equal characters of two gaps, without those in the middle of tokens on either side, which are accidents."""
    for i, j, n in _equal_items(ours.characters[begin:end], theirs.characters[start:stop]):
        i, j = i + begin, j + start
        if n and (_ends_tokens(ours, theirs, i, j) or _ends_tokens(ours, theirs, i + n, j + n)):
            yield i, j, n


def _unique_runs(ours, theirs, begin, end, start, stop, length):
    """Runs of at least so many characters that are once on each side, in one order on both, in whole tokens."""
    if end - begin < length or stop - start < length:
        return []
    key, key_at = _once(ours.codes[begin:end], length)
    response, response_at = _once(theirs.codes[start:stop], length)
    _, i, j = np.intersect1d(key, response, assume_unique=True, return_indices=True)
    i, j = key_at[i], response_at[j]
    order = np.argsort(i)
    i, j = i[order] + begin, j[order] + start
    # What follows on the same diagonal, before the run is over, goes on with it.
    new = np.flatnonzero((np.diff(i, prepend=-length - 1) > length) | (np.diff(i - j, prepend=end + stop) != 0))
    ends = i[np.append(new[1:], len(i)) - 1] + length if len(new) else i
    runs = zip(i[new].tolist(), j[new].tolist(), (ends - i[new]).tolist(), strict=True)
    whole = (_whole_tokens(ours, theirs, *run) for run in _heaviest_chain(list(runs)))
    return [run for run in whole if run[2] > 0]


def _once(codes, length):
    """Numbers for the runs of so many characters that are there once, and where each begins."""
    values = np.zeros(len(codes) - length + 1, np.uint64)
    for offset in range(length):
        values = values * FACTOR + codes[offset : offset + len(values)]  # modulo 2**64
    values, positions, times = np.unique(values, return_index=True, return_counts=True)
    return values[times == 1], positions[times == 1]


def _whole_tokens(ours, theirs, i, j, n):
    """A run without the parts of tokens at both ends."""
    while n and not _ends_tokens(ours, theirs, i, j):
        i, j, n = i + 1, j + 1, n - 1
    while n and not _ends_tokens(ours, theirs, i + n, j + n):
        n -= 1
    return i, j, n


def _heaviest_chain(runs):
    """Of runs in the key's order those that are in one order in the response too, as many characters as can be."""
    begins, weights, numbers, before = [], [], [], {}  # the best chain that ends at each begin in the response
    for number, (_, j, n) in enumerate(runs):
        at = bisect_left(begins, j)
        weight = n + (weights[at - 1] if at else 0)
        before[number] = numbers[at - 1] if at else None
        beyond = at
        while beyond < len(begins) and weights[beyond] <= weight:
            beyond += 1
        if at == len(begins) or begins[at] > j or beyond > at:
            begins[at:beyond], weights[at:beyond], numbers[at:beyond] = [j], [weight], [number]
    chain, number = [], numbers[-1] if numbers else None
    while number is not None:
        chain.append(runs[number])
        number = before[number]
    return _without_overlaps(chain[::-1])


def _without_overlaps(chain):
    """Runs that begin after the one before is over on both sides."""
    free_key = free_response = 0
    for i, j, n in chain:
        cut = max(0, free_key - i, free_response - j)
        if cut < n:
            yield i + cut, j + cut, n - cut
            free_key, free_response = i + n, j + n

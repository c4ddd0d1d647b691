"""A response in other tokens than the key's: its mentions carried over to the key's words.

A mention of the response begins between two of its tokens, and ends between two. In the key's words each of
the two is one place, or where words are dropped, added, joined or cut, one of several: then the key's own
mentions decide, the nearest first. What cannot be carried is lost: {what became of it: the words of each mention}.
"""

from bisect import bisect_left
from collections import defaultdict
from dataclasses import replace
from os.path import commonprefix

from .common import Message, input_error, setting, short_repr
from .documents import Document, Mention, runs_of
from .match_tokens import is_punctuation, link_tokens, plain_form

WORDS = ("exact", "aligned")
WAY_OUT = Message(setting("words", "aligned"), " aligns words that differ a little")
OTHER_TEXT = 0.5  # with less in common, of the shorter text's characters, it is not the same text


# What becomes of mentions that cannot be carried.
OUTSIDE = "of the response are left out, because they stand before or after the key's text"
ADDED = "of the response are on words that the key does not have, and count as spurious"
TOGETHER = "of the response fall together with another in the key's words, and count as spurious"
WITHIN = (
    "of the key are left out, because they begin or end within a token of the response (text with characters or "
    "brackets can have them)"
)
HALF = "of the response are left out, because they may be mentions of the key that begin or end within a token"


def carry(key: Document, response: Document, words: str, lost: dict[str, list]) -> tuple[Document, Document]:
    """Key and response, documents with words, in the key's words; `lost` is told what cannot be carried.

    Raises:
        ValueError: other characters (words="exact"), a text that has little in common with the key's, empty nodes in
            a response with other words.
    """
    if response.empty:
        raise input_error(response.where, "empty nodes beside other words than the key's", "a text without empty nodes")
    text = key.text
    ours = [key.tokens[position] for position in text]
    links = link_tokens(ours, response.tokens, plain_form if words == "aligned" else _without_spaces)
    _check_same_text(key, response, words, links)
    numbers = {position: number for number, position in enumerate(text)}
    kept = _expressible(key, ours, numbers, response, links, lost)
    runs, kept_runs = ({_run(mention, numbers) for mention in side} for side in (key.mentions, kept))
    targets = _Targets(ours, response, links, runs)
    mentions = targets.carried(response.mentions, runs - kept_runs, lost)
    moved = replace(response, words=ours, mentions=mentions, sentences=key.sentences_of_text, lines=[])
    return replace(key, mentions=kept), moved


def _without_spaces(token):
    return "".join(token.split())


def _check_same_text(key, response, words, links):
    if words == "exact" and links.shared != max(links.characters):
        ours, theirs = ("".join(map(_without_spaces, each.words)) for each in (key, response))
        if ours != theirs:
            at = len(commonprefix([ours, theirs]))
            found = f"{short_repr(theirs[at : at + 20])} after {at} characters (spaces aside)"
            expected = f"{short_repr(ours[at : at + 20])} as in {key.where}; "
            raise input_error(response.where, found, Message(expected, WAY_OUT))
    if links.shared < OTHER_TEXT * min(links.characters):
        found = f"only {links.shared} of the {links.characters[0]} characters of the words in {key.where}"
        raise input_error(response.where, found, "the same text as in the key")


def _run(mention, numbers):
    """(first, last) of a mention's words, as the text counts them; None for one in parts or with empty nodes."""
    first, last = (numbers.get(mention.positions[end]) for end in (0, -1)) if mention.positions else (None, None)
    whole = first is not None and last is not None and last - first == len(mention.positions) - 1
    return (first, last) if whole else None


def _expressible(key, ours, numbers, response, links, lost):
    """The key's mentions without those that begin or end within a token of the response, between two words of it."""
    if response.from_text:
        return key.mentions
    cuts = set()
    for first, last in zip(links.first, links.last, strict=True):
        if first < last:
            words = [i for i in range(first, last + 1) if not is_punctuation(ours[i])]
            cuts.update(range(words[0] + 1, words[-1] + 1) if words else ())
    if not cuts:
        return key.mentions
    kept = []
    for mention in key.mentions:
        inside = [numbers[position] for position in mention.positions if position in numbers]
        if any(first in cuts or last + 1 in cuts for first, last in runs_of(tuple(inside))):
            lost[WITHIN].append(_quoted(key.words, mention))
        else:
            kept.append(mention)
    return kept


def _quoted(words, mention):
    return " ".join(words[position] for position in mention.positions)


class _Targets:
    """Where in the key's words mentions of the response are; `spans` are the key's mentions, (first, last) or None."""

    def __init__(self, ours, response, links, spans):
        self.words, self.links, self.theirs = ours, links, response.words
        self.spans = set(spans) - {None}
        self.ends = defaultdict(list)  # {where mentions of the key begin: where they end}
        for first, last in self.spans:
            self.ends[first].append(last)
        self.starts = sorted(self.ends)
        self.linked = [number for number, first in enumerate(links.first) if first >= 0]

    def carried(self, mentions, left_out, lost):
        """The mentions in the key's words; `left_out` are the key's mentions that no mention can be carried to."""
        targets = self._targets([mention.positions for mention in mentions], left_out)
        return [moved for mention in mentions if (moved := self._moved(mention, targets, lost))]

    def _targets(self, mentions, left_out):
        """{positions in the response: positions in the key's words, () for what may be a mention that is left out}.

        No two mentions have the same target. Those whose words are just a mention's of the key have the first choice.
        """
        targets, taken, later = {}, set(), []
        for positions in dict.fromkeys(mentions):
            runs = runs_of(positions)
            own = [span for run in runs if (span := self._own(run))]
            if len(runs) == 1 and own and own[0] not in self.spans:
                later.append((positions, runs[0], own[0]))
                continue
            target = tuple(sorted({number for span in own for number in _positions(span)}))
            if target and target not in taken:
                targets[positions] = target
                taken.add(target)
        for positions, run, own in later:
            whole, half = self._choices(run, own)
            best = next((span for span in (*whole, own) if _positions(span) not in taken), None)
            if best in (None, own) and not left_out.isdisjoint(half):
                targets[positions] = ()
            elif best is not None:
                targets[positions] = _positions(best)
                taken.add(targets[positions])
        return targets

    def _own(self, run):
        """The words that belong to a run of tokens, without punctuation joined to its ends; None if there are none."""
        inside = self.linked[bisect_left(self.linked, run[0]) : bisect_left(self.linked, run[1] + 1)]
        if not inside:
            return None
        start, end = first, last = self.links.first[inside[0]], self.links.last[inside[-1]]
        while start < self.links.last[inside[0]] and is_punctuation(self.words[start]):
            start += 1
        while end > self.links.first[inside[-1]] and is_punctuation(self.words[end]):
            end -= 1
        return (start, end) if start <= end else (first, last)

    def _choices(self, run, own):
        """The key's mentions that a run of tokens may be, the nearest first; and those with parts of its end tokens."""
        first, last = self.links.first, self.links.last
        at, beyond = bisect_left(self.linked, run[0]), bisect_left(self.linked, run[1] + 1)
        first_token, last_token = self.linked[at], self.linked[beyond - 1]
        # Words beside the run that no token belongs to may be part of it.
        free_from = last[self.linked[at - 1]] + 1 if at else 0
        free_until = first[self.linked[beyond]] - 1 if beyond < len(self.linked) else len(self.words) - 1
        low, high = min(free_from, first[first_token]), max(free_until, last[last_token])
        begins = self.starts[bisect_left(self.starts, low) : bisect_left(self.starts, last[first_token] + 1)]
        half = [(begin, end) for begin in begins for end in self.ends[begin] if first[last_token] <= end <= high]
        whole = [(begin, end) for begin, end in half if begin <= own[0] and own[1] <= end]
        return sorted(whole, key=lambda span: (span[1] - span[0], span)), half

    def _moved(self, mention, targets, lost):
        """A mention in the key's words; with a name and no words, where it has none of them; None if it is left out."""
        target = targets.get(mention.positions)
        if target:
            heads = [self.links.first[number] for number in mention.head if self.links.first[number] >= 0]
            head = (heads or target)[0]
            return mention._replace(positions=target, head=(head,) if mention.head else ())
        first, last = mention.positions[0], mention.positions[-1]
        if target == ():
            what = HALF
        elif not self.linked or last < self.linked[0] or first > self.linked[-1]:
            what = OUTSIDE
        else:
            what = TOGETHER if self._own((first, last)) else ADDED
        words = _quoted(self.theirs, mention)
        lost[what].append(words)
        return None if what in (HALF, OUTSIDE) else Mention(mention.entity, (), (), mention.line, f"{words} (+{first})")


def _positions(span):
    return tuple(range(span[0], span[1] + 1))

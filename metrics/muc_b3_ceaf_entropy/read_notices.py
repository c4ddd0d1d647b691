"""What is said of two files whose scores are not what they seem: nothing there or in common, words not compared."""

from collections import Counter

from .common import Message, Term, input_error, short_repr, warn
from .documents import Document, Pair, listed
from .match_repeats import OF_THE_KEY
from .match_words import has_words

SHIFTS = {  # (of the begin, of the end): what it means
    (0, -1): "their ends were exclusive",
    (-1, -1): "their positions were counted from 1",
    (-1, 0): "their begins were counted from 1",
    (1, 1): "the key's positions were counted from 1",
    (0, 1): "the key's ends were exclusive",
}
FEW = 0.5  # of the mentions: where fewer are in common, another reading is tried
FEWEST = 2  # mentions of a side of which something is said


def announce_repeats(dropped: Counter) -> None:
    """Warnings for repeated mentions, as `match_repeats.drop_repeats` counts them."""
    of_the_key = [kind[1] for kind in dropped if isinstance(kind, tuple) and kind[0] == OF_THE_KEY]
    for kind, times in dropped.items():
        if isinstance(kind, str):
            warn(f"left out {times} mentions that are a second time {kind}")
    if of_the_key:
        warn(
            f"the key has {len(of_the_key)} mentions in several entities: {listed(of_the_key)}; they count as in the "
            "CoNLL scorer: found in the entity that begins last, missed in the others"
        )


def announce_left_out(pairs: list[Pair]) -> None:
    """A warning for annotation that is not scored."""
    left_out = sum((pair.left_out for pair in pairs), Counter())
    if left_out:
        kinds = ", ".join(f"{times} {kind}" for kind, times in left_out.items())
        warn(f"coreference alone is scored, as by corefud-scorer; not scored, both sides together: {kinds}")


def announce_words(keys: list[Document], responses: list[Document]) -> None:
    """A warning where positions were taken as they are, because a file has no words to compare."""
    bare = [document for document in (*keys, *responses) if not has_words(document) and _has_positions(document)]
    if bare and _files(keys) != _files(responses):
        warn(
            f"the words of {len(bare)} documents were not compared, because {_files(bare)} has none; the mentions' "
            "positions are taken as they are"
        )


def announce_mentions(
    keys: list[Document], responses: list[Document], pairs: list[Pair], allow_empty: bool = True
) -> None:
    """A warning where a side has no mention, or few are the same that would be the same if they were read otherwise.

    Raises:
        ValueError: responses with words have no mention, where the keys have some (allow_empty=False).
    """
    counts = [sum(len(document.mentions) for document in side) for side in (keys, responses)]
    if counts[0] and not counts[1] and not allow_empty and any(map(has_words, responses)):
        expected = Message(
            f"some as in the key, which has {counts[0]}, or ", Term("allow_empty=True", "allow_empty", value="")
        )
        raise input_error(_files(responses), "text and not one mention", expected)
    for side, own, others, name, other in (
        (keys, *counts, "key", "response"),
        (responses, *reversed(counts), "response", "key"),
    ):
        if others and not own:
            warn(
                f"found no mention in the {name} {_files(side)}, and {others} in the {other}: "
                "is it the right file, column or field?"
            )
    if not any(counts):
        warn("found no mention on either side: are they the right files, is it the right format?")
    if all(counts):
        _announce_common(pairs)


def _announce_common(pairs):
    """A warning where nothing, or less than under another reading, is in common."""
    common = sum(len(pair.matches) for pair in pairs)
    smaller = min(sum(len(pair.key) for pair in pairs), sum(len(pair.response) for pair in pairs))
    if common >= FEW * smaller or smaller < FEWEST:
        return
    shifted = {shift: sum(_shifted_matches(pair, *shift) for pair in pairs) for shift in SHIFTS}
    best = max(shifted, key=shifted.get)
    if shifted[best] > max(2 * common, FEW * smaller):
        total = sum(len(pair.response) for pair in pairs)
        warn(
            f"found {common} of the response's {total} mentions in the key, and {shifted[best]} if {SHIFTS[best]}: "
            "expected positions from 0, ends inclusive"
        )
    elif not common:
        first = next(pair for pair in pairs if pair.key and pair.response)
        names = [_quoted(first, side) for side in (first.key, first.response)]
        warn(
            f"found no mention that key and response have in common, such as {names[0]} in the key and {names[1]} in "
            f"the response of {short_repr(first.name)}: are the mentions the same, in the same text?"
        )


def _shifted_matches(pair, begin, end):
    """How many mentions of the response are the key's, if their ends are moved."""
    key = {(m.positions[0], m.positions[-1]) for m in pair.key if m.positions}
    return sum((m.positions[0] + begin, m.positions[-1] + end) in key for m in pair.response if m.positions)


def _quoted(pair, mentions):
    mention = mentions[0]
    if not mention.positions:
        return short_repr(mention.name, 60)
    place = f"{mention.positions[0]}-{mention.positions[-1]}"
    words = " ".join(pair.words[position] for position in mention.positions) if pair.words else ""
    return f"{short_repr(words, 60)} ({place})" if words.strip() else place


def _has_positions(document):
    return any(mention.positions for mention in document.mentions)


def _files(documents):
    return " and ".join(sorted({document.file for document in documents}))

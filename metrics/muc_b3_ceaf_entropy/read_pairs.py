"""Two files as pairs of documents: cleaned of repeated mentions and singletons, aligned, matched.

What is left out is warned of, once for both files, and so are files whose scores are not what they seem: nothing there
or in common, words not compared. The options are `score_files.FileOptions`.
"""

from collections import Counter, defaultdict

from .common import Message, Term, argument, input_error, setting, short_repr, warn
from .documents import Document, Pair, drop_singletons, listed
from .match_documents import pair_documents
from .match_mentions import counted_twice, match_mentions
from .match_repeats import OF_THE_KEY, copies_of, drop_repeats
from .match_words import align, has_words
from .read_formats import FORMATS, read_documents
from .read_json import KEY_CLUSTERS, RESPONSE_CLUSTERS

SHIFTS = {  # (of the begin, of the end): what it means
    (0, -1): "their ends were exclusive",
    (-1, -1): "their positions were counted from 1",
    (-1, 0): "their begins were counted from 1",
    (1, 1): "the key's positions were counted from 1",
    (0, 1): "the key's ends were exclusive",
}
FEW = 0.5  # of the mentions: where fewer are in common, another reading is tried
FEWEST = 2  # mentions of a side of which something is said


def read_pairs(key: str, response: str, options) -> list[Pair]:
    """Key and response of every document, aligned and matched; one warning for what is left out.

    Raises:
        ValueError: as `score_files`.
    """
    return announced_pairs(*read_sides(key, response, options), options)[0]


def announced_pairs(keys: list[Document], responses: list[Document], options) -> tuple[list[Pair], Counter]:
    """As `pairs_of`; with one warning for what is left out, and errors as for `read_pairs`."""
    headless = heads_wanted(keys, responses, options.match)
    if headless:
        found = f"{short_repr(options.match)}, but mentions without heads in {headless.where}"
        heads = 'heads, as CorefUD has them (of a key in the UA format, Min will do for "partial"), or '
        raise input_error(argument("match"), found, Message(heads, setting("match", "exact")))
    lost: dict[str, list] = defaultdict(list)
    pairs, dropped = pairs_of(keys, responses, options, lost)
    announce_repeats(dropped)
    announce_left_out(pairs)
    announce_words(keys, responses)
    for what, quoted in lost.items():
        warn(f"{len(quoted)} mentions {what}: {listed(list(map(short_repr, quoted)))}")
    announce_mentions(keys, responses, pairs, options.allow_empty)
    if guessed := sum(document.headless for document in (*keys, *responses)) * (options.match != "exact"):
        warn(f"{guessed} mentions of several words name no head; their first word is taken, as by corefud-scorer")
    if twice := sum(counted_twice(pair, options.match) for pair in pairs) if options.zeros == "dependent" else 0:
        warn(
            f"{twice} mentions have the words of another that is not their match, because zeros are matched by "
            "dependencies; here each counts once, corefud-scorer 1.2 counts some of them twice"
        )
    return pairs, dropped


def read_sides(key: str, response: str, options) -> tuple[list[Document], list[Document]]:
    """The documents of both sides, as the files have them; arguments and errors as for `read_pairs`."""
    keys = read_documents(key, options.format, options.key_field, KEY_CLUSTERS, options.word_column)
    responses = read_documents(response, options.format, options.field, RESPONSE_CLUSTERS, options.word_column)
    for document in (*keys, *responses) if options.cross_document else ():
        if not FORMATS[document.format].names_entities:
            known = ", ".join(name for name, each in FORMATS.items() if each.names_entities)
            odd = f"the format {document.format} ({document.where})"
            found = f"{odd}, in which entities have no names beyond their document"
            raise input_error(argument("cross_document"), found, f"one of the formats {known}")
    return keys, responses


def heads_wanted(keys: list[Document], responses: list[Document], match: str) -> Document | None:
    """A document that lacks the heads without which the matching would be another one; None if there is none."""
    for documents in {"exact": (), "partial": (keys,), "head": (keys, responses)}[match]:
        bare = [document for document in documents if not all(mention.head for mention in document.mentions)]
        # For "partial", a markable without Min is matched by its words, as long as there are others.
        if bare and (match == "head" or not any(mention.head for each in documents for mention in each.mentions)):
            return bare[0]
    return None


def pairs_of(
    keys: list[Document], responses: list[Document], options, lost: dict | None = None
) -> tuple[list[Pair], Counter]:
    """Documents of both sides aligned and matched, and how many mentions of which kind are repeated.

    The documents stay as they are. `lost` is told which mentions cannot be carried over to the key's words.
    """
    pairs: list[Pair] = []
    dropped: Counter = Counter()
    for key, response in pair_documents(keys, responses, options.documents):
        pair = align(key, response, options.words, lost)
        dropped += drop_repeats(pair, (key, response), options.match, options.duplicates)
        pairs.append(pair)
    if not options.keep_singletons:  # before mentions are matched, as they would take a match from others
        for together in [pairs] if options.cross_document else [[pair] for pair in pairs]:
            drop_singletons(together)
    for pair in pairs:
        pair.matches = match_mentions(pair, options.match, options.zeros)
        copies = copies_of(pair.key, options.match) if dropped else {}
        matched = set(pair.matches.values())  # a zero's copy may be, by its dependencies
        pair.copies = {number: last for number, last in copies.items() if number not in matched}
    return pairs, dropped


# ---- What is said of odd files ----


def announce_repeats(dropped: Counter) -> None:
    """Warnings for repeated mentions, as `match_repeats.drop_repeats` counts them."""
    of_the_key = [kind[1] for kind in dropped if isinstance(kind, tuple) and kind[0] == OF_THE_KEY]
    for kind, times in dropped.items():
        if isinstance(kind, str):
            warn(f"left out {times} mentions that stand a second time {kind}")
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
    bare = [each for each in (*keys, *responses) if not has_words(each) and any(m.positions for m in each.mentions)]
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
            f"mentions as in the key, which has {counts[0]}, or ", Term("allow_empty=True", "allow_empty", value="")
        )
        raise input_error(_files(responses), "text without a mention", expected)
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
        warn("found no mention on either side: are these the right files, and is this the right format?")
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


def _files(documents):
    return " and ".join(sorted({document.file for document in documents}))

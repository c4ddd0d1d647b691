"""Two files as pairs of documents: cleaned of repeated mentions and singletons, aligned, matched.

What is left out is warned of, once for both files. The options are `score_files.FileOptions`.
"""

from collections import Counter, defaultdict

from .common import Message, argument, input_error, setting, short_repr, warn
from .documents import Document, Pair, drop_singletons, listed
from .match_documents import pair_documents
from .match_mentions import counted_twice, match_mentions
from .match_repeats import copies_of, drop_repeats
from .match_words import align
from .read_formats import FORMATS, read_documents
from .read_json import KEY_CLUSTERS, RESPONSE_CLUSTERS
from .read_notices import announce_left_out, announce_mentions, announce_repeats, announce_words


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
            raise input_error(argument("cross_document"), found, known)
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

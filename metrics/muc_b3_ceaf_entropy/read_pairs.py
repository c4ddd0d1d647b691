"""Two files as pairs of documents: cleaned of repeated mentions and singletons, aligned, matched.

What is left out is warned of, once for both files. The options are `score_files.FileOptions`.
"""

from collections import Counter
from dataclasses import replace

from .common import short_repr, warn
from .documents import Document, Pair, mention_name
from .match_mentions import counted_twice, identity, match_mentions
from .match_words import align, pair_documents
from .read_formats import FORMATS, read_documents
from .read_json import KEY_CLUSTERS, RESPONSE_CLUSTERS


def read_pairs(key: str, response: str, options) -> list[Pair]:
    """Key and response of every document, aligned and matched; one warning for what is left out.

    Raises:
        ValueError: as `score_files`.
    """
    keys, responses = read_sides(key, response, options)
    headless = heads_wanted(keys, responses, options.match)
    if headless:
        raise ValueError(
            f"match: found {short_repr(options.match)}, but mentions without heads in {headless.where}, expected "
            'heads, as CorefUD has them (of a key in the UA format, Min will do for "partial"), or match="exact"'
        )
    pairs, dropped = pairs_of(keys, responses, options)
    _announce(pairs, dropped)
    _announce_headless(keys, responses, options.match)
    if options.zeros == "dependent":
        _announce_twice(sum(counted_twice(pair, options.match) for pair in pairs))
    return pairs


def read_sides(key: str, response: str, options) -> tuple[list[Document], list[Document]]:
    """The documents of both sides, as the files have them; arguments and errors as for `read_pairs`."""
    keys = read_documents(key, options.format, options.key_field, KEY_CLUSTERS)
    responses = read_documents(response, options.format, options.field, RESPONSE_CLUSTERS)
    for document in (*keys, *responses) if options.cross_document else ():
        if not FORMATS[document.format].names_entities:
            known = ", ".join(name for name, each in FORMATS.items() if each.names_entities)
            raise ValueError(
                f"cross_document: found the format {document.format} ({document.where}), in which entities have no "
                f"names beyond their document, expected {known}"
            )
    return keys, responses


def heads_wanted(keys: list[Document], responses: list[Document], match: str) -> Document | None:
    """A document that lacks the heads without which the matching would be another one; None if there is none."""
    for documents in {"exact": (), "partial": (keys,), "head": (keys, responses)}[match]:
        bare = [document for document in documents if not all(mention.head for mention in document.mentions)]
        # For "partial", a markable without Min is matched by its words, as long as there are others.
        if bare and (match == "head" or not any(mention.head for each in documents for mention in each.mentions)):
            return bare[0]
    return None


def pairs_of(keys: list[Document], responses: list[Document], options) -> tuple[list[Pair], Counter]:
    """Documents of both sides aligned and matched, and how many mentions of which kind were dropped as repeated.

    The documents stay as they are.
    """
    pairs, dropped = [], Counter()
    sizes = [_sizes(side, options.match) if options.cross_document else None for side in (keys, responses)]
    for given in pair_documents(keys, responses):
        documents = [replace(document) for document in given]
        for document, own in zip(documents, sizes):
            dropped += _clean(document, options, own)
        pair = align(*documents)
        pair.matches = match_mentions(pair, options.match, options.zeros)
        pairs.append(pair)
    return pairs, dropped


def _sizes(documents, match) -> Counter:
    """How many mentions each entity has in all of some documents."""
    each = ({(mention.entity, identity(mention, match)) for mention in document.mentions} for document in documents)
    return Counter(entity for mentions in each for entity, _ in mentions)


def _clean(document, options, sizes=None) -> Counter:
    """Remove repeated mentions and singletons, as the options say; how many repeated ones of each kind.

    Sizes are those of entities, if they have mentions in other documents, too.
    """
    dropped = Counter()
    if len({identity(mention, options.match) for mention in document.mentions}) < len(document.mentions):
        dropped = _drop_repeated(document, options)
    if not options.keep_singletons:
        sizes = sizes or _sizes([document], options.match)
        document.mentions = [mention for mention in document.mentions if sizes[mention.entity] > 1]
    return dropped


def _drop_repeated(document, options):
    first, dropped = {}, Counter()
    for mention in document.mentions:
        earlier = first.setdefault(identity(mention, options.match), mention)
        if earlier is not mention:
            if earlier.entity != mention.entity and options.duplicates == "error":
                raise _repeated(document, earlier, mention)
            dropped["in the same entity" if earlier.entity == mention.entity else "in another entity"] += 1
    document.mentions = list(first.values())
    return dropped


def _repeated(document, earlier, mention):
    where = replace(document, line=mention.line).where if mention.line else document.where
    words = " ".join(document.words[position] for position in mention.positions) if document.words else mention.name
    text = short_repr(words, 60) if words.strip() else mention_name(mention, None)
    line = f" (line {earlier.line})" if earlier.line and earlier.line != mention.line else ""
    return ValueError(
        f"{where}: found the mention {text} in entity {short_repr(mention.entity)} and in "
        f"{short_repr(earlier.entity)}{line}, "
        'expected it in one, or duplicates="first"'
    )


def _announce(pairs, dropped):
    """One warning each for repeated mentions and for annotation that is not scored."""
    for kind, times in dropped.items():
        warn(f"left out {times} mentions that are a second time {kind}")
    left_out = sum((pair.left_out for pair in pairs), Counter())
    if left_out:
        kinds = ", ".join(f"{times} {kind}" for kind, times in left_out.items())
        warn(f"coreference alone is scored, as by corefud-scorer; not scored, both sides together: {kinds}")


def _announce_headless(keys, responses, match):
    """A warning for CorefUD's mentions whose head has to be guessed."""
    times = sum(document.headless for document in (*keys, *responses))
    if match != "exact" and times:
        warn(f"{times} mentions of several words name no head; their first word is taken, as by corefud-scorer")


def _announce_twice(times):
    if times:
        warn(
            f"{times} mentions have the words of another that is not their match, because zeros are matched by "
            "dependencies; here each counts once, corefud-scorer 1.2 counts some of them twice"
        )

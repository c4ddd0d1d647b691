"""Where sentences end, in natural, tokenised and lower-cased text."""

import re
from bisect import bisect_left
from html import unescape

from .common import short_repr

# A full stop after one of these does not end a sentence, whatever follows.
TITLES = frozenset(
    "mr mrs ms mx dr drs prof sen rep reps gov gen col sgt lt capt cmdr maj adm rev hon pres supt st mt vs cf e.g i.e "
    "al messrs mme mlle mgr".split()
)
# Nor after one of these before a number.
NUMBERED = frozenset("no nos fig figs eq vol pp p art op ft ch sec".split())
# A full stop after one of these ends a sentence if the next word is one that often begins one.
ABBREVIATIONS = frozenset(
    "jr sr inc corp co ltd bros dept univ est etc ave blvd rd a.m p.m u.s u.k u.n u.s.a e.u d.c ph.d b.a m.a m.d "
    "jan feb mar apr jun jul aug sep sept oct nov dec mon tue wed thu fri sat sun ala ariz ark calif colo conn del "
    "fla ga ill ind kan ky la mass md mich minn miss mo mont neb nev okla ore pa tenn tex va vt wash wis wyo".split()
)
STARTERS = frozenset(
    "a after all also although an and another as at because before both but by during each even finally for from he "
    "her here his how however i if in instead into it its last later many meanwhile more most my new nobody no not "
    "now of on once one only or other our over people police several she since so some still such than that the "
    "their then there these they this those though three to today two under until we what when where which while "
    "who why with yet you your "
    "alors après aussi ce ces cette depuis elle elles enfin ils je mais nous puis selon vous il".split()
)
CLOSING = "\"'”’»)\\]}"
OPENING = "\"'“‘«(\\[{`"
# Full stops and the like with the closing punctuation after them, and in tokenised text the closing quote.
END = re.compile(
    rf"(?<![.!?…])(?P<marks>[.!?…]+)(?:''|[{CLOSING}])*(?=\s|$)(?P<apart>\s(?:''|[\"'”’»])(?=\s|$))?|[。！？।॥۔؟]+[」』”’）]*"
)
# A quote that stands apart or begins a word; what follows the apostrophe of a tokenised "'s" is none.
QUOTES = {
    "'": re.compile(r"(?<!\S)'(?!(?:s|re|ve|ll|d|m|t|em|tis|\d\ds)\b|')"),
    '"': re.compile('"'),
}
# What tokenisers write, and the natural form.
NATURAL = [
    (re.compile(pattern, re.IGNORECASE), form)
    for pattern, form in (
        (r"-l[rsc]b-", "("),
        (r"-r[rsc]b-", ")"),
        (r"``|''", '"'),
        (r"(?<=\w) (n't|'(?:s|re|ve|ll|d|m))\b", r"\1"),
        (r"(?<=\d) (\.(?= \d)|,(?= \d{3}(?!\d))) ", r"\1"),
        (r"(?<!\s)\s+([.,;:!?%)\]…])", r"\1"),
        (r"([(\[$£€])\s+", r"\1"),
    )
]
WORD = re.compile(r"\w+(?:[.,'’-]\w+)*")
QUOTED = re.compile(r'(?<!\S)" ?([^"]*[^" ]) ?"')
BEGIN = re.compile(r"(?:^|[.!?…]\W{0,3}\s\W{0,3})([^\W\d_]+)")
WRAP = re.compile(r"(?<![.!?…:;\s])[^\S\n]*\n[^\S\n]*(?=[a-zà-ÿ])")
ITEM = re.compile(r"\(?(?:\d{1,3}|[a-z])[.)]")  # 1. or a) before an item of a list
LETTERS = re.compile(r"(?:[^\W\d_]\.-?)+[^\W\d_]")  # an abbreviation such as u.s, or j.-p
BEFORE_CHRIST = re.compile(r"\s*J\.?\s?-?C\b", re.IGNORECASE)  # what follows "av." in a French date
LONGEST_WORD = 40
# A line, or what stands before a colon, that only says that a summary follows.
HEADING = re.compile(
    r"\A\W*(?:(?:sure|certainly|of course|bien sûr)\b[^\w\n]*)?(?:"
    r"(?:(?:here(?:'s|’s| is)|below is|this is) )?(?:(?:a|an|the|my|your) )?(?:(?:brief|short|concise|quick|possible|"
    r"one[- ]sentence|final) )*(?:summary|tl;?dr|abstract)(?: (?:of|for|in) [^\n:.]{1,60})?|"
    r"(?:voici )?(?:(?:un|le|mon) )?(?:(?:bref|court|petit) )?(?:résumé|synthèse)(?: (?:du|de|des|en) [^\n:.]{1,60})?"
    r")[*_ \u00a0]*(?::[*_\s]*|\.?[*_ ]*\n\s*|\Z)",
    re.IGNORECASE,
)
INLINE = frozenset("a abbr b big cite code em font i mark q s small span strong sub sup u".split())
TAG = re.compile(
    rf"</?({'|'.join(INLINE)}|article|blockquote|body|br|div|dd|dl|dt|figcaption|figure|footer|h[1-6]|head|header|hr|"
    r"html|img|li|main|ol|p|pre|section|table|tbody|td|th|thead|title|tr|ul)(?:\s[^<>]*)?/?>",
    re.IGNORECASE,
)
LAST_WORD = re.compile(r"[^\s(\[{\"“‘«'`]*$")
NEXT_WORD = re.compile(rf"\s*(?:[{OPENING}]\s?)*(?P<word>[\w'’-]*)")


def split(text: str) -> list[str]:
    """The sentences of a text, stripped, in order; joined they are the text but for white space.

    A line break ends a sentence, unless no mark stands before it and the next line goes on in lower case. A text whose
    sentences begin in lower case is taken as lower-cased: there any word may begin one. What has no word (a lone mark,
    a rule, an emoji, the number of a list's item) goes with what stands beside it.

    Args:
        text: any text.

    >>> split("Dr. Moreau left at 5 p.m. on Monday. He took the No. 7 tram.")
    ['Dr. Moreau left at 5 p.m. on Monday.', 'He took the No. 7 tram.']
    >>> split("the harbour , frozen since may , is open . `` at last ! '' ships came in .")
    ['the harbour , frozen since may , is open .', "`` at last ! ''", 'ships came in .']
    """
    if not isinstance(text, str):
        raise ValueError(f"split: found {short_repr(text)}, expected a text")
    cased = any(begin[1][0].isupper() and begin[1] != "I" for begin in BEGIN.finditer(text))
    lines = (WRAP.sub(" ", text) if cased else text).splitlines()
    return _with_words([sentence.strip() for line in lines for sentence in _split_line(line, cased)])


def natural(sentence: str) -> str:
    """The sentence as it would be printed, so that tokenised and natural text are encoded and counted alike.

    >>> print(natural("the `` polar '' -lrb- and others -rrb- did n't leave ."))
    the "polar" (and others) didn't leave.
    """
    for pattern, form in NATURAL:
        sentence = pattern.sub(form, sentence)
    return QUOTED.sub(r'"\1"', sentence)


def words(sentence: str) -> list[str]:
    """The words of a sentence in its natural form, without case; numbers such as 14,000 and 9-year-old are one.

    >>> words("The keeper's boat did n't sink in 1,200 m .")
    ['the', "keeper's", 'boat', "didn't", 'sink', 'in', '1,200', 'm']
    """
    return WORD.findall(natural(sentence).lower())


def without_heading(text: str) -> str:
    """A summary without a heading that says only that it is one.

    >>> without_heading("**Summary**\\nThe boat sank."), without_heading("Here is a brief summary of it: It sank.")
    ('The boat sank.', 'It sank.')
    >>> without_heading("In summary, the boat sank."), without_heading("Summary judgement was given.")
    ('In summary, the boat sank.', 'Summary judgement was given.')
    """
    return HEADING.sub("", text, count=1)


def without_markup(text: str) -> str:
    """A text without HTML: the tags of blocks end a line, others go, and entities are what they stand for.

    >>> without_markup("<p>The boat <b>sank</b>.</p><p>Nobody &amp; nothing was lost, 2 < 3.</p>").split("\\n")
    ['The boat sank.', 'Nobody & nothing was lost, 2 < 3.']
    """
    if not TAG.search(text):
        return text
    lines = TAG.sub(lambda tag: "" if tag[1].lower() in INLINE else "\n", text).splitlines()
    return unescape("\n".join(filter(str.strip, lines)))


def has_word(text: str | list[str]) -> bool:
    """Whether a text, a string or a list of sentences, has any word; looks no further than the first."""
    sentences = [text] if isinstance(text, str) else text
    return any(words(piece) for sentence in sentences for piece in sentence.split())


def _split_line(line, cased):
    quotes = {sign: [quote.start() for quote in pattern.finditer(line)] for sign, pattern in QUOTES.items()}
    start = 0
    for end in END.finditer(line):
        stop = end.end()
        # A quote that looks alike at both ends begins what is quoted where none is open.
        if end["apart"] and bisect_left(quotes.get(end["apart"].strip(), ()), stop) % 2 == 1:
            stop = end.start("apart")
        if _ends_sentence(line, end, stop, cased):
            yield line[start:stop]
            start = stop
    yield line[start:]


def _with_words(pieces):
    """The pieces; one without a word, or with a list's number only, goes with the one before or after."""
    joined, waiting = [], ""
    for piece in filter(None, pieces):
        piece = f"{waiting} {piece}" if waiting else piece
        waiting = ""
        if ITEM.fullmatch(piece) or not joined and not WORD.search(piece):
            waiting = piece
        elif WORD.search(piece):
            joined.append(piece)
        else:
            joined[-1] += f" {piece}"
    return [*joined, waiting] if waiting else joined


def _ends_sentence(line, end, stop, cased):
    marks = end["marks"]
    if marks is None or stop == len(line):  # one of 。！？, or nothing follows
        return True
    following = NEXT_WORD.match(line, stop)["word"]
    begins = not cased or not following[:1].islower()
    if marks == "." and line[end.start() - 1 : end.start()].isspace():  # so tokenisers write an end, and nothing else
        return True
    if marks != ".":  # after a quoted question or a pause the sentence may go on in lower case
        return begins
    word = LAST_WORD.search(line, max(0, end.start() - LONGEST_WORD), end.start())[0].lower()
    letters = following[:1].isalpha()
    if word in TITLES or (word in NUMBERED and following[:1].isdigit()):
        return False
    if word == "av" and BEFORE_CHRIST.match(line, stop):
        return False
    if len(word) == 1 and word.isalpha() and word != "i" and letters:  # an initial
        return False
    if word in ABBREVIATIONS or LETTERS.fullmatch(word):
        return following[:1].isupper() and following.lower() in STARTERS
    return begins

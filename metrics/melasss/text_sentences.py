"""Where sentences end, in natural, tokenised and lower-cased text."""

import re
import unicodedata
from bisect import bisect_left
from html import unescape

from .common import argument, input_error, short_repr

# A full stop after one of these does not end a sentence, whatever follows.
TITLES = frozenset(
    "mr mrs ms mx dr drs prof sen rep reps gov gen col sgt lt capt cmdr maj adm rev hon pres supt st mt vs cf e.g i.e "
    "al messrs mme mlle mgr".split()
)
# Nor after one of these before a number.
NUMBERED = frozenset("no nos fig figs eq vol pp p art op ft ch sec para paras supp cl reg ext ca ver".split())
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
        (r"(?<=\d)-(?=\d)", "–"),
    )
]
# Scripts in which spaces do not part words, or not from endings: Thai, Lao, Burmese, Khmer, kana, Han, Hangul.
UNSPACED = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff"
MARKS = "".join(chr(c) for c in range(0x300, 0x10000) if unicodedata.category(chr(c))[0] == "M")  # accents, vowel signs
LETTERS_OF_A_WORD = rf"[^\W{UNSPACED}]+(?:[{MARKS}]+[^\W{UNSPACED}]*)*"
WORD = re.compile(rf"[{UNSPACED}]+|{LETTERS_OF_A_WORD}(?:[.,'’-]{LETTERS_OF_A_WORD})*")
SPAN = re.compile(r"(?<!\d)([12]\d)(\d\d)\s?[–/]\s?(\d\d)(?![–/]?\d)")  # of years, the last one cut short
QUOTED = re.compile(r'(?<!\S)" ?([^"]*[^" ]) ?"')
BEGIN = re.compile(r"(?:^|[.!?…]\W{0,3}\s\W{0,3})([^\W\d_]+)")
WRAP = re.compile(r"(?<![.!?…:;\s])[^\S\n]*\n[^\S\n]*(?=[a-zà-ÿ])")
ITEM = re.compile(r"\(?(?:\d{1,3}|[a-z])[.)]")  # 1. or a) before an item of a list
IS_UNSPACED = re.compile(f"[{UNSPACED}]")
LETTERS = re.compile(r"(?:[^\W\d_]\.-?)+[^\W\d_]")  # an abbreviation such as u.s, or j.-p
BEFORE_CHRIST = re.compile(r"\s*J\.?\s?-?C\b", re.IGNORECASE)  # what follows "av." in a French date
LONGEST_WORD = 40
THOUGHTS = re.compile(r"(?is)(?:<think>|\A(?!.*<think>)).*?</think>\s*|<think>.*")
# What is said around a summary: greetings, offers, and lines that say only that a summary follows.
A_SUMMARY = (
    r"(?:summar(?:y|ies|i[sz]ed)|tl;?dr|abstract|overview|recap|synopsis|(?:key|main) (?:points?|takeaways?|facts)|"
    r"résumé|synthèse)"
)
FRAME = [
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"\A\s*(?:sure(?: thing)?|certainly|of course|absolutely|okay|hello|hi(?: there)?|(?:great|good) question|"
        r"bien sûr|bonjour)"
        r"(?:\s*[!.]+(?=\s)|[,:]?[ \t]*\n|[,:—–-]*\s+(?=here|below|voici|I\b))\s*",
        r"\A\s*I(?:['’](?:d|ll|ve)| would| can| will| have)\b[^\n.!?:,]{0,80}\b(?:help|happy|glad|summari[sz]ed?)\b"
        r"[^\n.!?:,]{0,60}[.!:]\s*",
        rf"\A\W*(?:here(?:['’]s| is| are)|below (?:is|are)|this is|voici)\b[^\n:.]{{0,80}}\b{A_SUMMARY}\b"
        r"[^\n:.]{0,80}(?::[*_\s]*|\.?[*_ ]*\n\s*)",
        r"\A\W*(?:(?:a|an|the|my|your|un|le|mon) )?(?:(?:brief|short|concise|quick|possible|one[- ]sentence|final|bref|"
        rf"court|petit) )*{A_SUMMARY}(?: \([^()\n]{{1,40}}\))?(?: (?:of|for|in|du|de|des|en) [^\n:.]{{1,60}})?"
        r"[*_ \u00a0]*(?::[*_\s]*|\.?[*_ ]*\n\s*|\Z)",
        rf"\A\s*(?:\*\*|__)[^\n.!?]{{0,80}}\b{A_SUMMARY}\b[^\n.!?]{{0,80}}\n\s*",
        rf"\A[^\n.!?]{{0,80}}\b{A_SUMMARY}\b[^\n.!?:]{{0,80}}:[*_ \t]*\n\s*",
        r"(?:\A|\n|(?<=[.!?…\"”’)*])\s)\s*(?:(?:please )?let me know|(?:I )?hope (?:this|that|it)|would you like|"
        r"do you want me|feel free|is there anything else|n['’]hésitez pas)\b[^\n]*\Z",
        r"(?m)^\s*\x23{1,6} [^\n]*\n\s*(?=\S)",
    )
]
EMPHASIS = re.compile(r"(?<![\w*_])(\*{1,3})(?=\S)([^*\n]*\S)\1(?![\w*_])")  # of Markdown
BULLET = re.compile(r"\s*[-*+•‣·▪–—]\s+")
ITEM_NUMBER = re.compile(r"\s*[(\[]?(\d{1,3})[.)\]]\s+")
NOTE = re.compile(r"(?<=\S)\s?\[\d{1,3}(?:\s?[,–-]\s?\d{1,3})*\]")
INVISIBLE = re.compile("[\u00ad\u200b\u2060\ufeff]")  # soft hyphens, and blanks of no width
INLINE = frozenset("a abbr b big cite code em font i mark q s small span strong sub sup u".split())
TAG = re.compile(
    rf"</?({'|'.join(INLINE)}|article|blockquote|body|br|div|dd|dl|dt|figcaption|figure|footer|h[1-6]|head|header|hr|"
    r"html|img|li|main|ol|p|pre|section|table|tbody|td|th|thead|title|tr|ul)(?:\s[^<>]*)?/?>",
    re.IGNORECASE,
)
SCRIPT = re.compile(r"<(script|style)\b[^<>]*>.*?</\1\s*>", re.IGNORECASE | re.DOTALL)
ENTITY = re.compile(r"&\x23?\w{2,32};")
BRACKETS = ("(", "[")
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
        raise input_error(argument("split"), short_repr(text), "a text")
    cased = any(begin[1][0].isupper() and begin[1] != "I" for begin in BEGIN.finditer(text))
    lines = (WRAP.sub(" ", text) if cased else text).splitlines()
    return _with_words([sentence.strip() for line in lines for sentence in _split_line(line, cased)])


def natural(sentence: str) -> str:
    """The sentence as it would be printed, so that tokenised and natural text are encoded and counted alike.

    Numbers with a dash between are two, and a span of years, 2007-11, is 2007–2011.

    >>> print(natural("the `` polar '' -lrb- and others -rrb- did n't leave ."))
    the "polar" (and others) didn't leave.
    """
    for pattern, form in NATURAL:
        sentence = pattern.sub(form, sentence)
    return SPAN.sub(_whole_years, QUOTED.sub(r'"\1"', sentence))


def _whole_years(span):
    century, first, last = span.groups()
    return f"{century}{first}–{century}{last}" if last > first else span[0]


def words(sentence: str) -> list[str]:
    """The words of a sentence in its natural form, without case; numbers such as 14,000 and 9-year-old are one.

    Where spaces do not part words, each pair of neighbouring letters stands for one.

    >>> words("The keeper's boat did n't sink in 1,200 m ."), words("船が来た。")
    (['the', "keeper's", 'boat', "didn't", 'sink', 'in', '1,200', 'm'], ['船が', 'が来', '来た'])
    """
    found = WORD.findall(natural(sentence).lower())
    return found if sentence.isascii() else [piece for word in found for piece in _in_pairs(word)]


def _in_pairs(word):
    return [word[i : i + 2] for i in range(max(1, len(word) - 1))] if IS_UNSPACED.match(word) else [word]


def without_frame(text: str) -> str:
    r"""A summary without what a chat model says around it: thoughts, greetings, headings that only name it, offers.

    >>> without_frame("**Summary**\nThe boat sank."), without_frame("Sure! Here is a brief summary of it: It sank.")
    ('The boat sank.', 'It sank.')
    >>> without_frame("In summary, the boat sank."), without_frame("Summary judgement was given.")
    ('In summary, the boat sank.', 'Summary judgement was given.')
    """
    text = without_thoughts(text)
    for pattern in FRAME:
        text = pattern.sub("", text)
    return text


def without_thoughts(text: str) -> str:
    """What a model says without what it thought; where the chat template begins the thoughts, only their end is there.

    >>> without_thoughts("<think>Hm.</think> It sank."), without_thoughts("Hm.</think> It sank.")
    ('It sank.', 'It sank.')
    """
    return THOUGHTS.sub("", text)


def without_items(sentences: list[str]) -> list[str]:
    """The sentences of a summary without bullets, and without the numbers of a list, which begin at 1.

    >>> without_items(["1. The boat sank.", "Nobody died.", "2) It was old."]), without_items(["- 2. Bundesliga"])
    (['The boat sank.', 'Nobody died.', 'It was old.'], ['2. Bundesliga'])
    >>> without_items(["- The mayor - a sailor - opened it."])
    ['The mayor - a sailor - opened it.']
    """
    following, plain = 1, []
    for sentence in sentences:
        bullet = BULLET.match(sentence)
        own = sentence[bullet.end() :] if bullet else sentence
        number = ITEM_NUMBER.match(own)
        if number and int(number[1]) in (1, following):
            own, following = own[number.end() :], int(number[1]) + 1
        plain.append(own if has_word(own) else sentence)
    return plain


def without_markup(text: str) -> str:
    """A text without HTML: the tags of blocks end a line, others go, scripts whole; entities are what they stand for.

    Also without soft hyphens and the numbers of notes, such as [1]; letters and their accents are one.

    >>> without_markup("<p>The boat <b>sank</b>.</p><p>Nobody &amp; nothing was lost, 2 < 3.</p>").split("\\n")
    ['The boat sank.', 'Nobody & nothing was lost, 2 < 3.']
    >>> without_markup("Boats &amp; ships<script>x = 1</script>")
    'Boats & ships'
    """
    text = NOTE.sub("", text if text.isascii() else INVISIBLE.sub("", unicodedata.normalize("NFC", text)))
    if "<" in text and TAG.search(text := SCRIPT.sub("", text)):
        lines = TAG.sub(lambda tag: "" if tag[1].lower() in INLINE else "\n", text).splitlines()
        text = "\n".join(filter(str.strip, lines))
    return ENTITY.sub(lambda entity: unescape(entity[0]), text)


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
    last = LAST_WORD.search(line, max(0, end.start() - LONGEST_WORD), end.start())
    word, letters = last[0].lower(), following[:1].isalpha()
    if word in TITLES or following[:1].isdigit() and _numbers(last, cased):
        return False
    if word == "av" and BEFORE_CHRIST.match(line, stop):
        return False
    if len(word) == 1 and word.isalpha() and word != "i" and letters:  # an initial
        return False
    if word in ABBREVIATIONS or LETTERS.fullmatch(word):
        return following[:1].isupper() and following.lower() in STARTERS
    return begins


def _numbers(last, cased):
    """Whether a word is short for what is numbered or counted: No. 7, para. 3, c. 1818, (pop. 256,000)."""
    word, before = last[0], last.string[last.start() - 1 : last.start()]
    return word.lower() in NUMBERED or word.islower() and (len(word) == 1 and cased or before in BRACKETS)

"""English verbs, adjectives and nouns that can take each other's place: words of one use, for the same kinds of noun.

Thesauri group words by meaning; what matters in a variant is that the sentence stays English. With verbs that is
valency, and there WordNet's frames are of little help: they belong to sets of synonyms, so that "bask" is transitive
as "enjoy" is. These classes are in the manner of Levin (English Verb Classes and Alternations, 1993): any word of a
class may replace any other.
"""

from collections.abc import Iterable
from typing import NamedTuple

from .make_clauses import Sentence, Token
from .make_tools import Tools


class WordClass(NamedTuple):
    """Words of one use.

    use: "transitive" or "intransitive" verbs, "adjective"s or "noun"s.
    kinds: what they go with, an object, a subject, or the noun of an adjective: kinds of noun as of
        `make_wordnet.WordNet`, "~" for what is above them, or nouns; none for any, as with nouns. "person" admits
        pronouns.
    prepositions: those that may follow a verb, beside the ones of place and time that go with all.
    """

    use: str
    kinds: frozenset
    prepositions: frozenset
    words: tuple[str, ...]


BEINGS = "person animal"
ABSTRACTIONS = "act cognition communication event state attribute process phenomenon relation"
AMOUNTS = "attribute quantity possession"
GAMES = "game match race war battle election fight competition championship tournament final contest cup"
PROBLEMS = "problem question puzzle mystery crisis issue riddle equation dilemma"
PRICES = "price cost fee salary wage rent tax rate"
OPENED = "~movable_barrier ~container window shop store office drawer bottle suitcase"
TRANSITIVE = (
    ("", "praise criticize condemn defend attack denounce"),
    ("", "love hate admire dislike adore despise"),
    ("", "remember forget recall mention ignore recognize"),
    ("", "protect defend attack abandon ignore threaten"),
    ("", "enjoy avoid appreciate remember miss tolerate"),
    (ABSTRACTIONS, "support oppose reject endorse accept criticize"),
    (ABSTRACTIONS, "describe discuss explain examine analyze summarize"),
    (ABSTRACTIONS, "announce reveal confirm report deny conceal"),
    (ABSTRACTIONS, "cause prevent trigger provoke stop increase"),
    (ABSTRACTIONS, "show reveal display hide conceal demonstrate"),
    (ABSTRACTIONS, "know forget learn guess remember ignore"),
    (ABSTRACTIONS, "find seek discover need expect"),
    (ABSTRACTIONS, "study investigate examine explore analyze describe"),
    (ABSTRACTIONS, "improve change alter modify transform strengthen weaken"),
    (ABSTRACTIONS, "control influence affect regulate monitor dominate"),
    (PROBLEMS, "solve tackle avoid ignore discuss analyze"),
    (ABSTRACTIONS, "hear ignore notice recognize describe enjoy"),
    (f"{ABSTRACTIONS} feeling", "express hide conceal reveal share feel"),
    (f"{ABSTRACTIONS} possession", "offer provide request refuse accept promise"),
    (f"{ABSTRACTIONS} quantity possession", "increase reduce limit boost double"),
    ("cognition communication", "follow ignore accept reject change"),
    ("act event group", "start launch stop suspend resume delay"),
    ("act event", "begin continue finish complete interrupt resume"),
    ("act event", "plan organize cancel postpone attend boycott"),
    (GAMES, "win lose enjoy dominate enter"),
    ("communication", "write read publish edit translate review"),
    ("communication", "sign draft read reject publish approve"),
    ("communication", "approve propose reject adopt amend ratify block"),
    ("communication", "send receive deliver return collect forward"),
    ("communication", "sing hum perform record rehearse compose"),
    ("communication", "ask answer ignore repeat discuss"),
    ("~recording ~publication ~show song album film book", "release publish record promote sell"),
    ("artifact possession", "buy sell rent borrow steal purchase acquire own"),
    ("~structure", "build rebuild destroy repair restore demolish"),
    ("artifact", "design develop test produce improve construct"),
    (OPENED, "open close shut reopen lock unlock"),
    ("artifact", "wash clean scrub wipe polish rinse"),
    ("artifact", "break damage smash repair crush"),
    ("~clothing ~footwear ~jewelry", "wear buy wash lose sell"),
    ("artifact", "use test adopt abandon buy borrow"),
    ("~structure ~area ~location", "enter approach visit reach explore search"),
    ("artifact object", "examine inspect check touch study"),
    ("artifact object food", "carry lift drop drag push pull"),
    ("artifact object food", "find lose discover recover hide locate"),
    ("artifact object food", "hold grab drop touch lift squeeze"),
    ("artifact food substance", "produce sell export import store distribute"),
    ("artifact food plant", "replace remove move store discard"),
    ("food", "eat cook taste devour swallow prepare serve"),
    ("food substance", "drink taste sip swallow spill"),
    ("group", "join lead fund represent support advise"),
    ("person animal ~structure ~location plant", "draw paint sketch photograph film"),
    ("person animal artifact object", "see watch notice observe recognize"),
    (BEINGS, "kill shoot stab wound injure attack"),
    (BEINGS, "hit strike kick slap punch push"),
    (BEINGS, "follow chase pursue accompany escort"),
    ("animal", "hunt chase catch feed train"),
    ("person", "arrest detain release free imprison question"),
    ("person", "hire fire dismiss recruit employ promote"),
    ("person", "elect appoint nominate replace choose"),
    ("person", "meet greet welcome visit thank invite"),
    ("person", "call phone contact visit help thank"),
    ("person", "ask question interrupt answer ignore"),
    ("person", "interview question photograph film record"),
    ("person", "treat examine comfort visit encourage"),
    ("person", "teach train instruct encourage help"),
    ("person", "marry divorce love abandon betray forgive"),
    ("person", "know trust respect fear remember love"),
    ("person", "kiss hug embrace comfort touch"),
    ("person", "surprise frighten anger shock annoy embarrass puzzle amuse impress disappoint please worry"),
    ("person group", "help assist protect encourage support"),
    ("person group", "beat defeat challenge overcome outplay"),
    ("person group", "warn alert contact phone inform consult"),
)
INTRANSITIVE = (
    (BEINGS, "walk run stroll limp creep wander march", "to into through along across toward towards from around on"),
    (BEINGS, "climb crawl jump leap scramble", "over into onto through across out from on"),
    (BEINGS, "sleep rest wait doze relax", "at on"),
    (BEINGS, "fall slip stumble trip collapse", "on"),
    ("person", "travel drive ride walk sail fly", "to from through along across toward towards"),
    ("person", "sit stand kneel wait rest", "at on by beside beneath against among around for"),
    ("person", "look stare gaze peer glance squint", "at into through toward towards over"),
    ("person", "laugh smile cry weep scream sob", "with like"),
    ("person", "sigh groan moan gasp grunt", "with like"),
    ("person", "nod bow wave wink smile grin", "to at"),
    ("person", "mutter murmur whisper shout yell mumble", "to"),
    ("person", "work study train rest relax", "at with"),
    ("person", "live settle stay work study", "with among"),
    ("person", "talk speak whisper argue chat", "with about"),
    ("person", "complain joke boast talk speak", "about"),
    ("person", "agree disagree argue quarrel sympathize", "with"),
    ("person", "wait hope pray vote plead", "for"),
    ("person", "fight play train compete race", "with against for"),
    ("person", "eat drink cook smoke sing", "at with"),
    ("person", "arrive land return appear stay", "with on at"),
    ("person", "shiver tremble shake shudder quiver", "with from like"),
    ("person", "dance sing perform play rehearse", "with for at on"),
    ("artifact", "burn explode collapse crumble vanish", ""),
    ("artifact object phenomenon", "shine glow sparkle glitter gleam flicker", "through on"),
    ("event act phenomenon", "happen occur begin end continue", "on at"),
    ("state attribute process act", "improve worsen change deteriorate vary", ""),
    (AMOUNTS, "rise fall increase decrease grow decline drop", "by to from"),
    ("", "appear disappear vanish emerge return", ""),  # "vanished from our sight", "emerged from the house"
)
SIZED = "artifact object animal plant location group"
ADJECTIVES = (
    ("", "good bad excellent terrible wonderful awful great"),
    ("", "strange unusual odd peculiar normal ordinary"),
    ("", "famous popular unknown celebrated obscure"),
    ("", "dangerous safe risky harmless hazardous"),
    ("person", "young old elderly tall short thin slim"),
    ("person", "happy sad angry nervous calm proud cheerful furious"),
    ("person", "rich poor wealthy powerful influential famous"),
    ("person", "nice kind cruel honest friendly polite rude generous"),
    ("person", "clever smart stupid intelligent wise foolish"),
    ("person", "strong weak healthy sick tired hungry thirsty sleepy"),
    ("person", "brave shy bold timid cautious"),
    ("person", "beautiful ugly handsome pretty attractive"),
    ("person", "afraid scared worried ashamed frightened"),
    (SIZED, "big large small huge tiny enormous"),
    (f"{SIZED} body", "beautiful ugly pretty attractive hideous"),
    ("artifact group communication", "new old modern ancient traditional"),
    ("artifact", "new old expensive cheap clean dirty"),
    ("artifact object", "heavy light solid fragile bulky"),
    ("artifact object", "long short narrow wide straight"),
    ("artifact location object", "quiet noisy calm peaceful crowded deserted"),
    ("animal", "black white brown gray red"),
    ("artifact plant", "red blue green black white yellow brown gray pink purple orange"),
    ("food", "hot cold warm tasty delicious sweet"),
    ("day night morning evening afternoon weather", "hot cold warm cool pleasant"),
    (f"{PRICES}", "high low reasonable excessive modest"),
    (f"{ABSTRACTIONS}", "important significant crucial minor essential central"),
    ("act event state quantity attribute possession", "large small huge considerable significant substantial big"),
    ("act event cognition communication state", "easy difficult simple complex complicated hard"),
    ("act event communication", "long short brief lengthy boring"),
    ("act event process phenomenon", "quick slow rapid sudden gradual"),
    (f"state event {PROBLEMS}", "serious severe minor grave slight"),
    ("communication event cognition act", "interesting boring exciting dull fascinating funny"),
    ("artifact communication cognition act", "useful useless valuable helpful worthless"),
    ("communication cognition", "true false accurate inaccurate wrong"),
)
NOUNS = (
    "man woman boy girl child teenager",
    "teacher doctor lawyer nurse engineer architect",
    "student pupil child teacher",
    "scientist researcher expert engineer scholar",
    "soldier officer guard sailor policeman",
    "farmer grower fisherman miner hunter",
    "friend neighbor colleague relative cousin",
    "parent son daughter brother sister",
    "customer client visitor guest passenger tourist",
    "player coach athlete swimmer rider",
    "worker employee manager official driver",
    "leader politician minister senator governor",
    "writer author poet novelist critic",
    "actor singer musician dancer artist",
    "patient victim survivor prisoner",
    "detective inspector investigator agent",
    "voter citizen resident immigrant",
    "dog cat cow goat pig",
    "horse pony donkey mule camel",
    "bird duck goose chicken eagle",
    "snake lizard frog spider turtle",
    "fish shark whale dolphin",
    "lion tiger bear wolf elephant",
    "insect bee ant beetle fly",
    "car truck van bus taxi",
    "boat ship yacht ferry canoe",
    "plane helicopter jet rocket",
    "bicycle motorcycle scooter bike",
    "book letter report article magazine newspaper story poem novel",
    "document file form contract record",
    "door window gate",
    "house building hotel cottage castle church",
    "room kitchen bedroom office",
    "knife sword ax dagger",
    "gun rifle pistol revolver",
    "weapon bomb missile grenade",
    "hat coat jacket shirt dress sweater",
    "shoe boot glove sock",
    "chair table desk sofa bench",
    "cup glass mug",
    "bowl plate dish",
    "bottle jar can",
    "box bag suitcase basket crate",
    "tool hammer brush shovel",
    "machine computer engine device",
    "picture painting photograph drawing",
    "film movie play show",
    "song tune melody poem",
    "phone telephone bell alarm",
    "camera telescope microscope radio",
    "ring necklace watch bracelet",
    "rope chain wire cable",
    "toy ball doll kite",
    "tower wall fence gate",
    "stone rock brick",
    "tree bush shrub",
    "flower rose lily tulip daisy",
    "apple pear orange cherry peach grape",
    "potato carrot tomato onion",
    "cake pie sandwich pancake",
    "company firm bank",
    "team club league",
    "plan proposal project scheme",
    "request complaint demand",
    "speech lecture sermon",
    "decision choice mistake",
    "meeting conference party",
    "law rule bill regulation",
    "problem difficulty",
    "medicine drug pill",
)
# Which of these nouns are feminine in the usual translation, by language, persons and animals apart: where two differ,
# a pronoun that takes them up must differ, too.
FEMININE = {
    "fr": "car bicycle motorcycle bike story letter magazine form door window gate house church room kitchen ax dagger "
    "weapon bomb missile grenade shirt dress shoe boot chair table cup bowl bottle jar box bag suitcase basket brush "
    "shovel machine picture painting photograph play song melody alarm camera ring watch rope chain toy "
    "doll ball tower "
    "fence stone rock brick flower rose lily tulip daisy apple pear orange cherry peach grape potato carrot tomato pie "
    "sandwich company firm bank team league proposal request complaint demand lecture decision mistake meeting "
    "conference party law rule regulation difficulty pill medicine jacket",
    "es": "motorcycle bike bicycle letter magazine novel story door window gate house church room kitchen ax "
    "dagger sword "
    "gun pistol weapon bomb grenade van coat jacket shirt boot chair table cup bowl bottle jar box can bag suitcase "
    "basket tool brush shovel machine computer picture painting photograph film play song tune melody "
    "bell alarm camera "
    "watch bracelet rope chain toy doll ball tower fence stone rock flower rose daisy apple pear orange cherry grape "
    "potato carrot onion cake company firm league proposal request complaint demand speech lecture decision choice "
    "meeting conference party law rule regulation difficulty medicine drug pill ship yacht canoe truck",
    "it": "car van bicycle motorcycle bike scooter boat ship canoe letter magazine story poem door window house church "
    "room kitchen sword ax gun pistol weapon bomb grenade coat jacket shirt shoe boot sock chair desk cup bowl bottle "
    "box bag suitcase crate brush shovel machine picture photograph play song melody phone bell camera radio necklace "
    "rope chain doll ball tower stone rock rose apple pear orange cherry peach grape potato carrot onion cake pie "
    "company firm bank team league proposal request complaint demand lecture decision choice meeting conference party "
    "law rule regulation difficulty medicine drug pill",
    "pt": "van motorcycle bike bicycle scooter canoe letter magazine story door window gate house church room kitchen "
    "ax dagger sword gun pistol weapon bomb grenade jacket shirt boot sock chair table cup bowl bottle jar box can bag "
    "suitcase basket tool brush shovel machine picture painting photograph play song tune melody bell camera watch "
    "bracelet rope chain doll ball tower fence stone rock tree flower rose daisy apple pear orange cherry grape potato "
    "carrot onion company firm team league proposal request complaint demand lecture decision choice meeting "
    "conference party law rule regulation difficulty drug pill",
}
AROUND_OBJECTS = "with by through over around beside at on"
CLASSES = tuple(
    WordClass(use, frozenset(kinds.split()), frozenset(prepositions.split()), tuple(words.split()))
    for use, rows in (
        ("transitive", [(*row, AROUND_OBJECTS) for row in TRANSITIVE]),
        ("intransitive", INTRANSITIVE),
        ("adjective", [(*row, "") for row in ADJECTIVES]),
        ("noun", [("", words, "") for words in NOUNS]),
    )
    for kinds, words, prepositions in rows
)


# Two verbs that "and" joins: the first, for what objects (None: without one), and what it may come before.
JOINED = (
    (
        "turn",
        None,
        "walk run stroll limp wander march look stare gaze peer glance smile grin nod bow wave wink leave sigh "
        "flee wait point jump",
    ),
    (
        "stop",
        None,
        "wait rest look stare gaze peer listen laugh smile cry sigh whisper shout pray nod wave weep sob cough",
    ),
    ("sit", None, "chat eat drink smoke sing wait rest study read weep listen watch write sew knit dream sob"),
    (
        "meet",
        "person",
        "thank greet congratulate question interview photograph kiss hug embrace hire encourage warn "
        "comfort invite advise praise marry teach please help rob impress surprise beat defeat",
    ),
    (
        "follow",
        "person animal",
        "shoot kill attack stop arrest catch chase rob beat help warn watch capture rescue "
        "wound lose pass overtake stab",
    ),
    (
        "visit",
        "person group",
        "help thank comfort interview photograph question examine treat support encourage assist advise praise nurse",
    ),
    (
        "visit",
        "~structure ~area ~location ~region location",
        "describe explore photograph paint film buy sell search inspect like love study admire",
    ),
    ("check", OPENED, "close lock open shut seal"),
    (
        "find",
        "artifact object animal plant food",
        "break repair clean wash use sell hide destroy steal carry move remove "
        "drop burn damage store examine inspect touch recover lift photograph draw keep wear cut shoot kill "
        "catch eat feed "
        "smash grab push pull unlock collect",
    ),
    ("find", "person", "arrest kill free rescue release save comfort help punish marry"),
    (
        "read",
        "~writing ~publication ~document",
        "sign answer publish edit translate copy reject approve send burn tear "
        "believe remember explain criticize describe summarize ignore endorse accept amend study return keep hide fold "
        "praise love like enjoy forget destroy understand finish",
    ),
    (
        "hear",
        "communication",
        "deny confirm answer repeat believe remember ignore accept reject understand discuss "
        "explain enjoy like love praise report forget criticize dismiss welcome obey",
    ),
    (
        "buy",
        "artifact food plant animal",
        "eat cook drink sell use wear repair restore drive clean paint send taste "
        "prepare serve store feed train carry burn like love plant",
    ),
    (
        "discuss",
        "communication cognition act event possession",
        "change reject accept approve support oppose adopt plan "
        "describe explain postpone cancel endorse abandon announce improve suspend delay propose finish define back "
        "welcome finalize complete",
    ),
    ("plan", "act event", "start launch organize begin finish complete conduct lead perform"),
)

PERSONAL_PRONOUNS = frozenset("i me we us you he him she her who".split())
ALTERNATIVES = 12  # words tried for one


def words_like(
    word: str,
    use: str,
    kinds: frozenset = frozenset(),
    prepositions: frozenset = frozenset(),
    by_person: bool = True,
) -> list[str]:
    """Words that may take a word's place beside nouns of these kinds (none: unknown) and before these prepositions.

    They are those of the first class that fits: of two classes, one may be of what lasts and one of deeds.

    >>> words_like("wash", "transitive", frozenset({"artifact"}))[:5]
    ['clean', 'scrub', 'wipe', 'polish', 'rinse']
    >>> words_like("wash", "transitive", frozenset({"person"})), words_like("bask", "transitive", frozenset())
    ([], [])
    >>> words_like("talk", "intransitive", frozenset({"person"}), frozenset({"with"}))
    ['speak', 'whisper', 'argue', 'chat']
    """
    fitting = (c for c in CLASSES if word in c.words and c.use == use and prepositions <= c.prepositions)
    anything = by_person or use != "transitive"  # what goes with any object is what a person does
    first = next((c for c in fitting if (c.kinds & kinds if c.kinds else anything)), None)
    return [other for other in first.words if other != word] if first else []


def verbs_before(verb: str, kinds: frozenset | None, owned: bool = False) -> list[str]:
    """Verbs that "and" may join before a verb, by its object's kinds (None: it has none).

    Nobody finds, meets or buys what is owned, "his boat".

    >>> verbs_before("greet", frozenset({"person"})), verbs_before("smile", None)
    (['meet'], ['turn', 'stop'])
    """
    rows = (row for row in JOINED if verb in row[2].split() and not (owned and row[0] in ("find", "meet", "buy")))
    fitting = (first for first, of, _ in rows if (not of if kinds is None else of and kinds & set(of.split())))
    return list(dict.fromkeys(fitting))


def others(sentence: Sentence, words: Iterable[str]) -> list[str]:
    """The words, each once, without those that the sentence has already."""
    own = {token.text for token in sentence.tokens}
    return [word for word in dict.fromkeys(words) if word not in own]


def kinds_of(token: Token, tools: Tools) -> frozenset:
    """The kinds of noun that a noun or pronoun is, and the noun; none if that is unknown, as of names."""
    if token.tag == "PRP" or token.text.lower() == "who":
        return frozenset(("person",)) if token.text.lower() in PERSONAL_PRONOUNS else frozenset()
    noun = token.tag in ("NN", "NNS") and token.text.islower()
    return frozenset((token.lemma, *tools.related(token.lemma, "n")["kinds"])) if noun else frozenset()

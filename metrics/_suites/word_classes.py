"""English verbs, adjectives and nouns that can take each other's place: words of one use, for the same kinds of noun.

Thesauri group words by meaning; what matters in a variant is that the sentence stays English. With verbs that is
valency, and there WordNet's frames are of little help: they belong to sets of synonyms, so that "bask" is transitive
as "enjoy" is. These classes are in the manner of Levin (English Verb Classes and Alternations, 1993): any word of a
class may replace any other.
"""

from collections.abc import Iterable
from typing import NamedTuple

from .clauses import Sentence, Token
from .tools import Tools


class WordClass(NamedTuple):
    """Words of one use.

    use: "transitive" or "intransitive" verbs, "adjective"s or "noun"s.
    kinds: what they go with, an object, a subject, or the noun of an adjective: kinds of noun as of
        `wordnet.WordNet`, "~" for what is above them, or nouns; none for any, as with nouns. "person" admits
        pronouns.
    prepositions: those that may follow a verb, beside the ones of place and time that go with all.
    """

    use: str
    kinds: frozenset
    prepositions: frozenset
    words: tuple[str, ...]


BEINGS = "person animal"
ABSTRACTIONS = "act cognition communication event state attribute process phenomenon relation"
PRICES = "price cost fee salary wage rent tax rate"
VEHICLES = "car van truck taxi bike bicycle motorcycle motorbike scooter caravan boat yacht canoe tractor"
GARMENTS = "coat dress jacket shirt sweater skirt suit blouse scarf cardigan trousers jeans"
DEVICES = "machine computer laptop engine printer radio television oven phone telephone camera piano guitar violin"
HOMES = "house flat apartment cottage villa farm barn castle"
ROOMS = "room kitchen bathroom bedroom office garage cellar attic hall classroom"
SIGHTS = "museum church cathedral gallery zoo palace temple monument ruin castle"
PLACES = "city town village island region valley country"
PETS = "dog cat horse cow pig donkey pony sheep goat puppy kitten hen goose"
WILD = "bird duck deer fox wolf rabbit bear lion tiger elephant whale dolphin eagle owl"
# Verbs by the objects that all of them go with: nouns, or kinds of noun.
TRANSITIVE = (
    ("person", "call help thank visit warn ignore follow watch greet see meet hear blame"),
    ("person", "love hate trust respect admire fear envy pity despise"),
    ("person", "surprise frighten shock annoy embarrass puzzle amuse impress disappoint please worry anger"),
    ("person", "hug kiss comfort console embrace"),
    (BEINGS, "kill shoot stab wound injure attack"),
    (BEINGS, "hit kick slap punch push strike"),
    ("person", "arrest free release question imprison detain"),
    ("person", "hire fire dismiss promote recruit employ"),
    ("patient victim", "treat examine comfort visit cure"),
    ("student pupil", "teach praise encourage punish advise"),
    ("team club opponent rival champion", "beat defeat challenge overcome outplay"),
    (PETS, "feed buy sell wash find watch photograph"),
    (WILD, "see watch photograph film follow find catch hear"),
    (VEHICLES, "buy sell rent borrow steal repair clean paint inspect damage"),
    ("letter postcard", "write read send receive burn keep answer"),
    ("message email", "write read send receive delete ignore answer"),
    ("book novel story poem article essay column report diary", "read write publish translate review praise finish"),
    ("newspaper magazine brochure leaflet", "read buy publish print sell"),
    ("contract agreement treaty", "sign reject draft read approve negotiate"),
    ("song melody tune symphony anthem", "sing play hear record compose rehearse"),
    ("film movie documentary", "watch see enjoy review praise criticize"),
    ("concert match game show race", "watch see enjoy miss attend"),
    ("game match championship tournament final contest", "win lose watch follow enjoy"),
    ("door gate window shutter", "open close shut lock repair paint clean"),
    ("box bag suitcase crate parcel package basket trunk", "open close carry drop lift empty find hide"),
    (HOMES, "buy sell rent paint leave visit search inspect"),
    (ROOMS, "clean paint leave enter search inspect"),
    (SIGHTS, "visit photograph paint admire describe find"),
    (PLACES, "visit leave explore describe photograph"),
    ("bridge tower wall road school hospital", "build repair rebuild destroy inspect"),
    (GARMENTS, "buy wash sell lose mend choose"),
    ("ring necklace bracelet watch key wallet purse umbrella glove passport ticket coin", "lose find hide keep drop"),
    ("picture painting portrait statue sculpture carpet", "buy sell steal admire damage photograph"),
    (
        "cake pie soup stew pasta pizza sandwich meal dinner breakfast lunch salad",
        "prepare eat order serve enjoy taste",
    ),
    ("apple pear cherry grape strawberry orange tomato carrot potato onion cheese", "eat buy sell taste order wash"),
    ("beer wine coffee tea milk juice lemonade whisky", "drink buy order taste spill pour"),
    ("flower rose tree bush tulip plant", "plant water cut draw paint photograph"),
    (DEVICES, "buy sell repair test borrow use clean"),
    ("chair table sofa bed desk bench lamp mirror cupboard wardrobe shelf", "buy sell move clean paint repair carry"),
    ("hammer knife sword gun rifle rope ladder axe spade shovel", "find buy sell borrow hide steal use"),
    ("plate cup glass bowl bottle vase", "wash break buy fill drop"),
    ("money", "spend save steal borrow find hide lose keep"),
    ("problem question issue mystery crisis", "discuss ignore examine study analyze mention"),
    (
        "plan proposal idea project decision suggestion law bill reform",
        "support oppose reject criticize approve defend",
    ),
    ("accusation allegation claim charge report rumor rumour", "deny confirm ignore repeat discuss"),
    ("meeting conference party wedding ceremony festival", "plan organize cancel postpone attend"),
    ("trip journey visit holiday", "plan enjoy cancel postpone describe"),
    (PRICES, "increase raise reduce lower cut"),
    ("work job task exercise project", "begin continue finish resume interrupt"),
    ("offer invitation gift apology", "accept refuse reject welcome ignore"),
    ("secret truth name answer", "forget learn guess remember reveal"),
    ("mistake error", "notice admit regret correct repeat"),
    ("city town village bridge building castle", "attack defend destroy rebuild capture"),
    # Here the verb itself tells what kind of thing it is: what is dropped can be carried.
    ("artifact object", "carry lift drop hold grab"),
    ("artifact", "buy sell borrow steal rent"),
    ("artifact", "repair damage inspect clean examine mend"),
    ("artifact", "wash clean scrub wipe polish rinse"),
    ("artifact", "break smash damage repair replace"),
    ("artifact", "throw catch drop hold kick"),
    ("artifact", "replace remove move check test"),
    ("food", "produce sell export import store"),
    ("food plant", "eat cook taste prepare serve order"),
    ("food plant", "buy sell taste order try"),
    ("~beverage", "drink buy order taste spill pour"),
    ("~writing ~publication ~document", "read write publish translate review copy"),
    ("cello flute violin piano guitar accordion drum", "play learn buy sell tune"),
    ("language french german spanish italian english", "speak learn study teach understand"),
    ("person animal", "hunt chase catch follow pursue"),
    ("person", "invite call meet thank visit"),
    ("person", "interview question photograph film record"),
    ("person", "marry divorce betray forgive abandon"),
    ("person", "teach train encourage praise help"),
    ("person", "rescue save abandon carry protect"),
    ("person", "hurt insult ignore blame threaten"),
    ("person", "interrupt contradict ignore praise thank"),
    ("person group", "support criticize praise attack defend condemn"),
    ("group", "join leave lead support represent"),
    ("cognition communication act", "support oppose reject criticize approve defend"),
    ("communication cognition event process", "describe discuss explain analyze summarize"),
    ("act event", "plan organize cancel postpone prepare"),
    ("attribute quantity possession", "increase reduce double limit cut"),
    ("act event time", "enjoy love remember dread hate"),
)
# Across a boundary ("ran into the room") other languages say the manner beside the verb: "entró corriendo".
INTRANSITIVE = (
    (BEINGS, "walk run stroll limp creep wander march", "to along toward towards from around on"),
    (BEINGS, "climb crawl jump leap scramble", "from on"),
    (BEINGS, "sleep rest wait doze relax", "at on"),
    (BEINGS, "fall slip stumble trip collapse", ""),
    ("person", "travel drive ride walk sail fly", "to from along toward towards"),
    ("person", "laugh smile cry weep scream sob", ""),
    ("person", "sigh groan moan gasp grunt", ""),
    ("person", "mutter murmur whisper shout yell mumble", "to"),
    ("person", "work study train rest relax", ""),
    ("person", "talk whisper argue chat quarrel", "with about"),
    ("person", "complain joke argue talk quarrel", "about"),
    ("person", "fight play train compete race", "with against for"),
    ("person", "eat drink cook smoke sing", ""),
    ("person", "sing dance play eat drink talk", ""),
    ("person", "listen watch wait hesitate stare", ""),
    ("person", "yawn stretch sneeze cough snore sniff", ""),
    ("person", "swim run jog cycle ski skate row walk", "along around"),
    ("person", "vote argue fight campaign demonstrate", "against for"),
    ("person", "shiver tremble shake shudder quiver", "with from like"),
    ("person", "dance sing perform play rehearse", "with"),
    ("artifact", "burn explode collapse crumble vanish", ""),
    ("artifact object phenomenon", "shine glow sparkle glitter gleam flicker", ""),
    (f"{PRICES} number percentage temperature", "rise fall increase decrease decline drop", "by to from"),
)
ADJECTIVES = (
    ("event communication cognition food location", "terrible awful dreadful horrible appalling"),
    ("", "strange unusual odd peculiar weird"),
    ("", "dangerous risky hazardous perilous unsafe"),
    ("person", "famous popular powerful important influential"),
    ("person", "young old tall short thin slim"),
    ("person", "happy sad angry nervous calm proud cheerful furious"),
    ("person", "rich powerful famous young old"),
    ("person", "nice kind honest friendly polite generous"),
    ("person", "clever smart intelligent wise bright"),
    ("person", "strong weak healthy sick tired"),
    ("person", "brave shy bold timid cautious"),
    ("person", "beautiful handsome attractive charming lovely"),
    ("artifact object animal plant location", "big large huge enormous immense massive"),
    ("animal", "young old fat thin hungry wild"),
    ("animal", "black white brown gray red"),
    (f"{VEHICLES} {HOMES} {ROOMS} {DEVICES} {GARMENTS}", "old beautiful ugly cheap expensive dirty clean"),
    ("artifact", "red blue green black white yellow brown gray"),
    ("location", "quiet noisy calm peaceful crowded deserted"),
    (f"location plant body artifact {PETS} {WILD}", "beautiful lovely attractive charming splendid"),
    ("company firm team club band school hotel restaurant shop", "old small large big famous"),
    ("day night morning evening afternoon weather", "hot cold warm cool mild"),
    (PRICES, "high low reasonable excessive modest"),
    (ABSTRACTIONS, "important significant crucial vital essential"),
    ("act event cognition communication state", "difficult complex complicated tricky challenging"),
    ("communication event cognition act", "interesting boring exciting dull fascinating funny"),
    ("artifact", "useful valuable helpful handy practical"),
)
NOUNS = (
    "man woman boy girl child teenager",
    "teacher doctor lawyer nurse engineer architect",
    "student pupil child teacher",
    "scientist researcher expert engineer scholar",
    "soldier officer guard sailor policeman",
    "farmer grower fisherman miner hunter",
    "friend neighbor colleague relative cousin",
    "son daughter brother sister",
    "customer client visitor guest",
    "passenger tourist traveler visitor",
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
    "duck goose chicken",
    "snake lizard frog spider turtle",
    "shark whale dolphin",
    "lion tiger bear wolf elephant",
    "insect bee ant beetle fly",
    "car truck van bus taxi",
    "boat ship yacht ferry canoe",
    "plane helicopter jet rocket",
    "bicycle motorcycle scooter bike",
    "book letter report article magazine newspaper novel",
    "document file form contract",
    "door window gate",
    "house building cottage castle",
    "room kitchen bedroom office",
    "knife sword ax dagger",
    "gun rifle pistol",
    "weapon bomb missile grenade",
    "hat coat jacket shirt dress",
    "shoe boot sandal",
    "glove sock scarf",
    "chair table desk sofa bench",
    "cup mug bowl",
    "bowl plate dish",
    "bottle jar can",
    "box bag suitcase basket crate",
    "hammer brush shovel",
    "machine computer engine device",
    "picture painting photograph drawing",
    "film movie play show",
    "song tune melody poem",
    "camera telescope microscope radio",
    "ring necklace bracelet",
    "rope chain wire cable",
    "toy doll kite",
    "tower wall fence gate",
    "stone rock",
    "tree bush shrub",
    "rose lily tulip daisy",
    "apple pear orange cherry peach grape",
    "potato carrot tomato onion",
    "cake pie sandwich",
    "company firm",
    "team club league",
    "plan proposal project scheme",
    "request complaint",
    "speech lecture sermon",
    "decision choice",
    "meeting conference party",
    "rule regulation",
    "problem difficulty",
)
# Which of these nouns are feminine in the usual translation, by language, persons and animals apart: where two differ,
# a pronoun that takes them up must differ, too.
FEMININE = {
    "fr": "car bicycle motorcycle bike letter door window gate house room kitchen ax dagger weapon bomb missile "
    "grenade shirt dress shoe boot chair table cup bottle jar box bag suitcase brush shovel machine picture "
    "painting photograph play song melody camera ring rope chain doll tower fence stone rock rose tulip daisy "
    "apple pear orange cherry peach potato carrot tomato pie company firm team league proposal request "
    "complaint lecture decision meeting conference party rule regulation difficulty jacket",
    "es": "motorcycle bike bicycle letter magazine novel door window gate house room kitchen ax dagger sword gun "
    "pistol weapon bomb grenade van jacket shirt boot chair table cup bowl bottle jar box can bag suitcase "
    "basket brush shovel machine computer picture painting photograph film play song tune melody camera "
    "bracelet rope chain doll tower fence stone rock rose daisy apple pear orange cherry grape potato carrot "
    "onion cake company firm league proposal request complaint lecture decision choice meeting conference party "
    "rule regulation difficulty canoe",
    "it": "car van bicycle motorcycle bike scooter boat ship canoe letter magazine poem door window house room "
    "kitchen sword ax gun pistol weapon bomb grenade coat jacket shirt shoe boot sock chair desk cup bowl "
    "bottle box bag suitcase crate brush shovel machine picture photograph play song melody camera radio "
    "necklace rope chain doll tower stone rock rose apple pear orange cherry peach grape potato carrot onion "
    "cake pie company firm team league proposal request complaint lecture decision choice meeting conference "
    "party rule regulation difficulty",
    "pt": "van motorcycle bike bicycle scooter canoe letter magazine door window house room kitchen dagger sword gun "
    "pistol weapon bomb grenade jacket shirt boot sock chair table cup bowl bottle jar box can bag suitcase "
    "basket brush shovel machine picture painting photograph play song tune melody camera bracelet rope chain "
    "doll tower fence stone rock tree rose tulip daisy apple pear orange cherry grape potato carrot onion "
    "company firm team league proposal request complaint lecture decision choice meeting conference party rule "
    "regulation difficulty",
}
CLASSES = tuple(
    WordClass(use, frozenset(kinds.split()), frozenset(prepositions.split()), tuple(words.split()))
    for use, rows in (
        ("transitive", [(*row, "") for row in TRANSITIVE]),
        ("intransitive", INTRANSITIVE),
        ("adjective", [(*row, "") for row in ADJECTIVES]),
        ("noun", [("", words, "") for words in NOUNS]),
    )
    for kinds, words, prepositions in rows
)


# What somebody does first, with the verbs that "and" may join to it; and what somebody may do last, after what. Not
# "come" and "go": other languages have an infinitive after them.
DONE_FIRST = {
    "stay": "help watch listen work wait talk eat clean pray sing dance chat rest drink fight "
    "comfort pack vote defend protest",
    "stand up": "walk clap wave bow shout speak sing dance run protest cheer apologize salute close open shut "
    "kiss hug stretch yawn thank greet applaud propose object interrupt recite insult praise",
    "sit down": "eat drink write read listen wait watch rest cry talk smoke chat weep sob sew knit sketch draw play "
    "sigh pray negotiate translate copy count mend discuss plan sign practise practice paint",
    "turn round": "walk leave look wave smile shout run nod grin stare flee bow sigh laugh wink point march yell "
    "scream",
    "stop": "look listen wait stare laugh smile rest help watch wave shout pray talk chat drink point photograph "
    "rescue",
}
DONE_LAST = {
    "leave": "pay sign deliver drop lock close shut take thank pack finish eat drink kiss hug collect fix repair "
    "apologize bow nod wave vote grab clean wash dress greet salute sweep tidy empty park congratulate complain sigh "
    "shrug smile resign refuse interrupt insult",
    "smile": "kiss hug thank greet read hear look nod taste wink bow wave sit shrug applaud open recognize answer "
    "admire",
    "laugh": "slip stumble trip point read hear nod dance clap jump tickle wink shrug splash joke",
    "wait": "knock ring call sit stop order hide park stand phone queue dial kneel arrive whistle pray",
    "flee": "steal rob attack stab shoot hit kill snatch assault punch smash",
    "cry": "read hear sit hug lose kneel collapse apologize pray",
    "sigh": "read sit nod look shrug wait yawn listen",
    "celebrate": "win score pass finish graduate marry sell beat sign succeed triumph defeat elect",
    "apologize": "break spill drop forget lose miss insult blame hit kick bump shout crash interrupt fail push",
    "rest": "swim walk cycle work finish cook clean eat arrive dance",
    "disappear": "steal cheat bow wave pay",
}

PERSONAL_PRONOUNS = frozenset("i me we us you he him she her who".split())
ALTERNATIVES = 12  # words tried for one


def words_like(word: str, use: str, kinds: frozenset = frozenset(), prepositions: frozenset = frozenset()) -> list[str]:
    """Words that may take a word's place beside nouns of these kinds (none: unknown) and before these prepositions.

    They are those of the first class that fits: of two classes, one may be of what lasts and one of deeds.

    >>> words_like("burn", "transitive", frozenset({"letter"}))[:5]
    ['write', 'read', 'send', 'receive', 'keep']
    >>> words_like("burn", "transitive", frozenset({"person"})), words_like("bask", "transitive", frozenset())
    ([], [])
    >>> words_like("talk", "intransitive", frozenset({"person"}), frozenset({"with"}))
    ['whisper', 'argue', 'chat', 'quarrel']
    """
    fitting = (c for c in CLASSES if word in c.words and c.use == use and prepositions <= c.prepositions)
    first = next((c for c in fitting if not c.kinds or c.kinds & kinds), None)
    return [other for other in first.words if other != word] if first else []


def joined_to(verb: str, table: dict[str, str]) -> list[str]:
    """What may come before a verb or after it, by one of the two tables.

    >>> joined_to("smile", DONE_FIRST), joined_to("knock", DONE_LAST)
    (['turn round', 'stop'], ['wait'])
    """
    return [other for other, verbs in table.items() if verb in verbs.split()]


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

"""English verbs that can take each other's place: the same valency, the same kind of subject or object.

Thesauri group verbs by meaning; what matters in a variant is that the sentence stays English, and there WordNet's frames
are of little help: they belong to sets of synonyms, so that "bask" is transitive as "enjoy" is. These classes are in the
manner of Levin (English Verb Classes and Alternations, 1993): in each, any verb may replace any other.
"""

from typing import NamedTuple


class VerbClass(NamedTuple):
    """Verbs with an object, or without one, and the kinds of noun (WordNet's lexicographer files) that go with them.

    transitive: does an object follow? Its kind is the one that counts; else the subject's.
    kinds: names as of `tools.WordNet`, or none for any kind; "person" admits personal pronouns.
    prepositions: those that may follow, beside the ones of place and time that go with all verbs.
    """

    transitive: bool
    kinds: frozenset
    prepositions: frozenset
    verbs: tuple[str, ...]


BEINGS = "person animal"
ABSTRACTIONS = "act cognition communication event state attribute process phenomenon relation"
AMOUNTS = "attribute quantity possession"
TRANSITIVE = (
    ("", "praise criticize condemn defend attack denounce"),
    ("", "love hate admire dislike adore despise"),
    ("", "remember forget recall mention ignore recognize"),
    ("", "protect defend attack abandon ignore threaten"),
    ("", "enjoy avoid appreciate remember miss tolerate"),
    (ABSTRACTIONS, "support oppose reject endorse accept criticize"),
    (ABSTRACTIONS, "describe discuss explain examine analyze summarize"),
    (ABSTRACTIONS, "announce reveal confirm report deny conceal"),
    (ABSTRACTIONS, "cause prevent trigger provoke avoid expect"),
    (ABSTRACTIONS, "show reveal display hide conceal demonstrate"),
    (ABSTRACTIONS, "know forget learn guess remember ignore"),
    (ABSTRACTIONS, "find seek discover propose need expect"),
    (ABSTRACTIONS, "study investigate examine explore analyze describe"),
    (ABSTRACTIONS, "improve change alter modify transform strengthen weaken"),
    (ABSTRACTIONS, "control influence affect regulate monitor dominate"),
    (ABSTRACTIONS, "solve tackle avoid ignore discuss analyze"),
    (ABSTRACTIONS, "hear ignore notice recognize describe enjoy"),
    (f"{ABSTRACTIONS} feeling", "express hide conceal reveal share feel"),
    (f"{ABSTRACTIONS} possession", "offer provide request refuse accept promise"),
    (f"{ABSTRACTIONS} quantity possession", "increase reduce limit boost double"),
    ("cognition communication", "follow ignore accept reject change"),
    ("act event group", "start launch stop suspend resume delay"),
    ("act event", "begin continue finish complete interrupt resume"),
    ("act event", "plan organize cancel postpone attend boycott"),
    ("act event", "win lose watch enjoy dominate"),
    ("communication", "write read publish edit translate review"),
    ("communication", "sign draft read reject publish approve"),
    ("communication", "approve reject adopt amend ratify block"),
    ("communication", "send receive deliver return collect forward"),
    ("communication", "sing hum perform record rehearse compose"),
    ("communication", "ask answer ignore repeat discuss"),
    ("communication artifact", "release publish record promote sell"),
    ("artifact possession", "buy sell rent borrow steal purchase acquire own"),
    ("artifact", "build rebuild destroy repair restore demolish"),
    ("artifact", "design develop test produce improve construct"),
    ("artifact", "open close shut reopen lock unlock"),
    ("artifact", "wash clean scrub wipe polish rinse"),
    ("artifact", "break damage smash repair crush"),
    ("artifact", "wear buy wash lose sell"),
    ("artifact", "use test adopt abandon buy borrow"),
    ("artifact object", "enter approach visit reach explore search"),
    ("artifact object", "examine inspect check touch study"),
    ("artifact object food", "carry lift drop drag push pull"),
    ("artifact object food", "find lose discover recover hide locate"),
    ("artifact object food", "hold grab drop touch lift squeeze"),
    ("artifact food substance", "produce sell export import store distribute"),
    ("artifact food plant", "replace remove move store discard"),
    ("food", "eat cook taste devour swallow prepare serve"),
    ("food substance", "drink taste sip swallow spill"),
    ("group", "join lead fund represent support advise"),
    ("person animal artifact", "draw paint sketch photograph film"),
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
    (BEINGS, "walk run stroll limp creep wander march", "to into through along across toward towards from around past"),
    (BEINGS, "climb crawl jump leap scramble", "over into onto through across out from"),
    (BEINGS, "sleep rest wait doze relax", "for"),
    (BEINGS, "fall slip stumble trip collapse", "over"),
    ("person", "travel drive ride walk sail fly", "to from through along across toward towards into"),
    ("person", "sit stand kneel wait rest", "by beside beneath against among around for"),
    ("person", "look stare gaze peer glance squint", "at into through toward towards over"),
    ("person", "laugh smile cry weep scream sob", "with like"),
    ("person", "sigh groan moan gasp grunt", "with like"),
    ("person", "nod bow wave wink smile grin", "to at"),
    ("person", "mutter murmur whisper shout yell mumble", "to"),
    ("person", "work study train rest relax", "with for"),
    ("person", "live settle stay work study", "with among"),
    ("person", "talk speak whisper argue chat", "with to about"),
    ("person", "complain worry joke talk speak", "about"),
    ("person", "agree disagree argue quarrel talk", "with"),
    ("person", "wait hope pray vote plead", "for"),
    ("person", "fight struggle play train compete", "with against for"),
    ("person", "eat drink cook smoke sing", "with"),
    ("person", "arrive leave depart return disappear", "with from"),
    ("person", "shiver tremble shake shudder quiver", "with from like"),
    ("person", "dance sing perform play rehearse", "with for to"),
    ("artifact", "burn explode collapse crumble vanish", "with"),
    ("artifact object phenomenon", "shine glow sparkle glitter gleam flicker", "through"),
    ("event act phenomenon", "happen occur begin end continue", ""),
    ("state attribute process act", "improve worsen change deteriorate vary", ""),
    (AMOUNTS, "rise fall increase decrease grow decline drop", "by to from"),
    ("", "appear disappear vanish emerge return", "from"),
)
AROUND_OBJECTS = "with for from by through over around beside"
CLASSES = tuple(
    VerbClass(transitive, frozenset(kinds.split()), frozenset(prepositions.split()), tuple(verbs.split()))
    for transitive, rows in ((True, [(*row, AROUND_OBJECTS) for row in TRANSITIVE]), (False, INTRANSITIVE))
    for kinds, verbs, prepositions in rows
)


def verbs_like(verb: str, transitive: bool, kinds: frozenset, prepositions: frozenset = frozenset()) -> list[str]:
    """Verbs that may take a verb's place beside nouns of these kinds (none: unknown) and before these prepositions.

    >>> verbs_like("wash", True, frozenset({"artifact"}))[:5]
    ['clean', 'scrub', 'wipe', 'polish', 'rinse']
    >>> verbs_like("wash", True, frozenset({"person"})), verbs_like("bask", True, frozenset())
    ([], [])
    >>> verbs_like("talk", False, frozenset({"person"}), frozenset({"with"}))
    ['speak', 'whisper', 'argue', 'chat', 'agree', 'disagree', 'quarrel']
    """
    fitting = (c for c in CLASSES if verb in c.verbs and c.transitive == transitive and prepositions <= c.prepositions)
    fitting = (c for c in fitting if not c.kinds or c.kinds & kinds)
    return list(dict.fromkeys(other for found in fitting for other in found.verbs if other != verb))

"""What a language has in closed lists: one object that a language fills and that all functions of grammar take."""

from collections.abc import Mapping
from dataclasses import dataclass, field

NOTHING: frozenset = frozenset()


def word_set(words: str) -> frozenset:
    """The words of a text, as a list of `WordLists` has them."""
    return frozenset(words.split())


@dataclass(frozen=True, eq=False, kw_only=True)
class WordLists:
    """The words that grammar turns on, in lower case; a list that a language has no use for stays empty.

    Features are letters of the Lefff: m, f (gender), s, p (number), 1, 2, 3 (person).
    """

    # Cutting texts into words
    adverbials: tuple[str, ...] = ()  # of several words, taken as one
    # {words as they are written: what they are}, as what the cut after an apostrophe tears apart
    written_apart: Mapping[str, str] = field(default_factory=dict)
    enclitics: frozenset = NOTHING  # pronouns that follow a hyphen
    joined_enclitics: tuple[str, ...] = ()  # pronouns that are written together with the verb before them: "verlo"
    unaccented: Mapping[int, int] = field(default_factory=dict)  # for str.translate: accents that they cause
    # {regular expression of a verb with pronouns after hyphens: what it would be if these changed nothing}: "vê-los"
    changed_before_hyphens: Mapping[str, str] = field(default_factory=dict)
    # {enclitic, with a hyphen: the ending of verbs that lose their last letter before it}: "vamos" in "vámonos"
    lost_before_enclitics: Mapping[str, str] = field(default_factory=dict)
    # {ending of a feminine noun: that of its masculine}, for titles that the lexicon has in the masculine only
    feminine_endings: Mapping[str, str] = field(default_factory=dict)
    spellings: Mapping[str, str] = field(default_factory=dict)  # {word as it is often written: word}
    verb_endings: tuple[tuple[str, str, str], ...] = ()  # of forms that lexicons lack, of their infinitives, features
    # {ending that no other words have: the features of such verb forms}, for verbs that the lexicon lacks
    regular_endings: Mapping[str, str] = field(default_factory=dict)
    adjective_endings: Mapping[str, str] = field(default_factory=dict)  # the same of adjectives
    nominal_endings: Mapping[str, str] = field(default_factory=dict)  # of nouns or adjectives, where none of these is
    # {letter: the one with the mark that may have been left out}
    unmarked_letters: Mapping[str, str] = field(default_factory=dict)
    linking: str = ""  # the sound between a verb and its enclitic: the t of "viendra-t-il"

    # Words of grammar
    function_words: frozenset = NOTHING  # known to the lexicon as verbs, nouns or adjectives, too
    numerals: frozenset = NOTHING
    # {form: gender and number that it shows}, "" where it shows neither
    determiners: Mapping[str, str] = field(default_factory=dict)
    # {form: pattern of the words before which it shows no gender}: "el agua"
    determiners_of_either: Mapping[str, str] = field(default_factory=dict)
    of: frozenset = NOTHING
    partitives: frozenset = NOTHING  # of with an article, in one word
    that: frozenset = NOTHING  # the conjunction
    relative_that: frozenset = NOTHING  # of these, what is the relative pronoun of subjects, too
    prepositions: frozenset = NOTHING
    prepositions_or_pronouns: frozenset = NOTHING  # en
    coordinators: frozenset = NOTHING
    subordinators: frozenset = NOTHING
    subjunctive_conjunctions: frozenset = NOTHING  # beside "that"
    elided_if: str | None = None  # a form of "if" that is also a pronoun
    clause_boundaries: frozenset = NOTHING
    commas: frozenset = frozenset(",\u2014\u2013()")  # what opens and closes an insertion
    full_stops: frozenset = frozenset(".;:!?\u2026")
    phrase_prepositions: frozenset = NOTHING  # of phrases that may stand between an auxiliary and its participle

    # Pronouns
    drops_subjects: bool = False  # a verb needs no pronoun: "canta"
    subjects: frozenset = NOTHING
    subject_persons: Mapping[str, str] = field(default_factory=dict)  # {form: person and number}
    clitics: frozenset = NOTHING
    before_clitics: frozenset = NOTHING  # after these no noun stands
    articles_or_pronouns: frozenset = NOTHING
    pronouns_before_be: frozenset = NOTHING  # determiners that are pronouns between "that" and be: "que ce fût"
    plural_articles_or_pronouns: frozenset = NOTHING
    neuter_articles: frozenset = NOTHING  # of these, what as an article stands before adjectives alone: "lo guarda"
    possessives_or_datives: frozenset = NOTHING  # leur
    neuter_pronouns: frozenset = NOTHING  # ça: they take up what is said, in the singular
    adverbial_clitics: frozenset = NOTHING  # may stand between a reflexive and its verb
    reflexives: Mapping[str, str] = field(default_factory=dict)  # {form: person and number}
    doubled_reflexives: frozenset = NOTHING  # reflexive only after the subject of the same form: "nous nous"
    plural_pronouns: frozenset = NOTHING
    numberless_pronouns: frozenset = NOTHING  # of one thing or several: y
    numberless_before_objects: frozenset = NOTHING  # "se" of "se lo": le or les
    # {singular: plurals} of the first and second person; joined to a verb they have a hyphen
    plurals_of_persons: Mapping[str, str] = field(default_factory=dict)
    tonic_pronouns: Mapping[str, str] = field(default_factory=dict)  # what pronouns show after a preposition only
    inverted_subjects: frozenset = NOTHING  # after a verb: "viens-tu"
    # {form: gender and number}: of the third person, may take up a noun
    pronouns: Mapping[str, str] = field(default_factory=dict)
    floating: Mapping[str, str] = field(default_factory=dict)  # {form: gender and number}: "je les vois toutes"
    objects: frozenset = NOTHING  # of these, clitics with which a participle agrees
    there: str | None = None  # y, of "il y a"
    impersonal_subjects: frozenset = NOTHING
    impersonal_verbs: frozenset = NOTHING  # lemmas

    # Verbs, by their lemmas
    have: str | None = None
    be: str | None = None
    like_have: frozenset = NOTHING  # lemmas that count as have: haver
    like_be: frozenset = NOTHING  # lemmas that count as be: estar
    come: str | None = None  # its present with "of" and an infinitive is a recent past
    go: frozenset = NOTHING  # lemmas whose present makes an infinitive a future
    has_near_future: bool = False  # is going with an infinitive a tense of its own beside the future?
    before_infinitives: frozenset = NOTHING  # what stands between go and the infinitive: "va a comer"
    before_gerunds: frozenset = NOTHING  # lemmas that make a tense with a present participle: "está comiendo"
    conditional_subjunctives: frozenset = NOTHING  # lemmas whose imperfect subjunctive is one: "quisiera"
    verbs_of_pleasing: frozenset = NOTHING  # lemmas: their subject is what English has as the object, "me gusta"
    verbs_with_be: frozenset = NOTHING  # whose compound tenses are made with be
    verbs_negated_by_particle_alone: frozenset = NOTHING
    before_participles: frozenset = NOTHING  # forms that may stand between an auxiliary and its participle

    # Nouns and adjectives
    common_gender: frozenset = NOTHING  # lemmas of titles that may have either gender, whatever the lexicon says
    adjectives_before_nouns: frozenset = NOTHING  # lemmas
    before_nouns: frozenset = NOTHING  # forms that stand before nouns like these adjectives
    whole: frozenset = NOTHING  # tout: what follows it is a noun
    invariable: frozenset = NOTHING  # nouns that are adjectives, too, and agree with nothing: "orange"
    shades: frozenset = NOTHING  # after a colour these make both invariable: "bleu clair"
    degree_adverbs: frozenset = NOTHING

    # Comparison
    more: str | None = None
    less: str | None = None
    counts_by_more: bool = False  # before a plural noun and its adjective it says how many: "más cucharas grandes"
    either: str | None = None  # the conjunction of "more or less"
    before_aside_more: frozenset = NOTHING  # where more does not compare at the end of a phrase: "de plus,"
    comparative_words: frozenset = NOTHING
    comparative_stems: tuple[str, ...] = ()
    superlative_determiners: frozenset = NOTHING
    superlative_after_nouns: bool = False  # the noun stands between it and the comparative: "la casa más alta"
    superlative_endings: Mapping[str, str] = field(default_factory=dict)  # of adjectives, {"ísimo": "ms"}: "altísimo"

    # Negation and quantity
    negative_particles: frozenset = NOTHING
    negatives: frozenset = NOTHING  # what goes with a particle
    negative_subjects: frozenset = NOTHING
    negative_prefixes: tuple[str, ...] = ()  # of adjectives
    negative_alone: frozenset = NOTHING  # what negates without a particle
    ever: str | None = None  # a negative that may be one alone: "m'a jamais aidé", not "si jamais"
    step: str | None = None  # a negative that is also a noun: "à petits pas"
    no: str | None = None
    # {negative: words before which it negates nothing by itself}: "non seulement", "pas mal"
    idle_before: Mapping[str, frozenset] = field(default_factory=dict)
    quantities: frozenset = NOTHING  # before of: what follows is a plural
    quantity_nouns: frozenset = NOTHING  # before of: they or what follows may be meant: "la moitié des gens ... ils"
    one: frozenset = NOTHING  # before of: one of what follows is meant: "une des étudiantes ... elle"

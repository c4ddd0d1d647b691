"""What a language has in closed lists: a text that a linguist can write, and the object that all functions take."""

import re
from collections.abc import Mapping
from dataclasses import MISSING, dataclass, field, fields
from functools import cached_property

from .common import input_error

NOTHING: frozenset = frozenset()


@dataclass(frozen=True, eq=False, kw_only=True)
class WordLists:
    """The words that grammar turns on, in lower case; a list that a language has no use for stays empty.

    Features are letters of the Lefff: m, f (gender), s, p (number), 1, 2, 3 (person).
    """

    # Cutting texts into words
    adverbials: frozenset = NOTHING  # of several words, joined by "_", taken as one
    enclitics: frozenset = NOTHING  # pronouns that follow a hyphen
    joined_enclitics: frozenset = NOTHING  # pronouns that are written together with the verb before them: "verlo"
    unaccented: Mapping[str, str] = field(default_factory=dict)  # {accent that they cause: the letter without}
    # {regular expression of a verb with pronouns after hyphens: what it would be if these changed nothing}: "vê-los"
    changed_before_hyphens: Mapping[str, str] = field(default_factory=dict)
    # {enclitic, with a hyphen: the ending of verbs that lose their last letter before it}: "vamos" in "vámonos"
    lost_before_enclitics: Mapping[str, str] = field(default_factory=dict)
    # {ending that no other words have: the features of such verb forms}, for verbs that the lexicon lacks
    regular_endings: Mapping[str, str] = field(default_factory=dict)
    adjective_endings: Mapping[str, str] = field(default_factory=dict)  # the same of adjectives
    nominal_endings: Mapping[str, str] = field(default_factory=dict)  # of nouns or adjectives, where none of these is
    linking: str = ""  # the sound between a verb and its enclitic: the t of "viendra-t-il"

    # Words of grammar
    particles: frozenset = NOTHING  # known to the lexicon as verbs, nouns or adjectives, too, and in no list below
    determiners: Mapping[str, str] = field(default_factory=dict)  # {form: gender and number that it shows}
    contractions: Mapping[str, str] = field(default_factory=dict)  # of these, prepositions with an article
    # {form: pattern of the words before which it shows no gender}: "el agua"
    determiners_of_either: Mapping[str, str] = field(default_factory=dict)
    of: frozenset = NOTHING
    partitives: frozenset = NOTHING  # of with an article, in one word
    that: frozenset = NOTHING  # the conjunction, and the relative pronoun
    prepositions: frozenset = NOTHING
    prepositions_or_pronouns: frozenset = NOTHING  # en
    coordinators: frozenset = NOTHING
    subordinators: frozenset = NOTHING
    elided_if: str | None = None  # a form of "if" that is also a pronoun
    commas: frozenset = frozenset(",\u2014\u2013()")  # what opens and closes an insertion
    full_stops: frozenset = frozenset(".;:!?\u2026")

    # Pronouns
    drops_subjects: bool = False  # a verb needs no pronoun: "canta"
    subjects: Mapping[str, str] = field(default_factory=dict)  # {form: person and number}
    clitics: frozenset = NOTHING
    articles_or_pronouns: frozenset = NOTHING
    datives: frozenset = NOTHING  # of these, what as a pronoun is a dative: leur
    reflexives: Mapping[str, str] = field(default_factory=dict)  # {form: person and number}
    numberless_pronouns: frozenset = NOTHING  # of one thing or several: y
    numberless_before_objects: frozenset = NOTHING  # "se" of "se lo": le or les
    # {singular: plurals} of the first and second person; joined to a verb they have a hyphen
    plurals_of_persons: Mapping[str, str] = field(default_factory=dict)
    # {form: gender and number}: of the third person, may take up a noun
    pronouns: Mapping[str, str] = field(default_factory=dict)
    floating: Mapping[str, str] = field(default_factory=dict)  # {form: gender and number}: "je les vois toutes"
    objects: frozenset = NOTHING  # of these, clitics with which a participle agrees
    impersonal_verbs: frozenset = NOTHING  # lemmas, and what makes one of have: "il faut, il y a"

    # Verbs, by their lemmas
    have: frozenset = NOTHING
    be: frozenset = NOTHING
    come: str | None = None  # its present with "of" and an infinitive is a recent past
    go: frozenset = NOTHING  # whose present makes an infinitive a future
    before_infinitives: frozenset = NOTHING  # what stands between go and the infinitive: "va a comer"
    before_gerunds: frozenset = NOTHING  # that make a tense with a present participle: "está comiendo"
    conditional_subjunctives: frozenset = NOTHING  # whose imperfect subjunctive is one: "quisiera"
    verbs_with_be: frozenset = NOTHING  # whose compound tenses are made with be
    verbs_of_pleasing: frozenset = NOTHING  # their subject is what English has as the object: "me gusta"
    before_participles: frozenset = NOTHING  # forms that may stand between an auxiliary and its participle: "rien"
    verbs_negated_by_particle_alone: frozenset = NOTHING

    # Nouns and adjectives
    corrected: Mapping[str, str] = field(default_factory=dict)  # {noun that the Lefff gets wrong: gender and number}
    common_gender: frozenset = NOTHING  # lemmas of titles that may have either gender, whatever the lexicon says
    adjectives_before_nouns: frozenset = NOTHING  # lemmas
    invariable: frozenset = NOTHING  # nouns that are adjectives, too, and agree with nothing: "orange"
    shades: frozenset = NOTHING  # after a colour these make both invariable: "bleu clair"
    degree_adverbs: frozenset = NOTHING

    # Comparison
    more: str | None = None
    less: str | None = None
    comparative_words: frozenset = NOTHING
    comparative_stems: frozenset = NOTHING
    superlative_determiners: frozenset = NOTHING  # beside contractions
    superlative_endings: Mapping[str, str] = field(default_factory=dict)  # of adjectives, {"ísimo": "ms"}: "altísimo"

    # Negation and quantity
    negative_particles: frozenset = NOTHING
    negatives: frozenset = NOTHING  # what goes with a particle
    negative_alone: frozenset = NOTHING  # what negates without a particle
    ever: str | None = None  # a negative that may be one alone: "m'a jamais aidé", not "si jamais"
    no: str | None = None
    idle_negatives: frozenset = NOTHING  # negatives with the word before which they negate nothing: "non_seulement"
    quantity_nouns: frozenset = NOTHING  # before of: they or what follows may be meant: "la moitié des gens ... ils"
    one: frozenset = NOTHING  # before of: one of what follows is meant: "une des étudiantes ... elle"

    @cached_property
    def before_clitics(self) -> frozenset:
        """After these no noun stands."""
        others = self.determiners.keys() | self.prepositions | self.coordinators
        negatives = self.negative_alone - others if self.drops_subjects else {self.no}  # "ninguém a viu"
        return self.negative_particles | self.subjects.keys() | self.reflexives.keys() | negatives

    @cached_property
    def function_words(self) -> frozenset:
        """Words that are no nouns and adjectives, and verbs only where a subject is before them."""
        kinds = self.prepositions, self.determiners, self.subjects, self.clitics, self.of, self.that
        return self.particles.union(*kinds, self.coordinators, self.subordinators)


def read_lists(text: str) -> WordLists:
    """The lists of a text: of each its name, a colon and its words, up to the next line that begins with a name.

    A table has rows between semicolons, "value: words". "yes" is for what is true. What follows "--" is a comment.

    >>> lists = read_lists('''
    ... of: de d'     -- before a vowel
    ... determiners: ms: le un;
    ...     fs: la une
    ... ''')
    >>> sorted(lists.of), lists.determiners["une"]
    (["d'", 'de'], 'fs')
    """
    found: dict = {}
    known = {each.name: each for each in fields(WordLists)}
    for block in re.split(r"\n(?=\w)", re.sub(r"--.*", "", text).strip()):
        name, _, content = block.partition(":")
        if name not in known:
            raise input_error("", f"the list {name!r}", f"one of {', '.join(known)}")
        default = known[name].default
        if default is MISSING:
            rows = (row.partition(":") for row in content.split(";"))
            found[name] = {word: value.strip() for value, _, words in rows for word in words.split()}
        elif isinstance(default, frozenset):
            found[name] = frozenset(content.split())
        else:
            found[name] = content.strip() == "yes" or content.strip()
    contractions = found.get("contractions", {})
    found["determiners"] = {**found.get("determiners", {}), **contractions}
    found["prepositions"] = found.get("prepositions", NOTHING) | contractions.keys()
    return WordLists(**found)

"""What the test of coreference looks for (B): the new noun, and the pronouns after it that may take it up."""

import re

from .find_nouns import determined_noun, stands_for_noun
from .grammar_classes import is_adjective, is_determiner, is_finite, is_noun, is_partitive, is_pronoun
from .grammar_nouns import adjective_values, determiner_before, determiner_values, noun_values
from .grammar_verbs import in_moods, participle_after
from .language_lists import WordLists
from .lexicon import Reading
from .verdicts import (
    EMPTY,
    FAIL,
    REJECTED,
    UNTRANSLATED,
    Evidence,
    Finding,
    Marked,
    is_untranslated,
    new_positions,
    unknown_words,
    unless_left,
)
from .words import BARE, BE, CATEGORIES, FINITE, HAVE, PARTICIPLE, Sentence, Word, agreement, features

# English pronouns: "her" and "it" end their phrase as objects.
OF_PERSONS = "he she him her his hers himself herself".split()
SUBJECTS, OBJECTS, ENDING = ("he", "she", "they"), ("him", "them"), ("it", "her")
ENDS_PHRASE = frozenset(
    ". , ; : ! ? - ) to in on at with by for from of off up down out back into onto over under about after before and "
    "or but because when while so if that again now then there here away together as than through without during "
    "every all once first last very well too either since".split()
)
# "it" is a subject after these or before those, and before what looks like a verb.
OPENERS = frozenset(
    ". , ; : ! ? - and but or because when while if that as so before after since until though although where whether "
    "how why once than then is was does did has had will would can could".split()
)
WITHOUT_NOUN = re.compile(r"\b(mine|yours|hers|ours|theirs|(the|an?|another|this|that) (\w+ )?ones?)\b", re.IGNORECASE)
FAR = 5  # words between a pronoun and what tells more of it


def find_antecedents(lists: WordLists, base: Sentence, variant: Sentence) -> tuple:
    """In each sentence what `_find_antecedent` gives: the noun that the other one lacks, and the pronouns after it."""
    if base == variant and base:
        return (Finding(FAIL, "base and variant are translated alike"),) * 2

    def found_in(side: int, sentence: Sentence, other: Sentence) -> Finding | tuple:
        if not sentence or is_untranslated(sentence):
            return UNTRANSLATED if sentence else EMPTY
        new, english = new_positions(other, sentence), english_pronouns(sentence.source, other.source)
        return unless_left(_find_antecedent(lists, sentence, new, side, english), sentence, new, side)

    return found_in(0, base, variant), found_in(1, variant, base)


def _find_antecedent(
    lists: WordLists, sentence: Sentence, new: list[int], side: int, english: list
) -> Finding | tuple[Marked, list[Marked]]:
    """The leftmost new noun, and the pronouns after it that may take up a noun; ``english`` are those of the source."""
    nouns = [i for i in new if is_noun(lists, sentence, i) or _is_noun_of_grammar(lists, sentence, i)]
    determined = [i for i in nouns if determiner_before(lists, sentence, i) is not None]  # "Occhio a quel coltello"
    nouns = determined or nouns or list(filter(None, (determined_noun(lists, sentence, i) for i in new)))
    noun = min(nouns, default=None)
    if noun is None:
        unlisted = (i for i in new if _is_unknown_noun(lists, sentence, i) or stands_for_noun(lists, sentence, i))
        noun = next(unlisted, None)
    if noun is None:
        return unknown_words(sentence, new, side) or Finding(REJECTED, "no new noun")
    after = range(noun + 1, len(sentence))
    positions = [i for i in after if _takes_up_a_noun(lists, sentence, i)]
    positions = positions or [i for i in after if _may_take_up_a_noun(lists, sentence, i)]
    pronouns = [_pronoun(lists, sentence, i, side) for i in positions]
    values = _values_in_parts(lists, sentence, noun)
    antecedent = Marked((Evidence(side, noun, sentence[noun].nouns or sentence[noun].readings),), values)
    pronouns = _in_their_roles(lists, sentence, antecedent, pronouns, english)
    if not any(word in ("it", "they", "them") for _, word in english) and WITHOUT_NOUN.search(sentence.source):
        pronouns = [*filter(None, (_without_noun(lists, sentence, i, side) for i in after)), *pronouns]
    if not pronouns:
        pronouns = list(filter(None, (_of_dropped_subject(lists, sentence, i, side) for i in after)))
    return (antecedent, pronouns) if pronouns else Finding(REJECTED, "no pronoun after *{0.form}*", antecedent.evidence)


def _is_unknown_noun(lists: WordLists, sentence: list[Word], i: int) -> bool:
    """Does an unknown word stand after a determiner, which shows its gender and number: "una borsetta"?"""
    return i > 0 and sentence[i].unknown and not sentence[i].is_left and is_determiner(lists, sentence, i - 1)


def _is_noun_of_grammar(lists: WordLists, sentence: list[Word], i: int) -> bool:
    """Is the word of grammar at i a noun here, between an article and what opens no noun phrase: "el sobre y"?"""
    word, after = sentence[i], sentence[i + 1] if i + 1 < len(sentence) else None
    if not word.function or not any(r.category == "nc" for r in word.readings) or after is None or after.is_name:
        return False
    return not (after.nouns or after.adjectives) and i > 0 and is_determiner(lists, sentence, i - 1)


def english_pronouns(source: str, other: str) -> list[tuple[bool, str]]:
    """For the English pronouns after the word that only this source has: is it a subject, and which pronoun is it?

    By the little that can be told without a tagger: what ends its phrase is no subject.

    >>> english_pronouns("She kept the map because it helped her.", "She kept the list because it helped her.")
    [(True, 'it'), (False, 'her')]
    """
    words, others = (re.findall(r"[a-z]+|[^a-z\s]", text.lower()) for text in (source, other))
    if any(words.count(person) != others.count(person) for person in OF_PERSONS):
        return []  # a person changes, whom "it" does not take up
    start = next((i for i, (a, b) in enumerate(zip(words, others, strict=False)) if a != b), len(words)) + 1
    after = zip(words[start:], [*words[start + 1 :], "."], strict=False)
    before = [".", *words][start:]
    return [
        (word in SUBJECTS or word == "it" and previous in OPENERS, word)
        for previous, (word, following) in zip(before, after, strict=False)
        if word in SUBJECTS + OBJECTS or word in ENDING and (word == "it" or following in ENDS_PHRASE)
    ]


def _in_their_roles(lists: WordLists, sentence: list[Word], noun: Marked, pronouns: list, english: list) -> list:
    """The pronouns that stand where English has it or they, if it has as many subjects and as many objects.

    Where it has none of them among the subjects, or among the objects, these are of something else.
    """
    taking_up = {frozenset("s"): ("it",), frozenset("p"): ("they", "them")}.get(noun.values["number"], ())
    kept = []
    for role in (True, False):
        meant = [word in taking_up for is_subject, word in english if is_subject == role]
        own = [p for p in pronouns if _is_subject(lists, sentence, p.evidence[0].position) == role]
        if any(meant):
            kept += [p for p, is_meant in zip(own, meant, strict=True) if is_meant] if len(own) == len(meant) else own
    return [p for p in pronouns if p in kept] or pronouns


def _is_subject(lists: WordLists, sentence: list[Word], i: int) -> bool:
    form = sentence[i].form
    governed = i > 0 and sentence[i - 1].form in lists.prepositions
    return form.lstrip("-") in lists.subjects and form not in lists.clitics and not governed


def _values_in_parts(lists: WordLists, sentence: list[Word], i: int) -> dict[str, frozenset]:
    """Values of the noun at i: also of what it is a quantity of ("la moitié des gens"), or of one of them."""
    values, before = noun_values(lists, sentence, i), i - 1
    if before > 0 and sentence[before].form in lists.of | lists.partitives and sentence[before - 1].form in lists.one:
        return {**values, "number": frozenset("s")}
    of = i + 1
    if of + 1 >= len(sentence) or sentence[of].form not in lists.of | lists.partitives:
        return values
    if not any(r.lemma in lists.quantity_nouns for r in sentence[i].nouns):
        return values
    whole = next((j for j in range(of + 1, min(of + 5, len(sentence))) if is_noun(lists, sentence, j)), i)
    parts = noun_values(lists, sentence, whole)
    return {feature: parts[feature] and own and own | parts[feature] for feature, own in values.items()}


def _pronoun(lists: WordLists, sentence: list[Word], i: int, side: int) -> Marked:
    """The pronoun at i; what an object before avoir does not show its participle may ("les a prises")."""
    form = sentence[i].form
    shown = lists.pronouns[form]
    letters = features(shown)
    values = {"gender": letters.genders, "number": letters.numbers} if shown else {}  # en shows neither
    readings = tuple(r for r in sentence[i].readings if CATEGORIES.get(r.category) == "pronoun")
    readings = readings or sentence[i].readings or (Reading("pro", form, shown),)  # "-lhe"
    evidence = (Evidence(side, i, readings),)
    participle = _participle_of(lists, sentence, i) if sentence[i].form in lists.objects else None
    pronoun = _shown_by(sentence, participle, Marked(evidence, values))
    return pronoun._replace(values=_told_after(lists, sentence, i) | {k: v for k, v in pronoun.values.items() if v})


def _told_after(lists: WordLists, sentence: list[Word], i: int) -> dict[str, frozenset]:
    """What the words after the pronoun at i tell of it, if anything: "je les peins toutes", "construis-en une"."""
    form = sentence[i].form.lstrip("-")
    for j in range(i + 1, min(i + FAR, len(sentence))):
        shown = features(lists.floating.get(sentence[j].form, ""))
        if form in lists.prepositions_or_pronouns and sentence[j].form in lists.one:
            alone = j + 1 == len(sentence) or not (sentence[j + 1].nouns or sentence[j + 1].adjectives)
            shown = features(sentence[j].determiner or "") if alone else shown
        if shown.numbers:
            return {"gender": shown.genders, "number": shown.numbers}
    return {feature: frozenset() for feature in ("gender", "number") if lists.pronouns[sentence[i].form]}


def _without_noun(lists: WordLists, sentence: list[Word], i: int, side: int) -> Marked | None:
    """The determiner at i if the noun it goes with is left out: "la mía", "o branco", "una più grande", "la de Ana"."""
    phrase = [word for word in sentence[i + 1 : i + 4] if word.form != lists.more]
    determiner = sentence[i].determiner
    if determiner is None or not phrase:
        return None
    linked = phrase[0].form in lists.of | lists.that
    described = any(r.category == "adj" for r in phrase[0].readings) and not any(word.nouns for word in phrase[1:2])
    if not (linked or described):
        return None
    readings = sentence[i].readings or (Reading("det", sentence[i].form, determiner),)  # "della"
    return Marked((Evidence(side, i, readings),), determiner_values(lists, sentence[i], phrase[0]))


def _of_dropped_subject(lists: WordLists, sentence: list[Word], i: int, side: int) -> Marked | None:
    """What shows the subject that the verb at i has not: a predicate, else its own number.

    "Porque está cansada", "può essere lavata", "llegó rota", "prima di essere approvato".
    """
    governed = i > 0 and sentence[i - 1].form in lists.prepositions and "W" in sentence[i].moods
    finite = lists.drops_subjects and is_finite(lists, sentence, i) and "3" in sentence[i].finite_values["person"]
    if not (governed or finite):
        return None
    before = _before_verb(lists, sentence, i)
    opening = sentence[before].form if before >= 0 else ""
    openers = lists.subordinators | lists.full_stops | lists.coordinators | lists.commas
    if not (governed or opening in openers):
        return None
    predicate = _predicate_of(lists, sentence, i, side)
    if predicate or governed:
        return predicate
    return Marked((Evidence(side, i, sentence[i].finite_verbs),), {"number": sentence[i].finite_values["number"]})


def _predicate_of(lists: WordLists, sentence: list[Word], i: int, side: int) -> Marked | None:
    """The adjective after the verb at i, or after the be that it governs, with what it or another with "and" shows."""
    near = range(i + 1, min(i + 4, len(sentence)))
    head = next((j for j in near if sentence[j].moods & BARE and sentence[j].auxiliary == BE), i)
    after = range(head + 1, len(sentence))
    j = next((j for j in after if not sentence[j].skippable and sentence[j].auxiliary != BE), i)
    if not is_adjective(lists, sentence, j, of_state=True):
        return None
    joined = j + 2 < len(sentence) and sentence[j + 1].form in lists.coordinators  # "enorme e rosso"
    k = j + 2 if joined and is_adjective(lists, sentence, j + 2) else j
    own, other = adjective_values(lists, sentence, j), adjective_values(lists, sentence, k)
    shown = {feature: own[feature] or other[feature] for feature in own if own[feature] or other[feature]}
    return Marked((Evidence(side, j, sentence[j].adjectives),), shown)


def _before_verb(lists: WordLists, sentence: list[Word], i: int) -> int:
    """Position of what opens the clause of the verb at i, if that has no subject: over adverbs and clitics."""
    j = i - 1
    while j >= 0:
        word = sentence[j]
        if word.form in lists.subordinators or not (word.skippable or word.form in lists.clitics):
            break
        j -= 1
    return j


def _participle_of(lists: WordLists, sentence: list[Word], i: int) -> int | None:
    """Position of the participle of avoir whose object the clitic at i is, over other clitics ("les lui a données")."""
    j = i + 1
    while j < len(sentence) and sentence[j].form in lists.clitics:
        j += 1
    if j == len(sentence) or sentence[j].auxiliary != HAVE:
        return None
    return participle_after(lists, sentence, j)


def _shown_by(sentence: list[Word], participle: int | None, pronoun: Marked) -> Marked:
    """The pronoun with the values that the participle shows and itself does not; before an infinitive it shows none."""
    if participle is None or any("W" in word.moods for word in sentence[participle + 1 : participle + 2]):
        return pronoun
    shown = agreement(in_moods(sentence[participle].verbs, PARTICIPLE))
    values = {feature: values or shown[feature] for feature, values in pronoun.values.items()}
    word = Evidence(pronoun.evidence[0].side, participle, in_moods(sentence[participle].verbs, PARTICIPLE))
    return Marked((*pronoun.evidence, word), values)


def _takes_up_a_noun(lists: WordLists, sentence: list[Word], i: int) -> bool:
    """Is the word at i a pronoun of the third person that may refer to a noun?"""
    form = sentence[i].form
    if form in lists.articles_or_pronouns:
        return form in lists.pronouns and is_pronoun(lists, sentence, i)
    if form in lists.prepositions_or_pronouns:
        return is_partitive(lists, sentence, i)
    if i and sentence[i - 1].form in lists.clitics and sentence[i].moods & FINITE and not sentence[i].function:
        return False  # "j'y tiens"
    return form in lists.pronouns and not (form.lstrip("-") in lists.subjects and _is_impersonal(lists, sentence, i))


def _may_take_up_a_noun(lists: WordLists, sentence: list[Word], i: int) -> bool:
    """May the word at i be an object that opens a clause, if no other pronoun is there: "e la legge"?"""
    opens = sentence[i - 1].form in lists.coordinators | lists.subordinators | lists.commas | lists.full_stops
    following = sentence[i + 1] if i + 1 < len(sentence) else None
    article = sentence[i].form in lists.articles_or_pronouns & lists.clitics & lists.pronouns.keys()
    return opens and article and following is not None and bool(following.moods & FINITE)


def _is_impersonal(lists: WordLists, sentence: list[Word], i: int) -> bool:
    """Is il at i that of "il faut", "il y a"?"""
    after = sentence[i + 1 : i + 5]
    verb = next((j for j, word in enumerate(after) if word.verbs and not word.function), 0)
    there = verb and after[verb - 1].form in lists.impersonal_verbs and after[verb].auxiliary == HAVE
    return bool(there) or any(r.lemma in lists.impersonal_verbs for word in after[verb : verb + 1] for r in word.verbs)

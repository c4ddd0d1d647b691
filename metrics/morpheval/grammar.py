"""What a word is where it stands: a verb, a noun, a pronoun? Which auxiliary governs it? What number does it have?

All functions take the word lists of the language first (`WordLists`), then a sentence as a list of `Word`.
"""

from collections.abc import Callable
from functools import partial

from .lexicon_lefff import Reading
from .verdicts import Evidence, Marked
from .language_lists import WordLists
from .words import FINITE, INFINITIVE, NUMBERS, PARTICIPLE, Word, agreement, features, finite_values

REACH = 12  # words between an auxiliary and what it governs; keeps long sentences fast


def is_pronoun(lists: WordLists, sentence: list[Word], i: int) -> bool:
    """Is le, la, les, l' or leur a pronoun here ("je les vois"), not a determiner ("les gens")?"""
    if sentence[i].form[0] == "-":
        return True
    if i + 1 == len(sentence):
        return False
    following, before = sentence[i + 1], sentence[i - 1] if i else None
    if following.form in lists.clitics or following.form in lists.presentatives:
        return True
    if following.function or not following.moods - PARTICIPLE:
        return False
    if before is not None and (before.form in lists.before_clitics or before.is_name):
        return True
    if sentence[i].form in lists.possessives_or_datives and (
        following.moods & INFINITIVE or before and before.form in lists.articles_or_pronouns
    ):
        return True
    beyond = sentence[i + 2] if i + 2 < len(sentence) else None
    if before is not None and before.form in lists.coordinators and beyond is not None:
        if beyond.determiner is not None and beyond.form not in lists.clitics or beyond.form in lists.whole:
            return True  # "et leur offre un café"
    if before is not None and before.nouns and not before.verbs and before.form not in lists.titles:
        return True  # "le maire les porte"
    inside = before is not None and before.form[0].isalpha()  # no object opens a clause
    return not is_nominal(following) or inside and not _goes_with(lists, sentence[i].form, following)


def _goes_with(lists: WordLists, determiner: str, word: Word) -> bool:
    """May the word be a noun or adjective with this determiner ("la porte"), or do they clash ("le porte")?"""
    wanted = features(lists.determiners[determiner])
    found = [features(r.features) for r in word.nouns or word.adjectives]
    return any(
        (not f.genders or not wanted.genders or f.genders & wanted.genders)
        and (not f.numbers or not wanted.numbers or f.numbers & wanted.numbers)
        for f in found
    )


def is_nominal(word: Word) -> bool:
    """May the word be a noun, or an adjective that is no participle?"""
    return bool(word.nouns) or any(r.features[:1] != "K" for r in word.adjectives)


def is_determiner(lists: WordLists, sentence: list[Word], i: int) -> bool:
    """Is the word a determiner here, and no pronoun?"""
    word = sentence[i]
    return word.determiner is not None and not (
        word.form in lists.articles_or_pronouns and is_pronoun(lists, sentence, i)
    )


def is_verb(lists: WordLists, sentence: list[Word], i: int) -> bool:
    """Is the word a verb here? It is none after a determiner or a preposition if it may be a noun."""
    word = sentence[i]
    if not word.verbs:
        return False
    before = sentence[i - 1] if i else None
    if word.function:
        stands = before is not None and (before.form in lists.subjects or _governs_preposition(lists, sentence, i))
        return stands and bool(word.moods & FINITE)
    if not is_nominal(word):
        return True
    if before is None:  # "Départ" opens a sentence as a noun
        if lists.drops_subjects:
            return True
        if word.nouns and sentence[1:2] and sentence[1].form in lists.partitives:  # "Hausse des prix"
            return False
        return bool(word.moods & frozenset("YWG")) or not word.nouns or sentence[1:2] and sentence[1].form[0] == "-"
    if is_determiner(lists, sentence, i - 1) or _is_determined(lists, sentence, i):
        return False
    if before.form in lists.prepositions:
        pronoun = (
            before.form in lists.prepositions_or_pronouns and i > 1 and sentence[i - 2].form in lists.before_clitics
        )
        return pronoun or bool(word.moods & frozenset("WG"))
    return True


def _governs_preposition(lists: WordLists, sentence: list[Word], i: int) -> bool:
    """Does a preposition follow one at i, which then is a verb: "entre dans"?"""
    after = sentence[i + 1] if i + 1 < len(sentence) else None
    if after is None or sentence[i].form not in lists.prepositions:
        return False
    return after.form in lists.phrase_prepositions and not after.passable


def is_finite(lists: WordLists, sentence: list[Word], i: int) -> bool:
    """Is the word a finite verb here?"""
    return bool(sentence[i].moods & FINITE) and is_verb(lists, sentence, i)


def _is_determined(lists: WordLists, sentence: list[Word], i: int) -> bool:
    """Do adjectives that stand before their noun, behind a determiner or de, come before i: "la plus grande porte"?"""
    j = i - 1
    while j >= 0 and (precedes_noun(lists, sentence[j]) or j < i - 1 and sentence[j].form in lists.degree_adverbs):
        j -= 1
    if j == i - 1:
        return False
    opens = sentence[j].form in lists.of or is_determiner(lists, sentence, j) if j >= 0 else False
    headline = not lists.drops_subjects and (j < 0 or sentence[j].form in lists.headline_marks)  # ": forte hausse"
    return opens or headline or sentence[j + 1].form in lists.whole


def precedes_noun(lists: WordLists, word: Word) -> bool:
    """An adjective that stands before its noun, or one that cannot be a noun or a verb itself."""
    if word.form in lists.before_nouns:
        return True
    alone = bool(word.adjectives) and not word.nouns and not word.verbs
    return alone or any(r.lemma in lists.adjectives_before_nouns for r in word.adjectives)


def is_noun(lists: WordLists, sentence: list[Word], i: int) -> bool:
    """Is the word a noun here? Not after a subject; nor, if it may be an adjective, beside one that can only be one."""
    word = sentence[i]
    if not word.nouns:
        return False
    before = sentence[i - 1] if i else None
    if word.auxiliary:
        return before is not None and (is_determiner(lists, sentence, i - 1) or _is_determined(lists, sentence, i))
    if word.verbs and before is not None and before.form in lists.before_clitics:
        return False
    if "K" in word.moods and auxiliary_before(lists, sentence, i) is not None:
        return False
    if word.adjectives and before is not None:
        if before.auxiliary == lists.be or before.form in lists.degree_adverbs:
            return False
    if word.adjectives:
        after = sentence[i + 1] if i + 1 < len(sentence) else None
        return not any(
            near and near.nouns and not near.adjectives and not near.verbs and not near.passable
            for near in (before, after)
        )
    return True


def is_adjective(lists: WordLists, sentence: list[Word], i: int, of_state: bool = False) -> bool:
    """May the word be an adjective here? The participle of a compound tense is none ("a vu", "est parti").

    ``of_state`` admits what with être tells a state, though it is no adjective in the lexicon: "sont partis".
    """
    word = sentence[i]
    if of_state and not word.adjectives and (word.nouns or "K" in word.moods):
        head = auxiliary_before(lists, sentence, i)
        return head is not None and sentence[head].auxiliary == lists.be
    if word.form in lists.numerals and not (i and sentence[i - 1].nouns):  # "neuf"
        return False
    if not word.adjectives or "K" not in word.moods and any(r.features[:1] != "K" for r in word.adjectives):
        return bool(word.adjectives)
    head = auxiliary_before(lists, sentence, i)
    if any(r.features[:1] != "K" for r in word.adjectives):  # "connu", but not in "a connu"
        return head is None or sentence[head].auxiliary != lists.have
    if head is None or of_state and sentence[head].auxiliary == lists.be:
        return True
    return not is_compound(lists, sentence, head, i)


def adjective_values(lists: WordLists, sentence: list[Word], i: int) -> dict[str, frozenset]:
    """Gender and number of the adjective at i, none for a colour with its shade ("bleu clair")."""
    if i + 1 < len(sentence) and sentence[i + 1].form in lists.shades:
        return {"gender": frozenset(), "number": frozenset()}
    word = sentence[i]
    return agreement(word.adjectives or in_moods(word.verbs, PARTICIPLE) or word.nouns)


def is_partitive(lists: WordLists, sentence: list[Word], i: int) -> bool:
    """Is en at i a pronoun ("il en parle"), no preposition ("en parlant", "en mer")?"""
    following = sentence[i + 1] if i + 1 < len(sentence) else None
    return following is not None and is_verb(lists, sentence, i + 1) and "G" not in following.moods


def is_conjunction(lists: WordLists, sentence: list[Word], i: int) -> bool:
    """Does que at i introduce a clause that a verb governs: not "parce que", "plus que"?"""
    return sentence[i].form in lists.that and (not i or sentence[i - 1].form not in lists.no_conjunction_after)


# ---- Verbs with their auxiliaries ----


def _walk(
    lists: WordLists,
    sentence: list[Word],
    i: int,
    step: int,
    wanted: Callable,
    passable: Callable,
    phrases: bool = True,
) -> int | None:
    """The nearest wanted word before i (step -1) or after it (1), if all between is passable or an insertion.

    ``phrases`` says whether a phrase with a preposition is one: with the verb of going it is where one goes.
    """
    comma, j = False, i + step
    for _ in range(REACH):
        if not 0 <= j < len(sentence):
            return None
        word = sentence[j]
        if wanted(word):
            return j
        comma = comma or word.form in lists.commas
        if not passable(word) and not _restricts(lists, sentence, j):
            end = _phrase_end(lists, sentence, j, step) if phrases else None
            if end is None and comma:  # "a, à vrai dire, jamais parlé"
                beyond = range(j + step, j + step * REACH, step)
                end = next((k for k in beyond if 0 <= k < len(sentence) and sentence[k].form in lists.commas), None)
                comma = False
            if end is None:
                return None
            j = end
        j += step
    return None


def _restricts(lists: WordLists, sentence: list[Word], i: int) -> bool:
    """Is que at i that of "n'a que rarement parlé"?"""
    return sentence[i].form in lists.that and i + 1 < len(sentence) and sentence[i + 1].passable


def _phrase_end(lists: WordLists, sentence: list[Word], i: int, step: int) -> int | None:
    """The other end of a short phrase with a preposition that has one end at i: "à plusieurs reprises"."""
    opens = sentence[i].form in lists.phrase_prepositions
    closes = sentence[i].nouns or sentence[i].is_name or sentence[i].determiner is not None
    if not (opens if step > 0 else closes):
        return None
    for j in range(i + step, i + 5 * step, step):
        if not 0 <= j < len(sentence):
            return None
        word = sentence[j]
        if word.nouns or word.is_name if opens else word.form in lists.phrase_prepositions:
            return j
        if word.determiner is None and not word.adjectives:
            return None
    return None


def auxiliary_before(lists: WordLists, sentence: list[Word], i: int) -> int | None:
    """Position of the form of avoir or être that governs the participle at i, over adverbs and other participles."""

    def passable(word: Word) -> bool:
        return word.passable or word.form in lists.coordinators or word.form == "," or "K" in word.moods

    return _walk(lists, sentence, i, -1, lambda word: word.auxiliary, passable)


def participle_after(lists: WordLists, sentence: list[Word], i: int) -> int | None:
    """Position of the participle that the auxiliary at i governs."""

    def wanted(word: Word) -> bool:
        return "K" in word.moods and not word.function

    return _walk(lists, sentence, i, 1, wanted, lambda word: word.passable)


def is_going(lists: WordLists, word: Word) -> bool:
    return "P" in word.moods and any(r.lemma == lists.go and "P" in r.features for r in word.verbs)


def _in_near_future(lists: WordLists, word: Word) -> bool:
    """May the word stand between go and its infinitive? Behind go the subject may, where more marks the infinitive."""
    subject = lists.before_infinitives and (word.is_name or word.form in lists.subjects)
    return bool(subject) or word.passable or word.form in lists.clitics or word.form in lists.before_infinitives


def going_before(lists: WordLists, sentence: list[Word], i: int) -> int | None:
    """Position of the present of aller that makes the infinitive at i a future, over adverbs and clitics."""

    def passable(word: Word) -> bool:
        return _in_near_future(lists, word) or word.form in lists.coordinators or "W" in word.moods

    return _walk(lists, sentence, i, -1, lambda word: is_going(lists, word), passable, phrases=False)


def infinitive_after(lists: WordLists, sentence: list[Word], i: int) -> int | None:
    """Position of the infinitive that the form of aller at i governs."""
    return _walk(lists, sentence, i, 1, lambda word: "W" in word.moods, partial(_in_near_future, lists), phrases=False)


def _before_gerund(lists: WordLists, word: Word) -> bool:
    return any(r.lemma in lists.before_gerunds for r in word.verbs)


def gerund_after(lists: WordLists, sentence: list[Word], i: int) -> int | None:
    """Position of the present participle that makes a tense with the verb at i: "está comiendo"."""
    return _walk(lists, sentence, i, 1, lambda word: "G" in word.moods, lambda word: word.passable)


def gerund_head(lists: WordLists, sentence: list[Word], i: int) -> int | None:
    """Position of the verb that makes a tense with the present participle at i."""

    def passable(word: Word) -> bool:
        return word.passable or word.form in lists.coordinators or "G" in word.moods

    return _walk(lists, sentence, i, -1, lambda word: _before_gerund(lists, word), passable)


def verb_group(lists: WordLists, sentence: list[Word], i: int, side: int = 1) -> Marked:
    """The verb at i with its auxiliaries: "a mangé" has the person of "a" and tense P+K, "va manger" the tense F."""
    main = i
    while True:
        word = sentence[main]
        step = participle_after(lists, sentence, main) if word.auxiliary else None
        if step is None and is_going(lists, word):
            step = infinitive_after(lists, sentence, main)
        if step is None and _before_gerund(lists, word):
            step = gerund_after(lists, sentence, main)
        if step is None:
            break
        main = step
    parts, compound, future = [main], "", False
    while not future:
        word = sentence[parts[-1]]
        head = auxiliary_before(lists, sentence, parts[-1]) if "K" in word.moods else None
        if head is not None:
            compound += "+K" * is_compound(lists, sentence, head, parts[-1])
        elif "G" in word.moods and lists.before_gerunds:
            head = gerund_head(lists, sentence, parts[-1])
        elif "W" in word.moods:
            head = going_before(lists, sentence, parts[-1])
            future = head is not None
        if head is None:
            break
        parts.append(head)
    values = _with_subject(lists, sentence, parts[-1])
    if len(parts) > 1:
        values = values | {"tense": frozenset(mood + compound for mood in ("F" if future else values["tense"]))}
    return Marked(tuple(Evidence(side, j, sentence[j].verbs) for j in sorted(parts)), values)


def _is_imperative(lists: WordLists, sentence: list[Word], i: int) -> bool:
    """Does an imperative at i open the sentence, or stand behind a conjunction in one that an imperative opens?

    Where subjects are dropped, "come" is a present.
    """
    if lists.drops_subjects and sentence[i].moods & FINITE:
        return False
    if "Y" not in sentence[i].moods or i and sentence[i - 1].form not in lists.coordinators:
        return False
    return (
        _is_imperative(lists, sentence, 0)
        if i
        else sentence[1:2] == [] or sentence[1].form not in lists.inverted_subjects
    )


def _with_subject(lists: WordLists, sentence: list[Word], i: int) -> dict[str, frozenset]:
    """Values of the verb at i, of those that its form admits the ones of the pronoun before it: "je dors, se lave"."""
    if _is_imperative(lists, sentence, i):
        return finite_values(in_moods(sentence[i].verbs, frozenset("Y")))
    values, j = sentence[i].finite_values, i - 1
    if j >= 0 and lists.reflexives.get(sentence[j].form) == "3":
        values = values | {"person": values["person"] & frozenset("3") or values["person"]}
    while j >= 0:
        form = sentence[j].form
        subject = features(lists.subject_persons.get(form, ""))
        if subject.persons & values["person"]:
            numbers = values["number"] & subject.numbers or values["number"]
            return values | {"person": values["person"] & subject.persons, "number": numbers}
        if form not in lists.clitics and form not in lists.negative_particles:
            break
        j -= 1
    return values


def is_past(lists: WordLists, sentence: list[Word], head: int, main: int) -> bool:
    """Is the auxiliary at head with the participle at main a past: "a mangé", "est parti", "était mangé"?"""
    auxiliary = sentence[head]
    if "K" in auxiliary.moods:  # "été": what governs it decides
        above = auxiliary_before(lists, sentence, head)
        return above is not None and is_past(lists, sentence, above, head)
    if auxiliary.moods & frozenset("IJ"):
        return True
    return bool(auxiliary.moods & frozenset("PST")) and is_compound(lists, sentence, head, main)


def is_compound(lists: WordLists, sentence: list[Word], head: int, main: int) -> bool:
    """Do they make a compound tense, no passive: with avoir, and with être for some verbs and reflexive ones?"""
    if sentence[head].auxiliary == lists.have:
        return True
    return any(r.lemma in lists.verbs_with_be for r in sentence[main].verbs) or _is_reflexive(lists, sentence, head)


def _is_reflexive(lists: WordLists, sentence: list[Word], head: int) -> bool:
    """Is the form of être at head that of a reflexive verb: "s'est", "me suis", "nous nous sommes"?"""
    i = head - 1
    while i > 0 and sentence[i].form in lists.adverbial_clitics:  # "s'en est souvenu"
        i -= 1
    before = sentence[i].form if i >= 0 else ""
    if before in lists.doubled_reflexives:
        return i > 0 and sentence[i - 1].form == before
    person = lists.reflexives.get(before)
    return person is not None and any(person in r.features for r in sentence[head].verbs)


def in_moods(readings: tuple[Reading, ...], moods: frozenset) -> tuple[Reading, ...]:
    return tuple(r for r in readings if features(r.features).moods & moods)


# ---- Nouns with their determiners ----


def noun_values(lists: WordLists, sentence: list[Word], i: int) -> dict[str, frozenset]:
    """Gender and number of the noun at i, none where neither it nor its determiner shows one."""
    numbers = numbers_of(lists, sentence, i)
    return {"gender": _genders_of(lists, sentence, i), "number": numbers if len(numbers) == 1 else frozenset()}


def _genders_of(lists: WordLists, sentence: list[Word], i: int) -> frozenset:
    """Genders that the noun at i may have: "le livre" is masculine, though the form has both.

    A title that the lexicon has in one gender may have both; what stands before it decides ("une excellente médecin").
    """
    noun = sentence[i]
    genders = noun.noun_values["gender"]
    common = "f" not in genders and any(r.lemma in lists.common_gender for r in noun.nouns)
    if len(genders) == 1 and not common:
        return genders
    j, shown = i - 1, frozenset()
    while j >= 0 and not is_determiner(lists, sentence, j) and sentence[j].adjectives:
        shown = shown or sentence[j].adjective_values["gender"]
        j -= 1
    determined = features(sentence[j].determiner).genders if j >= 0 and is_determiner(lists, sentence, j) else None
    after = sentence[i + 1] if i + 1 < len(sentence) and not sentence[i + 1].moods & FINITE else None
    behind = after.adjective_values["gender"] if after else frozenset()  # "l'aide sociale"
    return determined or shown or behind or (frozenset() if common else genders)


def numbers_of(lists: WordLists, sentence: list[Word], i: int) -> frozenset:
    """Numbers that the noun at i may have; its determiner decides where the noun shows none ("les pays")."""
    numbers = frozenset().union(*(features(r.features).numbers or NUMBERS.keys() for r in sentence[i].nouns))
    for j in range(i - 1, max(i - 4, -1), -1) if len(numbers) > 1 else ():
        if is_determiner(lists, sentence, j):
            return features(sentence[j].determiner).numbers or numbers
        if sentence[j].form in lists.of:
            return frozenset("p") if j < i - 1 or j and sentence[j - 1].form in lists.quantities else numbers
        if not precedes_noun(lists, sentence[j]):
            break
    return numbers

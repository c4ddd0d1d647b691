"""What a word is where it stands: a verb, a noun, an adjective, a pronoun?

All functions take the word lists of the language first (`WordLists`), then a sentence as a list of `Word`.
"""

from .grammar_verbs import auxiliary_before, has_auxiliary, is_compound, is_going
from .language_lists import WordLists
from .words import BARE, BE, FINITE, INFINITIVE, PARTICIPLE, Word, features

NOT_FINITE = frozenset("WG")


def is_pronoun(lists: WordLists, sentence: list[Word], i: int) -> bool:
    """Is le, la, les, l' or leur a pronoun here ("je les vois"), not a determiner ("les gens")?

    A demonstrative, which is no clitic, stands alone before all that can open no noun phrase: "ese no viene".
    """
    alone = sentence[i].form not in lists.clitics
    if i + 1 == len(sentence):
        return alone
    if alone and not _may_open_phrase(sentence[i + 1]):
        return True
    following = sentence[i + 1]
    if following.form in lists.clitics:
        return True
    before = sentence[i - 1] if i else following
    if sentence[i].form in lists.prepositions and following.moods & INFINITIVE and before.moods & FINITE:
        return is_nominal(before)  # not "está a ver"
    return not following.function and bool(following.moods - PARTICIPLE) and _is_object(lists, sentence, i)


def _is_object(lists: WordLists, sentence: list[Word], i: int) -> bool:
    """Is le, la, les, l' or leur the object of what follows, which may be a verb, not the determiner of a noun?"""
    following, before = sentence[i + 1], sentence[i - 1] if i else None
    if before is not None and (before.form in lists.before_clitics or before.is_name):
        return True
    if sentence[i].form in lists.datives and (
        following.moods & INFINITIVE or before and before.form in lists.articles_or_pronouns
    ):
        return True
    beyond = sentence[i + 2] if i + 2 < len(sentence) else None
    determines = beyond is not None and beyond.determiner is not None and beyond.form not in lists.clitics
    if determines and before is not None and before.form in lists.coordinators:
        return True  # "et leur offre un café"
    if following.moods & INFINITIVE and before is not None and is_going(lists, before):
        return True  # "va le reporter"
    if before is not None and before.nouns and (not before.verbs or i > 1 and is_determiner(lists, sentence, i - 2)):
        fits = _goes_with(lists, sentence[i].form, following)  # "Martedì le azioni sono salite"
        return not fits or is_only_verb(lists, sentence, i + 1)  # "le maire les porte"
    if is_nominal(following) and not following.moods & NOT_FINITE and _opens_complement(lists, sentence, i - 1):
        return False  # "je vois le table": an article, though a wrong one
    if beyond is not None and beyond.form in lists.of | lists.partitives and is_nominal(following) and not before:
        return False  # "As desculpas da companhia"
    inside, fits = before is not None and before.form[0].isalpha(), _goes_with(lists, sentence[i].form, following)
    if not inside and lists.drops_subjects and (i and not fits or is_only_verb(lists, sentence, i + 1)):
        return True  # "la teme", ", la appesi"
    return not is_nominal(following) or inside and not fits


def _opens_complement(lists: WordLists, sentence: list[Word], i: int) -> bool:
    """Is the word at i a preposition, or surely a verb or its participle? No pronoun of another verb follows these."""
    if i < 0:
        return False
    word = sentence[i]
    if word.form in lists.prepositions or has_auxiliary(lists, sentence, i):
        return True
    return bool(word.moods & FINITE) and not (word.function or is_nominal(word))


def is_only_verb(lists: WordLists, sentence: list[Word], i: int) -> bool:
    """Is the word at i the only verb: has what stands between full stops, semicolons or "that" no other?"""
    opening = lists.full_stops | lists.that
    start = next((j + 1 for j in range(i - 1, -1, -1) if sentence[j].form in opening), 0)
    end = next((j for j in range(i, len(sentence)) if sentence[j].form in lists.full_stops), len(sentence))
    others = (word for j, word in enumerate(sentence[start:end], start) if j != i and not word.function)
    return not any(word.auxiliary or word.moods & FINITE and not is_nominal(word) for word in others)


def _may_open_phrase(word: Word) -> bool:
    """May the word follow a determiner: a noun, an adjective, what stands before them, or what nobody knows?"""
    if word.auxiliary:
        return False
    return is_nominal(word) or word.is_name or not (word.function or word.readings)


def _goes_with(lists: WordLists, determiner: str, word: Word) -> bool:
    """May the word be a noun or adjective with this determiner ("la porte"), or do they clash ("le porte")?"""
    wanted = features(lists.determiners[determiner])
    shown = [features(r.features) for r in word.nouns or word.adjectives]
    return any(
        (not f.genders or not wanted.genders or f.genders & wanted.genders)
        and (not f.numbers or not wanted.numbers or f.numbers & wanted.numbers)
        for f in shown
    )


def is_nominal(word: Word) -> bool:
    """May the word be a noun, or an adjective that is no participle?"""
    return bool(word.nouns) or any(r.features[:1] != "K" for r in word.adjectives)


def is_determiner(lists: WordLists, sentence: list[Word], i: int) -> bool:
    """Is the word a determiner here, and no pronoun?"""
    word = sentence[i]
    if word.determiner is None:
        return False
    return not (word.form in lists.articles_or_pronouns and is_pronoun(lists, sentence, i))


def is_verb(lists: WordLists, sentence: list[Word], i: int) -> bool:
    """Is the word a verb here? It is none after a determiner or a preposition if it may be a noun."""
    word = sentence[i]
    if not word.verbs:
        return False
    if word.function:
        return _is_verb_of_grammar(lists, sentence, i)
    if not is_nominal(word):
        return True
    if not i:
        return _opens_as_verb(lists, sentence)
    before = sentence[i - 1]
    if is_determiner(lists, sentence, i - 1):
        return False
    if _is_determined(lists, sentence, i):  # but "la vecchia chiuse"
        alone = lists.drops_subjects and before.nouns and i > 1 and is_determiner(lists, sentence, i - 2)
        joined = next((j for j in range(i, len(sentence)) if sentence[j].form in lists.coordinators), len(sentence))
        return bool(alone) and is_only_verb(lists, sentence[:joined], i)
    if before.auxiliary == BE and word.adjectives and "K" not in word.moods:
        return False  # "fico contente"
    if before.moods & FINITE and not before.function and not is_nominal(before) and not word.moods & BARE:
        return i > 1 and sentence[i - 2].form in lists.subordinators  # not "trae vino", but "el que canta cree"
    if before.form not in lists.prepositions or word.moods & frozenset("WG"):
        return True
    return before.form in lists.prepositions_or_pronouns and i > 1 and sentence[i - 2].form in lists.before_clitics


def _is_verb_of_grammar(lists: WordLists, sentence: list[Word], i: int) -> bool:
    """Is the word of grammar at i a finite verb, by what stands before it or, of a preposition, after it?"""
    word = sentence[i]
    if not i:
        stands = lists.drops_subjects and is_only_verb(lists, sentence, i)  # "nada bien"
    else:
        before = sentence[i - 1]
        alone = word.form in lists.negative_alone and before.nouns and is_only_verb(lists, sentence, i)
        # "Cê nada", not "se solo".
        subject = before.form in lists.subjects or before.form in lists.reflexives and not word.skippable
        after = sentence[i + 1].form if i + 1 < len(sentence) and not lists.drops_subjects else ""
        stands = alone or subject or after in lists.prepositions  # "entre dans"
    return bool(stands and word.moods & FINITE)


def _opens_as_verb(lists: WordLists, sentence: list[Word]) -> bool:
    """Is the first word, which may be a noun or an adjective, a verb: not "Départ", nor "Hausse des prix"?"""
    word, following = sentence[0], sentence[1].form if len(sentence) > 1 else ""
    if word.nouns and following in lists.partitives:
        return False
    if lists.drops_subjects:
        return True
    return bool(word.moods & frozenset("YWG")) or not word.nouns or following[:1] == "-"


def is_finite(lists: WordLists, sentence: list[Word], i: int) -> bool:
    """Is the word a finite verb here?"""
    return bool(sentence[i].moods & FINITE) and is_verb(lists, sentence, i)


def _is_determined(lists: WordLists, sentence: list[Word], i: int) -> bool:
    """Do adjectives that stand before their noun come before i: "plus grande porte"?

    Where subjects are dropped, only those after a determiner or of.
    """
    j = i - 1
    while j >= 0 and (precedes_noun(lists, sentence[j]) or j < i - 1 and sentence[j].form in lists.degree_adverbs):
        j -= 1
    if j == i - 1:
        return False
    return not lists.drops_subjects or j >= 0 and (sentence[j].form in lists.of or is_determiner(lists, sentence, j))


def precedes_noun(lists: WordLists, word: Word) -> bool:
    """An adjective that stands before its noun, or one that cannot be a noun or a verb itself."""
    alone = any(r.category == "adj" for r in word.readings) and not word.nouns and not word.verbs
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
    if has_auxiliary(lists, sentence, i):
        return False
    if word.adjectives:
        if before is not None and (before.auxiliary == BE or before.form in lists.degree_adverbs):
            return False
        after = sentence[i + 1] if i + 1 < len(sentence) else None
        return not any(
            near and near.nouns and not near.adjectives and not near.verbs and not near.skippable
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
        return head is not None and sentence[head].auxiliary == BE
    if not word.adjectives or "K" not in word.moods and any(r.features[:1] != "K" for r in word.adjectives):
        return bool(word.adjectives)
    head = auxiliary_before(lists, sentence, i)
    if head is None or of_state and sentence[head].auxiliary == BE:
        return True
    return not is_compound(lists, sentence, head, i)


def is_partitive(lists: WordLists, sentence: list[Word], i: int) -> bool:
    """Is en at i a pronoun ("il en parle"), no preposition ("en parlant", "en mer")?"""
    following = sentence[i + 1] if i + 1 < len(sentence) else None
    return following is not None and is_verb(lists, sentence, i + 1) and "G" not in following.moods

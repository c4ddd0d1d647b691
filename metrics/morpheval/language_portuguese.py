"""Portuguese, of Brazil and of Portugal: its closed lists, and where its lexicon comes from."""

from functools import partial

from .find_listed import find_negation
from .find_verbs import find_tense, like_a_conditional
from .grammar_classes import is_finite
from .grammar_verbs import in_moods
from .language_lists import WordLists
from .language_lists import word_set as _set
from .language_rules import language_rules
from .lexicon_dictionaries import Dictionaries, find_lexicon
from .verdicts import NEW_WORD, PASS, Evidence, Finding, unless_untranslated

DICTIONARIES = Dictionaries(  # the third has the spellings of Brazil, the last many everyday words
    "apertium-por-cat hunspell-pt-pt",
    (
        "apertium/apertium-por-cat/por-cat.automorf.bin",
        "apertium/apertium-por-cat/cat-por.autogen.bin",
        "apertium/apertium-por-cat/cat-por_BR.autogen.bin",
        "hunspell/pt_PT.dic",
    ),
    source="apertium-por.por.dix",
    variable="MORPHEVAL_PORTUGUESE",
    lexicon="portuguese.mlex.xz",
)

NUMERALS = _set(
    "dois duas três quatro cinco seis sete oito nove dez onze doze treze catorze quatorze quinze dezasseis dezesseis "
    "dezassete dezessete dezoito dezanove dezenove vinte trinta quarenta cinquenta sessenta setenta oitenta noventa "
    "cem cento duzentos duzentas trezentos trezentas mil"
)
PERSONS = {
    **{"eu": "1s", "tu": "2s", "nós": "1p", "vós": "2p"},
    **dict.fromkeys("ele ela você cê a_gente".split(), "3s"),
    **dict.fromkeys("eles elas vocês cês".split(), "3p"),
}
SUBJECTS = frozenset(PERSONS)
ENDINGS = {"o": "ms", "a": "fs", "os": "mp", "as": "fp"}
# Pronouns after a hyphen; -no is also "him" after a nasal, "mo" is "him to me".
ENCLITICS = {stem + ending: tag for stem in ("", "l", "n", "m", "t", "lh") for ending, tag in ENDINGS.items()}
CLITICS = _set("me te se nos vos o a os as lhe lhes lo la los las")
# Prepositions with an article or a demonstrative, by the gender and number that it shows.
JOINED = {
    "ms": _set("do no pelo ao dum num deste desse daquele neste nesse naquele àquele"),
    "fs": _set("da na pela à duma numa desta dessa daquela nesta nessa naquela àquela"),
    "mp": _set("dos nos pelos aos duns nuns destes desses daqueles nestes nesses naqueles àqueles"),
    "fp": _set("das nas pelas às dumas numas destas dessas daquelas nestas nessas naquelas àquelas"),
}
CONTRACTED = frozenset().union(*JOINED.values())
POSSESSIVES = {
    **dict.fromkeys("meu teu seu nosso vosso".split(), "ms"),
    **dict.fromkeys("minha tua sua nossa vossa".split(), "fs"),
    **dict.fromkeys("meus teus seus nossos vossos".split(), "mp"),
    **dict.fromkeys("minhas tuas suas nossas vossas".split(), "fp"),
}
THIRD = {
    stem + ending: tag
    for stem in ("", "d", "n")
    for ending, tag in {"ele": "ms", "ela": "fs", "eles": "mp", "elas": "fp"}.items()
}
DEMONSTRATIVES = {
    **dict.fromkeys("este esse aquele".split(), "ms"),
    **dict.fromkeys("esta essa aquela".split(), "fs"),
    **dict.fromkeys("estes esses aqueles".split(), "mp"),
    **dict.fromkeys("estas essas aquelas".split(), "fp"),
}
BEFORE_LO, BEFORE_LO_AND_MORE = r"(?=-l[oa]s?$)", r"(?=-l[oa]s?-)"
PRONOUN = r"(l?[oa]s?|lh[oa]s?|lhes?|me|te|se|nos|vos|m[oa]s?|t[oa]s?)"
LOST = {"á": "ar", "ê": "er", "i": "ir", "í": "ir", "ô": "or"}
IRREGULAR = {"fá": "faz", "fê": "fez", "trá": "traz", "di": "diz", "fi": "fiz", "qui": "quis", "pu": "pus", "pô": "pôr"}

WORDS = WordLists(
    # Cutting texts into words
    adverbials=tuple(
        "a gente|da gente|na gente|pra gente|às vezes|de repente|de novo|por favor|para sempre|no fim|por fim|"
        "no entanto|sem dúvida|com certeza|"
        "na verdade|em parte|de facto|de fato|em geral|por acaso|mais ou menos|nem mais nem menos|"
        "pelo menos|ao menos|a menos que|mais cedo ou mais tarde|nunca mais|ainda por cima|outra vez|mais uma vez|"
        "uma vez|pela primeira vez|muitas vezes|poucas vezes|algumas vezes|várias vezes|de vez em quando|"
        "por exemplo|pouco a pouco|aos poucos|em breve|em vez|por enquanto|hoje em dia|todo o mundo|todo mundo|toda a "
        "gente|toda gente|o tempo todo|todos os dias|ao mesmo tempo|de qualquer forma|em todo caso|em todo o caso|"
        "de modo nenhum|de jeito nenhum|de maneira nenhuma|de forma alguma|o mais tardar|por demais|tanto faz|"
        "sem mais|não obstante|nem sequer|assim que|logo que|sempre que|para que|ainda que|mesmo que|antes que|"
        "sem que|desde que|à noite|de manhã|à tarde|por causa|não é ?|não foi ?|"
        "mais aqui|mais ali|mais lá|tomara que|oxalá que|mesmo quando|mesmo se".split("|")
    ),
    enclitics=frozenset(ENCLITICS) | _set("me te se nos vos lhe lhes"),
    changed_before_hyphens={
        **{f"{lost}{BEFORE_LO_AND_MORE}": whole for lost, whole in LOST.items()},  # "comprá-lo-ei"
        **{f"^{lost}{BEFORE_LO}": whole for lost, whole in IRREGULAR.items()},
        **{f"{lost}{BEFORE_LO}": whole for lost, whole in LOST.items()},
        r"mo(?=-(nos|l[oa]s?)$)": "mos",  # "sentámo-nos"
        rf"^(\w+)-{PRONOUN}-(ei|ás|á|emos|eis|ão|ias?|íamos|íeis|iam)$": r"\1\3-\2",  # "dar-lhe-ei"
    },
    unmarked_letters=dict(zip("aeiouc", "áéíóúç", strict=True)),  # which people leave out
    spellings={"veem": "vêem", "leem": "lêem", "creem": "crêem", "deem": "dêem", "preveem": "prevêem"},
    regular_endings={
        **{"ando": "G", "endo": "G", "ou": "J3s", "aram": "J3p", "eram": "J3p", "iram": "J3p"},
        **{"am": "P3p", "iam": "I3p", "ei": "J1s", "eu": "J3s", "iu": "J3s", "indo": "G"},
        **{"emos": "P1p J1p", "imos": "P1p J1p", "íamos": "I1p"},
        **{"ar": "W", "aste": "J2s", "ejas": "P2s", "eja": "P3s", "ece": "P3s", "ecem": "P3p"},
        **{"ava": "I1s I3s", "avam": "I3p", "ávamos": "I1p", "ámos": "J1p", "amos": "P1p J1p"},
        **{vowel + "rá": "F3s" for vowel in "aei"},
        **{vowel + "rei": "F1s" for vowel in "aei"},
        **{vowel + "rão": "F3p" for vowel in "aei"},
        **{vowel + "ria": "C1s C3s" for vowel in "ae"},
        **{vowel + "riam": "C3p" for vowel in "aei"},
        **{vowel + "remos": "F1p" for vowel in "aei"},
        **{vowel + "ríamos": "C1p" for vowel in "aei"},
    },
    adjective_endings={
        **{stem + ending: tag for stem in ("os", "iv", "ent") for ending, tag in ENDINGS.items()},
        **{"ável": "s", "ível": "s", "áveis": "p", "íveis": "p"},
    },
    # What a noun or adjective shows where nothing else tells what it is: "mochila", "tatuagens", "jarrão".
    nominal_endings={
        **ENDINGS,
        **{"agem": "fs", "agens": "fp", "ão": "ms", "ões": "mp", "ção": "fs", "ções": "fp", "dade": "fs"},
    },
    feminine_endings={"ora": "or", "triz": "tor", "a": "o"},
    # Words of grammar. Como is also "I eat", para "he stops", sobre and entre are subjunctives.
    function_words=_set(
        "a algo alguém algum alguma algumas alguns ambas ambos ante antes apenas após aquilo assim até bastante "
        "bastantes bem cada caso cerca cá com como conforme conosco connosco consigo contigo comigo contra convosco "
        "cuja cujas cujo cujos daquilo de dela delas dele deles demais desde disso disto do durante e em enquanto "
        "entre então eu exceto embora fora já lá lhe lhes logo mais mal mas me mediante menos mesma mesmas mesmo "
        "mesmos mim muita muitas muito muitos nada naquilo nem nenhum nenhuma nenhuns nenhumas ninguém nisso nisto "
        "no nos nós nunca não o onde ou outra outras outro outros para per perante pois por porque porém "
        "pouca poucas pouco poucos primeiro quais qual qualquer quaisquer quando quanta quantas quanto quantos quase "
        "que quem quê se segundo sem sempre senão si sim sob sobre só tal tais também tanta tantas tanto tantos tão te "
        "ti toda todas todo todos tudo um uma umas uns vários várias você vocês vos vós à às"
    ).union(NUMERALS, CLITICS, CONTRACTED, POSSESSIVES, THIRD, DEMONSTRATIVES, SUBJECTS),
    numerals=NUMERALS,
    determiners={
        **dict.fromkeys("o um algum nenhum muito pouco outro tanto todo".split(), "ms"),
        **dict.fromkeys("a uma alguma nenhuma muita pouca outra tanta toda".split(), "fs"),
        **dict.fromkeys("cada qualquer".split(), "s"),
        **dict.fromkeys("os uns alguns nenhuns muitos poucos outros tantos vários ambos todos".split(), "mp"),
        **dict.fromkeys("as umas algumas nenhumas muitas poucas outras tantas várias ambas todas".split(), "fp"),
        **dict.fromkeys(NUMERALS, "p"),
        **{"dois": "mp", "duas": "fp", "quaisquer": "p"},
        **POSSESSIVES,
        **DEMONSTRATIVES,
        **{form: tag for tag, forms in JOINED.items() for form in forms},
    },
    of=_set("de"),
    partitives=_set("do da dos das dum duma"),
    that=_set("que"),
    relative_that=_set("que"),
    prepositions=_set(
        "a de em com sem por para pra sobre sob contra entre desde até segundo durante mediante perante ante após"
    )
    | CONTRACTED,
    prepositions_or_pronouns=_set("a nos"),
    coordinators=_set("e ou nem mas senão"),
    subordinators=_set(
        "que quem onde quando se cujo cuja cujos cujas como embora porque enquanto assim_que logo_que sempre_que "
        "para_que ainda_que mesmo_que antes_que sem_que desde_que mesmo_quando mesmo_se"
    ),
    elided_if="se",
    subjunctive_conjunctions=_set(
        "embora caso talvez oxalá tomara oxalá_que tomara_que para_que ainda_que mesmo_que antes_que sem_que"
    ),
    clause_boundaries=_set("que mas , ; :"),
    phrase_prepositions=_set("em a por durante desde com sem de no na nos nas"),
    # Pronouns
    drops_subjects=True,
    subjects=SUBJECTS,
    subject_persons=PERSONS,
    clitics=CLITICS,
    before_clitics=SUBJECTS | _set("não me te se nos vos lhe lhes nunca jamais ninguém quem já também só"),
    articles_or_pronouns=CLITICS.intersection("o a os as nos".split())
    | DEMONSTRATIVES.keys()
    | _set("outro outra outros outras algum alguma alguns algumas um uma muitos muitas vários várias poucos poucas"),
    plural_articles_or_pronouns=_set("os as nos"),
    reflexives={"me": "1s", "te": "2s", "se": "3", "nos": "1p", "vos": "2p"},
    plurals_of_persons={
        **{"me": "nos", "te": "vos", "mim": "nós", "ti": "vós vocês", "você": "vocês", "a_gente": "nós"},
        **{"comigo": "conosco connosco", "contigo": "convosco"},
    },
    neuter_pronouns=_set("isto isso aquilo disto disso daquilo nisto nisso naquilo"),
    plural_pronouns=_set("lhes -lhes lhos lhas -lhos -lhas vocês nós vós conosco connosco convosco -nos -vos")
    | _set("a_gente da_gente na_gente pra_gente")
    | {form for form, tag in THIRD.items() if "p" in tag}
    | {f"-{form}" for form, tag in ENCLITICS.items() if "p" in tag},
    numberless_pronouns=_set("consigo lho lha -lho -lha"),  # lho is lhe or lhes, and o
    pronouns={
        **THIRD,
        **DEMONSTRATIVES,
        **ENDINGS,
        **{f"-{form}": tag for form, tag in ENCLITICS.items()},
        **{"-nos": "p", "lhe": "s", "-lhe": "s", "lhes": "p", "-lhes": "p"},
    },
    # Verbs. "Foi comido" is a past, "está cansado" a present.
    have="ter",
    like_have=_set("haver"),
    be="ser",
    like_be=_set("estar ficar permanecer parecer"),
    come="acabar",
    go=_set("ir haver"),
    before_infinitives=_set("de"),
    before_gerunds=_set("estar seguir continuar ir vir andar ficar"),
    verbs_of_pleasing=_set("agradar interessar importar doer faltar apetecer preocupar"),
    before_participles=_set("tudo nada todos todas até"),
    # Nouns and adjectives
    common_gender=_set(
        "juiz piloto soldado líder membro modelo médico chefe presidente gerente cliente árbitro sargento capitão "
        "general guia guarda polícia ministro"
    ),
    adjectives_before_nouns=_set(
        "grande bom mau novo primeiro último melhor pior maior menor velho jovem pequeno longo alto baixo antigo "
        "futuro próximo segundo terceiro verdadeiro único pobre simples certo próprio breve numeroso diferente "
        "diverso seguinte belo bonito"
    ),
    before_nouns=frozenset(POSSESSIVES)
    | _set("mesmo mesma mesmos mesmas outro outra outros outras todo toda todos todas grã grão"),
    invariable=_set("laranja rosa cinza creme violeta bege turquesa"),
    shades=_set("claro clara claros claras escuro escura escuros escuras marinho celeste pálido"),
    degree_adverbs=_set("mais menos muito tão bem bastante demasiado"),
    # Comparison
    more="mais",
    less="menos",
    counts_by_more=True,
    either="ou",
    before_aside_more=_set("de a"),
    comparative_words=_set("melhor melhores pior piores maior maiores menor menores"),
    comparative_stems=("superior", "inferior", "anterior", "posterior", "ulterior"),
    superlative_determiners=frozenset(ENDINGS) | POSSESSIVES.keys() | CONTRACTED,
    superlative_after_nouns=True,
    superlative_endings={
        stem + ending: tag for stem in ("íssim", "issim", "érrim", "ílim") for ending, tag in ENDINGS.items()
    },
    # Negation. Não needs no second word.
    negative_alone=_set(
        "não nunca jamais ninguém nada tampouco nem nenhum nenhuma nenhuns nenhumas sem nem_sequer nunca_mais "
        "de_modo_nenhum de_jeito_nenhum de_maneira_nenhuma de_forma_alguma sem_que"
    ),
    negative_prefixes=("in", "im", "i", "ir", "des", "anti"),
    no="não",
    idle_before={"não": _set("só somente apenas")},
    one=_set("um uma nenhum nenhuma"),
)


def _after_condition(lists: WordLists, sentence: list, i: int) -> Finding | None:
    """The imperfect that stands for a conditional beside *se* with a subjunctive: "se tivesse tempo, apanhava"."""
    shown = in_moods(sentence[i].verbs, frozenset("I"))
    conditions = (j for j, word in enumerate(sentence) if word.form == lists.elided_if)
    unreal = any("T" in word.moods for j in conditions for word in sentence[j:])
    if shown and unreal:
        return Finding(PASS, NEW_WORD, (Evidence(1, i, shown),))
    return like_a_conditional(lists, sentence, i)


def _find_negation(base: list, variant: list, new: list[int]) -> Finding:
    """A negation, also *não* at the end as in speech ("gostei não, cara"), but not in a question or after "ou"."""
    finding = find_negation(WORDS, base, variant, new)
    last = max((i for i in new if variant[i].form == WORDS.no), default=0)
    opening = WORDS.coordinators | WORDS.commas | WORDS.that
    if finding.verdict == PASS or not last or variant[last - 1].form in opening:
        return finding
    after = range(last + 1, len(variant))
    goes_on = after and variant[after[0]].form not in WORDS.commas | WORDS.full_stops
    if goes_on or any(variant[i].form == "?" or is_finite(WORDS, variant, i) for i in after):
        return finding
    return Finding(PASS, NEW_WORD, (Evidence(1, last, variant[last].readings),))


PORTUGUESE = language_rules(
    WORDS,
    partial(find_lexicon, DICTIONARIES),
    conditional=unless_untranslated(partial(find_tense, WORDS, "C", _after_condition)),
    negation=unless_untranslated(_find_negation),
)

"""Spanish: its closed lists, and where its lexicon comes from."""

from functools import partial

from .language_lists import WordLists
from .language_lists import word_set as _set
from .language_rules import language_rules
from .lexicon_dictionaries import Dictionaries, find_lexicon

DICTIONARIES = Dictionaries(
    "apertium-spa-cat apertium-eng-spa",
    (
        "apertium/apertium-spa-cat/spa-cat.automorf.bin",
        "apertium/apertium-spa-cat/cat-spa.autogen.bin",
        "apertium/apertium-eng-spa/spa-eng.automorf.bin",
    ),
    source="apertium-spa.spa.dix",
    variable="MORPHEVAL_SPANISH",
    lexicon="spanish.mlex.xz",
)

NUMERALS = _set(
    "dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciséis diecisiete dieciocho "
    "diecinueve veinte treinta cuarenta cincuenta sesenta setenta ochenta noventa cien ciento doscientos doscientas mil"
)
PERSONS = {
    **{"yo": "1s", "tú": "2s", "vos": "2s", "él": "3s", "ella": "3s", "usted": "3s"},
    **dict.fromkeys("nosotros nosotras".split(), "1p"),
    **dict.fromkeys("vosotros vosotras".split(), "2p"),
    **dict.fromkeys("ellos ellas ustedes".split(), "3p"),
}
SUBJECTS = frozenset(PERSONS)
CLITICS = _set("me te se nos os lo la los las le les")

WORDS = WordLists(
    # Cutting texts into words
    adverbials=tuple(
        "a menudo|a veces|de repente|de pronto|de nuevo|por supuesto|por fin|al final|al fin|al principio|"
        "sin embargo|por favor|sin duda|en efecto|en realidad|en cambio|en parte|tal vez|a lo mejor|más o menos|"
        "más bien|menos mal|nada más|nunca más|más allá|más adelante|a más tardar|sobre todo|por ejemplo|"
        "por la mañana|otra vez|una vez|poco a poco|la mayor parte|a pesar|no obstante|ni siquiera|mejor dicho|"
        "por más que|echar de menos|hoy en día|en seguida|por primera vez|muchas veces|varias veces|pocas veces|"
        "algunas veces|dos veces|tres veces|otras veces|de vez en cuando|todo el mundo|sin más|ya no|una vez más|"
        "más que nada|a no ser|por no decir|en absoluto|de ninguna manera|al por mayor|al por menor|mayor de edad|"
        "menor de edad|mayores de edad|menores de edad|en ocasiones|de todas formas|de todos modos|"
        "en todas partes|a solas|a oscuras|de veras|a finales|a principios|a mediados|con creces|con diferencia|"
        "de lejos|por lo menos|al menos|de menos".split("|")
    ),
    written_apart={", mas ": ", pero "},
    joined_enclitics=tuple("me te se nos os lo la los las le les".split()),
    unaccented=str.maketrans("áéíóú", "aeiou"),
    lost_before_enclitics={"-nos": "mos", "-se": "mos", "-os": "d"},  # "vámonos", "digámoselo", "sentaos"
    unmarked_letters=dict(zip("aeioun", "áéíóúñ", strict=True)),  # which people leave out
    spellings={"mas": "más", "rio": "rió", "lio": "lió", "crio": "crió", "guio": "guió"},
    # "vos olvidás"
    verb_endings=(
        *(("ás", "ar", "P2s"), ("és", "er", "P2s"), ("és", "ar", "S2s"), ("ás", "er", "S2s"), ("ás", "ir", "S2s")),
        *(("á", "ar", "Y2s"), ("é", "er", "Y2s"), ("í", "ir", "Y2s")),
    ),
    regular_endings={
        **{"amos": "P1p J1p", "ando": "G", "aba": "I1s I3s", "aban": "I3p", "ábamos": "I1p"},
        **{"ó": "J3s", "aron": "J3p", "ieron": "J3p"},
    },
    feminine_endings={"ora": "or", "triz": "tor", "a": "o"},
    # Words of grammar. Para is also a form of parar, una of unir.
    function_words=_set(
        "a al algo alguien algún alguna algunas alguno algunos ambas ambos ante antes apenas aquel aquella aquellas "
        "aquellos aquello así aun aún aunque bastante bastantes bien cada casi cerca como cómo con contra cual "
        "cuál cuales cuáles cualquier cualquiera cuando cuándo cuanto cuánta cuántas cuánto cuántos cuya cuyas cuyo "
        "cuyos de del demás demasiada demasiadas demasiado demasiados desde donde dónde durante e el él ella ellas "
        "ello ellos en entonces entre esa esas ese eso esos esta estas este esto estos excepto hacia hasta incluso "
        "jamás junto la las le les lo los luego mal más me mediante menos mi mí mía mías mientras mío míos mis misma "
        "mismas mismo mismos mucha muchas mucho muchos muy nada nadie ni ningún ninguna ningunas ninguno ningunos no "
        "nos nosotras nosotros nuestra nuestras nuestro nuestros nunca o os otra otras otro otros para pero poca pocas "
        "poco pocos por porque pues que qué quien quién quienes quiénes quizá quizás salvo se según si sí siempre "
        "sin sino sobre solo sólo su sus suya suyas suyo suyos tal tales también tampoco tan tanta tantas "
        "tanto tantos te ti toda todas todo todos tras tu tú tus tuya tuyas tuyo tuyos u un una unas uno unos usted "
        "ustedes varias varios vosotras vosotros vuestra vuestras vuestro vuestros y ya yo"
    ).union(NUMERALS),
    numerals=NUMERALS,
    determiners={
        **dict.fromkeys(
            "el un al del lo este ese aquel nuestro vuestro algún ningún mucho poco otro tanto".split(), "ms"
        ),
        **dict.fromkeys("la una esta esa aquella nuestra vuestra alguna ninguna mucha poca otra tanta".split(), "fs"),
        **dict.fromkeys("mi tu su cada cualquier".split(), "s"),
        **dict.fromkeys(
            "los unos estos esos aquellos nuestros vuestros algunos ningunos muchos pocos otros tantos varios "
            "ambos".split(),
            "mp",
        ),
        **dict.fromkeys(
            "las unas estas esas aquellas nuestras vuestras algunas ningunas muchas pocas otras tantas varias "
            "ambas".split(),
            "fp",
        ),
        **dict.fromkeys("mis tus sus".split(), "p"),
        **dict.fromkeys(NUMERALS, "p"),
        "qué": "",
    },
    # before a stressed a: "el área, el agua", not "el arena"
    determiners_of_either=dict.fromkeys("el un al del algún ningún".split(), "h?(á|a[iu]?[^aeiouáéíóú]+[iu]?[aeo]$)"),
    of=_set("de"),
    that=_set("que"),
    relative_that=_set("que"),
    prepositions=_set(
        "a de en con sin por para sobre bajo contra entre desde hasta hacia según tras durante mediante ante al del"
    ),
    coordinators=_set("y e o u ni pero sino"),
    subordinators=_set("que quien quienes donde cuando si cuyo cuya cuyos cuyas como aunque porque mientras"),
    subjunctive_conjunctions=_set("ojalá"),
    clause_boundaries=_set("que pero , ; :"),
    phrase_prepositions=_set("en a por durante desde con sin de"),
    # Pronouns
    drops_subjects=True,
    subjects=SUBJECTS,
    subject_persons=PERSONS,
    clitics=CLITICS,
    before_clitics=SUBJECTS | _set("no me te se nos os nunca jamás nadie quien ya"),
    articles_or_pronouns=_set(
        "lo la los las este esta estos estas ese esa esos esas aquel aquella aquellos aquellas otro otra otros otras "
        "alguno alguna algunos algunas uno una muchos muchas varios varias pocos pocas"
    ),
    plural_articles_or_pronouns=_set("los las"),
    neuter_articles=_set("lo"),
    reflexives={"me": "1s", "te": "2s", "se": "3", "nos": "1p", "os": "2p"},
    plurals_of_persons={"me": "nos", "te": "os", "mí": "nosotros", "ti": "vosotros", "usted": "ustedes"},
    neuter_pronouns=_set("eso esto aquello ello"),
    numberless_before_objects=_set("se"),
    plural_pronouns=_set(
        "ellos ellas les ustedes nosotros nosotras vosotros vosotras éstos éstas ésos ésas aquéllos aquéllas -los -las "
        "-les"
    ),
    # le and les show no gender
    pronouns={
        **dict.fromkeys("él lo -lo este ese aquel éste ése aquél".split(), "ms"),
        **dict.fromkeys("ella la -la esta esa aquella ésta ésa aquélla".split(), "fs"),
        **dict.fromkeys("ellos los -los estos esos aquellos éstos ésos aquéllos".split(), "mp"),
        **dict.fromkeys("ellas las -las estas esas aquellas éstas ésas aquéllas".split(), "fp"),
        **dict.fromkeys("le -le".split(), "s"),
        **dict.fromkeys("les -les".split(), "p"),
    },
    # Verbs. "Fue comido" is a past, "está cansado" a present.
    have="haber",
    be="ser",
    like_be=_set("estar"),
    come="acabar",
    go=_set("ir"),
    before_infinitives=_set("a"),
    before_gerunds=_set("estar seguir continuar ir venir andar llevar"),
    conditional_subjunctives=_set("haber querer poder deber"),
    verbs_of_pleasing=_set("gustar encantar interesar importar doler molestar fascinar agradar faltar preocupar"),
    before_participles=_set("todo nada todos hasta"),
    # Nouns and adjectives
    common_gender=_set(
        "juez fiscal piloto soldado líder testigo miembro modelo médico jefe presidente gerente cliente árbitro "
        "canciller concejal sargento capitán general portavoz policía guía guardia papa"
    ),
    adjectives_before_nouns=_set(
        "gran grande bueno buen malo mal nuevo primero primer último mejor peor mayor menor viejo joven pequeño largo "
        "alto bajo antiguo futuro próximo segundo tercero tercer verdadero único pobre simple cierto propio breve "
        "numeroso diferente distinto diverso siguiente anterior"
    ),
    before_nouns=_set(
        "mismo misma mismos mismas otro otra otros otras todo toda todos todas gran buen mal primer tercer"
    ),
    invariable=_set("naranja rosa violeta malva lila café beige turquesa"),
    shades=_set("claro oscuro marino celeste pálido"),
    degree_adverbs=_set("más menos muy tan"),
    # Comparison
    more="más",
    counts_by_more=True,
    less="menos",
    either="o",
    before_aside_more=_set("de es"),
    comparative_words=_set("mejor mejores peor peores mayor mayores menor menores"),
    comparative_stems=("superior", "inferior", "anterior", "posterior", "ulterior"),
    superlative_determiners=_set(
        "el la los las lo al del mi mis tu tus su sus nuestro nuestra nuestros nuestras vuestro vuestra vuestros "
        "vuestras"
    ),
    superlative_after_nouns=True,
    superlative_endings={
        stem + ending: features
        for stem in ("ísim", "isim", "érrim", "errim")
        for ending, features in {"o": "ms", "a": "fs", "os": "mp", "as": "fp"}.items()
    },
    # Negation. No needs no second word.
    negative_alone=_set(
        "no nunca jamás nadie nada tampoco ni ningún ninguno ninguna ningunos ningunas sin ya_no ni_siquiera nunca_más "
        "en_absoluto de_ninguna_manera"
    ),
    negative_prefixes=("in", "im", "i", "ir", "des", "anti"),
    no="no",
    idle_before={"no": _set("solo sólo solamente bien")},
)

SPANISH = language_rules(WORDS, partial(find_lexicon, DICTIONARIES))

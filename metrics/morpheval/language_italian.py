"""Italian: its closed lists, and where its lexicon comes from."""

from functools import partial

from .language_lists import WordLists
from .language_lists import word_set as _set
from .language_rules import language_rules
from .lexicon_dictionaries import Dictionaries, find_lexicon

DICTIONARIES = Dictionaries(  # the second has words that the pair does not translate, the first more spellings
    "apertium-cat-ita",
    ("apertium/apertium-cat-ita/ita-cat.automorf.bin", "apertium/apertium-cat-ita/cat-ita.autogen.bin"),
    source="apertium-ita.ita.dix",
    variable="MORPHEVAL_ITALIAN",
    lexicon="italian.mlex.xz",
    more=tuple(f"italian-{name}-dict/**/{name}.json" for name in ("words", "adjectives", "verbs")),  # Morph-it!
)

# Without sei, which is rather "you are".
NUMERALS = _set(
    "due tre quattro cinque sette otto nove dieci undici dodici tredici quattordici quindici sedici "
    "diciassette diciotto "
    "diciannove venti trenta quaranta cinquanta sessanta settanta ottanta novanta cento duecento trecento mille"
)
PERSONS = {
    **{"io": "1s", "tu": "2s", "noi": "1p", "voi": "2p"},
    **dict.fromkeys("lui lei egli ella esso essa".split(), "3s"),
    **dict.fromkeys("loro essi esse".split(), "3p"),
}
SUBJECTS = frozenset(PERSONS)
CLITICS = _set(
    "mi ti si ci vi lo la li le gli ne l' m' t' s' c' v' n' me te se ce ve glielo gliela glieli gliele "
    "gliene glie gliel'"
)
# Prepositions with an article, by the gender and number that it shows.
JOINED = {
    features: [stem + ending for stem in "de da ne su a co".split() for ending in endings.split()]
    for features, endings in {"ms": "l llo", "fs": "lla", "s": "ll'", "mp": "i gli", "fp": "lle"}.items()
}
OF = {
    features: [form for form in forms if form.startswith("de")] for features, forms in JOINED.items()
}  # "del", "dei", also partitive articles

WORDS = WordLists(
    # Cutting texts into words
    adverbials=tuple(
        "a volte|di nuovo|per favore|per sempre|alla fine|all' improvviso|d' accordo|in realtà|in effetti|"
        "in parte|di solito|di sicuro|di certo|per caso|più o meno|né più né meno|per lo più|per di più|"
        "tutt' al più|al più presto|al più tardi|tanto meno|a meno che|una volta|un' altra volta|"
        "ancora una volta|per la prima volta|qualche volta|molte volte|ogni tanto|per esempio|ad esempio|"
        "a poco a poco|d' un tratto|in fretta|fino ad ora|a causa|nel frattempo|tutto il giorno|in ogni caso|"
        "di tanto in tanto|a lungo|per fortuna|da solo|senza dubbio|prima o poi|non appena|da allora|"
        "del tutto|per niente|nei pressi".split("|")
    ),
    joined_enclitics=tuple(
        "mi ti si ci vi lo la li le gli ne me te se ce ve glie mmi mme llo lla lli lle cci cce tti nne".split()
    ),
    lost_before_enclitics={
        **dict.fromkeys("-mi -ti -si -ci -vi -lo -la -li -le -gli -ne -me -te -se -ce -ve".split(), "re"),  # "vederlo"
        **dict.fromkeys("-mmi -mme -llo -lla -lli -lle -cci -cce -tti -nne -glie".split(), "'"),  # "dammi": da'
    },
    unmarked_letters=dict(zip("aeiou", "àèìòù", strict=True)),  # which people leave out
    spellings={
        "piu": "più",
        "begli": "belli",
        "perche": "perché",
        "perchè": "perché",
        "nè": "né",
        "pò": "po'",
        "dev'": "deve",
    },
    verb_endings=(("etti", "ere", "J1s"), ("ette", "ere", "J3s"), ("ettero", "ere", "J3p"), ("é", "ere", "J3s")),
    regular_endings={
        **dict.fromkeys("arsi ersi irsi".split(), "W"),
        **{"ano": "P3p", "ono": "P3p", "iamo": "P1p S1p", "ando": "G", "endo": "G"},
        **{"isco": "P1s", "isci": "P2s Y2s", "isce": "P3s"},
        **{
            vowel + "v" + ending: f"I{person}"
            for vowel in "ae"
            for ending, person in {"o": "1s", "i": "2s", "a": "3s", "amo": "1p", "ate": "2p", "ano": "3p"}.items()
        },
        **{"ò": "J3s", "ì": "J3s", "arono": "J3p", "irono": "J3p", "ettero": "J3p"},
        **{
            vowel + ending: features
            for vowel in "ei"
            for ending, features in {
                **{"rò": "F1s", "rai": "F2s", "rà": "F3s", "remo": "F1p", "rete": "F2p", "ranno": "F3p"},
                **{"rei": "C1s", "resti": "C2s", "rebbe": "C3s", "remmo": "C1p", "rebbero": "C3p"},
            }.items()
        },
    },
    adjective_endings={"abile": "s", "ibile": "s", "abili": "p", "ibili": "p"},
    feminine_endings={"trice": "tore", "essa": "e", "iera": "iere", "a": "o"},
    # Words of grammar. Dei are also gods, ancora is an anchor, una a form of unire.
    function_words=_set(
        "a ad alcun alcuna alcune alcuni alcuno allora altrui anche ancora anzi appena assai "
        "bene benché c' che chi chiunque ci ciascun ciascuna ciascuno ciò col come con contro così cui d' da davanti "
        "degli dei del dell' della delle dello dentro di dietro dopo dove dunque durante e ecco ed egli ella eppure "
        "esse essi esso essa fino finché fra fuori già gli glie gliel' il quell' in infine insieme intanto invece io "
        "l' la là le lei li lì lo loro lui m' ma mai male me meno mentre mi mia mie miei mio molta molte molti "
        "molto ne né neanche nemmeno neppure nessun nessun' nessuna nessuno niente noi non nostra nostre nostri "
        "nostro nulla o od ogni ognuno oltre oppure ora per perché perciò però più piuttosto po' poca poche pochi "
        "poco poi poiché presso prima pur pure purché qua qual quale quali qualche qualcosa qualcuno quando quanta "
        "quante quanti quanto quasi quel quella quelle quelli quello quegli quei quest' questa queste questi questo "
        "qui quindi s' se sebbene secondo sempre senza si sino solo sopra sotto stessa stesse stessi stesso su sua "
        "subito sue sui suo t' suoi tale tali tanta tante tanti tanto te ti tra troppa troppe troppi troppo tu tua "
        "tue tuo tuoi tutta tutte tutti tutto un un' una uno v' verso vi voi vostra vostre vostri vostro"
    ).union(NUMERALS, CLITICS, *JOINED.values()),
    numerals=NUMERALS,
    determiners={
        **dict.fromkeys("il lo un uno quel quello questo ogni_uno nessun nessuno alcun molto poco altro".split(), "ms"),
        **dict.fromkeys("la una un' quella questa nessuna nessun' alcuna molta poca altra".split(), "fs"),
        **dict.fromkeys("l' ogni qualche quest' quell' qualsiasi qualunque".split(), "s"),
        **dict.fromkeys("i gli quei quegli quelli questi alcuni molti pochi altri parecchi tanti troppi".split(), "mp"),
        **dict.fromkeys("le quelle queste alcune molte poche altre parecchie tante troppe".split(), "fp"),
        **{"mio": "ms", "tuo": "ms", "suo": "ms", "nostro": "ms", "vostro": "ms"},
        **{"mia": "fs", "tua": "fs", "sua": "fs", "nostra": "fs", "vostra": "fs"},
        **{"miei": "mp", "tuoi": "mp", "suoi": "mp", "nostri": "mp", "vostri": "mp"},
        **{"mie": "fp", "tue": "fp", "sue": "fp", "nostre": "fp", "vostre": "fp"},
        **dict.fromkeys(NUMERALS, "p"),
        **{form: features for features, forms in JOINED.items() for form in forms},
    },
    of=_set("di d'"),
    partitives=frozenset(form for forms in OF.values() for form in forms),
    that=_set("che ch'"),
    relative_that=_set("che"),
    prepositions=_set(
        "a ad di d' da in con su per tra fra senza contro verso durante dopo sotto sopra presso oltre fino secondo"
    ).union(*JOINED.values()),
    coordinators=_set("e ed o od ma però né oppure"),
    subordinators=_set(
        "che chi dove ove quando se cui come mentre perché poiché benché sebbene affinché finché purché"
    ),
    subjunctive_conjunctions=_set("affinché benché sebbene purché"),
    clause_boundaries=_set("che ma , ; :"),
    phrase_prepositions=_set("in a al alla allo ai alle agli per durante da con senza di su tra fra"),
    # Pronouns
    drops_subjects=True,
    subjects=SUBJECTS,
    subject_persons=PERSONS,
    clitics=CLITICS,
    before_clitics=SUBJECTS | _set("non mi ti si ci vi me te se ce ve chi nessuno già"),
    articles_or_pronouns=_set(
        "lo la l' le gli questo questa questi queste quello quella quelli quelle altro altra altri altre alcuni alcune "
        "uno una molti molte pochi poche tanti tante"
    ),
    plural_articles_or_pronouns=_set("le"),
    reflexives={
        **{"mi": "1s", "ti": "2s", "si": "3", "ci": "1p", "vi": "2p", "m'": "1s", "t'": "2s", "s'": "3"},
        **{"me": "1s", "te": "2s", "se": "3", "ce": "1p", "ve": "2p"},  # "se ne va"
    },
    plurals_of_persons={
        **dict.fromkeys(("mi", "m'", "mmi"), "ci ce cci cce"),  # "mi dai", "dacci"
        **{"ti": "vi ve", "t'": "vi ve", "me": "noi ce cce", "mme": "cce ce", "te": "voi ve"},
    },
    neuter_pronouns=_set("ciò"),
    plural_pronouns=_set("quelli quelle questi queste li loro essi esse noi voi -li -le -lli -lle glieli gliele"),
    # gli is "to him" and, in speech, "to them"; le is "them" and "to her"
    numberless_pronouns=_set("gli -gli glielo gliela glieli gliele gliene -glie ci ne n' -ne"),
    pronouns={
        **dict.fromkeys("lui esso lo -lo -llo questo quello egli".split(), "ms"),
        **dict.fromkeys("lei essa la -la -lla questa quella ella".split(), "fs"),
        **dict.fromkeys("essi li -li -lli questi quelli".split(), "mp"),
        **dict.fromkeys("esse queste quelle".split(), "fp"),
        **{
            "le": "fsp",  # "to her", or "them"
            "-le": "fsp",
            "-lle": "fp",
            "l'": "s",
            "gliel'": "s",
            "loro": "p",
            "gli": "",
            "-gli": "",
            "ne": "",
            "-ne": "",
        },
        **{"glielo": "ms", "gliela": "fs", "glieli": "mp", "gliele": "fp"},
    },
    objects=_set("lo la li le l' gliel' glielo gliela glieli gliele"),
    # Verbs
    have="avere",
    be="essere",
    go=_set("stare"),
    before_infinitives=_set("per"),
    before_gerunds=_set("stare andare venire"),
    verbs_with_be=_set(
        "accadere ammontare andare apparire appartenere arrivare aumentare avvenire bastare cadere calare capitare "
        "comparire costare crescere decadere decorrere derivare dimagrire diminuire dipendere dispiacere divenire "
        "diventare durare emergere entrare equivalere esistere esplodere essere evadere evolvere finire fuggire "
        "giungere guarire ingrassare insorgere intervenire invecchiare mancare migliorare morire nascere occorrere "
        "parere partire passare peggiorare perire pervenire piacere provenire restare riapparire ricomparire "
        "rientrare rimanere rinascere ripartire risalire risorgere risultare ritornare riuscire salire saltare "
        "scadere scappare scaturire scendere scivolare scomparire scoppiare sembrare servire sopravvivere sorgere "
        "sparire spiacere stare subentrare succedere sussistere svanire svenire tornare tramontare trapelare uscire "
        "valere venire vivere volare"
    ),
    verbs_of_pleasing=_set("piacere interessare mancare servire bastare importare dispiacere occorrere"),
    before_participles=_set("niente nulla tutto tutti tutte"),
    # Nouns and adjectives
    common_gender=_set(
        "medico soldato sindaco avvocato architetto ingegnere giudice capo membro testimone ministro notaio chirurgo "
        "presidente arbitro assessore prefetto questore magistrato"
    ),
    adjectives_before_nouns=_set(
        "grande buono cattivo nuovo vecchio giovane piccolo bello brutto lungo breve alto basso antico futuro prossimo "
        "primo secondo terzo ultimo vero unico povero semplice certo proprio numeroso diverso vario seguente migliore "
        "peggiore maggiore minore"
    ),
    before_nouns=_set(
        "stesso stessa stessi stesse altro altra altri altre tutto tutta tutti tutte bel bei begli bell' gran buon san"
    ),
    invariable=_set("rosa viola blu beige"),
    shades=_set("chiaro scuro marino pallido acceso"),
    degree_adverbs=_set("più meno molto così tanto troppo assai"),
    # Comparison
    more="più",
    counts_by_more=True,
    less="meno",
    either="o",
    before_aside_more=_set("in"),
    comparative_words=_set(
        "meglio peggio migliore migliori peggiore peggiori maggiore maggiori minore minori miglior "
        "peggior maggior minor"
    ),
    comparative_stems=("superior", "inferior", "anterior", "posterior", "ulterior"),
    superlative_determiners=_set(
        "il lo la i gli le l' mio mia miei mie tuo tua tuoi tue suo sua suoi sue nostro nostra nostri nostre vostro "
        "vostra vostri vostre loro"
    ).union(*JOINED.values()),
    superlative_after_nouns=True,
    superlative_endings={
        stem + ending: features
        for stem in ("issim", "errim")
        for ending, features in {"o": "ms", "a": "fs", "i": "mp", "e": "fp"}.items()
    },
    # Negation. Non needs no second word.
    negative_alone=_set("non nessun nessun' nessuno nessuna niente nulla né neanche nemmeno neppure senza mica"),
    negative_prefixes=("in", "im", "il", "ir", "dis", "s", "anti"),
    ever="mai",
    no="non",
    idle_before={"non": _set("solo soltanto solamente")},
    one=_set("uno una un' nessuno nessuna ciascuno ciascuna"),
)

ITALIAN = language_rules(WORDS, partial(find_lexicon, DICTIONARIES))

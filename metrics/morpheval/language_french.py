"""French: its closed lists.

Another language is another such module, and a row in `scoring.LANGUAGES`.
"""

from .language_lists import WordLists
from .language_lists import word_set as _set
from .language_rules import language_rules
from .lexicon_lefff import find_lefff

NUMERALS = _set(
    "deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize vingt trente quarante "
    "cinquante soixante cent cents mille"
)
PERSONS = {
    **{"je": "1s", "j'": "1s", "tu": "2s", "nous": "1p", "vous": "2p"},
    **dict.fromkeys("il elle on".split(), "3s"),
    **dict.fromkeys("ils elles".split(), "3p"),
}
SUBJECTS = _set("je j' tu il elle on nous vous ils elles qui")
NEGATIVE_PARTICLES = _set("ne n'")

WORDS = WordLists(
    # Cutting texts into words
    adverbials=tuple(
        "d' abord|tout de suite|tout d' abord|à nouveau|de nouveau|en effet|en fait|en partie|du tout|sans doute|"
        "en vain|une nouvelle fois|encore une fois|une fois|pour la première fois|dans un premier temps|"
        "tous les deux|par exemple|toutes les deux|en revanche|par ailleurs|au contraire|à peine|peu à peu|"
        "tout à fait|tout à coup|s' il vous plaît|s' il te plaît|s' il vous plait|s' il te plait|de ce fait|"
        "en train de|en train d'|au plus tard|au plus tôt|au plus vite|tout au plus|"
        "par la suite|du reste|tous les ans|tous les mois|tous les jours|est-ce que|est-ce qu'|"
        "une fois de plus|n' est-ce pas ?".split("|")
    ),
    written_apart={
        "aujourd' hui": "aujourd'hui",
        "quelqu' un": "quelqu'un",
        "c' est-à-dire": "c'est-à-dire",
        "prud' hom": "prud'hom",
        "presqu' île": "presqu'île",
        "grand' chose": "grand-chose",
    },
    enclitics=_set("je tu il elle on nous vous ils elles ce le la les lui leur moi toi y en"),
    feminine_endings={"trice": "teur", "euse": "eur", "ffe": "f", "ienne": "ien", "ère": "er", "esse": "e", "e": ""},
    unmarked_letters={"i": "î", "u": "û", "è": "é"},
    spellings={"ognon": "oignon", "ognons": "oignons"},
    linking="t",
    # Words of grammar. Lui is also a participle of luire, son a sound: as verbs these words count only straight after a
    # subject (il entre), as nouns and adjectives never.
    function_words=_set(
        "autre autres aucun aucune aucuns aucunes avant bien car cela chaque "
        "combien comment concernant considérant contre de derrière dessous dessus devant durant en entre envers "
        "excepté la le les leur leurs lui là mais me mes moi moins moyennant mieux même mêmes ne non nul nulle "
        "nulles nuls or oui outre par au aux auquel auxquels auxquelles duquel desquels desquelles du des tandis etc "
        "partant pas pendant peu plus pour pourquoi puis quelque quelques qui rien sa sauf se si soi son sous "
        "suivant sur tel telle telles tels toi ton tous tout toute toutes très trop tu un une unes uns vers voici "
        "voilà y"
    ).union(NUMERALS - {"neuf"}),
    numerals=NUMERALS,
    determiners={
        **dict.fromkeys("le un ce cet du au mon ton son quel aucun nul certain tel".split(), "ms"),
        **dict.fromkeys("la une cette ma ta sa quelle aucune nulle certaine telle".split(), "fs"),
        **dict.fromkeys("l' notre votre leur quelque chaque".split(), "s"),
        **dict.fromkeys("quels certains tels".split(), "mp"),
        **dict.fromkeys("quelles certaines telles".split(), "fp"),
        **dict.fromkeys("les des aux ces mes tes ses nos vos leurs plusieurs quelques".split(), "p"),
        **dict.fromkeys(NUMERALS, "p"),
    },
    determiners_of_either=dict.fromkeys("mon ton son".split(), "[aeiouhàâéèêëîïôù]"),
    of=_set("de d'"),
    partitives=_set("du des"),
    that=_set("que qu'"),
    prepositions=_set(
        "à de d' en dans sur sous avec sans pour par vers chez contre entre depuis pendant avant après dès malgré"
    ),
    prepositions_or_pronouns=_set("en"),
    coordinators=_set("et ou mais ni puis"),
    subordinators=_set("qui que qu' dont où si s' quand lorsque lorsqu'"),
    elided_if="s'",
    clause_boundaries=_set("que qu' mais , ; :"),
    phrase_prepositions=_set(
        "à en dans sur sous avec sans pour par chez contre entre depuis pendant avant après dès malgré selon durant"
    ),
    # Pronouns
    subjects=SUBJECTS,
    subject_persons=PERSONS,
    clitics=_set("y en lui leur le la les l' me m' te t' se s' nous vous"),
    before_clitics=SUBJECTS | NEGATIVE_PARTICLES | _set("me m' te t' se s'"),
    articles_or_pronouns=_set("le la les l' leur"),
    pronouns_before_be=_set("ce"),
    plural_articles_or_pronouns=_set("les leur"),
    possessives_or_datives=_set("leur"),
    inverted_subjects=_set("-je -tu -il -elle -on -nous -vous -ils -elles"),
    neuter_pronouns=_set("ça cela ceci"),
    adverbial_clitics=_set("y en"),
    reflexives={"me": "1s", "m'": "1s", "te": "2s", "t'": "2s", "se": "3", "s'": "3", "nous": "1p", "vous": "2p"},
    doubled_reflexives=_set("nous vous"),
    numberless_pronouns=_set("y en -y -en"),
    plurals_of_persons={
        **dict.fromkeys("je j'".split(), "nous on"),
        **dict.fromkeys("me m' moi".split(), "nous"),
        **dict.fromkeys("tu te t' toi".split(), "vous"),
    },
    tonic_pronouns={"lui": "ms"},
    plural_pronouns=_set(
        "eux ils elles ceux celles ceux-ci celles-ci ceux-là celles-là eux-mêmes elles-mêmes -les -leur -ils -elles"
    ),
    # lui and les show no gender, y nothing
    pronouns={
        **dict.fromkeys(
            "il le -il -le celui celui-ci celui-là lequel auquel duquel lui-même mien tien sien".split(), "ms"
        ),
        **dict.fromkeys(
            "elle la -elle -la celle celle-ci celle-là laquelle elle-même mienne tienne sienne".split(), "fs"
        ),
        **dict.fromkeys(
            "ils -ils eux ceux ceux-ci ceux-là lesquels auxquels desquels eux-mêmes miens tiens siens".split(), "mp"
        ),
        **dict.fromkeys(
            "elles -elles celles celles-ci celles-là lesquelles auxquelles desquelles elles-mêmes miennes tiennes "
            "siennes".split(),
            "fp",
        ),
        **dict.fromkeys("en -en y -y".split(), ""),
        **dict.fromkeys("l' lui -lui".split(), "s"),
        **dict.fromkeys("les leur -les -leur".split(), "p"),
    },
    floating={"tous": "mp", "toutes": "fp"},
    objects=_set("le la les l'"),
    there="y",
    impersonal_subjects=_set("il -il"),
    impersonal_verbs=_set("falloir pleuvoir neiger geler grêler valoir convenir advenir"),
    # Verbs. "Il est parti" is past, "il est mangé" a present passive.
    have="avoir",
    be="être",
    come="venir",
    go=_set("aller"),
    has_near_future=True,
    verbs_with_be=_set(
        "accourir advenir aller apparaître arriver décéder demeurer descendre devenir échoir éclore entrer "
        "intervenir monter mourir naître obvenir partir parvenir passer provenir redescendre redevenir remonter "
        "renaître rentrer repartir repasser ressortir rester retomber retourner revenir sortir survenir tomber venir"
    ),
    verbs_negated_by_particle_alone=_set("pouvoir savoir oser cesser"),
    before_participles=_set("rien tout tous toute toutes"),
    # Nouns and adjectives
    common_gender=_set(
        "ministre premier-ministre maire médecin juge professeur auteur écrivain ingénieur témoin otage mannequin "
        "compositeur chirurgien sculpteur gouverneur procureur censeur proviseur assesseur successeur prédécesseur "
        "possesseur défenseur agresseur imposteur chef notaire commissaire capitaine lieutenant sergent caporal "
        "colonel général amiral major soldat marin matelot pompier agent magistrat substitut consul leader manager "
        "designer reporter rabbin pasteur évêque docteur architecte peintre interprète poète philosophe athlète "
        "arbitre guide garde cascadeur bâtonnier huissier charpentier plombier maçon forgeron jockey tyran dictateur "
        "bourreau assassin escroc gourmet snob génie bébé monarque despote membre individu recteur officier commis "
        "clerc imprimeur vainqueur porte-parole maître doyen chancelier bouffon amateur acquéreur gens"
    ),
    # Of "jeune directrice", "directrice" is the noun.
    adjectives_before_nouns=_set(
        "ancien beau bon bref dernier double énorme faible fort faux gentil grand gros haut jeune joli long mauvais "
        "meilleur moindre nouveau pauvre petit pire premier prochain second seul simple vaste vieux vrai deuxième "
        "troisième quatrième cinquième sixième septième huitième neuvième dixième centième millième énième"
    ),
    before_nouns=_set("même mêmes autre autres toute tout"),
    whole=_set("toute tout"),
    invariable=_set("orange marron noisette crème kaki bordeaux turquoise saumon indigo olive"),
    shades=_set("clair foncé pâle vif sombre marine ciel roi pétrole turquoise émeraude citron nuit"),
    degree_adverbs=_set("plus moins très si"),
    # Comparison
    more="plus",
    less="moins",
    either="ou",
    before_aside_more=_set("de en"),
    comparative_words=_set("mieux davantage pis"),
    comparative_stems=("meilleur", "pire", "moindre", "supérieur", "inférieur", "antérieur", "postérieur", "ultérieur"),
    superlative_determiners=_set(
        "le la les l' du des au aux mon ma mes ton ta tes son sa ses notre nos votre vos leur leurs"
    ),
    # Negation and quantity
    negative_particles=NEGATIVE_PARTICLES,
    negatives=_set(
        "pas point jamais plus guère rien personne aucun aucune aucuns aucunes nul nulle nullement aucunement ni"
    ),
    negative_subjects=_set("personne rien aucun aucune nul nulle jamais ni"),
    negative_prefixes=("in", "im", "il", "ir", "mal", "mé", "dé", "dés", "més", "a", "anti"),
    negative_alone=_set("pas non aucun aucune sans personne rien"),
    ever="jamais",
    step="pas",
    no="non",
    idle_before={"non": _set("seulement moins plus"), "pas": _set("mal moins plus")},
    quantities=_set("beaucoup peu plus moins trop tant combien assez nombre tellement davantage"),
    quantity_nouns=_set(
        "moitié majorité minorité plupart partie part tiers quart totalité ensemble nombre dizaine douzaine quinzaine "
        "vingtaine trentaine quarantaine cinquantaine soixantaine centaine millier million milliard foule multitude "
        "poignée série groupe"
    ),
    one=_set("un une chacun chacune aucun aucune"),
)


FRENCH = language_rules(WORDS, find_lefff)

"""French: its closed lists.

Another language is another such module, and a row in `scoring.LANGUAGES`.
"""

from .language_lists import read_lists
from .language_rules import language_rules
from .lexicon_lefff import find_lefff

WORDS = read_lists("""
-- Cutting texts into words
adverbials: d'_abord tout_de_suite tout_d'_abord à_nouveau de_nouveau en_effet en_fait en_partie du_tout sans_doute
    en_vain une_nouvelle_fois encore_une_fois une_fois pour_la_première_fois dans_un_premier_temps tous_les_deux
    par_exemple toutes_les_deux en_revanche par_ailleurs au_contraire à_peine peu_à_peu tout_à_fait tout_à_coup
    s'_il_vous_plaît s'_il_te_plaît s'_il_vous_plait s'_il_te_plait de_ce_fait en_train_de en_train_d' au_plus_tard
    au_plus_tôt au_plus_vite tout_au_plus par_la_suite du_reste tous_les_ans tous_les_mois tous_les_jours est-ce_que
    est-ce_qu' une_fois_de_plus n'_est-ce_pas_? de_plus_, aujourd'_hui quelqu'_un c'_est-à-dire
enclitics: je tu il elle on nous vous ils elles ce le la les lui leur moi toi y en
linking: t
-- Words of grammar. As verbs these count only straight after a subject (il entre), as nouns and adjectives never.
particles: autre autres aucuns aucunes bien car cela combien comment concernant considérant derrière dessous dessus
    devant durant envers excepté là moi moins moyennant mieux même mêmes non nulles nuls or oui outre auquel auxquels
    auxquelles duquel desquels desquelles tandis etc partant pas peu plus pourquoi rien sauf soi suivant tel telle
    telles tels toi tous tout toute toutes très trop unes uns voici voilà
determiners: ms: le un ce cet mon ton son quel aucun nul certain tel; fs: la une cette ma ta sa quelle aucune nulle
    certaine telle; s: l' notre votre leur quelque chaque; mp: quels certains tels; fp: quelles certaines telles;
    p: les ces mes tes ses nos vos leurs plusieurs quelques deux trois quatre cinq six sept huit neuf dix onze douze
    treize quatorze quinze seize vingt trente quarante cinquante soixante cent cents mille
contractions: ms: du au; p: des aux
determiners_of_either: [aeiouhàâéèêëîïôù]: mon ton son
of: de d'
partitives: du des
that: que qu'
prepositions: à de d' en dans sur sous avec sans pour par vers chez contre entre depuis pendant avant après dès malgré
prepositions_or_pronouns: en
coordinators: et ou mais ni puis
subordinators: qui que qu' dont où si s' quand lorsque lorsqu'
elided_if: s'
-- Pronouns; lui and les show no gender, y nothing
subjects: 1s: je j'; 2s: tu; 1p: nous; 2p: vous; 3s: il elle on; 3p: ils elles; : qui
clitics: y en lui leur le la les l' me m' te t' se s' nous vous
articles_or_pronouns: le la les l' leur
datives: leur
reflexives: 1s: me m'; 2s: te t'; 3: se s'; 1p: nous; 2p: vous
numberless_pronouns: y en -y -en
plurals_of_persons: nous on: je j'; nous: me m' moi; vous: tu te t' toi
pronouns: ms: il le -il -le celui celui-ci celui-là lequel auquel duquel lui-même mien tien sien;
    fs: elle la -elle -la celle celle-ci celle-là laquelle elle-même mienne tienne sienne;
    mp: ils -ils eux ceux ceux-ci ceux-là lesquels auxquels desquels eux-mêmes miens tiens siens;
    fp: elles -elles celles celles-ci celles-là lesquelles auxquelles desquelles elles-mêmes miennes tiennes siennes;
    s: l' lui -lui; p: les leur -les -leur; : en -en y -y
floating: mp: tous; fp: toutes
objects: le la les l'
impersonal_verbs: y falloir pleuvoir neiger geler grêler valoir convenir advenir
-- Verbs. "Il est parti" is past, "il est mangé" a present passive.
have: avoir
be: être
come: venir
go: aller
verbs_with_be: accourir advenir aller apparaître arriver décéder demeurer descendre devenir échoir éclore entrer
    intervenir monter mourir naître obvenir partir parvenir passer provenir redescendre redevenir remonter renaître
    rentrer repartir repasser ressortir rester retomber retourner revenir sortir survenir tomber venir
before_participles: rien tout tous toute toutes
verbs_negated_by_particle_alone: pouvoir savoir oser cesser
-- Nouns and adjectives. Of "jeune directrice", "directrice" is the noun.
corrected: ms: agrafeur antiaméricanisme asbeste bienvenu carnassier chloroplaste désinfectant galiléen hématocrite
    humain itinérant lockout lutin malin minéral monosyllabe nominatif parnassien pointillé réaménagement samaritain
    sarrasin trapézoïde truand valaisan végétal vertical;
    mp: antiaméricanismes bienvenus chloroplastes hématocrites itinérants lockouts lombes lutins monosyllabes
    parnassiens réaménagements samaritains sarrasins sprinters truands valaisans;
    fs: épître estime finlandisation parentèle rémige teuf vicomté;
    fp: épîtres estimes parentèles rémiges teufs vicomtés
common_gender: ministre premier-ministre maire médecin juge professeur auteur écrivain ingénieur témoin otage
    mannequin compositeur chirurgien sculpteur gouverneur procureur censeur proviseur assesseur successeur
    prédécesseur possesseur défenseur agresseur imposteur chef notaire commissaire capitaine lieutenant sergent
    caporal colonel général amiral major soldat marin matelot pompier agent magistrat substitut consul leader manager
    designer reporter rabbin pasteur évêque docteur architecte peintre interprète poète philosophe athlète arbitre
    guide garde cascadeur bâtonnier huissier charpentier plombier maçon forgeron jockey tyran dictateur bourreau
    assassin escroc gourmet snob génie bébé monarque despote membre individu recteur officier commis clerc imprimeur
    vainqueur porte-parole maître doyen chancelier bouffon amateur acquéreur gens
adjectives_before_nouns: ancien beau bon bref dernier double énorme faible fort faux gentil grand gros haut jeune joli
    long mauvais meilleur moindre nouveau pauvre petit pire premier prochain second seul simple vaste vieux vrai
    deuxième troisième quatrième cinquième sixième septième huitième neuvième dixième centième millième énième
invariable: orange marron noisette crème kaki bordeaux turquoise saumon indigo olive
shades: clair foncé pâle vif sombre marine ciel roi pétrole turquoise émeraude citron nuit
degree_adverbs: plus moins très si
-- Comparison
more: plus
less: moins
comparative_words: mieux davantage pis
comparative_stems: meilleur pire moindre supérieur inférieur antérieur postérieur ultérieur
superlative_determiners: le la les l' mon ma mes ton ta tes son sa ses notre nos votre vos leur leurs
-- Negation and quantity
negative_particles: ne n'
negatives: pas point jamais plus guère rien personne aucun aucune aucuns aucunes nul nulle nullement aucunement ni
negative_alone: pas non aucun aucune sans personne rien
ever: jamais
no: non
idle_negatives: non_seulement non_moins non_plus pas_mal pas_moins pas_plus
quantity_nouns: moitié majorité minorité plupart partie part tiers quart totalité ensemble nombre dizaine douzaine
    quinzaine vingtaine trentaine quarantaine cinquantaine soixantaine centaine millier million milliard foule
    multitude poignée série groupe
one: un une chacun chacune aucun aucune
""")

FRENCH = language_rules(WORDS, find_lefff)

"""Spanish: its closed lists, and where its lexicon comes from."""

from functools import partial

from .language_lists import read_lists
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

WORDS = read_lists("""
-- Cutting texts into words
adverbials: a_menudo a_veces de_repente de_pronto de_nuevo por_supuesto por_fin al_final al_fin al_principio
    sin_embargo por_favor sin_duda en_efecto en_realidad en_cambio en_parte tal_vez a_lo_mejor más_o_menos más_bien
    menos_mal nada_más nunca_más más_allá más_adelante a_más_tardar sobre_todo por_ejemplo por_la_mañana otra_vez
    una_vez poco_a_poco la_mayor_parte a_pesar no_obstante ni_siquiera mejor_dicho por_más_que echar_de_menos
    hoy_en_día en_seguida por_primera_vez muchas_veces varias_veces pocas_veces algunas_veces dos_veces tres_veces
    otras_veces de_vez_en_cuando todo_el_mundo sin_más ya_no una_vez_más más_que_nada a_no_ser por_no_decir en_absoluto
    de_ninguna_manera al_por_mayor al_por_menor mayor_de_edad menor_de_edad mayores_de_edad menores_de_edad en_ocasiones
    de_todas_formas de_todos_modos en_todas_partes a_solas a_oscuras de_veras a_finales a_principios a_mediados
    con_creces con_diferencia de_lejos por_lo_menos al_menos de_menos es_más_,
joined_enclitics: me te se nos os lo la los las le les
unaccented: a: á; e: é; i: í; o: ó; u: ú
lost_before_enclitics: mos: -nos -se; d: -os    -- "vámonos", "digámoselo", "sentaos"
regular_endings: P1p J1p: amos; G: ando; I1s I3s: aba; I3p: aban; I1p: ábamos; J3s: ó; J3p: aron ieron;
    P2s S2s: ás és ís; Y2s: á é í    -- "vos olvidás"
-- Words of grammar. Para is also a form of parar, una of unir.
particles: algo alguien alguno antes apenas así aun aún bastante bastantes bien casi cerca cómo cual cuál cuales cuáles
    cualquiera cuándo cuanto cuánta cuántas cuánto cuántos demás demasiada demasiadas demasiado demasiados dónde ello
    entonces eso esto excepto incluso jamás junto luego mal más menos mía mías mío míos misma mismas mismo mismos muy
    nada nadie ninguno no nunca pues quién quiénes quizá quizás salvo siempre sí solo sólo suya suyas suyo suyos tal
    tales también tampoco tan toda todas todo todos tuya tuyas tuyo tuyos uno ya ti mí
determiners: ms: el un lo este ese aquel nuestro vuestro algún ningún mucho poco otro tanto;
    fs: la una esta esa aquella nuestra vuestra alguna ninguna mucha poca otra tanta; s: mi tu su cada cualquier;
    mp: los unos estos esos aquellos nuestros vuestros algunos ningunos muchos pocos otros tantos varios ambos;
    fp: las unas estas esas aquellas nuestras vuestras algunas ningunas muchas pocas otras tantas varias ambas;
    p: mis tus sus dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciséis diecisiete
    dieciocho diecinueve veinte treinta cuarenta cincuenta sesenta setenta ochenta noventa cien ciento doscientos
    doscientas mil; : qué
contractions: ms: al del
-- before a stressed a: "el área, el agua", not "el arena"
determiners_of_either: h?(á|a[iu]?[^aeiouáéíóú]+[iu]?[aeo]$): el un al del algún ningún
of: de
that: que
prepositions: a de en con sin por para sobre bajo contra entre desde hasta hacia según tras durante mediante ante
coordinators: y e o u ni pero sino
subordinators: que quien quienes donde cuando si cuyo cuya cuyos cuyas como aunque porque mientras
-- Pronouns; le and les show no gender
drops_subjects: yes
subjects: 1s: yo; 2s: tú vos; 3s: él ella usted; 1p: nosotros nosotras; 2p: vosotros vosotras; 3p: ellos ellas ustedes
clitics: me te se nos os lo la los las le les
articles_or_pronouns: lo la los las este esta estos estas ese esa esos esas aquel aquella aquellos aquellas otro otra
    otros otras alguno alguna algunos algunas uno una muchos muchas varios varias pocos pocas
reflexives: 1s: me; 2s: te; 3: se; 1p: nos; 2p: os
plurals_of_persons: nos: me; os: te; nosotros: mí; vosotros: ti; ustedes: usted
numberless_before_objects: se
pronouns: ms: él lo -lo este ese aquel éste ése aquél; fs: ella la -la esta esa aquella ésta ésa aquélla;
    mp: ellos los -los estos esos aquellos éstos ésos aquéllos;
    fp: ellas las -las estas esas aquellas éstas ésas aquéllas; s: le -le; p: les -les
-- Verbs. "Fue comido" is a past, "está cansado" a present.
have: haber
be: ser estar
come: acabar
go: ir
before_infinitives: a
before_gerunds: estar seguir continuar ir venir andar llevar
conditional_subjunctives: haber querer poder deber
verbs_of_pleasing: gustar encantar interesar importar doler molestar fascinar agradar faltar preocupar
before_participles: todo nada todos hasta
-- Nouns and adjectives
common_gender: juez fiscal piloto soldado líder testigo miembro modelo médico jefe presidente gerente cliente árbitro
    canciller concejal sargento capitán general portavoz policía guía guardia papa
adjectives_before_nouns: gran grande bueno buen malo mal nuevo primero primer último mejor peor mayor menor viejo joven
    pequeño largo alto bajo antiguo futuro próximo segundo tercero tercer verdadero único pobre simple cierto propio
    breve numeroso diferente distinto diverso siguiente anterior
invariable: naranja rosa violeta malva lila café beige turquesa
shades: claro oscuro marino celeste pálido
degree_adverbs: más menos muy tan
-- Comparison
more: más
less: menos
comparative_words: mejor mejores peor peores mayor mayores menor menores
comparative_stems: superior inferior anterior posterior ulterior
superlative_determiners: el la los las lo mi mis tu tus su sus nuestro nuestra nuestros nuestras vuestro vuestra
    vuestros vuestras
superlative_endings: ms: ísimo isimo érrimo errimo; fs: ísima isima érrima errima; mp: ísimos isimos érrimos errimos;
    fp: ísimas isimas érrimas errimas
-- Negation. No needs no second word.
negative_alone: no nunca jamás nadie nada tampoco ni ningún ninguno ninguna ningunos ningunas sin ya_no ni_siquiera
    nunca_más en_absoluto de_ninguna_manera
no: no
idle_negatives: no_solo no_sólo no_solamente no_bien
""")

SPANISH = language_rules(WORDS, partial(find_lexicon, DICTIONARIES))

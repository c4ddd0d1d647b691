"""Portuguese, of Brazil and of Portugal: its closed lists, and where its lexicon comes from."""

from functools import partial

from .language_lists import read_lists
from .language_rules import language_rules
from .lexicon_dictionaries import Dictionaries, find_lexicon

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

WORDS = read_lists(r"""
-- Cutting texts into words
adverbials: a_gente da_gente na_gente pra_gente às_vezes de_repente de_novo por_favor para_sempre no_fim por_fim
    no_entanto sem_dúvida com_certeza na_verdade em_parte de_facto de_fato em_geral por_acaso mais_ou_menos
    nem_mais_nem_menos pelo_menos ao_menos a_menos_que mais_cedo_ou_mais_tarde nunca_mais ainda_por_cima outra_vez
    mais_uma_vez uma_vez pela_primeira_vez muitas_vezes poucas_vezes algumas_vezes várias_vezes de_vez_em_quando
    por_exemplo pouco_a_pouco aos_poucos em_breve em_vez por_enquanto hoje_em_dia todo_o_mundo todo_mundo toda_a_gente
    toda_gente o_tempo_todo todos_os_dias ao_mesmo_tempo de_qualquer_forma em_todo_caso em_todo_o_caso de_modo_nenhum
    de_jeito_nenhum de_maneira_nenhuma de_forma_alguma o_mais_tardar por_demais tanto_faz sem_mais não_obstante
    nem_sequer assim_que logo_que sempre_que para_que ainda_que mesmo_que antes_que sem_que desde_que à_noite de_manhã
    à_tarde por_causa não_é_? não_foi_? mais_aqui mais_ali mais_lá tomara_que oxalá_que mesmo_quando mesmo_se
-- After a hyphen -no is also "him" after a nasal, "mo" is "him to me".
enclitics: o a os as lo la los las no na nos nas mo ma mos mas to ta tos tas lho lha lhos lhas me te se vos lhe lhes
-- "comprá-lo-ei", then "fá-lo", "comprá-lo", "sentámo-nos", "dar-lhe-ei"
changed_before_hyphens: ar: á(?=-l[oa]s?-); er: ê(?=-l[oa]s?-); ir: [ií](?=-l[oa]s?-); or: ô(?=-l[oa]s?-);
    faz: ^fá(?=-l[oa]s?$); fez: ^fê(?=-l[oa]s?$); traz: ^trá(?=-l[oa]s?$); diz: ^di(?=-l[oa]s?$);
    fiz: ^fi(?=-l[oa]s?$); quis: ^qui(?=-l[oa]s?$); pus: ^pu(?=-l[oa]s?$); pôr: ^pô(?=-l[oa]s?$);
    ar: á(?=-l[oa]s?$); er: ê(?=-l[oa]s?$); ir: [ií](?=-l[oa]s?$); or: ô(?=-l[oa]s?$); mos: mo(?=-(nos|l[oa]s?)$);
    \1\3-\2: ^(\w+)-(l?[oa]s?|lh[oae]s?|me|te|se|nos|vos|[mt][oa]s?)-(ei|ás|á|emos|eis|ão|ias?|íamos|íeis|iam)$
regular_endings: G: ando endo indo; J3s: ou eu iu; J3p: aram eram iram; P3p: am ecem; I3p: iam avam; J1s: ei;
    P1p J1p: emos imos amos; I1p: íamos ávamos; W: ar; J2s: aste; P2s: ejas; P3s: eja ece; I1s I3s: ava; J1p: ámos;
    F3s: ará erá irá; F1s: arei erei irei; F3p: arão erão irão; C1s C3s: aria eria; C3p: ariam eriam iriam;
    F1p: aremos eremos iremos; C1p: aríamos eríamos iríamos
adjective_endings: ms: oso ivo ento; fs: osa iva enta; mp: osos ivos entos; fp: osas ivas entas; s: ável ível;
    p: áveis íveis
-- "mochila", "tatuagens", "jarrão"
nominal_endings: ms: o ão; fs: a agem ção dade; mp: os ões; fp: as agens ções
-- Words of grammar. Como is also "I eat", para "he stops", sobre and entre are subjunctives.
particles: algo alguém antes apenas aquilo assim bastante bastantes bem caso cerca cá conforme conosco connosco consigo
    contigo comigo convosco daquilo dela delas dele deles demais disso disto então exceto fora já lhes logo lá mais mal
    menos mesma mesmas mesmo mesmos mim nada naquilo nela nelas nele neles ninguém nisso nisto nunca não per pois porém
    primeiro quais qual quanta quantas quanto quantos quase quê sempre si sim só tais tal também ti tudo tão
determiners: ms: o um algum nenhum muito pouco outro tanto todo meu teu seu nosso vosso este esse aquele;
    fs: a uma alguma nenhuma muita pouca outra tanta toda minha tua sua nossa vossa esta essa aquela; s: cada qualquer;
    mp: os uns alguns nenhuns muitos poucos outros tantos vários ambos todos meus teus seus nossos vossos estes esses
    aqueles dois; fp: as umas algumas nenhumas muitas poucas outras tantas várias ambas todas minhas tuas suas nossas
    vossas estas essas aquelas duas; p: quaisquer três quatro cinco seis sete oito nove dez onze doze treze catorze
    quatorze quinze dezasseis dezesseis dezassete dezessete dezoito dezanove dezenove vinte trinta quarenta cinquenta
    sessenta setenta oitenta noventa cem cento duzentos duzentas trezentos trezentas mil
contractions: ms: do no pelo ao dum num deste desse daquele neste nesse naquele àquele;
    fs: da na pela à duma numa desta dessa daquela nesta nessa naquela àquela;
    mp: dos nos pelos aos duns nuns destes desses daqueles nestes nesses naqueles àqueles;
    fp: das nas pelas às dumas numas destas dessas daquelas nestas nessas naquelas àquelas
of: de
partitives: do da dos das dum duma
that: que
prepositions: a de em com sem por para pra sobre sob contra entre desde até segundo durante mediante perante ante após
prepositions_or_pronouns: a nos
coordinators: e ou nem mas senão
subordinators: que quem onde quando se cujo cuja cujos cujas como embora porque enquanto assim_que logo_que sempre_que
    para_que ainda_que mesmo_que antes_que sem_que desde_que mesmo_quando mesmo_se
elided_if: se
-- Pronouns
drops_subjects: yes
subjects: 1s: eu; 2s: tu; 1p: nós; 2p: vós; 3s: ele ela você cê a_gente; 3p: eles elas vocês cês
clitics: me te se nos vos o a os as lhe lhes lo la los las
articles_or_pronouns: o a os as nos este esse aquele esta essa aquela estes esses aqueles estas essas aquelas outro
    outra outros outras algum alguma alguns algumas um uma muitos muitas vários várias poucos poucas
reflexives: 1s: me; 2s: te; 3: se; 1p: nos; 2p: vos
plurals_of_persons: nos a_gente pra_gente da_gente na_gente: me; nós a_gente: eu; vos: te; nós da_gente: mim a_gente;
    vós vocês: ti; vocês: você; conosco connosco: comigo; convosco: contigo
-- lho is lhe or lhes, and o
numberless_pronouns: consigo lho lha -lho -lha
pronouns: ms: ele dele nele este esse aquele o -o -lo -no -mo -to -lho; fs: ela dela nela esta essa aquela a -a -la -na
    -ma -ta -lha; mp: eles deles neles estes esses aqueles os -os -los -mos -tos -lhos;
    fp: elas delas nelas estas essas aquelas as -as -las -nas -mas -tas -lhas; s: lhe -lhe; p: -nos lhes -lhes
-- Verbs. "Foi comido" is a past, "está cansado" a present.
have: ter haver
be: ser estar ficar permanecer parecer
come: acabar
go: ir haver
before_infinitives: de
before_gerunds: estar seguir continuar ir vir andar ficar
verbs_of_pleasing: agradar interessar importar doer faltar apetecer preocupar
before_participles: tudo nada todos todas até
-- Nouns and adjectives
common_gender: juiz piloto soldado líder membro modelo médico chefe presidente gerente cliente árbitro sargento capitão
    general guia guarda polícia ministro
adjectives_before_nouns: grande bom mau novo primeiro último melhor pior maior menor velho jovem pequeno longo alto
    baixo antigo futuro próximo segundo terceiro verdadeiro único pobre simples certo próprio breve numeroso diferente
    diverso seguinte belo bonito
invariable: laranja rosa cinza creme violeta bege turquesa
shades: claro clara claros claras escuro escura escuros escuras marinho celeste pálido
degree_adverbs: mais menos muito tão bem bastante demasiado
-- Comparison
more: mais
less: menos
comparative_words: melhor melhores pior piores maior maiores menor menores
comparative_stems: superior inferior anterior posterior ulterior
superlative_determiners: o a os as meu teu seu nosso vosso minha tua sua nossa vossa meus teus seus nossos vossos minhas
    tuas suas nossas vossas
superlative_endings: ms: íssimo issimo érrimo ílimo; fs: íssima issima érrima ílima;
    mp: íssimos issimos érrimos ílimos; fp: íssimas issimas érrimas ílimas
-- Negation. Não needs no second word.
negative_alone: não nunca jamais ninguém nada tampouco nem nenhum nenhuma nenhuns nenhumas sem nem_sequer nunca_mais
    de_modo_nenhum de_jeito_nenhum de_maneira_nenhuma de_forma_alguma sem_que
no: não
idle_negatives: não_só não_somente não_apenas
one: um uma nenhum nenhuma
""")

PORTUGUESE = language_rules(WORDS, partial(find_lexicon, DICTIONARIES))

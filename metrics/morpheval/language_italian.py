"""Italian: its closed lists, and where its lexicon comes from."""

from functools import partial

from .language_lists import read_lists
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

WORDS = read_lists("""
-- Cutting texts into words
adverbials: a_volte di_nuovo per_favore per_sempre alla_fine all'_improvviso d'_accordo in_realtà in_effetti in_parte
    di_solito di_sicuro di_certo per_caso più_o_meno né_più_né_meno per_lo_più per_di_più tutt'_al_più al_più_presto
    al_più_tardi tanto_meno a_meno_che una_volta un'_altra_volta ancora_una_volta per_la_prima_volta qualche_volta
    molte_volte ogni_tanto per_esempio ad_esempio a_poco_a_poco d'_un_tratto in_fretta fino_ad_ora a_causa
    nel_frattempo tutto_il_giorno in_ogni_caso di_tanto_in_tanto a_lungo per_fortuna da_solo senza_dubbio prima_o_poi
    non_appena da_allora del_tutto per_niente nei_pressi
joined_enclitics: mi ti si ci vi lo la li le gli ne me te se ce ve glie mmi mme llo lla lli lle cci cce tti nne
lost_before_enclitics: re: -mi -ti -si -ci -vi -lo -la -li -le -gli -ne -me -te -se -ce -ve;    -- "vederlo"
    ': -mmi -mme -llo -lla -lli -lle -cci -cce -tti -nne -glie    -- "dammi": da'
regular_endings: W: arsi ersi irsi; P3p: ano ono; P1p S1p: iamo; G: ando endo; P1s: isco; P2s Y2s: isci; P3s: isce;
    I1s: avo evo; I2s: avi evi; I3s: ava eva; I1p: avamo evamo; I2p: avate evate; I3p: avano evano; J3s: ò ì;
    J3p: arono irono ettero; F1s: erò irò; F2s: erai irai; F3s: erà irà; F1p: eremo iremo; F2p: erete irete;
    F3p: eranno iranno; C1s: erei irei; C2s: eresti iresti; C3s: erebbe irebbe; C1p: eremmo iremmo;
    C3p: erebbero irebbero
adjective_endings: s: abile ibile; p: abili ibili
-- Words of grammar. Dei are also gods, ancora is an anchor, una a form of unire.
particles: alcuno allora altrui anche ancora anzi appena assai bene chiunque ciascun ciascuna ciascuno ciò così davanti
    dentro dietro dunque ecco eppure fuori già infine insieme intanto invece là lì ma mai male meno neanche nemmeno
    neppure niente non nulla ognuno ora perciò piuttosto più po' poi prima pur pure qua qual qualcosa qualcuno quale
    quali quanta quante quanti quanto quasi qui quindi sempre sino solo stessa stesse stessi stesso subito tale tali
    tanta tanto troppa troppo tutta tutte tutti tutto
determiners: ms: il lo un uno quel quello questo nessun nessuno alcun molto poco altro mio tuo suo nostro vostro;
    fs: la una un' quella questa nessuna nessun' alcuna molta poca altra mia tua sua nostra vostra;
    s: l' ogni qualche quest' quell' qualsiasi qualunque;
    mp: i gli quei quegli quelli questi alcuni molti pochi altri parecchi tanti troppi miei tuoi suoi nostri vostri;
    fp: le quelle queste alcune molte poche altre parecchie tante troppe mie tue sue nostre vostre;
    p: due tre quattro cinque sette otto nove dieci undici dodici tredici quattordici quindici sedici diciassette
    diciotto diciannove venti trenta quaranta cinquanta sessanta settanta ottanta novanta cento duecento trecento mille
contractions: ms: del dello dal dallo nel nello sul sullo al allo col collo; fs: della dalla nella sulla alla colla;
    s: dell' dall' nell' sull' all' coll'; mp: dei degli dai dagli nei negli sui sugli ai agli coi cogli;
    fp: delle dalle nelle sulle alle colle
of: di d'
partitives: del dello della dell' dei degli delle
that: che ch'
prepositions: a ad di d' da in con su per tra fra senza contro verso durante dopo sotto sopra presso oltre fino secondo
coordinators: e ed o od ma però né oppure
subordinators: che chi dove ove quando se cui come mentre perché poiché benché sebbene affinché finché purché
-- Pronouns
drops_subjects: yes
subjects: 1s: io; 2s: tu; 1p: noi; 2p: voi; 3s: lui lei egli ella esso essa; 3p: loro essi esse
clitics: mi ti si ci vi lo la li le gli ne l' m' t' s' c' v' n' me te se ce ve glielo gliela glieli gliele gliene glie
    gliel'
articles_or_pronouns: lo la l' le gli questo questa questi queste quello quella quelli quelle altro altra altri altre
    alcuni alcune uno una molti molte pochi poche tanti tante
reflexives: 1s: mi m' me; 2s: ti t' te; 3: si s' se; 1p: ci ce; 2p: vi ve    -- "se ne va"
plurals_of_persons: ci ce cci cce: mi m' mmi; vi ve: ti t'; noi ce cce: me; cce ce: mme; voi ve: te    -- "dacci"
-- gli is "to him" and, in speech, "to them"; le is "them" and "to her"
numberless_pronouns: gli -gli glielo gliela glieli gliele gliene -glie ci ne n' -ne
pronouns: ms: lui esso lo -lo -llo questo quello egli glielo; fs: lei essa la -la -lla questa quella ella gliela;
    mp: essi li -li -lli questi quelli glieli; fp: esse queste quelle -lle gliele; fsp: le -le; s: l' gliel'; p: loro;
    : gli -gli ne -ne
objects: lo la li le l' gliel' glielo gliela glieli gliele
-- Verbs
have: avere
be: essere
go: stare
before_infinitives: per
before_gerunds: stare andare venire
verbs_with_be: accadere ammontare andare apparire appartenere arrivare aumentare avvenire bastare cadere calare capitare
    comparire costare crescere decadere decorrere derivare dimagrire diminuire dipendere dispiacere divenire diventare
    durare emergere entrare equivalere esistere esplodere essere evadere evolvere finire fuggire giungere guarire
    ingrassare insorgere intervenire invecchiare mancare migliorare morire nascere occorrere parere partire passare
    peggiorare perire pervenire piacere provenire restare riapparire ricomparire rientrare rimanere rinascere ripartire
    risalire risorgere risultare ritornare riuscire salire saltare scadere scappare scaturire scendere scivolare
    scomparire scoppiare sembrare servire sopravvivere sorgere sparire spiacere stare subentrare succedere sussistere
    svanire svenire tornare tramontare trapelare uscire valere venire vivere volare
verbs_of_pleasing: piacere interessare mancare servire bastare importare dispiacere occorrere
before_participles: niente nulla tutto tutti tutte
-- Nouns and adjectives
common_gender: medico soldato sindaco avvocato architetto ingegnere giudice capo membro testimone ministro notaio
    chirurgo presidente arbitro assessore prefetto questore magistrato
adjectives_before_nouns: grande buono cattivo nuovo vecchio giovane piccolo bello brutto lungo breve alto basso antico
    futuro prossimo primo secondo terzo ultimo vero unico povero semplice certo proprio numeroso diverso vario seguente
    migliore peggiore maggiore minore
invariable: rosa viola blu beige
shades: chiaro scuro marino pallido acceso
degree_adverbs: più meno molto così tanto troppo assai
-- Comparison
more: più
less: meno
comparative_words: meglio peggio migliore migliori peggiore peggiori maggiore maggiori minore minori miglior peggior
    maggior minor
comparative_stems: superior inferior anterior posterior ulterior
superlative_determiners: il lo la i gli le l' mio mia miei mie tuo tua tuoi tue suo sua suoi sue nostro nostra nostri
    nostre vostro vostra vostri vostre loro
superlative_endings: ms: issimo errimo; fs: issima errima; mp: issimi errimi; fp: issime errime
-- Negation. Non needs no second word.
negative_alone: non nessun nessun' nessuno nessuna niente nulla né neanche nemmeno neppure senza mica
ever: mai
no: non
idle_negatives: non_solo non_soltanto non_solamente
one: uno una un' nessuno nessuna ciascuno ciascuna
""")

ITALIAN = language_rules(WORDS, partial(find_lexicon, DICTIONARIES))

"""Formats of tools: fields of JSON, BookNLP, LitBank, brat, WebAnno; folders, and files of no known format.

That GUM's and LitBank's own CoNLL files have the clusters that are read from their TSV and brat files (40 of 40 and 99
of 100 documents; the other's brackets cross) was checked on the repositories themselves.
"""

import json
import shutil
import warnings
from pathlib import Path

import pytest

from metrics.muc_b3_ceaf_entropy.read_formats import FORMATS, find_format, read_documents
from metrics.muc_b3_ceaf_entropy.read_json import KEY_CLUSTERS
from metrics.muc_b3_ceaf_entropy.read_text import connected

from ..conftest import ROOT
from .conftest import table

SHARED = ROOT.parent / "shared" / "data" / "coref_files"
# Ann's dog barked . She fed it .   with {Ann, She}, {Ann's dog, it}, {dog} in all samples.
SENTENCES = [["Ann", "'s", "dog", "barked", "."], ["She", "fed", "it", "."]]
CLUSTERS = [[(0,), (5,)], [(0, 1, 2), (7,)], [(2,)]]
PAIRS = [[[0, 0], [5, 5]], [[0, 2], [7, 7]], [[2, 2]]]
SAMPLES = Path(__file__).parent / "formats"
FILES = {
    "book.entities": "booknlp", "lit.ann": "litbank", "brat.ann": "brat", "types.ann": "brat", "chains.tsv": "webanno",
    "relations.tsv": "webanno", "maverick.jsonl": "json", "preco.jsonl": "json", "wl.jsonl": "json",
    "stanza.conllu": "corefud", "corenlp.json": "json", "corenlp.xml": "corenlp", "corenlp_bare.xml": "corenlp",
    "spacy.json": "json", "coref_data.jsonl": "json", "ontonotes.jsonl": "json", "ontonotes_nested.jsonl": "json",
    "ontonotes_rows.json": "json", "conll2012.conll": "conll", "markables.ua": "ua",
    "subtokens.jsonl": "json", "subtokens_of_words.jsonl": "json",
}  # fmt: skip


def sample(name):
    return (SAMPLES / name).read_text(encoding="utf-8")


TEXT = sample("brat.txt")
SPANS = sample("brat.ann").partition("R1")[0]


def put(folder, name, text, beside=None):
    """A file in a folder, and its text beside it."""
    path = folder / name
    path.write_text(text if isinstance(text, str) else json.dumps(text) + "\n", encoding="utf-8")
    if beside:
        path.with_suffix(beside[0]).write_text(beside[1], encoding="utf-8")
    return str(path)


def copied(folder, name):
    """A sample with what is beside it."""
    for path in SAMPLES.glob(f"{Path(name).stem}.*"):
        shutil.copy(path, folder)
    return folder / name


def clusters_in(document):
    found = {}
    for mention in document.mentions:
        found.setdefault(mention.entity, []).append(mention.positions)
    return sorted(map(sorted, found.values()))


@pytest.mark.parametrize("name", FILES)
def test_every_form_has_the_same_words_and_clusters(metric, tmp_path, name):
    path = SAMPLES / name
    assert find_format(path) == FILES[name]
    [document] = read_documents(path, usual=KEY_CLUSTERS)
    assert document.words == sum(SENTENCES, [])
    assert clusters_in(document) == sorted(map(sorted, CLUSTERS))
    assert document.sentences == ([] if name in ("maverick.jsonl", "wl.jsonl") else [0, 5])  # one list of words
    assert metric.read_words(path) == metric.read_words(path, FILES[name]) == [document.words]
    key = put(tmp_path, "key", {"sentences": SENTENCES, "clusters": PAIRS})
    for sides in ((key, path), (path, key)):
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", message=".*coreference alone is scored")
            scores = metric.score_files(*sides)
        assert scores["conll_f1"] == scores["mention_f1"] == 1.0


def test_what_is_not_coreference_is_counted(metric):
    counted = {"lit.ann": "2 copulas", "brat.ann": "2 Owns relations", "relations.tsv": "2 bridging links"}
    for name, expected in counted.items():
        path = SAMPLES / name
        with pytest.warns(UserWarning, match=f"not scored, both sides together: {expected}"):
            assert metric.score_files(path, path)["b3_f1"] == 1.0


@pytest.mark.parametrize(
    "name, content, beside, clusters",
    [
        # What BookNLP has not resolved is no entity.
        ("x.entities", sample("book.entities").replace("\n7", "\n-1"), (), [["0-0"], ["0-2", "7-7"], ["5-5"], ["2-2"]]),
        # A type that ends in a number is one, unless another annotation of the same characters has a type, too.
        (
            "x.ann",
            "T1\tCOVID-19 0 3\tAnn\nT2\tDrug 20 23\tShe\nT3\tCOVID-19 28 30\tit\n",
            ((".txt", TEXT),),
            [["0-0"], ["5-5"], ["7-7"]],
        ),
        # A no-break space is part of a word of LitBank.
        (
            "x.ann",
            "MENTION\tT1\t0\t1\t0\t1\tran\nMENTION\tT2\t0\t0\t0\t0\tAnn\u00a0Lee\n",
            ((".txt", "Ann\u00a0Lee ran .\n"),),
            [["1-1"], ["0-0"]],
        ),
        # As in BioNLP's shared tasks, with a third column.
        (
            "x.ann",
            SPANS + "R1\tCoref Anaphora:T3 Antecedent:T1\t[T2, T4]\n",
            ((".txt", TEXT),),
            [["0-0", "5-5"], ["0-2"], ["7-7"], ["2-2"]],
        ),
        # spaCy's document without a group of spans, beside one with some.
        (
            "x.jsonl",
            '{"text": "Ann.", "tokens": [{"id": 0, "start": 0, "end": 3}, {"id": 1, "start": 3, "end": 4}]}\n'
            + sample("spacy.json"),
            (),
            [],
        ),
        # Characters beside tokens that are objects are no document of spaCy.
        (
            "x.jsonl",
            '{"text": "Ann.", "tokens": [{"id": 0, "start": 0, "end": 4}], "clusters": [[[0, 3], [3, 4]]]}',
            (),
            [["0-0", "1-1"]],
        ),
        # wl-coref's own data, of which the ends are exclusive.
        (
            "x.jsonl",
            sample("wl.jsonl").replace("span_clusters", "clusters"),
            (),
            [["0-0", "5-5"], ["0-2", "7-7"], ["2-2"]],
        ),
    ],
)  # fmt: skip
def test_what_tools_write_beside_their_usual_form(metric, tmp_path, name, content, beside, clusters):
    path = put(tmp_path, name, content, *beside)
    assert metric.read_pair(path, path)["references"][0] == clusters


def test_predictions_under_the_names_of_documents(metric, tmp_path):
    """As s2e-coref writes them: {name: clusters}, without words."""
    key = [{"doc_key": name, "sentences": SENTENCES, "clusters": [[[0, 0], [5, 5]]]} for name in ("a_0", "b_0", "c_0")]
    key = put(tmp_path, "key.jsonl", "\n".join(map(json.dumps, key)))
    response = put(tmp_path, "response.jsonl", {"b_0": [[[0, 0], [5, 5]]], "a_0": [[[0, 0]], [[5, 5]]], "c_0": []})
    with pytest.warns(UserWarning, match="the words of 2 documents were not compared"):
        result = metric.score_files(key, response, details=True)
    assert [each["scores"]["b3_recall"] for each in result["documents"]] == [0.5, 1.0, 0.0]
    subtokens = {"b_0": [[[0, 0], [6, 7]]], "a_0": [[[0, 0], [6, 6]]], "c_0": []}
    maps = dict.fromkeys(subtokens, [0, 1, 1, 2, 3, 4, 5, 5, 6])
    put(tmp_path, "response.jsonl", f"{json.dumps(subtokens)}\n{json.dumps(maps)}\n")
    with pytest.warns(UserWarning, match="words of 2 documents"):
        assert metric.score_files(key, response)["b3_recall"] == 2 / 3
    other = put(tmp_path, "other.jsonl", {"doc_key": "d", "sentences": SENTENCES, "speakers": [["x"] * 5, ["x"] * 4]})
    with pytest.raises(ValueError, match="expected a list of clusters in 'predicted_clusters'"):
        metric.score_files(key, other)


def test_a_field_is_named(metric, tmp_path):
    fields = {"clusters": [[[0, 0], [5, 5]]], "system": [[[0, 0]], [[5, 5]]], "other": [[[2, 2]]]}
    path = put(tmp_path, "both.jsonl", fields | {"sentences": SENTENCES})
    assert metric.score_files(path, path)["b3_f1"] == 1.0
    assert metric.score_files(path, path, field="system")["muc_f1"] == 0.0
    assert metric.score_files(path, path, field="system", key_field="system")["b3_f1"] == 1.0
    assert metric.score_files(path, path, field="system", key_field="other")["mention_recall"] == 0.0
    with pytest.raises(ValueError, match=r"both.jsonl:1: .*expected a list of clusters in 'none'"):
        metric.score_files(path, path, field="none")
    with pytest.raises(ValueError, match="field: found '', expected a name"):
        metric.score_files(path, path, field="")
    conll = put(tmp_path, "key.conll", "#begin document (d)\nd 0 0 a (0)\n#end document\n")
    with pytest.raises(ValueError, match="found the format conll, which has no field 'x'"):
        metric.score_files(conll, conll, key_field="x")
    brat = put(tmp_path, "x.ann", SPANS + "R1\tSame Arg1:T1 Arg2:T3\n", (".txt", TEXT))
    with pytest.raises(ValueError, match="found only Same relations, expected relations of coreference, or field="):
        metric.read_pair(brat, brat)
    assert metric.read_pair(brat, brat, field="Same", key_field="Same")["references"][0][0] == ["0-0", "5-5"]
    for kind, is_coreference in {
        "Coreferent": 1,
        "near_coref": 1,
        "IdentityOf": 1,
        "non_coreferent": 0,
        "Identifies": 0,
    }.items():
        brat = put(
            tmp_path, "x.ann", SPANS + f"R1\t{kind} Arg1:T1 Arg2:T3\nR2\tCoref Arg1:T2 Arg2:T4\n", (".txt", TEXT)
        )
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", message=".*coreference alone is scored")
            first = metric.read_pair(brat, brat)["references"][0][0]
        assert first == (["0-0", "5-5"] if is_coreference else ["0-0"])
    layers = put(tmp_path, "x.tsv", sample("relations.tsv").replace("x.Coref", "x.Link"))
    with pytest.raises(ValueError, match=r"found the layers \['x.Lemma', 'x.Referent', 'x.Link'\], expected one layer"):
        metric.read_pair(layers, layers)
    with pytest.warns(UserWarning, match="bridging links"):
        assert len(metric.read_pair(layers, layers, field="Link", key_field="x.Link")["references"][0]) == 3


def test_brat_words(tmp_path):
    """Whatever is annotated, words depend on the text: what is between spaces where punctuation is alone."""
    text = "Ann's co-owner, Bob, left.\r\nHe ran."
    path = put(tmp_path, "a.ann", "T1\tP 16 19\tBob\nT2\tP 0 14;28 30\tAnn's co-owner He\n", (".txt", ""))
    (tmp_path / "a.txt").write_bytes(text.encode())
    [document] = read_documents(path)
    assert document.words == ["Ann", "'", "s", "co", "-", "owner", ",", "Bob", ",", "left", ".", "He", "ran", "."]
    assert [mention.positions for mention in document.mentions] == [(7,), (0, 1, 2, 3, 4, 5, 11)]
    assert document.sentences == [0, 11]
    path = put(tmp_path, "b.ann", "T1\tP 4 6\tMr\n", (".txt", "Yes Mr. X , no .\n"))
    with pytest.warns(UserWarning, match="b.ann: 1 mentions begin or end inside a word; the whole word is taken"):
        assert read_documents(path)[0].mentions[0].positions == (1,)
    with warnings.catch_warnings():  # an annotation that ends with a blank is cut nowhere
        warnings.simplefilter("error")
        path = put(tmp_path, "c.ann", "T1\tP 0 5\tMr X \nT2\tP 6 11\t no .\n", (".txt", "Mr X , no ."))
        assert [mention.positions for mention in read_documents(path)[0].mentions] == [(0, 1), (3, 4)]


def test_parts_of_tokens_in_webanno(tmp_path):
    row = "1-4\t11-17\tbarked\tbark\t_\t_\t\n"
    text = sample("chains.tsv").replace(row, row + "1-4.1\t11-15\tbark\t_\t*[1]\t*->1-3\t\n")
    with pytest.warns(UserWarning, match="1 mentions begin or end inside a word"):
        [document] = read_documents(put(tmp_path, "x.tsv", text))
    assert sorted([*sorted(map(sorted, CLUSTERS))[0], (3,)]) in clusters_in(document)
    assert document.words == sum(SENTENCES, [])


@pytest.mark.parametrize("name, old, new, message", table("wrong_formats"))
def test_errors(metric, tmp_path, name, old, new, message):
    path, text = copied(tmp_path, name), sample(name)
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(ValueError, match=message):
        metric.score_files(path, path, format=FILES[name])


def test_texts_beside(metric, tmp_path):
    for name, other in (("lit.ann", "lit.txt"), ("brat.ann", "brat.txt")):
        path = put(tmp_path, name, sample(name))
        with pytest.raises(ValueError, match=f"cannot read '.*{other}': no such file"):
            metric.score_files(path, path)
    path = put(tmp_path, "book.entities", sample("book.entities"))  # BookNLP's words are not needed
    assert metric.score_files(path, path)["b3_f1"] == 1.0
    put(tmp_path, "book.tokens", sample("book.tokens").replace("word", "form"))
    with pytest.raises(ValueError, match="tokens:1: found the columns .*, expected the columns word and sentence_ID"):
        metric.score_files(path, path)


def test_folders(metric, tmp_path):
    """All files are one corpus; a document without a name goes by its file's."""
    for side in ("key", "response"):
        for name in ("a", "b"):
            (tmp_path / side / name).mkdir(parents=True)
        copied(tmp_path / side / "a", "lit.ann")
        put(tmp_path / side, "wl.jsonl", json.loads(sample("wl.jsonl")) | {"document_id": "named"})
    put(tmp_path / "key" / "b", "one.tsv", sample("chains.tsv"))
    put(tmp_path / "response" / "b", "one.ann", SPANS, (".txt", TEXT))
    folders = str(tmp_path / "key"), str(tmp_path / "response")
    with pytest.warns(UserWarning, match="copulas"):
        result = metric.score_files(*folders, details=True)
    assert [document["name"] for document in result["documents"]] == ["a/lit", "b/one", "named"]
    links = [document["scores"]["muc_recall"] for document in result["documents"]]
    assert links == [1.0, 0.0, 1.0] and result["muc_recall"] == pytest.approx(4 / 6)
    for side in ("key", "response"):  # INCEpTION's header has no layer where a text is not annotated
        put(
            tmp_path / side,
            "none.tsv",
            "\x23FORMAT=WebAnno TSV 3.3\n\n\n\x23Text=Ann .\n1-1\t0-3\tAnn\t\n1-2\t4-5\t.\t\n",
        )
    with pytest.warns(UserWarning, match="copulas"):
        assert metric.read_pair(*folders)["references"][2] == []
    put(tmp_path / "key", "README", "Read me.\n")
    (tmp_path / "key" / "picture").write_bytes(b"\xff\xfe")
    left_out = "left out files of no format that is known, 2 in all, such as .*README"
    with pytest.warns(UserWarning, match="copulas"), pytest.warns(UserWarning, match=left_out):
        metric.score_files(*folders)
    for name in ("README", "picture"):
        (tmp_path / "key" / name).unlink()
    put(tmp_path / "key", "more.tsv", sample("chains.tsv"))
    with pytest.raises(ValueError, match="document 'more': found no such document in .*; documents=\"order\" takes"):
        metric.score_files(*folders)
    put(tmp_path / "response", "more.tsv", "nothing\n")
    with pytest.warns(UserWarning, match="left out"), pytest.raises(ValueError) as error:
        metric.score_files(*folders)
    assert str(error.value).endswith(f"; left out was {tmp_path / 'response' / 'more.tsv'}")


def test_folders_of_nothing(metric, tmp_path):
    (tmp_path / "none").mkdir()
    folders = [str(tmp_path / "none")] * 2
    for settings in ({}, {"format": "brackets"}):
        with pytest.raises(ValueError, match="none: found no file in the folder, expected documents"):
            metric.score_files(*folders, **settings)
    put(tmp_path / "none", "README", "Read me.\n")
    with pytest.raises(ValueError, match="none: found no file of a format that is known in the folder, expected"):
        metric.score_files(*folders)


def test_folders_of_a_given_format(metric, tmp_path):
    """A file that ends as the others do is read, though it has nothing of the format; what ends otherwise is not."""
    for side in ("key", "response"):
        (tmp_path / side).mkdir()
        put(tmp_path / side, "a.txt", "[Ann]#1 fed [her]#1 dog.\n")
        put(tmp_path / side, "b.txt", "Ann fed a dog.\n")
    put(tmp_path / "key", "README", "Read me.\n")
    (tmp_path / "key" / "picture.png").write_bytes(b"\x89PNG\xff\n")
    folders = str(tmp_path / "key"), str(tmp_path / "response")
    left_out = "left out files with nothing of the format brackets, 2 in all, such as .*README"
    with pytest.warns(UserWarning, match=left_out):
        result = metric.score_files(*folders, format="brackets", details=True)
    assert [document["name"] for document in result["documents"]] == ["a", "b"]


@pytest.mark.parametrize(
    "text",
    [
        "Once upon a time there was a man who had a dog and a cat.\n",
        "1 Once upon a time there was a man who had a dog and a cat.\n",
        "ID\tText\tPronoun\tPronoun-offset\tA\tA-offset\tA-coref\tB\tB-offset\tB-coref\tURL\n",  # GAP
        "{M1:type=x Ann} fed {M2 her} {M3 the dog that she had found in the old barn}.\n",  # SACR
        "[The salesperson] sold (some books) to the librarian because [she] was closing.\n",  # WinoBias
        "<TEI><text>Ann</text></TEI>\n",
        "d 0 0 Ann NNP (0)\n",  # CoNLL without a begin line
    ],
)
def test_files_of_no_known_format_show_their_lines(metric, tmp_path, text):
    path = put(tmp_path, "file", "# a remark\n\n" + text + "second\n\nthird\nfourth\n")
    with pytest.raises(ValueError) as error:
        metric.score_files(path, path)
    message = str(error.value)
    assert f"{path}: found " in message and text[:30].strip().encode("unicode_escape").decode() in message
    assert "'second', 'third', expected the beginning of" in message and "fourth" not in message
    assert all(f"{name}: {each.begins}" in message for name, each in FORMATS.items())


def test_connected_is_transitive_and_names_the_first():
    members = list("abcdefg")
    links = [("g", "c"), ("a", "b"), ("f", "b"), ("c", "e"), ("b", "a")]
    assert connected(members, links) == dict(zip(members, "abcdcbc")) | {"b": "a", "f": "a"}

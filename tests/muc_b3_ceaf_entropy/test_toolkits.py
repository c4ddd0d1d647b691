"""What toolkits write (stanza, CoreNLP, spaCy), and rows of data sets on the Hub (OntoNotes 5, coref-data)."""

import json
import re

import datasets
import pytest

from metrics.__main__ import main
from metrics.muc_b3_ceaf_entropy.read_formats import find_format, read_documents

from .test_formats import CLUSTERS, PAIRS, SAMPLES, SENTENCES, clusters_in, put, sample

WORDS = sum(SENTENCES, [])  # Ann 's dog barked . She fed it .
KEY = {"sentences": SENTENCES, "clusters": PAIRS}
STANZA = sample("stanza.conllu")
CORENLP, SPACY, CORPUS_ROW = (json.loads(sample(name)) for name in ("corenlp.json", "spacy.json", "coref_data.jsonl"))


def ontonotes(*parts):
    """A row of OntoNotes 5, with the same two sentences in each part."""
    row = json.loads(sample("ontonotes.jsonl"))
    return row | {"sentences": [each | {"part_id": part} for part in parts for each in row["sentences"]]}


# ---- stanza ----


def test_stanza_has_no_heads(metric, write):
    key, left_out = write(STANZA, "key"), "|coref_chains=unit-repr-id0,start-repr-id1"
    response = write(STANZA.replace(left_out, "").replace("middle-repr-id1", "start-id1"), "response")
    assert metric.score_files(key, response)["mention_recall"] == 3 / 5  # without "Ann", and "'s dog" for "Ann's dog"
    with pytest.raises(ValueError, match="match: found 'head', but mentions without heads in .*key"):
        metric.score_files(key, key, match="head")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('[[{"id": 1, "text": "Ann", "coref_chains": []}]]', "list, expected .*; of a stanza document .*CoNLL-U$"),
        ("[[[0, 3], [11, 14]]]", "found list, expected an object with words and clusters$"),
        ("{'tokens': ['Ann'], 'clusters_token_offsets': []}", "found no JSON .*double quotes.*expected a list"),
    ],
    ids=["stanza's JSON", "clusters alone", "printed by Python"],
)
def test_what_a_system_has_in_memory(metric, write, text, message):
    with pytest.raises(ValueError, match=message):
        metric.score_files(write(json.dumps(KEY), "key"), write(text, "response"))


# ---- CoreNLP ----


@pytest.mark.parametrize("name", ["corenlp.json", "corenlp.xml"])
def test_corenlp_names_heads(name):
    [document] = read_documents(SAMPLES / name)
    assert [mention.head for mention in document.mentions] == [(0,), (5,), (2,), (7,), (2,)]


def test_a_head_outside_its_mention_is_none(tmp_path):
    mention = {"sentNum": 1, "startIndex": 1, "endIndex": 2, "headIndex": 3}
    path = put(tmp_path, "a.json", CORENLP | {"corefs": {"1": [mention]}})
    assert [mention.head for mention in read_documents(path)[0].mentions] == [()]


def test_a_name_of_corenlp_may_be_that_of_a_file(metric, tmp_path):
    keys = [json.dumps(KEY | {"doc_key": name}) for name in ("a", "b")]
    responses = [json.dumps(CORENLP | {"docId": name}) for name in ("b.txt", "a.txt")]
    key, response = put(tmp_path, "key", "\n".join(keys)), put(tmp_path, "response", "\n".join(responses))
    assert metric.score_files(key, response)["conll_f1"] == 1.0


# ---- spaCy ----


def test_other_tokens_than_spacys(metric, tmp_path):
    """They are of the text, so that the characters decide, without an option."""
    sentences = [["Ann's", "dog", "barked."], ["She", "fed", "it."]]
    key = put(tmp_path, "key", {"sentences": sentences, "clusters": [[[0, 1], [5, 5]], [[3, 3], [4, 4]]]})
    spans = {"coref_clusters_1": [{"start": 0, "end": 9}, {"start": 27, "end": 29}]}
    response = put(tmp_path, "response", SPACY | {"spans": spans})
    scores = metric.score_files(key, response)
    assert (scores["mention_recall"], scores["mention_precision"]) == (0.5, 1.0)


def test_docbin(tmp_path):
    spacy = pytest.importorskip("spacy")
    document = spacy.blank("en")(SPACY["text"])
    for name, spans in SPACY["spans"].items():
        document.spans[name] = [document.char_span(span["start"], span["end"]) for span in spans]
    path = str(tmp_path / "a.spacy")
    spacy.tokens.DocBin(docs=[document, spacy.blank("en")("Ann ."), document]).to_disk(path)
    assert find_format(path) == "spacy"
    first, bare, last = read_documents(path)
    assert (bare.words, bare.mentions) == (["Ann", "."], [])
    for document in (first, last):
        assert document.words == WORDS
        assert clusters_in(document) == sorted(map(sorted, CLUSTERS))


# ---- Rows of data sets ----


def test_rows_from_everywhere(metric, tmp_path):
    """A data set, a list, Parquet and JSON lines; each part of a document of OntoNotes is one."""
    rows = [ontonotes(0, 1), ontonotes(2)]
    key = datasets.Dataset.from_list(rows)
    conll = put(tmp_path, "response.conll", "".join(conll_part(part) for part in (2, 0, 1)))
    parquet = str(tmp_path / "key.parquet")
    key.to_parquet(parquet)
    lines = put(tmp_path, "key.jsonl", "".join(json.dumps(row) + "\n" for row in rows))
    assert find_format(parquet) == "parquet"
    expected = metric.score_files(lines, conll)
    assert expected["mention_recall"] == 0.6 and expected["mention_precision"] == 1.0
    for source in (key, rows, tuple(rows), parquet, key.to_iterable_dataset(), key.with_format("numpy")):
        assert metric.score_files(source, conll) == expected
    assert metric.score_files(conll, key)["mention_precision"] == 0.6
    pair = metric.read_pair(key, conll)
    assert metric.compute(**pair) == expected
    assert [each["key"] for each in metric.score_files([key, lines], [conll, conll])["files"]] == ["data set", lines]
    assert metric.explain_score(key, conll, 0.6, measure="mention")["found"]
    report = metric.report(key, conll, str(tmp_path / "page.html"), measures=["mention"])
    assert report["mention_recall"] == 0.6 and "barked" in (tmp_path / "page.html").read_text(encoding="utf-8")


def test_documents_called_by_dates(metric, tmp_path):
    """datasets 5.2 reads a JSON column of dates as times."""
    names = ["2024-01-02", "2024-01-03T06:30:00"]
    rows = [{**ontonotes(0), "document_id": name} for name in names]
    lines = put(tmp_path, "key.jsonl", "".join(json.dumps(row) + "\n" for row in rows))
    key = datasets.Dataset.from_json(lines, cache_dir=str(tmp_path / "cache"))
    assert not isinstance(key[0]["document_id"], str)
    assert metric.score_files(key, lines)["conll_f1"] == 1.0


def test_folders_of_parquet(metric, tmp_path):
    folder = tmp_path / "key"
    folder.mkdir()
    for part in (0, 1):
        datasets.Dataset.from_list([ontonotes(part)]).to_parquet(str(folder / f"{part}.parquet"))
    (folder / "notes.md").write_text("none", encoding="utf-8")
    for given in ({}, {"format": "parquet"}):
        with pytest.warns(UserWarning, match="left out files .*notes.md"):
            assert len(metric.read_pair(str(folder), str(folder), **given)["references"]) == 2


def conll_part(part):
    """Without Ann and her dog."""
    column = ["-", "-", "(2)", "-", "-", "(0)", "-", "(1)", "-"]
    rows = (f"bc/x {part} {i} {word} {item}" for i, (word, item) in enumerate(zip(WORDS, column, strict=True)))
    return f"#begin document (bc/x); part 00{part}\n" + "\n".join(rows) + "\n#end document\n"


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ({"text": "a"}, r"found {'text': 'str'}, expected lists: sentences with coref_spans \(OntoNotes 5\)"),
        (CORPUS_ROW | {"sentences": []}, "found words 0 to 0 of sentence 0, counted from 0, expected words"),
        (CORPUS_ROW | {"sentences": [{"words": ["a"]}]}, "found None in sentence 0, expected a list of words"),
    ],
)
def test_wrong_rows(metric, row, message):
    with pytest.raises(ValueError, match=f"data set:2: .*{message}"):
        metric.score_files([CORPUS_ROW | {"id": "b"}, row], [CORPUS_ROW])


def test_neither_a_file_nor_rows(metric):
    table = datasets.Dataset.from_list([CORPUS_ROW]).to_pandas()
    with pytest.raises(ValueError, match="expected two paths or data sets, or two lists of as many"):
        metric.score_files(table, table)
    with pytest.raises(ValueError, match="path: found .*, expected the path of a file"):
        metric.read_pair(table, table)


def test_broken_files(metric, tmp_path):
    path, of_spacy = tmp_path / "file", "what spaCy cannot read|spaCy's binary format, and no spaCy"
    for begin, message in ((b"PAR1", "cannot read '.*file'"), (b"\x78\x9c", f"file: found ({of_spacy})")):
        path.write_bytes(begin + b" and more")
        with pytest.raises(ValueError, match=message):
            metric.score_files(path, path)


# ---- Text without any mention ----


def test_a_response_without_mentions(metric, tmp_path, capsys):
    """A warning in Python, an error in the shell, if there is text; none beside a key without mentions."""
    key, bare = put(tmp_path, "key.jsonl", KEY), put(tmp_path, "bare.conllu", re.sub(r"\|coref_chains=.*", "", STANZA))
    with pytest.warns(UserWarning, match="found no mention in the response"):
        assert metric.score_files(key, bare)["conll_f1"] == 0.0
    message = "found text without a mention, expected mentions as in the key, which has 5, or allow_empty=True"
    with pytest.raises(ValueError, match=f"bare.conllu: {message}"):
        metric.score_files(key, bare, allow_empty=False)
    assert main(["coref", key, bare]) == 2
    assert capsys.readouterr().err.endswith("expected mentions as in the key, which has 5, or --allow-empty\n")
    assert main(["coref", key, bare, "--allow-empty"]) == main(["coref", bare, bare]) == main(["coref", bare, key]) == 0
    without_words = put(tmp_path, "empty.jsonl", {"clusters": []})
    assert main(["coref", key, without_words]) == 0

"""Files: CoNLL-2012, JSON lines, CorefUD."""

import json

import pytest

from metrics.muc_b3_ceaf_entropy.read_conll import conll_documents

BEGIN, END = "#begin document (d); part 000", "#end document"


def conll(*columns, name="d"):
    tokens = [f"{name}\t0\t{i}\tword\t{column}" for i, column in enumerate(columns)]
    return "\n".join([f"#begin document ({name}); part 000", *tokens, END, ""])


@pytest.mark.parametrize(
    ("columns", "clusters"),
    [
        (["(0)", "-", "(0", "0)"], [[[0, 0], [2, 3]]]),
        (["(0|(1)", "0)"], [[[0, 1]], [[0, 0]]]),
        (["(0", "(0", "0)", "0)"], [[[0, 3], [1, 2]]]),  # nested in its own entity: the inner one closes first
        (["(0", "(1", "0)", "1)"], [[[0, 2]], [[1, 3]]]),  # crossing
        (["(0", "0)|(0", "0)"], [[[0, 1], [1, 2]]]),
        (["(12|(7", "7)|12)"], [[[0, 1]], [[0, 1]]]),
        (["(12_(7", "7)_12)_(3)", "(e_1", "e_1)"], [[[0, 1]], [[0, 1]], [[1, 1]], [[2, 3]]]),  # underlines for bars
        (["-", "_"], []),
        (["(1(1", "1)", "1)"], [[[0, 2], [0, 1]]]),
        (["(322|(249", "322)|249", "249)"], [[[0, 1]], [[0, 2]]]),  # a bare number says nothing
        (["(1)(2)", "12"], [[[0, 0]], [[0, 0]]]),
    ],
)
def test_conll_brackets(metric, write, columns, clusters):
    assert metric.read_conll(write(conll(*columns))) == [clusters]


def test_conll_positions_go_on_across_sentences_and_start_again_in_a_document(metric, write):
    text = f"{BEGIN}\nd 0 0 a (0)\n\n# a remark\nd 0 0 b (0)\n{END}\n" + conll("(3)", name="e")
    assert metric.read_conll(write(text)) == [[[[0, 0], [1, 1]]], [[[0, 0]]]]


def test_conll_without_mentions_and_without_documents(metric, write):
    assert metric.read_conll(write(conll("-") + conll())) == [[], []]
    assert metric.read_conll(write("")) == []


def test_conll_lines_that_begin_as_comments_do(metric, write):
    """A token that is a hash sign, and tokens of a document that is called so."""
    assert metric.read_conll(write(f"{BEGIN}\n#\t0\t(0)\nb\t0\t(0)\n{END}\n")) == [[[[0, 0], [1, 1]]]]
    text = f"{BEGIN}\n# a remark\n# 0 0 w (1)\n# 0 1 v -\n# 0 2 w (1)\n{END}\n"
    assert metric.read_conll(write(text)) == [[[[0, 0], [2, 2]]]]


@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
def test_line_ends_and_byte_order_mark(metric, tmp_path, line_end):
    path = tmp_path / "file.conll"
    path.write_bytes(b"\xef\xbb\xbf" + conll("(0)", "(0)").replace("\n", line_end).encode())
    assert metric.read_conll(path) == [[[[0, 0], [1, 1]]]]


@pytest.mark.parametrize("reader", ["read_conll", "read_jsonlines", "read_corefud"])
def test_other_encodings_are_refused_with_the_line(metric, tmp_path, reader):
    path = tmp_path / "file.txt"
    path.write_bytes(b"\n\n" + "é".encode("latin-1"))
    with pytest.raises(ValueError, match="file.txt:3: found the byte 0xe9, which is not UTF-8"):
        getattr(metric, reader)(path)


def test_documents_in_the_order_of_another_file(metric, write):
    key = write(conll("(0)", name="x") + conll("-", name="y"), "key")
    response = write(conll("-", name="y") + conll("(5)", name="x"), "response")
    assert metric.read_conll(response) == [[], [[[0, 0]]]]
    assert metric.read_conll(response, like=key) == [[[[0, 0]]], []]


@pytest.mark.parametrize(
    ("names", "message"),
    [
        ("x", r"key:3: document '\(y\); part 000': found no such document in \S*response, expected a doc"),
        ("xyz", r"response:5: document '\(z\); part 000': found no such document in \S*key, expected a doc"),
        ("xyy", r"response:5: document '\(y\); part 000': found this name again, .* first at .*:3: "),
    ],
)
def test_files_with_other_documents_are_refused(metric, write, names, message):
    key = write(conll(name="x") + conll(name="y"), "key")
    response = write("".join(conll(name=name) for name in names), "response")
    with pytest.raises(ValueError, match=message):
        metric.read_conll(response, like=key)


def test_jsonlines(metric, write):
    documents = [
        {"doc_key": "x", "clusters": [[[0, 1], [3, 3]], [[5, 5]]], "predicted": [[[0, 1]]]},
        {"doc_key": "y", "clusters": []},
    ]
    path = write("\n".join(map(json.dumps, documents)) + "\n\n")
    assert metric.read_jsonlines(path) == [documents[0]["clusters"], []]
    other = write("\n".join(map(json.dumps, documents[::-1])), "other")
    assert metric.read_jsonlines(other, like=path) == metric.read_jsonlines(path)
    with pytest.raises(
        ValueError, match=r"file.txt:2: found the fields \['clusters', 'doc_key'\], expected a list .* 'predicted'"
    ):
        metric.read_jsonlines(path, field="predicted")


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("{", "found no JSON"),
        ("[]", "found list, expected an object"),
        ("{}", r"found the fields \[\]"),
        ('{"clusters": null}', "found the fields"),
    ],
)
def test_jsonlines_errors_name_file_and_line(metric, write, line, found):
    with pytest.raises(ValueError, match=f"file.txt:2: {found}"):
        metric.read_jsonlines(write('{"clusters": []}\n' + line))


def system(words, clusters, **fields):
    return json.dumps({"doc_key": "d", "sentences": [words], "clusters": clusters, **fields})


def conllu(*tokens, start="# newdoc id = d\n# global.Entity = eid-etype-head-other\n"):
    """Tokens (id, form, misc) or (id, form, misc, deps); None ends a sentence."""
    lines = []
    for token in tokens:
        number, form, misc, deps = (*token, "_")[:4] if token else (None,) * 4
        lines.append("\t".join([number, form, *"_" * 6, deps, misc]) if token else "")
    return start + "\n".join(lines) + "\n\n"


def corefud(*fields, ids=None):
    return conllu(*((str(i), "word", field) for i, field in zip(ids or range(1, len(fields) + 1), fields)))


@pytest.mark.parametrize(
    ("fields", "clusters"),
    [
        (["Entity=(e1-person-1)", "_", "Entity=(e1-person-1", "Entity=e1)"], [["0-0", "2-3"]]),
        (["Entity=(e1-person-1-(e2-place-1)", "SpaceAfter=No|Entity=e1)"], [["0-1"], ["0-0"]]),
        (["Entity=(e1(e2", "Entity=e2)e1)"], [["0-1"], ["0-1"]]),
        (["Entity=(e1[1/2]-x-1)", "_", "Entity=(e1[2/2]-x-1)"], [["0-0,2-2"]]),
        ([f"Entity=(e1[{i}/3]-x-1)" for i in (1, 2, 3)], [["0-2"]]),  # the parts are neighbours
        (["Entity=(e1[1/2]-x-1", "Entity=e1[1/2])", "_", "Entity=(e1[2/2]-x-1)(e1-x-1)"], [["0-1,3-3", "3-3"]]),
    ],
)
def test_corefud(metric, write, fields, clusters):
    assert metric.read_corefud(write(corefud(*fields))) == [clusters]


def test_corefud_counts_neither_multiword_tokens_nor_empty_nodes(metric, write):
    text = corefud("_", "Entity=(e1)", "_", "Entity=(e1)", "Entity=(e1)", ids=["1-2", "1", "2", "2.1", "3"])
    assert metric.read_corefud(write(text)) == [[["0-0", "2.1-2.1", "2-2"]]]


def test_corefud_without_document_comments(metric, write):
    assert metric.read_corefud(write("1\tword" + "\t_" * 7 + "\tEntity=(e1)\n")) == [[["0-0"]]]


def test_corefud_entity_format(metric, write):
    text = corefud("Entity=(person-e1)", "Entity=(person-e2)").replace("eid-etype-head-other", "etype-eid")
    assert metric.read_corefud(write(text)) == [[["0-0"], ["1-1"]]]
    with pytest.raises(ValueError, match="expected the entity's id in field 3"):
        metric.read_corefud(write(text.replace("etype-eid", "etype-head-eid")))


def test_corefud_documents(metric, write):
    text = corefud("Entity=(e1)") + "\n" + corefud("_")
    assert metric.read_corefud(write(text + "# newdocument is only a remark\n")) == [[["0-0"]], []]


def test_words_are_those_that_the_positions_count(metric, write):
    text = f"{BEGIN}\nd 0 0 Ann NNP (0)\nd 0 1 left VBD -\n\nd 0 0 She PRP (0)\n{END}\n"
    [words] = metric.read_words(write(text))
    [[[first, second]]] = metric.read_conll(write(text))
    assert words == ["Ann", "left", "She"] and [words[first[0]], words[second[0]]] == ["Ann", "She"]
    empty = "2.1\t_\t_\t_\t_\t_\t_\t_\t_\tEntity=(e1)"
    lines = ["1-2\tdu" + "\t_" * 8, "1\tde" + "\t_" * 8, "2\tle" + "\t_" * 8, empty, "3\tport" + "\t_" * 8]
    assert metric.read_words(write("\n".join(lines)), "corefud") == [["de", "le", "port"]]
    document = {"clusters": [], "sentences": [["Ann", "left"], [], ["She"]]}
    one_list = {"clusters": [], "sentences": ["Ann left She"], "document": ["Ann", "left", "She"]}  # AllenNLP's name
    for each in (document, one_list):
        assert metric.read_words(write(json.dumps(each)), "jsonlines") == [["Ann", "left", "She"]]


@pytest.mark.parametrize("sentences", [None, "Ann left", ["Ann left"], [["Ann", 1]]])
def test_files_without_words(metric, write, sentences):
    with pytest.raises(ValueError, match="found no words in document 0, 'd', expected"):
        metric.read_words(write(json.dumps({"doc_key": "d", "clusters": [], "sentences": sentences})), "jsonlines")
    with pytest.raises(ValueError, match=r"found no words in document 0, '\(d"):
        metric.read_words(write(f"{BEGIN}\nd 0 (0)\n{END}\n"))
    with pytest.raises(ValueError, match="file_format: found 'xml', expected one of auto, conll, corefud, ua, json"):
        metric.read_words("file", "xml")


def test_words_in_the_order_of_another_file_whatever_the_clusters_are_called(metric, write):
    lines = [json.dumps({"doc_key": key, "found": [], "sentences": [[key]]}) for key in "ab"]
    here, there = write("\n".join(lines), "here"), write("\n".join(lines[::-1]), "there")
    assert metric.read_words(here, "jsonlines", like=there) == [["b"], ["a"]]
    assert metric.read_jsonlines(here, field="found") == [[], []]


def test_ends_are_inclusive_in_every_field(metric, write):
    path = write(json.dumps({"doc_key": "d", "cased_words": ["a", "b", "c"], "span_clusters": [[[0, 2], [2, 3]]]}))
    assert metric.read_jsonlines(path, field="span_clusters") == [[[[0, 1], [2, 2]]]]
    path = write(json.dumps({"sentences": [["a"], ["b", "c"]], "mention_clusters": [[[0, 0, 1], [1, 1, 2]]]}))
    assert metric.read_jsonlines(path, field="mention_clusters") == [[[[0, 0], [2, 2]]]]
    with pytest.raises(ValueError, match=r"odd:1: found the clusters \[\['a'\]\], expected lists of"):
        metric.read_jsonlines(write('{"span_clusters": [["a"]]}', "odd"), field="span_clusters")


def test_a_blank_line_ends_a_sentence(write):
    rows = "x 0 0 Ann (1)\nx 0 1 ran -\n\nx 0 0 She (1)\n\n\nx 0 0 sat -\n"
    (document,) = conll_documents(write(f"{BEGIN}\n{rows}{END}\n"))
    assert document.sentences == [0, 2, 3]

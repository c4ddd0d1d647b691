"""The page: each kind of error on hand-made documents, escaped text, size, what is folded, what is written."""

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from metrics.muc_b3_ceaf_entropy.common_page import opened
from metrics.muc_b3_ceaf_entropy.documents import EmptyNode, Mention, Pair
from metrics.muc_b3_ceaf_entropy.show_marks import _labels, pair_of, runs_of, view_of
from metrics.muc_b3_ceaf_entropy.show_page import running_text, text_of
from metrics.muc_b3_ceaf_entropy.show_report import report

WORDS = "Lena sold her old boat to Max . He named it Sun . It sank .".split()


def pair(key, response, words=WORDS, sentences=(0, 8, 13), **settings):
    """A pair from clusters of (first, last) words, in which equal spans match."""
    sides = [
        [Mention(f"e{i}", tuple(range(a, b + 1))) for i, cluster in enumerate(clusters) for a, b in cluster]
        for clusters in (key, response)
    ]
    numbers = {mention.positions: i for i, mention in enumerate(sides[0])}
    matches = {i: numbers[m.positions] for i, m in enumerate(sides[1]) if m.positions in numbers}
    return Pair("d", list(words), *sides, sentences=list(sentences), matches=matches, **settings)


KEY = [[(0, 0), (2, 2)], [(2, 4), (10, 10), (13, 13)], [(6, 6), (8, 8)]]


def errors(response):
    return view_of(pair(KEY, response)).errors


def labels(response):
    return [(mark.label, *mark.notes) for mark in view_of(pair(KEY, response)).response]


SPLIT, MERGED = [KEY[0], [(2, 4), (10, 10)], [(13, 13)], KEY[2]], [KEY[0], [*KEY[1], *KEY[2]]]
MISSING = [KEY[0], [(2, 4), (10, 10)], [*KEY[2], (11, 11)]]
BOUNDARY = [KEY[0], [(3, 4), (10, 10), (13, 13)], KEY[2]]  # the old boat without its "her"


def test_errors_in_words():
    assert errors(KEY) == []
    assert errors(SPLIT) == [("split", "2 is in 2 classes. 2a: “her old boat”, “it”; 2b: “It”")]
    assert errors(MERGED) == [("merged", "2 is from 2 entities. 2: “her old boat”, “it”, “It”; 3: “Max”, “He”")]
    assert errors(MISSING) == [("missing", "“It” of 2"), ("spurious", "“Sun” in 3")]
    assert errors(BOUNDARY) == [("boundary", "“her old boat” is “old boat”")]


def test_labels_and_notes():
    assert labels(KEY) == [("1",), ("1",), ("2",), ("2",), ("2",), ("3",), ("3",)]
    assert labels(SPLIT)[2:5] == [("2a",), ("2a",), ("2b", "split")]
    assert [mark.notes for mark in view_of(pair(KEY, SPLIT)).key][2:5] == [("in 2a",), ("in 2a",), ("in 2b",)]
    assert labels(MERGED)[-2:] == [("2", "merged: is 3"), ("2", "merged: is 3")]
    assert labels([*KEY, [(11, 11)]])[-1] == ("+1", "spurious")
    assert labels(BOUNDARY)[2] == ("2", "boundary")


def test_a_match_of_other_words_is_no_error_but_seen():
    one = pair(KEY, [KEY[0], [(4, 4), (10, 10), (13, 13)], KEY[2]])
    one.matches[2] = 2
    view = view_of(one)
    assert view.errors == [] and view.response[2].notes == ("other span, matched",)


def test_zeros_are_visible():
    words = ["_", "Vino", "."]
    node = {0: EmptyNode(0, 0, 1, label="0.1")}
    one = pair([[(0, 0)]], [[(0, 0)]], words, [0], key_empty=node, response_empty=node)
    assert text_of(view_of(one)) == "<p class=b><i>both</i><mark class=c0>[∅<sub>1</sub>]</mark> Vino ."


def test_sentences_that_differ_stand_one_above_the_other():
    drawn = text_of(view_of(pair(KEY, [KEY[0], [(2, 4), (10, 10)], KEY[2]])))
    assert re.findall("<i>(.*?)</i>", drawn) == ["both", "both", "key", "response"]
    key, response = drawn.split("<i>key</i>")[1].split("<p><i>response</i>")
    assert key == "<mark class=c1>[It<sub>2 <b>missing</b></sub>]</mark> sank ." and response == "It sank ."


def test_nested_crossing_and_parted_mentions():
    view = view_of(pair([[(0, 4)], [(3, 6)], [(4, 4)]], [], sentences=[0]))
    drawn = running_text(WORDS, {}, view.key, 0, 8)
    assert re.sub("<.*?>", "", drawn) == "[Lena sold her [old [boat3 missing]1 missing] to Max2 missing] ."
    assert runs_of((1, 2, 5)) == ((1, 2), (5, 5))


class Checked(HTMLParser):
    """Collects what a page would load, and its text."""

    def __init__(self):
        super().__init__()
        self.tags, self.links = set(), []

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        self.links += [value for name, value in attrs if name in ("src", "href")]


def write_conll(path, words, column, name="<b>&name</b>"):
    rows = "".join(f"d 0 {i} {word} {mark}\n" for i, (word, mark) in enumerate(zip(words, column)))
    path.write_text(f"#begin document ({name}); part 000\n{rows}\n#end document\n", encoding="utf-8")
    return str(path)


def test_nothing_of_the_text_is_markup_and_nothing_is_loaded(tmp_path):
    words = ["<script>alert(1)</script>", "-->", "<!--", "&amp;", '"x"']
    key = write_conll(tmp_path / "<i>.key", words, ["(0)", "(0)", "-", "(1)", "(1)"])
    response = write_conll(tmp_path / "<i>.response", words, ["(0)", "-", "-", "(1)", "(0)"])
    result = report(key, response, str(tmp_path / "page.html"))
    text = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert "<script>alert" not in text and "-->" not in text and "&lt;script&gt;alert(1)&lt;/script&gt;" in text
    assert "<b>&name" not in text and "<i>.key" not in text
    page = Checked()
    page.feed(text)
    assert not page.tags & {"link", "img", "iframe"} and all(link.startswith("#d") for link in page.links)
    assert result["totals"]["documents"] == 1 and "b3_f1_low" not in result


def test_long_and_late_documents_are_folded(tmp_path):
    assert opened([600, 601, 600, 600, 600, 600, 100]) == [True, False, True, True, True, False, True]
    words = ["-->x"] * 700
    key = write_conll(tmp_path / "k", words, ["(0)"] * 700)
    report(key, key, str(tmp_path / "page.html"))
    text = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert "<details><summary>" in text and text.count("-->") == text.count("<!--") == 1


def test_documents_without_words(metric, tmp_path):
    """Mentions stand under their names; two documents have intervals; singletons go where they are not kept."""
    key, response = [[["<a>", "b"], ["c"]], [["d", "e"]]], [[["<a>"], ["b", "c"]], [["d", "e"]]]
    result = metric.report(key, response, str(tmp_path / "page.html"), keep_singletons=False)
    text = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert "[&lt;a&gt;<sub>1 <b>missing</b></sub>]" in text and "document 2" in text
    assert result["totals"]["key_entities"] == 2 and "b3_f1_low" in result


def test_a_page_of_many_documents_is_small(tmp_path):
    """Below 60 bytes a word where every fourth is a mention, and only some documents are unfolded."""
    words, column = [f"w{i}" for i in range(400)], [f"({i % 31})" if i % 4 == 0 else "-" for i in range(400)]
    paths = []
    for side in (column, [*column[4:], "-", "-", "-", "-"]):
        document = write_conll(tmp_path / "one", words, side, "d{}")
        text = Path(document).read_text(encoding="utf-8")
        paths.append(tmp_path / f"{len(paths)}.conll")
        paths[-1].write_text("".join(text.replace("d{}", f"d{i}") for i in range(50)), encoding="utf-8")
    report(*map(str, paths), str(tmp_path / "page.html"), measures=["conll_f1"], n_resamples=10)
    text = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert text.count("<details open>") == 6 and len(text) < 60 * 50 * 400 * 2


def test_no_page_in_the_place_of_a_file_that_is_read(tmp_path):
    key, response, other = (write_conll(tmp_path / name, ["a"], ["(0)"]) for name in ("key", "response", "other"))
    (tmp_path / "link").symlink_to(key)
    before = (tmp_path / "key").read_text(encoding="utf-8")
    for path in (key, response, other, str(tmp_path / "link")):
        with pytest.raises(ValueError, match="path: found '.*', which is one of the files to read, expected another"):
            report(key, response, path, other=other)
    assert (tmp_path / "key").read_text(encoding="utf-8") == before


def test_another_response_stands_beside(metric, tmp_path):
    key, response, other = [KEY_IDS] * 2, [KEY_IDS] * 2, [[["a"], ["b", "c"]], KEY_IDS]
    result = metric.report(key, response, str(tmp_path / "page.html"), other=other, measures=["b3"])
    expected = metric.compare(response, other, key, measures=["b3"], details=True)
    del expected["signature"]  # that of the page's scores
    expected["documents"] = [{**each, "name": ""} for each in expected["documents"]]
    assert result["comparison"] == expected
    text = (tmp_path / "page.html").read_text(encoding="utf-8")
    drawn = "<td>b3_f1<td>100.00<td>83.33<td>16.67<td>0.00 to 33.33<td>1.0000"
    assert "Comparison with another response" in text and drawn in text
    assert "<h2>b3_f1 differs in 1 of 2 documents</h2>" in text
    assert '<td><a href="#d0">document 1</a><td>100.00<td>66.67<td>33.33</table>' in text
    metric.report(key[:1], response[:1], str(tmp_path / "page.html"), measures=["b3"])  # one document has no interval
    assert "interval" not in (tmp_path / "page.html").read_text(encoding="utf-8")


def test_words_from_right_to_left_are_isolated(tmp_path):
    """Else the browser moves brackets, entity numbers and quotation marks that stand beside them."""
    words = ["שר", "ה", "תעשייה", "saw", "Bob"]
    columns = {"key": ["(0", "-", "0)", "-", "(1)"], "response": ["-", "-", "-", "-", "(1)"]}
    paths = [write_conll(tmp_path / name, words, column) for name, column in columns.items()]
    report(*paths, str(tmp_path / "page.html"))
    text = (tmp_path / "page.html").read_text(encoding="utf-8")
    mention = "[שר ה תעשייה<sub>1 <b>missing</b></sub>]"
    assert f"<i>key</i><bdi><mark class=c0>{mention}</mark> saw" in text and "unicode-bidi: isolate" in text
    assert "<bdi>“שר ה תעשייה”</bdi> of 1" in text
    report([[["דן"], ["Bob"]]], [[["Bob"]]], str(tmp_path / "page.html"))
    text = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert "[<bdi>דן</bdi><sub>" in text and "[Bob<sub>" in text


KEY_IDS = [["a", "b"], ["c"]]


def test_errors(tmp_path):
    with pytest.raises(ValueError, match="found '.*k' and .*, expected two files, or two lists of documents"):
        report(str(tmp_path / "k"), [[["a"]]], str(tmp_path / "p"))
    with pytest.raises(ValueError, match="path: found '.*none/page', expected a file that can be written"):
        report([[["a"]]], [[["a"]]], str(tmp_path / "none" / "page"))


def test_pairs_without_words_match_by_name():
    one = pair_of([["a", "b"], ["c"]], [["b", "x"]], "n")
    assert (one.matches, one.name) == ({0: 1}, "n")
    assert [error.kind for error in view_of(one).errors] == ["missing", "missing", "spurious"]


def test_letters_go_on_after_the_last():
    labels = _labels([0] * 52, [1] * 52)
    assert labels[:2] == ["1a", "1b"] and labels[23:27] == ["1x", "1y", "1za", "1zb"]
    assert labels[49:] == ["1zy", "1zza", "1zzb"] and len(set(labels)) == 52

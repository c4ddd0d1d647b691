"""From files to scores: formats, alignment, matching as corefud-scorer has it, repeated mentions, presets."""

import json
import warnings
from math import isnan
from pathlib import Path

import pytest

from metrics import coreference

from ..conftest import ROOT
from .conftest import table
from .test_readers import BEGIN, END, conll, conllu, corefud

SHARED = ROOT.parent / "shared" / "data" / "corefud_tests"
SAMPLE = json.loads((Path(__file__).parent / "corefud_scorer.json").read_text(encoding="utf-8"))
PARTS = ("recall", "precision", "f1")
UA_HEADER = "# global.columns = ID FORM LEMMA UPOS XPOS FEATS HEAD DEPREL DEPS MISC IDENTITY BRIDGING DEIXIS\n"


def ua(*tokens):
    """Tokens (id, form, markables)."""
    rows = ["\t".join([number, form, *"_" * 8, markables, "_", "_"]) for number, form, markables in tokens]
    return UA_HEADER + "# newdoc id = d\n" + "\n".join(rows) + "\n"


# ---- Matching ----


def expected_pairs():
    path = SHARED / "expected.json"
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else []


@pytest.mark.parametrize(
    "pair", expected_pairs(), ids=lambda pair: f"{Path(pair['response']).name}-{pair['match']}-{pair['keep_zeros']}"
)
def test_corefud_scorers_own_test_files(metric, pair):
    """Its values are of files without zeros, or with zeros kept; BLANC differs where the key lacks a type of link."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        options = {"match": pair["match"].removesuffix("-corefud"), "zeros": pair["zeros"], "duplicates": "first"}
        scores = metric.score_files(SHARED / pair["key"], SHARED / pair["response"], **options)
    for name, expected in pair["scores"].items():
        if name != "blanc":
            assert [scores[f"{name}_{part}"] for part in PARTS] == pytest.approx(expected, abs=1e-9), name


@pytest.mark.parametrize("number", range(len(SAMPLE)))
def test_random_documents_as_corefud_scorer_scored_them(metric, write, number):
    """Nested, crossing and discontinuous mentions, zeros; from benchmarks/stress/matching.py."""
    case = SAMPLE[number]
    options = {name: case[name] for name in ("match", "zeros", "keep_singletons")}
    scores = metric.score_files(write(case["key"], "key"), write(case["response"], "response"), **options)
    for name, expected in case["scores"].items():
        assert [scores[f"{name}_{part}"] for part in PARTS] == pytest.approx(expected, abs=1e-9), name


@pytest.mark.parametrize(
    ("key", "response", "matched"),
    [
        ("(1-4 h2)", "(1-4 h2)", {"exact", "partial", "head"}),
        ("(1-4 h2)", "(1-4 h3)", {"exact", "partial"}),  # for heads the head is part of what a mention is
        ("(1-4 h2)", "(2-3 h1)", {"partial", "head"}),
        ("(1-4 h2)", "(2-3 h2)", {"partial"}),  # the key's head is within, the response's own does not count
        ("(1-4 h2)", "(3-4 h1)", set()),
        ("(1-2 h2)", "(1-4 h2)", {"head"}),
    ],
)
@pytest.mark.parametrize("match", ["exact", "partial", "head"])
def test_matches(metric, write, key, response, matched, match):
    def text(mention):
        span, head = mention.strip("()").split(" h")
        start, end = map(int, span.split("-"))
        items = {start: f"(e1-x-{head}-", end: "e1)"}
        return conllu(*((str(i), "w", f"Entity={items[i]}" if i in items else "_") for i in range(1, 5)))

    scores = metric.score_files(write(text(key), "key"), write(text(response), "response"), match=match)
    assert scores["mention_f1"] == float(match in matched)


def test_ties_of_heads_go_by_overlap_and_one_to_one(metric, write):
    key = conllu(("1", "a", "Entity=(e1-x-2-"), ("2", "b", "_"), ("3", "c", "Entity=e1)"))
    response = conllu(("1", "a", "_"), ("2", "b", "Entity=(e1-x-1-(e2-x-1-)"), ("3", "c", "Entity=e1)"))
    pair = metric.read_pair(write(key, "key"), write(response, "response"), match="head")
    assert pair == {"predictions": [[["0-2"], ["1-1"]]], "references": [[["0-2"]]]}


def zeros(*dependencies):
    """One entity: the word, and an empty node for each of the dependencies."""
    nodes = [(f"1.{k}", "_", f"Entity=(e{k}-x-1-)", deps) for k, deps in enumerate(dependencies, 1)]
    return conllu(("1", "goes", "_"), *nodes, ("2", "home", "_"))


def test_zeros_by_place_and_by_dependencies(metric, write):
    key, response = write(zeros("1:nsubj", "1:obj"), "key"), write(zeros("1:obj"), "response")
    by_place = metric.read_pair(key, response)
    assert by_place["predictions"] == [[["1.1-1.1"]]]
    with pytest.warns(UserWarning, match="1 mentions have the words of another that is not their match"):
        by_dependencies = metric.read_pair(key, response, zeros="dependent")
    assert by_dependencies == {"predictions": [[["1.2-1.2"]]], "references": [[["1.1-1.1"], ["1.2-1.2"]]]}


def test_zero_without_dependencies_is_matched_by_place(metric, write):
    path = write(zeros("_"))
    assert metric.score_files(path, path, zeros="dependent")["mention_f1"] == 1.0


def test_singletons_go_before_mentions_are_matched(metric, write):
    key = conllu(("1", "a", "Entity=(e1-x-1-(e2-x-1-)"), ("2", "b", "Entity=e1)"), ("3", "c", "Entity=(e1-x-1-)"))
    response = conllu(("1", "a", "Entity=(e2-x-1-)"), ("2", "b", "_"), ("3", "c", "Entity=(e2-x-1-)"))
    paths = write(key, "key"), write(response, "response")
    assert metric.score_files(*paths, match="head")["muc_f1"] == 0.0  # the key's singleton takes the response's
    assert metric.score_files(*paths, match="head", keep_singletons=False)["muc_f1"] == 1.0


def test_preset(metric, write):
    case = next(c for c in SAMPLE if (c["match"], c["zeros"], c["keep_singletons"]) == ("head", "dependent", False))
    paths = write(case["key"], "key"), write(case["response"], "response")
    scores = metric.score_files(*paths, preset="crac")
    assert scores == metric.score_files(*paths, match="head", zeros="dependent", keep_singletons=False)

    pair = metric.read_pair(*paths, preset="crac")
    assert metric.compute(**pair, measures="conll_f1") == {"conll_f1": scores["conll_f1"]}


# ---- Several files, other options ----


def test_lists_of_files_give_each_and_the_mean(metric, write):
    keys = [write(conll("(0)", "(0)"), "a.key"), write(conll("(0)", "(0)"), "b.key")]
    responses = [write(conll("(0)", "(0)"), "a"), write(conll("(0)", "(1)"), "b")]
    scores = metric.score_files(keys, responses, measures=["muc"], confidence=None)
    means = {name: value for name, value in scores.items() if name != "files"}
    assert means == {"muc_recall": 0.5, "muc_precision": 0.5, "muc_f1": 0.5}
    assert [each["response"] for each in scores["files"]] == responses
    assert [each["muc_f1"] for each in scores["files"]] == [1.0, 0.0]
    with pytest.raises(ValueError, match="expected two paths or data sets, or two lists of as many"):
        metric.score_files(keys, responses[:1])
    with pytest.raises(ValueError, match="found no files"):
        metric.score_files([], [])


def test_intervals_and_details_have_the_measures_of_files(metric, write):
    cases = [c for c in SAMPLE if c["match"] == "head"]
    paths = [write("".join(c[side].replace("= d", f"= {i}d") for i, c in enumerate(cases)), side) for side in
             ("key", "response")]  # fmt: skip
    for average in ("micro", "macro"):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            scores = metric.score_files(*paths, preset="crac", confidence=0.9, details=True, average=average)
        assert scores["mor_f1_low"] <= scores["mor_f1"] <= scores["mor_f1_high"]
        assert scores["zero_f1_low"] <= scores["zero_f1"] <= scores["zero_f1_high"]
    assert scores["documents"][0]["name"] == "0" + cases[0]["key"].split("\n")[0].removeprefix("# newdoc id = ")
    assert "match:head|zeros:dependent" in scores["signature"]


def test_mention_overlap_ratio(metric, write):
    key = conllu(("1", "a", "Entity=(e1-x-1-"), ("2", "b", "_"), ("3", "c", "Entity=e1)"), ("4", "d", "Entity=(e1)"))
    response = conllu(("1", "a", "Entity=(e1-x-1-"), ("2", "b", "Entity=e1)(e2)"), ("3", "c", "_"), ("4", "d", "_"))
    with pytest.warns(UserWarning, match="found no mention that key and response have in common"):
        scores = metric.score_files(write(key, "key"), write(response, "response"))
    assert (scores["mor_recall"], scores["mor_precision"]) == (2 / 4, 2 / 3)


NO_HEADS = {
    "conll": conll("(0", "0)", "(0)"),
    "json": json.dumps({"doc_key": "(d); part 000", "clusters": [[[0, 1], [2, 2]]]}),
    "ua": ua(("1", "word", "(EntityID=1|MarkableID=m1"), ("2", "word", "m1)"), ("3", "word", "_")),
}
HEADS = conllu(
    ("1", "word", "Entity=(e1-x-1-"), ("2", "word", "Entity=e1)"), ("3", "word", "Entity=(e1-x-1-)")
).replace(" id = d", "")


@pytest.mark.parametrize("options", [{"match": "head"}, {"preset": "crac"}])
@pytest.mark.parametrize("file_format", NO_HEADS)
def test_heads_are_not_matched_where_a_side_has_none(metric, write, file_format, options):
    """It would be exact match in the one case, and nothing but zeros in the other."""
    bare, heads = write(NO_HEADS[file_format], "bare"), write(HEADS, "heads")
    for paths in ((bare, heads), (heads, bare), (bare, bare)):
        with pytest.raises(ValueError, match="match: found 'head', but mentions without heads in .*bare:[12]: docu"):
            metric.score_files(*paths, **options)


@pytest.mark.filterwarnings("ignore:.*the words of 1 documents were not compared")
@pytest.mark.parametrize("file_format", NO_HEADS)
def test_parts_are_matched_where_the_key_has_heads(metric, write, file_format):
    bare, heads = write(NO_HEADS[file_format], "bare"), write(HEADS, "heads")
    assert metric.score_files(heads, bare, match="partial")["mention_precision"] == 1.0
    with pytest.raises(ValueError, match="match: found 'partial', but mentions without heads in .*bare:[12]: docu"):
        metric.score_files(bare, heads, match="partial")


def test_heads_that_are_guessed_are_announced(metric, write):
    path = write(conllu(("1", "a", "Entity=(e1-x"), ("2", "b", "Entity=e1)(e2-x)")))
    with pytest.warns(UserWarning, match="2 mentions of several words name no head; their first word is taken"):
        metric.score_files(path, path, match="head")


@pytest.mark.parametrize(
    "given", [{"match": "partial"}, {"match": "exact"}, {"keep_singletons": True}, {"zeros": "linear"}]
)
def test_nothing_is_said_against_a_preset(metric, given):
    """Not even what would be the default without it."""
    with pytest.raises(ValueError, match=f"{next(iter(given))}: found .* beside the preset 'crac', expected"):
        metric.score_files("key", "response", preset="crac", **given)


INSIDE = (("1", "a", "Entity=(e1-x-1-"), ("1.1", "_", "_", "1:nsubj"), ("2", "b", "Entity=e1)"))
AROUND = conllu(("1", "a", "Entity=(e2-x-1-)"), ("2", "b", "Entity=(e2-x-1-)"), start="# newdoc id = e\n")


def test_names_of_the_key_do_not_depend_on_the_response(metric, write):
    """A response has an empty node amid the words of a mention of the key."""
    without = conllu(INSIDE[0], INSIDE[2], ("3", "c", "Entity=(e1-x-1-)")) + AROUND
    key, other = write(without, "key"), write(conllu(*INSIDE, ("3", "c", "Entity=(e1-x-1-)")) + AROUND, "other")
    plain, inside = (metric.read_pair(key, path, match="head") for path in (key, other))
    assert plain["references"] == inside["references"] == [[["0-1", "2-2"]], [["0-0", "1-1"]]]
    assert inside["predictions"] == inside["references"]
    assert metric.read_pair(key, other)["predictions"][0] == [["0-1'", "2-2"]]  # other words: an empty node among them
    named = metric.read_pair(other, key)
    assert (named["references"][0], named["predictions"][0]) == ([["0-1", "2-2"]], [["0-1'", "2-2"]])
    assert metric.score_files(key, other, match="head", subset=[["0-1", "2-2"], []])["mention_f1"] == 1.0


def test_subset_leaves_out_what_it_cannot_restrict(metric, write):
    path = write(HEADS)
    assert "mor_f1" in metric.score_files(path, path) and "zero_f1" in metric.score_files(path, path)
    assert not any(name.startswith(("mor_", "zero_")) for name in metric.score_files(path, path, subset=[["0-1"]]))


def test_strict_names_the_document(metric, write):
    with pytest.raises(ValueError, match=r"document '\(y\); part 000': found the mention '1-1' in references but not"):
        key = conll("(0)", name="x") + conll("(0)", "(0)", name="y")
        response = conll("(0)", name="x") + conll("(0)", "-", name="y")
        metric.score_files(write(key, "key"), write(response, "response"), mentions="strict")


# ---- Key and response in one text ----


def test_other_words_are_an_error_with_both(metric, write):
    key = write(f"{BEGIN}\nd 0 0 a (0)\nd 0 1 b -\n{END}", "key")
    response = write(f"{BEGIN}\nd 0 0 a (0)\nd 0 1 Y -\n{END}", "response")
    message = r"response:3: document '\(d\); part 000': found 'Y' as word 1, expected 'b' as in \S*key:3"
    with pytest.raises(ValueError, match=message):
        metric.score_files(key, response)
    with pytest.raises(ValueError, match=message):
        metric.read_conll(response, like=key)


def test_another_number_of_words_is_an_error(metric, write):
    key, response = write(conll("-"), "key"), write(conll("-", "-"), "response")
    message = r"response:1: document '\(d\); part 000': found 2 words, expected 1 as in \S*key:1"
    with pytest.raises(ValueError, match=message):
        metric.score_files(key, response)


def unnamed(*tokens):
    return conllu(*tokens, start="# newdoc\n# global.Entity = eid\n")


def test_documents_go_by_place_without_names(metric, write):
    one = unnamed(("1", "a", "Entity=(e1)"))
    path = write(one * 2, "unnamed")
    assert metric.score_files(path, path)["mention_f1"] == 1.0
    assert metric.read_corefud(path, like=path) == [[["0-0"]], [["0-0"]]]
    with pytest.raises(ValueError, match="found 1 documents in .* and 2 in .*, some of them without a name"):
        metric.score_files(path, write(one, "one"))


def test_what_has_no_name_goes_by_place_and_the_rest_by_name(metric, write):
    named = conllu(("1", "a", "Entity=(e1)"), ("2", "a", "_"))
    nameless = unnamed(("1", "a", "_"), ("2", "a", "Entity=(e1)"))
    key, response = write(named + nameless, "key"), write(nameless + named, "response")
    assert metric.score_files(key, response)["mention_f1"] == 1.0
    assert metric.read_corefud(response, like=key) == [[["0-0"]], [["1-1"]]]
    both_nameless = write(named.replace(" id = d", "") + nameless, "nameless")
    assert metric.score_files(key, both_nameless)["mention_f1"] == 1.0
    other = write(nameless + named.replace("id = d", "id = e"), "other")
    assert metric.read_corefud(other, like=key) == [[["1-1"]], [["0-0"]]]  # d beside none, none beside e


def test_places_without_words_say_too_little_beside_empty_nodes(metric, write):
    zero = write(conllu(("1", "a", "Entity=(e1)"), ("1.1", "_", "Entity=(e1)"), ("2", "b", "_")), "zero")
    bare = write(json.dumps({"doc_key": "d", "clusters": [[[0, 0], [1, 1]]]}), "bare")
    for paths in ((zero, bare), (bare, zero)):
        with pytest.raises(ValueError, match=r"bare:1: document 'd': .* without words, .* because .*zero:1"):
            metric.score_files(*paths)


def test_empty_nodes_shift_nothing_and_have_names_of_their_own(metric, write):
    """N.k at the end of a sentence is not 0.k at the begin of the next."""
    first = ("1", "a", "_"), ("1.1", "_", "Entity=(e1)")
    key = conllu(*first, None, ("0.1", "_", "Entity=(e2)"), ("1", "b", "Entity=(e1)"))
    response = conllu(("1", "a", "_"), None, ("0.1", "_", "Entity=(e1)"), ("1", "b", "Entity=(e1)"))
    pair = metric.read_pair(write(key, "key"), write(response, "response"))
    assert pair["references"] == [[["1.1-1.1", "1-1"], ["1.0.1-1.0.1"]]]
    assert pair["predictions"] == [[["1.0.1-1.0.1", "1-1"]]]
    assert metric.read_corefud(write(key, "key")) == pair["references"]


def test_sentences_are_compared_where_there_are_empty_nodes(metric, write):
    one = conllu(("1", "a", "_"), ("1.1", "_", "_"), ("2", "b", "_"))
    two = conllu(("1", "a", "_"), None, ("1", "b", "_"))
    with pytest.raises(ValueError, match="found a sentence 1 that begins at another word"):
        metric.score_files(write(one, "key"), write(two, "response"))


def test_repeated_mentions(metric, write):
    key, response = write(conll("(0)", "(0)"), "key"), write(conll("(0)|(1)", "(0)"), "response")
    message = r"response:2: document '\(d\); part 000': found the mention 'word' in entity '1' and in '0', expected"
    with pytest.raises(ValueError, match=message):
        metric.score_files(key, response)
    with pytest.warns(UserWarning, match="left out 1 mentions that stand a second time in another entity"):
        assert metric.score_files(key, response, duplicates="first")["conll_f1"] == 1.0
    with pytest.warns(UserWarning, match="left out 1 mentions that stand a second time in the same entity"):
        assert metric.score_files(key, write(conll("(0)|(0)", "(0)"), "twice"))["conll_f1"] == 1.0


# ---- Formats ----


@pytest.mark.parametrize(
    ("header", "opening"), [("eid-etype-head-other", "e1-x-2-"), ("GRP-etype-head", "e1-x-2"), ("entity-GRP", "x-e1")]
)
def test_corefud_headers(metric, write, header, opening):
    closing = "x-e1)" if header == "entity-GRP" else "e1)"
    text = corefud(f"Entity=({opening}", f"Entity={closing}").replace("eid-etype-head-other", header)
    assert metric.read_corefud(write(text)) == [[["0-1"]]]


def test_discontinuous_mentions_have_their_head_in_any_part(metric, write):
    key = conllu(("1", "a", "Entity=(e1[1/2]-x-2-)"), ("2", "b", "_"), ("3", "c", "Entity=(e1[2/2]-x-2-)"))
    response = conllu(("1", "a", "_"), ("2", "b", "_"), ("3", "c", "Entity=(e1-x-1-)"))
    paths = write(key, "key"), write(response, "response")
    assert metric.read_pair(*paths)["references"] == [[["0-0,2-2"]]]
    assert metric.score_files(*paths, match="head")["mention_f1"] == 1.0


def test_split_antecedents_and_bridging_are_announced(metric, write):
    text = conllu(("1", "a", "Entity=(e1)"), ("2", "b", "Bridge=e1<e2|Entity=(e2)|SplitAnte=e1<e2,e3<e2"))
    with pytest.warns(UserWarning, match="not scored, both sides together: 2 bridging links, 4 split antecedents"):
        metric.score_files(write(text, "key"), write(text, "response"))


def test_universal_anaphora(metric, write):
    key = ua(
        ("1", "a", "(EntityID=1|MarkableID=m1|Min=2"),
        ("2", "b", "(EntityID=2|MarkableID=m2)"),
        ("2.1", "_", "(EntityID=1|MarkableID=m3)"),
        ("3", "c", ")"),
        ("4", "d", "(EntityID=5-Pseudo|MarkableID=m4)"),
    )
    response = ua(("1", "a", "_"), ("2", "b", "(EntityID=1|MarkableID=m1)"), ("3", "c", "_"), ("4", "d", "_"))
    paths = write(key, "key"), write(response, "response")
    with pytest.warns(UserWarning, match="1 non-referring markables"):
        pair = metric.read_pair(*paths)
    assert pair == {"predictions": [[["1-1"]]], "references": [[["0-1,2-2", "2.1-2.1"], ["1-1"]]]}
    alone = ua(("1", "a", "(EntityID=1|MarkableID=m1|Min=2"), ("2", "b", "_"), ("3", "c", ")"), ("4", "d", "_"))
    assert metric.score_files(write(alone, "alone"), paths[1], match="partial")["mention_f1"] == 1.0


# What a file may have in it: text, or else columns of tokens, or an object of JSON.
CONTENTS = {
    "corefud": lambda fields: corefud(*fields),
    "ua": lambda fields: ua(*((str(i), "a", field) for i, field in enumerate(fields, 1))),
    "json": json.dumps,
}


@pytest.mark.parametrize("file_format, content, message", table("wrong_texts"))
def test_errors_name_file_and_line(metric, write, file_format, content, message):

    path = write(content if isinstance(content, str) else CONTENTS[file_format](content))
    with pytest.raises(ValueError, match=f"file.txt:{message}"):
        metric.score_files(path, path, format=file_format)


@pytest.mark.parametrize("word", ["Ann Lee", "Ann\N{NO-BREAK SPACE}Lee", "Ann\N{IDEOGRAPHIC SPACE}Lee"])
def test_universal_anaphora_words_with_spaces(metric, write, word):
    text = ua(("1", word, "(EntityID=1|MarkableID=m1)"), ("2", "b", "(EntityID=1|MarkableID=m2)"))
    assert metric.read_pair(write(text), write(text))["references"] == [[["0-0", "1-1"]]]
    assert metric.read_words(write(text)) == [[word, "b"]]
    if word != "Ann Lee":
        assert metric.read_words(write(text.replace("\t", " "), "spaced")) == [[word, "b"]]


WORDS = {"doc_key": "d", "sentences": [["a", "b"], ["c"]]}


@pytest.mark.parametrize(
    "response",
    [
        {**WORDS, "predicted_clusters": [[[0, 1], [2, 2]]], "clusters": []},
        {**WORDS, "clusters": [[[0, 1], [2, 2]]]},
        {"doc_key": "d", "tokens": ["a", "b", "c"], "clusters": [[[0, 1], [2, 2]]]},
        {"document_id": "d", "cased_words": ["a", "b", "c"], "span_clusters": [[[0, 2], [2, 3]]]},
        {"doc_key": "d", "clusters": [[[0, 1], [2, 2]]]},
    ],
)
@pytest.mark.filterwarnings("ignore:.*the words of 1 documents were not compared")
@pytest.mark.parametrize("dump", [json.dumps, lambda document: json.dumps([document], indent=1)])
def test_json_of_systems(metric, write, response, dump):
    key = write(json.dumps({**WORDS, "clusters": [[[0, 1], [2, 2]]]}) + "\n", "key")
    assert metric.score_files(key, write(dump(response), "response"))["conll_f1"] == 1.0


def test_scorch(metric, write):
    graph = {"type": "graph", "mentions": ["a", "b", "c"], "links": [["a", "b"]]}
    clusters = {"type": "clusters", "clusters": {"0": ["a", "b"], "1": ["c"]}}
    paths = write(json.dumps(graph, indent=1), "key"), write(json.dumps(clusters), "response")
    assert metric.read_pair(*paths) == {"predictions": [[["a", "b"], ["c"]]], "references": [[["a", "b"], ["c"]]]}


def test_formats_that_are_not_known(metric, write):
    path = write("some text\nmore\n")
    with pytest.raises(ValueError, match="format: found 'xml', expected one of auto, conll"):
        metric.score_files(path, path, format="xml")
    with pytest.raises(ValueError, match="found no document"):
        metric.score_files(write("", "empty"), path)


def test_mentions_of_another_kind(metric, write):
    key, response = write(conll("(0)"), "key"), write('{"clusters": [["a"]]}', "response")
    with pytest.raises(ValueError, match="found names for mentions on one side and places on the other"):
        metric.score_files(key, response)


def test_minspan_of_gum_is_the_head(metric, write):
    """Mentions of other boundaries with the same minimal span are the same; one word or several."""
    header = "# newdoc id = d\n# global.Entity = eid-etype-infstat-minspan-link\n"
    sides = []
    for mentions in (("(1-p-new-2,3-coref", "", "", "1)"), ("", "(1-p-new-1,2-coref", "1)", "(2-p-new-1-coref)")):
        rows = [f"{i}\tw{i}" + "\t_" * 7 + f"\t{'Entity=' + m if m else '_'}" for i, m in enumerate(mentions, 1)]
        sides.append(write(header + "\n".join(rows) + "\n\n", f"side{len(sides)}"))
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # none that heads are guessed
        exact, head, partial = (metric.score_files(*sides, match=match) for match in ("exact", "head", "partial"))
    assert (exact["mention_recall"], head["mention_recall"], partial["mention_recall"]) == (0.0, 1.0, 1.0)
    assert head["mention_precision"] == 0.5
    row = "1\ta" + "\t_" * 7 + "\tEntity="
    both = write(header.replace("minspan-link", "minspan-head") + f"{row}(1-p-new-9-1)\n", "both")
    assert metric.score_files(both, both, match="head")["b3_f1"] == 1.0  # a head goes before a minspan
    wrong = write(f"{header}{row}(1-p-new-1,2-coref)\n", "wrong")
    with pytest.raises(ValueError, match="wrong:3: found the head 1,2 of a mention of 1 words"):
        metric.score_files(wrong, wrong)


def test_entities_across_documents(metric, write):
    """As one partition of all mentions by hand; a singleton of each of two documents is none."""
    key = write(conll("(1)", "(2)", "(3)", name="x") + conll("(1)", "(3)", "(4)", name="y"), "key")
    response = write(conll("(3)", "(3)", "-", name="x") + conll("(3)", "(9)", "(5)", name="y"), "response")
    by_hand = [[["x0", "x1", "y0"], ["y1"], ["y2"]]], [[["x0", "y0"], ["x1"], ["x2", "y1"], ["y2"]]]
    for keep_singletons in (True, False):
        expected = coreference(*by_hand, keep_singletons=keep_singletons)
        scores = metric.score_files(key, response, cross_document=True, keep_singletons=keep_singletons)
        assert scores == pytest.approx(expected, nan_ok=True)
    assert scores["muc_recall"] == 0.5 and metric.score_files(key, response)["muc_recall"] == 0.0
    details = metric.score_files(key, response, cross_document=True, details=True)
    assert [each["name"] for each in details["documents"]] == ["all documents"]
    assert details["signature"].endswith("|cross_document:True")
    pair = metric.read_pair(key, response, cross_document=True)
    assert sorted(map(len, pair["references"][0])) == [1, 1, 2, 2]
    with pytest.warns(UserWarning, match="found one example alone, of which there is no interval"):
        assert isnan(metric.score_files(key, response, cross_document=True, confidence=0.9)["muc_f1_low"])
    path = write('{"doc_key": "d", "clusters": [[[0, 1]]]}', "json")
    with pytest.raises(ValueError, match="found the format json"):
        metric.score_files(path, path, cross_document=True)
    with pytest.raises(ValueError, match="cross_document: found a page, expected scores alone; a page shows"):
        metric.report(key, response, "page", cross_document=True)

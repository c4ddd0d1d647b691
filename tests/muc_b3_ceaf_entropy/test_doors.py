"""What real files come with: names of documents, columns of words, repeated mentions, and what is said of odd files."""

import json
import random
import warnings
from itertools import chain

import numpy as np
import pytest
from scipy.optimize import linear_sum_assignment

from metrics.muc_b3_ceaf_entropy.read_conll import find_word_column
from metrics.muc_b3_ceaf_entropy.read_pairs import read_pairs
from metrics.muc_b3_ceaf_entropy.score_files import FileOptions, compare_pairs

from ..conftest import ROOT
from .conftest import table
from .test_readers import END, conll, system

SHARED = ROOT.parent / "shared" / "data" / "coref_files"
needs_shared = pytest.mark.skipif(not SHARED.exists(), reason="needs ../shared")


def begin(name):
    return f"#begin document {name}\n"


def tokens(*rows, name="(d); part 000"):
    return begin(name) + "".join(f"{row}\n" for row in rows) + f"{END}\n"


# ---- Names of documents ----


@pytest.mark.parametrize(
    ("key", "response"),
    [
        (["(x); part 000", "(x); part 001"], ["x_1", "x_0"]),
        (["(x); part 000", "(x); part 001"], ["(x); part 1", "(x); part 0"]),
        (["(x)", "(y);"], ["y", " x "]),
        (["(a/b_0005); part 000", "a (b) c; part 012"], ["a (b) c_12", "a/b_0005_0"]),
        (["x", "y"], ["y_0", "x_0"]),
        (["(cctv_0005); part 000", "(cctv_0006); part 000"], ["cctv_0006", "cctv_0005"]),
        (["(ge/a.xml); part 000", "(ge/a.xml); part 010"], ["ge:a.xml_010", "ge:a.xml_000"]),
    ],
)
def test_documents_are_paired_by_their_names(metric, write, key, response):
    """The second of the key has one mention, the first none; so has the response, in the other order."""
    columns = {0: "-", 1: "(0)"}
    keys = "".join(tokens(f"d\t0\t0\tw\t{columns[i]}", name=name) for i, name in enumerate(key))
    responses = "".join(tokens(f"d\t0\t0\tw\t{columns[1 - i]}", name=name) for i, name in enumerate(response))
    assert metric.score_files(write(keys, "key"), write(responses, "response"))["mention_f1"] == 1.0


def test_part_id(metric, write):
    key = "".join(tokens(f"d\t0\t0\t{word}\t(0)", name=f"(d); part 00{i}") for i, word in enumerate("ab"))
    response = [
        {"document_id": "d", "part_id": part, "cased_words": [word], "span_clusters": [[[0, 1]]]}
        for part, word in ((1, "b"), (0, "a"))
    ]
    paths = write(key, "key"), write("\n".join(map(json.dumps, response)), "response")
    assert metric.score_files(*paths)["mention_f1"] == 1.0


def test_documents_in_order_whatever_their_names(metric, write):
    sides = {"key": "xy", "response": "uv"}
    paths = [write(conll("(0)", "-", name=one) + conll("-", name=two), side) for side, (one, two) in sides.items()]
    there = r"there are '\(u\); part 000', '\(v\); part 000'; documents=\"order\""
    message = rf"key:1: document '\(x\); part 000': found no such document in .*response, .* of this name; {there}"
    with pytest.raises(ValueError, match=message):
        metric.score_files(*paths)
    assert metric.score_files(*paths, documents="order")["mention_f1"] == 1.0
    with pytest.raises(ValueError, match="found 1 documents in .*one and 2 in .*key, expected the same documents"):
        metric.score_files(paths[0], write(conll("(0)", "-"), "one"), documents="order")


def test_a_form_that_two_documents_have_is_not_used(metric, write):
    paths = write(conll("-", name="a"), "key"), write(tokens("d 0 0 word -", name="a_0") * 1, "response")
    with pytest.warns(UserWarning, match="found no mention on either side"):
        assert metric.read_pair(*paths) == {"predictions": [[]], "references": [[]]}
    twice = write(tokens("d 0 0 word -", name="a_0") + tokens("d 0 0 word -", name="(a_0)"), "twice")
    with pytest.raises(ValueError, match="found no such document"):
        metric.read_pair(paths[0], twice)


OF_SYSTEMS = [
    "names/key.conll e2e.jsonlines", "columns/48.key.conll 48.response.conll", "char_offsets/key.jsonl fastcoref.jsonl",
    "fields/key.jsonl maverick.jsonl", "toolkits/key.jsonl stanza.conllu", "toolkits/key.jsonl corenlp.json",
    "toolkits/key.jsonl spacy_spans.json", "toolkits/key.jsonl coref_data_rows.json",
    "toolkits/key.jsonl ontonotes_rows.json",
]  # fmt: skip


@needs_shared
@pytest.mark.parametrize("files", OF_SYSTEMS)
def test_files_of_systems(metric, files):
    folder, key, response = files.replace("/", " ").split()
    by = "order" if folder == "toolkits" else "name"
    scores = metric.score_files(SHARED / folder / key, SHARED / folder / response, documents=by)
    assert scores["conll_f1"] == scores["mention_f1"] == pytest.approx(1.0)


# ---- The column of words ----


@pytest.mark.parametrize(
    ("rows", "column"),
    [
        (["d 0 0 Ann NNP (0)", "d 0 1 saw VBD -"], 3),
        (["d 0 0 1999 (0)"], 3),
        (["0 Ann (0)", "1 saw -"], 1),
        (["1 Ann Ann NN _ (0)", "2-3 des _ _ _ _", "2 de de P _ _"], 1),
        (["d 0 Ann (0)", "d 1 saw -"], 2),
        (["Ann (0)", "saw -"], 0),
        (["Ann 0 0 _ (0)", "saw 0 1 _ _"], 0),
        (["d 0 0 [WORD] - (0)", "d 0 1 [WORD] - -"], 3),
        (["d 0 0 - (0)", "d 0 1 - -"], 3),
    ],
)
def test_the_column_of_the_words_is_found(metric, write, rows, column):
    path = write(tokens(*(row.replace(" ", "\t") for row in rows)))
    assert find_word_column(path) == column
    assert metric.read_words(path) == [[row.split()[column] for row in rows]]


def test_words_that_look_the_same_are_told_apart(metric, write):
    """Composed and decomposed: both are drawn alike."""
    key, response = (write(tokens(f"0\t{word}\t(0)"), name) for word, name in (("Caf\u00e9", "k"), ("Cafe\u0301", "r")))
    with pytest.raises(ValueError, match=r"found 'Cafe\\u0301' as word 0, expected 'Caf\\xe9' as in"):
        metric.score_files(key, response)
    assert metric.score_files(key, response, words="aligned")["mention_f1"] == 1.0


def test_other_words_are_refused_in_any_column(metric, write):
    sides = {"key": "Ann", "response": "Bob"}
    key, response = (write(tokens(f"0\t{word}\t(0)", "1\tsaw\t-"), side) for side, word in sides.items())
    with pytest.raises(ValueError, match="response:2: .*found 'Bob' as word 0, expected 'Ann'"):
        metric.score_files(key, response)
    with pytest.warns(UserWarning, match="words of 2 documents were not compared, because .*key and .*response has"):
        metric.score_files(key, response, word_column=3)
    with pytest.raises(ValueError, match="word_column: found 0, expected a number from 1"):
        metric.score_files(key, response, word_column=0)


def test_words_that_only_one_side_has_are_on_the_page(metric, write, tmp_path):
    key = write(json.dumps({"doc_key": "(d); part 000", "clusters": [[[0, 0]]]}), "key")
    with pytest.warns(UserWarning, match="the words of 1 documents were not compared, because .*key has none"):
        metric.report(key, write(tokens("1 Ann NN (0)"), "response"), str(tmp_path / "page.html"))
    assert "Ann" in (tmp_path / "page.html").read_text(encoding="utf-8")


@needs_shared
def test_columns_that_circulate(metric, write):
    folder = SHARED / "columns"

    with pytest.raises(ValueError, match="found 'Bob' as word 0, expected 'Ann'"):
        metric.score_files(folder / "46.key.conll", folder / "46.response.conll")
    lines = (folder / "singe_head.conll").read_text(encoding="utf-8").splitlines()
    assert metric.read_words(write("\n".join([*lines, END, ""])))[0][:4] == ["Singe", "Les", "singes", "sont"]


# ---- Repeated mentions ----


def literal_sides(key, response):
    """Entities as lists of positions, for one-word mentions in columns such as ["(0)|(1)", "-"], in the order in
    which they begin; of the response without what the official program leaves out."""

    def entities(columns):
        found = {}
        for position, column in enumerate(columns):
            for item in column.split("|"):
                if item != "-":
                    found.setdefault(item, []).append(position)
        return list(found.values())

    keys, responses, seen = entities(key), [], set()
    in_key = set(chain.from_iterable(keys))
    for entity in entities(response):
        kept = []
        for position in entity:
            if position not in in_key or position not in seen:  # what the key lacks stays wherever it is
                kept.append(position)
                seen.add(position)
        responses.append(kept)
    return keys, list(filter(None, responses))


def literal_muc(keys, responses):
    last = {mention: i for i, entity in enumerate(keys) for mention in entity}
    correct = sum(
        any(last.get(later) == last[mention] for later in entity[i + 1 :])
        for entity in responses
        for i, mention in enumerate(entity)
        if mention in last
    )
    return [correct, correct], [sum(len(entity) - 1 for entity in side) for side in (keys, responses)]


def literal_b3(keys, responses):
    last = {mention: entity for entity in keys for mention in entity}
    found = [0.0, 0.0]
    for entity in responses:
        for mention in filter(last.__contains__, entity):
            own = last[mention]
            common = sum(other in own for other in entity)
            found = [found[0] + common / len(own), found[1] + common / len(entity)]
    return found, [sum(map(len, side)) for side in (keys, responses)]


def literal_ceaf(similarity, size):
    def counts(keys, responses):
        table = [[similarity(sum(m in response for m in key), key, response) for response in responses] for key in keys]
        table = np.array(table, float).reshape(len(keys), len(responses))
        best = table[linear_sum_assignment(-table)].sum()
        return [best, best], [sum(map(size, side)) for side in (keys, responses)]

    return counts


LITERAL = {
    "muc": literal_muc,
    "b3": literal_b3,
    "ceafm": literal_ceaf(lambda common, key, response: common, len),
    "ceafe": literal_ceaf(lambda common, key, response: 2 * common / (len(key) + len(response)), lambda entity: 1),
}


def one_word_columns(rng, n, most):
    """Columns of one-word mentions, each up to so many times, now and then twice in the same entity."""
    return ["|".join(rng.choices(["(0)", "(1)", "(2)"], k=rng.randint(0, most))) or "-" for _ in range(n)]


@pytest.mark.parametrize("seed", range(100))
def test_repeated_mentions_count_as_in_the_conll_scorer(metric, write, seed):
    """The program itself gave the same for 1,000 documents (benchmarks/stress/repeated_mentions.py)."""
    rng = random.Random(seed)
    n = rng.randint(3, 10)
    key, response = (one_word_columns(rng, n, most) for most in (rng.randint(1, 3), rng.randint(1, 3)))
    keys, responses = literal_sides(key, response)
    paths = write(conll(*key), "key"), write(conll(*response), "response")
    result = quiet(metric.score_files, *paths, duplicates="conll", details=True)
    for name, literal in LITERAL.items():
        (found, kept), (possible, given) = literal(keys, responses)
        assert list(result["totals"]["fractions"][name].values()) == pytest.approx([found, possible, kept, given]), name
    compared = quiet(compared_files, paths, write(conll(*response[::-1]), "other"))
    explained = quiet(metric.explain_score, *paths, f"{result['ceafe_f1']:.9f}", measure="ceafe", most=100)
    assert compared["b3_f1_a"] == pytest.approx(result["b3_f1"]) and explained["found"]


def compared_files(paths, other):
    """What the command's --compare gives, of two documents that are the same."""
    options = FileOptions(duplicates="conll", measures=["b3"], n_resamples=1)
    pairs, others = (read_pairs(paths[0], response, options) * 2 for response in (paths[1], other))
    return compare_pairs(pairs, others, options)


@pytest.mark.parametrize("case", table("conll_scorer"))
def test_what_the_conll_scorer_printed_where_the_key_repeats(metric, write, case):
    """Columns, and what reference-coreference-scorers 8.01 printed of each measure: found, possible, kept, given."""
    paths = [write(conll(*case[side].split()), side) for side in ("key", "response")]
    fractions = quiet(metric.score_files, *paths, duplicates="conll", details=True)["totals"]["fractions"]
    for name in LITERAL:
        assert list(fractions[name].values()) == pytest.approx(case[name], abs=1e-9), name


def quiet(function, *args, **options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return function(*args, **options)


@needs_shared
def test_what_the_conll_scorer_gave(metric, write):
    for case in json.loads((SHARED / "duplicates" / "perl.json").read_text(encoding="utf-8")):
        paths = write(conll(*case["key"]), "key"), write(conll(*case["response"]), "response")
        scores = quiet(metric.score_files, *paths, duplicates="conll")
        for name, expected in case["perl"].items():
            assert [scores[f"{name}_recall"], scores[f"{name}_precision"]] == pytest.approx(expected, abs=1e-9), name
    paths = SHARED / "duplicates" / "dup2.key", SHARED / "duplicates" / "dup2.resp"
    assert quiet(metric.score_files, *paths, duplicates="conll")["muc_f1"] == 1.0


def test_a_key_with_a_repeated_mention_is_scored_with_a_warning(metric, write):
    """As that of CoNLL-2012's development set: the annotators' doing, not the response's."""
    key = write(conll("(16)|(48)", "(16)", "(48)", "(48)"), "key")
    response = write(conll("(1)", "(2)", "(1)", "(1)"), "response")
    message = r"the key has 1 mentions in several entities: 'word' in '16' and '48' \(.*key:1: document '\(d\); part"
    with pytest.warns(UserWarning, match=message):
        scores = metric.score_files(key, response, details=True)
    assert (scores["muc_recall"], scores["muc_precision"]) == (2 / 3, 1.0)  # the program's: found in 48, missed in 16
    assert "|duplicates:conll_in_key|" in scores["signature"]
    with pytest.warns(UserWarning) as caught:
        itself = metric.score_files(key, key)  # what the key repeats, a response may
    assert sorted(str(each.message).split(": ")[1][:8] for each in caught) == ["left out", "the key "]
    assert (itself["muc_recall"], itself["muc_precision"]) == (1 / 3, 1 / 2)  # the program's own numbers
    other = write(conll("(1)", "(1)|(2)", "(2)", "(2)"), "other")
    with pytest.raises(ValueError, match="found the mention 'word' in entity .*or duplicates=\"conll\""):
        metric.score_files(key, other)


# ---- Nothing silent ----


TEN = [f"w{i}" for i in range(10)]
KEY = system(TEN, [[[0, 1], [3, 3], [5, 6]], [[2, 2], [7, 9]]])


@pytest.mark.parametrize(
    ("response", "message"),
    [
        ([], r"found no mention in the response .*response, and 5 in the key: is it the right file"),
        ([[[0, 2], [3, 4], [5, 7]], [[2, 3]]], "0 of the response's 4 mentions in the key, and 4 if their ends were"),
        ([[[1, 2], [4, 4]], [[6, 7]]], "0 of the response's 3 mentions in the key, and 3 if their positions were"),
        ([[[1, 1], [4, 4]]], r"key and response have in common, such as 'w0 w1' \(0-1\) in the key and 'w1'"),
    ],
)
def test_odd_responses_are_announced(metric, write, response, message):
    with pytest.warns(UserWarning, match=message):
        metric.score_files(write(KEY, "key"), write(system(TEN, response), "response"))


def test_a_key_without_mentions_is_announced(metric, write):
    with pytest.warns(UserWarning, match=r"found no mention in the key .*empty, and 5 in the response"):
        metric.score_files(write(system(TEN, []), "empty"), write(KEY, "response"))


def test_bare_numbers_are_announced(metric, write):
    with pytest.warns(UserWarning, match=r"found 2 bare numbers such as '0' and no mention, expected '\(0\)'"):
        metric.read_conll(write(conll("0", "-", "0"), "response"))


def test_nothing_is_said_of_a_response_that_is_merely_bad(metric, write):
    response = system(TEN, [[[0, 1], [4, 4]], [[2, 2], [8, 9]]])
    metric.score_files(write(KEY, "key"), write(response, "response"))

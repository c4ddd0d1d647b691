"""Forms of input, and what is refused with which message."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

KEY = [["a", "b"], ["c"]]


class Column:
    """A column as polars has it: no list, with columns as items."""

    def __init__(self, *items):
        self.items = items

    def __iter__(self):
        return iter(self.items)

    def to_list(self):
        return [item.to_list() if isinstance(item, Column) else item for item in self.items]


def test_strings_integers_and_pairs_give_the_same_scores(score):
    names = {"a": 0, "b": 1, "c": 2, "d": 3}
    key, response = [["a", "b"], ["c", "d"]], [["a"], ["b", "c", "d"]]
    expected = score(key, response)

    def renamed(side, form):
        return [[form(names[m]) for m in cluster] for cluster in side]

    forms = [lambda n: n, lambda n: [n, n + 3], lambda n: (n, n + 3), np.int64, lambda n: [np.int32(n), np.int64(n)]]
    for form in forms:
        assert score(renamed(key, form), renamed(response, form)) == pytest.approx(expected)
    assert score(renamed(key, lambda n: [n, n]), renamed(response, lambda n: (n, n))) == pytest.approx(expected)


def test_arrays_tuples_and_sets_are_clusters(score):
    expected = score([[1, 2], [3, 4]], [[1], [2, 3, 4]])
    assert score(([1, 2], (3, 4)), [{1}, frozenset({2, 3, 4})]) == expected
    assert score(np.array([[1, 2], [3, 4]]), [np.array([1]), np.array([2, 3, 4])]) == expected
    pairs = [np.array([[0, 1], [2, 3]])], [[(0, 1), (2, 3)]]
    assert score(*pairs)["b3_f1"] == 1.0
    assert score(Column(Column(1, 2), Column(3, 4)), Column(Column(1), Column(2, 3, 4))) == expected


def test_mentions_are_told_apart(score):
    """Different mentions never become the same string."""
    assert score([[[1, 23]]], [[[12, 3]]])["mention_f1"] == 0.0
    assert score([["1", "01", " 1", ""]], [["1"]])["mention_recall"] == pytest.approx(1 / 4)


def test_text_is_data(score):
    nasty = ["", " ", "[0, 1]", "{x}", "None", "nan", "\x00", "\n", "é", "e\u0301", "<|im_end|>"]
    nasty += ["😀" * 1000, "a" * 10_000]
    assert score([nasty], [nasty])["b3_f1"] == 1.0


def test_iterators_are_accepted(metric):
    assert metric.compute(predictions=iter([KEY]), references=iter([KEY]))["b3_f1"] == 1.0


@pytest.mark.parametrize(
    ("document", "message"),
    [
        ([["a"], []], r"predictions\[1\], cluster 1: found an empty cluster"),
        ([["a", "b"], ["b"]], r"predictions\[1\]: found the mention 'b' in clusters \[0, 1\]"),
        ([["a", "a"]], r"predictions\[1\]: found the mention 'a' in clusters \[0, 0\]"),
        ([[[0, 1]], [(0, 1)]], r"predictions\[1\]: found the mention '\[0, 1\]' in clusters \[0, 1\]"),
        ([["a", 1]], r"predictions\[1\], cluster 0: found mixed mention types: int 1 is an integer"),
        ([[1, [1, 2]]], r"predictions\[1\], cluster 0: found mixed mention types"),
        ([["a", None]], r"predictions\[1\], cluster 0: found the mention NoneType None"),
        ([["a", 1.5]], r"cluster 0: found the mention float 1.5"),
        ([[True]], r"cluster 0: found the mention bool True"),
        ([[[1, 2, 3]]], r"cluster 0: found the mention list \[1, 2, 3\]"),
        ([[[1, "2"]]], r"found the mention list"),
        ([[np.str_("a"), "\ud800"]], r"cluster 0: found the mention '\\ud800'"),
        ([["a", "\ud800"]], r"cluster 0: found the mention '\\ud800', which has a lone surrogate"),
        (["ab"], r"predictions\[1\], cluster 0: found str 'ab', expected a list of mentions"),
        ([1, 2], r"predictions\[1\], cluster 0: found int 1, expected a list of mentions"),
        ([None], r"predictions\[1\], cluster 0: found NoneType None"),
        ("ab", r"predictions\[1\]: found str 'ab', expected a list of clusters"),
        (None, r"predictions\[1\]: found NoneType None, expected a list of clusters"),
        ({"a": 1}, r"predictions\[1\]: found dict"),
        ([[1, 2]], r"document 1: found mixed mention types: each mention is an integer in predictions and a string"),
    ],
)
def test_bad_documents_are_named(metric, document, message):
    with pytest.raises(ValueError, match="^muc_b3_ceaf_entropy: .*" + message):
        metric.compute(predictions=[KEY, document], references=[KEY, KEY])
    # Nothing of the refused call is left behind.
    assert metric.compute(predictions=[KEY], references=[KEY])["b3_f1"] == 1.0


def test_errors_count_documents_from_the_first_one_added(metric):
    metric.add_batch(predictions=[KEY, KEY], references=[KEY, KEY])
    metric.add(prediction=KEY, reference=KEY)
    with pytest.raises(ValueError, match=r"predictions\[4\]: found the mention 'a'"):
        metric.add_batch(predictions=[KEY, [["a", "a"]]], references=[KEY, KEY])
    with pytest.raises(ValueError, match="document 3: found mixed mention types"):
        metric.add(prediction=[[1]], reference=KEY)
    metric.compute()
    with pytest.raises(ValueError, match=r"predictions\[0\]: found the mention 'a'"):
        metric.add(prediction=[["a", "a"]], reference=KEY)


@pytest.mark.parametrize(
    ("predictions", "references", "message"),
    [
        ([KEY], [KEY, KEY], "found 1 documents in predictions and 2 in references"),
        ([], [], "found no documents, expected at least one"),
        (None, [KEY], "predictions: found NoneType None"),
        ("abc", [KEY], "predictions: found str 'abc'"),
        ({"a": KEY}, [KEY], "predictions: found dict"),
        (3, [KEY], "predictions: found int 3"),
        ({1, 2}, [KEY, KEY], "predictions: found set"),
        (np.array(5), [KEY], "predictions: found int 5"),
    ],
)
def test_bad_corpora(metric, predictions, references, message):
    with pytest.raises(ValueError, match=message):
        metric.compute(predictions=predictions, references=references)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"measures": ["muc", "f1"]}, "measures: found 'f1', expected one of muc, b3, ceafm"),
        ({"measures": "f1"}, "measures: found 'f1', expected one of muc, b3, ceafm"),
        ({"mentions": "gold"}, "mentions: found 'gold', expected one of raw, union, strict"),
        ({"average": "weighted"}, "average: found 'weighted', expected one of micro, macro"),
        ({"zero_division": 0.5}, "zero_division: found 0.5, expected 0.0, 1.0 or NaN"),
        ({"zero_division": "warn"}, "zero_division: found 'warn'"),
        ({"confidence": 95}, "confidence: found 95, expected a number between 0 and 1"),
        ({"confidence": 0.95, "n_resamples": 0}, "n_resamples: found 0, expected an integer of at least 1"),
        ({"subset": []}, "subset: found 0 lists, expected 1, one for each document"),
        ({"subset": "ab"}, "subset: found str 'ab', expected a list with one entry for each document"),
        ({"subset": [3]}, r"subset\[0\]: found int 3, expected a list of mentions"),
        ({"subset": ["ab"]}, r"subset\[0\]: found str 'ab', expected a list of mentions"),
        ({"subset": [[(0, 1)]]}, r"found mentions such as '\[0, 1\]' \(a pair\), expected .* 'a' \(text\)"),
        ({"subset": [["zzz"]]}, "subset: found mentions such as 'zzz', none of them in its document, expected"),
        ({"measures": []}, r"measures: found \[\], expected a non-empty list"),
        ({"measures": 5}, "measures: found 5, expected a non-empty list"),
        ({"keep_singletons": "False"}, "keep_singletons: found 'False', expected True or False"),
        ({"baselines": None}, "baselines: found None, expected True or False"),
        ({"details": 1}, "details: found 1, expected True or False"),
        ({"seed": -1}, "seed: found -1, expected an integer of at least 0"),
        ({"seed": "a"}, "seed: found 'a'"),
        ({"confidence": True}, "confidence: found True"),
        ({"subset": [[1, "a"]]}, r"subset\[0\]: found mixed mention types"),
    ],
)
def test_bad_options(metric, options, message):
    with pytest.raises(ValueError, match=message):
        metric.compute(predictions=[KEY], references=[KEY], **options)
    assert metric.compute(predictions=[KEY], references=[KEY])["b3_f1"] == 1.0


def test_numpy_numbers_are_numbers(metric):
    options = {"confidence": np.float32(0.9), "n_resamples": np.int64(5), "seed": np.int64(3)}
    options |= {"zero_division": np.float32("nan"), "keep_singletons": np.bool_(True)}
    metric.compute(predictions=[KEY, KEY], references=[KEY, KEY], baselines=True, **options)


def test_strict_names_the_mention(metric):
    lacking, more = [["a", "b"]], [*KEY, ["d"]]
    for response, place in ((lacking, "'c' in references but not in predictions"), (more, "'d' in predictions")):
        with pytest.raises(ValueError, match=f"document 1: found the mention {place}"):
            metric.compute(predictions=[KEY, response], references=[KEY, KEY], mentions="strict")


anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=3) | st.binary(max_size=3),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=2), inner, max_size=2),
    max_leaves=12,
)


@settings(max_examples=300)
@given(anything, anything)
def test_whatever_comes_in_is_scored_or_refused_by_name(metric, prediction, reference):
    try:
        result = metric.compute(predictions=[prediction], references=[reference])
    except ValueError as error:
        assert str(error).startswith("muc_b3_ceaf_entropy: ")
    else:
        assert all(isinstance(value, float) for value in result.values())

"""Bad input gets an error with the index, before the work starts."""

import time
import warnings

import pytest

from metrics.morpheval.verdicts import varying_positions

PAST = {"test": "past", "sources": ["he sleeps", "he slept"]}
PAIR = ["il dort", "il dormait"]
FIVE = {"test": "verb_consistency:tense", "sources": ["a", "b", "c", "d", "e"]}

WRONG = [
    ([PAIR, ["il dort"]], [PAST, PAST], r"predictions\[1\]: found 1 sentences, expected 2 for the test 'past'"),
    ([PAIR, PAIR * 2], [PAST, PAST], r"predictions\[1\]: found 4 sentences, expected 2"),
    ([PAIR], [FIVE], r"predictions\[0\]: found 2 sentences, expected 5 for the test 'verb_consistency:tense'"),
    ([PAIR], [{**PAST, "sources": ["he sleeps"]}], r"references\[0\], sources: found 1 sentences, expected 2"),
    (
        [PAIR, PAIR],
        [PAST, {**PAST, "test": "passé"}],
        r"references\[1\]: found the test 'passé', expected one of past, fut",
    ),
    ([PAIR], [{**PAST, "test": None}], r"references\[0\]: found the test None"),
    ([PAIR], [{**PAST, "sources": ["he sleeps", ""]}], r"references\[0\], sources\[1\]: found a text without words"),
    ([PAIR], [PAST, PAST], r"found 1 predictions and 2 references, expected the same number"),
    ([["il dort", "il \ud800"]], [PAST], r"predictions\[0\]\[1\]: found a lone surrogate"),
    ([PAIR, ["il dort", None]], [PAST, PAST], r"predictions\[1\]\[1\]: found NoneType None, expected a string"),
    ([PAIR, None], [PAST, PAST], r"predictions\[1\]: found NoneType None, expected a list of 2 strings"),
    ([PAIR, {"il dort", "il dormait"}], [PAST, PAST], r"predictions\[1\]: found set"),
    ([PAIR, "il dort"], [PAST, PAST], r"predictions\[1\]: found str 'il dort', expected a list of 2 strings"),
    ([["il dort", 3]], [PAST], r"predictions\[0\]\[1\]: found int 3"),
    ("il dort", [PAST], r"predictions: found str, expected a list"),
    ([PAIR], PAST, r"references: found dict, expected a list"),
    ([PAIR], ["past"], r"references\[0\]: found 'past', expected a dict"),
    ([PAIR], [{"test": "past"}], r"references\[0\]: found .*expected a dict with"),
    ([PAIR], [None], r"references\[0\]: found None"),
    ([PAIR], [{**PAST, "directon": "added"}], r"references\[0\]: found the keys \['directon'\], expected \"test\", "),
    ([PAIR], [{**PAST, "direction": "removed"}], r"references\[0\]: found the direction 'removed'"),
    ([PAIR], [{**PAST, "test": "comparative", "direction": "up"}], r"references\[0\]: found the direction 'up'"),
    (None, [PAST], "predictions: found NoneType"),
]


@pytest.mark.parametrize("predictions, references, message", WRONG)
def test_wrong_groups(metric, lexicon, predictions, references, message):
    with pytest.raises(ValueError, match=f"^morpheval: {message}"):
        metric.compute(predictions=predictions, references=references, lexicon=lexicon)


@pytest.mark.parametrize(
    "options, message",
    [
        ({"mode": "strict"}, "mode: found 'strict', expected one of default, limsi"),
        ({"mode": ["limsi"]}, "mode: found"),
        ({"lexicon": "/nowhere/lefff.mlex"}, "lexicon: found no file '/nowhere/lefff.mlex'"),
        ({"frequencies": "/nowhere"}, "frequencies: found '/nowhere', expected a mapping"),
        ({"frequencies": {"slept": "many"}}, "frequencies: found 'slept': 'many'"),
        ({"frequencies": {"slept": float("nan")}}, "frequencies: found 'slept': nan"),
        ({"frequencies": {"slept": -1}}, "frequencies: found 'slept': -1"),
        ({"lexicon": 3}, "lexicon: found 3"),
        ({"frequencies": [1]}, "frequencies: found"),
    ],
)
def test_wrong_options_lose_none_of_the_groups_added(metric, lexicon, options, message):
    metric.add(prediction=PAIR, reference=PAST)
    with pytest.raises(ValueError, match=f"morpheval: {message}"):
        metric.compute(**{"lexicon": lexicon, **options})
    assert metric.compute(lexicon=lexicon)["past_n"] == 1


def test_the_index_counts_what_was_added_before(metric, lexicon):
    metric.add_batch(predictions=[PAIR, PAIR], references=[PAST, PAST])
    with pytest.raises(ValueError, match=r"predictions\[2\]"):
        metric.add(prediction=["il dort"], reference=PAST)
    assert metric.compute(lexicon=lexicon)["past_n"] == 2


def test_no_groups(metric, lexicon):
    with pytest.raises(ValueError, match="found no groups"):
        metric.compute(lexicon=lexicon)
    with pytest.raises(ValueError, match="found no groups"):
        metric.compute(predictions=[], references=[], lexicon=lexicon)


@pytest.mark.parametrize(
    "result, sizes, message",
    [
        ({"past": 0.5}, [0], "sizes: found 0"),
        ({"past": 0.5}, ["100"], "sizes: found '100'"),
        (None, [100], "result: found None"),
        ({"accuracy": 0.5}, [100], "found no test in the result"),
        ({"past": 76.8}, [100], "past: found 76.8, expected an accuracy from 0 to 1"),
        ({"verb_consistency:tense": 0.1}, [100], "found no verb_consistency:tense_n"),
    ],
)
def test_significance(metric, result, sizes, message):
    with pytest.raises(ValueError, match=f"morpheval: {message}"):
        metric.significance(result, sizes)


def test_text_is_data(compute):
    """Nothing in a sentence is markup, a template or a pattern."""
    hostile = ("il dort {0.form} %s <b> \\d+ {", "il dormait {0.form} %s <b> \\d+ {")
    result = compute(("past", *hostile), details=True)
    assert result["verdicts"] == ["pass"]
    assert compute(("past", "il dort", "il {0.form}"), details=True)["verdicts"] == ["rejected"]


def test_sources_that_are_the_same_are_warned_of(metric, lexicon):
    same = {**PAST, "sources": ["he goes", " he  goes"]}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        metric.compute(predictions=[PAIR], references=[PAST], lexicon=lexicon)
    with pytest.warns(UserWarning, match=r"1 of 2 groups have the same sentence .*\(references\[1\] is the first\)"):
        metric.compute(predictions=[PAIR] * 2, references=[PAST, same], lexicon=lexicon)


def test_long_sentences_take_no_longer_for_each_word():
    words = [f"w{i}" for i in range(8000)]
    start = time.process_time()
    found = varying_positions([[*words, *words, *words], [*words, *words], [*words, *words, "new"]])
    assert time.process_time() - start < 2  # a minute, if every word is counted by itself
    assert list(map(len, found)) == [24000, 0, 1]

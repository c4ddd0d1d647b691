"""Bad input gets an error that names the metric, the place, what was found and what was expected."""

import json
import re

import numpy as np
import pandas
import pytest

from metrics.melasss.scoring import check_examples

from .models import GOOD, HARBOUR, articles


class Judge:
    """What a judge has to have."""

    name = "judge"
    answer_log_probs = generate = print


BAD_PAIRS = [
    ([GOOD], [""], "references[0]: found '', expected a text with at least one word"),
    ([GOOD] * 2, [HARBOUR, "..."], "references[1]: found '...', expected a text with at least one word"),
    ([GOOD, None], [HARBOUR] * 2, "predictions[1]: found NoneType None, expected a string or a list of sentences"),
    ([GOOD], [3.5], "references[0]: found float 3.5, expected a string or a list of sentences"),
    ([GOOD], [b"text"], "references[0]: found bytes b'text', expected a string or a list of sentences"),
    ([GOOD], [{"text": HARBOUR}], "references[0]: found dict"),
    ([GOOD], [HARBOUR] * 2, "found 1 predictions and 2 references, expected the same number"),
    (GOOD, HARBOUR, "predictions: found str, expected a list of texts"),
    (pandas.DataFrame({"summary": [GOOD]}), [HARBOUR], "predictions: found DataFrame, expected a list of texts"),
    (None, [HARBOUR], "predictions: found NoneType, expected a list of texts"),
    ([["One.", None]], [HARBOUR], "predictions[0][1]: found NoneType None, expected a string"),
    ([["One.", " "]], [HARBOUR], "predictions[0][1]: found an empty sentence, expected a sentence of text"),
    ([GOOD], [[]], "references[0]: found [], expected a text with at least one word"),
    ([GOOD], [["...", "-"]], "references[0]: found ['...', '-'], expected a text with at least one word"),
    ([GOOD, ["One."]], [HARBOUR] * 2, "predictions[1]: found list, expected a string, as the first"),
    ([["One."], GOOD], [HARBOUR] * 2, "predictions[1]: found str, expected a list of sentences, as the first"),
    (["a \ud800 b"], [HARBOUR], "predictions[0]: found a lone surrogate in 'a \\ud800 b', expected text"),
    ([], [], "found no examples, expected at least one"),
    ([GOOD], [[HARBOUR, HARBOUR]], "references[0]: found a list of 2 texts of several sentences, expected one text"),
]


@pytest.mark.parametrize("predictions, references, message", BAD_PAIRS, ids=[m[:40] for *_, m in BAD_PAIRS])
def test_examples(metric, predictions, references, message):
    with pytest.raises(ValueError, match=re.escape(f"melasss: {message}")):
        metric.compute(predictions=predictions, references=references)


def test_markup_is_taken_off(metric):
    marked = "<div class='a'><p>" + HARBOUR.replace(". ", ".</p>\n<p>").replace("Brest", "<b>Brest</b>") + "</p></div>"
    both = metric.compute(predictions=[GOOD, f"<p>{GOOD}<br/></p>"], references=[HARBOUR, marked], details=True)
    assert both["scores"][0] == pytest.approx(both["scores"][1], abs=1e-6)
    assert both["text_sentences"][0] == both["text_sentences"][1]
    listed = metric.compute(predictions=[[f"<p>{GOOD}</p>"]], references=[HARBOUR], details=True)
    assert listed["summary_sentences"] == both["summary_sentences"][:1]
    assert check_examples(["2 < 3 and <x> 4 > 1 & 5"], [HARBOUR])[0] == ["2 < 3 and <x> 4 > 1 & 5"]  # no tag


def test_lists_of_tokens_are_texts(metric):
    plain = metric.compute(predictions=[GOOD], references=[HARBOUR], details=True)
    listed = metric.compute(predictions=[GOOD.split()], references=[HARBOUR.split()], details=True)
    assert listed["scores"] == pytest.approx(plain["scores"], abs=1e-6)
    assert listed["text_sentences"] == plain["text_sentences"]


def test_exchanged_sides_are_said(metric):
    with pytest.warns(UserWarning, match="^melasss: 2 of 3 predictions are longer than their references"):
        metric.compute(predictions=[HARBOUR, HARBOUR, GOOD], references=[GOOD, GOOD, HARBOUR])


@pytest.mark.parametrize(
    "text",
    [
        "Гавань Бреста снова открылась в понедельник после шторма. Мэр пообещал деньги рыбакам.",
        "布雷斯特港口周一重新开放。市长承诺向渔民提供资金。暴风雨中没有人受伤。",
        "أعيد فتح ميناء بريست يوم الاثنين بعد العاصفة. وعد رئيس البلدية بالمال.",
    ],
    ids=["Cyrillic", "Chinese", "Arabic"],
)
def test_scripts_that_the_encoder_does_not_know_are_said(metric, text):
    with (
        pytest.warns(UserWarning, match="^melasss: 1 of 2 examples are in a script that the encoder .* hardly knows"),
        pytest.warns(UserWarning, match="^melasss: 1 of 2 texts are neither in English nor in French"),
    ):
        metric.compute(predictions=[GOOD, text[:50]], references=[HARBOUR, text])


def test_a_foreign_word_is_no_foreign_script(metric):
    metric.compute(predictions=["Le port a été rouvert à Brest (Гавань)."], references=[f"Γ {HARBOUR}"])


BAD_OPTIONS = [
    (
        {"similarity": "bert"},
        "similarity: found 'bert', expected one of regression, rouge, attention, transformer, llm",
    ),
    ({"similarity": "attention"}, "head: found None, expected a trained head for similarity 'attention'"),
    ({"similarity": ["rouge"]}, "similarity: found ['rouge'], expected one of"),
    ({"pooling": "max"}, "pooling: found 'max', expected one of None, mean, cls"),
    ({"rewrite": "shorten"}, "rewrite: found 'shorten', expected one of None, simplify, relations"),
    ({"encoder": ""}, "encoder: found '', expected a name on the Hub or a folder"),
    ({"threshold": "high"}, "threshold: found 'high', expected a number"),
    ({"details": 1}, "details: found 1, expected True or False"),
    ({"batch_size": 0}, "batch_size: found 0, expected a positive integer"),
    ({"max_new_tokens": 0}, "max_new_tokens: found 0, expected an integer of at least 1"),
    ({"dtype": "float8"}, "dtype: found 'float8', expected one of auto"),
    ({"model": object()}, "found only one of model and tokenizer, expected both of them or neither"),
    ({"similarity": "llm", "model_id": "/tmp"}, "model_id: found '/tmp', which cannot be loaded"),
    (
        {"similarity": "llm", "model_id": "no/such"},
        "model_id: found 'no/such' neither here nor in the cache, and no way to the Hub",
    ),
    ({"device": "abacus"}, "device: found 'abacus', expected 'auto' or a device"),
    ({"judge": Judge()}, "judge: found <tests.melasss.test_input.Judge"),
    ({"similarity": "llm", "judge": "gpt"}, "judge: found 'gpt', expected an object with a name and the methods"),
    (
        {"similarity": "llm", "judge": Judge(), "model": object(), "tokenizer": object()},
        "found both a live model and a judge, expected either a model or a judge",
    ),
    ({"model": "m", "tokenizer": "t"}, "model: found 'm', which only rewrite and similarity llm use; expected no"),
    ({"similarity": "llm", "encoder": "any"}, "encoder: found 'any', which similarity 'llm' uses only with rewrite"),
    ({"similarity": "llm", "head": object()}, "head: found a head, which similarity 'llm' does not use"),
    ({"similarity": "rouge", "head": object()}, "head: found a head, which similarity 'rouge' does not use"),
    ({"head": "no such/head"}, "head: found 'no such/head', expected a folder or a name on the Hub"),
    ({"head": object()}, "head: found a head for similarity 'object', expected a head for 'regression'"),
    ({"encoder": "nobody/nothing"}, "encoder: found 'nobody/nothing' neither here nor in the cache"),
]


@pytest.mark.parametrize("options, message", BAD_OPTIONS, ids=[f"{'+'.join(o)}: {m[:40]}" for o, m in BAD_OPTIONS])
def test_options(metric, options, message):
    with pytest.raises(ValueError, match=re.escape(f"melasss: {message}")):
        metric.compute(predictions=[GOOD], references=[HARBOUR], **options)


def test_a_head_for_another_width(metric, tiny_bert, tmp_path):
    with pytest.raises(ValueError, match=r"head: found a head for vectors of width 384 .* expected the width 32 of"):
        metric.compute(predictions=[GOOD], references=[HARBOUR], encoder=tiny_bert)
    texts = articles(4)
    head = metric.fit(texts, texts, [1, 2, 3, 4], similarity="attention", encoder=tiny_bert, epochs=1)
    with pytest.raises(ValueError, match=r"head: found a head for similarity 'attention', expected a head for 'reg"):
        metric.compute(predictions=[GOOD], references=[HARBOUR], head=head)
    (tmp_path / "config.json").write_text(json.dumps({"similarity": "sorcery"}))
    with pytest.raises(ValueError, match="which is no head of this metric"):
        metric.compute(predictions=[GOOD], references=[HARBOUR], head=tmp_path)
    head.save_pretrained(tmp_path)
    config = json.loads((tmp_path / "config.json").read_text())
    (tmp_path / "config.json").write_text(json.dumps({**config, "width": 64}))
    with pytest.raises(ValueError, match="which is no head of this metric"):
        metric.compute(predictions=[GOOD], references=[HARBOUR], similarity="attention", head=tmp_path)


BAD_FITS = [
    ({"ratings": [1, 2, 3]}, "found 3 ratings and 4 texts, expected a rating for each text"),
    ({"ratings": [1, 2, None, 4]}, "ratings[2]: found None, expected a finite number"),
    ({"ratings": [1, 2, float("nan"), 4]}, "ratings[2]: found nan, expected a finite number"),
    ({"ratings": [True, False, 1, 2]}, "ratings[0]: found True, expected a finite number"),
    ({"ratings": [2, 2, 2, 2]}, "ratings: found the rating 2 everywhere, expected ratings that differ"),
    ({"ratings": "1234"}, "ratings: found str, expected a list of numbers"),
    ({"rating_range": (1, 3)}, "ratings[3]: found 4, expected a rating in the range 1..3"),
    ({"similarity": "rouge"}, "similarity: found 'rouge', expected one of regression, attention, transformer"),
    ({"aggregation": "sum"}, "aggregation: found 'sum', expected one of max, avg"),
    ({"marked": "yes"}, "marked: found 'yes', expected True or False"),
    ({"texts": [HARBOUR] * 4}, "texts: found only one text, expected at least two different texts"),
    ({"summaries": [GOOD, GOOD, GOOD, ""]}, "summaries[3]: found '', expected a text with at least one word"),
    ({"texts": [HARBOUR]}, "found 4 summaries and 1 texts, expected the same number"),
    ({"seed": -1}, "seed: found -1, expected an integer of at least 0"),
    ({"encoder": None}, "encoder: found None, expected a name on the Hub or a folder"),
    ({"epochs": 0}, "epochs: found 0, expected an integer of at least 1"),
    ({"learning_rate": -1}, "learning_rate: found -1, expected a positive number"),
    ({"rating_range": (3, 3)}, "rating_range: found (3, 3), expected the lowest and the highest rating"),
    ({"rating_range": 5}, "rating_range: found 5, expected the lowest and the highest rating"),
]


@pytest.mark.parametrize("options, message", BAD_FITS, ids=[m[:40] for _, m in BAD_FITS])
def test_fit(metric, options, message):
    texts = [" ".join(text) for text in articles(4)]
    given = {"texts": texts, "summaries": [GOOD] * 4, "ratings": [1, 2, 3, 4], **options}
    with pytest.raises(ValueError, match=re.escape(f"melasss: {message}")):
        metric.fit(**given)


def test_one_string_in_a_list_is_a_text(metric):
    """As in metrics whose references are lists; several strings are sentences."""
    plain = metric.compute(predictions=[GOOD], references=[HARBOUR], details=True)
    for pair in (([GOOD], [[HARBOUR]]), ([[GOOD]], [HARBOUR]), ([[GOOD]], [[HARBOUR]])):
        assert metric.compute(predictions=pair[0], references=pair[1], details=True) == plain
    texts = [" ".join(text) for text in articles(4)]
    given = {"ratings": [1, 2, 3, 4], "summaries": [GOOD] * 4}
    heads = [metric.fit(texts=side, **given) for side in (texts, [[text] for text in texts])]
    assert heads[0].weights == heads[1].weights


def test_added_examples_are_numbered_on(metric):
    metric.add(prediction=GOOD, reference=HARBOUR)
    with pytest.raises(ValueError, match=r"^melasss: references\[2\]: found '', expected a text"):
        metric.add_batch(predictions=[GOOD, GOOD], references=[HARBOUR, ""])
    assert metric.compute()["score"] > 0.3


@pytest.mark.parametrize("form", [np.array, iter, pandas.Series])
def test_arrays_series_and_iterators_are_lists(metric, form):
    result = metric.compute(predictions=form([GOOD]), references=form([HARBOUR]))
    assert result["score"] == pytest.approx(metric.compute(predictions=[GOOD], references=[HARBOUR])["score"], abs=1e-6)

"""What a user of evaluate meets: results, details, order, heads, batches; sentences given or split."""

import json
import warnings

import numpy as np
import pytest
from scipy.special import logit

from metrics.melasss.learn_fit import draw_mismatched
from metrics.melasss.similarities import rouge_weights, weighted_match
from metrics.melasss.terms_pair import Pair
from metrics.melasss.terms_table import ASPECTS
from metrics.melasss.text_sentences import split

from .models import BAD, GOOD, HARBOUR, articles

PAIRS = {"predictions": [GOOD, BAD], "references": [HARBOUR, HARBOUR]}


@pytest.fixture(scope="module")
def heads(metric, tiny_bert):
    """Heads for the tiny encoder, a little trained."""
    texts = [text for text in articles(8) for _ in range(3)]
    summaries = [text[k % 3 : k % 3 + 2] for k, text in enumerate(texts)]
    ratings = [k % 3 for k in range(len(texts))]
    return {
        name: metric.fit(texts, summaries, ratings, similarity=name, encoder=tiny_bert, epochs=2)
        for name in ("regression", "attention", "transformer")
    }


def test_a_good_summary_scores_higher_than_a_bad_one(metric):
    result = metric.compute(**PAIRS)
    assert list(result) == ["score", "melasss"] and result["melasss"] == result["score"]
    good, bad = metric.compute(**PAIRS, details=True)["scores"]
    assert 1 > good > 0.35 > 0.15 > bad > 0


def test_score_is_the_mean_in_any_order_and_company(metric):
    both = metric.compute(**PAIRS, details=True)["scores"]
    turned = metric.compute(predictions=[BAD, GOOD], references=[HARBOUR] * 2, details=True)
    assert turned["scores"] == pytest.approx(both[::-1], abs=1e-6)
    assert turned["score"] == pytest.approx(sum(both) / 2)
    assert metric.compute(predictions=[GOOD], references=[HARBOUR])["score"] == pytest.approx(both[0], abs=1e-6)


def test_many_chunks_keep_the_order(metric, module_of, monkeypatch):
    texts, summaries = [], []
    for i in range(5):
        for text in articles(4):
            texts.append(text)
            summaries.append(text[i : i + 2])
    whole = metric.compute(predictions=summaries, references=texts, details=True)
    monkeypatch.setattr(module_of("text_pairs"), "CHUNK", 3)
    parts = metric.compute(predictions=summaries, references=texts, details=True)
    assert parts["scores"] == pytest.approx(whole["scores"], abs=1e-6)
    assert parts["text_sentences"] == texts and parts["summary_sentences"] == summaries


def test_details(metric, minilm):
    result = metric.compute(**PAIRS, details=True, threshold=0.4)
    text, summary = minilm.sides([split(HARBOUR), split(GOOD)])
    pair = Pair(text, summary)
    assert list(result)[:3] == ["score", "melasss", "scores"]
    assert result["text_sentences"][0] == split(HARBOUR) and result["summary_sentences"][1] == split(BAD)
    np.testing.assert_allclose(result["similarities"][0], pair.cosines, atol=1e-5)
    assert result["text_matches"][0] == [0] * 5 and result["summary_matches"][0] == [int(pair.cosines.argmax())]
    assert result["uncovered"][0] == [i for i in range(5) if max(pair.cosines[i]) < 0.4] and result["uncovered"][0]
    assert result["unsupported"] == [[], [0, 1]]
    embedded = metric.compute(**PAIRS, details=True)
    contributions = [sum(c.values()) for c in embedded["contributions"]]
    difference = logit(embedded["scores"][0]) - logit(embedded["scores"][1])
    assert contributions[0] - contributions[1] == pytest.approx(difference, abs=1e-6)
    json.dumps(result)


def test_rouge(metric, minilm):
    result = metric.compute(**PAIRS, similarity="rouge", details=True)
    text, summary = minilm.sides([split(HARBOUR), split(GOOD)])
    expected = weighted_match(rouge_weights(text.words), Pair(text, summary))
    assert result["scores"][0] == pytest.approx(expected, abs=1e-5)
    assert sum(result["weights"][0]) == pytest.approx(1) and "contributions" not in result


def test_weights_are_each_texts_own(metric):
    other = (
        "Two boats sank. The boats were old. A crane fell on the quay, but nobody was hurt by it in the end. It rained."
    )
    both = metric.compute(predictions=[GOOD, BAD], references=[HARBOUR, other], similarity="rouge", details=True)
    for i, text in enumerate((HARBOUR, other)):
        alone = metric.compute(predictions=[BAD], references=[text], similarity="rouge", details=True)
        assert both["weights"][i] == pytest.approx(alone["weights"][0])


def test_matches_both_ways(metric):
    result = metric.compute(predictions=["A cat slept. " + GOOD], references=[HARBOUR], details=True)
    cosines = np.array(result["similarities"][0])
    assert result["text_matches"][0] == cosines.argmax(axis=1).tolist() and set(result["text_matches"][0]) == {0, 1}
    assert result["summary_matches"][0] == cosines.argmax(axis=0).tolist()


def test_a_head_for_cls_vectors_is_used_with_them(metric, tiny_bert):
    texts = articles(4)
    options = {"similarity": "attention", "encoder": tiny_bert, "epochs": 1}
    head = metric.fit(texts, texts, [1, 2, 3, 4], pooling="cls", **options)
    pair = {"predictions": [texts[0][:2]], "references": [texts[0]], "similarity": "attention", "head": head}
    asked = metric.compute(**pair, pooling="cls")["score"]
    assert metric.compute(**pair)["score"] == asked
    with pytest.warns(UserWarning, match=r"melasss: head: found a head trained on vectors of .* \(cls pooling\)"):
        assert metric.compute(**pair, pooling="mean")["score"] != asked
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        metric.compute(**pair, pooling="mean")
    assert len(caught) == 1


def test_mismatched_summaries_are_of_other_texts(metric, tiny_bert):
    for seed in range(5):
        groups = [np.array([2 * i, 2 * i + 1]) for i in range(6)]
        own, others = draw_mismatched(groups, seed)
        assert own == [0, 2, 4, 6, 8, 10] and sorted(other // 2 for other in others) == list(range(6))
        assert all(other // 2 != i for i, other in enumerate(others))
    draws = {tuple(draw_mismatched(groups, seed)[1]) for seed in (0, 0, 1, 2)}
    assert len(draws) == 3
    texts = [text for text in articles(6) for _ in "ab"]
    options = {"encoder": tiny_bert, "mismatched": True}
    reports = [metric.fit(texts, [t[:2] for t in texts], range(12), **options).report for _ in "ab"]
    assert reports[0] == reports[1] and reports[0]["controls"] == 6


@pytest.mark.parametrize("name", ["regression", "attention", "transformer"])
def test_trained_heads(metric, heads, name):
    text, summary = articles(1, seed=5)[0], articles(1, 2, seed=6)[0]
    pair = {"predictions": [summary], "references": [text], "similarity": name}
    result = metric.compute(**pair, head=heads[name], details=True)
    assert ("weights" in result) is (name == "attention") and ("contributions" in result) is (name == "regression")
    assert heads[name].width == 32 and heads[name].aspect == "relevance"


def test_sentences_given_are_taken_as_they_are(metric):
    sentences = ["The harbour of Brest opened again", "after a storm. Three weeks had passed"]
    given = metric.compute(predictions=[sentences], references=[split(HARBOUR)], details=True)
    assert given["summary_sentences"] == [sentences] and given["text_sentences"] == [split(HARBOUR)]
    mixed = metric.compute(predictions=[sentences], references=[HARBOUR], details=True)
    assert mixed["scores"] == pytest.approx(given["scores"], abs=1e-6)


def test_very_long_sentences_are_not_cut(metric):
    long = "the pilot boat brought ships to Brest and " * 150
    summaries = [long + "nobody was hurt.", long + "a cat slept on the piano."]
    with pytest.warns(UserWarning, match="2 of 2 examples have a text or a summary much longer"):
        result = metric.compute(predictions=summaries, references=[HARBOUR * 30] * 2, details=True)
    assert result["scores"][0] != result["scores"][1] and result["out_of_range"] == 2


def test_headings_are_taken_off_and_counted(metric):
    headed = ["**Summary**\n" + GOOD, GOOD, "Here is a summary of the text:\n\n" + GOOD, "Summary:"]
    with pytest.warns(UserWarning, match="1 of 4 predictions are empty"):
        result = metric.compute(predictions=headed, references=[HARBOUR] * 4, details=True)
    assert len(set(result["scores"][:3])) == 1 and result["scores"][3] == 0
    assert (result["headings"], result["empty_predictions"]) == (3, 1)
    listed = metric.compute(predictions=[["Summary:", GOOD]], references=[HARBOUR], details=True)
    assert listed["scores"] == result["scores"][:1] and listed["headings"] == 1


def test_aspects(metric):
    """Each is its own head and says so; a head of one's own has no others."""
    pairs = {"predictions": [GOOD, BAD], "references": [HARBOUR] * 2, "details": True}
    found = {aspect: metric.compute(**pairs, aspect=aspect) for aspect in ASPECTS}
    assert found["relevance"]["scores"] == metric.compute(**pairs)["scores"] != found["consistency"]["scores"]
    for aspect, result in found.items():
        assert f"|head:{aspect}@" in result["signature"]
        assert result["scores"][0] > result["scores"][1]
        assert tuple(result["contributions"][0]) == ASPECTS[aspect]
    for others in ({"similarity": "rouge"}, {"head": metric.fit(articles(3), [GOOD] * 3, [1, 2, 3])}):
        with pytest.raises(ValueError, match="^melasss: aspect: found 'consistency' and .*, which has no aspects"):
            metric.compute(**pairs, aspect="consistency", **others)


def test_without_details_only_the_beginning_is_encoded(metric, module_of):
    """The score is the same; sentences that no term looks at are not encoded."""
    text = [sentence for i in range(8) for sentence in articles(1, seed=i)[0]]
    encoder = module_of("encoder").load()
    encoder.forget()
    plain = metric.compute(predictions=[text[:2]], references=[text])["score"]
    n_known = len(encoder.known)
    whole = metric.compute(predictions=[text[:2]], references=[text], details=True)
    assert whole["scores"] == pytest.approx([plain], abs=1e-6) and n_known < len(set(text)) == len(encoder.known)
    assert len(whole["similarities"][0]) == len(text)

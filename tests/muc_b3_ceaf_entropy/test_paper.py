"""The figures that the paper prints (tables 2 and 3), in percent and rounded as there."""

import pytest

ALPINE_KEY = [[1, 2], [3, 4, 5], [6, 7, 8, 9, 10, 11, 12], [13, 14, 15, 16, 17]]
ALPINE_RESPONSE = [[1, 2, 6, 7, 8, 9, 10], [3, 4, 5, 11, 12, 13, 14, 15, 16], [17]]
TWO_CLASSES = [[1, 2, 3, 4, 5], [6, 7, 8, 9, 10]]
EXAMPLES = {
    "1": (ALPINE_KEY, ALPINE_RESPONSE),
    "2a": (TWO_CLASSES, [[mention] for mention in range(1, 11)]),
    "2b": (TWO_CLASSES, [list(range(1, 11))]),
}

COLUMNS = (
    "muc_recall muc_precision b3_recall b3_precision core_recall core_precision exclusive_core_recall "
    "exclusive_core_precision entropy_recall entropy_precision muc_f1 b3_f1 kappa core_f1 exclusive_core_f1 entropy_f1"
).split()
TABLES_2_AND_3 = {
    "1": (85, 79, 74, 49, 77, 50, 53, 59, 55, 37, 81, 59, -18, 61, 56, 44),
    "2a": (0, 100, 20, 100, 0, 100, 20, 100, 30, 100, 0, 33, 0, 0, 33, 46),
    "2b": (100, 89, 100, 50, 100, 44, 50, 50, 100, 0, 94, 67, 0, 62, 50, 0),
}
SIZE_OVERLAP = {"1": 13 / 17, "2a": 0.2, "2b": 0.5}  # the paper prints 77 for the first, its own 8/34 makes it 76.47
D_ERROR_SIDE = {"1": -1, "2a": 1, "2b": -1}  # the paper's letter: r (recall) is positive here, p negative


@pytest.mark.parametrize("example", EXAMPLES)
@pytest.mark.parametrize("policy", ["raw", "union", "strict"])
def test_tables_2_and_3(score, example, policy):
    result = score(*EXAMPLES[example], mentions=policy, zero_division=1)
    printed = dict(zip(COLUMNS, TABLES_2_AND_3[example], strict=True))
    assert {column: round(100 * result[column]) for column in COLUMNS} == printed
    assert result["size_overlap"] == pytest.approx(SIZE_OVERLAP[example])
    assert result["d_error"] * D_ERROR_SIDE[example] > 0


def test_example_3c_kappa(score):
    """MUC's sample text: 147 expressions in 15 classes, 50 of them pronouns in 5 classes; pronouns are one class.

    kappa depends only on the numbers of classes and on the links in common: of 97 other expressions in 15 classes
    82 links, of the pronouns 50 - 5.
    """
    key, mention = [], iter(range(147))
    for i in range(15):
        others = [next(mention) for _ in range(7 if i < 7 else 6)]
        key.append((others, [next(mention) for _ in range(10)] if i < 5 else []))
    response = [others for others, _ in key] + [[p for _, pronouns in key for p in pronouns]]
    result = score([others + pronouns for others, pronouns in key], response)
    assert sum(map(len, response)) == 147
    assert round(100 * result["kappa"]) == 66
    assert (round(100 * result["muc_recall"]), round(100 * result["muc_precision"])) == (96, 97)


def test_core_of_the_worked_example(score):
    """Section 4.4.1: three recall errors of 13, seven precision errors of 14; MUC counts two and three."""
    result = score(ALPINE_KEY, ALPINE_RESPONSE)
    assert result["core_recall"] == pytest.approx(10 / 13)
    assert result["core_precision"] == pytest.approx(7 / 14)
    assert result["muc_recall"] == pytest.approx(11 / 13)
    assert result["muc_precision"] == pytest.approx(11 / 14)

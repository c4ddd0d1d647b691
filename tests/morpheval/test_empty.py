"""Translations that are none: empty ones, words left in English, lines of another sentence or language."""

import warnings

import pytest

from metrics.morpheval.contrastive_tests import CONTRASTS

PAIRS = [name for name, contrast in CONTRASTS.items() if contrast.size == 2]
FIVES = [name for name, contrast in CONTRASTS.items() if contrast.size == 5]
ALIKE = ["une grande idée", "une petite idée", "une belle idée", "une bonne idée", "une vieille idée"]


@pytest.fixture
def quietly(compute):
    """Compute without the warning."""

    def quietly(*groups, **options):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return compute(*groups, **options)

    return quietly


@pytest.mark.parametrize("mode", ["default", "limsi"])
@pytest.mark.parametrize("test", PAIRS)
@pytest.mark.parametrize("pair", [("le chat dort", ""), ("", "le chat dort"), ("", ""), (" \n", "le chat dort")])
def test_a_group_with_an_empty_translation_fails(quietly, test, pair, mode):
    result = quietly((test, *pair), details=True, mode=mode)
    verdicts = result["verdicts"][0] if test.startswith("coref") else result["verdicts"]
    reasons = result["reasons"][0] if test.startswith("coref") else result["reasons"]
    if test.startswith("coref") and mode == "default":  # the side that is not empty has no pronoun
        assert [verdict == "fail" for verdict in verdicts] == [not text.strip() for text in pair]
        return
    assert set(verdicts) == {"fail"} and all("is empty" in reason for reason in reasons)
    assert result[test] == 0 and result[f"{test}_rejected"] == 0


@pytest.mark.parametrize("test", ["coref:gender", "coref:number"])
def test_of_coref_the_other_side_is_judged(quietly, test):
    right = "le chat dort, il rêve"
    assert quietly((test, right, ""), (test, "", right), details=True)["verdicts"] == [
        ["pass", "fail"],
        ["fail", "pass"],
    ]
    assert quietly((test, right, ""), details=True, mode="limsi")["verdicts"] == [["fail", "fail"]]


@pytest.mark.parametrize("mode", ["default", "limsi"])
@pytest.mark.parametrize("test", FIVES)
def test_five_empty_translations_are_five_values(quietly, test, mode):
    assert quietly((test, *[""] * 5), mode=mode)[test] == pytest.approx(1.0)


@pytest.mark.parametrize("mode", ["default", "limsi"])
def test_an_empty_translation_agrees_with_no_other(quietly, mode):
    test = "adj_consistency:gender"
    assert quietly((test, *ALIKE), mode=mode)[test] == 0
    one = quietly((test, "", *ALIKE[1:]), mode=mode, details=True)
    assert one[test] == pytest.approx(0.311, abs=5e-4)
    assert one["reasons"] == ["gender: *empty*; *petite*, *belle*, *bonne*, *vieille*"] or mode == "limsi"
    two = quietly((test, "", ALIKE[1], "", *ALIKE[3:]), mode=mode)  # 3 + 1 + 1
    assert two[test] == pytest.approx(0.590, abs=5e-4)


def test_they_are_counted_with_one_warning(compute):
    groups = [("past", "il dort", "il dormait"), ("past", "il dort", ""), ("future", "", " ")]
    with pytest.warns(UserWarning) as caught:
        result = compute(*groups, details=True)
    assert [str(w.message) for w in caught] == ["morpheval: 3 of 6 translations are empty; they count as failed"]
    assert result["empty_predictions"] == 3 and result["past"] == 0.5 and result["future"] == 0
    assert result["tokens"][1:] == [[["il", "dort"], []], [[], []]]
    keys = list(result)
    assert keys.index("average_a") < keys.index("empty_predictions") < keys.index("verdicts")
    assert "empty_predictions" not in compute(groups[0])


# ---- What is left in English, and files that are not of the suite ----


@pytest.mark.parametrize(
    "test, sources, translations, verdict",
    [
        ("past", ["He naps.", "He snoozed."], ["Il dort.", "Il snoozed."], "fail"),
        ("past", ["He naps.", "He snoozed."], ["Il dort.", "Il zzorne."], "rejected"),  # unknown, not the source's
        ("past", ["He naps.", "Snoozed naps."], ["Il dort.", "Snoozed là."], "rejected"),  # a name?
        ("np:number", ["I see them.", "I see mighty huts."], ["Je les vois.", "Je vois des huttes mighty."], "fail"),
        ("pronoun_number", ["I see him.", "I see them."], ["Je le vois.", "Je vois them."], "fail"),
        ("coref:gender", ["The hut is old, it falls.", "The shack is old, it falls."],
         ["La hutte est vieille, elle tombe.", "Le shack est vieux, il tombe."], ["pass", "fail"]),
        ("verb_consistency:tense", ["He naps.", "He rests.", "He snoozes.", "He sleeps.", "He waits."],
         ["Il dort.", "Il repose.", "Il snoozes.", "Il sommeille.", "Il attend."], pytest.approx(0.311, abs=5e-4)),
    ],
)  # fmt: skip
def test_what_is_left_in_english_fails(metric, lexicon, test, sources, translations, verdict):
    references = [{"test": test, "sources": sources}]
    result = metric.compute(predictions=[translations], references=references, lexicon=lexicon, details=True)
    assert result["verdicts"] == [verdict]


VERBS = "dort mange court parle chante danse marche travaille pense rêve".split()
SENTENCES = [f"il {verb} {'très ' * (7 * i % 11)}bien" for i, verb in enumerate(VERBS * 4)]
ENGLISH = [f"he {i} {'very ' * (7 * i % 11)}well" for i in range(40)]
LINES = [line for text in SENTENCES for line in (text, f"{text} et rit")]
SUITE = [{"test": "coord_verb:number", "sources": [text, f"{text} and laughs"]} for text in ENGLISH]


@pytest.mark.parametrize("shift", [0, 1, 2, 7, -1])
def test_a_shifted_file_is_warned_of(metric, lexicon, shift):
    lines = LINES[shift:] + LINES[:shift]
    groups = list(zip(lines[::2], lines[1::2]))
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        metric.compute(predictions=groups, references=SUITE, lexicon=lexicon)
    assert ["in the order of the suite" in str(w.message) for w in caught] == [True] * bool(shift)


def test_the_wrong_language_is_warned_of(metric, lexicon):
    """In the comparison, too; too few words tell nothing."""
    spanish = [["ella trabaja desde ayer", "ella trabajaba mucho desde entonces"]] * 3
    references = [{"test": "past", "sources": ["she works", "she worked"]}] * 3
    message = r"morpheval: \d\d% of the words are not in the lexicon; .* in its language="
    with pytest.warns(UserWarning, match=message):
        metric.compute(predictions=spanish, references=references, lexicon=lexicon)
    with pytest.warns(UserWarning, match=message):
        metric.compare(spanish, spanish, references, lexicon=lexicon, n_resamples=9)
    metric.compute(predictions=spanish[:1], references=references[:1], lexicon=lexicon)

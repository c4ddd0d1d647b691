"""The published suite's pair of files, and files of translations."""

import pytest

SENTS = """he sleeps
he slept
I see him
I see them
he eats
he eats and drinks
I see them
I see crazy researchers
a b
a c
"""
INFO = """1 past
1 past
2 pron_plur
2 pron_plur
3 coordverb:time
3 coordverb:time
4 pron2nouns
4 pron2nouns
5 coref:gender
5 coref:gender
"""


@pytest.fixture
def files(tmp_path):
    def write(sents=SENTS, info=INFO):
        paths = tmp_path / "suite.sents", tmp_path / "suite.info"
        for path, text in zip(paths, (sents, info)):
            path.write_text(text, encoding="utf-8")
        return paths

    return write


def test_published_names_are_understood(metric, files):
    suite = metric.load_suite(*files(SENTS + "\n", INFO + "\n\n"))
    assert [group["test"] for group in suite] == ["past", "pronoun_number", "coord_verb:tense", "np", "coref:gender"]
    assert suite[0] == {"test": "past", "sources": ["he sleeps", "he slept"]}


def test_groups_of_five_and_our_own_names(metric, files):
    five = "\n".join("abcde") + "\n"
    suite = metric.load_suite(*files(five * 2, "7 syns_adj\n" * 5 + "8 verb_consistency:tense\n" * 5))
    assert [group["test"] for group in suite] == ["adj_consistency", "verb_consistency:tense"]
    assert suite[1]["sources"] == list("abcde")


@pytest.mark.parametrize(
    "sents, info, message",
    [
        (SENTS + "one more\n", INFO, "found 11 lines in .*suite.sents and 10 in .*suite.info"),
        (SENTS, INFO.replace("5 coref:gender\n", "", 1), "found 10 lines in .* and 9"),
        (
            SENTS,
            INFO.replace("1 past\n", "1 past\n1 past\n", 1).replace("2 pron_plur\n", "", 1),
            "line 1, group 1: .*found 3",
        ),
        (
            SENTS,
            INFO.replace("pron_plur", "pron_plurl"),
            "line 3, group 2: .*found the test 'pron_plurl'.*is it pron_plur?",
        ),
        (SENTS, INFO.replace("1 past", "1 Past"), "line 1, group 1: found the test 'Past'.*is it past?"),
        (SENTS, INFO.replace("1 past", "1 past_tens"), "line 1, .*found the test 'past_tens'.*is it past?"),
        (SENTS, INFO.replace("coref:gender", "coref:gendre"), "line 9, .*found the test 'coref:gendre'"),
        ("a\nb\n", "1 pron_fem\n1 pron_fem\n", r"found the tests 'pron_fem' \(1\), expected some of past"),
        (
            SENTS,
            INFO.replace("3 coordverb:time", "coordverb:time"),
            "line 5: found 'coordverb:time', expected an ID and the",
        ),
        (SENTS.replace("he slept", ""), INFO, "line 1, group 1: .*found a text without words"),
    ],
)
def test_wrong_suites(metric, files, sents, info, message):
    with pytest.raises(ValueError, match=f"^morpheval: .*{message}"):
        metric.load_suite(*files(sents, info))


def test_an_empty_line_is_an_empty_translation(metric, files, tmp_path):
    suite = metric.load_suite(*files())
    path = tmp_path / "translations.fr"
    path.write_text("une ligne\n" * 3 + " \n" + "une ligne\n" * 6, encoding="utf-8")
    assert metric.load_translations(path, suite)[1] == ["une ligne", ""]


def test_wrong_translations(metric, files, tmp_path):
    suite = metric.load_suite(*files())
    path = tmp_path / "translations.fr"
    path.write_text("une ligne\n" * 9, encoding="utf-8")
    with pytest.raises(ValueError, match="found 9 lines, expected 10"):
        metric.load_translations(path, suite)
    path.write_bytes("été\n".encode("latin-1") * 10)
    with pytest.raises(ValueError, match="not UTF-8"):
        metric.load_translations(path, suite)


OTHERS = ("0 pron_fem\n" * 2, "9 syns_noun\n" * 5, "10 word_order:main\n" * 2)
SOURCES = ("he and she\nshe and he\n", "a\nb\nc\nd\ne\n", "so he\nhe so\n")


def test_tests_of_other_languages_are_left_out_and_so_are_their_lines(metric, files, tmp_path):
    half = SENTS.index("he eats")
    sents = SOURCES[0] + SENTS[:half] + SOURCES[1] + SENTS[half:] + SOURCES[2]
    half = INFO.index("3 coord")
    info = OTHERS[0] + INFO[:half] + OTHERS[1] + INFO[half:] + OTHERS[2]
    with pytest.warns(UserWarning) as caught:
        suite = metric.load_suite(*files(sents, info))
    (warning,) = map(str, (w.message for w in caught))
    assert warning.endswith(
        "3 groups are left out, of tests that are not judged here: 'pron_fem' (1), 'syns_noun' (1), "
        "'word_order:main' (1)"
    )
    alone = metric.load_suite(*files())
    assert suite == alone and alone.skipped == []
    assert suite.skipped == [0, 1, 6, 7, 8, 9, 10, 17, 18]

    lines = [f"ligne {i}" for i in range(19)]
    kept = [line for i, line in enumerate(lines) if i not in suite.skipped]
    path = tmp_path / "system.fr"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    expected = [kept[i : i + 2] for i in range(0, 10, 2)]
    assert metric.load_translations(path, suite) == expected
    path.write_text("\n".join(kept) + "\n", encoding="utf-8")
    assert metric.load_translations(path, suite) == expected
    path.write_text("ligne\n" * 18, encoding="utf-8")
    with pytest.raises(ValueError, match=r"found 18 lines, expected 10 \(with those that were left out 19\)"):
        metric.load_translations(path, suite)

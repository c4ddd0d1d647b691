"""Summaries in ten scripts: good one beats another text's; what knows English or French is left out, and said."""

import json
import unicodedata
from collections import Counter
from pathlib import Path

import pytest

from metrics.melasss.text_languages import ENGLISH, FRENCH, NEUTRAL, language_of
from metrics.melasss.text_sentences import words

from .models import GOOD, HARBOUR

ROWS = [json.loads(line) for line in Path(__file__).with_name("summaries.jsonl").read_text("utf-8").splitlines()]
SCRIPTS = {"zh": "Chinese", "ja": "Japanese"}  # which share signs; others are called as their letters are
LOST = 1  # of the pairs of a script at most


def script_of(row):
    letter = next(filter(str.isalpha, row["text"]))
    return SCRIPTS.get(row["language"], unicodedata.name(letter).split()[0].capitalize())


@pytest.mark.parametrize("aspect", ["relevance", "consistency"])
@pytest.mark.filterwarnings("ignore:melasss")
def test_a_good_summary_beats_one_of_another_text(metric, aspect):
    """Twenty texts in each of seven scripts, five in three; the other text is the next one of the same language."""
    languages = {}
    for row in ROWS:
        languages.setdefault(row["language"], []).append(row)
    others = [other for rows in languages.values() for other in rows[1:] + rows[:1]]
    texts, good, bad = (
        [row[name] for row in rows] for rows, name in ((ROWS, "text"), (ROWS, "summary"), (others, "summary"))
    )
    result = metric.compute(predictions=good + bad, references=texts * 2, aspect=aspect, details=True)
    scores, n, wins = result["scores"], len(ROWS), Counter()
    assert result["language_neutral"] == 2 * n
    for row, one, other in zip(ROWS, scores[:n], scores[n:]):
        wins[script_of(row)] += one > other
    counts = Counter(map(script_of, ROWS))
    assert len(counts) == 10 and sum(count >= 20 for count in counts.values()) == 7
    assert all(wins[script] >= count - LOST for script, count in counts.items()), wins


def test_what_is_left_out_is_said(metric):
    """Once, with a count; an English text beside is read as before, and so is a French one."""
    german, french = next(row for row in ROWS if row["language"] == "de"), "Le maire n'est pas venu. Il a vu la mer."
    texts = [HARBOUR, german["text"], french]
    summaries = [GOOD, "Der Hafen öffnete 1987 nicht in Brest.", "Il a vu Lyon."]
    with pytest.warns(UserWarning) as caught:
        result = metric.compute(predictions=summaries, references=texts, aspect="consistency", details=True)
    [message] = [str(each.message) for each in caught]
    assert message.startswith("melasss: 1 of 3 texts are neither in English nor in French by their")
    assert result["language_neutral"] == 1
    nothing = {"numbers": [], "names": [], "dates": [], "negations": 0}
    assert [{name: each[name] for name in nothing} for each in result["evidence"][1]] == [nothing]
    assert result["evidence"][2][0]["names"] == ["Lyon"]
    english = metric.compute(predictions=[GOOD], references=[HARBOUR], aspect="consistency")
    assert "language_neutral" not in english and english["score"] == pytest.approx(result["scores"][0], abs=1e-6)


def test_the_text_tells_the_language():
    assert language_of(words(HARBOUR), sure=True) is ENGLISH
    assert language_of(words("Le conseil de la ville n'a pas payé l'eau."), sure=True) is FRENCH
    for row in ROWS:
        assert language_of(words(row["text"]), sure=True) is NEUTRAL, row["text"]
    assert language_of([], sure=True) is ENGLISH and language_of(["boat"]) is ENGLISH


@pytest.mark.parametrize(
    "sentence, expected",
    [
        ("港口12日开放", ["港口", "12", "日开", "开放"]),
        ("배가 왔다", ["배가", "왔다"]),
        ("ท่าเรือ", ["ท่", "่า", "าเ", "เร", "รื", "ือ"]),
        ("हिन्दी में", ["हिन्दी", "में"]),
        ("كِتَاب جديد", ["كِتَاب", "جديد"]),
        ("猫", ["猫"]),
    ],
)
def test_words_of_any_script(sentence, expected):
    """Accents and vowel signs belong to their word; where spaces do not part words, pairs of letters stand for them."""
    assert words(sentence) == expected

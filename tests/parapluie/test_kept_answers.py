"""Kept answers: nothing is asked twice, whatever the order, and a key is all that an answer depends on."""

import math
import sqlite3
import time
from contextlib import closing

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from metrics.parapluie.common_judge import ask
from metrics.parapluie.judge_kept import LOOKED_UP_TOGETHER, Kept

from ..common.test_ask import ANSWERS, NAME, AnyOrderRule, Rule, conversations, judgements


class Counter(AnyOrderRule):
    """Counts what it is asked."""

    def __init__(self):
        self.asked = 0

    def as_completed(self, method, conversations, argument):
        for each in super().as_completed(method, conversations, argument):
            self.asked += 1
            yield each


def judged(texts, path):
    """The judgements on texts, and how many the judge was asked for."""
    judge = Counter()
    with closing(Kept(judge, path)) as kept:
        return ask(kept, "answer_log_probs", conversations(texts), ANSWERS, NAME, "score"), judge.asked


@pytest.fixture
def path(tmp_path):
    return str(tmp_path / "kept.sqlite")


@given(st.lists(st.text("ab", max_size=5), max_size=12), st.sets(st.text("ab", max_size=5)))
@settings(max_examples=30, deadline=None)
def test_every_question_gets_its_answer(tmp_path_factory, texts, before):
    """Whatever the order of the judge's answers, and what is known from an earlier run."""
    path = str(tmp_path_factory.mktemp("kept") / "scores.sqlite")
    judged(sorted(before), path)
    found, asked = judged(texts, path)
    assert found == judgements(texts)
    assert asked == sum(text not in before for text in texts)
    assert judged(texts, path) == (found, 0)


def test_more_than_are_looked_up_together(path):
    texts = [f"{i}" for i in range(2 * LOOKED_UP_TOGETHER + 1)]
    judged(texts[1:], path)
    assert judged(texts, path) == (judgements(texts), 1)


def test_texts_and_scores_are_kept_apart(path):
    judge, texts = Counter(), conversations(["hello", "a", ""])
    with closing(Kept(judge, path)) as kept:
        for limit, expected in ((2, ["he", "a", ""]), (3, ["hel", "a", ""]), (2, ["he", "a", ""])):
            assert ask(kept, "generate", texts, limit, NAME, "text") == expected  # the empty text is an answer
        assert judge.asked == 6
        found = ask(kept, "answer_log_probs", texts, ANSWERS, NAME, "score")
        assert found == judgements(["hello", "a", ""]) and judge.asked == 9


def test_what_is_no_number_is_not_kept(path):
    for texts in ("?", "a?"):  # once more, with the rest kept
        with pytest.raises(ValueError, match="found log-likelihoods of"):
            judged(list(texts), path)
    with closing(sqlite3.connect(path)) as connection:
        kept = [value for (value,) in connection.execute("SELECT value FROM results")]
    assert kept in ([], ['[-2.0, -3.0, "yes", false]'])


def test_what_was_kept_before_an_error_stays(path):
    """Each answer is written as it comes; another connection sees it at once."""
    judge, seen = Rule(), []
    with closing(Kept(judge, path)) as kept, closing(sqlite3.connect(path)) as other:
        values = kept.as_completed("answer_log_probs", conversations(["a", "b", "?"]), ANSWERS)
        with pytest.raises(ValueError, match="found log-likelihoods"):
            for _ in values:
                seen += other.execute("SELECT count(*) FROM results").fetchone()
    assert seen == [1, 2]
    assert judged(["a", "b"], path) == (judgements(["a", "b"]), 0)


def test_a_closed_file(path):
    kept = Kept(Rule(), path)
    kept.close()
    with pytest.raises(ValueError, match="^resume: found .*, which is closed .*, expected a judge that is open$"):
        ask(kept, "generate", conversations(["a"]), 2, NAME, "text")


@pytest.mark.parametrize("value", ["NaN", '[NaN, -1.0, "yes"]', "[-1.0]", '"yes"', '[-0.1, -0.1, "yes"]'])
def test_what_was_kept_is_checked_as_well(path, value):
    judged(["a"], path)
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE results SET value = ?", (value,))
    with pytest.raises(ValueError, match="^question 0: found .*, expected"):
        judged(["a"], path)


def test_the_file_is_one_whatever_its_name(tmp_path, monkeypatch):
    """SQLite would keep ":memory:" in memory, and lose it."""
    monkeypatch.chdir(tmp_path)
    assert judged(["a"], ":memory:") == (judgements(["a"]), 1)
    assert judged(["a"], ":memory:") == (judgements(["a"]), 0)
    assert [path.name for path in tmp_path.iterdir()] == [":memory:"]


def test_a_key_is_all_that_an_answer_depends_on(path):
    asked = [
        *conversations(["1", "12", "", "\ud800"]),
        [{"role": "system", "content": "1"}],
        [{"role": "user", "content": "1"}, {"role": "user", "content": "2"}],
        ("1",),
        ("", "1"),
        ("", "1", ""),
    ]
    answers = (("a",), ("b",)), (("a", "b"), ("c",)), (("a",), ("b", "c"))
    cases = [*(("answer_log_probs", each) for each in answers), ("generate", 8), ("generate", 80)]
    keys = []
    for identity in (["model"], ["model", 1], "model"):
        judge = Rule()
        judge.identity = identity
        with closing(Kept(judge, path)) as kept:
            keys += [key for method, argument in cases for key in kept.keys(method, asked, argument)]
    assert len(set(keys)) == len(keys) == 3 * len(cases) * len(asked)
    judge.name = "model"
    del judge.identity  # its name counts then
    with closing(Kept(judge, path)) as kept:
        assert kept.keys("generate", asked, 80) == keys[-len(asked) :]


def test_it_is_the_judge_inside_otherwise(path):
    judge = Rule()
    judge.labels = {0: "no", 1: "yes"}
    with closing(Kept(judge, path)) as kept:
        assert (kept.name, kept.labels) == ("rule", judge.labels) and not hasattr(kept, "prompts")
        answers = kept.answer_log_probs(conversations(["a", "bb"]), ANSWERS)
        assert answers == judgements(["a", "bb"]) and kept.generate(conversations(["abc"]), 2) == ["ab"]
    assert all(map(math.isfinite, answers[0][:2]))


def test_a_file_system_without_shared_memory(path, monkeypatch):
    """There SQLite has no write-ahead log: asking for it fails, and the file is written in the old way."""
    connect = sqlite3.connect

    class Connection(sqlite3.Connection):
        def execute(self, statement, *rest):
            if "WAL" in statement:
                raise sqlite3.OperationalError("disk I/O error")
            return super().execute(statement, *rest)

    monkeypatch.setattr(sqlite3, "connect", lambda *args, **options: connect(*args, **options, factory=Connection))
    assert judged(["a"], path) == (judgements(["a"]), 1)
    with closing(Kept(Rule(), path)) as kept:
        assert kept.connection.execute("PRAGMA journal_mode").fetchone() == ("delete",)
    assert judged(["a"], path) == (judgements(["a"]), 0)


def seconds(n, path=None):
    """CPU seconds of n judgements; the least of two runs, each with a new file."""
    asked, best = conversations([f"text number {i}" for i in range(n)]), math.inf
    for run in range(2):
        judge, start = Rule(), time.process_time()
        judge = Kept(judge, f"{path}{run}") if path else judge
        ask(judge, "answer_log_probs", asked, ANSWERS, NAME, "score")
        best = min(best, time.process_time() - start)
    return best


def test_keeping_costs_little(path):
    """At most 100 microseconds for each of 20,000 pairs was asked, and 27 measured; loose here."""
    assert (seconds(3000, path) - seconds(3000)) / 3000 < 200e-6

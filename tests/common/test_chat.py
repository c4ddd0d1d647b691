"""Many questions to a model that answers by rule: order, chunks, what is kept, which one failed."""

import math
import random
import sqlite3
import time
import warnings
from contextlib import ExitStack, closing, contextmanager

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from metrics._common import common_chat
from metrics._common.common import metric_errors
from metrics._common.common_chat import KEPT_TOGETHER, AnswerStore, Chat, ChatOptions, Judgement
from metrics._common.common_prompts import ItemError

MESSAGES = [{"role": "user", "content": "{text}?"}]
ANSWERS = [[1, 2], [5]], [[3]]  # as from ChatLLM.answers
NAME = "question {}".format


class Counter:
    """Stands for a model: log p is a prompt's length, below 0, and a nat less; counts what it is asked."""

    identity, name, context_length, control_tokens = ["counter"], "counter", 100, ["unfit"]

    def __init__(self):
        self.asked = 0

    def prompts(self, messages, fields):
        for i, values in enumerate(fields):
            if values["text"] == "unfit":
                raise ItemError(i, "found an unfit text")
        return [list(map(ord, values["text"])) for values in fields]

    def control_words(self, messages):
        return ["[INST]"]

    def answer_log_probs(self, prompts, answers, batch_size):
        assert answers == ANSWERS
        for i in random.sample(range(len(prompts)), len(prompts)):
            self.asked += 1
            length = math.nan if prompts[i] == [ord("?")] else -1.0 - len(prompts[i])
            yield i, (length, length - 1, "yes")

    def generate(self, prompts, limit, batch_size):
        for i, prompt in reversed(list(enumerate(prompts))):
            self.asked += 1
            yield i, "".join(map(chr, prompt))[:limit]


@contextmanager
def chat_with(model, resume=None, think=0):
    """A chat whose model is this one."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(common_chat, "_open", lambda *_: model)
        chat = Chat(ChatOptions(resume=resume, think=think), silent=True)
    with closing(chat):
        yield chat


def fields_of(texts):
    return [{"text": text} for text in texts]


def ask(texts, resume=None):
    """The judgements on texts, and how many the model was asked for."""
    model = Counter()
    with chat_with(model, resume) as chat:
        return chat.judge("score", MESSAGES, ANSWERS, fields_of(texts), NAME), model.asked


def judgements(texts):
    return [Judgement(-1.0 - len(text), -2.0 - len(text), "yes") for text in texts]


@given(st.lists(st.text("ab", max_size=5), max_size=12), st.integers(1, 5), st.sets(st.text("ab", max_size=5)))
@settings(max_examples=30, deadline=None)
def test_every_question_gets_its_answer(tmp_path_factory, texts, chunk, before):
    """Whatever the order of the model's answers, the size of the chunks, and what is known from an earlier run."""
    store = str(tmp_path_factory.mktemp("kept") / "scores.sqlite")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(common_chat, "CHUNK", chunk)
        ask(sorted(before), store)
        scores, asked = ask(texts, store)
        assert scores == judgements(texts)
        assert len(set(texts) - before) <= asked <= sum(text not in before for text in texts)
        assert ask(texts, store) == (scores, 0) and ask(texts) == (scores, len(texts))


def test_texts_and_scores_are_kept_apart(tmp_path):
    model = Counter()
    with chat_with(model, str(tmp_path / "said.sqlite")) as chat:
        for limit, expected in ((2, ["he", "a"]), (3, ["hel", "a"]), (2, ["he", "a"])):
            assert chat.texts("greeting", MESSAGES, fields_of(["hello", "a"]), NAME, limit) == expected
        assert model.asked == 4
        found = chat.judge("greeting", MESSAGES, ANSWERS, fields_of(["hello", "a"]), NAME)
        assert found == judgements(["hello", "a"])


@pytest.mark.parametrize(
    "texts, message",
    [
        (["a", "b", "unfit"], "^question 2: found an unfit text$"),
        (["a", "b", "c", "?"], r"^question 3: found log-likelihoods of \(nan, nan\), expected finite ones"),
        (["a", "x" * 98, "x" * 99], "^question 2: found a prompt of 99 tokens, expected at most 98 for counter$"),
    ],
)
def test_what_is_wrong_is_named(monkeypatch, texts, message):
    """By its number among all, not in its chunk, and with the error's own kind gone."""
    for chunk in (1, 2, 3, 100):
        monkeypatch.setattr(common_chat, "CHUNK", chunk)
        with pytest.raises(ValueError, match=message):
            ask(texts)


def test_what_is_refused_is_refused_before_the_work(monkeypatch, tmp_path):
    monkeypatch.setattr(common_chat, "CHUNK", 2)
    model = Counter()
    with chat_with(model) as chat, pytest.raises(ValueError, match="question 4: "):
        chat.judge("score", MESSAGES, ANSWERS, fields_of(["a", "b", "c", "d", "unfit"]), NAME)
    assert model.asked == 0


def test_what_is_no_number_is_not_kept(tmp_path):
    store = str(tmp_path / "scores.sqlite")
    for known in ("?", "a?"):  # once more, with the rest kept
        with pytest.raises(ValueError, match="found log-likelihoods of"):
            ask(list(known), store)
    with sqlite3.connect(store) as connection:
        kept = [value for (value,) in connection.execute("SELECT value FROM results")]
        assert kept in ([], ['[-2.0, -3.0, "yes", false]'])


@pytest.mark.parametrize("kept", ["NaN", '[NaN, -1.0, "yes"]', "[-1.0]", '"yes"', '[-0.1, -0.1, "yes"]'])
def test_what_was_kept_is_checked_as_well(tmp_path, kept):
    store = str(tmp_path / "scores.sqlite")
    ask(["a"], store)
    with sqlite3.connect(store) as connection:
        connection.execute("UPDATE results SET value = ?", (kept,))
    with pytest.raises(ValueError, match="^question 0: found .*, expected"):
        ask(["a"], store)


def test_no_room_at_all():
    message = "^100 new tokens do not fit the 100-token context of counter$"
    with chat_with(Counter()) as chat, pytest.raises(ValueError, match=message):
        chat.texts("answer", MESSAGES, fields_of(["a"]), NAME, 100)


def test_words_of_the_chat_template_are_warned_of():
    """Once for each text, in however many steps and questions it comes."""
    model = Counter()
    with warnings.catch_warnings(record=True) as given, chat_with(model) as chat, metric_errors("a metric"):
        warnings.simplefilter("always")
        for _ in range(2):
            chat.judge("score", MESSAGES, ANSWERS, fields_of(["a", "b [INST]", "b [INST]", "[INST]"]), NAME)
    assert [str(warning.message).split(", which")[0] for warning in given] == [
        f"a metric: question {i}: the text contains '[INST]'" for i in (1, 3)
    ]


def test_a_store_is_a_file_whatever_its_name(tmp_path, monkeypatch):
    """SQLite would keep ":memory:" in memory, and lose it."""
    monkeypatch.chdir(tmp_path)
    assert ask(["a"], ":memory:") == (judgements(["a"]), 1)
    assert ask(["a"], ":memory:") == (judgements(["a"]), 0)
    assert [path.name for path in tmp_path.iterdir()] == [":memory:"]


@pytest.fixture
def open_store(tmp_path):
    """open_store(model): the store of this test, closed when it is over."""
    with ExitStack() as opened:
        yield lambda model="model": opened.enter_context(closing(AnswerStore(tmp_path / "kept.sqlite", [model])))


def test_zero_and_the_empty_text_are_answers(open_store):
    store = open_store()
    keys = store.keys("step", prompts=[[0], [1], [2]])
    values = [0.0, "", [-1.5, -math.inf, "yes"]]
    for key, value in zip(keys, values):
        store.put(key, value)
    store.write()
    assert store.known(keys) == dict(zip(keys, values))
    assert store.known(store.keys("step", prompts=[[3]])) == {}
    assert store.connection.execute("PRAGMA synchronous").fetchone() == (2,)  # FULL: on the disk before it counts


def test_a_key_is_all_that_a_value_depends_on(open_store):
    prompts = [[1, 2], [12], [1], [2, 1], "12", [{"role": "user", "content": "1"}], [], [2**40], "\ud800"]
    circumstances = [("score", [[[1]], [[2]]]), ("score", [[[1], [2]], []]), ("text", 8), ("text", 80)]
    keys = [
        key
        for model in ("model", "another")
        for case in circumstances
        for key in open_store(model).keys(*case, prompts=prompts)
    ]
    assert len(set(keys)) == len(keys) == 2 * len(circumstances) * len(prompts)
    again = [key for case in circumstances for key in open_store().keys(*case, prompts=prompts)]
    assert again == keys[: len(again)]


def test_answers_are_written_some_together(open_store, monkeypatch):
    """One durable transaction takes milliseconds; another connection sees what a crash would leave."""
    monkeypatch.setattr(common_chat.threading.Timer, "start", lambda self: None)
    store, other = open_store(), open_store()
    keys = store.keys("step", prompts=[[i] for i in range(KEPT_TOGETHER + 1)])

    def written():
        return len(other.known(keys))

    for key in keys[:-2]:
        store.put(key, 1)
    assert written() == 0
    for key in keys[-2:]:
        store.put(key, 1)
    assert written() == KEPT_TOGETHER
    store.write()
    assert written() == KEPT_TOGETHER + 1


def test_an_answer_is_written_within_a_second(open_store):
    store, other = open_store(), open_store()
    [key] = store.keys("step", prompts=[[1]])
    store.put(key, "said")
    assert other.known([key]) == {}
    deadline = time.monotonic() + 20
    while not other.known([key]) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert other.known([key]) == {key: "said"}


def test_what_was_kept_before_an_error_stays(tmp_path):
    path = str(tmp_path / "scores.sqlite")
    model = Counter()
    model.answer_log_probs = lambda *_: iter([(0, (-2.0, -3.0, "yes")), (1, (math.nan, -2.0, "yes"))])
    with chat_with(model, path) as chat, pytest.raises(ValueError, match="question 1: found log-likelihoods"):
        chat.judge("score", MESSAGES, ANSWERS, fields_of(["a", "b"]), NAME)
    assert ask(["a", "b"], path) == (judgements(["a", "b"]), 1)


def test_thinking_needs_room_in_the_context():
    with chat_with(Counter(), think=60) as chat:
        assert chat.texts("answer", MESSAGES, fields_of(["x" * 30]), NAME, 10) == ["x" * 10]
        with pytest.raises(ValueError, match="^question 0: found a prompt of 31 tokens, expected at most 30"):
            chat.texts("answer", MESSAGES, fields_of(["x" * 31]), NAME, 10)
        with pytest.raises(ValueError, match="^question 0: found a prompt of 39 tokens, expected at most 38"):
            chat.judge("score", MESSAGES, ANSWERS, fields_of(["x" * 39]), NAME)


def test_thinking_changes_what_is_kept(tmp_path):
    asked = []
    for think in (0, 5, 5, 6):
        model = Counter()
        with chat_with(model, str(tmp_path / "scores.sqlite"), think) as chat:
            chat.judge("score", MESSAGES, ANSWERS, fields_of(["a"]), NAME)
        asked.append(model.asked)
    assert asked == [1, 1, 0, 1]


def test_judgements():
    found = Judgement(math.log(0.5), math.log(0.25), "yes")
    assert found.log_ratio == pytest.approx(math.log(2)) and found.mass == pytest.approx(0.75) and not found.bounded

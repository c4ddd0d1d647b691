"""Many questions to a chat model, with a model that answers by rule: order, chunks, what is kept, whose fault it is."""

import math
import random
import sqlite3
import warnings
from contextlib import closing, contextmanager

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from metrics._common import common_chat
from metrics._common.common import metric_errors
from metrics._common.common_chat import AnswerStore, Chat, ChatOptions
from metrics._common.common_llm import ItemError

MESSAGES = [{"role": "user", "content": "{text}?"}]
TOKENS = [0], [1, 2], [3]  # as from ChatLLM.answers
NAME = "question {}".format


class Counter:
    """Stands for a model: its score is a prompt's length; counts what it is asked."""

    identity, name, context_length = ["counter"], "counter", 100

    def __init__(self):
        self.asked = 0

    def prompts(self, messages, fields):
        for i, values in enumerate(fields):
            if values["text"] == "unfit":
                raise ItemError(i, "found an unfit text")
        return [list(map(ord, values["text"])) for values in fields]

    def control_words(self, messages):
        return ["[INST]"]

    def log_ratios(self, prompts, tokens, batch_size):
        for i in random.sample(range(len(prompts)), len(prompts)):
            self.asked += 1
            yield i, math.nan if prompts[i] == [ord("?")] else float(len(prompts[i]))

    def generate(self, prompts, limit, batch_size):
        for i, prompt in reversed(list(enumerate(prompts))):
            self.asked += 1
            yield i, "".join(map(chr, prompt))[:limit]


@contextmanager
def chat_with(model, resume=None):
    """A chat whose model is this one."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(common_chat, "_open", lambda *_: model)
        chat = Chat(ChatOptions(resume=resume), silent=True)
    with closing(chat):
        yield chat


def fields_of(texts):
    return [{"text": text} for text in texts]


def ask(texts, resume=None):
    """The scores of texts, and how many the model was asked for."""
    model = Counter()
    with chat_with(model, resume) as chat:
        return chat.log_ratios("score", MESSAGES, TOKENS, fields_of(texts), NAME), model.asked


@given(st.lists(st.text("ab", max_size=5), max_size=12), st.integers(1, 5), st.sets(st.text("ab", max_size=5)))
@settings(max_examples=60, deadline=None)
def test_every_question_gets_its_answer(tmp_path_factory, texts, chunk, before):
    """Whatever the order of the model's answers, the size of the chunks, and what is known from an earlier run."""
    store = str(tmp_path_factory.mktemp("kept") / "scores.sqlite")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(common_chat, "CHUNK", chunk)
        ask(sorted(before), store)
        scores, asked = ask(texts, store)
        assert scores == [float(len(text)) for text in texts]
        assert len(set(texts) - before) <= asked <= sum(text not in before for text in texts)
        assert ask(texts, store) == (scores, 0) and ask(texts) == (scores, len(texts))


def test_texts_and_scores_are_kept_apart(tmp_path):
    model = Counter()
    with chat_with(model, str(tmp_path / "said.sqlite")) as chat:
        for limit, expected in ((2, ["he", "a"]), (3, ["hel", "a"]), (2, ["he", "a"])):
            assert chat.texts("greeting", MESSAGES, fields_of(["hello", "a"]), NAME, limit) == expected
        assert model.asked == 4
        assert chat.log_ratios("greeting", MESSAGES, TOKENS, fields_of(["hello", "a"]), NAME) == [5.0, 1.0]


@pytest.mark.parametrize(
    "texts, message",
    [
        (["a", "b", "unfit"], "^question 2: found an unfit text$"),
        (["a", "b", "c", "?"], "^question 3: found the score nan, expected a finite one"),
        (["a", "x" * 97, "x" * 99], "^question 2: found a prompt of 99 tokens, expected at most 97 for counter$"),
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
        chat.log_ratios("score", MESSAGES, TOKENS, fields_of(["a", "b", "c", "d", "unfit"]), NAME)
    assert model.asked == 0


def test_what_is_no_number_is_not_kept(tmp_path):
    store = str(tmp_path / "scores.sqlite")
    for known in ("?", "a?"):  # once more, with the rest kept
        with pytest.raises(ValueError, match="found the score nan"):
            ask(list(known), store)
    with sqlite3.connect(store) as connection:
        assert [value for (value,) in connection.execute("SELECT value FROM results")] in ([], ["1.0"])


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
            chat.log_ratios("score", MESSAGES, TOKENS, fields_of(["a", "b [INST]", "b [INST]", "[INST]"]), NAME)
    assert [str(warning.message).split(", which")[0] for warning in given] == [
        f"a metric: question {i}: the text contains '[INST]'" for i in (1, 3)
    ]


def test_a_store_is_a_file_whatever_its_name(tmp_path, monkeypatch):
    """SQLite would keep ":memory:" in memory, and lose it."""
    monkeypatch.chdir(tmp_path)
    assert ask(["a"], ":memory:") == ([1.0], 1)
    assert ask(["a"], ":memory:") == ([1.0], 0)
    assert [path.name for path in tmp_path.iterdir()] == [":memory:"]


def test_zero_and_the_empty_text_are_answers(tmp_path):
    store = AnswerStore(str(tmp_path / "scores.sqlite"), ["model"])
    for value in (0.0, "", -1.5):
        store.put(store.key("step", value), value)
        assert store.get(store.key("step", value)) == value
    assert store.get(store.key("step", "other")) is None
    assert store.connection.execute("PRAGMA synchronous").fetchone() == (2,)  # FULL: on the disk before it counts
    assert AnswerStore(str(tmp_path / "scores.sqlite"), ["another"]).get(store.key("step", 0.0)) == 0.0
    assert AnswerStore(str(tmp_path / "scores.sqlite"), ["another"]).key("step", 0.0) != store.key("step", 0.0)

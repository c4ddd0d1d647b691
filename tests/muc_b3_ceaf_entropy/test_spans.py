"""Text with brackets, characters, subtokens: mentions that are given in other units than words."""

import json
import warnings

import pytest

from metrics.muc_b3_ceaf_entropy.read_brackets import is_brackets, without_brackets
from metrics.muc_b3_ceaf_entropy.read_spans import text_document

from .conftest import table

WORDS = "`` Ann 's dog barked , '' said the vet . She fed it .".split()
KEY = {"doc_key": "d", "sentences": [WORDS], "clusters": [[[1, 1], [11, 11]], [[1, 3], [13, 13]], [[8, 9]]]}
PLAIN = '"Ann\'s dog barked," said the vet. She fed it.'


@pytest.fixture
def key(write):
    return write(json.dumps(KEY), "key")


# ---- Brackets ----

FORMS = [
    "[{}]#{}", "[{}]{}", "[{}](#{})", "[{}]({})", "[{}]_{}", "[{}]_{{{}}}", "[{}]^{}",
    "[{}]{{{}}}", "[{}]{{#{}}}", "[{}][{}]", "[{}|{}]", "[{} #{}]", "[{}]<sub>{}</sub>",
    "**[{}]**#{}", "[{}] #{}", "[{}](#e{})", "[{}]#entity_{}", "[{}]$_{{{}}}$",
]  # fmt: skip


@pytest.mark.parametrize("form", FORMS)
def test_forms_of_brackets(form):
    inner = form.format("her", 1)
    text, spans, bare = without_brackets(f"{form.format('She', 1)} fed {form.format(inner + ' dog', 2)}.")
    assert text.replace("*", "") == "She fed her dog."
    ids = [entity.removeprefix("entity_").removeprefix("e") for entity, *_ in spans]
    words = [text[begin:end].replace("*", "") for _, begin, end, _ in spans]
    assert (sorted(zip(ids, words)), bare) == ([("1", "She"), ("1", "her"), ("2", "her dog")], [])
    assert is_brackets(f"{form.format('She', 1)} fed")


@pytest.mark.parametrize("marked, text, mentions, bare", table("brackets"))
def test_brackets(marked, text, mentions, bare):
    found, spans, others = without_brackets(marked)
    assert (found, [[entity, found[begin:end]] for entity, begin, end, _ in spans], others) == (text, mentions, bare)


ANSWERS = {
    "plain": "{}",
    "chat": "Sure, here is the text of your document with all of its mentions marked:\n\n{}\n\nAnything else?",
    "fenced": "Here it is.\n\n```text\n{}\n```\n",
    "quoted": "**Result**\n\n> {}",
    "listed": "1. {}\n\n| id | mentions |\n|---|---|\n| 1 | Ann, She |",
    "explained": "I mark each as [mention]#id.\n\n{}",
}


@pytest.mark.filterwarnings("ignore:.*1 mentions of the response are left out, because they stand before")
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("answer", ANSWERS)
def test_answers_of_chat_models(metric, key, write, form, answer):
    ann = form.format("Ann", 1)
    dog, vet, she, it = (form.format(*each) for each in ((f"{ann}’s dog", 2), ("the vet", 3), ("She", 1), ("it", 2)))
    text = ANSWERS[answer].format(f"“{dog} barked,” said {vet}. {she} fed {it}.")
    scores = metric.score_files(key, write(text, "answer.txt"), words="aligned")
    assert scores["conll_f1"] == 1.0


def test_brackets_of_the_same_characters_need_no_option(metric, key, write):
    marked = "`` [[Ann]#1's dog]#2 barked, '' said [the vet]#3. [She]#1 fed [it]#2."
    assert metric.score_files(key, write(marked))["conll_f1"] == 1.0
    message = r"file.txt:1: .*found 'saidthevet.*' after 16 characters .*, expected \",''saidthevet.*words=\"aligned\""
    with pytest.raises(ValueError, match=message):
        metric.score_files(key, write(marked.replace("barked, ''", "barked")))


def test_brackets_without_an_id_are_announced(metric, key, write):
    message = r"took 1 brackets without an entity's id as part of the text, such as '\[sic\]'"
    with pytest.warns(UserWarning, match=message):
        metric.score_files(key, write("[She]#1 [sic] fed [it]#2."), words="aligned")


def test_documents_of_brackets(metric, write):
    texts = ["[Ann]#1 ran.\n[She]#1 fell.", "[He]#2 sat."]
    marked = "".join(f"#begin document (d{i}); part 000\n{text}\n#end document\n" for i, text in enumerate(texts))
    keys = [
        {"doc_key": "d1_0", "sentences": [["He", "sat", "."]], "clusters": [[[0, 0]]]},
        {"doc_key": "d0_0", "sentences": [["Ann", "ran", "."], ["She", "fell", "."]], "clusters": [[[0, 0], [3, 3]]]},
    ]
    path = write("\n".join(map(json.dumps, keys)), "key")
    assert metric.score_files(path, write(marked))["mention_f1"] == 1.0


def test_a_document_without_mentions(metric, write):
    """A system may find none; that a whole file has none is said."""
    key, begin, end = write("[She]#1 fed it.", "key"), "#begin document (d{}); part 000\n", "\n#end document\n"
    with pytest.warns(UserWarning, match=r"found no mention in the response \S*file.txt"):
        result = metric.score_files(key, write("She fed it.", "file.txt"), format="brackets")
    assert result["mention_recall"] == 0.0 and result["mention_precision"] == 0.0
    whole = write("".join(begin.format(i) + text + end for i, text in enumerate(("[She]#1 ran.", "It sat."))), "whole")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert metric.score_files(whole, whole)["mention_f1"] == 1.0


# ---- Characters ----


def spans_of(*words):
    return [[PLAIN.index(word), PLAIN.index(word) + len(word)] for word in words]


CHARACTERS = {"text": PLAIN, "clusters": [spans_of("Ann", "She"), spans_of("Ann's dog", "it."), spans_of("the vet")]}
CHARACTERS["clusters"][1][1][1] -= 1


def test_characters(metric, write):
    words = [word.replace("``", '"').replace("''", '"') for word in WORDS]
    key = write(json.dumps(KEY | {"sentences": [words]}), "key")
    response = write(json.dumps(CHARACTERS), "response")
    assert metric.score_files(key, response)["conll_f1"] == 1.0
    assert metric.score_files(response, key)["conll_f1"] == 1.0
    assert metric.score_files(response, response)["conll_f1"] == 1.0


def test_words_are_cut_where_mentions_begin_and_end():
    document = text_document("Annsdog 北京。\nIt", [("1", 0, 3, 0), ("2", 0, 7, 0), ("3", 8, 9, 0)], "", "f")
    assert document.words == ["Ann", "sdog", "北", "京", "。", "It"]
    assert [mention.positions for mention in document.mentions] == [(0,), (0, 1), (2,)]
    assert document.sentences == [0, 5]

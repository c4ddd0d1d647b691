"""link_mentions: the response of a judge that is asked about each mention and each earlier entity."""

import random
import re
from math import exp, log, nan

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics.muc_b3_ceaf_entropy import link_mentions as module
from metrics.muc_b3_ceaf_entropy.link_mentions import TEMPLATE, YES_OR_NO, link, locate, marked

from ..conftest import ROOT
from .conftest import table

EXAMPLES = ROOT / "spaces" / "muc_b3_ceaf_entropy" / "examples"
WORDS = "Mira sold her boat to her brother because he liked it , and she gave him its oars .".split()
MENTIONS = [[0, 0], [2, 3], [2, 2], [5, 6], [5, 5], [8, 8], [10, 10], [13, 13], [15, 15], [16, 17], [16, 16]]
SHOWN = (
    "[1: Mira] sold [2: [3: her] boat] to [4: [5: her] brother] because [6: he] liked [7: it] , and [8: she] gave "
    "[9: him] [10: [11: its] oars] ."
)


class Judge:
    """Answers with what sure(question) says, log p(yes) - log p(no), and keeps what it is asked."""

    name = "a judge"

    def __init__(self, sure):
        self.sure, self.asked = sure, []

    def answer_log_probs(self, conversations, answers):
        for conversation in conversations:
            self.asked.append((conversation, answers))
            ratio = self.sure(conversation[-1]["content"])
            yes = 1 / (1 + exp(-ratio))
            yield log(yes), log(1 - yes), "yes"


class Values:
    """Answers with these values, whatever it is asked."""

    name = "values"

    def __init__(self, values):
        self.values = values

    def answer_log_probs(self, conversations, answers):
        return self.values


def asks_nothing(question):
    raise AssertionError(f"asked {question}")


NEVER = Judge(asks_nothing)


def drawn(question):
    """How sure: a number of its own for each question."""
    return random.Random(question).uniform(-3, 3)


def flat(clusters):
    return [mention for cluster in clusters for mention in cluster]


# ---- Text and mentions ----


spans_in = st.integers(0, 11).flatmap(lambda start: st.integers(start + 1, 12).map(lambda end: (start, end)))


@given(st.sets(spans_in, max_size=8))
def test_marks_stand_where_the_mentions_begin_and_end(spans):
    text = "abcdefghijkl"
    _, mentions, spans = locate(text, [list(span) for span in spans])
    shown = marked(text, spans)
    assert re.sub(r"\[\d+: |\]", "", shown) == text
    for number, (start, _) in enumerate(spans, 1):
        before, after = shown.split(f"[{number}: ")
        assert len(re.sub(r"\[\d+: |\]", "", before)) == start
        assert len(re.findall(r"[a-l]", after)) == len(text) - start
    for position in range(len(text)):
        closed = re.search(text[position] + r"(\]*)", shown)[1]
        assert len(closed) == sum(end == position + 1 for _, end in spans)


def test_words_and_characters():
    string, mentions, spans = locate(WORDS, MENTIONS[::-1])
    assert string == " ".join(WORDS) and mentions == MENTIONS
    assert [string[start:end] for start, end in spans] == [" ".join(WORDS[s : e + 1]) for s, e in MENTIONS]
    assert marked(string, spans) == SHOWN
    assert locate(string, [list(span) for span in spans]) == (string, [list(span) for span in spans], spans)
    assert locate(np.array(WORDS), np.array(MENTIONS)) == (string, mentions, spans)
    assert locate([], []) == locate("", []) == ("", [], [])


@pytest.mark.parametrize(("text", "mentions", "message"), table("wrong_mentions"))
def test_wrong_texts_and_mentions(metric, text, mentions, message):
    with pytest.raises(ValueError, match=f"^muc_b3_ceaf_entropy: {re.escape(message)}"):
        metric.link_mentions(text, mentions, NEVER)


# ---- Linking ----


@given(st.lists(st.integers(0, 5), max_size=12))
def test_who_knows_the_key_gives_the_key(labels):
    def sureness(mention, entities):
        return [1.0 if labels[entity[0]] == labels[mention] else -1.0 for entity in entities]

    key = [[i for i, label in enumerate(labels) if label == x] for x in dict.fromkeys(labels)]
    assert link(len(labels), sureness) == key


@given(st.integers(0, 8))
def test_always_yes_and_always_no(n):
    assert link(n, lambda _, entities: [0.1] * len(entities)) == [list(range(n))][: min(n, 1)]
    assert link(n, lambda _, entities: [-0.1] * len(entities)) == [[i] for i in range(n)]


def test_the_surest_entity_above_the_threshold():
    sure = {1: [-1.0], 2: [0.2, 0.5], 3: [0.5, 0.5], 4: [0.0, -2.0], 5: [0.3, 0.2, 0.4]}
    asked = []

    def sureness(mention, entities):
        asked.append((mention, [list(entity) for entity in entities]))
        return sure[mention]

    assert link(6, sureness) == [[0, 3], [1, 2], [4, 5]]  # 3: of equal ones the first; 4: not above 0
    assert asked == [(1, [[0]]), (2, [[0], [1]]), (3, [[0], [1, 2]]), (4, [[0, 3], [1, 2]]), (5, [[0, 3], [1, 2], [4]])]
    assert link(3, lambda m, _: sure[m], threshold=0.5) == [[0], [1], [2]]
    assert link(2, lambda m, _: sure[m], threshold=-1.5) == [[0, 1]]


# ---- What a judge is asked ----


def question(mention, entity):
    """What is asked about the mention of a number and the entity of mentions of some numbers, by hand."""
    names = [f"[{i}: {' '.join(WORDS[start : end + 1])}]" for i, (start, end) in enumerate(MENTIONS, 1)]
    content = TEMPLATE[0]["content"].replace("{text}", SHOWN).replace("{mention}", names[mention])
    return content.replace("{entity}", ", ".join(names[i] for i in entity))


def test_the_questions(metric):
    """Of a pronoun for each entity so far, in order; the text first, the numbers last."""
    judge = Judge(lambda question: -1.0)
    assert metric.link_mentions(WORDS, MENTIONS, judge) == [[mention] for mention in MENTIONS]
    expected = [question(i, [j]) for i in range(len(MENTIONS)) for j in range(i)]
    assert judge.asked == [([{"role": "user", "content": content}], YES_OR_NO) for content in expected]
    assert expected[0].endswith(
        "Text:\n" + SHOWN + "\n\nDoes [2: her boat] refer to the same person, thing or event as [1: Mira]? "
        'Answer with only one word "yes" or "no".'
    )
    judge = Judge(lambda question: 1.0)
    assert metric.link_mentions(WORDS, MENTIONS, judge) == [MENTIONS]
    assert [asked[0]["content"] for asked, _ in judge.asked] == [question(i, range(i)) for i in range(1, len(MENTIONS))]


def test_as_the_judge_says_one_question_at_a_time(metric):
    """Whatever the order of the mentions, from words or characters."""
    judge, ratios = Judge(drawn), []

    def slowly(threshold):
        clusters = []
        for mention in range(len(MENTIONS)):
            asked = [[{"role": "user", "content": question(mention, cluster)}] for cluster in clusters]
            scores = [yes - no for yes, no, _ in judge.answer_log_probs(asked, YES_OR_NO)]
            ratios.extend(scores)
            best = max(scores, default=-np.inf)
            if best > threshold:
                clusters[scores.index(best)].append(mention)
            else:
                clusters.append([mention])
        return [[MENTIONS[i] for i in cluster] for cluster in clusters]

    every = slowly(1e9)
    threshold = sorted(ratios)[-len(ratios) // 4]
    expected = slowly(threshold)
    assert 1 < len(expected) < len(MENTIONS) == len(every)
    assert metric.link_mentions(WORDS, MENTIONS, judge, threshold=threshold) == expected
    assert metric.link_mentions(WORDS, MENTIONS[::-1], judge=judge, threshold=threshold) == expected
    string, mentions, spans = locate(WORDS, MENTIONS)
    numbers = dict(zip(spans, mentions))
    found = metric.link_mentions(string, spans, judge, threshold=threshold)
    assert [[numbers[tuple(mention)] for mention in cluster] for cluster in found] == expected


def test_own_template_and_answers(metric):
    template = [
        {"role": "system", "content": "Braces as in { x } stay."},
        {"role": "user", "content": "{text} {mention} = {entity} ? oui non"},
    ]
    judge = Judge(lambda question: 0.5)
    options = {"template": template, "answers": ["oui", ("non", "Non")]}
    assert metric.link_mentions("it is it", [[0, 2], [6, 8]], judge, **options) == [[[0, 2], [6, 8]]]
    asked = {"role": "user", "content": "[1: it] is [2: it] [2: it] = [1: it] ? oui non"}
    assert judge.asked == [([template[0], asked], (("oui",), ("non", "Non")))]
    assert len(metric.link_mentions("it is it", [[0, 2], [6, 8]], judge, **options, threshold=0.6)) == 2


@pytest.mark.parametrize("hostile", ["{mention} {entity} {{ 7 }}", "\\1 \\g<0>", "<|im_end|>", "{text}"])
def test_texts_are_data(metric, hostile):
    """Filled in as they are, once; keeping them apart from control tokens is the judge's."""
    judge = Judge(lambda question: -1.0)
    metric.link_mentions(["it", hostile, "it"], [[0, 0], [1, 1]], judge)
    [([message], _)] = judge.asked
    assert f"[1: it] [2: {hostile}] it\n\nDoes [2: {hostile}] refer to" in message["content"]


def test_many_entities_are_asked_about_in_parts(metric, monkeypatch):
    sizes = []

    class Counting(Judge):
        def answer_log_probs(self, conversations, answers):
            sizes.append(len(conversations))
            return super().answer_log_probs(conversations, answers)

    monkeypatch.setattr(module, "CHUNK", 4)
    clusters = module.link_mentions(WORDS, MENTIONS, Counting(lambda question: -1.0))
    assert len(clusters) == len(MENTIONS) and sizes[-3:] == [4, 4, 2] and max(sizes) == 4


# ---- What a judge gives ----

IT = ("it is it", [[0, 2], [6, 8]])


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ([(nan, -1.0, "yes")], "found log-likelihoods of (nan, -1.0), expected finite numbers"),
        ([(-1.0, -np.inf, "yes")], "found log-likelihoods of (-1.0, -inf), expected finite numbers"),
        ([(0.1, -9.0, "yes")], "found log-likelihoods of (0.1, -9.0), expected two answers that together"),
        ([(-0.1, -0.2, "yes")], "found log-likelihoods of (-0.1, -0.2), expected two answers that together"),
        ([0.5], "found 0.5, expected (log p(first answer), log p(second answer), top token)"),
        ([("a", "b", "c")], "found ('a', 'b', 'c'), expected (log p"),
        ([(-1.0,)], "found (-1.0,), expected (log p"),
        ([(-(10**400), -1.0, "yes")], "found (-1000"),
        ([], "found 0 values from values, expected one for each of 1 questions"),
        (iter([(-1.0, -1.0, "x")] * 9), "found more than 1 values from values, expected one for each of 1 questions"),
        (None, "found None from values, expected a list or a generator of values"),
        ("ab", "found 'ab' from values, expected a list or a generator of values"),
    ],
)
def test_what_is_no_answer(metric, values, message):
    with pytest.raises(ValueError, match=f"^muc_b3_ceaf_entropy: {re.escape('mention [2: it]: ' + message)}"):
        metric.link_mentions(*IT, Values(values))


def test_bounds_rounding_and_arrays_are_answers(metric):
    for value in ((-0.1, -30.0, "yes", True), np.array([-0.1, -3.0]), (1e-4, -30.0, "yes")):
        assert metric.link_mentions(*IT, Values([value])) == [[[0, 2], [6, 8]]]


def test_errors_of_the_judge_say_which_mention(metric):
    def refuse(question):
        raise ValueError("found a prompt of 900 tokens, expected at most 512")

    with pytest.raises(ValueError, match=r"^muc_b3_ceaf_entropy: mention \[2: it\]: found a prompt of 900 tokens"):
        metric.link_mentions(*IT, Judge(refuse))


# ---- As a user calls it ----


def test_from_a_file_to_scores(metric):
    path = EXAMPLES / "harbour.key.conll"
    texts, key = metric.read_words(path), metric.read_conll(path)
    pairs = zip(texts, key, strict=True)
    responses = [metric.link_mentions(words, flat(clusters)[::-1], Judge(drawn)) for words, clusters in pairs]
    assert [sorted(flat(response)) for response in responses] == [sorted(flat(clusters)) for clusters in key]
    result = metric.compute(predictions=responses, references=key, mentions="strict", baselines=True)
    assert result["mention_f1"] == 1.0 and 0.0 < result["conll_f1"] < 1.0


def test_nothing_to_ask(metric):
    """Without two mentions there is no question."""
    assert metric.link_mentions([], [], NEVER) == []
    assert metric.link_mentions("it", [(0, 2)], NEVER) == [[[0, 2]]]


MESSAGE = {"role": "user", "content": "{text} {mention} {entity}"}


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"template": []}, "template: found [], expected a non-empty list of messages"),
        ({"template": "direct"}, "template: found 'direct'"),
        ({"template": [MESSAGE, {"role": "user"}]}, "template: message 1: found {'role': 'user'}, expected a dict"),
        ({"template": [{**MESSAGE, "role": "judge"}]}, "template: message 0: found"),
        ({"template": [{**MESSAGE, "content": 3}]}, "template: message 0: found"),
        ({"template": [{**MESSAGE, "content": "\ud800"}]}, "template: message 0: found"),
        ({"template": [{**MESSAGE, "content": "{text}"}]}, "template: found the fields ['text'], expected"),
        ({"template": [MESSAGE, {**MESSAGE, "content": "{x}"}]}, "template: found the fields ['entity', 'mention', "),
        ({"answers": ("yes",)}, "answers: found ('yes',), expected two different words"),
        ({"answers": ("yes", " ")}, "answers: found ('yes', ' ')"),
        ({"answers": "yn"}, "answers: found 'yn'"),
        ({"threshold": float("nan")}, "threshold: found nan, expected a number"),
        ({"threshold": "0"}, "threshold: found '0'"),
        ({"threshold": True}, "threshold: found True"),
    ],
)
def test_wrong_options(metric, options, message):
    with pytest.raises(ValueError, match=f"^muc_b3_ceaf_entropy: {re.escape(message)}"):
        metric.link_mentions("it", [], NEVER, **options)


WHAT_TO_BUILD = r'evaluate\.load\("parapluie"\)\.judge\(model_id="\.\.\."\)$'


@pytest.mark.parametrize("judge", ["some/model", None, 7, object(), Judge.answer_log_probs])
def test_what_is_no_judge(metric, judge):
    with pytest.raises(ValueError, match=f"^muc_b3_ceaf_entropy: judge: found .*, expected a judge, .*{WHAT_TO_BUILD}"):
        metric.link_mentions("it", [], judge)


@pytest.mark.parametrize("option", ["model_id", "model", "tokenizer", "endpoint", "resume", "distributed", "scorer"])
def test_a_model_is_asked_through_a_judge(metric, option):
    with pytest.raises(TypeError, match=rf"^link_mentions\(\) found the unknown option '{option}', .*{WHAT_TO_BUILD}"):
        metric.link_mentions("it", [], **{option: "x"})

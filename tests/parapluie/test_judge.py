"""judge=: any object that answers conversations, here toys that do it by rule."""

import math
import re

import pytest

SOURCES = [f"source {i}" for i in range(6)]
HYPOTHESES = [f"hypothesis {i}" for i in range(6)]


class Toy:
    """Says of pair i that p("yes") is (i + 1) / 10 and p("no") a tenth of what remains to 1, times 9."""

    name = "toy"

    def __init__(self):
        self.asked = []

    def value(self, i):
        yes = (i + 1) / 10
        return math.log(yes), math.log(0.9 * (1 - yes)), " yes"

    def answer_log_probs(self, conversations, answers):
        self.answers = answers
        for conversation in conversations:
            self.asked.append(conversation)
            yield self.value(int(re.search(r"hypothesis (\d)", str(conversation))[1]))

    def generate(self, conversations, max_new_tokens):
        self.limit = max_new_tokens
        return ["<think>Hm.</think> Yes, surely." for _ in conversations]


@pytest.fixture
def compute(metric):
    def compute(judge, **options):
        options = {"template": "direct", "details": True, **options}
        return metric.compute(predictions=HYPOTHESES, references=SOURCES, judge=judge, **options)

    return compute


def test_the_result_is_made_of_what_the_judge_says(compute):
    toy = Toy()
    result = compute(toy)
    expected = [toy.value(i) for i in range(6)]
    assert result["scores"] == pytest.approx([first - second for first, second, _ in expected])
    assert result["answer_log_probs"] == [[first, second] for first, second, _ in expected]
    assert result["answer_masses"] == pytest.approx([0.1 * (i + 1) + 0.9 * (0.9 - 0.1 * i) for i in range(6)])
    assert result["likeliest"] == [" yes"] * 6
    assert "|model:toy (Toy)" in result["signature"]
    assert toy.answers == (("yes", "Yes"), ("no", "No"))
    assert toy.asked[2][-1] == {"role": "user", "content": 'A: "source 2"; B: "hypothesis 2"'}


def test_bounds_are_counted(compute):
    class Bounding(Toy):
        def value(self, i):
            return *super().value(i), i % 2 == 0

    result = compute(Bounding())
    assert (result["bounded_scores"], result["bounded"]) == (3, [True, False] * 3)
    assert list(result)[:5] == ["score", "parapluie", "paraphrase_rate", "answer_mass", "bounded_scores"]


def test_generated_texts_come_without_thinking(compute):
    toy = Toy()
    result = compute(toy, template="indirect", classify=True, max_new_tokens=9)
    assert result["explanations"] == ["Yes, surely."] * 6 and result["classes"] == [True] * 6
    assert all(conversation[3] == {"role": "assistant", "content": "Yes, surely."} for conversation in toy.asked)


class Nameless(Toy):
    name = property()


class Mute(Toy):
    generate = None


@pytest.mark.parametrize(
    "options, message",
    [
        ({"judge": Nameless()}, "judge: found .*, expected an object with a name and the methods answer_log_probs"),
        ({"judge": Mute()}, "judge: found .*, expected an object with a name and the methods .* and generate"),
        ({"judge": "gpt"}, "judge: found 'gpt', expected an object"),
        ({"judge": Toy(), "endpoint": "http://127.0.0.1:9"}, "more than one of a live model, an endpoint and a"),
        ({"judge": Toy(), "model": 1, "tokenizer": 1}, "more than one of a live model, an endpoint and a judge"),
        ({"judge": Toy(), "think": 100}, "think: found 100 with an endpoint or a judge"),
        ({"judge": Toy(), "chat_template_kwargs": {"a": 1}}, "chat_template_kwargs: found arguments together with a j"),
        ({"endpoint": "http://127.0.0.1:9", "model": 1, "tokenizer": 1}, "more than one of a live model, an endpoint"),
        ({"endpoint": "http://127.0.0.1:9", "think": 64}, "think: found 64 with an endpoint or a judge, wh"),
        ({"endpoint": "http://127.0.0.1:9", "template": "{source}{hypothesis}"}, "template: found plain text together"),
        ({"request": {"seed": 1}}, "request: found fields without an endpoint"),
    ],
)
def test_what_is_no_judge_and_what_does_not_go_with_one(metric, options, message):
    """Refused before any pair is looked at."""
    with pytest.raises(ValueError, match=f"parapluie: .*{message}"):
        metric.compute(predictions=iter(HYPOTHESES), references=iter(SOURCES), **options)
    assert not getattr(options.get("judge"), "asked", [])

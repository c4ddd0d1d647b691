"""Rewriting: what is taken off an answer, which answers are refused, and what a whole run reports."""

import numpy as np
import pytest

from metrics.melasss.rewriting import LEAST_COSINE, PROMPTS, Rewriting, by_sentence, checked, cleaned, failed_checks
from metrics.melasss.terms_pair import Side
from metrics.parapluie.judges import judge as open_judge

from .models import GOOD, HARBOUR

WHALE = (  # the example of the paper's figure 2
    "the whale , named varvara , swam nearly 14,000 miles (22,500 kilometers) . it said the previous record "
    'was set by a humpback whale that swam a mere 10,190-mile round trip between the " warm breeding waters of '
    'the arctic and antarctic regions " .'
)
SIMPLIFIED = (
    "Varvara the whale swam almost 14,000 miles. This is a long way, and it's even more impressive when you "
    "compare it to the previous record set by a humpback whale that traveled 10,190 miles between the Arctic "
    "and Antarctic regions."
)
RELATIONS = (
    "The whale works at Arctic. The whale works at Antarctic. The whale swam nearly 14,000 miles. The whale "
    "swam 22,500 kilometers. The whale said the previous record was set by a humpback whale. The whale was set "
    "by a humpback whale. The whale swam 10,190-mile"
)

ANSWERS = [
    ("The boat sank.\nNobody died.", ["The boat sank.", "Nobody died."]),
    ("Here are the structured entity-relation pairs:\n- The boat sank.\n- It sank.", ["The boat sank.", "It sank."]),
    ("Sure! Here you go:\n\n1. The boat sank.\n2) It was old.", ["The boat sank.", "It was old."]),
    ("Certainly, I can help with that.\n* **The boat sank.**", ["The boat sank."]),
    ("Voici les paires entité-relation structurées :\n• Le bateau a coulé.", ["Le bateau a coulé."]),
    ('Answer: "The boat sank."', ["The boat sank."]),
    ("Simplified sentences:\nThe boat sank. It was old.", ["The boat sank.", "It was old."]),
    ("The boat sank at 5:30. It was old.", ["The boat sank at 5:30.", "It was old."]),
    ("14 boats sank.", ["14 boats sank."]),
    ("Sure enough, the boat sank.", ["Sure enough, the boat sank."]),
    ("<think>Let me see. A boat?</think>\nThe boat sank.", ["The boat sank."]),
    ("", []),
    ("...\n---", []),
]


@pytest.mark.parametrize("answer, sentences", ANSWERS, ids=[a[:20] for a, _ in ANSWERS])
def test_what_is_no_sentence_goes(answer, sentences):
    assert cleaned(answer) == sentences


ORIGINAL = "The pilot boat, which Brest had bought for 20,000 euros, sank on Friday."


@pytest.mark.parametrize(
    "rewriting, fault",
    [
        (["Brest had bought the pilot boat for 20,000 euros.", "The pilot boat sank on Friday."], None),
        (["Brest had bought the pilot boat for 2,000 euros.", "The pilot boat sank on Friday."], "lost number 20,000"),
        (["Brest had bought the pilot boat for 20,000 euros.", "The pilot boat sank."], "lost name friday"),
        (["Brest had bought the boat for 20,000 euros.", "The boat sank on Friday near Lyon."], "new name lyon"),
        (["Brest had bought the boat for 20,000 euros.", "The boat sank on Friday at 9."], "new number 9"),
        ([ORIGINAL, "Maritime accidents frighten worried sailors."], "new words in: Maritime"),
        (["Paris had bought the pilot boat for 20,000 euros.", "The pilot boat sank on Friday."], "lost name brest"),
        (["Brest had bought the pilot boat for 20,000 dollars.", "The boat sank on Friday."], "lost unit 20,000 euros"),
        (["Brest had bought the boat for 20,000 euros on Friday.", "The pilot boat"], "unfinished: The pilot boat"),
        (["Brest paid 20,000 on Friday."], "5 words for 13"),
        (["Brest had not bought the boat for 20,000 euros.", "The boat sank on Friday."], "new negation not"),
        (["Brest had bought the pilot boat for 20,000 million euros.", "It sank on Friday."], "new number million"),
        ([ORIGINAL] * 4, "52 words for 13"),
    ],
)
def test_checks_on_words(rewriting, fault):
    found = failed_checks(ORIGINAL, rewriting, "simplify")
    assert found == [] if fault is None else any(message.startswith(fault) for message in found), found


@pytest.mark.parametrize(
    "original, sentences",
    [
        ("In 1920, won by Brest, the cup was new.", ["The cup was new in 1920.", "Brest won the cup in 1920."]),
        ("Yesterday the ferry sank near Brest.", ["The ferry sank near Brest."]),
        ("The ferry sank near Brest.", ["Near Brest the ferry sank."]),
    ],
    ids=["a comma before what is no unit", "a first word that is no name", "another first word"],
)
def test_what_is_no_fault(original, sentences):
    assert failed_checks(original, sentences, "simplify") == []


def test_a_pronoun_may_be_resolved_from_the_context():
    context = "The regional council of Brest met. It promised 400 euros."
    found = ["The regional council of Brest promised 400 euros."]
    assert failed_checks("It promised 400 euros.", found, "simplify", context) == []
    assert "new name brest" in failed_checks("It promised 400 euros.", found, "simplify")
    lyon = ["Boats of Lyon promised 400 euros."]
    assert "new name lyon" in failed_checks("It promised 400 euros.", lyon, "simplify", context)


@pytest.mark.parametrize(
    "answer, sentences",
    [
        (
            "1. A boat sank.\n1. Brest was near.\n2. The boat was old.",
            [["A boat sank.", "Brest was near."], ["The boat was old."]],
        ),
        ("Here you are:\n\n**2)** The boat was old.\n[1] A boat sank.", [["A boat sank."], ["The boat was old."]]),
        ("1.\n- A boat sank.\n- Brest was near.", [["A boat sank.", "Brest was near."], []]),
        ("<think>1. What?</think>A boat sank.", [[], []]),
        ("1. A boat sank.\n2020. It was calm.", [["A boat sank.", "2020.", "It was calm."], []]),
    ],
)
def test_answers_about_a_document(answer, sentences):
    assert by_sentence(answer, 2) == sentences


def test_a_lost_negation_is_refused_and_another_word_for_it_is_not():
    assert "lost negation not" in failed_checks("Nobody was hurt.", ["Somebody was hurt."], "simplify")
    assert failed_checks("The boat didn't sink.", ["The boat did not sink."], "simplify") == []


def test_the_papers_own_failures_are_refused():
    """Figure 2: kilometres lost, comments added, relations invented."""
    assert "lost number 22,500" in failed_checks(WHALE, cleaned(SIMPLIFIED), "simplify")
    assert "new words in: The whale works at Arctic." in failed_checks(WHALE, cleaned(RELATIONS), "relations")


def test_cosines_both_ways(minilm):
    """Words that pass and a meaning that does not."""
    original = "the keeper praised the cook and the guests thanked the waiter"
    outputs = [
        "the keeper praised the cook. the guests thanked the waiter.",
        "the the and the the the. keeper and and the.",
    ]
    for output, accepted in zip(outputs, (True, False)):
        [result] = checked([Rewriting(original, cleaned(output), [], output)], minilm)
        assert (result.sentences == cleaned(output)) is accepted is not bool(result.failed)
        assert result.sentences == [original] or accepted
        assert (result.original, result.output) == (original, output)
    assert "cosine" in result.failed[0] and 0 < LEAST_COSINE < 1


def test_each_check_on_vectors_by_itself():
    """An encoder whose vectors are given: the cosine of each sentence, and of their mean."""

    class Given:
        def sides(self, texts, tokens):
            assert not tokens
            return [Side(text, np.array([vectors[s] for s in text], np.float32)) for text in texts]

    vectors = {"the boat sank and the crane fell": [1, 0]}
    [original] = vectors
    for angles, accepted in (
        ((0.51, 0.99), True),  # cosines of the two sentences with the original
        ((0.49, 0.99), False),  # one lies too far
        ((0.6, 0.6), False),  # each is near enough, their mean is not
        ((0.75, 0.75), True),
    ):
        vectors |= {"the boat sank.": [angles[0], (1 - angles[0] ** 2) ** 0.5]}
        vectors |= {"the crane fell.": [angles[1], (1 - angles[1] ** 2) ** 0.5]}
        [result] = checked([Rewriting(original, ["the boat sank.", "the crane fell."], [], "")], Given())
        assert bool(result.failed) is not accepted, angles


def test_prompts_have_the_papers_form():
    for unit, last in (("sentence", "Sentence"), ("document", "Text")):
        for mode, prompt in PROMPTS[unit].items():
            parts = [part.split(":")[0] for part in prompt.split("\n\n")]
            assert parts == ["Task", "Instruction", "Definitions", "Example", last], mode


class Parrot:
    """A judge that rewrites what it has a rewriting for, else says something useless."""

    name = "parrot"

    def __init__(self, known):
        self.known, self.asked = known, []

    def answer_log_probs(self, conversations, answers):
        raise NotImplementedError

    def generate(self, conversations, max_new_tokens):
        for [turn] in conversations:
            asked = turn["content"]
            text = asked.rpartition("Text:\n" if "\nText:\n" in asked else "Sentence: ")[2].removesuffix("\nAnswer:")
            self.asked.append(text)
            yield self.known.get(text, "Here is nothing:")


@pytest.fixture
def parrot():
    return Parrot({GOOD: "Here it is:\nThe harbour of Brest opened again after three weeks.\n"
                         "The city promised fishermen 40,000 euros."})  # fmt: skip


def test_a_run_with_rewriting(metric, parrot):
    pairs = {"predictions": [GOOD, GOOD], "references": [HARBOUR, HARBOUR]}
    result = metric.compute(**pairs, rewrite="simplify", judge=parrot, details=True)
    assert (result["rewritten"], result["not_rewritten"]) == (1, 5)
    assert len(parrot.asked) == 6  # each distinct sentence once
    assert result["summary_sentences"][0] == [
        "The harbour of Brest opened again after three weeks.",
        "The city promised fishermen 40,000 euros.",
    ]
    assert len(result["text_sentences"][0]) == 5  # as they were
    assert result["fallbacks"][0]["faults"] == ["no sentence"] and len(result["fallbacks"]) == 5
    expected = metric.compute(predictions=[result["summary_sentences"][0]], references=[HARBOUR])
    assert result["score"] == pytest.approx(expected["score"], abs=1e-6)
    plain = metric.compute(**pairs, rewrite="relations", judge=parrot, similarity="rouge")
    assert list(plain) == ["score", "melasss", "rewritten", "not_rewritten"]


def test_a_whole_document_in_one_call(metric, parrot):
    """One call for each text; a sentence whose rewriting is refused stays, and the others are rewritten."""
    text = "The council of Brest met on Friday, after the storm had closed the harbour. It promised 400 euros."
    text += " Nobody was hurt."
    summary = "The council promised 400 euros."
    numbered = "\n".join(f"{i}. {s}" for i, s in enumerate(metric.split(text), 1))
    parrot.known = {
        numbered: "1. The council of Brest met on Friday.\n1. The storm had closed the harbour.\n"
        "2. The council of Brest promised 400 euros.\n3. Somebody was hurt.",
        f"1. {summary}": f"1. {summary}",
    }
    options = {"rewrite": "simplify", "rewrite_unit": "document", "judge": parrot, "details": True}
    result = metric.compute(predictions=[summary, summary], references=[text, text], **options)
    assert sorted(parrot.asked) == sorted(parrot.known)  # each text once
    assert result["text_sentences"][1] == [
        "The council of Brest met on Friday.",
        "The storm had closed the harbour.",
        "The council of Brest promised 400 euros.",
        "Nobody was hurt.",
    ]
    assert (result["rewritten"], result["not_rewritten"]) == (3, 1)
    [refused] = result["fallbacks"]
    assert refused["sentence"] == "Nobody was hurt." and refused["faults"] == ["lost negation not"]
    apart = metric.compute(predictions=[summary], references=[text], **options | {"rewrite_unit": "sentence"})
    assert apart["text_sentences"][0] == metric.split(text)  # the parrot knows no single sentence


def test_what_was_said_is_kept(metric, parrot, tmp_path):
    """By a judge of parapluie's around the own one; an interrupted run goes on from what came before."""
    pair = {"predictions": [GOOD], "references": [HARBOUR], "rewrite": "simplify"}
    kept = open_judge(judge=parrot, resume=str(tmp_path / "answers.sqlite"))
    first = metric.compute(**pair, judge=kept)
    generate = parrot.generate

    def dying(conversations, limit):
        for n, text in enumerate(generate(conversations, limit)):
            if n == 3:
                raise KeyboardInterrupt
            yield text

    parrot.asked.clear()
    assert metric.compute(**pair, judge=kept) == first and parrot.asked == []
    kept = open_judge(judge=parrot, resume=str(tmp_path / "interrupted.sqlite"))
    parrot.generate = dying
    with pytest.raises(KeyboardInterrupt):
        metric.compute(**pair, judge=kept)
    parrot.generate = generate
    parrot.asked.clear()
    assert metric.compute(**pair, judge=kept) == first and len(parrot.asked) == 3


def test_a_real_model_that_talks_nonsense_changes_nothing(metric, chat_model):
    pair = {"predictions": [GOOD], "references": [HARBOUR]}
    result = metric.compute(**pair, rewrite="simplify", model_id=chat_model, max_new_tokens=8)
    assert (result["rewritten"], result["not_rewritten"]) == (0, 6)
    assert result["score"] == pytest.approx(metric.compute(**pair)["score"], abs=1e-6)


def test_a_sentence_longer_than_the_model_can_read(metric, chat_model):
    options = {"rewrite": "simplify", "model_id": chat_model, "max_new_tokens": 8}
    with pytest.raises(ValueError, match=r"^melasss: sentence '.*: found a prompt of \d+ tokens, expected at most \d+"):
        metric.compute(predictions=["word " * 9000], references=[HARBOUR * 200], **options)

"""The prompts that wrote the third data set, and running them."""

import pytest

from metrics.parapluie.judge_local import LocalModel
from metrics.parapluie.templates import GENERATORS, paraphrase_in

from ..common.judging import conversations, prompt_ids
from ..common.models import TOKENIZERS, tiny_model
from .conftest import DEMO_MODEL
from .test_templates import PAPERS, needs_papers, squeezed

SENTENCES = ["The ferry leaves at noon.", "She lent him the boat {source}.", 'He said "no".']
TURNS = ["user", "assistant", "user"]
ROLES = {"naive": TURNS[:2] + TURNS, "naive_system": ["system", *TURNS], "vulgar": TURNS[:2] + TURNS}


@needs_papers
@pytest.mark.parametrize("style, title", zip(ROLES, ("MISTRAL naive(S)", "LLAMA2 naive(S)", "MISTRAL vulgar(S)")))
def test_generators_are_appendix_a1(style, title):
    """In order; the transcript runs two columns together, so the turns are looked for in its left one."""
    lines = (PAPERS / "parapluie_acl_en.txt").read_text(encoding="utf-8").splitlines()
    cells = [line.split("\t") for line in lines]
    left = [row[1] if row[0].strip().isdigit() and len(row) > 1 else row[0] for row in cells]
    start = next(i for i, line in enumerate(left) if title in line)
    text, position = squeezed("\n".join(left[start + 1 :])), 0
    for message in GENERATORS[style][:-1]:
        content = squeezed(message["content"])
        assert content in text[position:], content
        position = text.index(content, position) + len(content)
    assert GENERATORS[style][-1] == {"role": "user", "content": 'A: "{source}"'}
    assert [message["role"] for message in GENERATORS[style]] == ROLES[style]


@pytest.mark.parametrize(
    "answer, sentence",
    [
        ('B: "The harbour is open."', "The harbour is open."),
        ('B: "The harbour is open." (I kept the meaning.)', "The harbour is open."),
        ('B: "He said "yes" today."\nNote: a quotation.', 'He said "yes" today.'),
        ('\n  "The harbour is open."  ', "The harbour is open."),
        ("B: The harbour is open.", "The harbour is open."),
        ('B: "The harbour is op', "The harbour is op"),
        ('"Open", he said, "at last."', '"Open", he said, "at last."'),
        ("Bread: fresh today.", "Bread: fresh today."),
        ("  \n ", ""),
        ("", ""),
    ],
)
def test_paraphrase_in(answer, sentence):
    assert paraphrase_in(answer) == sentence


@pytest.mark.parametrize("style", ["naive", "vulgar"])
def test_generated_by_the_model_itself(metric, style):
    """The sentences are filled in as they are; what comes back is the model's own greedy answer."""
    tokenizer = TOKENIZERS["llama-3"]()
    model = tiny_model("llama", len(tokenizer))
    found = metric.generate_paraphrases(
        SENTENCES, style=style, model=model, tokenizer=tokenizer, max_new_tokens=12, batch_size=2
    )
    judge, fields = LocalModel(model, tokenizer), [{"source": sentence} for sentence in SENTENCES]
    prompts = prompt_ids(judge.prompts, GENERATORS[style], fields)
    assert all(sentence in tokenizer.decode(ids) for sentence, ids in zip(SENTENCES, prompts))
    expected = judge.generate(conversations(GENERATORS[style], fields), 12)
    assert found == list(map(paraphrase_in, expected)) and any(found)


@pytest.mark.parametrize(
    "arguments, message",
    [
        ({"sentences": "One."}, "sentences: found str .*, expected a list of strings"),
        ({"sentences": []}, "sentences: found no sentence, expected at least one"),
        ({"sentences": ["a", None]}, r"sentences\[1\]: found NoneType None, expected a string"),
        ({"style": "polite"}, "style: found 'polite', expected one of naive, naive_system, vulgar"),
        ({"sentences": ["a", "long " * 5000]}, "sentence 1: found a prompt of .* tokens, expected at most"),
    ],
)
def test_errors(metric, arguments, message):
    with pytest.raises(ValueError, match=f"parapluie: {message}"):
        metric.generate_paraphrases(**{"sentences": SENTENCES, "model_id": DEMO_MODEL, **arguments})

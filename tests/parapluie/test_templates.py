"""The templates are the papers', word for word."""

import re

import pytest

from metrics.parapluie.templates import ENGLISH, FRENCH, OUI_OR_NON, TEMPLATES, conversation, resolve

from ..conftest import ROOT

PAPERS = ROOT.parent / "shared" / "papers"
needs_papers = pytest.mark.skipif(not PAPERS.is_dir(), reason="the papers' texts (../shared/papers) are not here")


def squeezed(text):
    """Text without white space, line numbers, hyphens and quotation marks, which the papers' transcripts move about."""
    text = re.sub(r"^ ?\d{3}(?= |$)", "", text, flags=re.MULTILINE)
    return re.sub(r"[\s\-*«»“”\"]", "", text)


@needs_papers
def test_few_shot_template_is_appendix_a3():
    text = squeezed((PAPERS / "parapluie_acl_en.txt").read_text(encoding="utf-8").split("A.3 Complete few shots")[1])
    contents = [squeezed(message["content"]) for message in TEMPLATES["fs_direct"]]
    position = 0
    for content in contents[:-2]:  # the last answer and the pair itself stand out of order in the transcript
        assert content in text[position:], content
        position = text.index(content, position) + len(content)
    assert [message["content"] for message in TEMPLATES["fs_direct"][3::2]] == ["No", "Yes", "No", "No", "Yes", "No"]
    assert [message["role"] for message in TEMPLATES["fs_direct"]] == ["user", "assistant"] * 7 + ["user"]


@needs_papers
@pytest.mark.parametrize("name", ["direct", "indirect", "exact"])
def test_other_templates_are_section_4_of_the_french_paper(name):
    text = (PAPERS / "parapluie_taln2024_fr.txt").read_text(encoding="utf-8")
    text = squeezed(re.sub(r"\d\. <https://huggingface\S+>", "", text))  # a footnote in the middle of a question
    for message in TEMPLATES[name]:
        content = message["content"]
        if "{" not in content:
            assert squeezed(content) in text, content
    assert [message["role"] for message in TEMPLATES[name]] == (["user", "assistant"] * 3)[: len(TEMPLATES[name])]


def test_every_template_ends_with_what_the_model_is_to_answer():
    pair = 'A: "{source}"; B: "{hypothesis}"'
    assert TEMPLATES["direct"][-1]["content"] == TEMPLATES["fs_direct"][-1]["content"] == pair
    for name in ("indirect", "exact"):
        contents = [message["content"] for message in TEMPLATES[name]]
        assert contents[2:] == [pair, "{explanation}", 'Summarize your answer with only one word "yes" or "no".']


@pytest.mark.parametrize("name", ENGLISH)
def test_french_templates_are_built_as_the_english_ones(name):
    french = TEMPLATES[f"{name}_fr"]
    assert [message["role"] for message in french] == [message["role"] for message in ENGLISH[name]]
    answers = {"Yes": "Oui", "No": "Non"}
    for own, other in zip(french, ENGLISH[name]):
        assert answers.get(other["content"], own["content"]) == own["content"]
        assert re.findall(r"{\w+}", own["content"]) == re.findall(r"{\w+}", other["content"])
    assert resolve(f"{name}_fr").answers == OUI_OR_NON and resolve(name).answers == (("yes", "Yes"), ("no", "No"))


def test_french_pairs_are_quoted_as_french_is():
    asked = conversation(FRENCH["direct_fr"], {"source": "Il pleut.", "hypothesis": "La pluie tombe."})
    assert asked[-1] == {"role": "user", "content": "A : « Il pleut. » ; B : « La pluie tombe. »"}
    assert all("« oui » ou « non »" in messages[i]["content"] for messages, i in (
        (FRENCH["direct_fr"], 0), (FRENCH["fs_direct_fr"], 0), (FRENCH["indirect_fr"], -1), (FRENCH["exact_fr"], -1),
    ))  # fmt: skip

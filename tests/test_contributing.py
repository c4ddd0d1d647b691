"""The changes that CONTRIBUTING.md shows, made in a copy of the metrics and computed with."""

import re
import shutil

import evaluate
import pytest

from metrics.parapluie.templates import ONE_WORD

from .conftest import ROOT
from .melasss.models import save_bert

PAGE = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
DEMO_MODEL = str(ROOT / "spaces" / "parapluie" / "demo_model")
LEXICON = (
    "canta\tv\tcantare\tP3s\nva\tv\tandare\tP3s\nha\tv\tavere\tP3s\ncantato\tv\tcantare\tKms\n"
    "è\tv\tessere\tP3s\nandata\tv\tandare\tKfs\ncantata\tv\tcantare\tKfs\n"
)


def change(root, diff):
    """Apply a diff of the page: + lines go below the line above them, or in place of a - line."""
    for part in re.split(r"^\+\+\+ ", diff, flags=re.M)[1:]:
        name, *lines = part.splitlines()
        file, place = root / name, -1
        old = file.read_text(encoding="utf-8").splitlines() if file.exists() else []
        for line in lines:
            sign, text = line[:1], line[1:]
            if sign == "+":
                place += 1
                old.insert(place, text)
                continue
            assert old.count(text) == 1, f"{name}: found {text!r} {old.count(text)} times"
            place = old.index(text)
            if sign == "-":
                del old[place]
                place -= 1
        file.write_text("\n".join(old) + "\n", encoding="utf-8")


@pytest.fixture(scope="module")
def metrics(tmp_path_factory):
    """A copy of the metrics with all changes made."""
    root = tmp_path_factory.mktemp("copy")
    shutil.copytree(ROOT / "metrics", root / "metrics", ignore=shutil.ignore_patterns("__pycache__"))
    diffs = re.findall(r"```diff\n(.*?)```", PAGE, flags=re.S)
    assert len(diffs) == 5
    for diff in diffs:
        change(root, diff)
    return root / "metrics"


def test_a_measure(metrics):
    metric = evaluate.load(str(metrics / "muc_b3_ceaf_entropy"))
    result = metric.compute(predictions=[[["a", "b"], ["c", "d", "e"]]], references=[[["a", "b"], ["c", "d"], ["e"]]])
    assert result["whole_recall"] == pytest.approx(1 / 3) and result["whole_precision"] == 1 / 2
    both = metric.compute(
        predictions=[[["a", "b"]]], references=[[["a", "b"]]], measures=["whole"], baselines=True, details=True
    )
    assert both["whole_f1"] == 1 and both["no_resolution_whole_f1"] == 0


@pytest.mark.filterwarnings("ignore:parapluie. for 1 of 1 pairs the two answers")  # random weights
def test_a_template(metrics):
    metric = evaluate.load(str(metrics / "parapluie"))
    pair = {"predictions": ["A boat."], "references": ["One boat."]}
    result = metric.compute(**pair, model_id=DEMO_MODEL, template="short")
    own = [{"role": "user", "content": f'Does "{{hypothesis}}" say the same as "{{source}}"? {ONE_WORD}'}]
    assert result["score"] == pytest.approx(metric.compute(**pair, model_id=DEMO_MODEL, template=own)["score"])


def test_a_contrast_and_a_language(metrics, tmp_path):
    metric = evaluate.load(str(metrics / "morpheval"))
    translations = [["il chante", "il chantait"], ["il chante", "il chanta"]]
    group = {"test": "imperfect", "sources": ["he sings", "he was singing"]}
    assert metric.compute(predictions=translations, references=[group] * 2)["imperfect"] == 0.5

    (tmp_path / "italian.mlex").write_text(LEXICON, encoding="utf-8")
    negation = {"test": "negation", "sources": ["he sings", "he does not sing"]}
    past = {"test": "past", "sources": ["she goes", "she went"]}
    result = metric.compute(
        predictions=[["canta", "non canta"], ["canta", "canta"], ["va", "è andata"], ["canta", "è cantata"]],
        references=[negation, negation, past, past], language="it", lexicon=str(tmp_path / "italian.mlex"),
        details=True,
    )  # fmt: skip
    assert result["negation"] == 0.5 and "*non*" in result["reasons"][0]
    assert result["verdicts"][2:] == ["pass", "fail"]  # the last one is a present passive


def test_an_encoder(metrics, tmp_path, monkeypatch):
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    assert '"sentence-transformers/all-mpnet-base-v2"' in (metrics / "melasss" / "encoder.py").read_text()
    metric = evaluate.load(str(metrics / "melasss"))
    with pytest.raises(ValueError, match="all-mpnet-base-v2' neither here nor"):  # not another one in its place
        metric.compute(predictions=["It came."], references=["The boat came."], similarity="rouge")
    folder = str(save_bert(tmp_path))
    texts = [f"The {word} came. It left." for word in "boat ship train bus plane bike car cart sledge van".split()]
    summaries = [text.split(".")[0] + "." for text in texts]
    head = metric.fit(texts, summaries, list(range(10)), encoder=folder)
    scores = metric.compute(predictions=summaries, references=texts, head=head, details=True)["scores"]
    assert all(0 <= score <= 1 for score in scores)

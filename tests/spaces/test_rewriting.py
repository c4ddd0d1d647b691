"""A card written for a checkout, rewritten for the Hub: each rule on a page of its own."""

import pytest

from ..conftest import ROOT, module_at

PAGES = "https://code.example/us/metrics"
HERE = {"benchmarks/speed/x.py", "spaces/one/model", "metrics/one/data.csv"}  # what the repository has


@pytest.fixture(scope="module")
def rewriting():
    return module_at(ROOT / ".github" / "hub" / "rewriting.py")


@pytest.fixture(scope="module")
def card(rewriting):
    """The function that rewrites a page of the metric `one`, by default its card."""
    space = rewriting.Rewriting("one", "lab", PAGES, HERE.__contains__)
    return lambda text, folder="metrics/one": space.markdown(text, folder)


@pytest.mark.parametrize(
    "link, folder, expected",
    [
        ("[a](../../docs/one/a.md#top)", "metrics/one", f"[a]({PAGES}/blob/main/docs/one/a.md#top)"),
        ("[o](../two/README.md)", "metrics/one", f"[o]({PAGES}/blob/main/metrics/two/README.md)"),
        ("![p](../../docs/p.png)", "metrics/one", f"![p]({PAGES}/raw/main/docs/p.png)"),
        ('<img src="../../docs/p.svg">', "metrics/one", f'<img src="{PAGES}/raw/main/docs/p.svg">'),
        ("[r]: ../../LICENSE\n", "metrics/one", f"[r]: {PAGES}/blob/main/LICENSE\n"),
        # What the Space has, too: both folders become one.
        ("[j](../../spaces/one/model/README.md)", "metrics/one", "[j](model/README.md)"),
        ("[c](../../../metrics/one/README.md)", "spaces/one/model", "[c](../README.md)"),
        ("[n](notes.md) [s](#limits) [w](https://x.org/a)", "metrics/one", None),
    ],
)
def test_links(card, link, folder, expected):
    assert card(link, folder) == (expected or link)


def test_paths_in_prose(card):
    """Paths that the repository has; the text of a link is none."""
    assert card("`benchmarks/speed/x.py`") == f"[`benchmarks/speed/x.py`]({PAGES}/blob/main/benchmarks/speed/x.py)"
    assert card("`spaces/one/model` `metrics/one/data.csv`") == "`model` `data.csv`"
    same = "`lab/model` `a/b` [`benchmarks/speed/x.py`](https://x.org) `spaces`"
    assert card(same) == same


def test_examples(card):
    """Metrics come from the Hub, files from one download of no more than is needed."""
    page = """
```python
>>> metric = evaluate.load("metrics/one")  # from the Hub: "<organisation>/one"
>>> other = "spaces/two/model"
```
between
```python
>>> metric.compute(model=other, files=["spaces/one/examples/a.txt", f"spaces/one/model/{file}"])
"spaces"
```
"""
    expected = """
```python
>>> from huggingface_hub import snapshot_download
>>> two_space = snapshot_download("lab/two", repo_type="space", allow_patterns=["model/*"])
>>> metric = evaluate.load("lab/one")
>>> other = f"{two_space}/model"
```
between
```python
>>> one_space = snapshot_download("lab/one", repo_type="space", allow_patterns=["examples/*", "model/*"])
>>> metric.compute(model=other, files=[f"{one_space}/examples/a.txt", f"{one_space}/model/{file}"])
"spaces"
```
"""
    assert card(page) == expected
    assert card('```python\nload("metrics/one")\n```') == '```python\nload("lab/one")\n```'


def test_what_no_rule_covers_is_found(rewriting, card):
    page = f'Set `x="spaces/one/model"`, see {PAGES}/blob/main/metrics/one, <organisation>.'
    assert rewriting.LEFT.findall(card(page)) == ["spaces/one/model", "<organisation>"]


def test_a_model(rewriting, card):
    """It is a repository of its own, so links from its card leave it; the metric's code calls it by its name there."""
    model = rewriting.Rewriting("one/judge", "lab", PAGES, HERE.__contains__)
    page = "[m](../README.md) [c](config.json)"
    assert model.markdown(page, "metrics/one/judge") == f"[m]({PAGES}/blob/main/metrics/one/README.md) [c](config.json)"
    assert model.code('x = "metrics/one/judge", "metrics/one"') == 'x = "lab/one-judge", "lab/one"'
    assert card("[j](judge/README.md)") == "[j](judge/README.md)"  # the Space has it, too

"""Where sentences end, in the three forms text comes in, and words."""

import gzip
import json
import re
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics.melasss.text_sentences import natural, split, words

from ..conftest import ROOT

SUMMEVAL = ROOT.parent / "shared" / "data" / "summeval" / "summeval_train80.jsonl.gz"

CASES = [json.loads(line) for line in Path(__file__).with_name("sentences.jsonl").read_text("utf-8").splitlines()]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["text"][:30])
def test_sentences(case):
    assert split(case["text"]) == case["sentences"]


@given(st.text(alphabet="ab AB.!?'\"`(),\n。…1-", max_size=60))
def test_nothing_is_lost_or_moved(text):
    sentences = split(text)
    assert "".join("".join(sentences).split()) == "".join(text.split())
    assert all(sentence == sentence.strip() != "" for sentence in sentences)


@given(st.text(max_size=60))
def test_any_text(text):
    assert "".join("".join(split(text)).split()) == "".join(text.split())
    assert all(word == word.lower() for word in words(text) if word.isascii())


@pytest.mark.parametrize(
    "tokenised, expected",
    [
        ("`` i do n't know , '' she said .", '"i don\'t know," she said.'),
        ("the boat -LRB- 12 m -RRB- is john 's .", "the boat (12 m) is john's."),
        ("Plain text stays, as it is.", "Plain text stays, as it is."),
        ('He said " no " twice .', 'He said "no" twice.'),
    ],
)
def test_natural_form(tokenised, expected):
    assert natural(tokenised) == expected


def test_tokenised_and_natural_text_have_the_same_words():
    tokenised = "`` We do n't pay 1,200.50 euros , '' said the keeper 's son -LRB- 12 -RRB- ."
    assert words(tokenised) == words("\"We don't pay 1,200.50 euros,\" said the keeper's son (12).")
    assert "1,200.50" in words(tokenised)


def test_long_lines_take_no_longer_than_their_length():
    start = time.process_time()
    split("Boat came in with fish on Monday. " * 3000 + ("x" * 100 + ". ") * 500 + "he said . ' yes . ' " * 3000)
    natural("a" + " " * 20_000 + "b")
    assert time.process_time() - start < 2  # .1 s; quadratic it would be a minute


def gold_ends(tokenised):
    """Letters and digits before each point, mark or closing quote that stands apart: there a tokeniser saw an end."""
    tokens, ends, seen = tokenised.split(), set(), 0
    for i, token in enumerate(tokens):
        seen += sum(map(str.isalnum, token.replace("-LRB-", "").replace("-RRB-", "")))
        following = next((t for t in tokens[i + 1 :] if t[0].isalnum()), "")
        if token == "." or token in "?!" and not following[:1].islower():
            ends.add(seen)
    return ends


def found_ends(text):
    ends, seen = set(), 0
    for sentence in split(text):
        seen += sum(map(str.isalnum, re.sub("-[LR]RB-", "", sentence, flags=re.IGNORECASE)))
        ends.add(seen)
    return ends


@pytest.mark.skipif(not SUMMEVAL.exists(), reason="needs the articles of ../shared/data/summeval")
@pytest.mark.parametrize(
    "form, least",
    [
        (lambda row: (row["text"], row["text_tok"]), 0.985),
        (lambda row: (row["text_tok"], row["text_tok"]), 0.985),
        (lambda row: (row["text_tok"].lower(), row["text_tok"]), 0.98),
        (lambda row: (row["summary_tok"].lower(), row["summary_tok"]), 0.985),
    ],
    ids=["natural", "tokenised", "tokenised and lower-cased", "summaries"],
)
def test_ends_in_the_news(form, least):
    """F1 of the ends between sentences, against those that the tokeniser of the data set saw; quotes do not count."""
    with gzip.open(SUMMEVAL, "rt", encoding="utf-8") as file:
        rows = [json.loads(line) for line in file]
    common = found = gold = 0
    for text, tokenised in dict.fromkeys(map(form, rows)):
        a, b = found_ends(text), gold_ends(tokenised)
        last = max(a | b, default=0)
        common, found, gold = common + len(a & b - {last}), found + len(a - {last}), gold + len(b - {last})
    assert 2 * common / (found + gold) > least

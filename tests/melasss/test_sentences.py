"""Where sentences end, in the three forms text comes in, and words."""

import gzip
import json
import re
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics.melasss.text_sentences import natural, split, words

from ..conftest import ROOT

SUMMEVAL = ROOT.parent / "shared" / "data" / "summeval" / "summeval_train80.jsonl.gz"

CASES = [
    ("One. Two! Three? Four… Five", ["One.", "Two!", "Three?", "Four…", "Five"]),
    ("Dr. Roux met Prof. A. B. Martin. They spoke.", ["Dr. Roux met Prof. A. B. Martin.", "They spoke."]),
    ("She lives in the U.S. He does not.", ["She lives in the U.S.", "He does not."]),
    ("The U.S. Navy came.", ["The U.S. Navy came."]),
    ("It rose by 3.5 percent. Version 2.0 is out.", ["It rose by 3.5 percent.", "Version 2.0 is out."]),
    ('He said: "Go." Then he left.', ['He said: "Go."', "Then he left."]),
    ('"Really?" he asked. "Yes!" she said.', ['"Really?" he asked.', '"Yes!" she said.']),
    ("They came (at last). We left.", ["They came (at last).", "We left."]),
    ("Wait... what? Nothing.", ["Wait... what?", "Nothing."]),
    ("A line\nAnother line without a point\n\nThe end.", ["A line", "Another line without a point", "The end."]),
    ("A line that is\n  wrapped by hand. And\nThen?", ["A line that is wrapped by hand.", "And", "Then?"]),
    ("one line\nanother line", ["one line", "another line"]),
    ("A boat came. 🎉 !", ["A boat came. 🎉 !"]),
    ("Title\n-----\nA boat came.", ["Title -----", "A boat came."]),
    ("... Well. Yes.", ["... Well.", "Yes."]),
    ("1. First item. 2. Second item.", ["1. First item.", "2. Second item."]),
    ("It rose to 3.5. Shares fell.", ["It rose to 3.5.", "Shares fell."]),
    ("He said no. She read No. 5, p. 3 of it.", ["He said no.", "She read No. 5, p. 3 of it."]),
    ("« Quoi ? » dit-il. Bon.", ["« Quoi ? » dit-il.", "Bon."]),
    ("the sun rose. the moon set. I saw it.", ["the sun rose.", "the moon set.", "I saw it."]),
    ("यह है। वह है।", ["यह है।", "वह है।"]),
    ("Acme Inc. sold it. It was on Jan. 5 of that year.", ["Acme Inc. sold it.", "It was on Jan. 5 of that year."]),
    ("the boat sank . nobody died .", ["the boat sank .", "nobody died ."]),
    ("the boat sank. nobody died.", ["the boat sank.", "nobody died."]),
    ("mr. roux left at 5 p.m. on friday . he slept .", ["mr. roux left at 5 p.m. on friday .", "he slept ."]),
    ("`` go . '' he left .", ["`` go . ''", "he left ."]),
    ("He cried : 'Fire ! ' She ran .", ["He cried : 'Fire ! '", "She ran ."]),
    ("The end . 'We won , ' he said .", ["The end .", "'We won , ' he said ."]),
    ("船が来た。港は開いた！", ["船が来た。", "港は開いた！"]),
    ("M. Dupont est parti. Il reviendra.", ["M. Dupont est parti.", "Il reviendra."]),
    ("Le temple date de 493 av. J.-C. Il brûla.", ["Le temple date de 493 av. J.-C.", "Il brûla."]),
    ("12 Fifth Av. The house is red.", ["12 Fifth Av.", "The house is red."]),
    ("Le prix va à J.M.G. Le Roux. Bravo.", ["Le prix va à J.M.G. Le Roux.", "Bravo."]),
    ("Acme Corp. Des Plaines is closed.", ["Acme Corp. Des Plaines is closed."]),
    ("Le jardin de J.-P. Brunet ouvre. Venez.", ["Le jardin de J.-P. Brunet ouvre.", "Venez."]),
    ("This is it. iPhones sell.", ["This is it. iPhones sell."]),
    ("", []),
    (" \n ", []),
]


@pytest.mark.parametrize("text, expected", CASES, ids=[text[:30] for text, _ in CASES])
def test_sentences(text, expected):
    assert split(text) == expected


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

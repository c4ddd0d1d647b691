"""Words aligned: what belongs together in two texts, and where mentions are carried to."""

import random
import warnings
from collections import defaultdict

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from metrics.muc_b3_ceaf_entropy.documents import Document, Mention
from metrics.muc_b3_ceaf_entropy.match_tokens import link_tokens, plain_form
from metrics.muc_b3_ceaf_entropy.match_words import align

from ..conftest import ROOT
from .conftest import table
from .test_readers import conllu, system

SHARED = ROOT.parent / "shared" / "data" / "coref_files"


def links(key, response):
    found = link_tokens(key.split(), response.split())
    return [key.split()[first : last + 1] if first >= 0 else [] for first, last in zip(found.first, found.last)]


# ---- Tokens ----


@pytest.mark.parametrize("key, response, expected", table("tokens"))
def test_tokens_that_belong_together(key, response, expected):
    assert links(key, response) == expected


WORDS = st.lists(st.text("abAB'-1.\u00e9", min_size=1, max_size=4).filter(plain_form), max_size=12)


@given(WORDS)
@settings(max_examples=300)
def test_a_text_is_aligned_with_itself(words):
    found = link_tokens(words, [word.upper() for word in words])
    assert found.first == found.last == list(range(len(words)))


def longest_common(one, other):
    """The length of the longest common subsequence, by the book."""
    row = [0] * (len(other) + 1)
    for a in one:
        before = row
        row = [0]
        for j, b in enumerate(other):
            row.append(before[j] + 1 if a == b else max(before[j + 1], row[j]))
    return row[-1]


@given(WORDS, WORDS)
@settings(max_examples=300)
def test_links_go_forward_and_have_characters_in_common(key, response):
    found = link_tokens(key, response)
    assert found.shared <= longest_common("".join(map(plain_form, key)), "".join(map(plain_form, response)))
    last = 0
    for first, end, token in zip(found.first, found.last, response):
        if first >= 0:
            assert last <= first <= end < len(key)
            for linked in (first, end):
                common = longest_common(plain_form(key[linked]), plain_form(token))
                assert 2 * common >= min(len(plain_form(key[linked])), len(plain_form(token)))
            last = end


# ---- An edited text, of which the edits are known ----

SYLLABLES = [a + b for a in "bdfgklmnprstvz" for b in "aeiou"]


def edited(rng, n):
    """Distinct words; an edited copy; and for each of its tokens the words that it has, as the edits say."""
    key = ["".join(rng.sample(SYLLABLES, 3)) for _ in range(n)]
    response, origin, i = [], [], 0
    while i < n:
        edit = rng.random()
        if edit < 0.1:
            i += 1  # dropped
        elif edit < 0.2 and i + 1 < n:
            response.append(key[i] + key[i + 1])  # joined
            origin.append({i, i + 1})
            i += 2
        elif edit < 0.3:
            response += [key[i][:3], key[i][3:]]  # cut
            origin += [{i}, {i}]
            i += 1
        else:
            if edit < 0.4:
                response.append("".join(rng.sample("hjqwxy", 5)))  # added
                origin.append(set())
            response.append(key[i].title() if edit > 0.9 else key[i])
            origin.append({i})
            i += 1
    return key, response, origin


@pytest.mark.parametrize("seed", range(40))
def test_edits_are_found(seed):
    key, response, origin = edited(random.Random(seed), 60)
    found = link_tokens(key, response)
    expected = [(min(words), max(words)) if words else (-1, -1) for words in origin]
    assert list(zip(found.first, found.last)) == expected


def fits(span, mention, origin):
    """Whether a span of words has all words that the mention's tokens have, and none that another token has."""
    inside = set().union(*(origin[token] for token in mention))
    outside = set().union(*(origin[token] for token in range(len(origin)) if token not in mention))
    words = set(range(span[0], span[1] + 1))
    return inside <= words and not words & outside - inside


@pytest.mark.parametrize("seed", range(60))
def test_mentions_are_carried_to_the_keys_that_fit(seed):
    """The literal rule: try every mention of the key; if none fits, the words that the tokens have."""
    rng = random.Random(seed)
    key, response, origin = edited(rng, 25)

    def spans(n, times):
        return {(a, min(n - 1, a + rng.randrange(4))) for a in rng.sample(range(n), times)}

    ours, theirs = spans(len(key), 12), spans(len(response), 10)
    mentions, others = ([Mention("0", tuple(range(a, b + 1))) for a, b in sorted(own)] for own in (ours, theirs))
    document = Document("d", "f", words=response, mentions=others, from_text=True)
    lost = defaultdict(list)
    pair = align(Document("d", "f", words=key, mentions=mentions), document, "aligned", lost)
    assert [mention.positions for mention in pair.key] == [mention.positions for mention in mentions]
    taken = {mention.positions for mention in pair.response if mention.positions}
    assert len(taken) == sum(bool(mention.positions) for mention in pair.response)
    named = {mention.name for mention in pair.response} - {""}
    for a, b in theirs:
        tokens = set(range(a, b + 1))
        inside = set().union(*(origin[token] for token in tokens))
        fitting = {tuple(range(s, e + 1)) for s, e in ours if inside and fits((s, e), tokens, origin)}
        own = {tuple(range(min(inside), max(inside) + 1))} if inside else set()
        words = " ".join(response[a : b + 1])
        assert taken & (fitting or own) or f"{words} (+{a})" in named or words in sum(lost.values(), [])
        if fitting:
            assert taken & fitting  # what fits a mention of the key is never lost


# ---- Mentions ----


@pytest.fixture
def aligned(metric, write):
    def aligned(key, mentions, response, response_mentions, **options):
        key, response = system(key.split(), mentions), system(response.split(), response_mentions)
        return metric.read_pair(write(key, "key"), write(response, "response"), words="aligned", **options)

    return aligned


@pytest.mark.parametrize(
    ("key", "key_mention", "response", "mention", "expected"),
    [
        ("the dog ran .", [0, 1], "The dog ran.", [0, 1], "0-1"),
        ("fed the dog .", [1, 2], "fed the dog.", [1, 2], "1-2"),  # its full stop is no part of the mention
        ("at Acme Inc . today", [1, 3], "at Acme Inc. today", [1, 2], "1-3"),  # but here the key says that it is
        ("the old , red dog", [0, 4], "the old red dog", [0, 3], "0-4"),
        ("saw the dog", [1, 2], "saw dog", [1, 1], "1-2"),  # the dropped word may belong to it: the key decides
        ("saw the dog", [2, 2], "saw dog", [1, 1], "2-2"),
        ("saw dog", [1, 1], "saw the dog", [1, 2], "1-1"),
        ("a dog , that barks", [0, 4], "a dog that barks", [0, 3], "0-4"),
        ("I cannot go", [1, 1], "I can not go", [1, 2], "1-1"),
        ("a b c d e", [1, 2], "A B C D E", [2, 3], "2-3"),  # another mention than the key's stays another
    ],
)
def test_where_a_mention_is_carried(aligned, key, key_mention, response, mention, expected):
    assert aligned(key, [[key_mention]], response, [[mention]])["predictions"] == [[[expected]]]


def test_of_two_mentions_the_one_with_the_keys_words_comes_first(aligned):
    pair = aligned("saw the big dog", [[[1, 3], [2, 3]]], "saw big dog", [[[1, 2]], [[0, 2]]])
    assert pair["predictions"] == [[["2-3"], ["0-3"]]] or pair["predictions"] == [[["0-3"], ["2-3"]]]


def test_what_cannot_be_carried_is_counted_named_and_announced(aligned):
    key, mentions = "the dog saw Ann today", [[[0, 1]], [[3, 3]]]
    with pytest.warns(UserWarning, match=r"1 mentions of the response are on words .*: 'big Xy'"):
        pair = aligned(key, mentions, "the dog saw big Xy Ann today", [[[0, 1], [3, 4]], [[5, 5]]])
    assert sorted(map(len, pair["predictions"][0])) == [1, 2]  # it counts as spurious
    with pytest.warns(UserWarning, match="1 mentions of the response are left out, because they stand before or aft"):
        pair = aligned(key, mentions, "Here you go : the dog saw Ann today", [[[0, 0]], [[4, 5]], [[7, 7]]])
    assert pair["predictions"] == [[["0-1"], ["3-3"]]]
    with pytest.warns(UserWarning, match="1 mentions of the response fall together with another .*: 'the dog um'"):
        aligned(key, mentions, "the dog um saw Ann today", [[[0, 1], [0, 2]]])


def test_mentions_within_a_token_of_the_response_are_left_out(metric, aligned):
    """The response has one token for "Ann" and "'s": it cannot say which of the two it means."""
    key, mentions = "Ann 's dog saw Bob", [[[0, 0], [4, 4]], [[0, 2]]]
    with pytest.warns(UserWarning, match="1 mentions of the key are left out, .*within a token of the response.*'Ann'"):
        pair = aligned(key, mentions, "Ann's dog saw Bob", [[[3, 3]], [[0, 1]]])
    assert pair["predictions"] == pair["references"] == [[["4-4"], ["0-2"]]]
    with pytest.warns(UserWarning) as caught:
        pair = aligned(key, mentions, "Ann's dog saw Bob", [[[3, 3], [0, 0]], [[0, 1]]])
    assert pair["predictions"] == [[["4-4"], ["0-2"]]]
    message = 'may be mentions of the key that begin or end within a token: "Ann\'s"'
    assert any(message in str(warning.message) for warning in caught)


@given(st.data())
@settings(max_examples=100)
def test_dropped_words_lose_only_the_mentions_that_lie_in_them(data):
    n = data.draw(st.integers(2, 14))
    words = [f"w{'abcdefghijklmnop'[i]}x" for i in range(n)]
    spans = data.draw(st.sets(st.tuples(st.integers(0, n - 1), st.integers(0, 3)), min_size=1, max_size=8))
    mentions = sorted({(a, min(n - 1, a + length)) for a, length in spans})
    dropped = data.draw(st.sets(st.integers(0, n - 1), max_size=n // 2))
    left = [i for i in range(n) if i not in dropped]
    number = {word: i for i, word in enumerate(left)}
    kept = {span: tuple(number[i] for i in range(span[0], span[1] + 1) if i in number) for span in mentions}
    key = Document("d", "k", words=words, mentions=[Mention("0", tuple(range(a, b + 1))) for a, b in mentions])
    theirs = [Mention("0", positions) for positions in dict.fromkeys(kept.values()) if positions]
    response = Document("d", "r", words=[words[i] for i in left], mentions=theirs)
    there = {mention.positions for mention in align(key, response, "aligned").response}
    for span, positions in kept.items():
        if positions and list(kept.values()).count(positions) == 1:
            assert tuple(range(span[0], span[1] + 1)) in there
    assert len(there) == len(theirs)


def test_without_other_words_nothing_changes(metric, write):
    """Words that are the same are not aligned at all."""
    words, other = "a dog saw a dog".split(), [[[0, 1]], [[3, 4], [1, 2]]]
    paths = write(system(words, [[[0, 1], [3, 4]]]), "key"), write(system(words, other), "response")
    assert metric.score_files(*paths) == metric.score_files(*paths, words="aligned")


def test_exact_words_are_the_default_and_say_the_way_out(metric, write):
    paths = write(system(["a", "b"], []), "key"), write(system(["a", "B"], []), "response")
    with pytest.raises(ValueError, match="response:1: document 'd': found 'B' as word 1, .*; words=\"aligned\" aligns"):
        metric.score_files(*paths)
    with pytest.raises(ValueError, match="only 0 of the 6 characters of .*key:1.*, expected the same text"):
        paths = write(system(["abc", "def"], []), "key"), write(system(["xyz"], []), "response")
        metric.score_files(*paths, words="aligned")


def test_heads_and_empty_nodes(metric, write):
    """The key's empty nodes stay where they are; heads are carried over."""
    key = conllu(
        ("1", "The", "Entity=(e1-x-2-"), ("2", "dog", "Entity=e1)"), ("2.1", "_", "Entity=(e1-x-1-)"), ("3", "ran", "_")
    )
    response = conllu(("1", "the", "_"), ("2", "dog", "Entity=(e1-x-1-)"), ("3", "Ran", "_"))
    paths = write(key, "key"), write(response, "response")
    pair = metric.read_pair(*paths, words="aligned", match="head")
    assert pair == {"predictions": [[["0-1"]]], "references": [[["0-1", "2.1-2.1"]]]}
    with pytest.raises(ValueError, match="found empty nodes beside other words than the key's"):
        metric.read_pair(paths[1], paths[0], words="aligned")


@pytest.mark.skipif(not SHARED.exists(), reason="needs ../shared")
@pytest.mark.parametrize("name", ["case", "curly", "retok"])
def test_words_of_models(metric, name):
    folder = SHARED / "llm_words"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore" if name == "retok" else "error")  # "Ann" is within a token there
        result = metric.score_files(folder / "key.jsonl", folder / f"{name}.jsonl", words="aligned")
    assert result["conll_f1"] == 1.0
    with pytest.raises(ValueError, match="aligned"):
        metric.score_files(folder / "key.jsonl", folder / f"{name}.jsonl")

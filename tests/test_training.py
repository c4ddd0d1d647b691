"""What trains the small judge: pairs, stages, and a training that is killed, resumed, exported."""

import json
import random
import re
import sys
from collections import defaultdict
from itertools import islice

import pytest
import torch

from .conftest import ROOT

sys.path.insert(0, str(ROOT))

from metrics.parapluie.judge_pairs import load_classifier
from training.entailment import pairs as entailment
from training.entailment.stages import STAGES as OF_ENTAILMENT
from training.judge import pairs, rules, scenes, train
from training.judge.stages import FURTHER, STAGES, Stage


@pytest.fixture(scope="module")
def tools(tmp_path_factory):
    return pairs.Sources(tmp_path_factory.mktemp("sources")).tools


# ---- Pairs ----


@pytest.mark.parametrize(
    "rule, sentence, other",
    [
        (rules.swap, "Anna called Ben.", "Ben called Anna."),
        (rules.swap_coordinated, "Anna and Ben won the race.", "Ben and Anna won the race."),
        (rules.swap_coordinated, "Anna beat Ben.", None),
        (rules.move_adverbial, "In May, the ferry left the harbour.", "The ferry left the harbour in May."),
        (rules.front_adverbial, "The ferry left the harbour in May.", "In May, the ferry left the harbour."),
        (rules.respelled, "The ferry did not leave.", "The ferry didn't leave."),
        (rules.fronted_subject, "Anna said that the ferry was late.", "The ferry was late, Anna said."),
        (rules.with_relation("antonyms", 1), "The water is hot.", "The water is cold."),
        (rules.other_tense, "She sang a song.", "She will sing a song."),
        (rules.other_number, "It costs more.", None),
        (
            rules.eased,
            "The ferry (built in Oslo) left the harbour of the town at noon.",
            "The ferry left the harbour of the town at noon.",
        ),
        (
            rules.cut,
            "The ferry left the harbour at noon, the bakery on the corner sold bread again.",
            "The ferry left the harbour at noon.",
        ),
    ],
)
def test_a_rule(tools, rule, sentence, other):
    """All that it can make of a sentence."""
    made = {rule(rules.tagged(sentence, tools), tools, random.Random(seed)) for seed in range(20)}
    assert other in made and made <= {other, None, "The bakery on the corner sold bread again."}


def test_rules_are_applied_with_their_labels(tools):
    sentence = rules.tagged("Anna called Ben.", tools)
    table = [(rules.swap, 0, 1.0), (rules.same, 1, 1.0), (rules.other_number, 0, 1.0), (rules.swap, 0, 0.0)]
    expected = [("Anna called Ben.", "Ben called Anna.", 0), ("Anna called Ben.", "Anna called Ben.", 1)]
    assert rules.apply([[], sentence], table, tools, random.Random(0)) == expected


def test_sentences_keep_their_text(tools):
    for group in pairs.written()[::200]:
        assert rules.text_of(rules.tagged(group["s"], tools)) == group["s"]


def test_pairs_of_a_group():
    group = {"s": "a", "same": ["b", "c"], "other": ["x"]}
    made = pairs.pairs_of_groups([group], random.Random(0))
    assert made[:4] == [("a", "b", 1), ("a", "c", 1), ("b", "c", 1), ("a", "x", 0)]
    assert made[4:] in ([("b", "x", 0)], [("c", "x", 0)])


def test_what_is_measured_is_not_trained_on(tmp_path):
    """No everyday pair, though single sentences may be, and next to no pair of a held-out group."""
    written = pairs.written()
    assert len(written) == 6480 and all(len(g["same"]) > 1 and g["other"] for g in written)
    sources = pairs.Sources(tmp_path)
    assert len(sources.groups) == 6480 - 648
    trained_on = {frozenset(pair[:2]) for pair in sources["written"]}
    focused = pairs.written("focused")
    assert len(focused) == 1472 and all(len(g["same"]) == len(g["other"]) == 3 for g in focused)
    varied = pairs.written("varied")
    assert len(varied) == 7025 and all(1 < len(g[side]) < 5 for g in varied for side in ("same", "other"))
    trained_on |= {frozenset(pair[:2]) for name in ("focused", "varied", "contrasts") for pair in sources[name]}
    parts = "development", "test", "kinds_development", "kinds_test", "exam"
    everyday = [pair for part in parts for pair in pairs.everyday(part)]
    assert len(everyday) == 1442 and sum(label for *_, label in everyday) == 721
    assert not trained_on & {frozenset(pair[:2]) for pair in everyday}
    held_out = pairs.MEASURED["written"]()
    assert (len(held_out), sum(frozenset(pair[:2]) in trained_on for pair in held_out)) == (7776, 21)
    groups = defaultdict(set)  # of each sentence
    for number, group in enumerate(written + focused + varied):
        for sentence in (group["s"], *group["same"], *group["other"]):
            groups[sentence].add(number)
    [known] = [pair for pair in everyday for _ in groups[pair[0]] & groups[pair[1]]]
    assert known[0] == "Would you like me to carry that for you?"  # of "test", in a focused group, as the card says


def test_tokenised_text_is_written_as_usual():
    text = "`` It 's late , '' she said ( again ) ; he did n't answer ."
    assert pairs.detokenized(text) == "\"It's late,\" she said (again); he didn't answer."


def test_scenes():
    """The same from the same seed; about half paraphrases; no gap is left in a pattern."""
    made = scenes.pairs(2000, random.Random(0))
    assert made == scenes.pairs(2000, random.Random(0)) != scenes.pairs(2000, random.Random(1))
    assert 0.4 < sum(label for *_, label in made) / len(made) < 0.6
    assert not [text for a, b, _ in made for text in (a, b) if re.search(r"[{}|~^]|\s\s|^[a-z]", text)]
    lines = [line for text in (scenes.STATEMENTS, scenes.CONTRASTS) for line in text.splitlines() if line]
    assert {line[:2] for line in lines} == {"= ", "/ "}


def test_contrasts():
    """Every slot has values, each kind is made, about half are paraphrases."""
    assert all(slot.partition(".")[0] in scenes.SETS for each in scenes.CONTRASTING for slot in each.slots)
    assert all(len(each.same) > 1 and each.other for each in scenes.CONTRASTING)
    made = scenes.contrasts(2000, random.Random(0))
    assert made == scenes.contrasts(2000, random.Random(0)) and len(made) == 2000
    assert 0.4 < sum(label for *_, label in made) / len(made) < 0.6
    assert not [text for a, b, _ in made for text in (a, b) if re.search(r"[{}|~^]|\s\s|^[a-z]", text)]
    converse = next(each for each in scenes.CONTRASTING if each.same[0] == "{names} lent {things} to {names.2}")
    drawn = {"names": "Ann", "names.2": "Ben", "things": "the lamp"}
    said = [converse.say(pattern, drawn, random.Random(0)) for pattern in (converse.same[1], converse.other[0])]
    assert [text.rstrip(".") for text in said] == ["Ben borrowed the lamp from Ann", "Ann borrowed the lamp from Ben"]


def test_a_statement_says_the_same_or_something_else():
    statement = scenes.Statement("= {names} likes {more}.\n= {more} is what {names} likes.\n/ {names} hates {more}.")
    made = [statement.pair(random.Random(seed)) for seed in range(200)]
    value = {form: row for row in scenes.SETS["names"] + scenes.SETS["more"] for form in row.split("|")}

    def meaning(text):
        """What the sentence says: who likes or hates what."""
        lowered = text.lower().rstrip(".")
        named = {row for form, row in value.items() if re.search(rf"\b{re.escape(form.lower())}\b", lowered)}
        return named, "hates" in lowered

    assert {label for *_, label in made} == {0, 1}
    for a, b, label in made:
        assert (meaning(a) == meaning(b)) == bool(label), (a, b)


# ---- Does the text say this? ----


def test_a_passage_has_the_places_in_the_text_s_order():
    text = list("abcdefg")
    for seed in range(200):
        rng = random.Random(seed)
        first, last = sorted(rng.sample(range(7), 2))
        found = entailment.passage(text, [last, first], rng).split()
        assert found == text[text.index(found[0]) :][: len(found)] and {text[first], text[last]} <= {*found}
        assert len(found) <= max(entailment.MOST, last - first + 1)


def test_claims_of_a_written_group():
    """Each with what it is from, in a passage; and one with another group's text, which does not say it."""
    groups = [
        {
            "text": [f"{name} one.", f"{name} two.", f"{name} three."],
            "said": [{"claim": f"{name} said", "how": "close", "from": [0]}],
            "not": [{"claim": f"{name} not", "how": "name", "from": [1, 2]}],
        }
        for name in ("A", "B")
    ]
    made = entailment.pairs_of_groups(groups, random.Random(0))
    assert len(made) == 2 * (2 * entailment.EXAMPLES + 1)
    own = [pair for pair in made if pair[0][0] == pair[1][0]]
    assert len(own) == 8 and all(label == claim.endswith("said") for _, claim, label in own)
    assert all(("one" if label else "two. ") in text for text, _, label in own)
    assert all(label == 0 for text, claim, label in made if text[0] != claim[0])


def test_written_claims_are_whole_and_held_out():
    """Some of the sentences of each text, said or not; no claim with its own text is both measured and trained on."""
    groups = entailment.written()
    for group in groups:
        assert 2 < len(group["text"]) < 7 and len(group["said"]) == 4 and len(group["not"]) == 5
        for claim in group["said"] + group["not"]:
            assert claim["claim"] and claim["how"] and all(0 <= i < len(group["text"]) for i in claim["from"])
    kept = [group for i, group in enumerate(groups) if i % pairs.HELD_OUT]
    trained_on = {claim for _, claim, _ in entailment.pairs_of_groups(kept, random.Random(0))}
    assert not trained_on & {claim for _, claim, *_ in entailment.measured()}


def test_what_the_article_says(tmp_path, tools):
    """Of two neighbours as one claim one says too little; what is left out is not said by what is left."""
    sources = entailment.Sources(tmp_path)
    tokens = [[*token] for token in rules.tagged("The ferry, built in Oslo in May, left the harbour at noon.", tools)]
    (tmp_path / "sentences_tagged.json").write_text(json.dumps([tokens]))
    sources.articles = [[rules.text_of([rules.Token(*token) for token in tokens]), "It rained.", "It stopped."]]
    made = sources["told"]
    assert {label for *_, label in made} == {0, 1} and all("ferry" in claim for _, claim, _ in made)
    merged = [(text, label) for text, claim, label in made if claim.endswith("It rained.")]
    assert all(label == ("It rained." in text) for text, label in merged)
    assert all(label == 0 for text, claim, label in made if "Oslo" not in text and "Oslo" in claim)


def test_directed_pairs_are_not_turned_round():
    source = {"told": [("passage", "claim", 1)]}
    assert {pair for batch in train.draw(source, {"told": 1}, 0, directed=True) for pair in batch} == {*source["told"]}
    assert ("claim", "passage", 1) in {pair for batch in train.draw(source, {"told": 1}, 0) for pair in batch}


# ---- Stages ----


def test_the_stages():
    """Sources that exist, a rate that rises and falls, and what the judge's card says."""
    made = {name[1:] for name in vars(pairs.Sources) if name.startswith("_")}
    assert all(stage.weights.keys() <= made for stage in STAGES + FURTHER)
    of_claims = {name[1:] for name in vars(entailment.Sources) if name.startswith("_")} | {"paws"}
    assert all(stage.weights.keys() <= of_claims for stage in OF_ENTAILMENT)
    stage = Stage("one", 100, 1e-4, 1e-6, 0.2, {})
    assert [stage.rate(done) for done in (0, 0.1, 0.2, 1)] == pytest.approx([0, 5e-5, 1e-4, 1e-6])
    assert {*train.AVERAGED} <= {stage.name for stage in STAGES} and {*train.CALIBRATED_BY} <= pairs.MEASURED.keys()
    card = (train.JUDGE / "README.md").read_text(encoding="utf-8")
    card, steps = " ".join(card.split()), [sum(stage.steps for stage in stages) for stages in (STAGES, FURTHER)]
    assert f"{steps[0]:,} steps of {train.BATCH}" in card and f"{steps[1]:,} more" in card
    assert f"{sum(steps) * train.BATCH:,} pairs" in card


# ---- Training ----

PAIRS = [(a, b, label) for a, b, label in scenes.pairs(400, random.Random(0))]
TINY = [Stage("one", 2, 1e-3, 1e-4, 0.3, {"scenes": 1}), Stage("two", 4, 1e-3, 1e-4, 0.0, {"scenes": 2, "written": 1})]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder with ready sources, for two small stages; training sets the number of threads."""
    threads = torch.get_num_threads()
    for name in ("scenes", "written"):
        (tmp_path / f"{name}.json").write_text(json.dumps(PAIRS))
    for name, value in {"STAGES": TINY, "BATCH": 4, "DRAWN": 3, "SAVED_EVERY": 2}.items():
        monkeypatch.setattr(train, name, value)
    yield tmp_path
    torch.set_num_threads(threads)


def test_batches(folder):
    """Resumed anywhere they are the same; two stages do not share a drawing."""
    sources = pairs.Sources(folder)
    steps = list(train.remaining(TINY, sources, 0))
    assert [(stage.name, i) for stage, i, _ in steps] == [(s.name, i) for s in TINY for i in range(s.steps)]
    assert all(len(batch) == 4 for *_, batch in steps)
    for done in range(len(steps)):
        assert list(train.remaining(TINY, sources, done)) == steps[done:]
    assert all((a, b, label) in PAIRS or (b, a, label) in PAIRS for *_, batch in steps for a, b, label in batch)


@pytest.mark.slow
def test_training_is_resumed_and_exported(folder, monkeypatch, capsys):
    """Killed after five of six steps: the same weights in the end, and in the judge's files."""
    whole, resumed = (folder / name for name in ("whole", "resumed"))
    for part in (whole, resumed):
        part.mkdir()
        for name in ("scenes", "written"):
            (part / f"{name}.json").write_text((folder / f"{name}.json").read_text())
    train.train(whole)
    with monkeypatch.context() as patch:
        remaining = train.remaining
        patch.setattr(train, "remaining", lambda *arguments: islice(remaining(*arguments), 5))
        train.train(resumed)
    assert torch.load(resumed / "state.pt")["step"] == 4  # of the last that was saved
    train.train(resumed)
    first, second = (torch.load(part / "state.pt") for part in (whole, resumed))
    assert first["step"] == second["step"] == 6
    for part in ("model", "mean"):
        assert all(torch.equal(first[part][name], second[part][name]) for name in first[part])

    start = folder / "start"
    train.write(torch.load(whole / "two.pt"), start)
    (further := folder / "further").mkdir()
    (further / "scenes.json").write_text((folder / "scenes.json").read_text())
    monkeypatch.setattr(train, "FURTHER", TINY[:1])
    train.train(further, "one", start=start)
    monkeypatch.setattr(train, "FURTHER", TINY)
    with pytest.raises(ValueError, match="found the stages two, expected first those of .*state.pt, one$"):
        train.train(further, "two", start=start)
    began, ended = (torch.load(further / f"{name}.pt") for name in ("start", "one"))
    known = load_classifier(str(start), device="cpu")[0].state_dict()
    assert began.keys() <= known.keys() and all(torch.equal(began[name], known[name]) for name in began)
    assert any(not torch.equal(began[name], ended[name]) for name in began)

    monkeypatch.setattr(train, "calibrate", lambda *_, **__: {"threshold": 0.5, "temperature": 2.0})
    monkeypatch.setattr(pairs, "MEASURED", dict.fromkeys(train.CALIBRATED_BY, lambda: PAIRS[:4]))
    ends = [torch.load(whole / f"{name}.pt") for name in ("one", "two")]
    judge = folder / "judge"
    train.write({name: (ends[0][name] + ends[1][name]) / 2 for name in ends[0]}, judge)
    before = train.scores_of(judge, PAIRS[:8])
    train.export(whole, "one", "two", judge=judge)
    assert "threshold 0.500, temperature 2.000, too close below " in capsys.readouterr().out
    config = json.loads((judge / "config.json").read_text())
    assert config["languages"] == ["en"] and 0 <= config["too_close"] < 10
    after = train.scores_of(judge, PAIRS[:8])
    assert after == pytest.approx([(score - 0.5) / 2 for score in before], abs=1e-5)


def test_what_is_too_close():
    """From the band on, verdicts are right in nine of ten cases, in the mean of the sets."""
    easy, hard = [-2.0, 3.0, 1.0], [-0.1, 0.2, 0.3, -0.4, 2.0, -2.5]
    labels = [[0, 1, 1], [1, 0, 1, 1, 1, 0]]
    assert train.too_close([easy, hard], labels) == 0.5  # 3 of 3 and, from .5 on, 2 of 2; with .4, 2 of 3: .83
    assert train.too_close([easy], labels[:1]) == 0

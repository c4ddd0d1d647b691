"""What the demos read and draw: brackets, marks, pairs, links; no visitor's text becomes HTML."""

import json
import math
import os
import re
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from ..conftest import ROOT, module_at
from ..parapluie.server import running


def module_of(name, part):
    """A module of a demo, without starting it."""
    before = sys.path[:]
    sys.path.insert(0, str(ROOT / "spaces" / "_common"))
    try:
        return module_at(ROOT / "spaces" / name / f"{part}.py")
    finally:
        sys.path[:] = before


def drawing_of(name):
    """A fixture: the module that draws for a demo."""
    return pytest.fixture(scope="module")(lambda: module_of(name, "drawing"))


coreference, morpheval = drawing_of("muc_b3_ceaf_entropy"), drawing_of("morpheval")
parapluie, melasss = drawing_of("parapluie"), drawing_of("melasss")


@pytest.fixture(scope="module")
def demo():
    return module_of("_common", "demo")


# ---- Coreference: text in brackets ----


def test_brackets_are_read(coreference):
    document, own = coreference.document_of("[The [pilot]b's boat]a sank.\n[It]a was [old]c.", "text 1", "key")
    assert own == {(1, 1): "b", (0, 3): "a", (6, 6): "a", (8, 8): "c"}
    assert document["sentences"] == [["The", "pilot", "'s", "boat", "sank", "."], ["It", "was", "old", "."]]
    assert document["clusters"] == [[[1, 1]], [[0, 3], [6, 6]], [[8, 8]]]


def test_brackets_are_those_of_the_files(coreference):
    """A text is read as the metric reads it as a file, whatever stands before the number."""
    forms = ("[The [pilot]1's boat]2 sank. [It]2 was [old]3.", "[The [pilot]#1's boat](2) sank. [It]_2 was [old] #3.")
    first, second = (coreference.document_of(text, "text 1", "key") for text in forms)
    assert first == second and [*first[1].values()] == ["1", "2", "2", "3"]


@pytest.mark.parametrize("text", ["[Ann", "Ann]1", "[]1", "[Ann] left", "[Ann]1 [", "] [Ann]1"])
def test_brackets_that_do_not_match(coreference, text):
    with pytest.raises(ValueError, match="key, text 1: .*(such as|looks like)"):
        coreference.document_of(text, "text 1", "key")


def test_what_is_written_in_brackets_is_read_again(coreference):
    examples = ROOT / "spaces" / "muc_b3_ceaf_entropy" / "examples"
    report, files = (coreference.module(coreference.NAME, part) for part in ("show_report", "score_files"))
    paths = [str(examples / f"harbour.{side}.conll") for side in ("key", "response")]
    pairs = report.open_pairs(*paths, files.FileOptions())
    texts = [
        coreference.bracketed(pairs, lambda pair, side=side: coreference.entities(getattr(pair, side)))
        for side in ("key", "response")
    ]
    again = report.open_pairs(*coreference.sides_of(*texts)[0][:2], files.FileOptions())
    for pair, other in zip(pairs, again, strict=True):
        assert other.words == pair.words and other.sentences == pair.sentences
    assert files.score_pairs(again, files.FileOptions()) == files.score_pairs(pairs, files.FileOptions())


def test_clusters_are_read_and_sides_must_be_alike(coreference):
    assert coreference.sides_of("a b\n\nc\n", "a") == (([[["a", "b"], ["c"]]], [[["a"]]], None), [])
    for sides, message in (
        (("", "a"), "The key is empty"),
        (("a", "Ann left. She"), "There are no mentions"),
        (("[a]1", "b"), "Only one side has brackets"),
        (("a b", "1,2,3"), "with spaces between the mentions"),
        (("a b", "a a b"), "response: the mention 'a' stands 2 times"),
    ):
        with pytest.raises(ValueError, match=message):
            coreference.sides_of(*sides)


@pytest.mark.parametrize("response", ["", " ", "Ann left. She slept."])
def test_a_response_without_a_mention_is_one(coreference, response):
    (key, found, _), _ = coreference.sides_of("[Ann]1 left. [She]1 slept.", response)
    documents = [json.loads(Path(path).read_text(encoding="utf-8")) for path in (key, found)]
    assert documents[0]["sentences"] == documents[1]["sentences"]
    assert [len(document["clusters"]) for document in documents] == [1, 0]
    assert coreference.sides_of("a b", response.partition("A")[0])[0][1] == [[]]


def test_large_documents_are_cut(coreference):
    n = coreference.MOST_WORDS + 1
    report, files = (coreference.module(coreference.NAME, part) for part in ("show_report", "score_files"))
    options = files.FileOptions(details=True)
    documents = [[[f"m{i}" for i in range(n)]]] + [[["a", "b"]]] * coreference.MOST_DRAWN
    singles = [[[mention] for cluster in document for mention in cluster] for document in documents]
    pairs = report.open_pairs(documents, singles, options)
    html = coreference.drawn(pairs, files.score_pairs(pairs, options)["documents"])
    assert "are too many to draw here" in html and f"The first {coreference.MOST_DRAWN} of" in html
    assert html.count("<article") == coreference.MOST_DRAWN and len(html) < 50_000


def typed(coreference, *texts):
    """What is drawn of typed texts."""
    report, files = (coreference.module(coreference.NAME, part) for part in ("show_report", "score_files"))
    options = files.FileOptions(details=True, words="aligned")
    (key, response, _), own = coreference.sides_of(*texts)
    pairs = report.open_pairs(key, response, options)
    result = files.score_pairs(pairs, options)
    return result, re.sub(r"<[^>]*>", "", coreference.drawn(pairs, result["documents"], own))


def test_typing_forgives(coreference):
    """Signs stuck to words, and case; the same mentions are found."""
    result, _ = typed(coreference, "[Ann]1 went to Warsaw. [She]1 left.", "[ann]1 went to [Warsaw]2 . [She]1 left .")
    assert result["totals"]["common_mentions"] == 2 and result["totals"]["spurious"] == 1


def test_the_visitors_own_numbers_are_kept(coreference):
    _, text = typed(
        coreference,
        "[Ann]7 saw [Bea]3. [She]7 met [her]3 in [1999]12.",
        "[Ann]1 saw [Bea]2. [She]2 met [her]2 in 1999.",
    )
    assert "[Ann7]" in text and "[Bea3]" in text
    assert "7 is in 2 classes." in text and "3 is from 2 entities." in text
    assert "“1999” (entity 12) is not in the response" in text


# ---- Translations ----


def test_marks_and_chips(morpheval):
    words = [{"translation": 1, "position": 1}]
    assert morpheval.mark([["je", "<b>"], ["il", "a"]], words) == ["je &lt;b&gt;", "il <mark>a</mark>"]
    assert [re.sub("<[^>]*>", "", morpheval.chip(v)) for v in ("fail", "rejected", 0.5)] == [
        "FAIL", "REJECTED", "entropy 0.50",
    ]  # fmt: skip
    assert 'class="chip bad"' in morpheval.chip("fail") and 'class="chip good"' in morpheval.chip(0.0)
    assert morpheval.in_italics("*est* <i>") == "<i>est</i> &lt;i&gt;"


def verdict_of(drawing, value, reason="", rests=1, test="past", system="s", sources=("a", "b")):
    return drawing.Verdict(test, system, list(sources), ["c", "d"], value, reason, ["c", "d"], rests)


def test_the_first_card_is_the_failure_that_is_told_in_the_fewest_words(morpheval):
    told = [("pass", "", 1), ("fail", "x", 0), ("fail", "long", 1), ("fail", "abc", 2), (0.3, "longest", 1)]
    verdicts = [verdict_of(morpheval, *each) for each in told] + [verdict_of(morpheval, "pass", test="<np>")]
    html, of_test = morpheval.cards(verdicts, set(), "French")
    assert re.findall("Why: (.*?)[.]</p>", html) == ["abc", "long", "x", "longest", "nothing is wrong"]
    assert html.count(" checked") == 1 and of_test == {"past": 0, "<np>": 4} and "<np>" not in html
    assert 'for="card4">← previous</label> card 1 of 5 <label for="card1">next' in html
    changed = {("s", "<np>", ("a", "b"))}
    assert morpheval.cards(verdicts, changed, "French")[1]["<np>"] == 0
    assert "No sentence could be judged" in morpheval.cards([verdict_of(morpheval, "rejected")], set(), "French")[0]
    order = re.findall("PASS|FAIL|entropy 0.30|entropy 0.00", morpheval.verdict_table(
        [verdict_of(morpheval, value) for value in (0.0, "pass", 0.3, "fail")]
    ))  # fmt: skip
    assert order == ["FAIL", "entropy 0.30", "entropy 0.00", "PASS"]


def test_both_systems_on_one_scale_where_right_is_better(morpheval):
    a = {"past": 0.9, "past_n": 9, "verb_consistency:tense": 0.0, "verb_consistency:tense_n": 2, "np": 1.0, "np_n": 0}
    html = morpheval.dumbbells({"<a>": a, "b": a | {"past": 0.5, "verb_consistency:tense": 0.4}}, {"past": 3})
    assert re.findall(r'class="(s.)" style="left: ([\d.]+)%"', html) == [
        ("s0", "90.0"), ("s1", "50.0"), ("s0", "100.0"), ("s1", "60.0"),
    ]  # fmt: skip
    assert html.count("class=few") == 1 and '<label for="card3">past</label>' in html
    assert "0.90 and 0.50 <small>n = 9" in html and "1.00 and 0.60 <small>n = 2" in html and "<a>" not in html


def test_judging_again_tells_what_changed(morpheval):
    before = {("s", "past", ("a", "b")): "fail", ("s", "np", ("a", "b")): 0.5}
    assert morpheval.changes(None, before) == ("", set())
    assert "as before" in morpheval.changes(before, before)[0]
    told, changed = morpheval.changes(
        before, before | {("s", "past", ("a", "b")): "pass", ("t", "past", ("c",)): "fail"}
    )
    assert "past (s): fail → pass." in told and changed == {("s", "past", ("a", "b"))}


def test_a_wrong_language_is_noticed(morpheval):
    texts = {
        "French": ["Le chat est dans la maison", "Je ne vois pas les chats"],
        "Spanish": ["El gato está en la casa", "Yo no veo los gatos"],
        "Italian": ["Il gatto è nella casa", "Io non vedo i gatti"],
        "Portuguese": ["O gato está na casa", "Eu não vejo os gatos"],
        "English": ["The cat is in the house"],
    }
    for language, lines in texts.items():
        assert morpheval.looks_like(lines, list(texts)) == language
    assert morpheval.looks_like(["gato"], list(texts)) is None and morpheval.looks_like([], []) is None


# ---- Paraphrases ----


def test_words_that_differ_are_marked(parapluie):
    assert parapluie.differences("A <b> cat sat, there.", "a dog sat there!") == [
        "A &lt;<mark>b</mark>&gt; <mark>cat</mark> sat, there.", "a <mark>dog</mark> sat there!",
    ]  # fmt: skip
    assert parapluie.differences("She lent it.", "she lent it") == ["She lent it.", "she lent it"]
    assert parapluie.differences("one two", "") == ["<mark>one two</mark>", ""]


def test_one_pair_on_the_gauge(parapluie):
    html = parapluie.one_pair(("a", "<b>"), math.log(3), 0.5)
    assert "75 % yes" in html and '<b style="left: 75.0%">' in html and "&lt;<mark>b</mark>&gt;" in html
    assert '<i style="left: 37.8%; width: 24.5%">' in html  # 1 / (1 + e^.5) is .378
    chips = [re.sub("<[^>]*>", "", parapluie.chip(score, 0.5)) for score in (0.5, 0.49, -0.49, -0.5)]
    assert chips == ["PARAPHRASE", "TOO CLOSE TO CALL", "TOO CLOSE TO CALL", "NOT A PARAPHRASE"]


def test_one_word_that_differs_is_pointed_at(parapluie):
    days = "It leaves on Monday.", "It leaves on Tuesday."
    assert "<mark>Monday</mark> and <mark>Tuesday</mark>" in parapluie.one_word_apart(days, 3.0, 0.5)
    assert parapluie.one_word_apart(days, 0.4, 0.5) == parapluie.one_word_apart(days, -3.0, 0.5) == ""
    for other in ("It leaves on a Tuesday.", "It departs on Tuesday.", "It leaves on."):
        assert parapluie.one_word_apart((days[0], other), 3.0, 0.5) == ""


def test_pairs_on_the_map(parapluie):
    html = parapluie.pair_map([("a", 'b" onclick="x'), ("c", "d")], [math.log(3), -30.0], [0.0, 1.0], 0.4)
    point = r'class="(\w+)" aria-label="([^"]*)"( checked)? style="left: ([\d.]+)%; top: ([\d.]+)%"'
    assert re.findall(point, html) == [
        ("good", "pair 1: 75% yes, 0% of the characters differ", " checked", "0.0", "25.0"),
        ("bad", "pair 2: 0% yes, 100% of the characters differ", "", "100.0", "100.0"),
    ]  # fmt: skip
    assert 'onclick="' not in html
    assert parapluie.probability(0) == 0.5 and parapluie.probability(-1e9) < 1e-300
    table = parapluie.pair_table([("a", "b"), ("a", "<b>")], [1.0, -1.0], 0.4, {("a", "b"): False}, 1)
    assert "wrong: written as no paraphrase" in table and "the first 1 of 2" in table and "&lt;b&gt;" not in table


def test_the_judges_health_in_a_sentence(parapluie):
    weak = {"likeliest": ["<I"], "answer_masses": [0.1]}
    assert "“&lt;I”" in parapluie.health_in_words(weak, "m") and "UNRELIABLE" in parapluie.health_in_words(weak, "m")
    sound = {"likeliest": ["yes"], "answer_masses": [0.9]}
    assert "have 90% of &lt;m's answer" in parapluie.health_in_words(sound, "<m")
    assert "misses a word" in parapluie.health_in_words(sound | {"answer_masses": [1.0]}, "m")
    both = sound | {"order_differences": [1.0], "order_agreement": 0.0}
    assert "not always" in parapluie.health_in_words(both, "m")
    assert "A GUESS" in parapluie.health_in_words(both | {"unread": [True]}, "m")


def test_larger_models_are_asked_with_the_visitors_token_alone(monkeypatch):
    for name in ("HF_TOKEN", "ENDPOINT_API_KEY"):
        monkeypatch.setenv(name, "hf_runner")
    monkeypatch.delenv("HF_HUB_OFFLINE", raising=False)
    providers = module_of("parapluie", "providers")
    talk = [[{"role": "user", "content": "Well?"}]] * 2
    with running() as server:
        server.say = lambda body: {"Yes": math.log(0.5), "yes": math.log(0.2), "Maybe": math.log(0.2)}
        judge = providers.Providers("org/model", "hf_visitor", server.url)
        found = list(judge.answer_log_probs(talk, (("yes", "Yes"), ("no", "No"))))
        assert list(judge.generate(talk, 9)) == ["Yes, they do."] * 2
        assert server.keys == {"Bearer hf_visitor"} and {body["model"] for body in server.asked()} == {"org/model"}
        server.fault = lambda n: "401"
        with pytest.raises(ValueError, match="'org/model', which did not answer") as refused:
            list(judge.generate(talk, 9))
    assert "hf_" not in str(refused.value)
    with pytest.raises(ValueError, match="'org/model', which did not answer"):  # the server has gone
        list(judge.generate(talk, 9))
    for yes, no, likeliest, bounded in found:
        assert (yes, no) == pytest.approx((math.log(0.7), math.log(0.1)))  # no is at most what is left
        assert likeliest == "Yes" and bounded


def test_a_chat_model_grades_a_pair_and_the_small_judge_does_not(monkeypatch):
    """Served, or by a visitor's login: 1 * .1 + 3 * .2 + 4 * .3 of .6 is 3.17; two grades that are not listed share
    what the list leaves."""
    monkeypatch.delenv("HF_HUB_OFFLINE", raising=False)
    app, pair = app_of("parapluie", monkeypatch), ("A boat came.", "There <came> a boat.")
    graded = {"1": 0.1, "3": 0.2, "4": 0.3, "2": 1e-9, "5": 1e-9, "Hm": 0.4}

    def say(body):
        if "from 1 to 5" not in body["messages"][-1]["content"]:
            return {"yes": math.log(0.8), "no": math.log(0.2)}
        return {word: math.log(p) for word, p in graded.items()}

    with running() as server:
        server.say = say
        monkeypatch.setattr(app, "ENDPOINT", server.url)
        monkeypatch.setattr(app, "SERVED", "served")
        monkeypatch.setattr(app, "CHOICES", [*app.CHOICES, "served"])
        figure, *others = app.score_pair(*pair, "served", "direct")
        assert "80 % yes" in figure and "from 1 (nothing" in figure and "to 5 (all" in figure
        assert "<b>3.2</b>" in figure and "together are 60% of" in figure and "UNRELIABLE" not in figure
        assert (
            len(others) == 3
            and "A: A boat came.\nB: There <came> a boat.\n" in server.asked()[-1]["messages"][0]["content"]
        )
        graded |= {"1": 0.01, "3": 0.02, "4": 0.03, "Hm": 0.94}
        with pytest.warns(UserWarning, match="the answers together are less likely than 0.5"):
            assert "UNRELIABLE</span> Asked for a grade" in app.score_pair(*pair, "served", "direct")[0]
        del graded["2"], graded["5"]
        graded |= {"1": 0.2, "3": 0.2, "4": 0.2, "Hm": 0.2}
        providers, token = app.Providers, SimpleNamespace(token="hf_visitor")
        monkeypatch.setattr(app, "Providers", lambda *given: providers(*given, server.url))
        assert "together are 80% of" in app.score_by_login(*pair, "org/model", "direct", token)[0]
    assert "grade" not in app.score_pair(*pair, app.SMALL_JUDGE, "direct")[0]


# ---- Summaries ----


NOTHING = {"sources": [0], "numbers": [], "names": [], "dates": [], "negations": 0}


ROW = {
    "text_sentences": ["It <rained>.", "Boats came."],
    "summary_sentences": ["Boats came.", "Kittens met <Tom> in June, but did not eat 3."],
    "similarities": [[0.1, 0.2], [0.9, 0.0]],
    "summary_matches": [1, 0],
    "text_matches": [1, 0],
    "uncovered": [0],
    "unsupported": [1],
    "evidence": [NOTHING, NOTHING | {"names": ["Tom"], "dates": ["june"], "numbers": ["3"], "negations": 1}],
}


def test_sentences_are_linked_both_ways(melasss):
    html = melasss.linked([ROW])
    assert re.findall(r'(data-\w+="\d+")', html) == ['data-of="1"', 'data-of="0"', 'data-at="0"', 'data-at="1"']
    text = re.sub("<[^>]*>", "", html)
    assert "Boats came. from 2 nearest: 2, cosine 0.90" in text and "nothing like it in the text" in text
    assert "not covered cosine 0.20" in text and "covered cosine 0.90" in text and "&lt;rained&gt;" in html
    assert '.linked:has([data-at="1"]:is(:hover, :focus)) [data-of="1"]' in melasss.STYLE
    both = melasss.linked([ROW, ROW | {"uncovered": []}])
    assert both.index("Summary, and") < both.index("Text, and") < both.index("The other summary")
    assert "not covered" not in both


def test_doubts_are_marked_inside_the_sentence_and_counted(melasss):
    assert melasss.with_doubts(ROW, 0) == "Boats came."
    html = melasss.with_doubts(ROW, 1)
    assert re.findall("<mark>(.*?)</mark>", html) == ["Tom", "June", "did not", "3"]
    assert re.findall("<u [^>]*>(.*?)</u>", html) == ["Kittens"] and "&lt;<mark>Tom</mark>&gt;" in html
    said = re.sub("<[^>]*>", "", melasss.verdict([ROW, ROW | {"evidence": [NOTHING] * 2, "unsupported": []}]))
    assert "1 OF 2 IN DOUBT The summary: number not in the text; name not in the text; date not in the text;" in said
    assert "NOTHING FLAGGED The other summary: every sentence is near one of the text. This compares words;" in said
    assert (
        "words that the text lacks: Kittens, June." in said
        and "Of the text's sentences: 1 covered, 1 not covered." in said
    )


def test_a_sentence_that_is_near_but_in_doubt_is_not_covered(melasss):
    wrong = ROW | {"evidence": [NOTHING | {"numbers": ["2"]}] * 2}
    assert [melasss.coverage([wrong], i) for i in range(2)] == ["not covered", "in doubt"]
    assert melasss.coverage([wrong, ROW], 1) == "covered"  # by the other summary
    won = {"text_sentences": ["She won the marathon."], "summary_sentences": ["She lost that marathon."]}
    row = ROW | won | {"evidence": [NOTHING], "unsupported": []}
    assert re.findall("<u [^>]*>(.*?)</u>", melasss.with_doubts(row, 0)) == ["lost"]


def test_terms_as_sentences_by_what_they_do(melasss):
    html = melasss.reasons({"repeated_pairs": -0.5, "known_words": 0.2, "new": 0.01}, {"new": "<n>"})
    rows = [re.sub("<[^>]*>", " ", row).split("  ") for row in html.split("<tr>")[2:]]
    assert [cell.strip() for cell in rows[0] if cell.strip()] == ["It repeats itself.", "lowers it much", "-0.50"]
    assert "Nearly all its words" in html and "raises it somewhat" in html and "&lt;n&gt;: much." in html
    assert set(module_of("_common", "demo").module("melasss", "terms_table").TERMS) <= set(melasss.SAID)


# ---- Files ----


def test_files_in_other_encodings(demo, tmp_path, recwarn):
    text = "é, ü\n"
    for encoding in ("utf-8", "utf-8-sig", "latin-1", "utf-16"):
        path = tmp_path / encoding
        path.write_text(text, encoding=encoding)
        with open(demo.as_utf8(str(path)), encoding="utf-8-sig") as file:
            assert file.read() == text
    for data, message in ((b"\x81\xff", "neither UTF-8 nor cp1252"), (b"PAR1\xff", "a Parquet file, expected a text")):
        (tmp_path / "odd").write_bytes(data)
        with pytest.raises(ValueError, match=f"odd: found {message}"):
            demo.as_utf8(str(tmp_path / "odd"))


def test_what_is_private_is_left_out_of_messages(demo):
    @demo.messages
    def fail():
        raise ValueError(
            f"{demo.scratch()}/key.jsonl:3: found <b> at http://user:word@host/v1, /tmp/gradio/ab12/a.conll"
        )

    with pytest.raises(demo.gr.Error) as error:
        fail()
    assert error.value.message == "Key:3: found &lt;b&gt; at http://host/v1, a.conll"


def test_messages_in_visitors_words(demo, tmp_path):
    said = (
        "response.jsonl:1: document 'text 2': found 'c' as word 1, expected 'b' as in key.jsonl:1: document 'text 2'; "
        'words="aligned" aligns words'
    )
    assert (
        demo.plain(ValueError(said)) == "Response, document 2: found 'c' as word 1, expected 'b' as in key, document 2"
    )
    assert demo.plain(ValueError("melasss: predictions[0]: found 3")) == "Pair 1: found 3"
    twice = 'each mention in one entity, or duplicates="first", or duplicates="conll" (the rule of the CoNLL scorer)'
    for message in (
        twice,
        'each mention in one entity, or match="exact"',
        "each mention in one entity, or format= to name it",
    ):
        assert demo.plain(ValueError(message)) == "Each mention in one entity"
    assert demo.plain(ValueError(f"{tmp_path}/made/a.conll: judge@3dff090d5442")) == "a.conll: the small judge"
    assert demo.plain(ValueError("found yes/no or 3 / 4 / 5")) == "Found yes/no or 3 / 4 / 5"


def test_spreadsheets_find_no_formulas(demo, tmp_path, monkeypatch):
    monkeypatch.setattr(demo, "SCRATCH", tmp_path)
    rows = [["=1+1", "@SUM(1)", " -x", "a=b", -1.5]]
    path = demo.downloads("m", {}, table=(["+h"], rows))[1]
    with open(path, encoding="utf-8-sig", newline="") as file:
        assert file.read().split() == ["'+h", "'=1+1,'@SUM(1),'", "-x,a=b,-1.5"]


def test_old_files_are_removed_once_by_many(demo, tmp_path, monkeypatch):
    monkeypatch.setattr(demo, "SCRATCH", tmp_path)
    kept = demo.scratch()
    old = [demo.scratch() for _ in range(3)]
    for folder in old:
        os.utime(folder, (0, 0))

    def remove_all(_, ignore_errors):  # as if others had removed them, too, while this call looks at them
        for folder in filter(Path.exists, old):
            folder.rmdir()

    monkeypatch.setattr(demo.shutil, "rmtree", remove_all)
    new = demo.scratch()
    assert sorted(tmp_path.iterdir()) == sorted([kept, new])


def test_a_demo_starts_where_its_example_cannot_be_scored(demo):
    @demo.messages
    def fail(_):
        raise ValueError("no lexicon")

    first, *others = demo.first_view(fail, [1], outputs=3)
    assert "No lexicon" in first and 'role="alert"' in first and others == [None, None]


def test_previews_say_what_a_demo_is_about(demo):
    """Gradio's page has its own words twice, for two kinds of previews, and its name as the title."""
    page = demo.templates.env.loader.get_source(demo.templates.env, demo.PAGE)[0]
    assert page.count(demo.PREVIEW) == 2 == page.count('content="Gradio"')
    mine = demo.previewed(page, "A <title>", "What it is & does")
    assert demo.PREVIEW not in mine and 'content="Gradio"' not in mine
    assert mine.count('content="A &lt;title&gt;"') == mine.count('content="What it is &amp; does"') == 2


def test_code_to_copy_runs_anywhere(demo, monkeypatch):
    """It names no folder of this machine: on the Hub the Space, elsewhere the package."""
    monkeypatch.delenv("SPACE_ID", raising=False)
    code, found = demo.snippet("muc_b3_ceaf_entropy", predictions=[[["a"]]], references=[[["a"]]]), {}
    exec(code, found)
    assert str(ROOT) not in code and found["result"]["b3_f1"] == 1
    monkeypatch.setenv("SPACE_ID", "lab/one")
    assert "evaluate.load('lab/one')" in demo.snippet("muc_b3_ceaf_entropy")


def app_of(name, monkeypatch):
    """A demo, without a server."""
    monkeypatch.setitem(sys.modules, "demo", module_of("_common", "demo"))
    for part in ("drawing", *(["providers"] if name == "parapluie" else [])):
        monkeypatch.setitem(sys.modules, part, module_of(name, part))
    return module_of(name, "app")


def test_large_heads_are_refused_before_memory_is_taken(monkeypatch, tmp_path):
    app, asked = app_of("melasss", monkeypatch), []
    monkeypatch.setattr(app, "HfApi", lambda: SimpleNamespace(model_info=lambda *_, **__: asked[0]))
    monkeypatch.setattr(app, "hf_hub_download", lambda *_: str(tmp_path / "config.json"))
    monkeypatch.setattr(app, "metric", lambda name: pytest.fail("the head is opened"))
    with pytest.raises(ValueError, match="The head lab/head cannot be read from the Hub"):
        app.opened("lab/head")  # nothing answers
    for size, width, message in ((30_000_000, 384, "larger than 20 MB"), (1000, 10**6, "of 1000000 numbers, not 384")):
        asked[:] = [SimpleNamespace(siblings=[SimpleNamespace(size=size), SimpleNamespace(size=None)])]
        (tmp_path / "config.json").write_text(json.dumps({"width": width}))
        with pytest.raises(ValueError, match=message):
            app.opened("lab/head")


def test_a_summary_without_words_says_nothing(monkeypatch):
    app = app_of("melasss", monkeypatch)
    shown = app.score(app.EXAMPLE["text"], "...", "relevance", "regression", 0.5, "", "attention")[0]
    assert "The summary has no words" in shown and "NOTHING FLAGGED" not in shown


def test_random_clusters_are_shown_where_they_are_of_use(monkeypatch):
    """Not of a few mentions, where they are right by chance; an empty response has a score, and a note."""
    app = app_of("muc_b3_ceaf_entropy", monkeypatch)
    few = app.score_text("[Ann]1 left . [She]1 slept .", "")[0]
    assert few.startswith('<p><span class="chip unsure">NOTE</span> Found no mention in the response')
    assert "CoNLL F1 0.00 %" in few and "everything in one cluster" in few and "random clusters" not in few
    assert "random clusters" in app.FIRST[0] and "the best trivial baseline" in app.FIRST[0]


def test_a_key_that_repeats_a_mention(monkeypatch, tmp_path):
    """The page says so each time, and its code gives the page's score."""
    app, text, found = app_of("muc_b3_ceaf_entropy", monkeypatch), "[[Ann]1]2 a [she]1", {}
    for _ in range(2):
        figure, measures, _, code = app.score_text(text, text)
    assert "The key has 1 mentions in several entities: 'Ann' (key, document 1); they count" in figure
    assert figure.count("NOTE") == 2 and "|duplicates:conll_in_key|words:aligned" in measures
    monkeypatch.chdir(tmp_path)
    exec(code, found)
    assert found["result"]["signature"] in measures and f"{found['result']['conll_f1']:.2%}"[:5] in figure


def test_numbers_of_failures_add_up(monkeypatch):
    """The first line, the cards' line and the cards."""
    app = app_of("morpheval", monkeypatch)
    shown = re.sub("<[^>]*>", "", app.FIRST[0])
    losses = [int(n) for pair in re.findall(r"loses (\d+) of \d+|varies in (\d+) of", shown) for n in pair if n]
    assert losses and f"failures ({sum(losses)} in all)" in shown
    assert app.FIRST[0].count('class="fails"') == sum(losses)


def test_a_score_without_interval(monkeypatch):
    """Of test C, where there is one group alone."""
    app, name = app_of("morpheval", monkeypatch), "verb_consistency:tense"
    of_one = {name: 0.311, f"{name}_n": 1, f"{name}_rejected": 0, f"{name}_low": math.nan, f"{name}_high": math.nan}
    assert "<b>0.31</b> <small>n = 1</small>" in app.side_by_side({"a": of_one}, {})


def test_rows_that_are_not_translated_or_empty(monkeypatch):
    app, english = app_of("morpheval", monkeypatch), "the cat is in the house"
    assert "look like English, but French is chosen: are they" in app.other_language({"a": [[english]]}, "French")
    assert "choose the language" in app.other_language({"a": [["el gato está en la casa", "los gatos"]]}, "French")
    with pytest.raises(ValueError, match="Row 2: the English sentence is empty"):
        app.groups_of([["past", "She sings."], ["past", " "]])


def test_names_of_files_are_text(monkeypatch):
    """What is drawn of systems whose files have HTML for names."""
    app = app_of("morpheval", monkeypatch)
    rows = app.groups_of(app.SPANISH), [row[2] for row in app.SPANISH]
    texts = iter(rows[1])
    groups = [[next(texts) for _ in group["sources"]] for group in rows[0]]
    drawn = app.judged(rows[0], {"<img src=x>": groups, "b": groups}, "Spanish", None, "", None)
    assert "<img" not in drawn[0] + drawn[1] and "&lt;img" in drawn[0]
    with pytest.raises(ValueError, match="group 1: .* too many for the demo"):
        app.judged(rows[0], {"b": [["a" * 6000, "b"], *groups[1:]]}, "Spanish", None, "", None)


@pytest.mark.parametrize("language", ["Spanish", "Italian", "Portuguese"])
def test_a_few_words_suffice_for_the_examples(language, monkeypatch):
    """Where a language has no lexicon, the demo's own one has every word of its example."""
    app = app_of("morpheval", monkeypatch)

    def no_lexicon():
        raise ValueError("found no lexicon")

    rules = app.module(app.NAME, "scoring").LANGUAGES[app.LANGUAGES[language]]
    monkeypatch.setitem(
        app.module(app.NAME, "scoring").LANGUAGES, app.LANGUAGES[language], rules._replace(default_lexicon=no_lexicon)
    )
    figure, *_, verdicts = app.judge_rows(app.ROWS[language][0], language, {"French": {}})
    assert "Judged again" not in figure  # what another language gave is nothing to compare with
    verdicts = verdicts[language]
    assert f"The {language} lexicon here has the example" in figure
    assert {system: {value for (by, *_), value in verdicts.items() if by == system} for system in app.HEADS[2:]} == {
        "careful": {"pass"}, "hasty": {"fail"},
    }  # fmt: skip


def test_columns_of_a_file_are_known_or_chosen(monkeypatch, tmp_path):
    app, path = app_of("parapluie", monkeypatch), tmp_path / "pairs.csv"
    nothing = (None, None)

    def read(text, columns=nothing, skip=False):
        path.write_text(text, encoding="utf-8")
        return app.pairs_in(str(path), columns, skip)

    assert read("id,sentence,candidate\n1,A a,B b\n") == [("A a", "B b")]
    assert read("A a,B b\nC,D\n") == [("A a", "B b"), ("C", "D")]  # no headings: the first pair counts
    unknown = "x,label,one,two\n1,yes,A a,B b\n"
    with pytest.raises(ValueError, match="choose the column of A and that of B"):
        read(unknown)
    a, b, skip = app.columns_in(str(path))
    assert [label for label, _ in a.choices] == ["1: x", "2: label", "3: one", "4: two"]
    assert a.value is b.value is None and skip.value is False
    assert read(unknown, ("3: one", "4: two"), True) == [("A a", "B b")]
    for text, message in (
        ("A a,B b\n,D\n", "Row 2: one of the two sentences is empty"),
        ("Kids, play;They play\n", "can be cut at its commas and at its semicolons alike"),
        (" \n", "The file is empty"),
        ("just a sentence\nanother\n", "The file has one column"),
    ):
        with pytest.raises(ValueError, match=message):
            read(text)
    with pytest.raises(app.gr.Error, match="One of the two sentences is empty"):
        app.score_pair(None, "a", app.SMALL_JUDGE, "fs_direct")


@pytest.mark.parametrize("text", ["sentence;candidate\n{}\n", "\n{}\nOne;Two\n", "{}\nA, b, c;D\n"])
def test_texts_with_commas_are_whole(text, monkeypatch, tmp_path):
    path = tmp_path / "pairs.csv"
    path.write_text(text.format("Kids, play;They play"), encoding="utf-8")
    pairs = app_of("parapluie", monkeypatch).pairs_in(str(path), (None, None), False)
    assert ("Kids, play", "They play") in pairs

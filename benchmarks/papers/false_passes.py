"""How many wrong translations pass: python benchmarks/papers/false_passes.py

Each is a right one (of the judged items, or a careful translation of the suite, that the metric passes, too) in which
the form that decides is exchanged, by the lexicon, for that of another value: the present for the past, the singular
for the plural, "il" for "elle". Left out is what may be right still: a form that has the right value, too, or that of
the word that it must agree with; a sentence with another past, future, comparative or negative beside the one
exchanged; auxiliaries, which two verbs may share, and "go" before an infinitive; a colour with its shade.
"""

import argparse
import json
import sys
from collections import defaultdict
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from benchmarks.report import print_table  # noqa: E402
from metrics.morpheval import language_french, language_italian, language_portuguese, language_spanish  # noqa: E402
from metrics.morpheval.contrastive_tests import CONTRASTS, TESTS, Judgement, judge_together  # noqa: E402
from metrics.morpheval.grammar_verbs import has_auxiliary, is_going  # noqa: E402
from metrics.morpheval.lexicon import Reading, load, read_mlex  # noqa: E402
from metrics.morpheval.scoring import LANGUAGES  # noqa: E402
from metrics.morpheval.suite_files import load_suite  # noqa: E402
from metrics.morpheval.verdicts import Evidence  # noqa: E402
from metrics.morpheval.words import Sentence, features  # noqa: E402
from tests.morpheval.items import judged  # noqa: E402

NAMES = {"fr": "French", "es": "Spanish", "it": "Italian", "pt": "Portuguese"}
LISTS = {
    "fr": language_french.WORDS,
    "es": language_spanish.WORDS,
    "it": language_italian.WORDS,
    "pt": language_portuguese.WORDS,
}
MOODS = {"past": "IJ", "future": "F", "conditional": "C", "subjunctive": "ST"}
VERY = {"fr": "très", "es": "muy", "it": "molto", "pt": "muito"}
FORMS = {"verb": ("v", "auxAvoir", "auxEtre"), "noun": ("nc",), "adjective": ("adj", "v")}
PLACE = {"tense": 0, "person": 1, "number": 2, "gender": 3}  # of `Features`
# Pronouns by gender (columns) and number (the other half of the row).
PRONOUNS = {
    "fr": "il elle ils elles|le la les les|-le -la -les -les|celui-ci celle-ci ceux-ci celles-ci|"
    "celui celle ceux celles|celui-là celle-là ceux-là celles-là|-il -elle -ils -elles",
    "es": "él ella ellos ellas|lo la los las|-lo -la -los -las|este esta estos estas|ese esa esos esas|le le les les",
    "it": "lui lei loro loro|lo la li le|-lo -la -li -le|questo questa questi queste|quello quella quelli quelle",
    "pt": "ele ela eles elas|o a os as|-o -a -os -as|-lo -la -los -las|dele dela deles delas|nele nela neles nelas|"
    "este esta estes estas|lhe lhe lhes lhes",
}
Change = tuple[dict[int, str], int]  # {position: the form there, "" for none}, and the translation's number
Words = tuple[Evidence, ...]


class Language:
    """Rules and lexicon of a language, and what the exchange needs: forms by lemma, pronouns by gender and number."""

    def __init__(self, name: str):
        self.name, self.rules = name, LANGUAGES[name]
        self.lists = LISTS[name]
        self.lexicon = load(None, self.rules.default_lexicon)
        self.forms: dict[tuple[str, str], dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
        for form, reading in read_mlex(self.lexicon.source):
            if "'" not in form:
                self.forms[reading.category, reading.lemma][form.lower()].append(reading.features)
        self.pronouns = [row.split() for row in PRONOUNS[name].split("|")]

    def judge(self, test: str, sentences: list[Sentence]) -> Judgement:
        return judge_together((CONTRASTS[test],), sentences, self.rules.finders)[test]

    def other_pronouns(self, form: str, feature: str) -> Iterator[str]:
        """The pronoun of the other gender, or of the other number."""
        for row in self.pronouns:
            if form in row:
                other, place = row[row.index(form) ^ (1 if feature == "gender" else 2)], PLACE[feature]
                shown = [features(self.lists.pronouns.get(pronoun, "")) for pronoun in (form, other)]
                if other != form and shown[0][place].isdisjoint(shown[1][place]):
                    yield other

    def other_forms(self, readings: tuple[Reading, ...], kind: str, feature: str, wanted: str = "") -> set[str]:
        """Forms of the same lemmas that differ in the feature alone (in ``wanted`` values of it), in all readings."""
        place, found = PLACE[feature], set()
        readings = tuple(r for r in readings if "3" in r.features) or readings
        own = frozenset().union(*(features(r.features)[place] for r in readings))
        if not own or not all(features(r.features)[place] for r in readings):
            return set()  # it has no value to exchange
        for reading in readings:
            shown = features(reading.features)
            for form, tags in self.forms.get((reading.category, reading.lemma), {}).items():
                others = [features(tag) for tag in tags]
                if any(other[place] & own or not other[place] for other in others):
                    continue
                wished = (other for other in others if not wanted or other[place] & set(wanted))
                beside = [k for k in PLACE.values() if k != place]
                same = (all(other[k] & shown[k] or other[k] == shown[k] for k in beside) for other in wished)
                if any(same) and not self.values(form, kind, place) & own:
                    found.add(form)
        return found

    def values(self, form: str, kind: str, place: int) -> frozenset:
        """All values that a form may have."""
        readings = self.lexicon.readings([form]).get(form, ())
        return frozenset().union(*(features(r.features)[place] for r in readings if r.category in FORMS[kind]))


def _of_kind(evidence: Evidence, kind: str) -> tuple[Reading, ...]:
    return tuple(r for r in evidence.readings if r.category in FORMS[kind])


# ---- The exchanges that make a translation wrong: each takes the test's feature and the evidence that it is right ----


def _present(language: Language, tense: str, sentences: list[Sentence], evidence: Words) -> Iterator[Change]:
    """The present for the only verb in the tense; of one with an auxiliary its own, without that."""
    main, words = evidence[-1], sentences[evidence[-1].side]
    moods, others = set(MOODS[tense]), set(range(len(words))) - {e.position for e in evidence}
    compound = {i for i in others if has_auxiliary(language.lists, words, i)} if tense == "past" else set()
    if compound or any(words[i].moods & moods for i in others):
        return
    if len(evidence) == 1:
        shown = tuple(r for r in main.readings if features(r.features).moods & moods)
        governs = words[main.position].auxiliary or any(r.lemma in language.lists.go for r in shown)
        for form in () if governs else language.other_forms(shown, "verb", "tense", "P"):
            if language.values(form, "verb", PLACE["tense"]).isdisjoint(moods):
                yield {main.position: form}, main.side
        return
    of_head = [features(r.features) for r in evidence[0].readings if features(r.features).persons]
    for lemma in {r.lemma for r in main.readings}:
        for form, tags in language.forms.get(("v", lemma), {}).items():
            fits = (t.persons & h.persons and t.numbers & h.numbers for t in map(features, tags) for h in of_head)
            if all(features(tag).moods <= set("PY") for tag in tags) and any(fits):
                removed = dict.fromkeys(range(evidence[0].position + 1, main.position + 1), "")
                yield {**removed, evidence[0].position: form}, main.side


def _affirmed(language: Language, _feature: str, sentences: list[Sentence], evidence: Words) -> Iterator[Change]:
    """No negative, where the sentence has no other."""
    positions, side = {e.position for e in evidence}, evidence[0].side
    negatives = language.lists.negative_alone | language.lists.negatives
    if not any(word.form in negatives for i, word in enumerate(sentences[side]) if i not in positions):
        yield dict.fromkeys(positions, ""), side


def _very(language: Language, _feature: str, sentences: list[Sentence], evidence: Words) -> Iterator[Change]:
    """Very for the only more."""
    side, position, _ = evidence[-1]
    mores = [i for i, word in enumerate(sentences[side]) if word.form == language.lists.more]
    if mores == [position]:
        yield {position: VERY[language.name]}, side


def _other_noun(language: Language, feature: str, _sentences: list[Sentence], evidence: Words) -> Iterator[Change]:
    """The other number of the noun."""
    for form in language.other_forms(_of_kind(evidence[-1], "noun"), "noun", feature):
        yield {evidence[-1].position: form}, evidence[-1].side


def _other_pronoun(language: Language, feature: str, sentences: list[Sentence], evidence: Words) -> Iterator[Change]:
    """The other gender or number of a pronoun."""
    for side, position, _ in evidence:
        for form in language.other_pronouns(sentences[side][position].form, feature):
            yield {position: form}, side


def _other_adjective(language: Language, feature: str, sentences: list[Sentence], evidence: Words) -> Iterator[Change]:
    """The other gender or number of an adjective that is no colour with its shade: "verdes claros"."""
    for e in evidence:
        shaded = any(word.form in language.lists.shades for word in sentences[e.side][e.position + 1 : e.position + 2])
        for form in () if shaded else language.other_forms(_of_kind(e, "adjective"), "adjective", feature):
            yield {e.position: form}, e.side


def _other_in_phrase(language: Language, feature: str, sentences: list[Sentence], evidence: Words) -> Iterator[Change]:
    """The same of a noun that cannot have the other one: not of "les jeunes touristes"."""
    noun, *others = evidence
    own = language.values(sentences[noun.side][noun.position].form, "noun", PLACE[feature])
    for change, side in _other_adjective(language, feature, sentences, tuple(others)):
        if all(language.values(form, "adjective", PLACE[feature]).isdisjoint(own) for form in change.values()):
            yield change, side


def _other_verb(language: Language, feature: str, sentences: list[Sentence], evidence: Words) -> Iterator[Change]:
    """Another tense, person or number of a verb without an auxiliary, that no other of the verbs may have."""
    place = PLACE[feature]
    for e in evidence:
        word = sentences[e.side][e.position]
        if word.auxiliary or is_going(language.lists, word):
            continue
        others = (sentences[o.side][o.position].form for o in evidence if o is not e)
        shared = frozenset().union(*(language.values(form, "verb", place) for form in others))
        finite = tuple(r for r in _of_kind(e, "verb") if features(r.features).moods & set("PIJFC"))
        for form in language.other_forms(finite, "verb", feature, "PIF" if feature == "tense" else ""):
            if language.values(form, "verb", place).isdisjoint(shared):
                yield {e.position: form}, e.side


EXCHANGES = {
    **dict.fromkeys(MOODS, _present),
    "negation": _affirmed,
    **dict.fromkeys(("comparative", "superlative"), _very),
    "noun_number": _other_noun,
    **dict.fromkeys(("pronoun_number", "coref"), _other_pronoun),
    "np": _other_in_phrase,
    "adj_consistency": _other_adjective,
    **dict.fromkeys(("coord_verb", "verb_consistency"), _other_verb),
}


def changes(language: Language, test: str, sentences: list[Sentence], evidence: Words) -> Iterator[Change]:
    """The exchanges for a test; those of tests A have no feature but their own."""
    name, _, feature = test.partition(":")
    yield from EXCHANGES[name](language, feature or (name if name in MOODS else "number"), sentences, evidence)


def with_change(sentences: list[Sentence], change: dict[int, str], side: int) -> list[str]:
    """The translations as tokens, with the change in one of them."""
    forms = [[word.form for word in sentence] for sentence in sentences]
    forms[side] = [change.get(i, form) for i, form in enumerate(forms[side])]
    return [" ".join(sentence).replace("_", " ") for sentence in forms]


def items(name: str) -> Iterator[dict]:
    """The judged items of a language, and the suite's groups with their careful translations."""
    yield from chain.from_iterable(judged(name).values())
    suite = load_suite()
    groups = dict(zip(suite.ids, suite, strict=True))
    for line in (ROOT / "benchmarks" / "suite" / f"careful.{name}.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        group = groups[row["id"]]
        for test in TESTS[group["test"]]:
            verdict = ["pass", "pass"] if test.name.startswith("coref") else "pass"
            yield {**group, "test": test.name, "translations": row["translations"], "verdict": verdict}


def right(language: Language, item: dict) -> Iterator[tuple[list[Sentence], tuple[Evidence, ...], int]]:
    """The sides of an item that readers and metric say pass, with the evidence: also as its tokens."""
    verdict = item["verdict"]
    sentences = language.rules.analyse(item["translations"], language.lexicon, item["sources"])
    sentences = language.rules.analyse(with_change(sentences, {}, 0), language.lexicon, item["sources"])
    found = language.judge(item["test"], sentences)
    for number, (finding, outcome) in enumerate(zip(found.findings, found.outcomes, strict=True)):
        expected = verdict[number] if item["test"].startswith("coref") else verdict
        same = isinstance(expected, list) and len(set(expected)) == 1
        passes = outcome == (0.0 if CONTRASTS[item["test"]].family == "C" else 1.0)
        if passes and (expected == "pass" or same) and finding.evidence:
            yield sentences, finding.evidence, number


def wrong_translations(language: Language, item: dict) -> Iterator[tuple[list[str], bool]]:
    """(the translations with one of them wrong, whether they pass) for each exchange."""
    test = item["test"]
    for sentences, evidence, number in right(language, item):
        for change, side in changes(language, test, sentences, evidence):
            texts = with_change(sentences, change, side)
            analysed = language.rules.analyse(texts, language.lexicon, item["sources"])
            outcome = language.judge(test, analysed).outcomes[number]
            yield texts, outcome == (0.0 if CONTRASTS[test].family == "C" else 1.0)


def rows(show: bool) -> Iterator[tuple[str, ...]]:
    counts: dict[tuple[str, str], list[bool]] = defaultdict(list)
    for name in LANGUAGES:
        language = Language(name)
        for item in items(name):
            for texts, passes in wrong_translations(language, item):
                counts[item["test"], name].append(passes)
                if show and passes:
                    print(name, item["test"], *texts, sep="\n    ", file=sys.stderr)
    for test in CONTRASTS:
        yield (test, *(_share(counts[test, name]) for name in LANGUAGES))
    all_of = {name: [p for (_, of), passes in counts.items() if of == name for p in passes] for name in LANGUAGES}
    yield ("all", *map(_share, all_of.values()))


def _share(passes: list[bool]) -> str:
    return f"{100 * sum(passes) / len(passes):.1f} ({len(passes)})" if passes else ""


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--save", action="store_true", help="keep the page in benchmarks/results")
    parser.add_argument("--show", action="store_true", help="print what passes, on standard error")
    options = parser.parse_args(arguments)
    header = f"| test | {' | '.join(NAMES.values())} |\n|---|{'---:|' * len(NAMES)}"
    setting = "wrong translations that pass, in per cent (of how many): right ones with the deciding form exchanged."
    save = "morpheval_false_passes" if options.save else None
    command = "benchmarks/papers/false_passes.py --save"
    print_table("Morpheval: wrong translations that pass", (), setting, header, rows(options.show), save, command)


if __name__ == "__main__":
    main()

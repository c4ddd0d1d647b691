"""Gender as morpheval reads it beside the gold spans of MT-GenEval (Currey et al. 2022), English to French.

    python benchmarks/papers/mt_geneval.py FOLDER [--split test] [--save]

FOLDER is a copy of the repository amazon-science/machine-translation-gender-eval on GitHub, or its folder `data`;
nothing of it is kept here. Each sentence there has a feminine and a masculine reference, in which people marked the
words that differ in gender. Measured are

- spans: is the gender of a marked span read from its words? Precision is over the spans that show one, recall over all.
- np:gender: spans of a noun and its adjective; a wrong translation has the adjective of the other reference.
- coref:gender: sentences whose first marked word is a noun in the singular, and whose one pronoun of the third person
  is a marked one after it; a wrong translation has the pronoun of the other reference. Precision is over the verdicts
  "pass", recall over the right translations.
- what is no translation: empty, the English source, the source with a French word in it; how many verdicts are "pass".
"""

import argparse
import re
import sys
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from benchmarks.report import print_table  # noqa: E402
from metrics.morpheval import lexicon  # noqa: E402
from metrics.morpheval.common_hub import packaged_file  # noqa: E402
from metrics.morpheval.contrastive_tests import CONTRASTS, judge_together  # noqa: E402
from metrics.morpheval.grammar_classes import is_adjective, is_noun  # noqa: E402
from metrics.morpheval.grammar_nouns import adjective_values, noun_values  # noqa: E402
from metrics.morpheval.language_french import FRENCH, WORDS  # noqa: E402
from metrics.morpheval.lexicon_lefff import PACKAGE  # noqa: E402
from metrics.morpheval.words import agreement, features  # noqa: E402

GENDERS = {"feminine": "f", "masculine": "m"}
SPAN = re.compile(r"<([FM])>(.*?)</\1>")
OPEN, CLOSE = "qqopenqq", "qqcloseqq"  # words, since other marks do not outlive the cleaning
PRONOUNS = {"il", "elle"}
THIRD_PERSON = re.compile(r"\b(?:ils?|elles?|lui|eux|celui|celles?|ceux|\w*quel(?:le)?s?)\b", re.IGNORECASE)


def read(folder, split):
    """[{gender: marked reference}] and [{gender: source}]; lines whose spans do not pair up are as they are."""
    folder = folder / "data" if (folder / "data").is_dir() else folder
    place = folder / "sentences" / split
    columns = {}
    for gender in GENDERS:
        for kind, path in (("marked", place / "annotated"), ("source", place)):
            name = f"geneval-sentences-{gender}-{split}.en_fr.{'fr' if kind == 'marked' else 'en'}"
            columns[kind, gender] = (path / name).read_text(encoding="utf-8").splitlines()
    lengths = {len(lines) for lines in columns.values()}
    if len(lengths) != 1:
        raise SystemExit(f"found files of {sorted(lengths)} lines in {place}, expected the same number")
    return [
        {kind: {gender: columns[kind, gender][i] for gender in GENDERS} for kind in ("marked", "source")}
        for i in range(lengths.pop())
    ]


def plain(marked):
    return SPAN.sub(r"\2", marked)


def analyse(marked, words):
    """The sentence as words, and the positions of each marked span."""
    text = SPAN.sub(rf" {OPEN} \2 {CLOSE} ", marked).strip()
    (tokens,) = FRENCH.analyse([text[:3].lower() + text[3:]], words)
    sentence, spans = [], []
    for word in tokens:
        if word.form == OPEN:
            spans.append([])
        elif word.form == CLOSE:
            spans[-1] = range(spans[-1][0], len(sentence)) if spans[-1] else range(0)
        else:
            if spans and isinstance(spans[-1], list):
                spans[-1].append(len(sentence))
            sentence.append(word)
    return sentence, [span for span in spans if len(span)]


def gender_of(sentence, span):
    """The one gender that words of the span show, None without one or with both."""
    shown = Counter()
    for i in span:
        word = sentence[i]
        if is_noun(WORDS, sentence, i):
            values = noun_values(WORDS, sentence, i)["gender"]
        elif word.form in WORDS.pronouns or word.determiner is not None:
            values = features(WORDS.pronouns.get(word.form) or word.determiner or "").genders
        elif is_adjective(WORDS, sentence, i) or is_adjective(WORDS, sentence, i, of_state=True):
            values = adjective_values(WORDS, sentence, i)["gender"]
        else:
            values = agreement(word.nouns or word.adjectives or word.verbs)["gender"]
        if len(values) == 1:
            shown.update(values)
    return next(iter(shown)) if len(shown) == 1 else None


def span_scores(rows, words):
    """(right, shown, all) over the marked spans."""
    right = shown = n = 0
    for row in rows:
        for gender, letter in GENDERS.items():
            sentence, spans = analyse(row["marked"][gender], words)
            for span in spans:
                found = gender_of(sentence, span)
                n += 1
                shown += found is not None
                right += found == letter
    return right, shown, n


def verdict(test, words, *translations):
    sentences = FRENCH.analyse(list(translations), words)
    return judge_together((CONTRASTS[test],), sentences, FRENCH.finders)[test].verdict


def noun_phrases(row, words):
    """(right, wrong) noun phrases of a reference: the wrong one has the other's adjective."""
    marked = row["marked"]
    spans = {gender: [m[2] for m in SPAN.finditer(marked[gender])] for gender in GENDERS}
    if len(spans["feminine"]) != len(spans["masculine"]):
        return
    for both in zip(spans["feminine"], spans["masculine"]):
        for this, other in (both, both[::-1]):
            tokens, others = this.split(), other.split()
            if len(tokens) != len(others) or len(tokens) < 2:
                continue
            (sentence,) = FRENCH.analyse([this], words)
            if len(sentence) != len(tokens):
                continue
            for i in range(len(tokens)):
                differs = tokens[i] != others[i] and not sentence[i].nouns and bool(sentence[i].adjectives)
                # In "nommée professeure" the participle is no part of a noun phrase.
                neighbours = (i - 1,) if "K" in sentence[i].moods else (i - 1, i + 1)
                beside = any(0 <= j < len(tokens) and is_noun(WORDS, sentence, j) for j in neighbours)
                if differs and beside:
                    yield this, " ".join([*tokens[:i], others[i], *tokens[i + 1 :]])


def np_scores(rows, words):
    right = wrong = n = 0
    for row in rows:
        for good, bad in noun_phrases(row, words):
            n += 1
            right += verdict("np:gender", words, "on le voit", f"on voit {good}") == "pass"
            wrong += verdict("np:gender", words, "on le voit", f"on voit {bad}") == "pass"
    return right, wrong, n


def anaphors(row):
    """(this reference, the other, this with the first pronoun after its first noun exchanged) in both directions."""
    marked = row["marked"]
    for gender, other in (("feminine", "masculine"), ("masculine", "feminine")):
        spans, others = list(SPAN.finditer(marked[gender])), list(SPAN.finditer(marked[other]))
        if len(spans) != len(others) or not spans or spans[0][2].lower() in PRONOUNS:
            continue
        first = next((i for i, m in enumerate(spans) if m[2].lower() in PRONOUNS), None)
        if first is None or others[first][2].lower() not in PRONOUNS or spans[0][2].endswith(("s", "x")):
            continue
        if len(THIRD_PERSON.findall(plain(marked[gender]))) != 1:
            continue
        m = spans[first]
        swapped = marked[gender][: m.start(2)] + others[first][2] + marked[gender][m.end(2) :]
        yield plain(marked[gender]), plain(marked[other]), plain(swapped.replace("<M>", "<F>").replace("</M>", "</F>"))


def coref_scores(rows, words):
    right = wrong = rejected = n = 0
    for row in rows:
        for good, other, bad in anaphors(row):
            found = verdict("coref:gender", words, other, good)[1]
            if found == "rejected":
                rejected += 1
                continue
            n += 1
            right += found == "pass"
            wrong += verdict("coref:gender", words, other, bad)[1] == "pass"
    return right, wrong, n, rejected


def passes(rows, words):
    """Passes among what is no translation, over all tests A and B and both positions in the group."""
    found, n = Counter(), 0
    names = [name for name, contrast in CONTRASTS.items() if contrast.family != "C"]
    for row in rows:
        right, source = plain(row["marked"]["feminine"]), row["source"]["feminine"]
        n += len(names)
        for name in names:
            for what, text in (
                ("empty", ""),
                ("the source", source),
                ("the source with a French word", f"elle {source}"),
            ):
                outcome = verdict(name, words, right, text)
                found[what] += (outcome[1] if isinstance(outcome, list) else outcome) == "pass"
    return found, n


def share(part, whole):
    return f"{100 * part / whole:.1f}" if whole else "none"


def table(rows, words):
    right, shown, n = span_scores(rows, words)
    yield "gender of marked spans", n, share(right, shown), share(right, n)
    right, wrong, n = np_scores(rows, words)
    yield "np:gender", n, share(right, right + wrong), share(right, n)
    right, wrong, n, rejected = coref_scores(rows, words)
    yield f"coref:gender ({rejected} more rejected)", n, share(right, right + wrong), share(right, n)
    found, n = passes(rows, words)
    for what in ("empty", "the source", "the source with a French word"):
        yield f"{what}: verdicts, passes", n, found[what], ""


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path, help="a copy of the data's repository, or its folder data")
    parser.add_argument("--split", choices=("dev", "test"), default="test")
    parser.add_argument("--save", action="store_true", help="write the table to benchmarks/results")
    arguments = parser.parse_args()
    rows, words = read(arguments.folder, arguments.split), lexicon.load(packaged_file(*PACKAGE))
    print_table(
        f"Morpheval beside MT-GenEval, English to French, {arguments.split}",
        ("evaluate", "datasets", "numpy"),
        f"{len(rows):,} pairs of references.",
        "| what | n | precision | recall |\n|---|---:|---:|---:|",
        (tuple(map(str, cells)) for cells in table(rows, words)),
        "morpheval_mt_geneval" if arguments.save else None,
        f"python benchmarks/papers/mt_geneval.py FOLDER --split {arguments.split} --save",
    )


if __name__ == "__main__":
    main()

"""What the judge is trained on: labelled pairs, and pairs made of sentences by rule. No test pair is among it.

A source is a list of (sentence, sentence, label), 1 for a paraphrase. Labelled are MRPC's training part and PAWS's
development part, and groups of sentences written for this (written.jsonl); every tenth pair or group is held out for
measuring (`MEASURED`).
"""

import gzip
import json
import random
import re
import sys
from functools import cached_property
from itertools import combinations
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[3]))

from benchmarks.papers.judge import rules, scenes  # noqa: E402
from benchmarks.papers.judge.related import Related  # noqa: E402
from metrics.morpheval.make_tools import hanta_tagger, lemminflect_form  # noqa: E402

DATA = Path(__file__).resolve().parents[4] / "shared" / "data"
HELD_OUT = 10
SEED = 0


def labelled(name: str) -> list:
    """All pairs of a labelled set, untokenised."""
    if name == "mrpc":
        lines = (DATA / "mrpc/msr_paraphrase_train.txt").read_text("utf-8-sig").splitlines()[1:]
        rows = [line.split("\t") for line in lines]
        return [(row[3], row[4], int(row[0])) for row in rows]
    with open(DATA / "paws/paws_wiki_labeled_final_dev.tsv", encoding="utf-8") as file:
        rows = [line.rstrip("\r\n").split("\t") for line in file]
    return [(row[1], row[2], int(row[3])) for row in rows]


def training(name: str) -> list:
    return [(joined(a), joined(b), label) for i, (a, b, label) in enumerate(labelled(name)) if i % HELD_OUT]


def held_out(name: str) -> list:
    return [(joined(a), joined(b), label) for a, b, label in labelled(name)[::HELD_OUT]]


def everyday(part: str) -> list:
    """200 pairs that somebody wrote who knew nothing of the training; never trained on.

    Part "development" says what is log-odds 0 (`train.export`), and showed what to write groups about; "test" was
    measured when that was done. No pair of either stands in one group; single sentences, such as "My brother is two
    years older than me.", do.
    """
    file = Path(__file__).parent / f"everyday_{part}.jsonl"
    rows = map(json.loads, file.read_text(encoding="utf-8").splitlines())
    return [(row["source"], row["hypothesis"], row["label"]) for row in rows]


def written() -> list:
    """Groups that were written for the training: a sentence, others of the `same` meaning, and `other` near misses."""
    lines = (Path(__file__).parent / "written.jsonl").read_text(encoding="utf-8").splitlines()
    return list(map(json.loads, lines))


def pairs_of_groups(groups, rng) -> list:
    """All paraphrases of each group, and each near miss beside the sentence and beside one of the same meaning."""
    found = []
    for group in groups:
        alike = [group["s"], *group["same"]]
        found += [(a, b, 1) for a, b in combinations(alike, 2)]
        found += [(a, b, 0) for b in group["other"] for a in (group["s"], rng.choice(group["same"]))]
    return found


# Pairs that were not trained on, by the name of the set.
MEASURED = {
    "paws": lambda: held_out("paws"),
    "mrpc": lambda: held_out("mrpc"),
    "everyday": lambda: everyday("development"),
    "written": lambda: pairs_of_groups(written()[::HELD_OUT], random.Random("held out")),
}


def joined(text: str) -> str:
    """Tokenised text as it is written."""
    text = text.replace("``", '"').replace("''", '"')
    text = re.sub(r" ([.,;:!?)%]|'s\b|n't\b|'re\b|'ve\b|'ll\b|'d\b|'m\b)", r"\1", text)
    text = re.sub(r"([($]) ", r"\1", text)
    return re.sub(r'" ([^"]*?) "', r'"\1"', text)


def articles() -> list:
    """News articles as lists of sentences."""
    texts = {}
    with gzip.open(DATA / "summeval/summeval_train80.jsonl.gz", "rt") as file:
        for line in file:
            row = json.loads(line)
            texts[row["doc_id"]] = row["text"]
    with gzip.open(DATA / "summaries_dailynews/DailyNews_300_aspects.json.gz", "rt") as file:
        for row in json.load(file):
            texts[row["text"][:200]] = row["text"]
    found = []
    for text in texts.values():
        sentences = re.split(r"(?<=[.!?])\s+(?=[\"“A-Z])", " ".join(text.split()))
        sentences = [s for s in sentences if 5 <= len(s.split()) <= 40]
        if len(sentences) >= 3:
            found.append(sentences)
    return found


class Sources(dict):
    """Sources of pairs by name, each made when it is first asked for."""

    def __init__(self, folder: Path):
        self.folder = folder

    def __missing__(self, name):
        made = self.folder / f"{name}.json"
        if not made.is_file():
            self.folder.mkdir(parents=True, exist_ok=True)
            made.write_text(json.dumps(getattr(self, f"_{name}")()))
        self[name] = found = json.loads(made.read_text())
        return found

    @cached_property
    def tools(self):
        return rules.Tools(hanta_tagger(), lemminflect_form(), Related())

    @cached_property
    def articles(self):
        return articles()

    @cached_property
    def sentences(self) -> list:
        """Single sentences: of the labelled pairs and of the articles."""
        found = [text for name in ("paws", "mrpc") for a, b, _ in training(name) for text in (a, b)]
        return sorted({*found, *(s for article in self.articles for s in article)})

    @cached_property
    def tagged(self) -> list:
        return [[rules.Token(*token) for token in sentence] for sentence in self["sentences_tagged"]]

    def _sentences_tagged(self):
        chosen = random.Random(SEED).sample(self.sentences, 12000)
        return [rules.tagged(text, self.tools) for text in chosen]

    def _paws(self):
        return training("paws")

    def _mrpc(self):
        return training("mrpc")

    def _swapped(self):
        return rules.made(self.tagged, rules.SWAPS, self.tools, random.Random("swapped"))

    def _moved(self):
        return rules.made(self.tagged, rules.REWORDINGS, self.tools, random.Random("moved"))

    def _eased(self):
        """Without an aside, half of them also reworded."""
        rng, found = random.Random("eased"), rules.made(self.tagged, rules.EASED, self.tools, random.Random("eased"))
        reworded = {a: b for a, b, _ in rng.sample(self["moved"], len(self["moved"]))}
        return [(reworded.get(a, a), b, label) for a, b, label in found]

    def _edited(self):
        return rules.made(self.tagged, rules.EDITS, self.tools, random.Random("edited"))

    def _words(self):
        """One word of a short sentence, or of an everyday one, by another."""
        rng = random.Random("words")
        everyday = [rules.tagged(a, self.tools) for a, _, _ in rng.sample(self["scenes"], 4000)]
        chosen = [tokens for tokens in self.tagged if 4 < len(tokens) <= 22] + everyday
        rng.shuffle(chosen)
        return rules.made(chosen, rules.WORDS_OF_SHORT, self.tools, rng)

    @cached_property
    def groups(self) -> list:
        """Groups of everyday sentences, each tenth left for measuring."""
        return [group for i, group in enumerate(written()) if i % HELD_OUT]

    def _written(self):
        return pairs_of_groups(self.groups, random.Random("written"))

    def _reworded(self):
        """Their sentences, each reworded a little by rule."""
        sentences = [rules.tagged(text, self.tools) for group in self.groups for text in (group["s"], group["same"][0])]
        return rules.made(sentences, rules.REWORDINGS, self.tools, random.Random("reworded"))

    def _neighbours(self):
        """Sentences of one article, near each other, that do not share most of their words."""
        rng, found = random.Random("neighbours"), []
        for article in self.articles:
            for i, a in enumerate(article):
                b = rng.choice([*article[max(0, i - 3) : i], *article[i + 1 : i + 4]])
                if rules.overlap(a, b) < 0.5:
                    found.append((a, b, 0))
        by_number = [text for a, b, _ in training("mrpc") for text in (a, b)]
        found += [(a, b, 0) for a, b in zip(by_number[::2], by_number[3::2]) if rules.overlap(a, b) < 0.5]
        return found

    def _random(self):
        rng = random.Random("random")
        return [(*rng.sample(self.sentences, 2), 0) for _ in range(5000)]

    def _scenes(self):
        return scenes.pairs(60000, random.Random("scenes"))

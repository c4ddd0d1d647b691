"""What the judge of "does the text say this?" is trained on; a pair is (sentences of a text, claim, 1 if they say it).

The written groups (written.jsonl), the groups of the small judge with sentences of others around them, and sentences of
news articles, changed by rule, among their neighbours. Every tenth written group is held out for measuring.
"""

import json
import random
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from training.judge import pairs, rules  # noqa: E402

LONGEST = 95  # words of a pair, so that it is seldom cut
MOST = 4  # sentences of a text at once
EXAMPLES = 2  # of each claim of a written group
# What a part of a sentence leaves out may be left out; the other way round it was not said.
SHORTENED = ((rules.eased, 1, 1.0), (rules.cut, 1, 1.0))
CHANGED = tuple(rule for rule in rules.EDITS if rule[0] is not rules.cut)


def written() -> list[dict]:
    """The groups: a `text` as a list of sentences, claims that it `said`, and such that it does `not`."""
    lines = (Path(__file__).parent / "written.jsonl").read_text(encoding="utf-8").splitlines()
    return list(map(json.loads, lines))


def passage(sentences: list, places: list, rng, most: int = MOST) -> str:
    """Sentences of a text around some places, as many as are drawn: one text, in its order."""
    first, last = min(places), max(places)
    size = max(last - first + 1, rng.randint(1, most))
    start = rng.randint(max(0, last - size + 1), min(first, max(0, len(sentences) - size)))
    return " ".join(sentences[start : start + size])


def fitting(made) -> Iterator[tuple]:
    """Those of (text, claim, label) that are short enough to be read whole."""
    for text, claim, label in made:
        if len(text.split()) + len(claim.split()) <= LONGEST:
            yield text, claim, label


def pairs_of_groups(groups: list, rng) -> list:
    """Each claim with what it is from, and what stands around it; some claims with what another text says."""
    made = []
    for number, group in enumerate(groups):
        for label, claims in ((1, group["said"]), (0, group["not"])):
            for claim in claims:
                places = claim["from"] or [rng.randrange(len(group["text"]))]
                made += [(passage(group["text"], places, rng), claim["claim"], label) for _ in range(EXAMPLES)]
        other = groups[number - 1]["text"]
        made.append((passage(other, [rng.randrange(len(other))], rng), rng.choice(group["said"])["claim"], 0))
    return list(fitting(made))


def measured() -> list:
    """(whole text, claim, label, how the claim is made) of the groups that are held out."""
    return [
        (" ".join(group["text"]), claim["claim"], label, claim["how"])
        for group in written()[:: pairs.HELD_OUT]
        for label, claims in ((1, group["said"]), (0, group["not"]))
        for claim in claims
    ]


class Sources(pairs.Sources):
    """As the small judge's; each pair is a passage and a claim, in this order."""

    def _said(self):
        return pairs_of_groups([g for i, g in enumerate(written()) if i % pairs.HELD_OUT], random.Random("said"))

    def _meant(self):
        """The small judge's groups: a sentence says what means the same, and none of the near misses."""
        rng = random.Random("meant")
        groups = [group for name in pairs.WRITTEN[1:] for group in pairs.trained_on(name)]
        made = [
            (group["s"], claim, label)
            for group in groups
            for label, claims in ((1, group["same"]), (0, group["other"]))
            for claim in claims
        ]
        others = [group["s"] for group in groups]
        return [(among([text], rng.sample(others, rng.choice((0, 0, 1, 2))), rng), *rest) for text, *rest in made]

    def _told(self):
        """Sentences of articles among their neighbours: as they are, reworded, shortened or merged, and changed."""
        rng = random.Random("told")
        places = {sentence: (article, i) for article in self.articles for i, sentence in enumerate(article)}
        tagged = [tokens for tokens in self.tagged if rules.text_of(tokens) in places]
        table = (*rules.REWORDINGS, *SHORTENED, *CHANGED, *rules.SWAPS, (rules.same, 1, 0.6))
        made = []
        for tokens in tagged:
            article, i = places[rules.text_of(tokens)]
            for sentence, claim, label in rules.apply([tokens], table, self.tools, rng):
                made.append((passage(article, [i], rng), claim, label))
                if label and len(claim) < 0.8 * len(sentence):  # what was left out is not said by what is left
                    made.append((among([claim], [], rng), sentence, 0))
            if i + 1 < len(article):
                made.append(self._merged(article, i, rng))
        return list(fitting(made))

    def _merged(self, article, i, rng):
        """Two neighbours as one claim, said by both, and not by one of them alone."""
        claim, said = " ".join(article[i : i + 2]), rng.random() < 0.5
        text = passage(article, [i, i + 1], rng) if said else article[i]
        return text, claim, int(said)

    def _near(self):
        """A claim that is a sentence near the passage, or from elsewhere in the article."""
        rng, made = random.Random("near"), []
        for article in self.articles:
            for i, sentence in enumerate(article):
                size = rng.randint(1, 3)
                before = rng.random() < 0.5
                around = article[max(0, i - size) : i] if before else article[i + 1 : i + 1 + size]
                if around and all(rules.overlap(sentence, other) < 0.5 for other in around):
                    made.append((" ".join(around), sentence, 0))
        return list(fitting(made))


def among(texts: list, others: list, rng) -> str:
    """Texts in their order with others before and after."""
    cut = rng.randint(0, len(others))
    return " ".join([*others[:cut], *texts, *others[cut:]])

"""Items with a known verdict, made of forms drawn from the lexicon: what the published script was seen to get wrong."""

import random
from collections import defaultdict

from metrics.morpheval.language_french import WORDS

from .items import rows

N = 100
FALSE_VERBS = "cela lui plus tu vu point".split()


def _by_lemma(entries):
    """{features: form} of each lemma of each category: forms of plain letters, with one reading of nouns at most."""
    readings, tables = defaultdict(set), defaultdict(lambda: defaultdict(dict))
    for form, reading in entries:
        if reading.category in ("nc", "adj"):
            readings[form.lower()].add(reading.features)
    for form, (category, lemma, features) in entries:
        certain = category == "v" or len(readings[form]) == 1 and form not in WORDS.function_words
        if category in ("v", "nc", "adj") and form.isalpha() and form.islower() and certain:
            tables[category][lemma].setdefault(features, form)
    return {category: [forms for _, forms in sorted(table.items())] for category, table in tables.items()}


def draw(entries, seed=0):
    """{what is wrong or right: (test, [(base, variant)], verdict)}, 100 items each."""
    entries = list(entries)
    choose = random.Random(seed).choices
    forms = _by_lemma(entries)
    verbs = [v for v in forms["v"] if {"PS13s", "PS3p", "I3s", "Kms", "W"} <= v.keys()]
    second_group = [v for v in forms["v"] if "P3s" in v and v.get("J3s") == v["P3s"] and "PS13s" not in v]
    nouns = [n for n in forms["nc"] if {"ms", "mp"} <= n.keys()]
    both = {form for form, r in entries if r.category == "adj"}
    pools = {
        "verbs": verbs,
        "transitive": [v for v in verbs if v["W"] not in WORDS.verbs_with_be],
        "second_group": second_group,
        "irregular": [v for v in forms["v"] if "P3s" in v and "S3s" in v and v["P3s"] != v["S3s"]],
        "adjectives": [a for a in forms["adj"] if {"ms", "mp"} <= a.keys()],
        "noun_adjectives": [n for n in nouns if n["ms"] in both and n["mp"] in both],
        "false_verbs": [{"no verb": word} for word in FALSE_VERBS],
    }
    drawn = {}
    for name, test, verdict, base, variant, pool_names in rows("drawn"):
        words = zip(*(choose(pools[pool], k=N) for pool in pool_names.split()))
        items = [(base.format(*each), variant.format(*each)) for each in words]
        # Some forms drawn are the same word, or the same in both numbers: such an item has no known verdict.
        drawn[name] = (test, [item for item in items if item[0] != item[1]], verdict)
    return drawn

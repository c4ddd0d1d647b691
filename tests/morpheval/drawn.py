"""Items with a known verdict, made of forms drawn from the lexicon: what the published script was seen to get wrong."""

import random
from collections import defaultdict

from metrics.morpheval.language_french import WORDS

N = 500
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
    """{what is wrong or right: (test, [(base, variant)], verdict)}, 500 items each."""
    entries = list(entries)
    choose = random.Random(seed).choices
    forms = _by_lemma(entries)
    verbs = [v for v in forms["v"] if {"PS13s", "PS3p", "I3s", "Kms", "W"} <= v.keys()]
    transitive = [v for v in verbs if v["W"] not in WORDS.verbs_with_be]
    second_group = [v for v in forms["v"] if "P3s" in v and v.get("J3s") == v["P3s"] and "PS13s" not in v]
    nouns = [n for n in forms["nc"] if {"ms", "mp"} <= n.keys()]
    adjectives = [a for a in forms["adj"] if {"ms", "mp"} <= a.keys()]
    both = {form for form, r in entries if r.category == "adj"}
    noun_adjectives = [n for n in nouns if n["ms"] in both and n["mp"] in both]
    irregular = [v for v in forms["v"] if "P3s" in v and "S3s" in v and v["P3s"] != v["S3s"]]
    irregular += [v | {"S3s": v["PS13s"]} for v in second_group if "PS13s" in v]

    def pairs(make, *pools):
        return [make(*forms) for forms in zip(*(choose(pool, k=N) for pool in pools))]

    drawn = {
        "coordinated with another number": (
            "coord_verb:number",
            pairs(lambda v, w: (f"il {v['PS13s']} ici .", f"il {v['PS13s']} et {w['PS3p']} ici ."), verbs, verbs),
            "fail",
        ),
        "coordinated with another tense": (
            "coord_verb:tense",
            pairs(lambda v, w: (f"il {v['PS13s']} ici .", f"il {v['PS13s']} et {w['I3s']} ici ."), verbs, verbs),
            "fail",
        ),
        "coordinated, right": (
            "coord_verb:tense",
            pairs(lambda v, w: (f"il {v['PS13s']} ici .", f"il {v['PS13s']} et {w['PS13s']} ici ."), verbs, verbs),
            "pass",
        ),
        "kept indicative": (
            "subjunctive",
            pairs(lambda v: (f"je pense qu'il {v['P3s']} .", f"je ne pense pas qu'il {v['P3s']} ."), irregular),
            "fail",
        ),
        "past of a function word": (
            "past",
            pairs(lambda v, w: (f"il {v['PS13s']} ici .", f"il {v['PS13s']} {w} ici ."), verbs, FALSE_VERBS),
            "not pass",
        ),
        "present like a simple past": (
            "past",
            pairs(lambda v, w: (f"il {v['PS13s']} ici .", f"il {w['P3s']} ici ."), verbs, second_group),
            "fail",
        ),
        "present passive": (
            "past",
            pairs(lambda v, w: (f"il est {v['Kms']} .", f"il est {w['Kms']} ."), transitive, transitive),
            "fail",
        ),
        "compound past": (
            "past",
            pairs(lambda v: (f"il {v['PS13s']} ici .", f"il a {v['Kms']} ici ."), verbs),
            "pass",
        ),
        "near future": (
            "future",
            pairs(lambda v: (f"il {v['PS13s']} ici .", f"il va {v['W']} ici ."), verbs),
            "pass",
        ),
        "noun that is an adjective, other number": (
            "np:number",
            pairs(lambda n, a: ("je les vois .", f"je vois les {n['mp']} {a['ms']} ."), noun_adjectives, adjectives),
            "fail",
        ),
        "noun that is an adjective, right": (
            "np:number",
            pairs(lambda n, a: ("je les vois .", f"je vois les {n['mp']} {a['mp']} ."), noun_adjectives, adjectives),
            "pass",
        ),
    }
    # Some forms drawn are the same word, or the same in both numbers: such an item has no known verdict.
    return {name: (test, [p for p in items if p[0] != p[1]], verdict) for name, (test, items, verdict) in drawn.items()}

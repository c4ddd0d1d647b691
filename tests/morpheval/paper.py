"""Figures that the paper prints, for the tests and benchmarks/papers/reproduce_morpheval.py."""

# Mean, then half-widths for these numbers of groups.
SIZES = (1000, 750, 500, 250, 100)
TABLE_7 = {
    "past": (76.8, 2.6, 3.0, 3.7, 5.2, 8.2),
    "future": (83.6, 2.3, 2.6, 3.2, 4.6, 7.2),
    "conditional": (81.9, 2.4, 2.8, 3.4, 4.8, 7.5),
    "subjunctive": (92.8, 1.6, 1.8, 2.3, 3.2, 5.0),
    "pronoun_number": (85.0, 2.2, 2.6, 3.1, 4.4, 6.9),
    "comparative": (80.7, 2.4, 2.8, 3.5, 4.9, 7.7),
    "superlative": (91.4, 1.7, 2.0, 2.5, 3.5, 5.4),
    "negation": (97.2, 1.0, 1.2, 1.4, 2.0, 3.0),
    "noun_number": (85.8, 2.2, 2.5, 3.1, 4.3, 6.8),
    "coord_verb:number": (94.8, 1.4, 1.6, 1.9, 2.7, 4.2),
    "coord_verb:person": (94.4, 1.4, 1.6, 2.0, 2.8, 4.4),
    "coord_verb:tense": (93.9, 1.5, 1.7, 2.1, 2.9, 4.6),
    "np:gender": (96.7, 1.1, 1.3, 1.6, 2.2, 3.4),
    "np:number": (98.1, 0.8, 1.0, 1.2, 1.6, 2.4),
    "coref:gender": (89.7, 1.9, 2.2, 2.7, 3.7, 5.9),
}

"""The embedded regressions, for sentence-transformers/all-MiniLM-L6-v2 with mean pooling.

Each is fitted on several collections of rated summaries, all of the same weight:
relevance: SummEval; DailyNews; CNN/DM 555; Newsroom; REALSumm
consistency: QAGS, CNN/DM; QAGS, XSum; Rank19; SummEval
Written by `python benchmarks/papers/fit_summaries.py` on 2026-11-28, which also prints what a regression fitted on the
others reaches on each; what the terms are stands in terms_table.
"""

RELEVANCE = {
    "means": {"token_recall": 0.595841, "word_recall": 0.344657, "shared_words": 3.33064, "repeated_pairs": 0.0300091},
    "scales": {"token_recall": 0.148837, "word_recall": 0.146157, "shared_words": 0.64007, "repeated_pairs": 0.0509594},
    "weights": {
        "token_recall": 0.285621,
        "word_recall": 0.225261,
        "shared_words": 0.211689,
        "repeated_pairs": -0.0879097,
    },
    "longest": {"text": 3956.84, "summary": 445.534},
    "intercept": -0.0924923,
    "aspect": "relevance",
    "encoder": "sentence-transformers/all-MiniLM-L6-v2",
    "pooling": "mean",
    "width": 384,
}

CONSISTENCY = {
    "means": {
        "token_support": 0.883994,
        "single_support": 0.846617,
        "known_words": 0.948291,
        "unknown_numbers": 0.0391714,
    },
    "scales": {
        "token_support": 0.083468,
        "single_support": 0.118331,
        "known_words": 0.0862231,
        "unknown_numbers": 0.190032,
    },
    "weights": {
        "token_support": 0.289023,
        "single_support": 0.517155,
        "known_words": 0.323118,
        "unknown_numbers": -0.302013,
    },
    "longest": {"text": 6016.01, "summary": 300.467},
    "intercept": 0.750392,
    "aspect": "consistency",
    "encoder": "sentence-transformers/all-MiniLM-L6-v2",
    "pooling": "mean",
    "width": 384,
}

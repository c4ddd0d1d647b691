"""The embedded regressions, for sentence-transformers/all-MiniLM-L6-v2 with mean pooling.

Each is fitted on several collections of rated summaries, all of the same weight:
relevance: SummEval; DailyNews; CNN/DM 555; Newsroom; REALSumm
consistency: QAGS, CNN/DM; QAGS, XSum; Rank19; SummEval
The report has what a regression fitted on the others reaches on each. Written by
`python benchmarks/papers/fit_summaries.py` on 2026-11-22; what the terms are stands in terms_table.
"""

RELEVANCE = {
    "means": {"token_recall": 0.595772, "word_recall": 0.344336, "shared_words": 3.32872, "repeated_pairs": 0.0299489},
    "scales": {
        "token_recall": 0.148795,
        "word_recall": 0.145986,
        "shared_words": 0.639931,
        "repeated_pairs": 0.0509195,
    },
    "weights": {
        "token_recall": 0.285981,
        "word_recall": 0.225447,
        "shared_words": 0.210944,
        "repeated_pairs": -0.0873274,
    },
    "longest": {"text": 3953.71, "summary": 444.592},
    "intercept": -0.0924695,
    "aspect": "relevance",
    "encoder": "sentence-transformers/all-MiniLM-L6-v2",
    "pooling": "mean",
    "width": 384,
    "report": {
        "pairs": 3291,
        "collections": 5,
        "documents": 410,
        "controls": 410,
        "left_out": {
            "SummEval": {"pooled": 0.354624, "per_document": 0.305334},
            "DailyNews": {"pooled": 0.597162, "per_document": 0.410981},
            "CNN/DM 555": {"pooled": 0.556611, "per_document": 0.401614},
            "Newsroom": {"pooled": 0.726724, "per_document": 0.746342},
            "REALSumm": {"pooled": 0.38428, "per_document": 0.310822},
        },
    },
}

CONSISTENCY = {
    "means": {
        "token_support": 0.883982,
        "single_support": 0.846585,
        "known_words": 0.94795,
        "unknown_numbers": 0.0391714,
    },
    "scales": {
        "token_support": 0.0834849,
        "single_support": 0.118368,
        "known_words": 0.0863158,
        "unknown_numbers": 0.190032,
    },
    "weights": {
        "token_support": 0.29032,
        "single_support": 0.515652,
        "known_words": 0.323406,
        "unknown_numbers": -0.300721,
    },
    "longest": {"text": 6007.16, "summary": 299.498},
    "intercept": 0.750458,
    "aspect": "consistency",
    "encoder": "sentence-transformers/all-MiniLM-L6-v2",
    "pooling": "mean",
    "width": 384,
    "report": {
        "pairs": 1888,
        "collections": 4,
        "documents": 502,
        "controls": 449,
        "left_out": {
            "QAGS, CNN/DM": {"pooled": 0.542175, "pearson": 0.611639},
            "QAGS, XSum": {"pooled": 0.424251, "pearson": 0.424462},
            "Rank19": {"pooled": 0.320569, "right_above_wrong": 0.741935},
            "SummEval": {"pooled": 0.412766, "per_document": 0.43496},
        },
    },
}

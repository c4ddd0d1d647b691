"""The embedded regressions, for sentence-transformers/all-MiniLM-L6-v2 with mean pooling.

Each is fitted on several collections of rated summaries, all of the same weight: relevance SummEval, DailyNews, CNN/DM 555, Newsroom, REALSumm; consistency QAGS, CNN/DM, QAGS, XSum, Rank19, SummEval.
The report has what a regression fitted on the others reaches on each collection. Written by
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
        "token_recall": 0.131695,
        "word_recall": 0.103819,
        "shared_words": 0.0971404,
        "repeated_pairs": -0.0402145,
    },
    "longest": {"text": 3953.71, "summary": 444.592},
    "intercept": -0.0236691,
    "gates": ["copied", "keywords", "jumbled", "wrong_numbers"],
    "aspect": "relevance",
    "encoder": "sentence-transformers/all-MiniLM-L6-v2",
    "pooling": "mean",
    "width": 384,
    "report": {
        "pairs": 3291,
        "collections": 5,
        "documents": 410,
        "controls": 0,
        "left_out": {
            "SummEval": {"pooled": 0.347773, "per_document": 0.30209},
            "DailyNews": {"pooled": 0.583693, "per_document": 0.397321},
            "CNN/DM 555": {"pooled": 0.557142, "per_document": 0.415407},
            "Newsroom": {"pooled": 0.73699, "per_document": 0.739454},
            "REALSumm": {"pooled": 0.373835, "per_document": 0.315042},
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
        "token_support": 0.283777,
        "single_support": 0.504029,
        "known_words": 0.316117,
        "unknown_numbers": -0.293943,
    },
    "longest": {"text": 6007.16, "summary": 299.498},
    "intercept": 0.715666,
    "gates": [],
    "aspect": "consistency",
    "encoder": "sentence-transformers/all-MiniLM-L6-v2",
    "pooling": "mean",
    "width": 384,
    "report": {
        "pairs": 1888,
        "collections": 4,
        "documents": 502,
        "controls": 0,
        "left_out": {
            "QAGS, CNN/DM": {"pooled": 0.542175, "pearson": 0.612893},
            "QAGS, XSum": {"pooled": 0.424251, "pearson": 0.425512},
            "Rank19": {"pooled": 0.320569, "right_above_wrong": 0.741935},
            "SummEval": {"pooled": 0.412766, "per_document": 0.43496},
        },
    },
}

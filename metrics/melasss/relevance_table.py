"""The embedded regression on relevance, for sentence-transformers/all-MiniLM-L6-v2 with mean pooling.

Fitted on the expert ratings of SummEval (Fabbri et al. 2021): 80 articles, 16 systems each, mean of three
experts, 1 to 5 brought to 0..1; on each article with a summary of another one, as rated 1; and on references
of these articles, each better than what a rule makes of it. Written by
`python benchmarks/papers/agreement_summaries.py refit` on 2026-11-22; the report is
five-fold, by article.
"""

RELEVANCE = {
    "means": {
        "long_closeness": 0.832454,
        "first_recall": 0.245433,
        "token_recall": 0.641099,
        "concentration": 1.0107,
        "detail": 0.0053166,
        "last_support": 0.820961,
        "least_centrality": 0.504251,
        "steps": 0.798805,
        "new_words": 0.0259522,
        "repeated_words": 0.12379,
        "repeated_pairs": 0.0375536,
        "words": 4.0023,
        "sentence_length": 2.91331,
        "text_words": 5.78989
    },
    "scales": {
        "long_closeness": 0.0926105,
        "first_recall": 0.0204748,
        "token_recall": 0.105201,
        "concentration": 0.197989,
        "detail": 0.0346297,
        "last_support": 0.181621,
        "least_centrality": 0.1257,
        "steps": 0.213034,
        "new_words": 0.0722015,
        "repeated_words": 0.0883562,
        "repeated_pairs": 0.0635732,
        "words": 0.345525,
        "sentence_length": 0.33838,
        "text_words": 0.346941
    },
    "weights": {
        "long_closeness": 0.165569,
        "first_recall": 0.13745,
        "token_recall": 0.0372411,
        "concentration": 0.184845,
        "detail": 0.190227,
        "last_support": 0.0876319,
        "least_centrality": 0.135124,
        "steps": -0.142623,
        "steps x words": 0.106774,
        "new_words": 0.06253,
        "repeated_words": -0.163978,
        "repeated_pairs": -0.119734,
        "words": 0.148499,
        "sentence_length x sentence_length": -0.0952849,
        "rewording": 2.23158,
        "too_long": -2.69368,
        "list": -2.71399,
        "jumble": -1.48053,
        "off_topic": -0.847078,
        "made_up": -0.128545,
        "unknown_numbers": -0.128545,
        "unknown_names": -0.128545,
        "unknown_negations": -0.258401
    },
    "intercept": 0.853952,
    "aspect": "relevance",
    "encoder": "sentence-transformers/all-MiniLM-L6-v2",
    "pooling": "mean",
    "width": 384,
    "report": {
        "pairs": 1280,
        "documents": 80,
        "controls": 80,
        "comparisons": 2732,
        "unseen_pooled": 0.48336,
        "unseen_pooled_low": 0.432951,
        "unseen_pooled_high": 0.533331,
        "unseen_per_document": 0.437269,
        "unseen_per_document_low": 0.379219,
        "unseen_per_document_high": 0.489663,
        "unseen_pearson": 0.460604,
        "unseen_kendall": 0.35004,
        "unseen_documents": 80
    }
}

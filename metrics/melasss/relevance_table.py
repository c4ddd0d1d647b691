"""The embedded regression on relevance, for sentence-transformers/all-MiniLM-L6-v2 with mean pooling.

Fitted on the expert ratings of SummEval (Fabbri et al. 2021): 80 articles, 16 systems each, mean of three
experts, 1 to 5 brought to 0..1; on each article with a summary of another one, as rated 1; and on references
of these articles, each better than what a rule makes of it. Written by
`python benchmarks/papers/agreement_summaries.py refit` on 2026-11-22; the
report is five-fold, by article.
"""

RELEVANCE = {
    "means": {
        "long_closeness": 0.832454,
        "first_recall": 0.245433,
        "token_recall": 0.641099,
        "concentration": 1.0107,
        "detail": 0.00531659,
        "last_support": 0.820961,
        "least_centrality": 0.504251,
        "steps": 0.798805,
        "new_words": 0.0259522,
        "fragments": 0.121692,
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
        "fragments": 0.120883,
        "repeated_words": 0.0883562,
        "repeated_pairs": 0.0635732,
        "words": 0.345525,
        "sentence_length": 0.33838,
        "text_words": 0.346941
    },
    "weights": {
        "long_closeness": 0.181377,
        "first_recall": 0.145806,
        "token_recall": 0.00736224,
        "concentration": 0.178542,
        "detail": 0.204141,
        "last_support": 0.0950316,
        "least_centrality": 0.150964,
        "steps": -0.127537,
        "steps x words": 0.107741,
        "new_words": 0.120192,
        "new_words x new_words": -0.0445827,
        "fragments": 0.0814235,
        "repeated_words": -0.186318,
        "repeated_pairs": -0.101787,
        "words": 0.179483,
        "sentence_length x sentence_length": -0.103371,
        "rewording": 2.0018,
        "too_long": -2.75984,
        "list": -2.87373,
        "jumble": -1.4641,
        "off_topic": -0.601909,
        "made_up": -0.121689,
        "unknown_numbers": -0.121689,
        "unknown_names": -0.121689,
        "unknown_negations": -0.228344
    },
    "intercept": 0.892419,
    "aspect": "relevance",
    "encoder": "sentence-transformers/all-MiniLM-L6-v2",
    "pooling": "mean",
    "width": 384,
    "report": {
        "pairs": 1280,
        "documents": 80,
        "controls": 80,
        "comparisons": 2732,
        "unseen_pooled": 0.481824,
        "unseen_pooled_low": 0.429074,
        "unseen_pooled_high": 0.53203,
        "unseen_per_document": 0.427229,
        "unseen_per_document_low": 0.371295,
        "unseen_per_document_high": 0.477652,
        "unseen_documents": 80
    }
}

"""The embedded regression on relevance, for sentence-transformers/all-MiniLM-L6-v2 with mean pooling.

Fitted on the expert ratings of SummEval (Fabbri et al. 2021): 80 articles, 16 systems each, mean of three
experts, 1 to 5 brought to 0..1; and on references of these articles, each better than what a rule makes of
it. Written by `python benchmarks/papers/agreement_summaries.py refit` on 2026-11-22; the
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
        "long_closeness": 0.117389,
        "first_recall": 0.0943677,
        "token_recall": 0.00476494,
        "concentration": 0.115555,
        "detail": 0.132123,
        "words": 0.116164,
        "last_support": 0.0615057,
        "least_centrality": 0.097706,
        "steps": -0.0825437,
        "fragments": 0.0526983,
        "new_words": 0.0777896,
        "new_words x new_words": -0.0288545,
        "steps x words": 0.0697313,
        "repeated_words": -0.120588,
        "repeated_pairs": -0.0658781,
        "sentence_length x sentence_length": -0.0669031,
        "rewording": 1.28854,
        "too_long": -1.81577,
        "list": -1.85612,
        "jumble": -0.948182,
        "made_up": -0.0787589,
        "unknown_numbers": -0.0787589,
        "unknown_names": -0.0787589,
        "unknown_negations": -0.147063
    },
    "intercept": 0.913159,
    "aspect": "relevance",
    "encoder": "sentence-transformers/all-MiniLM-L6-v2",
    "pooling": "mean",
    "width": 384,
    "report": {
        "pairs": 1280,
        "documents": 80,
        "controls": 0,
        "comparisons": 2732,
        "unseen_pooled": 0.481392,
        "unseen_pooled_low": 0.428669,
        "unseen_pooled_high": 0.531405,
        "unseen_per_document": 0.428187,
        "unseen_per_document_low": 0.371624,
        "unseen_per_document_high": 0.478777,
        "unseen_documents": 80
    }
}

"""The embedded regressions on four aspects, for sentence-transformers/all-MiniLM-L6-v2 with mean pooling.

Fitted on the expert ratings of SummEval (Fabbri et al. 2021): 80 articles, 16 systems each, mean of three experts, 1
to 5 brought to 0..1; relevance also on each article with a summary of another one, as rated 1; and on references of
these articles, each better than what a rule makes of it. Written by
`python benchmarks/papers/agreement_summaries.py refit` on 2026-11-22; the reports are five-fold, by article.
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
    },
    "aspect": "relevance",
    "encoder": "sentence-transformers/all-MiniLM-L6-v2",
    "pooling": "mean",
    "width": 384,
    "intercept": 0.853952
}

COHERENCE = {
    "means": {
        "closeness": 0.833254,
        "concentration": 1.0107,
        "support": 0.85519,
        "entry": 0.458436,
        "steps": 0.798805,
        "new_words": 0.0259522,
        "repeated_pairs": 0.0375536,
        "cut_short": 0.390809,
        "backward_sentences": 0.155391,
        "first_conjunction": 0.0046875,
        "words": 4.0023,
        "shortest_sentence": 2.67262,
        "text_words": 5.78989
    },
    "scales": {
        "closeness": 0.0942215,
        "concentration": 0.197989,
        "support": 0.124986,
        "entry": 0.544572,
        "steps": 0.213034,
        "new_words": 0.0722015,
        "repeated_pairs": 0.0635732,
        "cut_short": 0.331132,
        "backward_sentences": 0.248415,
        "first_conjunction": 0.0683047,
        "words": 0.345525,
        "shortest_sentence": 0.397449,
        "text_words": 0.346941
    },
    "weights": {
        "closeness": 0.105912,
        "concentration": 0.163941,
        "support": 0.205299,
        "entry": 0.103831,
        "steps": -0.124275,
        "new_words": 0.139732,
        "repeated_pairs": -0.39286,
        "cut_short": -0.196663,
        "backward_sentences": -0.177011,
        "backward_sentences x steps": -0.124794,
        "first_conjunction": -0.122861,
        "words": -0.166453,
        "shortest_sentence": 0.192676,
        "list": -2.05677,
        "jumble": -1.16197
    },
    "report": {
        "pairs": 1280,
        "documents": 80,
        "controls": 0,
        "comparisons": 720,
        "unseen_pooled": 0.553379,
        "unseen_pooled_low": 0.516131,
        "unseen_pooled_high": 0.591705,
        "unseen_per_document": 0.560624,
        "unseen_per_document_low": 0.516256,
        "unseen_per_document_high": 0.605313,
        "unseen_pearson": 0.542791,
        "unseen_kendall": 0.396277,
        "unseen_documents": 80
    },
    "aspect": "coherence",
    "encoder": "sentence-transformers/all-MiniLM-L6-v2",
    "pooling": "mean",
    "width": 384,
    "intercept": 0.423455
}

CONSISTENCY = {
    "means": {
        "token_support": 0.919925,
        "least_centrality": 0.504251,
        "fragment_length": 2.90655,
        "repeated_words": 0.12379,
        "sources": 0.494871,
        "most_sources": 0.74933,
        "single_support": 0.894254,
        "backward_sentences": 0.155391,
        "words": 4.0023,
        "text_words": 5.78989
    },
    "scales": {
        "token_support": 0.0756622,
        "least_centrality": 0.1257,
        "fragment_length": 0.853347,
        "repeated_words": 0.0883562,
        "sources": 0.505249,
        "most_sources": 0.641862,
        "single_support": 0.105208,
        "backward_sentences": 0.248415,
        "words": 0.345525,
        "text_words": 0.346941
    },
    "weights": {
        "token_support": 0.586616,
        "least_centrality": 0.115661,
        "fragment_length": 0.285376,
        "sources x backward_sentences": 0.139709,
        "most_sources": -0.305959,
        "single_support x repeated_words": 0.35716,
        "off_topic": -1.37544,
        "made_up": -0.933107,
        "unknown_numbers": -1.67821,
        "unknown_names": -1.69169,
        "unknown_negations": -1.42955
    },
    "report": {
        "pairs": 1280,
        "documents": 80,
        "controls": 0,
        "comparisons": 1052,
        "unseen_pooled": 0.443043,
        "unseen_pooled_low": 0.399941,
        "unseen_pooled_high": 0.483197,
        "unseen_per_document": 0.470693,
        "unseen_per_document_low": 0.436167,
        "unseen_per_document_high": 0.501897,
        "unseen_pearson": 0.564486,
        "unseen_kendall": 0.355359,
        "unseen_documents": 80
    },
    "aspect": "consistency",
    "encoder": "sentence-transformers/all-MiniLM-L6-v2",
    "pooling": "mean",
    "width": 384,
    "intercept": 3.06425
}

FLUENCY = {
    "means": {
        "novelty": 0.187728,
        "repeated_words": 0.12379,
        "single_support": 0.894254,
        "copied_sentences": 0.287786,
        "first_conjunction": 0.0046875,
        "stutter": 0.106435,
        "words": 4.0023,
        "sentence_length": 2.91331,
        "length_spread": 0.202699,
        "text_words": 5.78989
    },
    "scales": {
        "novelty": 0.215288,
        "repeated_words": 0.0883562,
        "single_support": 0.105208,
        "copied_sentences": 0.357596,
        "first_conjunction": 0.0683047,
        "stutter": 0.0740331,
        "words": 0.345525,
        "sentence_length": 0.33838,
        "length_spread": 0.148967,
        "text_words": 0.346941
    },
    "weights": {
        "repeated_words x novelty": -0.186283,
        "single_support": 0.42759,
        "single_support x words": 0.232957,
        "copied_sentences": 0.268472,
        "first_conjunction": -0.124669,
        "stutter": -0.193583,
        "sentence_length x sentence_length": -0.298406,
        "length_spread": -0.376886,
        "list": -3.71913,
        "jumble": -1.50359
    },
    "report": {
        "pairs": 1280,
        "documents": 80,
        "controls": 0,
        "comparisons": 480,
        "unseen_pooled": 0.44656,
        "unseen_pooled_low": 0.402084,
        "unseen_pooled_high": 0.491897,
        "unseen_per_document": 0.447743,
        "unseen_per_document_low": 0.401139,
        "unseen_per_document_high": 0.492969,
        "unseen_pearson": 0.602744,
        "unseen_kendall": 0.354021,
        "unseen_documents": 80
    },
    "aspect": "fluency",
    "encoder": "sentence-transformers/all-MiniLM-L6-v2",
    "pooling": "mean",
    "width": 384,
    "intercept": 3.07537
}

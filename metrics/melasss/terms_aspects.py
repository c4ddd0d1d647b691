"""What heads of the regression are made of: the terms of each aspect, and the sign that their meaning demands.

A term is a feature or the product of two. Its sign says whether it can only add to a score (1), only take away (-1) or
do both (0).
"""

from .terms_features import DEFECTS, TABLE

_FORM = dict.fromkeys(("list", "jumble"), -1)
TERMS = {
    "relevance": {
        "long_closeness": 1,
        "first_recall": 1,
        "token_recall": 1,
        "concentration": 1,
        "words": 1,
        "entry x words": 0,  # how early a summary sets in counts by its length
        "last_support": 1,
        "least_centrality": 1,
        "least_support x text_words": 0,  # the longer the text, the nearer is something to any sentence
        "steps": -1,  # at the same support what is put in other words is better than what is copied
        "new_words": 1,
        "steps x words": 0,  # a longer summary should rather keep to the text's order
        "repeated_words": -1,
        "repeated_pairs": -1,
        "sentence_length x sentence_length": -1,  # sentences should have the usual length
        "length_spread": -1,
        "rewording": 1,
        **dict.fromkeys(DEFECTS, -1),
    },
    "coherence": {
        "closeness": 1,
        "concentration": 1,
        "support": 1,
        "new_words": 1,
        "entry": 0,
        "words": -1,
        "shortest_sentence": 1,
        "steps": 0,
        "backward_sentences": -1,
        "backward_sentences x steps": 0,
        "cut_short": -1,
        "first_conjunction": -1,
        "repeated_pairs": -1,
        **_FORM,
    },
    "consistency": {
        "token_support": 1,
        "fragment_length": 1,
        "least_centrality": 1,
        "most_sources": -1,
        "sources x backward_sentences": 0,
        "single_support x repeated_words": 0,
        **dict.fromkeys(("off_topic", "made_up", "unknown_numbers", "unknown_names", "unknown_negations"), -1),
    },
    "fluency": {
        "single_support": 1,  # the text is fluent, and what is made of one of its sentences tends to be
        "single_support x words": 0,
        "copied_sentences": 1,
        "first_conjunction": -1,
        "stutter": -1,
        "repeated_words x novelty": 0,
        "length_spread": -1,
        "sentence_length x sentence_length": -1,
        **_FORM,
    },
}
ASPECTS = tuple(TERMS)
ANY_TERMS = {name: TABLE[name].sign if name in DEFECTS else 0 for name in TABLE}  # of other aspects

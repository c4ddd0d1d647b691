"""The paper's similarities of a text and a summary (section 2.1), literally; what is learned in them is in `heads`."""

from collections import Counter
from itertools import chain

import numpy as np
from scipy.special import softmax

from .terms_features import Pair


def sentence_importance(sentences: list) -> np.ndarray:
    """SI_i = ROUGE(s_i, T without s_i), as PEGASUS selects sentences.

    The paper does not say which ROUGE; this is the F1 of ROUGE-1, as in PEGASUS.

    Args:
        sentences: n lists of words.

    Returns:
        (n,) in 0..1.
    """
    whole = Counter(chain.from_iterable(sentences))

    def importance(count):
        shared = sum(min(n, whole[word] - n) for word, n in count.items())
        return 2 * shared / max(whole.total(), 1)

    return np.array([importance(Counter(words)) for words in sentences])


def rouge_weights(sentences: list) -> np.ndarray:
    """alpha of equation 1: the softmax of the sentences' importance; (n,), adding up to 1."""
    return softmax(sentence_importance(sentences))


def weighted_match(weights: np.ndarray, pair: Pair) -> float:
    """Equations 1 and 2: sum over i of alpha_i max_j cos(z_T,i, z_R,j); in -1..1."""
    return float(weights @ pair.covered)

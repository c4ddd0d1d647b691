"""What each similarity gives for a text and a summary: the paper's (section 2.1), literally, the default, a chat model.

What is learned in the paper's is in `learn_heads`, the default's terms are in `terms_table`.
"""

from collections import Counter
from collections.abc import Callable
from itertools import chain
from typing import NamedTuple

import numpy as np
from scipy.special import expit, softmax

from .common import example
from .common_judge import YES_OR_NO, ask
from .terms_pair import Pair
from .terms_table import features
from .text_languages import NEUTRAL

# The paper does not print its question; this one follows its definition of relevance (section 3.1).
QUESTION = (
    "You will receive a text and a summary of it. A good summary has the important information of the text and nothing "
    "superfluous.\n\nText:\n{text}\n\nSummary:\n{summary}\n\nIs this a good summary of the text? Answer with only one "
    'word "yes" or "no".'
)


def sentence_importance(sentences: list) -> np.ndarray:
    """SI_i = ROUGE(s_i, T without s_i), as PEGASUS selects sentences: (n,) in 0..1, of n lists of words.

    The paper does not say which ROUGE; this is the F1 of ROUGE-1, as in PEGASUS.
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


def judge_scores(judge, texts: list, summaries: list, name: Callable = lambda k: example("example", k)) -> np.ndarray:
    """p(yes) / (p(yes) + p(no)) for each text and its summary, lists of sentences; (n,) in 0..1.

    The judge (see `common_judge`) is asked once for each; name(i) is what errors call pair i.
    """
    pairs = zip(texts, summaries, strict=True)
    contents = [QUESTION.format(text="\n".join(text), summary="\n".join(summary)) for text, summary in pairs]
    conversations = [[{"role": "user", "content": content}] for content in contents]
    judgements = ask(judge, "answer_log_probs", conversations, YES_OR_NO, name, "judgement")
    return expit(np.array([judgement.first - judgement.second for judgement in judgements]))


def regression_rows(head, pairs) -> list[dict]:
    """The regression's scores, with what each term adds to the log-odds."""
    table = np.array([features(pair, head.terms) for pair in pairs])
    return [
        {
            "scores": float(score),
            "contributions": dict(zip(head.terms, contributions.tolist(), strict=True)),
            "far": head.is_far(pair),
            "neutral": pair.text.language is NEUTRAL,
        }
        for pair, score, contributions in zip(pairs, head.scores(table), head.contributions(table), strict=True)
    ]


def weighted_rows(pairs, weigh: Callable) -> list[dict]:
    """Equations 1 and 2, with the weights of the text's sentences, of each text computed once."""
    weights = {id(text): weigh(text) for text in {id(pair.text): pair.text for pair in pairs}.values()}
    return [
        {"scores": weighted_match(weights[id(pair.text)], pair), "weights": weights[id(pair.text)].tolist()}
        for pair in pairs
    ]


class Kind(NamedTuple):
    """A similarity of vectors: its rows from (head, pairs), what they have for an empty summary, its needs."""

    rows: Callable
    of_empty: dict = {}
    tokens: bool = False  # whether it looks at the vectors of tokens


KINDS = {
    "regression": Kind(regression_rows, {"contributions": {}}, tokens=True),
    "rouge": Kind(lambda _, pairs: weighted_rows(pairs, lambda text: rouge_weights(text.words)), {"weights": []}),
    "attention": Kind(lambda head, pairs: weighted_rows(pairs, head.weights), {"weights": []}),
    "transformer": Kind(lambda head, pairs: [{"scores": float(score)} for score in head.scores(pairs)]),  # equation 3
}


def matches(pair, threshold: float) -> dict:
    """What lies near what: the cosines of a pair, and the sentences that have none of at least the threshold.

    Also what speaks for and against the truth of each sentence of the summary.
    """
    dates = pair.summary.language.dates
    evidence = {
        "sources": pair.sources,
        "numbers": pair.unknown_numbers,
        "names": [[word for word in words if word.lower() not in dates] for words in pair.unknown_names],
        "dates": pair.unknown_dates,
        "negations": pair.unsupported_negations,
    }
    return {
        "text_sentences": pair.text.sentences,
        "summary_sentences": pair.summary.sentences,
        "similarities": pair.cosines.tolist(),
        "text_matches": pair.cosines.argmax(axis=1).tolist(),
        "summary_matches": pair.cosines.argmax(axis=0).tolist(),
        "uncovered": np.flatnonzero(pair.covered < threshold).tolist(),
        "unsupported": np.flatnonzero(pair.cosines.max(axis=0) < threshold).tolist(),
        "evidence": [dict(zip(evidence, row, strict=True)) for row in zip(*evidence.values(), strict=True)],
    }


def no_matches(text: list) -> dict:
    """The same for an empty summary: nothing lies near the text's sentences, all are uncovered."""
    return {
        "text_sentences": text,
        "summary_sentences": [],
        "similarities": [[] for _ in text],
        "text_matches": [],
        "summary_matches": [],
        "uncovered": list(range(len(text))),
        "unsupported": [],
        "evidence": [],
    }

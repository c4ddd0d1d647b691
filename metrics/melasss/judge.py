"""A chat model asked directly whether a summary is good (the paper's "Llama3-8B", table 2)."""

from collections.abc import Iterable

import numpy as np
from scipy.special import expit

# The paper does not print its question; this one follows its definition of relevance (section 3.1).
MESSAGES = [
    {
        "role": "user",
        "content": "You will receive a text and a summary of it. A good summary has the important information of the "
        "text and nothing superfluous.\n\nText:\n{text}\n\nSummary:\n{summary}\n\nIs this a good summary of the text? "
        'Answer with only one word "yes" or "no".',
    }
]
ANSWERS = ("yes", "no")


def chat_scores(chat, texts: Iterable, summaries: Iterable) -> np.ndarray:
    """p(yes) / (p(yes) + p(no)) for each text and its summary, one forward pass of a `Chat` each; (n,) in 0..1."""
    fields = [{"text": text, "summary": summary} for text, summary in zip(texts, summaries, strict=True)]
    return expit(np.array(chat.log_ratios("judgement", MESSAGES, ANSWERS, fields, "example {}".format)))

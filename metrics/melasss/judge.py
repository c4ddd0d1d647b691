"""A chat model asked directly whether a summary is good (the paper's "Llama3-8B", table 2)."""

from collections.abc import Callable

import numpy as np
from scipy.special import expit

from .common_chat import YES_OR_NO

# The paper does not print its question; this one follows its definition of relevance (section 3.1).
MESSAGES = [
    {
        "role": "user",
        "content": "You will receive a text and a summary of it. A good summary has the important information of the "
        "text and nothing superfluous.\n\nText:\n{text}\n\nSummary:\n{summary}\n\nIs this a good summary of the text? "
        'Answer with only one word "yes" or "no".',
    }
]


def chat_scores(chat, texts: list, summaries: list, name: Callable = "example {}".format) -> np.ndarray:
    """p(yes) / (p(yes) + p(no)) for each text and its summary, lists of sentences; (n,) in 0..1.

    `chat` is a `Chat`, which makes one forward pass for each; name(i) is what errors call pair i.
    """
    answers = chat.llm.answers(MESSAGES, YES_OR_NO)
    pairs = zip(texts, summaries, strict=True)
    fields = [{"text": "\n".join(text), "summary": "\n".join(summary)} for text, summary in pairs]
    judged = chat.judge("judgement", MESSAGES, answers, fields, name)
    return expit(np.array([pair.log_ratio for pair in judged]))

"""A chat model asked directly whether a summary is good (the paper's "Llama3-8B", table 2); how models are asked."""

from collections.abc import Callable

import numpy as np
from datasets.utils import tqdm
from scipy.special import expit

from .chat_llm import fitting_prompts
from .sentences import METRIC

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


def ask(what: str, settings, prompts: list, compute: Callable, store=None) -> list:
    """One result for each prompt, from the store where it is there, else computed and kept, with a progress bar.

    Args:
        what: names the results, in the bar and in the store.
        settings: what else a result depends on, JSON-serialisable.
        prompts: lists of token ids.
        compute: gives (index, result) for a list of prompts, in any order.
        store: a ScoreStore or None.
    """
    keys = [store.key(what, settings, prompt) for prompt in prompts] if store else []
    known = {i: value for i, key in enumerate(keys) if (value := store.get(key)) is not None}
    todo = [i for i in range(len(prompts)) if i not in known]
    with tqdm(total=len(prompts), initial=len(known), desc=f"{METRIC}: {what}s", unit=what) as bar:
        for place, value in compute([prompts[i] for i in todo]):
            known[todo[place]] = value
            if store:
                store.put(keys[todo[place]], value)
            bar.update()
    return [known[i] for i in range(len(prompts))]


def chat_scores(llm, pairs: list, batch_size="auto", store=None) -> np.ndarray:
    """p(yes) / (p(yes) + p(no)) for each (text, summary), by one forward pass; (n,) in 0..1."""
    answers = llm.answers(MESSAGES, ANSWERS)
    fields = [{"text": text, "summary": summary} for text, summary in pairs]
    room = len(answers[0]) + max(map(len, answers[1:]))
    prompts = fitting_prompts(llm, MESSAGES, fields, room, "example {}".format)
    ratios = ask("judgement", answers, prompts, lambda chosen: llm.log_ratios(chosen, answers, batch_size), store)
    return expit(np.array(ratios))

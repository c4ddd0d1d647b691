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
CHUNK = 1024  # prompts in memory at once


def ask(what: str, settings, prompts: Callable, n: int, compute: Callable, store=None) -> list:
    """One result for each of n prompts, from the store where it is there, else computed and kept, with a progress bar.

    Args:
        what: names the results, in the bar and in the store.
        settings: what else a result depends on, JSON-serialisable.
        prompts: makes those at some places, lists of token ids; only a chunk of them is in memory at once.
        n: how many there are.
        compute: gives (index, result) for a list of prompts, in any order.
        store: a ScoreStore or None.
    """
    chunks = [range(start, min(start + CHUNK, n)) for start in range(0, n, CHUNK)]
    for places in chunks if len(chunks) > 1 else ():
        prompts(places)  # what is refused is refused before the work starts
    results = []
    with tqdm(total=n, desc=f"{METRIC}: {what}s", unit=what) as bar:
        for made in map(prompts, chunks):
            keys = [store.key(what, settings, prompt) for prompt in made] if store else []
            known = {k: value for k, key in enumerate(keys) if (value := store.get(key)) is not None}
            todo = [k for k in range(len(made)) if k not in known]
            bar.update(len(known))
            for place, value in compute([made[k] for k in todo]):
                known[todo[place]] = value
                if store:
                    store.put(keys[todo[place]], value)
                bar.update()
            results += [known[k] for k in range(len(made))]
    return results


def chat_scores(llm, pairs: list, batch_size="auto", store=None) -> np.ndarray:
    """p(yes) / (p(yes) + p(no)) for each (text, summary), by one forward pass; (n,) in 0..1."""
    answers = llm.answers(MESSAGES, ANSWERS)
    fields = [{"text": text, "summary": summary} for text, summary in pairs]
    room = len(answers[0]) + max(map(len, answers[1:]))

    def prompts(places):
        chosen = [fields[i] for i in places]
        return fitting_prompts(llm, MESSAGES, chosen, room, lambda k: f"example {places[k]}")

    def compute(chosen):
        return llm.log_ratios(chosen, answers, batch_size)

    ratios = ask("judgement", answers, prompts, len(fields), compute, store)
    return expit(np.array(ratios))

"""The score as the definition reads: whole sequences in float64, log-softmax over the vocabulary, the chain rule."""

import torch


def log_likelihood(model, prompt, answer):
    """log p(answer | prompt), token by token, from one pass over the whole sequence."""
    ids = prompt + answer
    with torch.inference_mode():
        log_p = torch.log_softmax(model(input_ids=torch.tensor([ids]), use_cache=False).logits[0].double(), dim=-1)
    return sum(float(log_p[i - 1, ids[i]]) for i in range(len(prompt), len(ids)))


def log_ratio(model, prompt, answers):
    common, first, second = answers
    prompt = prompt + common
    return log_likelihood(model, prompt, first) - log_likelihood(model, prompt, second)


def two_losses(model, prompt, answers):
    """The papers' formula: the number of predicted tokens times the difference of two mean losses."""
    common, first, second = answers
    losses = []
    for answer in (first, second):
        ids = torch.tensor([prompt + common + answer])
        with torch.inference_mode():
            losses.append(float(model(input_ids=ids, labels=ids, use_cache=False).loss) * (ids.shape[1] - 1))
    return losses[1] - losses[0]

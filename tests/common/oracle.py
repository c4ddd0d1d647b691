"""The score as the definition reads: whole sequences in float64, log-softmax over the vocabulary, the chain rule."""

import math

import torch


def log_likelihood(model, prompt, answer):
    """log p(answer | prompt), token by token, from one pass over the whole sequence."""
    ids = prompt + answer
    with torch.inference_mode():
        logits = model(input_ids=torch.tensor([ids]), use_cache=False).logits[0, len(prompt) - 1 : -1]
        log_p = torch.log_softmax(logits.double(), dim=-1)
    return sum(float(row[token]) for row, token in zip(log_p, answer, strict=True))


def answer_log_probs(model, prompt, answers):
    """log p of each answer: the sum over its variants."""
    sides = [[log_likelihood(model, prompt, variant) for variant in variants] for variants in answers]
    return [math.log(sum(map(math.exp, side))) for side in sides]


def log_ratio(model, prompt, answers):
    first, second = answer_log_probs(model, prompt, answers)
    return first - second


def likeliest(model, prompt):
    """The most probable next token."""
    with torch.inference_mode():
        return int(model(input_ids=torch.tensor([prompt]), use_cache=False).logits[0, -1].argmax())


def two_losses(model, prompt, answers):
    """The papers' formula: the number of predicted tokens times the difference of two mean losses."""
    losses = []
    for [answer] in answers:
        ids = torch.tensor([prompt + answer])
        with torch.inference_mode():
            losses.append(float(model(input_ids=ids, labels=ids, use_cache=False).loss) * (ids.shape[1] - 1))
    return losses[1] - losses[0]

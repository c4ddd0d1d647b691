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


def rates(scores, labels, threshold, lower_is_better=False):
    """(accuracy, F1, recall, precision) of calling the pairs above a threshold (or below) paraphrases, by counting."""
    said = [score < threshold if lower_is_better else score > threshold for score in scores]
    hits = sum(1 for yes, label in zip(said, labels) if yes and label)
    alarms = sum(1 for yes, label in zip(said, labels) if yes and not label)
    missed = sum(1 for yes, label in zip(said, labels) if not yes and label)
    accuracy = sum(1 for yes, label in zip(said, labels) if yes == bool(label)) / len(labels)
    f1 = 2 * hits / (2 * hits + alarms + missed)
    return accuracy, f1, hits / (hits + missed), hits / (hits + alarms) if hits + alarms else 0.0


def labelled(scores, labels, lower_is_better=False):
    """The rates at every threshold that can make a difference: below all scores, and at each of them (n * n steps)."""
    ends = (max(scores) + 1, *scores) if lower_is_better else (min(scores) - 1, *scores)
    return [rates(scores, labels, threshold, lower_is_better) for threshold in ends]

"""The equations of the paper and what is made of them, word by word: slow, one example at a time."""

import math
from collections import Counter


def cosine(a, b):
    dot = sum(x * y for x, y in zip(a, b))
    return dot / math.sqrt(sum(x * x for x in a)) / math.sqrt(sum(y * y for y in b))


def softmax(values):
    exponentials = [math.exp(value) for value in values]
    return [e / sum(exponentials) for e in exponentials]


def rouge1_f1(candidate, reference):
    left = list(reference)
    shared = 0
    for word in candidate:
        if word in left:
            left.remove(word)
            shared += 1
    if not shared:
        return 0.0
    precision, recall = shared / len(candidate), shared / len(reference)
    return 2 * precision * recall / (precision + recall)


def equation_1(text_vectors, summary_vectors, text_words):
    importance = []
    for i, sentence in enumerate(text_words):
        rest = [word for k, other in enumerate(text_words) for word in other if k != i]
        importance.append(rouge1_f1(sentence, rest))
    return equation_2(text_vectors, summary_vectors, softmax(importance))


def equation_2(text_vectors, summary_vectors, alpha):
    return sum(a * max(cosine(t, r) for r in summary_vectors) for a, t in zip(alpha, text_vectors))


def perceptron(layers, vector):
    """layers: (weights, biases) of the linear layers; ReLU between them."""
    for k, (weights, biases) in enumerate(layers):
        vector = [sum(w * x for w, x in zip(row, vector)) + b for row, b in zip(weights, biases)]
        if k < len(layers) - 1:
            vector = [max(0.0, x) for x in vector]
    return vector[0]


def pooled(vectors, aggregation):
    columns = list(zip(*vectors))
    return [max(column) if aggregation == "max" else sum(column) / len(column) for column in columns]


def sigmoid(x):
    return 1 / (1 + math.exp(-x))


def repetition(items):
    return 1 - len(Counter(items)) / len(items) if items else 0.0


def spearman(a, b):
    def ranks(values):
        return [sum(v < x for v in values) + (sum(v == x for v in values) + 1) / 2 for x in values]

    a, b = ranks(a), ranks(b)
    mean_a, mean_b = sum(a) / len(a), sum(b) / len(b)
    covariance = sum((x - mean_a) * (y - mean_b) for x, y in zip(a, b))
    return covariance / math.sqrt(sum((x - mean_a) ** 2 for x in a) * sum((y - mean_b) ** 2 for y in b))

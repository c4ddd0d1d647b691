"""Figures of a meta-evaluation by counting, threshold by threshold."""


def rates(scores, labels, threshold, lower_is_better=False):
    """(accuracy, F1, recall, precision) of calling the pairs above a threshold (or below) paraphrases, by counting."""
    verdicts = [score < threshold if lower_is_better else score > threshold for score in scores]
    hits = sum(1 for yes, label in zip(verdicts, labels) if yes and label)
    alarms = sum(1 for yes, label in zip(verdicts, labels) if yes and not label)
    missed = sum(1 for yes, label in zip(verdicts, labels) if not yes and label)
    accuracy = sum(1 for yes, label in zip(verdicts, labels) if yes == bool(label)) / len(labels)
    f1 = 2 * hits / (2 * hits + alarms + missed)
    return accuracy, f1, hits / (hits + missed), hits / (hits + alarms) if hits + alarms else 0.0


def labelled(scores, labels, lower_is_better=False):
    """The rates at every threshold that can make a difference: below all scores, and at each of them (n * n steps)."""
    ends = (max(scores) + 1, *scores) if lower_is_better else (min(scores) - 1, *scores)
    return [rates(scores, labels, threshold, lower_is_better) for threshold in ends]

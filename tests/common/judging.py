"""What tests ask of a local model: token ids of a template filled in, what the oracle expects, what the model gives."""

from metrics.parapluie.templates import FIELDS, conversation

from . import oracle


def conversations(messages, fields):
    return [conversation(messages, values) for values in fields]


def prompt_ids(prompts, messages, fields):
    """Token ids of the prompts, each encoded alone."""
    return [prompts.ids(prompts.shape(asked), [asked])[0] for asked in conversations(messages, fields)]


def answer_ids(prompts, messages, answers):
    """Token ids of the answers' variants after these messages."""
    return prompts.answers(prompts.shape(conversation(messages, dict.fromkeys(FIELDS, "x"))), answers)


def expected_log_probs(judge, messages, fields, answers, model=None):
    """The oracle's (log p(first answer), log p(second answer)) under the judge's model, or one in another dtype."""
    answers = answer_ids(judge.prompts, messages, answers)
    model = judge.model if model is None else model
    return [oracle.answer_log_probs(model, ids, answers) for ids in prompt_ids(judge.prompts, messages, fields)]


def expected_ratios(judge, messages, fields, answers, model=None):
    return [first - second for first, second in expected_log_probs(judge, messages, fields, answers, model)]


def ratios(judge, messages, fields, answers):
    """The judge's own."""
    found = judge.answer_log_probs(conversations(messages, fields), answers)
    assert len(found) == len(fields)
    return [first - second for first, second, *_ in found]

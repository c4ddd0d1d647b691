"""What parapluie refuses: input and options of the wrong kind, before any work starts."""

from .chat_options import check_answers
from .chat_options import check_model_options as check_shared_options
from .run import words
from .templates import METRIC, asked_before, resolve
from .values import SURROGATE, check_booleans, check_numbers, is_listing, named, shown


def checked_sides(predictions, references) -> list:
    """Both sides as lists of strings of the same length; ValueError with the index of what is wrong."""
    sides = [checked_texts("predictions", predictions), checked_texts("references", references)]
    if len(sides[0]) != len(sides[1]):
        raise ValueError(
            f"{METRIC}: found {len(sides[0])} predictions and {len(sides[1])} references, expected as many"
        )
    return sides


def checked_texts(name: str, texts) -> list:
    """A list of strings that can be encoded."""
    if not is_listing(texts):
        raise ValueError(f"{METRIC}: {name}: found {type(texts).__name__}, expected a list of strings")
    texts = list(texts)
    for i, text in enumerate(texts):
        if not isinstance(text, str):
            raise ValueError(f"{METRIC}: {name}[{i}]: found {type(text).__name__} {shown(text)}, expected a string")
        if SURROGATE.search(text):
            raise ValueError(f"{METRIC}: {name}[{i}]: found a lone surrogate in {text!a:.60}, expected text")
    return texts


def checked_explanations(explanations, messages: list) -> list:
    """Explanations as a list; refused where they are no texts, or the template has no place for them."""
    if asked_before(messages) is None:
        raise ValueError(f"{METRIC}: explanations: found some, but the template has no {{explanation}}; expected None")
    return checked_texts("explanations", explanations)


def check_as_many(explanations, references: list) -> None:
    """Refuse explanations that are not one for each pair."""
    if explanations is not None and len(explanations) != len(references):
        found, expected = len(explanations), len(references)
        raise ValueError(f"{METRIC}: explanations: found {found}, expected a list of {expected}, one for each pair")


def check_options(*, template, answers, threshold, classify, details, explanations, **options) -> None:
    """Refuse options of the wrong type or value; what depends on the pairs is checked with them."""
    resolve(template)
    check_model_options(**options)
    with named(METRIC):
        check_booleans(classify=classify, details=details)
        check_answers(answers)
        check_numbers(threshold=threshold)
    if classify and words(answers[0]) == words(answers[1]):
        raise ValueError(
            f"{METRIC}: answers: found {shown(answers)}, expected words that differ in more than case to classify"
        )


def check_model_options(*, distributed, endpoint, **options) -> None:
    """Refuse wrong options of what runs the model."""
    with named(METRIC):
        check_shared_options(**options)
        check_booleans(distributed=distributed)
    if endpoint is None:
        return
    if not isinstance(endpoint, str) or not endpoint.startswith(("http://", "https://")):
        raise ValueError(f"{METRIC}: endpoint: found {shown(endpoint)}, expected an address, http://... or https://...")
    if options["model"] is not None:
        raise ValueError(f"{METRIC}: found both a live model and an endpoint, expected one of them")

"""How far a judge's verdict depends on what should not matter: the prompt's wording, and which text comes first."""

from contextlib import closing
from dataclasses import replace
from typing import cast

import numpy as np

from .common import argument, input_error, is_listing, keyword_options, short_repr
from .scoring import Options, Scorer, check_pairs
from .templates import Template


@keyword_options
def sensitivity(predictions, references, templates=None, *, options: Options) -> dict:
    """Scores of the same pairs with several templates, in both orders, and how well they agree.

    A template's pairs of both orders go through the model together, so that what they share is computed once.

    Args:
        predictions, references: as for `compute`.
        templates: a list of what `template` of `compute` may be; None is the one of the option `template`.
        options: as for `compute`; explanations cannot be given.

    Returns:
        A flat dict. Shares of pairs: agreement (all verdicts "score > threshold" are the same), order_agreement (both
        orders', mean over the templates), template_agreement (all templates', mean over the orders). In nats, means
        over the pairs: spread (highest less lowest score), order_difference (between the orders, without sign; mean
        over the templates). With details: scores and reversed_scores (a list for each template), verdicts (how many
        are yes, for each pair), spreads.

    Raises:
        ValueError: as for `compute`; templates is no list, or an empty one.
    """
    predictions, references = check_pairs(predictions, references)
    usual = cast(Template, options.template)
    if templates is None:
        templates = [usual.messages]
    if not is_listing(templates) or not len(templates) or isinstance(templates[0], dict):
        raise input_error(argument("templates"), short_repr(templates), "a list of templates")
    if options.explanations is not None:
        raise input_error(argument("explanations"), "explanations", "none: each order and template has its own")
    answers = None if options.answers == usual.answers else options.answers  # None: each template's own
    n, rows = len(references), []
    for template in templates:
        asked = replace(options, template=template, answers=answers, both_orders=False, details=True)
        with closing(Scorer(asked)) as scorer:
            rows.append(scorer.score(predictions + references, references + predictions)["scores"])
    scores = np.array(rows).reshape(len(rows), 2, n)  # templates, orders, pairs
    yes, spreads = scores > options.threshold, np.ptp(scores, axis=(0, 1))
    result = {
        "agreement": _same(yes.reshape(-1, n)),
        "order_agreement": float(np.mean([_same(orders) for orders in yes])),
        "template_agreement": float(np.mean([_same(order) for order in yes.transpose(1, 0, 2)])),
        "spread": float(spreads.mean()),
        "order_difference": float(np.abs(scores[:, 0] - scores[:, 1]).mean()),
    }
    if options.details:
        result |= {"scores": scores[:, 0].tolist(), "reversed_scores": scores[:, 1].tolist()}
        result |= {"verdicts": yes.sum(axis=(0, 1)).tolist(), "spreads": spreads.tolist()}
    return result


def _same(verdicts: np.ndarray) -> float:
    """The share of columns in which all rows are the same."""
    return float((verdicts == verdicts[:1]).all(axis=0).mean())

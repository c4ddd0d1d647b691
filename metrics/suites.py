"""English test suites for morpheval made from any text, and the tools that making them takes.

    >>> from meaning_metrics.suites import make_suite
    >>> [group] = make_suite(["The captain waits on the quay."], tests=["past"], size=1)
    >>> group["sources"]
    ['The captain waits on the quay.', 'The captain waited on the quay.']

A suite that is ready, made with these and read by people, is `metric.load_suite()`.
"""

from ._suites.fluency import Trigrams, causal_lm_fluency, kenlm_fluency
from ._suites.make_suite import make_suite
from ._suites.tools import MissingTool, fastcoref_links, hanta_tagger, only_antecedent, spacy_tagger
from ._suites.wordnet import WordNet
from .morpheval.suite_files import Suite

__all__ = [
    "MissingTool", "Suite", "Trigrams", "WordNet", "causal_lm_fluency", "fastcoref_links", "hanta_tagger",
    "kenlm_fluency", "make_suite", "only_antecedent", "spacy_tagger",
]  # fmt: skip

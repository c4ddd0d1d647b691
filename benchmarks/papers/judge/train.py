"""Train the small judge: MiniLM as a classifier of pairs, on what `pairs` gives. Seeded; saves as it goes, and resumes.

    python benchmarks/papers/judge/train.py train STATE_FOLDER      # from the last state in the folder, if there is one
    python benchmarks/papers/judge/train.py export STATE_FOLDER [STAGE ...]  # averaged weights, packed, as the judge
    python benchmarks/papers/judge/train.py measure FOLDER          # a judge, on labelled pairs held out from training

One thread, bfloat16 in matrix products. The word and position embeddings stay as they are.
"""

import os
import random
import sys
import time
from pathlib import Path

import torch
from safetensors.torch import save_file
from transformers import AutoModelForSequenceClassification, AutoTokenizer

sys.path.insert(0, str(Path(__file__).parents[3]))

from benchmarks.papers.judge import pairs  # noqa: E402
from benchmarks.papers.judge.stages import STAGES  # noqa: E402
from metrics.parapluie.calibration import calibrate  # noqa: E402
from metrics.parapluie.meta_evaluation import meta_evaluate  # noqa: E402
from metrics.parapluie.judge_pairs import BASE, DELTA, GROUP, SCALE, base_of, packed  # noqa: E402
from metrics.parapluie.parapluie import Parapluie  # noqa: E402

SEED, BATCH, DRAWN = 0, 32, 16  # pairs in a batch; batches drawn together, so that those of one length meet
LONGEST = 128  # tokens of a pair
SMOOTHING, DROPOUT, DECAY, CLIP = 0.05, 0.1, 0.99, 1.0
FIGURES = ("natural_accuracy", "natural_f1", "best_accuracy", "best_accuracy_threshold")
AVERAGED, CALIBRATED_ON = ("more", "closing"), 400  # the ends of two stages; pairs of each set at most
SAVED_EVERY = 100  # steps
LABELS = {0: "no", 1: "yes"}
CALIBRATED_BY = ("paws", "mrpc", "everyday")  # sets that log-odds 0 is set by
BASE_NAME = "sentence-transformers/all-MiniLM-L6-v2"
JUDGE = Path(__file__).parents[3] / "spaces/parapluie/judge"


def new_model():
    """MiniLM with a head for two labels, the embeddings frozen but for what tells the sides apart."""
    torch.manual_seed(SEED)
    model = AutoModelForSequenceClassification.from_pretrained(
        base_of(BASE_NAME)[0],
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


def encode(tokenizer, drawn):
    """Ids, types and mask of some pairs."""
    firsts, seconds = zip(*[pair[:2] for pair in drawn])
    options = {"truncation": "longest_first", "max_length": LONGEST, "padding": True, "return_tensors": "pt"}
    return tokenizer(list(firsts), list(seconds), split_special_tokens=True, **options)


def draw(sources, weights, number):
    """The batches of one drawing, each of pairs of like length; half of the pairs are turned round."""
    rng = random.Random(f"{SEED} {number}")
    names = rng.choices(list(weights), list(weights.values()), k=BATCH * DRAWN)
    drawn = [rng.choice(sources[name]) for name in names]
    drawn = [(b, a, label) if rng.random() < 0.5 else (a, b, label) for a, b, label in drawn]
    drawn.sort(key=lambda pair: len(pair[0]) + len(pair[1]))
    batches = [drawn[i : i + BATCH] for i in range(0, len(drawn), BATCH)]
    rng.shuffle(batches)
    return batches


def train(folder: Path) -> None:
    torch.set_num_threads(1)
    model, tokenizer = new_model(), AutoTokenizer.from_pretrained(base_of(BASE_NAME)[0])
    trained = {name: p for name, p in model.named_parameters() if p.requires_grad}
    optimizer = torch.optim.AdamW(trained.values(), lr=0, weight_decay=0.01, fused=True)
    step, mean = 0, {name: p.detach().clone() for name, p in trained.items()}
    if (folder / "state.pt").is_file():
        state = torch.load(folder / "state.pt")
        model.load_state_dict(state["model"])
        optimizer.load_state_dict(state["optimizer"])
        step, mean = state["step"], state["mean"]
    model.train()
    sources, total, began = pairs.Sources(folder), 0, time.time()
    end = 0
    for stage in STAGES:
        start, end = end, end + stage.steps
        while step < end:
            number = step // DRAWN
            for batch in draw(sources, stage.weights, number)[step % DRAWN :]:
                if step >= end:
                    break
                torch.manual_seed(step)
                optimizer.param_groups[0]["lr"] = stage.rate((step - start) / stage.steps)
                labels = torch.tensor([pair[2] for pair in batch])
                with torch.autocast("cpu", dtype=torch.bfloat16):
                    logits = model(**encode(tokenizer, batch)).logits
                loss = torch.nn.functional.cross_entropy(logits.float(), labels, label_smoothing=SMOOTHING)
                loss.backward()
                torch.nn.utils.clip_grad_norm_(trained.values(), CLIP)
                optimizer.step()
                optimizer.zero_grad()
                step, total = step + 1, total + len(batch)
                with torch.no_grad():
                    decay = min(DECAY, step / (step + 10))
                    torch._foreach_lerp_(list(mean.values()), list(trained.values()), 1 - decay)
                if step % 20 == 0:
                    right = (logits.argmax(-1) == labels).float().mean()
                    print(
                        f"{stage.name} {step} loss {loss:.3f} right {right:.2f} "
                        f"{total / (time.time() - began):.1f} pairs/s",
                        flush=True,
                    )
                if step % SAVED_EVERY == 0 or step == end:
                    save(folder, model, optimizer, step, mean)
                if step == end:
                    torch.save(mean, folder / f"{stage.name}.pt")


def save(folder, model, optimizer, step, mean):
    folder.mkdir(parents=True, exist_ok=True)
    state = {"model": model.state_dict(), "optimizer": optimizer.state_dict(), "step": step, "mean": mean}
    torch.save(state, folder / "state.pt.new")
    os.replace(folder / "state.pt.new", folder / "state.pt")


def export(folder: Path, *stages: str, judge: Path = JUDGE) -> None:
    """Write what was learned on top of MiniLM: matrices in four bits, all else as it is.

    It is the mean of the averaged weights at the ends of some stages. What is log-odds 0 and what is 1 the held-out
    pairs say, up to 400 of each set, by the metric's own `calibrate`.
    """
    ends = [torch.load(folder / f"{name}.pt") for name in stages or AVERAGED]
    learned = {name: sum(end[name] for end in ends) / len(ends) for name in ends[0]}
    write(learned, judge)
    rows = [row for name in CALIBRATED_BY for row in pairs.MEASURED[name]()[:CALIBRATED_ON]]
    found = calibrate(scores_of(judge, rows), [label for *_, label in rows], resamples=0)
    print({name: round(found[name], 3) for name in ("threshold", "temperature")})
    shift = torch.tensor([found["threshold"] / 2, -found["threshold"] / 2])
    learned["classifier.bias"] = (learned["classifier.bias"] + shift) / found["temperature"]
    learned["classifier.weight"] = learned["classifier.weight"] / found["temperature"]
    write(learned, judge)
    print(f"{(judge / DELTA).stat().st_size:,} bytes")


def write(learned: dict, judge: Path) -> None:
    """A judge's two files."""
    model = new_model()
    before, delta = model.state_dict(), {}
    for name, weights in learned.items():
        own = name.startswith("classifier")
        change = weights.clone() if own else weights - before[name]
        if change.dim() == 2 and change.numel() % GROUP == 0 and not own:
            delta[name], delta[name + SCALE] = packed(change)
        else:
            delta[name] = change
    judge.mkdir(parents=True, exist_ok=True)
    save_file(delta, judge / DELTA)
    model.config.update({BASE: BASE_NAME, "architectures": [type(model).__name__]})
    model.config.save_pretrained(judge)


def scores_of(judge: Path, rows: list) -> list[float]:
    sources, hypotheses, _ = map(list, zip(*rows))
    found = Parapluie().compute(predictions=hypotheses, references=sources, model_id=str(judge), details=True)
    return found["scores"]


def measure(judge: Path) -> None:
    """Accuracy on pairs that were not trained on (the first three sets have set log-odds 0), and on the test's."""
    sets = {name: rows() for name, rows in pairs.MEASURED.items()}
    for name, rows in (sets | {"everyday, test": pairs.everyday("test")}).items():
        found = meta_evaluate(scores_of(judge, rows), [label for *_, label in rows], resamples=0)
        print(name, len(rows), {key: round(found[key], 3) for key in FIGURES})


if __name__ == "__main__":
    {"train": train, "export": export, "measure": measure}[sys.argv[1]](Path(sys.argv[2]), *sys.argv[3:])

"""The stages of training: how many steps, at what rate, from which sources of pairs in which shares."""

from typing import NamedTuple


class Stage(NamedTuple):
    name: str
    steps: int
    first: float  # learning rate after the warm-up
    last: float  # at the end, linearly
    warmup: float  # share of the steps
    weights: dict

    def rate(self, done: float) -> float:
        if done < self.warmup:
            return self.first * done / self.warmup
        return self.first + (self.last - self.first) * (done - self.warmup) / (1 - self.warmup)


MIXED = {"paws": 4, "mrpc": 2, "swapped": 2, "moved": 2, "edited": 1.2, "eased": 1, "neighbours": 1, "random": 0.3, "scenes": 4}
STAGES = [
    Stage("mixed", 2400, 1.2e-4, 1.2e-4, 0.06, MIXED),
]

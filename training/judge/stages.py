"""The stages of training: steps, learning rates, and the shares of the sources of pairs."""

from typing import NamedTuple


class Stage(NamedTuple):
    name: str
    steps: int
    first: float  # learning rate after the warm-up
    last: float  # at the end, linearly
    warmup: float  # share of the steps
    weights: dict

    def rate(self, done: float) -> float:
        """The learning rate when so much of the stage is done, 0..1."""
        if done < self.warmup:
            return self.first * done / self.warmup
        return self.first + (self.last - self.first) * (done - self.warmup) / (1 - self.warmup)


# Shares of the sources. PAWS, where order is all that counts, takes longest to learn.
MIXED = {"paws": 4, "mrpc": 2, "swapped": 2, "moved": 2, "edited": 1.2, "eased": 1, "neighbours": 1, "random": 0.3} | {
    "scenes": 4
}
ORDER = {"paws": 9, "mrpc": 2, "swapped": 1.5, "moved": 1.5, "edited": 1, "eased": 0.6, "neighbours": 0.6} | {
    "random": 0.1, "scenes": 3
}  # fmt: skip
MOSTLY_ORDER = {"paws": 12, "mrpc": 2, "swapped": 1.5, "moved": 1.5, "edited": 0.7, "eased": 0.5, "neighbours": 0.5} | {
    "scenes": 2.5
}
ALL = {"paws": 8, "mrpc": 3, "swapped": 1.2, "moved": 1.2, "edited": 0.7, "eased": 0.8, "neighbours": 0.7} | {
    "scenes": 3
}  # fmt: skip
# In everyday sentences, short and quickly learned from, one word makes all the difference.
SHORT = {"paws": 4, "mrpc": 2.5, "words": 5, "scenes": 5, "swapped": 1, "moved": 1, "edited": 0.8, "eased": 0.8} | {
    "neighbours": 0.7
}  # fmt: skip
WHOLE = {"paws": 6, "mrpc": 3.5, "words": 4, "scenes": 4, "swapped": 1, "moved": 1, "edited": 0.8, "eased": 1.2} | {
    "neighbours": 0.7
}  # fmt: skip
WRITTEN = {"written": 8, "paws": 5, "mrpc": 3, "words": 2, "scenes": 2, "swapped": 0.7, "moved": 0.8, "edited": 0.6} | {
    "eased": 0.8, "neighbours": 0.6, "random": 0.3
}  # fmt: skip
CLOSING = {"written": 10, "paws": 4.5, "mrpc": 3, "reworded": 1.5, "words": 1, "scenes": 1.5, "swapped": 0.4} | {
    "moved": 0.6, "edited": 0.4, "eased": 0.8, "neighbours": 0.8, "random": 0.3
}  # fmt: skip
FOCUSED = CLOSING | {"written": 12, "focused": 3, "contrasts": 4, "paws": 5}
VARIED = CLOSING | {"varied": 20, "focused": 4, "contrasts": 1.5, "paws": 5}
# The meaning under other words: near misses in as free words as the paraphrases.
REWRITTEN = VARIED | {"mrpc": 5, "paws": 6, "rewritten": 16, "marks": 2}
# The judge has the mean of the weights at the ends of the last two (train.AVERAGED).
STAGES = [
    Stage("mixed", 500, 1.2e-4, 1.2e-4, 0.288, MIXED),
    Stage("order", 300, 1.2e-4, 1.2e-4, 0.0, ORDER),
    Stage("paws", 300, 1.8e-4, 1.8e-4, 0.2, MOSTLY_ORDER),
    Stage("cooling", 450, 1.3e-4, 2e-6, 0.0, ALL),
    Stage("words", 520, 1.3e-4, 1e-6, 0.06, SHORT),
    Stage("long", 1200, 1.3e-4, 1.1e-4, 0.04, WHOLE),
    Stage("end", 400, 1.1e-4, 1e-6, 0.0, WHOLE),
    Stage("again", 400, 1.3e-4, 1.3e-4, 0.1, WHOLE),
    # Groups were still being written: the first of these stages had 2,533, the second 4,139.
    Stage("written", 530, 1.3e-4, 1.3e-4, 0.0, WRITTEN),
    Stage("everyday", 1700, 1.3e-4, 1.3e-4, 0.0, WRITTEN),
    Stage("more", 800, 1.3e-4, 1.2e-4, 0.0, CLOSING),
    Stage("closing", 1000, 1.2e-4, 1e-6, 0.0, CLOSING),
]

# From the weights of a judge (train --start).
FURTHER = [
    Stage("onward", 400, 1e-4, 1e-4, 0.1, CLOSING),
    Stage("longer", 1600, 1.3e-4, 1.3e-4, 0.0625, CLOSING | {"written": 13}),
    Stage("focused", 500, 1.3e-4, 1.3e-4, 0.0, FOCUSED),
    Stage("settling", 500, 1.3e-4, 1e-6, 0.0, FOCUSED),
    Stage("once more", 1200, 1e-4, 1e-6, 0.05, FOCUSED),
    # Again some groups were still being written: see README.md.
    Stage("varied", 1500, 1.3e-4, 1.3e-4, 0.067, VARIED),
    Stage("broader", 1500, 1.3e-4, 1.3e-4, 0.0, VARIED),
    Stage("cooled", 3000, 1.3e-4, 1e-6, 0.0, VARIED),
    Stage("settled", 2400, 1.2e-4, 1e-6, 0.04, VARIED | {"mrpc": 5, "paws": 6}),
    # "rewritten" had fewer groups in the first of these stages: see README.md.
    Stage("rewritten", 1200, 1.2e-4, 1.2e-4, 0.08, REWRITTEN),
    Stage("refined", 2000, 1.2e-4, 1e-6, 0.0, REWRITTEN),
    Stage("freer", 1600, 1.2e-4, 1e-6, 0.06, REWRITTEN | {"mrpc": 7, "paws": 7, "rewritten": 24}),
]

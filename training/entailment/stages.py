"""The stages of training, from the small judge's weights: the shares of the sources of pairs."""

from training.judge.stages import Stage

SHARES = {"said": 12, "meant": 7, "told": 6, "near": 1.5, "paws": 1}
STAGES = [
    Stage("said", 1000, 1.2e-4, 1.2e-4, 0.08, SHARES),
    Stage("settled", 600, 1.2e-4, 1e-6, 0.0, SHARES | {"said": 16}),
]

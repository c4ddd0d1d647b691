"""What scores are worth once some pairs are labelled: calibrated scores, and a rate corrected for the judge's errors.

A calibrated judge's log-odds are (score - threshold) / temperature (Platt 1999; Guo et al. 2017). The corrected rate is
Rogan and Gladen's (1978), with the interval of Lee et al. (arXiv 2511.21140), which knows that the judge's error rates
are estimates, too.
"""

from dataclasses import dataclass
from math import inf, nan
from statistics import NormalDist

import numpy as np

from .common import CheckedOptions, a_number, argument, input_error, keyword_options, option, warn
from .common_statistics import bootstrap_draws, percentiles
from .common_write import write_file
from .judges import a_path
from .meta_evaluation import ResamplingOptions, a_confidence, check_columns, check_numbers

BINS = 10
STEPS, ENOUGH = 100, 1e-10  # of Newton's method, and the change that ends it
CURVES = (("probability", "as it is", "darkorange"), ("calibrated_probability", "calibrated", "steelblue"))
LINE = 'fill="none" stroke="gray"'
LARGEST_STEP = 5.0  # in the logarithm of odds, for scores of deviation 1


# ---- Calibration ----


@dataclass(frozen=True, kw_only=True)
class CalibrationOptions(ResamplingOptions):
    """Options of `calibrate`."""

    plot: str | None = option(None, a_path)


@keyword_options
def calibrate(scores, labels, options: CalibrationOptions) -> dict:
    """The threshold and the temperature that make probabilities of scores: p = 1 / (1 + exp(-(s - threshold) / temp.)).

    Fitted by maximum likelihood, on targets a little inside 0 and 1 (Platt 1999), so that classes which do not overlap
    have a temperature, too.

    Args:
        scores: n numbers, one per pair.
        labels: n times 1 (or True) for a paraphrase, 0 for none; both must occur.
        confidence: of the intervals.
        resamples: draws of the bootstrap, of pairs; 0 leaves the intervals out.
        seed: of the bootstrap.
        details: True adds the reliability diagram's numbers: bins of equally many pairs.
        plot: path of a reliability diagram to write, as SVG.

    Returns:
        A flat dict: pairs, paraphrases; threshold (in nats; 0 is the natural one), temperature (1 is that of a score
        that is a log-odds), each with _low and _high (NaN if paraphrases may have no higher scores);
        expected_calibration_error of the scores as log-odds, calibrated_error with threshold and temperature, on the
        same pairs. With details: bins, dicts of pairs, probability (mean, of the scores as log-odds),
        calibrated_probability and rate (of paraphrases).

    Raises:
        ValueError: lengths differ; a number is not finite; a label is neither 0 nor 1, or all are the same; all scores
            are the same, or paraphrases do not tend to have the higher ones.
    """
    columns = check_columns(scores, labels)
    scores, labels = columns["scores"], columns["labels"]
    if np.ptp(scores) == 0:
        raise input_error(argument("scores"), f"the score {scores[0]:g} for all pairs", "different scores")
    [[threshold]], [[temperature]] = _fitted(scores[None], labels[None])
    if not temperature > 0:
        raise input_error(argument("scores"), "scores no higher for paraphrases", "higher scores for paraphrases")
    result: dict = {"pairs": len(scores), "paraphrases": int(labels.sum())}
    fitted = {"threshold": threshold, "temperature": temperature}
    ends = _ends(scores, labels, options) if options.resamples else {}
    for name, value in fitted.items():
        result[name] = float(value)
        if name in ends:
            result[f"{name}_low"], result[f"{name}_high"] = ends[name]
    raw, calibrated = _probability(scores), _probability((scores - threshold) / temperature)
    result["expected_calibration_error"] = _error(_bins(raw, labels))
    result["calibrated_error"] = _error(_bins(calibrated, labels))
    bins = [
        {"pairs": n, "probability": p, "calibrated_probability": float(calibrated[some].mean()), "rate": rate}
        for n, p, rate, some in _bins(raw, labels)
    ]
    if options.plot is not None:
        write_file(options.plot, diagram(bins))
    return result | ({"bins": bins} if options.details else {})


def _probability(log_odds):
    return 1 / (1 + np.exp(-np.clip(log_odds, -700, 700)))


def _fitted(scores: np.ndarray, labels: np.ndarray) -> tuple:
    """Thresholds and temperatures (draws, 1) for draws of pairs (draws, n), by Newton's method on both at once.

    NaN where a draw has one class only.
    """
    center, spread = scores.mean(1, keepdims=True), scores.std(1, keepdims=True)
    x = (scores - center) / np.where(spread > 0, spread, np.nan)
    yes = labels.sum(1, keepdims=True)
    no = labels.shape[1] - yes
    target = np.where(labels == 1, (yes + 1) / (yes + 2), 1 / (no + 2))
    slope, shift = np.zeros_like(yes), np.log((yes + 1) / (no + 1))
    for _ in range(STEPS):
        p = _probability(slope * x + shift)
        weight = np.maximum(p * (1 - p), 1e-12)
        wrong = target - p
        a, b, c = ((weight * x**power).sum(1, keepdims=True) for power in (2, 1, 0))
        u, v = (wrong * x).sum(1, keepdims=True), wrong.sum(1, keepdims=True)
        determinant = np.maximum(a * c - b * b, 1e-12)
        newton = [(c * u - b * v) / determinant, (a * v - b * u) / determinant]
        steps = np.clip(newton, -LARGEST_STEP, LARGEST_STEP)
        slope, shift = slope + steps[0], shift + steps[1]
        if np.nanmax(np.abs(steps), initial=0) < ENOUGH:
            break
    slope = np.where((yes > 0) & (no > 0), slope, np.nan)
    with np.errstate(divide="ignore", invalid="ignore"):
        return center - shift / slope * spread, spread / slope


def _ends(scores, labels, options) -> dict:
    """The ends of the percentile bootstrap's intervals; NaN, with a warning, where they are undefined.

    In some draws paraphrases have no higher scores: their temperature is beyond any, and their threshold undefined.
    """

    def statistic(drawn):
        return np.concatenate(_fitted(scores[drawn], labels[drawn]), axis=1).T

    draws = bootstrap_draws([np.arange(len(scores))], statistic, options.resamples, options.seed, 8 * len(scores))
    threshold, temperature = draws
    draws = np.stack([np.where(temperature > 0, threshold, nan), np.where(temperature <= 0, inf, temperature)])
    tail = (1 - options.confidence) / 2
    with np.errstate(invalid="ignore"):
        ends = percentiles(draws, [tail, 1 - tail])
    if not np.isfinite(ends).all():
        ends = np.full_like(ends, nan)
        warn("found too few pairs to tell that paraphrases have higher scores; the ends of the intervals are undefined")
    return dict(zip(("threshold", "temperature"), ends.tolist(), strict=True))


def _bins(probabilities, labels) -> list[tuple]:
    """(pairs, mean probability, share of paraphrases, indices) of bins of equally many pairs, by probability."""
    parts = np.array_split(np.argsort(probabilities, kind="stable"), min(BINS, len(labels)))
    return [(len(part), float(probabilities[part].mean()), float(labels[part].mean()), part) for part in parts]


def _error(bins) -> float:
    """Expected calibration error: the mean distance of probability and rate, over the pairs."""
    return float(np.average([abs(p - rate) for _, p, rate, _ in bins], weights=[n for n, *_ in bins]))


def diagram(bins: list[dict]) -> str:
    """A reliability diagram as SVG: the share of paraphrases over the probability, before and after calibration."""

    def point(x, y):
        return f"{50 + 300 * x:.1f},{330 - 300 * y:.1f}"

    parts = [f'<polyline points="{point(0, 0)} {point(0, 1)} {point(1, 1)} {point(1, 0)} {point(0, 0)}" {LINE}/>']
    parts.append(f'<polyline points="{point(0, 0)} {point(1, 1)}" {LINE} stroke-dasharray="4"/>')
    for (name, title, colour), height in zip(CURVES, (60, 80), strict=True):
        points = [point(each[name], each["rate"]) for each in bins]
        parts.append(f'<polyline points="{" ".join(points)}" fill="none" stroke="{colour}" stroke-width="2"/>')
        parts += [f'<circle cx="{x}" cy="{y}" r="4" fill="{colour}"/>' for x, y in (p.split(",") for p in points)]
        parts.append(f'<text x="65" y="{height}" fill="{colour}">{title}</text>')
    for value in (0, 0.5, 1):
        x, y = point(value, value).split(",")
        parts += [f'<text x="{x}" y="348" text-anchor="middle">{value}</text>', f'<text x="28" y="{y}">{value}</text>']
    parts.append('<text x="200" y="368" text-anchor="middle">probability</text>')
    parts.append('<text transform="translate(16 180) rotate(-90)" text-anchor="middle">paraphrases</text>')
    head = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 370 380" font-family="sans-serif" font-size="13">'
    return "\n".join([head, '<rect width="370" height="380" fill="white"/>', *parts, "</svg>", ""])


# ---- A rate corrected for the judge's errors ----


@dataclass(frozen=True, kw_only=True)
class RateOptions(CheckedOptions):
    """Options of `corrected_rate`."""

    threshold: float = option(0.0, a_number)
    confidence: float = option(0.95, a_confidence)


@keyword_options
def corrected_rate(scores, labelled_scores, labels, options: RateOptions) -> dict:
    """The share of paraphrases among pairs without labels, from a judge whose errors some labelled pairs tell.

    With the share p that the judge calls paraphrases, and among labelled pairs its shares of right verdicts on
    paraphrases (sensitivity) and on others (specificity), the rate is (p + specificity - 1) / (sensitivity +
    specificity - 1), within 0..1. The labelled pairs may have another share of paraphrases, but must be of like kind.

    Args:
        scores: of the pairs whose rate is wanted, such as compute(..., details=True)["scores"].
        labelled_scores: of the labelled pairs, by the same judge.
        labels: 1 (or True) for a paraphrase, 0 for none; both must occur.
        threshold: a pair above it is judged a paraphrase.
        confidence: of the interval.

    Returns:
        paraphrase_rate (as judged), corrected_rate with _low and _high, sensitivity, specificity.

    Raises:
        ValueError: lists that are empty or do not fit, or a judge that is no better than chance on the labelled pairs.
    """
    scores = check_numbers(scores, "scores")
    columns = check_columns(labelled_scores, labels)
    if not len(scores):
        raise input_error(argument("scores"), "no score", "at least one score")
    judged, true = columns["scores"] > options.threshold, columns["labels"] == 1
    counts = [(scores > options.threshold).sum(), len(scores)]
    counts += [(~judged & ~true).sum(), (~true).sum(), (judged & true).sum(), true.sum()]
    p, specificity, sensitivity = (float(k / n) for k, n in zip(counts[::2], counts[1::2], strict=True))
    if sensitivity + specificity <= 1:
        found = f"a sensitivity of {sensitivity:.2f} and a specificity of {specificity:.2f}"
        raise input_error(argument("labels"), found, "a judge better than chance (their sum above 1)")
    low, high = _interval(*counts, z=NormalDist().inv_cdf((1 + options.confidence) / 2))
    rate = (p + specificity - 1) / (sensitivity + specificity - 1)
    return {
        "paraphrase_rate": p,
        "corrected_rate": float(np.clip(rate, 0, 1)),
        "corrected_rate_low": float(np.clip(low, 0, 1)),
        "corrected_rate_high": float(np.clip(high, 0, 1)),
        "sensitivity": sensitivity,
        "specificity": specificity,
    }


def _interval(k, n, k0, n0, k1, n1, *, z):
    """The interval of Lee et al. (section 4): counts of "yes" and of right verdicts on others and on paraphrases.

    Each count is first drawn towards a half, as Agresti and Coull do; the middle moves, too, since the denominator is
    an estimate. Arrays of counts give arrays.
    """
    n, p = n + z**2, (k + z**2 / 2) / (n + z**2)
    n0, q0, n1, q1 = n0 + 2, (k0 + 1) / (n0 + 2), n1 + 2, (k1 + 1) / (n1 + 2)
    power = q0 + q1 - 1
    rate = (p + q0 - 1) / power
    variances = p * (1 - p) / n, q0 * (1 - q0) / n0, q1 * (1 - q1) / n1
    spread = np.sqrt(variances[0] + (1 - rate) ** 2 * variances[1] + rate**2 * variances[2]) / np.abs(power)
    shift = 2 * z**2 * (-(1 - rate) * variances[1] + rate * variances[2])
    return rate + shift - z * spread, rate + shift + z * spread

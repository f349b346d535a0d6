"""Measures how sure the reader of prompts may be: ``python -m training.reading_confidence``.

Logistic models of whether a reading is wholly right (for FiG, for the scene graph), and whether one
of its objects or relations is, on the signals of `hallascope.metrics.reading.rules.signals`. They
are fitted on the gold readings `development` and `test`, and on prompts of the Primer world, whose
truth is known; nothing is read of `held_out`. The thresholds are those of the gold readings alone.
Weights and thresholds go to ``metrics/reading/confidence.toml``.
"""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.special import expit

from bench.gold import gold_readings
from bench.parser_eval import is_read_right
from hallascope.metrics.reading.comparison import WRONG, compare_reading, mistake_words
from hallascope.metrics.reading.confidence import FILE, SYSTEMS, terms
from hallascope.metrics.reading.parser import parse
from hallascope.metrics.reading.prompt import read_prompt
from hallascope.primer import scenes

Floats = NDArray[np.float64]
FOLDS = 10
DRAWN = -1  # the group of Primer's prompts, which is in no fold
DRAWN_PROMPTS = 800
PENALTY = 60.0  # on the squares of the weights of standardized terms
LEAST_RIGHT = {"fig": 0.93, "scene-graph": 0.89}  # of the readings that are scored


def fit(features: Floats, right: Floats) -> Floats:
    """Return the weights of the terms and, last, the bias."""
    mean, scale = features.mean(0), features.std(0) + 1e-9
    matrix = np.c_[(features - mean) / scale, np.ones(len(features))]

    def loss(weights: Floats) -> tuple[float, Floats]:
        logit = matrix @ weights
        slope = matrix.T @ (expit(logit) - right)
        slope[:-1] += PENALTY * weights[:-1]
        value = np.logaddexp(0, -(2 * right - 1) * logit).sum()
        return float(value + PENALTY / 2 * (weights[:-1] ** 2).sum()), slope

    found = minimize(loss, np.zeros(matrix.shape[1]), jac=True, method="L-BFGS-B").x
    weights = found[:-1] / scale
    return np.asarray(np.r_[weights, found[-1] - weights @ mean], dtype=float)


def cross_validated(features: Floats, right: Floats, groups: NDArray[np.int64]) -> Floats:
    """Return for each row the probability by a model that was fitted without its group."""
    chances = np.zeros(len(right))
    for fold in range(FOLDS):
        out = (groups != DRAWN) & (groups % FOLDS == fold)
        weights = fit(features[~out], right[~out])
        chances[out] = expit(features[out] @ weights[:-1] + weights[-1])
    return chances


def threshold(chances: Floats, right: Floats, least: float) -> float:
    """Return the lowest confidence from which on at least a share `least` is right."""
    order = np.argsort(-chances)
    shares = np.cumsum(right[order]) / np.arange(1, len(order) + 1)
    last = int(np.flatnonzero(shares >= least)[-1])
    return float(chances[order][last])


def calibration_error(chances: Floats, right: Floats, bins: int = 10) -> float:
    """Return the expected calibration error over bins of equal size."""
    parts = np.array_split(np.argsort(chances), bins)
    gaps = [abs(chances[part].mean() - right[part].mean()) * len(part) for part in parts]
    return float(sum(gaps) / len(chances))


Reading = tuple[str, int, dict[str, float], bool]
"""A model, the group that a reading is fitted in, its signals, and whether it is right."""
COLUMNS = ("model", "group", "signals", "is_right")


def readings_of_golds() -> Iterator[Reading]:
    """Return for every gold reading how the rules read the prompt, its objects and relations."""
    golds = [*gold_readings("development"), *gold_readings("test")]
    shuffled = np.random.default_rng(0).permutation(len(golds))
    for group, gold in zip(shuffled.tolist(), golds, strict=True):
        reading = read_prompt(gold.prompt)
        if gold.language != "en" or gold.unreadable or reading.unreadable:
            continue
        comparison = compare_reading(gold, reading)
        parsed = parse(gold.prompt)
        for system in SYSTEMS:
            yield (system, group, terms(parsed.signals), is_read_right(comparison, system))
        wrong = {mistake.words for mistake in comparison.mistakes if mistake.what == WRONG}
        for phrase in parsed.objects:
            yield ("object", group, terms(phrase.signals), phrase.name not in wrong)
        signals = {(one.span, one.words): one.signals for one in parsed.relations}
        for asked in reading.relations:
            right = mistake_words(reading, asked) not in wrong
            yield ("relation", group, terms(signals[asked.spans[0], asked.words]), right)


def readings_of_primer() -> Iterator[Reading]:
    """Return for prompts of the Primer world whether they are read as what is drawn of them."""
    for prompt in scenes.benchmark(DRAWN_PROMPTS)[len(scenes.prompts()) :]:
        scene, parsed = scenes.parse(prompt), parse(prompt)
        read = [(phrase.concept, phrase.number or 1) for phrase in parsed.objects]
        drawn = [(group.concept.name, group.count) for group in scene.groups]
        is_right = read == drawn and len(parsed.relations) == bool(scene.relation)
        for system in SYSTEMS:
            yield (system, DRAWN, terms(parsed.signals), is_right)


def main() -> None:
    """Fit the models, print how good they are, and write the weights."""
    lines = ["# Weights of confidence.py, by `python -m training.reading_confidence`."]
    table = pd.DataFrame([*readings_of_golds(), *readings_of_primer()], columns=COLUMNS)
    for model, rows in table.groupby("model", sort=False):
        groups = rows["group"].to_numpy()
        signals = pd.DataFrame(rows["signals"].tolist())
        features, is_right = signals.to_numpy(float), rows["is_right"].to_numpy(float)
        weights = fit(features, is_right)
        chances = cross_validated(features, is_right, groups)[groups != DRAWN]
        is_right = is_right[groups != DRAWN]
        error = calibration_error(chances, is_right)
        text = (
            f"{model}: n = {len(chances)}, right {is_right.mean():.1%},"
            f" calibration error {error:.3f}"
        )
        lines += ["", f'["{model}"]', f"bias = {weights[-1]:.4f}"]
        if model in LEAST_RIGHT:
            least = threshold(chances, is_right, LEAST_RIGHT[str(model)])
            kept = chances >= least
            text += f"; {is_right[kept].mean():.1%} of {kept.mean():.1%} from {least:.2f} on"
            lines.append(f"least = {least:.4f}")
        print(text)
        lines.append(f'["{model}".weights]')
        lines += [f'"{name}" = {value:.4f}' for name, value in zip(signals, weights, strict=False)]
    Path(FILE).write_text("\n".join([*lines, ""]), encoding="utf-8")


if __name__ == "__main__":
    main()

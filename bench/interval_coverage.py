"""Simulates how often intervals cover the truth: ``python -m bench.interval_coverage``.

It also prints how often equal models differ, over true means, numbers of prompts and correlations
of the questions of a prompt. No model runs. A prompt has five questions. Its share of right answers
is drawn from a beta distribution around the true mean, so that the answers of one prompt are
correlated; the score of a prompt is the mean of its questions. A simulated judge flags a wrong fact
and accepts a right one with fixed chances, and people label some of the prompts.
"""

from collections.abc import Iterable, Sequence
from itertools import product
from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.random import Generator
from numpy.typing import NDArray

from bench.measuring import launch
from hallascope.metrics.statistics.corrected_scores import LabeledPrompt, correct_score
from hallascope.metrics.statistics.intervals import ClusterSums, FloatPair, Interval, share_interval
from hallascope.metrics.statistics.paired_difference import (
    MIN_PROMPTS,
    all_differences,
    difference_interval,
)
from hallascope.metrics.statistics.sign_flips import sign_flip_tests

QUESTIONS = 5
CORRELATIONS = {"none": 0.0, "some": 0.3, "strong": 0.8}  # of two answers of a prompt
MEANS = (0.5, 0.8, 0.9, 0.95, 0.99)
PROMPTS = (3, 5, 10, 50, 200)
TESTED_PROMPTS = tuple(prompts for prompts in PROMPTS if prompts >= MIN_PROMPTS)
PAIRS = ((0.5, 0.5), (0.8, 0.5), (0.9, 0.8), (0.95, 0.9), (0.99, 0.95))  # means of two models
MODELS = 10  # equal ones, on one board
BOARD_PROMPTS = (10, 50, 200)
JUDGES = ((0.5, 0.95), (0.8, 0.9), (0.9, 0.97), (0.99, 0.99))  # sensitivity and specificity
JUDGED_MEANS = (0.5, 0.8, 0.95)
JUDGED_PROMPTS = 200
LABELED = (10, 20, 50, 100)
FloatArray = NDArray[np.float64]


class Coverage(NamedTuple):
    """Holds the share of intervals that cover the truth, and their mean width."""

    covered: float
    width: float


def measure_coverage(intervals: Sequence[Interval | FloatPair | None], truth: float) -> Coverage:
    """Return how often intervals of (low, high) cover the truth; one that is None does not."""
    ends = np.array([interval[:2] for interval in intervals if interval])
    slack = 1e-9  # an end may be the truth but for rounding
    covered = (ends[:, 0] - slack <= truth) & (truth <= ends[:, 1] + slack)
    return Coverage(covered.sum() / len(intervals), np.diff(ends).mean())


def draw_scores(
    chance: Generator, mean: float, strength: str, shape: tuple[int, ...]
) -> FloatArray:
    """Return scores of prompts, each the share of right answers to five questions.

    Any two answers of a prompt have the correlation rho that `strength` stands for: its share is
    drawn from a beta distribution with a + b = 1 / rho - 1.
    """
    correlation = CORRELATIONS[strength]
    if not correlation:
        return chance.binomial(QUESTIONS, mean, shape) / QUESTIONS
    spread = 1 / correlation - 1
    shares = chance.beta(mean * spread, (1 - mean) * spread, shape)
    return chance.binomial(QUESTIONS, shares) / QUESTIONS


def mean_coverage(chance: Generator, draws: int) -> pd.DataFrame:
    """Return the coverage of a model's mean score over so many draws of each cell."""
    rows = []
    for mean, strength, prompts in product(MEANS, CORRELATIONS, PROMPTS):
        scores = draw_scores(chance, mean, strength, (draws, prompts))
        coverage = measure_coverage(_mean_intervals(scores), mean)
        rows.append((mean, strength, prompts, *coverage))
    return pd.DataFrame(rows, columns=["true mean", "correlation", "prompts", "covered", "width"])


def difference_coverage(chance: Generator, draws: int) -> pd.DataFrame:
    """Return the coverage of the difference of two models over so many draws of each cell."""
    rows = []
    for pair, strength, prompts in product(PAIRS, CORRELATIONS, PROMPTS):
        one, other = (draw_scores(chance, mean, strength, (draws, prompts)) for mean in pair)
        coverage = measure_coverage(list(map(difference_interval, one - other)), pair[0] - pair[1])
        rows.append((pair, strength, prompts, *coverage))
    return pd.DataFrame(rows, columns=["true means", "correlation", "prompts", "covered", "width"])


def false_positives(chance: Generator, draws: int) -> pd.DataFrame:
    """Return how often two equal models have p < 0.05, over so many draws of each cell."""
    rows = []
    for mean, strength, prompts in product(MEANS, CORRELATIONS, TESTED_PROMPTS):
        one, other = (draw_scores(chance, mean, strength, (prompts, draws)) for _ in range(2))
        p = sign_flip_tests(one - other, drawn=10_000, seed=int(chance.integers(2**32))).p
        rows.append((mean, strength, prompts, np.less(p, 0.05).mean()))
    return pd.DataFrame(rows, columns=["true mean", "correlation", "prompts", "below"])


def equal_boards(chance: Generator, boards: int) -> pd.DataFrame:
    """Return on how many boards of ten equal models any p is below 0.05, corrected or not."""
    rows = []
    for strength, prompts in product(CORRELATIONS, BOARD_PROMPTS):
        found = []
        for _ in range(boards):
            scores = draw_scores(chance, 0.8, strength, (MODELS, prompts))
            models = {f"model {i}": _as_prompts(own) for i, own in enumerate(scores)}
            pairs = all_differences({"": models})
            below = [(pair.told_apart, (pair.p or 0) < 0.05) for pair in pairs]
            found.append(np.any(below, axis=0))
        rows.append((strength, prompts, *np.mean(found, axis=0)))
    names = ["correlation", "prompts", "corrected", "not corrected"]
    return pd.DataFrame(rows, columns=names).melt(names[:2], var_name="p", value_name="below")


def correction_coverage(chance: Generator, draws: int, *, at_random: bool) -> pd.DataFrame:
    """Return the coverage of corrected scores over so many draws of each cell.

    The first prompts are labeled, or (`at_random`) some drawn with a known probability, as in a
    labeling plan.
    """
    rows = []
    for mean, (sensitivity, specificity), labeled in product(JUDGED_MEANS, JUDGES, LABELED):
        facts = draw_scores(chance, mean, "some", (draws, JUDGED_PROMPTS))
        right = (facts * QUESTIONS).round().astype(int)
        accepted = chance.binomial(right, specificity)
        missed = chance.binomial(QUESTIONS - right, 1 - sensitivity)
        scores = (accepted + missed) / QUESTIONS
        order = np.tile(np.arange(JUDGED_PROMPTS), (draws, 1))
        if at_random:
            order = (chance.random(facts.shape) * JUDGED_PROMPTS).argsort(axis=1)
        probability = labeled / JUDGED_PROMPTS if at_random else None
        drawn = zip(scores, facts, order[:, :labeled].tolist(), strict=True)
        covered, width = measure_coverage(
            [_corrected_interval(*one, probability) for one in drawn], mean
        )
        judge = measure_coverage(_mean_intervals(scores), mean).covered
        people = measure_coverage(_mean_intervals(facts[:, :labeled]), mean).width
        rows.append((mean, sensitivity, specificity, labeled, covered, judge, width, people))
    names = ["people's mean", "sensitivity", "specificity", "labeled"]
    names += ["covered", "by the judge alone", "width", "width by labels alone"]
    return pd.DataFrame(rows, columns=names)


def _mean_intervals(scores: FloatArray) -> list[Interval | None]:
    """Return the interval of the mean score of each draw; scores have shape (draws, prompts)."""
    n = scores.shape[1]
    sums = zip(scores.sum(axis=1).tolist(), (scores**2).sum(axis=1).tolist(), strict=True)
    return [share_interval(ClusterSums(n, total, n, squares, total, n)) for total, squares in sums]


def _as_prompts(scores: Iterable[float]) -> dict[str, FloatPair]:
    return {str(i): (float(score), 1.0) for i, score in enumerate(scores)}


def _corrected_interval(
    scores: FloatArray, facts: FloatArray, labeled: Sequence[int], probability: float | None
) -> FloatPair | None:
    judged, people = _as_prompts(scores), _as_prompts(facts)
    labels = {
        name: LabeledPrompt(people[name], own, people[name], people[name], QUESTIONS, probability)
        for name, own in ((str(place), judged[str(place)]) for place in labeled)
    }
    found = correct_score(judged, labels)
    return (found.low, found.high) if found else None


def main(draws: int = 2_000, boards: int = 600, seed: int = 0) -> None:
    """Print all tables, of so many draws or boards a cell; the same seed gives the same ones."""
    chance = np.random.default_rng(seed)
    print(f"In percent of {draws:,} draws a cell, of {boards:,} boards; five questions a prompt.\n")
    for title, simulate, count in (
        ("95 % intervals of a score that cover its true mean", mean_coverage, draws),
        ("95 % intervals of a difference of two models that cover it", difference_coverage, draws),
        ("pairs of equal models with p < 0.05 by sign flips", false_positives, draws),
        ("boards of ten equal models with any p < 0.05", equal_boards, boards),
    ):
        cells = simulate(chance, count).drop(columns="width", errors="ignore")
        table = 100 * cells.set_index(list(cells.columns[:-1])).unstack("prompts")
        print(f"{title}\n\n{table.to_string(float_format='{:.1f}'.format)}\n")
    for at_random, words in ((False, "a score corrected by labels"), (True, "a labeling plan")):
        cells = correction_coverage(chance, boards, at_random=at_random)
        cells.iloc[:, 4:] *= 100
        print(f"95 % intervals of {words} that cover what people would say of {JUDGED_PROMPTS}\n")
        print(f"{cells.to_string(index=False, float_format='{:.3g}'.format)}\n")


if __name__ == "__main__":
    launch(main)

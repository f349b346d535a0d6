"""Simulates how often the intervals cover the truth, and how often equal models are told apart.

A prompt has five questions. Its share of right answers is drawn from a beta distribution around the
true mean, so that the answers of one prompt are correlated; the score of a prompt is the mean of
its questions. A simulated judge flags a wrong fact and accepts a right one with fixed chances, and
people label the first prompts. In the samples of labeling plans they label prompts that are drawn
at random, or by how unsure the judge is: it is unsure of a wrong answer by a number drawn from 0 to
1, of a right one by half of such a number.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeVar

from hallascope.metrics.statistics.corrected_scores import LabeledPrompt, correct_score
from hallascope.metrics.statistics.intervals import (
    LEVEL,
    ClusterSums,
    Interval,
    share_interval,
)
from hallascope.metrics.statistics.paired_difference import (
    MIN_PROMPTS,
    all_differences,
    difference_interval,
)
from hallascope.metrics.statistics.prediction_powered import inclusion_probabilities
from hallascope.metrics.statistics.sign_flips import sign_flip_tests

if TYPE_CHECKING:
    import numpy as np
    from numpy.random import Generator
    from numpy.typing import NDArray

QUESTIONS = 5
Strength = Literal["none", "some", "strong"]
CORRELATIONS: Mapping[Strength, float] = {"none": 0.0, "some": 0.3, "strong": 0.8}
MEANS = (0.5, 0.8, 0.9, 0.95, 0.99)
PROMPTS = (3, 5, 10, 50, 200)
TESTED_PROMPTS = tuple(prompts for prompts in PROMPTS if prompts >= MIN_PROMPTS)
# true means of two models
PAIRS = ((0.5, 0.5), (0.8, 0.5), (0.9, 0.8), (0.95, 0.9), (0.99, 0.95))
MODELS = 10  # equal ones, on one board
BOARD_MEAN = 0.8
BOARD_PROMPTS = (10, 50, 200)
# sensitivity and specificity of judges
JUDGES = ((0.5, 0.95), (0.8, 0.9), (0.9, 0.97), (0.99, 0.99))
JUDGED_MEANS = (0.5, 0.8, 0.95)
JUDGED_PROMPTS = 200
LABELED = (10, 20, 50, 100)  # prompts of these
SampleDesign = Literal["random", "active"]
DESIGNS: tuple[SampleDesign, ...] = ("random", "active")

T = TypeVar("T")
ReportCells = Callable[[int, int], None]


class CoverageCell(NamedTuple):
    """Holds the share of intervals that cover the truth, and their mean width.

    `other` is the true mean of a second model where the interval is that of a difference.
    """

    mean: float
    correlation: Strength
    prompts: int
    covered: float
    width: float
    other: float | None = None


class FalsePositiveCell(NamedTuple):
    """Holds the share of pairs of equal models whose p is below 0.05."""

    mean: float
    correlation: Strength
    prompts: int
    below: float


class BoardCell(NamedTuple):
    """Holds the share of boards of ten equal models on which any p is below 0.05.

    `uncorrected` is that of p before Holm's correction.
    """

    correlation: Strength
    prompts: int
    corrected: float
    uncorrected: float


class CorrectionCell(NamedTuple):
    """Holds the share of intervals of corrected scores that cover what people would say.

    `labeled` of 200 judged prompts have labels. `judge` is the share of intervals of the judge's
    own score that cover it. `width` is the mean width of the corrected ones, `people` that of the
    intervals of the labels alone.
    """

    mean: float
    sensitivity: float
    specificity: float
    labeled: int
    covered: float
    judge: float
    width: float
    people: float


class SampleCell(NamedTuple):
    """Holds the share of intervals of labeling plans that cover what people would say.

    `labeled` of 200 judged prompts are drawn by `design` and labeled. `width` is the mean width.
    """

    design: SampleDesign
    mean: float
    sensitivity: float
    specificity: float
    labeled: int
    covered: float
    width: float


class CoverageTables(NamedTuple):
    """Holds all that was simulated.

    `draws` is of each cell, `boards` of each cell of boards, of corrections and of samples.
    """

    draws: int
    boards: int
    means: tuple[CoverageCell, ...]
    differences: tuple[CoverageCell, ...]
    false_positives: tuple[FalsePositiveCell, ...]
    equal_boards: tuple[BoardCell, ...]
    corrections: tuple[CorrectionCell, ...]
    samples: tuple[SampleCell, ...]


def simulate_coverage(
    draws: int = 2_000,
    boards: int = 600,
    seed: int = 0,
    on_progress: ReportCells = lambda done, total: None,
) -> CoverageTables:
    """Return all tables; the same seed gives the same ones.

    `on_progress` is given how many cells are done, of how many.
    """
    import numpy as np

    chance = np.random.default_rng(seed)
    cells = _Cells(
        (len(MEANS) + len(PAIRS)) * len(CORRELATIONS) * len(PROMPTS)
        + len(CORRELATIONS) * (len(MEANS) * len(TESTED_PROMPTS) + len(BOARD_PROMPTS))
        + len(JUDGED_MEANS) * len(JUDGES) * len(LABELED) * (1 + len(DESIGNS)),
        on_progress,
    )
    return CoverageTables(
        draws=draws,
        boards=boards,
        means=tuple(map(cells.add, simulate_means(chance, draws))),
        differences=tuple(map(cells.add, simulate_differences(chance, draws))),
        false_positives=tuple(map(cells.add, simulate_false_positives(chance, draws))),
        equal_boards=tuple(
            cells.add(_board_cell(chance, strength, prompts, boards))
            for strength in CORRELATIONS
            for prompts in BOARD_PROMPTS
        ),
        corrections=tuple(map(cells.add, simulate_corrections(chance, boards))),
        samples=tuple(
            cells.add(simulate_sample(chance, design, mean, judge, labeled, boards))
            for design in DESIGNS
            for mean in JUDGED_MEANS
            for judge in JUDGES
            for labeled in LABELED
        ),
    )


class _Cells:
    """Counts the cells that are done."""

    def __init__(self, total: int, on_progress: ReportCells) -> None:
        self._done = 0
        self._total = total
        self._on_progress = on_progress

    def add(self, cell: T) -> T:
        self._done += 1
        self._on_progress(self._done, self._total)
        return cell


def draw_scores(
    chance: "Generator", mean: float, strength: Strength, shape: tuple[int, ...]
) -> "NDArray[np.float64]":
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


def simulate_means(chance: "Generator", draws: int) -> Iterator[CoverageCell]:
    """Yield the coverage of a model's mean score over so many draws of each cell."""
    for mean in MEANS:
        for strength in CORRELATIONS:
            for prompts in PROMPTS:
                yield _mean_cell(chance, mean, strength, prompts, draws)


def simulate_differences(chance: "Generator", draws: int) -> Iterator[CoverageCell]:
    """Yield the coverage of the difference of two models over so many draws of each cell."""
    for pair in PAIRS:
        for strength in CORRELATIONS:
            for prompts in PROMPTS:
                yield _difference_cell(chance, pair, strength, prompts, draws)


def simulate_false_positives(chance: "Generator", draws: int) -> Iterator[FalsePositiveCell]:
    """Yield how often equal models differ over so many draws of each cell with enough prompts."""
    for mean in MEANS:
        for strength in CORRELATIONS:
            for prompts in TESTED_PROMPTS:
                yield _false_positive_cell(chance, mean, strength, prompts, draws)


def _mean_cell(
    chance: "Generator", mean: float, strength: Strength, prompts: int, draws: int
) -> CoverageCell:
    scores = draw_scores(chance, mean, strength, (draws, prompts))
    intervals = _mean_intervals(scores)
    return CoverageCell(mean, strength, prompts, *_coverage(intervals, mean))


def _mean_intervals(scores: "NDArray[np.float64]") -> list[Interval | None]:
    """Return the interval of the mean score of each draw; scores have shape (draws, prompts)."""
    prompts = scores.shape[1]
    return [
        share_interval(ClusterSums(prompts, total, prompts, squares, total, prompts))
        for total, squares in zip(
            scores.sum(axis=1).tolist(), (scores**2).sum(axis=1).tolist(), strict=True
        )
    ]


def _difference_cell(
    chance: "Generator",
    means: tuple[float, float],
    strength: Strength,
    prompts: int,
    draws: int,
) -> CoverageCell:
    one, other = (draw_scores(chance, mean, strength, (draws, prompts)) for mean in means)
    intervals = [difference_interval(differences) for differences in one - other]
    covered, width = _coverage(intervals, means[0] - means[1])
    return CoverageCell(means[0], strength, prompts, covered, width, means[1])


def _coverage(intervals: Sequence[Interval | None], truth: float) -> tuple[float, float]:
    """Return the share of intervals that hold the truth, and their mean width."""
    known = [interval for interval in intervals if interval]
    slack = 1e-9  # an end may be the truth but for rounding
    held = sum(interval.low - slack <= truth <= interval.high + slack for interval in known)
    width = sum(interval.high - interval.low for interval in known) / len(known)
    return held / len(intervals), width


def _false_positive_cell(
    chance: "Generator", mean: float, strength: Strength, prompts: int, draws: int
) -> FalsePositiveCell:
    one, other = (draw_scores(chance, mean, strength, (prompts, draws)) for _ in range(2))
    p_values = sign_flip_tests(one - other, drawn=10_000, seed=int(chance.integers(2**32))).p
    below = sum(p < 1 - LEVEL for p in p_values)
    return FalsePositiveCell(mean, strength, prompts, below / draws)


def _board_cell(chance: "Generator", strength: Strength, prompts: int, boards: int) -> BoardCell:
    corrected = uncorrected = 0
    for _ in range(boards):
        scores = draw_scores(chance, BOARD_MEAN, strength, (MODELS, prompts)).tolist()
        sides = {
            f"model {model}": {f"prompt {i}": (score, 1.0) for i, score in enumerate(own)}
            for model, own in enumerate(scores)
        }
        pairs = all_differences({"": sides})
        corrected += any(pair.told_apart for pair in pairs)
        uncorrected += any(pair.p is not None and pair.p < 1 - LEVEL for pair in pairs)
    return BoardCell(strength, prompts, corrected / boards, uncorrected / boards)


class _JudgedPrompts(NamedTuple):
    """Holds arrays of shape (draws, prompts): shares of true facts, the judge's scores, its errors.

    Errors are numbers of wrong answers to five questions.
    """

    facts: "NDArray[np.float64]"
    scores: "NDArray[np.float64]"
    errors: "NDArray[np.int64]"


def _draw_judged(
    chance: "Generator", mean: float, judge: tuple[float, float], draws: int
) -> _JudgedPrompts:
    sensitivity, specificity = judge
    facts = draw_scores(chance, mean, "some", (draws, JUDGED_PROMPTS))
    right = (facts * QUESTIONS).round().astype(int)
    accepted = chance.binomial(right, specificity)
    missed = chance.binomial(QUESTIONS - right, 1 - sensitivity)
    return _JudgedPrompts(facts, (accepted + missed) / QUESTIONS, right - accepted + missed)


def simulate_corrections(chance: "Generator", draws: int) -> Iterator[CorrectionCell]:
    """Yield the coverage of corrected scores over so many draws of each cell."""
    for mean in JUDGED_MEANS:
        for judge in JUDGES:
            for labeled in LABELED:
                yield _correction_cell(chance, mean, judge, labeled, draws)


def _correction_cell(
    chance: "Generator", mean: float, judge: tuple[float, float], labeled: int, draws: int
) -> CorrectionCell:
    sensitivity, specificity = judge
    facts, scores, _ = _draw_judged(chance, mean, judge, draws)
    drawn: dict[int, float | None] = dict.fromkeys(range(labeled))
    corrected = [
        _corrected_interval(said, seen, drawn)
        for said, seen in zip(scores.tolist(), facts.tolist(), strict=True)
    ]
    covered, width = _coverage(corrected, mean)
    return CorrectionCell(
        mean,
        sensitivity,
        specificity,
        labeled,
        covered=covered,
        judge=_coverage(_mean_intervals(scores), mean)[0],
        width=width,
        people=_coverage(_mean_intervals(facts[:, :labeled]), mean)[1],
    )


def _corrected_interval(
    scores: Sequence[float], facts: Sequence[float], drawn: Mapping[int, float | None]
) -> Interval | None:
    """Return the interval of the corrected score; `drawn` has the probability of each label."""
    judged = {f"{i:03}": (score, 1.0) for i, score in enumerate(scores)}
    sample = {}
    for i, probability in drawn.items():
        people = facts[i], 1.0
        label = LabeledPrompt(people, (scores[i], 1.0), people, people, QUESTIONS, probability)
        sample[f"{i:03}"] = label
    found = correct_score(judged, sample)
    return Interval(found.low, found.high, "prediction-powered") if found else None


def simulate_sample(
    chance: "Generator",
    design: SampleDesign,
    mean: float,
    judge: tuple[float, float],
    labeled: int,
    draws: int,
) -> SampleCell:
    """Return the coverage of a labeling plan over so many draws.

    `judge` is its sensitivity and specificity, `mean` what people would say, both in [0, 1].
    """
    judged = _draw_judged(chance, mean, judge, draws)
    probabilities = _draw_probabilities(chance, design, judged.errors)
    # sequential Poisson sampling: the first by a permanent random number over the probability
    order = (chance.random(probabilities.shape) / probabilities).argsort(axis=1)[:, :labeled]
    intervals: list[Interval | None] = []
    for drawn, own, facts, scores in zip(
        order.tolist(),
        probabilities.tolist(),
        judged.facts.tolist(),
        judged.scores.tolist(),
        strict=True,
    ):
        included = inclusion_probabilities(own, labeled)
        intervals.append(_corrected_interval(scores, facts, {i: included[i] for i in drawn}))
    covered, width = _coverage(intervals, mean)
    return SampleCell(design, mean, *judge, labeled, covered, width)


def _draw_probabilities(
    chance: "Generator", design: SampleDesign, errors: "NDArray[np.int64]"
) -> "NDArray[np.float64]":
    """Return the probability of each prompt in one draw; in the active design half is by doubt."""
    import numpy as np
    from numpy.typing import NDArray

    uniform = np.full(errors.shape, 1 / errors.shape[1])
    if design == "random":
        return uniform
    wrong = np.arange(QUESTIONS) < errors[..., None]
    doubt = (chance.random(wrong.shape) * np.where(wrong, 1.0, 0.5)).mean(axis=-1)
    active: NDArray[np.float64] = 0.5 * uniform + 0.5 * doubt / doubt.sum(axis=1, keepdims=True)
    return active

"""Corrects scores of models, and their differences, by what people say of a sample of the prompts.

A score is a ratio of sums over prompts. It is linearized, and corrected as a mean by
`hallascope.metrics.statistics.prediction_powered`.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hallascope.metrics.statistics.intervals import (
    FloatPair,
    clip_share,
    mean_interval,
    t_quantile,
)
from hallascope.metrics.statistics.prediction_powered import (
    MIN_LABELED,
    TUNED_FROM,
    CorrectedMean,
    LabeledSample,
)

FloatArray = NDArray[np.float64]
RANDOM_SAMPLE = (
    "Corrected scores hold only if the labeled prompts were drawn at random. No labeling plan says"
    " so."
)
DRAWN_SAMPLE = (
    "The labeled prompts were drawn with known probabilities, and each label counts by the inverse"
    " of its own."
)


@dataclass(frozen=True, kw_only=True)
class CorrectedScore:
    """Holds the mean that people would give over all judged prompts, with its 95 % interval.

    `judge` is the judge's own mean over the `judged` prompts. `bias`, from `bias_low` to
    `bias_high`, is by how much the judge is above people on the `labeled` ones. `weight`, 0 or
    above, is how far the judge's scores count; it is 0 where every prompt is labeled. `lowest` and
    `highest` are the means if all that people could not tell were wrong, or right.

    `half_width` is half the width of the interval before it is cut off at 0 and 1. The variance is
    `from_labels`, which more labels lower, and `from_prompts`, which only more judged prompts do.
    """

    value: float
    low: float
    high: float
    judge: float
    bias: float
    bias_low: float
    bias_high: float
    weight: float
    labeled: int
    judged: int
    lowest: float
    highest: float
    half_width: float
    from_labels: float
    from_prompts: float


@dataclass(frozen=True, kw_only=True)
class CorrectedDifference:
    """Holds by how much people would put one model above another, with the 95 % interval.

    `judge` is the judge's own difference over the `judged` prompts of both models, `labeled` of
    which are labeled for both; `weight` is as in `CorrectedScore`.
    """

    value: float
    low: float
    high: float
    judge: float
    weight: float
    labeled: int
    judged: int


class LabeledPrompt(NamedTuple):
    """Holds what people say of one prompt's images, each as the sum of a score and its weight.

    `people` is over the `questions` that people could tell (1 where the fact holds); its weight is
    0 where they could tell none. `judge` is the judge's score of all questions that people were
    asked, those that they could not tell among them: of prompts without labels the judge scores
    these, too, and where it says something else of them the difference would stay in the score.
    `lowest` and `highest` are `people` with all that could not be told counted as wrong, or as
    right. Several raters are averaged before. `probability` in (0, 1] is that with which the prompt
    was drawn to be labeled, in a sample of a fixed size; None where all had the same.
    """

    people: FloatPair
    judge: FloatPair
    lowest: FloatPair
    highest: FloatPair
    questions: int
    probability: float | None = None


def correct_score(
    judged: Mapping[str, FloatPair], labeled: Mapping[str, LabeledPrompt]
) -> CorrectedScore | None:
    """Correct a model's score, which is a ratio of sums over prompts.

    `judged` holds by prompt the sum of the judge's scores and their weight (for I-HallA the right
    answers and the questions), `labeled` what people say of a random sample of these prompts. Each
    prompt counts by its weight: the scores are linearized (Cochran, Sampling Techniques (1977),
    section 6.3). None where people could tell anything of fewer than 10 of them; `labels_needed`
    says how many are missing.

    Raises ValueError where a labeled prompt was not judged, or only some have a probability.
    """
    if not labeled:
        return None
    sample = _Sample(judged, labeled)
    if sample.told < MIN_LABELED:
        return None
    told = sample.correct().mean(sample.step)
    half = sample.quantile * math.sqrt(told.variance)
    low, high = sample.interval(told, half)
    bias = sample.bias()
    bias_half = sample.quantile * math.sqrt(bias.variance)
    bounds = [sample.correct("lowest").mean().value, sample.correct("highest").mean().value]
    reach = max(told.value - low, high - told.value)
    return CorrectedScore(
        value=clip_share(told.value),
        low=low,
        high=high,
        judge=sample.judge_mean,
        bias=bias.value,
        bias_low=bias.value - bias_half,
        bias_high=bias.value + bias_half,
        weight=told.weight,
        labeled=sample.size,
        judged=len(judged),
        lowest=clip_share(min(*bounds, told.value)),
        highest=clip_share(max(*bounds, told.value)),
        half_width=reach if sample.is_complete else max(half, reach),
        from_labels=told.variance - told.from_prompts,
        from_prompts=told.from_prompts,
    )


def correct_difference(
    one: Mapping[str, FloatPair],
    other: Mapping[str, FloatPair],
    labeled_one: Mapping[str, LabeledPrompt],
    labeled_other: Mapping[str, LabeledPrompt],
) -> CorrectedDifference | None:
    """Return by how much people would put one model above another, with the 95 % interval.

    It is over the prompts that the judge scored for both; those labeled for both are the sample.
    None where people could tell anything of fewer than 10 of these, for either model.
    """
    judged = one.keys() & other.keys()
    both = judged & labeled_one.keys() & labeled_other.keys()
    if not both:
        return None
    sides = [
        ({prompt: scores[prompt] for prompt in judged}, labeled)
        for scores, labeled in ((one, labeled_one), (other, labeled_other))
    ]
    first, second = (
        _Sample(scores, {prompt: labeled[prompt] for prompt in both}) for scores, labeled in sides
    )
    if min(first.told, second.told) < MIN_LABELED:
        return None
    if first.inclusion is None and second.inclusion is None:
        difference = first.minus(second)
    else:
        # each with all its own labels: how likely a prompt was to be labeled for both is not known
        first, second = (
            _Sample(scores, {prompt: labeled[prompt] for prompt in judged & labeled.keys()})
            for scores, labeled in sides
        )
        difference = first.minus_drawn(second)
    half = max(first.quantile, second.quantile) * math.sqrt(difference.variance)
    return CorrectedDifference(
        value=difference.value,
        low=difference.value - half,
        high=difference.value + half,
        judge=first.judge_mean - second.judge_mean,
        weight=difference.weight,
        labeled=len(both),
        judged=len(judged),
    )


# --- looking ahead ---


def labels_for_half_width(score: CorrectedScore, half_width: float) -> int | None:
    """Return how many more prompts to label until the interval is so narrow, 0 where it is.

    The part of the variance that labels lower falls with n as (1 - n / N) / n, and Student's t
    with its degrees of freedom. None where even labels of all prompts do not suffice.
    """
    if score.half_width <= half_width:
        return 0
    n, total = score.labeled, score.judged
    if n == total:
        return None
    left = 1 - n / total
    for labeled in range(n + 1, total + 1):
        from_labels = score.from_labels * (n / labeled) * ((1 - labeled / total) / left)
        half = t_quantile(labeled - 1) * math.sqrt(from_labels + score.from_prompts)
        if half <= half_width:
            return labeled - n
    return None


def half_width_of_all(score: CorrectedScore) -> float:
    """Return half the width of the interval that is to be expected with every prompt labeled."""
    return t_quantile(score.judged - 1) * math.sqrt(score.from_prompts)


# --- the labels of a model ---


class _Sample:
    """Holds the judged prompts of one model and the labels of a sample of them, linearized."""

    def __init__(
        self, judged: Mapping[str, FloatPair], labeled: Mapping[str, LabeledPrompt]
    ) -> None:
        if missing := labeled.keys() - judged.keys():
            raise ValueError(
                f"The judge has no score of {min(missing)!r}: judge the labeled prompts too."
            )
        # those without labels first, as in `LabeledSample`
        self._prompts = [*sorted(judged.keys() - labeled.keys()), *sorted(labeled)]
        self._labels = [labeled[prompt] for prompt in sorted(labeled)]
        self.size = len(labeled)
        self.is_complete = self.size == len(judged)
        self._told = [said for said in self._labels if said.people[1] > 0]
        self.told = len(self._told)  # prompts of which people could tell anything
        scores = np.array([judged[prompt] for prompt in self._prompts])
        self.judge_mean = float(scores[:, 0].sum() / scores[:, 1].sum())
        self._mean_weight = float(scores[:, 1].mean())
        self._unlabeled = self._linearize(scores[: len(scores) - self.size], self._mean_weight)
        self.inclusion = _inclusion(self._labels)
        judge = np.array([said.judge for said in self._labels])
        is_random = self.inclusion is None
        self._judge = self._linearize(judge, judge[:, 1].mean() if is_random else self._mean_weight)
        if self.is_complete and not is_random:  # what people say is known of all
            self.inclusion = np.ones(self.size)

    def _linearize(self, values: FloatArray, mean_weight: float) -> FloatArray:
        """Return the judge's values, whose mean is its ratio of sums to the first order."""
        return self.judge_mean + (values[:, 0] - self.judge_mean * values[:, 1]) / mean_weight

    @property
    def step(self) -> float:
        """Return by how much one question changes the score of a prompt."""
        return 1 / fmean(said.questions for said in self._told)

    @property
    def quantile(self) -> float:
        """Return the 95 % quantile of Student's t, by the number of labels."""
        return t_quantile(self.size - 1)

    def _people(self, bound: Literal["people", "lowest", "highest"] = "people") -> FloatArray:
        """Return people's linearized scores of the labeled prompts."""
        sums, weights = np.array([getattr(said, bound) for said in self._labels]).T
        inverse = None if self.inclusion is None else 1 / self.inclusion
        mean_weight = np.average(weights, weights=inverse)
        ratio = np.average(sums, weights=inverse) / mean_weight
        linear: FloatArray = ratio + (sums - ratio * weights) / mean_weight
        return linear

    def correct(self, bound: Literal["people", "lowest", "highest"] = "people") -> LabeledSample:
        return LabeledSample(self._unlabeled, self._people(bound), self._judge, self.inclusion)

    def bias(self) -> CorrectedMean:
        """Return by how much the judge is above people on the labeled prompts."""
        zeros = np.zeros(len(self._unlabeled) if self.inclusion is not None else 0)
        above = self._judge - self._people()
        return LabeledSample(zeros, above, np.zeros(self.size), self.inclusion).mean(self.step)

    def minus(self, other: "_Sample") -> CorrectedMean:
        """Return the difference to a model of which the same prompts are judged and labeled."""
        return LabeledSample(
            self._unlabeled - other._unlabeled,
            self._people() - other._people(),
            self._judge - other._judge,
        ).mean(self.step)

    def minus_drawn(self, other: "_Sample") -> CorrectedMean:
        """Return the difference to a model of which the same prompts are judged.

        Each has labels of its own with their probabilities, so that it does not matter how likely
        a prompt was to be labeled for both.

        Raises ValueError where the labels of one of them have no probabilities.
        """
        if self.inclusion is None or other.inclusion is None:
            raise ValueError(_SOME_PROBABILITIES)
        own, others = self._estimates(), other._estimates()
        differences = np.array([own[prompt] - others[prompt] for prompt in own])
        n = min(self.size, other.size)
        spread = n / (n - 1) * float(differences.var(ddof=1)) / len(differences)
        return CorrectedMean(
            value=float(differences.mean()),
            variance=max(spread, (self.step / n) ** 2),
            from_prompts=0.0,
            weight=self.correct().weight,
        )

    def _estimates(self) -> dict[str, float]:
        """Return by prompt the values whose mean is the corrected score."""
        return dict(zip(self._prompts, self.correct().estimates().tolist(), strict=True))

    def interval(self, told: CorrectedMean, half: float) -> FloatPair:
        """Return the 95 % interval of the score, within [0, 1].

        Where every prompt is labeled it is that of people's own scores. Else it is Student's t, and
        from 100 labels on it reaches as far as Wilson's on the effective number of prompts, too:
        the weight then leaves few errors to estimate the variance from, where a score is near 1.
        """
        if self.is_complete:
            alone = mean_interval(*zip(*(said.people for said in self._told), strict=True))
            if alone:
                return alone.low, alone.high
        ends = [told.value - half, told.value + half]
        if self.size >= TUNED_FROM:
            ends += _wilson(told, self.quantile)
        return clip_share(min(ends)), clip_share(max(ends))


_SOME_PROBABILITIES = (
    "Some labeled prompts have an inclusion probability and others have none: give it for all of"
    " them, or for none."
)


def _inclusion(labels: Sequence[LabeledPrompt]) -> FloatArray | None:
    """Return the inclusion probabilities of labeled prompts, None where all had the same chance.

    Raises ValueError where one is not in (0, 1], or where only some prompts have one.
    """
    given = [said.probability for said in labels if said.probability is not None]
    if given and len(given) < len(labels):
        raise ValueError(_SOME_PROBABILITIES)
    if not all(0 < probability <= 1 for probability in given):
        raise ValueError("An inclusion probability must be above 0 and at most 1.")
    return np.array(given) if given else None


def _wilson(mean: CorrectedMean, quantile: float) -> FloatPair:
    """Return Wilson's interval of a share whose variance is that of the mean (JASA 22, 1927)."""
    share = min(1 - mean.variance, max(mean.variance, mean.value))
    n = share * (1 - share) / mean.variance
    scale = 1 + quantile**2 / n
    center = (share + quantile**2 / (2 * n)) / scale
    half = quantile / scale * math.sqrt(share * (1 - share) / n + quantile**2 / (4 * n * n))
    return center - half, center + half

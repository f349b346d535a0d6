"""Corrects scores of models, and their differences, by what people say of a sample of the prompts.

A score is a ratio of sums over prompts. It is linearized, and corrected as a mean by
`hallascope.metrics.statistics.prediction_powered`.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean, variance
from typing import NamedTuple

from hallascope.metrics.statistics.intervals import FloatPair, Interval, mean_interval, t_quantile
from hallascope.metrics.statistics.prediction_powered import (
    MIN_LABELED,
    TUNED_FROM,
    CorrectedMean,
    correct_mean,
    correct_sampled_mean,
    sampled_estimates,
    weighted_mean,
)

RANDOM_SAMPLE = (
    "A corrected score holds only if the labeled prompts are a random sample of the judged ones: no"
    " plan says how these were drawn."
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
    people = sample.people()
    told = sample.correct(people)
    interval = sample.interval(told)
    bias = sample.bias(people)
    bias_half = sample.half_width(bias)
    bounds = [
        sample.correct([said.lowest for said in sample.labeled.values()]).value,
        sample.correct([said.highest for said in sample.labeled.values()]).value,
    ]
    value = _clip(told.value)
    return CorrectedScore(
        value=value,
        low=interval.low,
        high=interval.high,
        judge=_ratio(list(judged.values())),
        bias=bias.value,
        bias_low=bias.value - bias_half,
        bias_high=bias.value + bias_half,
        weight=told.weight,
        labeled=sample.size,
        judged=len(judged),
        lowest=_clip(min(*bounds, told.value)),
        highest=_clip(max(*bounds, told.value)),
        half_width=sample.reach(told, interval),
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
    first = _Sample({p: one[p] for p in judged}, {p: labeled_one[p] for p in both})
    second = _Sample({p: other[p] for p in judged}, {p: labeled_other[p] for p in both})
    if min(first.told, second.told) < MIN_LABELED:
        return None
    if first.is_sampled or second.is_sampled:
        first = _Sample(first.judged, {p: labeled_one[p] for p in judged & labeled_one.keys()})
        second = _Sample(
            second.judged, {p: labeled_other[p] for p in judged & labeled_other.keys()}
        )
        difference = first.correct_sampled_difference(second)
    else:
        difference = first.correct_difference(second)
    half = max(first.half_width(difference), second.half_width(difference))
    return CorrectedDifference(
        value=difference.value,
        low=difference.value - half,
        high=difference.value + half,
        judge=_ratio(list(first.judged.values())) - _ratio(list(second.judged.values())),
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
        missing = labeled.keys() - judged.keys()
        if missing:
            raise ValueError(
                f"The judge has no score of {min(missing)!r}: judge the labeled prompts too."
            )
        self.judged = judged
        self.labeled = dict(sorted(labeled.items()))
        self.size = len(self.labeled)
        self._told = [said for said in self.labeled.values() if said.people[1] > 0]
        self.told = len(self._told)  # prompts of which people could tell anything
        self.mean_weight = fmean(weight for _, weight in judged.values())
        self._judge_mean = _ratio(list(judged.values()))
        self._probabilities = _probabilities(self.labeled)
        if self.size == len(judged):  # what people say is known of all
            self._probabilities = [1.0 for _ in self._probabilities]
        self.is_sampled = bool(self._probabilities)  # with unequal chances

    @property
    def step(self) -> float:
        """Return by how much one question changes the score of a prompt."""
        return 1 / fmean(said.questions for said in self._told)

    def people(self) -> list[FloatPair]:
        """Return what people say, by prompt."""
        return [said.people for said in self.labeled.values()]

    def pairs(self, people: Sequence[FloatPair]) -> list[FloatPair]:
        """Return the linearized scores of people and judge of each labeled prompt."""
        judge = [said.judge for said in self.labeled.values()]
        if not self.is_sampled:
            scores = _linearize(people, _ratio(people)), _linearize(judge, self._judge_mean)
            return list(zip(*scores, strict=True))
        inverse = [1 / probability for probability in self._probabilities]
        mean_weight = weighted_mean([weight for _, weight in people], inverse)
        ratio = weighted_mean([total for total, _ in people], inverse) / mean_weight
        return list(
            zip(
                _linearize(people, ratio, mean_weight),
                _linearize(judge, self._judge_mean, self.mean_weight),
                strict=True,
            )
        )

    def unlabeled(self) -> list[float]:
        """Return the judge's linearized scores of the prompts without labels."""
        rest = [pair for prompt, pair in sorted(self.judged.items()) if prompt not in self.labeled]
        return _linearize(rest, self._judge_mean, self.mean_weight)

    def correct(self, people: Sequence[FloatPair]) -> CorrectedMean:
        if self.is_sampled:
            return correct_sampled_mean(
                self.unlabeled(), self.pairs(people), self._probabilities, step=self.step
            )
        return correct_mean(self.unlabeled(), self.pairs(people), step=self.step)

    def correct_difference(self, other: "_Sample") -> CorrectedMean:
        """Return the difference to a model of which the same prompts are judged and labeled."""
        pairs = [
            (people - people_other, judge - judge_other)
            for (people, judge), (people_other, judge_other) in zip(
                self.pairs(self.people()), other.pairs(other.people()), strict=True
            )
        ]
        unlabeled = [a - b for a, b in zip(self.unlabeled(), other.unlabeled(), strict=True)]
        return correct_mean(unlabeled, pairs, step=self.step)

    def correct_sampled_difference(self, other: "_Sample") -> CorrectedMean:
        """Return the difference to a model of which the same prompts are judged.

        Each has labels of its own with their probabilities, so that it does not matter how likely
        a prompt was to be labeled for both.

        Raises ValueError where the labels of one of them have no probabilities.
        """
        if not self.is_sampled or not other.is_sampled:
            raise ValueError(_SOME_PROBABILITIES)
        own = self._estimates()
        others = other._estimates()
        differences = [own[prompt] - others[prompt] for prompt in sorted(self.judged)]
        n = min(self.size, other.size)
        spread = n / (n - 1) * variance(differences) / len(differences)
        return CorrectedMean(
            value=fmean(differences),
            variance=max(spread, (self.step / n) ** 2),
            from_prompts=0.0,
            weight=self.correct(self.people()).weight,
        )

    def _estimates(self) -> dict[str, float]:
        """Return by prompt the values whose mean is the corrected score."""
        values = sampled_estimates(self.unlabeled(), self.pairs(self.people()), self._probabilities)
        rest = [prompt for prompt in sorted(self.judged) if prompt not in self.labeled]
        return dict(zip([*rest, *self.labeled], values, strict=True))

    def interval(self, told: CorrectedMean) -> Interval:
        """Return the 95 % interval of the score, within [0, 1].

        Where every prompt is labeled it is that of people's own scores. Else it is Student's t, and
        from 100 labels on it reaches as far as Wilson's on the effective number of prompts, too:
        the weight then leaves few errors to estimate the variance from, where a score is near 1.
        """
        if len(self.labeled) == len(self.judged):
            totals, weights = zip(*(said.people for said in self._told), strict=True)
            alone = mean_interval(totals, weights)
            if alone:
                return alone
        half = self.half_width(told)
        low, high = _clip(told.value - half), _clip(told.value + half)
        if self.size >= TUNED_FROM:
            wilson_low, wilson_high = _wilson(told, self.quantile)
            low, high = min(low, wilson_low), max(high, wilson_high)
        return Interval(low, high, "prediction-powered")

    def bias(self, people: Sequence[FloatPair]) -> CorrectedMean:
        """Return by how much the judge is above people on the labeled prompts."""
        above = [judge - told for told, judge in self.pairs(people)]
        if not self.is_sampled:
            return correct_mean([], [(amount, 0.0) for amount in above], step=self.step)
        rest = [0.0] * (len(self.judged) - self.size)
        return correct_sampled_mean(
            rest, [(amount, 0.0) for amount in above], self._probabilities, step=self.step
        )

    @property
    def quantile(self) -> float:
        """Return the 95 % quantile of Student's t, by the number of labels."""
        return t_quantile(self.size - 1)

    def half_width(self, mean: CorrectedMean) -> float:
        """Return half the width of the 95 % interval."""
        return self.quantile * math.sqrt(mean.variance)

    def reach(self, told: CorrectedMean, interval: Interval) -> float:
        """Return how far the interval reaches from the score, before it is cut off at 0 and 1."""
        ends = told.value - interval.low, interval.high - told.value
        if len(self.labeled) == len(self.judged):
            return max(ends)
        return max(self.half_width(told), *ends)


_SOME_PROBABILITIES = (
    "Some labeled prompts have an inclusion probability and others have none: give it for all of"
    " them, or for none."
)


def _probabilities(labeled: Mapping[str, LabeledPrompt]) -> list[float]:
    """Return the inclusion probabilities of labeled prompts, none where all had the same chance.

    Raises ValueError where one is not in (0, 1], or where only some prompts have one.
    """
    given = [said.probability for said in labeled.values() if said.probability is not None]
    if given and len(given) < len(labeled):
        raise ValueError(_SOME_PROBABILITIES)
    if not all(0 < probability <= 1 for probability in given):
        raise ValueError("An inclusion probability must be above 0 and at most 1.")
    return given


def _linearize(
    values: Sequence[FloatPair], ratio: float, mean_weight: float | None = None
) -> list[float]:
    """Return values whose mean is the ratio of sums, to the first order.

    `mean_weight` is that of `values` where it is left out.
    """
    scale = mean_weight or fmean(weight for _, weight in values)
    return [ratio + (total - ratio * weight) / scale for total, weight in values]


def _ratio(values: Sequence[FloatPair]) -> float:
    return math.fsum(total for total, _ in values) / math.fsum(weight for _, weight in values)


def _wilson(mean: CorrectedMean, quantile: float) -> FloatPair:
    """Return Wilson's interval of a share whose variance is that of the mean (JASA 22, 1927)."""
    share = min(1 - mean.variance, max(mean.variance, mean.value))
    n = share * (1 - share) / mean.variance
    scale = 1 + quantile**2 / n
    center = (share + quantile**2 / (2 * n)) / scale
    half = quantile / scale * math.sqrt(share * (1 - share) / n + quantile**2 / (4 * n * n))
    return _clip(center - half), _clip(center + half)


def _clip(value: float) -> float:
    return min(1.0, max(0.0, value))

"""Corrects a judge's mean score by what people say of a random sample of the same prompts.

Prediction-powered inference: Angelopoulos, Bates, Fannjiang, Jordan and Zrnic, Science 382 (2023),
its estimate of a mean; the weight of the judge is that of PPI++, "power tuning" (Angelopoulos,
Duchi and Zrnic, arXiv:2311.01453). The unit is the prompt: its questions and images are
not independent.

It is valid only where the labeled prompts are a random sample of the judged ones, and people gave
their labels without seeing the judge's answers. Where some prompts are likelier to be labeled than
others, each label counts by the inverse of its inclusion probability: active statistical inference,
Zrnic and Candès (2024), arXiv:2403.03208, with Hajek's normalization (Särndal, Swensson and
Wretman, Model Assisted Survey Sampling (1992), section 5.7).
"""

import math
import operator
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import NamedTuple

from hallascope.metrics.statistics.intervals import FloatPair, Interval, mean_interval, t_quantile

MIN_LABELED = 10  # prompts under which nothing is corrected
TUNED_FROM = 100  # labeled prompts from which the judge's weight is estimated


@dataclass(frozen=True, kw_only=True)
class CorrectedScore:
    """Holds the mean that people would give over all judged prompts, with its 95 % interval.

    `judge` is the judge's own mean over the `judged` prompts. `bias`, from `bias_low` to
    `bias_high`, is by how much the judge is above people on the `labeled` ones. `weight`, 0 or
    above, is how far the judge's scores count; it is 0 where every prompt is labeled. `lowest` and
    `highest` are the means if all that people could not tell were wrong, or right.
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
    was drawn to be labeled; None where all had the same.
    """

    people: FloatPair
    judge: FloatPair
    lowest: FloatPair
    highest: FloatPair
    questions: int
    probability: float | None = None


class SampledLabel(NamedTuple):
    """Holds the scores of people and judge of a prompt, drawn to be labeled by `probability`."""

    people: float
    judge: float
    probability: float


class CorrectedMean(NamedTuple):
    """Holds a corrected mean and the variance of its estimate."""

    value: float
    variance: float
    weight: float


def labels_needed(labeled: int) -> int:
    """Return how many prompts must still be labeled before anything is corrected."""
    return max(0, MIN_LABELED - labeled)


def correct_mean(
    unlabeled: Sequence[float], pairs: Sequence[FloatPair], *, step: float = 0.0
) -> CorrectedMean:
    """Return the mean that people would give over all prompts.

    `unlabeled` are the judge's scores of prompts without labels, `pairs` the scores of people and
    of the judge of each labeled prompt. With n labeled of N, weight w, people h and judge j, it is
    ``mean(w j) over all + mean(h - w j) over labeled``. That is the paper's estimate, ``mean(l j)
    over unlabeled + mean(h - l j) over labeled``, with ``l = w (N - n) / N``: where many prompts
    are labeled, few are left for the judge to add to. Its variance is ``s2(h - l j) / n + l^2 s2(j)
    / (N - n)``.

    The weight is 1 under 100 labeled prompts, and from there on the one of least variance. `step`
    is the least by which people and judge can differ on a prompt, one question of it: the variance
    of their differences is at least that of one such difference in n, as a few labels may by chance
    show none.

    Raises ValueError under two labeled prompts.
    """
    n = len(pairs)
    if n < 2:
        raise ValueError(f"{n} labeled prompts have no variance: give two or more")
    weight = judge_weight(unlabeled, pairs)
    share = weight * len(unlabeled) / (len(unlabeled) + n)
    corrections = [people - share * judge for people, judge in pairs]
    value = fmean(corrections)
    spread = max(_variance(corrections), step**2 / n) / n
    if unlabeled:
        value += share * fmean(unlabeled)
        spread += share**2 * _variance(unlabeled) / len(unlabeled)
    return CorrectedMean(value, spread, weight)


def judge_weight(unlabeled: Sequence[float], pairs: Sequence[FloatPair]) -> float:
    """Return the weight, 0 or above, of the judge's scores: 0 where every prompt is labeled.

    From 100 labeled prompts on it is the slope ``cov(h, j) / s2(j)``, else 1. The paper's weight l,
    which is in [0, 1], is this times (N - n) / N.
    """
    if not unlabeled:
        return 0.0
    if len(pairs) < TUNED_FROM:
        return 1.0
    people = [pair[0] for pair in pairs]
    judge = [pair[1] for pair in pairs]
    spread = _variance([*judge, *unlabeled])
    if spread <= 0:
        return 0.0
    people_mean = fmean(people)
    judge_mean = fmean(judge)
    covariance = math.fsum((h - people_mean) * (j - judge_mean) for h, j in pairs) / (
        len(pairs) - 1
    )
    most = 1 + len(pairs) / len(unlabeled)
    return min(most, max(0.0, covariance / spread))


def correct_mean_by_probability(
    unlabeled: Sequence[float], labels: Sequence[SampledLabel], *, step: float = 0.0
) -> CorrectedMean:
    """Return the mean that people would give, where prompts had unequal chances to be labeled.

    With N prompts, of which i is labeled (l = 1) with the probability pi, weight w, people h, judge
    j, e = h - w j and its mean r over the labels, each weighing 1 / pi, it is the mean of ``w j + r
    + (l / pi) (e - r)`` over all prompts. Its variance is that of these values over N, times n /
    (n - 1) of the effective number of labels, as r is estimated. The estimate of a mean by Zrnic
    and Candès (2024) has r = 0; with r it is Hajek's estimate, which varies less where the number
    of labels does. Where pi is the same for all, the value is that of `correct_mean`.

    The weight is 1 under 100 labels, else the slope of people on the judge by the same weights.
    `step` is as in `correct_mean`. Raises ValueError under two labels.
    """
    if len(labels) < 2:
        raise ValueError(f"{len(labels)} labeled prompts have no variance: give two or more")
    weight = _sampled_weight(unlabeled, labels)
    estimates = _prompt_estimates(unlabeled, labels, weight)
    n = effective_labels(labels)
    return CorrectedMean(fmean(estimates), _sampled_variance(estimates, n, step), weight)


def _sampled_variance(estimates: Sequence[float], labels: float, step: float) -> float:
    """Return the variance of the mean of the estimates, by the effective number of labels."""
    scale = labels / max(1.0, labels - 1)
    return max(scale * _variance(estimates) / len(estimates), (step / labels) ** 2)


def effective_labels(labels: Sequence[SampledLabel]) -> float:
    """Return how many labels of equal probability tell as much (Kish, Survey Sampling (1965))."""
    weights = [1 / label.probability for label in labels]
    return math.fsum(weights) ** 2 / math.fsum(weight * weight for weight in weights)


def _prompt_estimates(
    unlabeled: Sequence[float], labels: Sequence[SampledLabel], weight: float
) -> list[float]:
    """Return the values of which `correct_mean_by_probability` returns the mean.

    Those of prompts without labels come first.
    """
    inverse = [1 / label.probability for label in labels]
    errors = [label.people - weight * label.judge for label in labels]
    mean_error = _weighted_mean(errors, inverse)
    estimates = [weight * judge + mean_error for judge in unlabeled]
    return estimates + [
        weight * label.judge + mean_error + share * (error - mean_error)
        for label, error, share in zip(labels, errors, inverse, strict=True)
    ]


def _sampled_weight(unlabeled: Sequence[float], labels: Sequence[SampledLabel]) -> float:
    if not unlabeled:
        return 0.0
    if len(labels) < TUNED_FROM:
        return 1.0
    inverse = [1 / label.probability for label in labels]
    people = [label.people for label in labels]
    judge = [label.judge for label in labels]
    spread = _variance([*judge, *unlabeled])
    if spread <= 0:
        return 0.0
    people_mean = _weighted_mean(people, inverse)
    judge_mean = _weighted_mean(judge, inverse)
    products = [(h - people_mean) * (j - judge_mean) for h, j in zip(people, judge, strict=True)]
    return min(1.0, max(0.0, _weighted_mean(products, inverse) / spread))


def _weighted_mean(values: Sequence[float], weights: Sequence[float]) -> float:
    return math.fsum(map(operator.mul, values, weights)) / math.fsum(weights)


def _variance(values: Sequence[float]) -> float:
    """Return the sample variance (n - 1); 0 under two values, and exactly 0 for equal ones.

    As `statistics.variance`, which counts in fractions and takes several times as long.
    """
    if len(values) < 2:
        return 0.0
    shifted = [value - values[0] for value in values]
    mean = math.fsum(shifted) / len(shifted)
    return math.fsum((value - mean) ** 2 for value in shifted) / (len(shifted) - 1)


# --- scores of models ---


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
    return CorrectedScore(
        value=_clip(told.value),
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
    def effective(self) -> float:
        """Return how many labels of equal probability tell as much."""
        if not self.is_sampled:
            return self.size
        return max(2.0, effective_labels([SampledLabel(0, 0, p) for p in self._probabilities]))

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
        mean_weight = _weighted_mean([weight for _, weight in people], inverse)
        ratio = _weighted_mean([total for total, _ in people], inverse) / mean_weight
        return list(
            zip(
                _linearize(people, ratio, mean_weight),
                _linearize(judge, self._judge_mean, self.mean_weight),
                strict=True,
            )
        )

    def labels(self, people: Sequence[FloatPair]) -> list[SampledLabel]:
        """Return the linearized scores with the probability of each labeled prompt."""
        return [
            SampledLabel(told, judge, probability)
            for (told, judge), probability in zip(
                self.pairs(people), self._probabilities, strict=True
            )
        ]

    def unlabeled(self) -> list[float]:
        """Return the judge's linearized scores of the prompts without labels."""
        rest = [pair for prompt, pair in sorted(self.judged.items()) if prompt not in self.labeled]
        return _linearize(rest, self._judge_mean, self.mean_weight)

    def correct(self, people: Sequence[FloatPair]) -> CorrectedMean:
        if self.is_sampled:
            return correct_mean_by_probability(
                self.unlabeled(), self.labels(people), step=self.step
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
        spread = _sampled_variance(differences, min(self.effective, other.effective), self.step)
        return CorrectedMean(fmean(differences), spread, self.correct(self.people()).weight)

    def _estimates(self) -> dict[str, float]:
        """Return by prompt the values whose mean is the corrected score."""
        labels = self.labels(self.people())
        weight = _sampled_weight(self.unlabeled(), labels)
        values = _prompt_estimates(self.unlabeled(), labels, weight)
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
        labels = [
            SampledLabel(amount, 0.0, probability)
            for amount, probability in zip(above, self._probabilities, strict=True)
        ]
        return correct_mean_by_probability(rest, labels, step=self.step)

    @property
    def quantile(self) -> float:
        """Return the 95 % quantile of Student's t, by the effective number of labels."""
        return t_quantile(int(self.effective) - 1)

    def half_width(self, mean: CorrectedMean) -> float:
        """Return half the width of the 95 % interval."""
        return self.quantile * math.sqrt(mean.variance)


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

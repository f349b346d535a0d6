"""Corrects a judge's mean by what people say of a sample of the same prompts.

Prediction-powered inference: Angelopoulos, Bates, Fannjiang, Jordan and Zrnic, Science 382 (2023),
its estimate of a mean; the weight of the judge is that of PPI++, "power tuning" (Angelopoulos,
Duchi and Zrnic, arXiv:2311.01453). The unit is the prompt: its questions and images are
not independent.

It is valid only where the labeled prompts are a random sample of the judged ones, and people gave
their labels without seeing the judge's answers. Where some prompts are likelier to be labeled than
others, each label counts by the inverse of its inclusion probability:
active statistical inference, Zrnic and Candès (ICML 2024), arXiv:2403.03208.
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

MIN_LABELED = 10  # prompts under which nothing is corrected
TUNED_FROM = 100  # labeled prompts from which the judge's weight is estimated
FloatArray = NDArray[np.float64]


class CorrectedMean(NamedTuple):
    """Holds a corrected mean and the variance of its estimate.

    `from_prompts` is the part of the variance that only more judged prompts lower; labels lower the
    rest. `weight`, 0 or above, is how far the judge's scores count.
    """

    value: float
    variance: float
    from_prompts: float
    weight: float


def labels_needed(labeled: int) -> int:
    """Return how many prompts must still be labeled before anything is corrected."""
    return max(0, MIN_LABELED - labeled)


def inclusion_probabilities(probabilities: Sequence[float], n: int) -> list[float]:
    """Return the probability of each prompt to be among the first n of a stratum.

    `probabilities` are those of one draw. They are scaled so that the results, at most 1, sum to n:
    min(1, n * p) where no prompt is sure to be drawn (Ohlsson, Journal of Official Statistics 14,
    1998, equation 1.2; Sarndal, Swensson and Wretman, Model Assisted Survey Sampling, 1992, section
    3.6.2 for those that are sure).

    Raises ValueError where n is negative or more than there are prompts, or a probability is not
    positive.
    """
    if not 0 <= n <= len(probabilities):
        raise ValueError(f"{n} of {len(probabilities)} prompts cannot be drawn: give 0 to all")
    if any(not p > 0 for p in probabilities):
        raise ValueError("a probability is not positive: every prompt must have a chance")
    order = sorted(range(len(probabilities)), key=lambda i: -probabilities[i])
    included = [1.0] * len(probabilities)
    remaining = math.fsum(probabilities)
    for sure, i in enumerate(order):
        # the prompts before i, the likeliest, are sure to be drawn
        scale = (n - sure) / remaining
        if scale * probabilities[i] < 1:
            for other in order[sure:]:
                included[other] = scale * probabilities[other]
            break
        remaining -= probabilities[i]
    return included


class LabeledSample:
    """Holds what the judge says of all prompts, and people of a sample of n of all N.

    `unlabeled` (N - n,) are the judge's scores of prompts without labels, `people` and `judge` (n,)
    those of the labeled prompts. `inclusion` (n,), in (0, 1], are the probabilities with which
    these were drawn, in a sample of a fixed size; None: it is a simple random sample.

    `weight`, 0 or above, is how far the judge's scores count: 0 where every prompt is labeled, 1
    under 100 labels, and from there on the slope ``cov(h, j) / s2(j)`` of people h on the judge j,
    each label weighed by the inverse of its probability. The weight l of the paper, which is in
    [0, 1], is this times (N - n) / N.

    Raises ValueError under two labeled prompts.
    """

    def __init__(
        self,
        unlabeled: ArrayLike,
        people: ArrayLike,
        judge: ArrayLike,
        inclusion: ArrayLike | None = None,
    ) -> None:
        self._unlabeled, self._people, self._judge = (
            np.asarray(side, np.float64) for side in (unlabeled, people, judge)
        )
        self._n = len(self._people)
        if self._n < 2:
            raise ValueError(f"{self._n} labeled prompts have no variance: give two or more")
        self._scores = np.concatenate([self._unlabeled, self._judge])
        self._is_drawn = inclusion is not None
        every = np.full(self._n, self._n / len(self._scores))
        self._inclusion = every if inclusion is None else np.asarray(inclusion, np.float64)
        self.weight = self._judge_weight()
        self._amounts = (self._people - self.weight * self._judge) / self._inclusion
        rest = 1 - self._inclusion
        self._center = np.average(self._amounts, weights=rest) if rest.any() else 0.0

    def mean(self, step: float = 0.0) -> CorrectedMean:
        """Return the mean that people would give over all prompts.

        It is ``mean(w j) over all + mean((h - w j) / pi) / N over labeled``, with the weight w: the
        judge's mean, corrected by differences that weigh the inverse of their probability pi
        (Horvitz and Thompson, JASA 47, 1952). In a simple random sample that is the paper's
        estimate, ``mean(l j) over unlabeled + mean(h - l j) over labeled``, with ``l = w (N - n) /
        N``: where many prompts are labeled, few are left for the judge to add to.

        The variance of the paper's is ``s2(h - l j) / n + l^2 s2(j) / (N - n)``. Of prompts with
        probabilities it has two parts. That of the sample is ``n / (n - 1) / N^2 sum (1 - pi) (d /
        pi - A)^2`` over the labels, with d = h - w j and A the mean of d / pi weighed by 1 - pi
        (Hajek, Annals of Mathematical Statistics 35, 1964). That of the prompts, which are a sample
        of all that there could be, is ``s2(h) / N``: s2(h) is the variance of w j over all prompts,
        and by how much more h varies than w j in the sample. Where all pi are n / N both are the
        same in expectation.

        `step` is the least by which people and judge can differ on a prompt, one question of it:
        the variance of their differences is at least that of one such difference in n, as a few
        labels may by chance show none.
        """
        n, total = self._n, len(self._scores)
        more = _variance(self._scores) - self._weighted_variance(self._judge)
        people = self._weighted_variance(self._people) + self.weight**2 * more
        from_prompts = max(0.0, people) / total
        if self._is_drawn:
            squares = (1 - self._inclusion) @ (self._amounts - self._center) ** 2
            least = (1 - n / total) * step**2 / n**2
            spread = max(float(n / (n - 1) * squares / total**2), least) + from_prompts
        else:
            share = self.weight * (1 - n / total)
            spread = max(_variance(self._people - share * self._judge), step**2 / n) / n
            if n < total:
                spread += share**2 * _variance(self._unlabeled) / (total - n)
        return CorrectedMean(
            value=float(self.weight * self._scores.mean() + self._amounts.sum() / total),
            variance=spread,
            from_prompts=min(spread, from_prompts),
            weight=self.weight,
        )

    def estimates(self) -> FloatArray:
        """Return a value of each prompt, those without labels first; their mean is that of `mean`.

        They are ``w j + (l / pi) (h - w j)``, with l = 1 where a prompt is labeled, else 0. As the
        size of the sample is fixed, the A of `mean` can be taken from each that was not sure to be
        labeled, and be given to all in equal parts: the mean stays, and the values vary as it does
        from sample to sample. So the difference of two models has the variance of the differences
        of their values, prompt by prompt.
        """
        taken = np.where(self._inclusion < 1, self._center, 0.0)
        estimates: FloatArray = self.weight * self._scores + taken.sum() / len(self._scores)
        estimates[-self._n :] += self._amounts - taken
        return estimates

    def _judge_weight(self) -> float:
        n, unlabeled = self._n, len(self._unlabeled)
        if not unlabeled:
            return 0.0
        if n < TUNED_FROM:
            return 1.0
        spread = _variance(self._scores)
        if spread <= 0:
            return 0.0
        weights = 1 / self._inclusion
        people = self._people - np.average(self._people, weights=weights)
        judge = self._judge - np.average(self._judge, weights=weights)
        slope = n / (n - 1) * np.average(people * judge, weights=weights) / spread
        return float(np.clip(slope, 0.0, 1 + n / unlabeled))

    def _weighted_variance(self, values: FloatArray) -> float:
        weights = 1 / self._inclusion
        squares = (values - np.average(values, weights=weights)) ** 2
        return float(np.average(squares, weights=weights) * self._n / (self._n - 1))


def _variance(values: FloatArray) -> float:
    """Return the sample variance (n - 1); 0 under two values, and exactly 0 for equal ones."""
    return float(np.var(values - values[0], ddof=1)) if len(values) > 1 else 0.0

"""Computes how well a judge tells violated facts from facts that hold, with intervals by image.

These are balanced accuracy and Cohen's kappa. Both are blind to how seldom facts are violated: a
judge that always gives the expected answer has a balanced accuracy of 0.5 and a kappa of 0, however
often it is right.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from hallascope.metrics.statistics.intervals import IntervalMethod, mean_interval, t_quantile
from hallascope.metrics.statistics.response_statistics import Kappa, cohens_kappa


class FactDecision(NamedTuple):
    """Holds an answered question about an image: its fact is violated or not, flagged or not."""

    image: str
    violated: bool
    flagged: bool

    @property
    def right(self) -> bool:
        return self.flagged == self.violated


@dataclass(frozen=True)
class BalancedAccuracy:
    """Holds the mean of sensitivity and specificity, in [0, 1]; 0.5 for one constant answer.

    `value` is None where no fact is violated, or none holds; the 95 % interval by image, and
    `interval_method`, are None where one of the two has no interval.
    """

    value: float | None = None
    low: float | None = None
    high: float | None = None
    interval_method: IntervalMethod | None = None


def balanced_accuracy(decisions: Sequence[FactDecision]) -> BalancedAccuracy:
    """Return (sensitivity + specificity) / 2 of the decisions, with its 95 % interval by image.

    Brodersen et al., The balanced accuracy and its posterior distribution, ICPR 2010. The interval
    joins those of the two shares by the method of variance estimates recovery (Zou, Psychological
    Methods 12, 2007): low = value - sqrt(a^2 + b^2 + 2 r a b) / 2, with a and b from each share
    down to its low end, and high likewise. r is the correlation of the shares over images; below 0
    it counts as 0, which makes the interval no narrower. Each share has the interval of Clopper and
    Pearson by image, so that few violated facts give a wide one even where all are flagged.
    """
    images = _count_by_image(decisions)
    sides = images[:, :2], images[:, 2:]
    if not all(side[:, 0].any() for side in sides):
        return BalancedAccuracy()
    shares = [side[:, 1].sum() / side[:, 0].sum() for side in sides]
    value = float(sum(shares) / 2)
    intervals = [mean_interval(*side[side[:, 0] > 0].T[::-1].tolist()) for side in sides]
    sensitivity, specificity = intervals
    if sensitivity is None or specificity is None:
        return BalancedAccuracy(value)
    # how far each image moves the shares
    one, other = (
        side[:, 1] - share * side[:, 0] for side, share in zip(sides, shares, strict=True)
    )
    size = math.sqrt((one @ one) * (other @ other))
    correlation = max(0.0, float(one @ other) / size) if size else 0.0

    def join(a: float, b: float) -> float:
        return math.sqrt(a * a + b * b + 2 * correlation * a * b)

    below = join(shares[0] - sensitivity.low, shares[1] - specificity.low)
    above = join(sensitivity.high - shares[0], specificity.high - shares[1])
    return BalancedAccuracy(
        value,
        max(0.0, value - below / 2),
        min(1.0, value + above / 2),
        "recovered-variances",
    )


def kappa_of_decisions(decisions: Sequence[FactDecision]) -> Kappa:
    """Return Cohen's kappa of flagged or not against violated or not, with its interval by image.

    The 95 % interval is Student's t on the linearized variance over images, with one degree of
    freedom less than there are images; where each image has one answer it is that of Fleiss, Cohen
    and Everitt, Psychological Bulletin 72 (1969), but for n / (n - 1). As for shares
    (`intervals.share_interval`) the variance is at least that with one image more, on which all is
    wrong or all is right, so that every interval has a width. There is none under two images, where
    kappa is not defined, and where no fact is violated or none holds.
    """
    kappa = cohens_kappa(
        [decision.flagged for decision in decisions], [decision.violated for decision in decisions]
    )
    images = _count_by_image(decisions)
    truths = {decision.violated for decision in decisions}
    if kappa.value is None or len(truths) < 2 or len(images) < 2:
        return kappa
    violated, _, holding, _ = images.mean(axis=0).tolist()
    right_image = [violated, violated, holding, holding]
    wrong_image = [violated, 0.0, holding, 0.0]
    variance = max(
        _kappa_variance(images),
        _kappa_variance(np.vstack([images, right_image])),
        _kappa_variance(np.vstack([images, wrong_image])),
    )
    half = t_quantile(len(images) - 1) * math.sqrt(variance)
    return replace(
        kappa,
        low=max(-1.0, kappa.value - half),
        high=min(1.0, kappa.value + half),
        interval_method="linearized",
    )


def _count_by_image(decisions: Sequence[FactDecision]) -> NDArray[np.float64]:
    """Return counts by image, (images, 4).

    They are those of violated facts, the flagged ones of them, of facts that hold, and the accepted
    ones of them.
    """
    counts: dict[str, list[int]] = {}
    for image, violated, flagged in decisions:
        own = counts.setdefault(image, [0, 0, 0, 0])
        own[0 if violated else 2] += 1
        own[1 if violated else 3] += flagged == violated
    return np.array(list(counts.values()), np.float64).reshape(-1, 4)


def _kappa_variance(images: NDArray[np.float64]) -> float:
    """Return the linearized variance of kappa over images, of which there are two or more."""
    violated, found, holding, accepted = images.T
    answers, flagged = violated + holding, found + holding - accepted
    total = answers.sum()
    agreement = (found + accepted).sum() / total
    violated_share, flagged_share = violated.sum() / total, flagged.sum() / total
    chance = violated_share * flagged_share + (1 - violated_share) * (1 - flagged_share)
    of_chance = (violated - violated_share * answers) * (2 * flagged_share - 1)
    of_chance += (flagged - flagged_share * answers) * (2 * violated_share - 1)
    moved = found + accepted - agreement * answers
    moved = (moved - of_chance * (1 - agreement) / (1 - chance)) / (1 - chance) / total
    return float(len(images) / (len(images) - 1) * (moved @ moved))

"""Computes how well a judge tells violated facts from facts that hold, with intervals by image.

These are balanced accuracy and Cohen's kappa. Both are blind to how seldom facts are violated: a
judge that always gives the expected answer has a balanced accuracy of 0.5 and a kappa of 0, however
often it is right.
"""

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

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


class _Side(NamedTuple):
    """Holds a share with its interval, and how far each image moves it."""

    share: float
    low: float
    high: float
    influence: Mapping[str, float]


class _ImageCounts(NamedTuple):
    """Counts the answers about an image: all, right ones, violated facts, and flagged ones.

    A count of an image that only stands for others need not be whole.
    """

    n: float
    right: float
    violated: float
    flagged: float


def balanced_accuracy(decisions: Sequence[FactDecision]) -> BalancedAccuracy:
    """Return (sensitivity + specificity) / 2 of the decisions, with its 95 % interval by image.

    Brodersen et al., The balanced accuracy and its posterior distribution, ICPR 2010. The interval
    joins those of the two shares by the method of variance estimates recovery (Zou, Psychological
    Methods 12, 2007): low = value - sqrt(a^2 + b^2 + 2 r a b) / 2, with a and b from each share
    down to its low end, and high likewise. r is the correlation of the shares over images; below 0
    it counts as 0, which makes the interval no narrower. Each share has the interval of Clopper and
    Pearson by image, so that few violated facts give a wide one even where all are flagged.
    """
    violated = [decision for decision in decisions if decision.violated]
    holding = [decision for decision in decisions if not decision.violated]
    if not violated or not holding:
        return BalancedAccuracy()
    value = (_share_right(violated) + _share_right(holding)) / 2
    sensitivity, specificity = _side(violated), _side(holding)
    if sensitivity is None or specificity is None:
        return BalancedAccuracy(value)
    correlation = _correlation(sensitivity.influence, specificity.influence)
    below = _joined_distance(
        sensitivity.share - sensitivity.low, specificity.share - specificity.low, correlation
    )
    above = _joined_distance(
        sensitivity.high - sensitivity.share, specificity.high - specificity.share, correlation
    )
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
    variance = max(
        _kappa_variance(images),
        _kappa_variance([*images, _average_image(images, is_right=False)]),
        _kappa_variance([*images, _average_image(images, is_right=True)]),
    )
    half = t_quantile(len(images) - 1) * math.sqrt(variance)
    return replace(
        kappa,
        low=max(-1.0, kappa.value - half),
        high=min(1.0, kappa.value + half),
        interval_method="linearized",
    )


def _share_right(decisions: Sequence[FactDecision]) -> float:
    return sum(decision.right for decision in decisions) / len(decisions)


def _side(decisions: Sequence[FactDecision]) -> _Side | None:
    """Return the share of right ones of these decisions; None where it has no interval."""
    by_image: dict[str, list[bool]] = defaultdict(list)
    for decision in decisions:
        by_image[decision.image].append(decision.right)
    right = [sum(own) for own in by_image.values()]
    counts = [len(own) for own in by_image.values()]
    interval = mean_interval(right, counts)
    if interval is None:
        return None
    share = _share_right(decisions)
    influence = {image: sum(own) - share * len(own) for image, own in by_image.items()}
    return _Side(share, interval.low, interval.high, influence)


def _correlation(one: Mapping[str, float], other: Mapping[str, float]) -> float:
    """Return the correlation of two shares over images, at least 0; an image may lack one."""
    size = math.sqrt(_squared(one) * _squared(other))
    product = math.fsum(own * other.get(image, 0.0) for image, own in one.items())
    return max(0.0, product / size) if size else 0.0


def _squared(influence: Mapping[str, float]) -> float:
    return math.fsum(own * own for own in influence.values())


def _joined_distance(one: float, other: float, correlation: float) -> float:
    return math.sqrt(one * one + other * other + 2 * correlation * one * other)


def _count_by_image(decisions: Sequence[FactDecision]) -> list[_ImageCounts]:
    by_image: dict[str, list[FactDecision]] = defaultdict(list)
    for decision in decisions:
        by_image[decision.image].append(decision)
    return [
        _ImageCounts(
            n=len(own),
            right=sum(decision.right for decision in own),
            violated=sum(decision.violated for decision in own),
            flagged=sum(decision.flagged for decision in own),
        )
        for own in by_image.values()
    ]


def _average_image(images: Sequence[_ImageCounts], *, is_right: bool) -> _ImageCounts:
    """Return an image of average size, with an average part of violated facts.

    All answers about it are right, or all are wrong.
    """
    n = sum(image.n for image in images) / len(images)
    violated = sum(image.violated for image in images) / len(images)
    if is_right:
        return _ImageCounts(n=n, right=n, violated=violated, flagged=violated)
    return _ImageCounts(n=n, right=0.0, violated=violated, flagged=n - violated)


def _kappa_variance(images: Sequence[_ImageCounts]) -> float:
    """Return the linearized variance of kappa over images, of which there are two or more."""
    total = sum(image.n for image in images)
    agreement = sum(image.right for image in images) / total
    violated = sum(image.violated for image in images) / total
    flagged = sum(image.flagged for image in images) / total
    chance = violated * flagged + (1 - violated) * (1 - flagged)
    squares = []
    for image in images:
        of_agreement = image.right - agreement * image.n
        of_chance = (image.violated - violated * image.n) * (2 * flagged - 1)
        of_chance += (image.flagged - flagged * image.n) * (2 * violated - 1)
        moved = of_agreement / (1 - chance) - of_chance * (1 - agreement) / (1 - chance) ** 2
        squares.append((moved / total) ** 2)
    return len(images) / (len(images) - 1) * math.fsum(squares)

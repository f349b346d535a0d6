"""Corrects a judge's share by its sensitivity and specificity, for comparison.

Rogan and Gladen, American Journal of Epidemiology 107 (1978); the interval is that of Lang and
Reiczigel, Preventive Veterinary Medicine 113 (2014), which adds to each count as Agresti and Coull
do. It takes the judge's errors from labeled questions and assumes them to be the same on all
others, and independent of each other; prediction-powered inference assumes neither.
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from statistics import NormalDist
from typing import NamedTuple

from hallascope.metrics.statistics.intervals import LEVEL, FloatPair, sum_clusters


@dataclass(frozen=True, kw_only=True)
class TrialErrors:
    """Counts a judge's answers whose truth is known: of violated facts and of facts that hold.

    `flagged` of `violated` facts were found, `accepted` of `holding` ones were confirmed. Where
    several people are averaged, a question on which they differ counts for both in parts.
    """

    flagged: float = 0
    violated: float = 0
    accepted: float = 0
    holding: float = 0

    def __add__(self, other: "TrialErrors") -> "TrialErrors":
        return TrialErrors(
            flagged=self.flagged + other.flagged,
            violated=self.violated + other.violated,
            accepted=self.accepted + other.accepted,
            holding=self.holding + other.holding,
        )

    @property
    def sensitivity(self) -> float | None:
        """Return the share of violated facts that were found; None without one."""
        return self.flagged / self.violated if self.violated else None

    @property
    def specificity(self) -> float | None:
        """Return the share of facts that hold that were confirmed; None without one."""
        return self.accepted / self.holding if self.holding else None


@dataclass(frozen=True, kw_only=True)
class RoganGladen:
    """Holds the share of facts that hold, in [0, 1], with its 95 % interval.

    `sensitivity` and `specificity`, in [0, 1], are those of the judge that it rests on.
    """

    value: float
    low: float
    high: float
    sensitivity: float
    specificity: float


def rogan_gladen(share: float, n: float, errors: TrialErrors) -> RoganGladen | None:
    """Return the share of facts that hold, where a judge says that `share` of `n` hold.

    With q the share of facts it calls violated, the true share of these is
    ``(q + specificity - 1) / (sensitivity + specificity - 1)``. `n` is the effective number of
    questions. None where the judge is no better than chance, also with one more answer of each
    kind, or where no fact of one kind was counted.
    """
    sensitivity = errors.sensitivity
    specificity = errors.specificity
    if sensitivity is None or specificity is None or n <= 0:
        return None
    gain = sensitivity + specificity - 1
    if gain <= 0 or _smooth(errors).gain <= 0:
        return None
    violated = (specificity - share) / gain
    low, high = _violated_interval(1 - share, n, errors)
    return RoganGladen(
        value=_clip(1 - violated),
        low=_clip(1 - high),
        high=_clip(1 - low),
        sensitivity=sensitivity,
        specificity=specificity,
    )


def correct_by_errors(judged: Iterable[FloatPair], errors: TrialErrors) -> RoganGladen | None:
    """Return a model's score by the judge's errors on its labeled questions.

    `judged` holds by prompt the sum of the judge's scores and their weight. The effective number of
    questions is that of independent ones of which the judge's share has the same variance by
    prompt; where no prompt differs it is the number of prompts. None under two prompts, and where
    `rogan_gladen` has none.
    """
    pairs = list(judged)
    if len(pairs) < 2:
        return None
    sums = sum_clusters([total for total, _ in pairs], [weight for _, weight in pairs])
    share = _clip(sums.ratio)
    n = share * (1 - share) / sums.variance if sums.variance else 0.0
    return rogan_gladen(share, n or sums.n, errors)


class _SmoothErrors(NamedTuple):
    """Holds sensitivity and specificity with one more right and one more wrong answer of each."""

    sensitivity: float
    specificity: float

    @property
    def gain(self) -> float:
        return self.sensitivity + self.specificity - 1


def _smooth(errors: TrialErrors) -> _SmoothErrors:
    return _SmoothErrors(
        (errors.flagged + 1) / (errors.violated + 2), (errors.accepted + 1) / (errors.holding + 2)
    )


def _violated_interval(called: float, n: float, errors: TrialErrors) -> tuple[float, float]:
    """Return the interval of the share of violated facts, where `called` of `n` are called so."""
    z = NormalDist().inv_cdf((1 + LEVEL) / 2)
    n_called = n + z * z
    share = (n * called + z * z / 2) / n_called
    smooth = _smooth(errors)
    violated = (share + smooth.specificity - 1) / smooth.gain
    of_sensitivity = smooth.sensitivity * (1 - smooth.sensitivity) / (errors.violated + 2)
    of_specificity = smooth.specificity * (1 - smooth.specificity) / (errors.holding + 2)
    shift = 2 * z * z * (violated * of_sensitivity - (1 - violated) * of_specificity)
    variance = (
        share * (1 - share) / n_called
        + violated**2 * of_sensitivity
        + (1 - violated) ** 2 * of_specificity
    ) / smooth.gain**2
    half = z * math.sqrt(variance)
    return violated + shift - half, violated + shift + half


def _clip(value: float) -> float:
    return min(1.0, max(0.0, value))

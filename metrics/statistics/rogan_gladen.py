"""Corrects a judge's share by its sensitivity and specificity, for comparison.

Rogan and Gladen, American Journal of Epidemiology 107 (1978); the interval is that of Lang and
Reiczigel, Preventive Veterinary Medicine 113 (2014), which adds to each count as Agresti and Coull
do. It takes the judge's errors from labeled questions and assumes them to be the same on all
others, and independent of each other; prediction-powered inference assumes neither.
"""

import math
from collections.abc import Iterable
from dataclasses import astuple, dataclass
from operator import add
from statistics import NormalDist

from hallascope.metrics.statistics.intervals import LEVEL, FloatPair, clip_share, sum_clusters


@dataclass(frozen=True)
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
        return TrialErrors(*map(add, astuple(self), astuple(other)))

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
    sensitivity, specificity = errors.sensitivity, errors.specificity
    if sensitivity is None or specificity is None or n <= 0:
        return None
    # the interval takes one more right and one more wrong answer of each kind
    found = (errors.flagged + 1) / (errors.violated + 2)
    accepted = (errors.accepted + 1) / (errors.holding + 2)
    gain, smooth_gain = sensitivity + specificity - 1, found + accepted - 1
    if min(gain, smooth_gain) <= 0:
        return None
    z = NormalDist().inv_cdf((1 + LEVEL) / 2)
    called = (n * (1 - share) + z * z / 2) / (n + z * z)
    violated = (called + accepted - 1) / smooth_gain
    of_sensitivity = found * (1 - found) / (errors.violated + 2)
    of_specificity = accepted * (1 - accepted) / (errors.holding + 2)
    center = violated + 2 * z * z * (violated * of_sensitivity - (1 - violated) * of_specificity)
    variance = (
        called * (1 - called) / (n + z * z)
        + violated**2 * of_sensitivity
        + (1 - violated) ** 2 * of_specificity
    ) / smooth_gain**2
    half = z * math.sqrt(variance)
    return RoganGladen(
        value=clip_share(1 - (specificity - share) / gain),
        low=clip_share(1 - center - half),
        high=clip_share(1 - center + half),
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
    share = clip_share(sums.ratio)
    n = share * (1 - share) / sums.variance if sums.variance else 0.0
    return rogan_gladen(share, n or sums.n, errors)

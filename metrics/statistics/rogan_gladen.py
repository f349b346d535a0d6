"""Corrects a judge's share by its sensitivity and specificity, for comparison.

Rogan and Gladen, American Journal of Epidemiology 107 (1978); the interval is that of Lang and
Reiczigel, Preventive Veterinary Medicine 113 (2014), which adds to each count as Agresti and Coull
do. It takes the judge's errors from a trial and assumes them to be the same here, which
prediction-powered inference does not.
"""

import math
from dataclasses import dataclass
from statistics import NormalDist

from hallascope.metrics.statistics.intervals import LEVEL


@dataclass(frozen=True, kw_only=True)
class TrialErrors:
    """Counts a judge's answers whose truth is known: of violated facts and of facts that hold.

    `flagged` of `violated` facts were found, `accepted` of `holding` ones were confirmed.
    """

    flagged: int
    violated: int
    accepted: int
    holding: int


@dataclass(frozen=True, kw_only=True)
class RoganGladen:
    """Holds the share of facts that hold, in [0, 1], with its 95 % interval."""

    value: float
    low: float
    high: float


def rogan_gladen(share: float, n: float, errors: TrialErrors) -> RoganGladen | None:
    """Return the share of facts that hold, where a judge says that `share` of `n` hold.

    With q the share of facts it calls violated, the true share of these is
    ``(q + specificity - 1) / (sensitivity + specificity - 1)``. `n` is the effective number of
    questions. None where the judge is no better than chance, or no error was counted of one kind.
    """
    if not errors.violated or not errors.holding or n <= 0:
        return None
    sensitivity = errors.flagged / errors.violated
    specificity = errors.accepted / errors.holding
    gain = sensitivity + specificity - 1
    if gain <= 0:
        return None
    violated = (specificity - share) / gain
    low, high = _violated_interval(1 - share, n, errors)
    return RoganGladen(value=_clip(1 - violated), low=_clip(1 - high), high=_clip(1 - low))


def _violated_interval(called: float, n: float, errors: TrialErrors) -> tuple[float, float]:
    """Return the interval of the share of violated facts, where `called` of `n` are called so."""
    z = NormalDist().inv_cdf((1 + LEVEL) / 2)
    n_called = n + z * z
    n_violated = errors.violated + 2
    n_holding = errors.holding + 2
    share = (n * called + z * z / 2) / n_called
    sensitivity = (errors.flagged + 1) / n_violated
    specificity = (errors.accepted + 1) / n_holding
    gain = sensitivity + specificity - 1
    violated = (share + specificity - 1) / gain
    of_sensitivity = sensitivity * (1 - sensitivity) / n_violated
    of_specificity = specificity * (1 - specificity) / n_holding
    shift = 2 * z * z * (violated * of_sensitivity - (1 - violated) * of_specificity)
    variance = (
        share * (1 - share) / n_called
        + violated**2 * of_sensitivity
        + (1 - violated) ** 2 * of_specificity
    ) / gain**2
    half = z * math.sqrt(variance)
    return violated + shift - half, violated + shift + half


def _clip(value: float) -> float:
    return min(1.0, max(0.0, value))

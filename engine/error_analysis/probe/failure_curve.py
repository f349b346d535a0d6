"""Estimates how the share of failing images depends on the level, and which level tells most next.

On an ordered axis the share is a logistic curve of the level. Its posterior is computed on a grid,
so that nothing is drawn by chance: the same images give the same interval. On other axes each level
has a share of its own, with the posterior of Jeffreys' prior (Brown, Cai and DasGupta, Statistical
Science 16, 2001, section 4). Nothing here knows of images or models.

The next level is chosen on an ordered axis by Thompson sampling (Thompson, Biometrika 25, 1933): a
curve is drawn from the posterior, and the level nearest to where it says that half of the images
fail is drawn next. On other axes it is chosen by successive halving (Karnin, Koren and Somekh, ICML
2013): after each round the half of the levels that failed least is left as it is.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    FloatArray = NDArray[np.float64]

TAIL = 0.025  # on each side of an interval
HALF = 0.5
SURE = 0.95
DRAWS = 20_000
# standard deviations of the prior: of the log odds in the middle of the axis, and of how much they
# rise from its first level to its last
_MIDDLE_SPREAD = 5.0
_RISE_SPREAD = 12.0
_GRID = 161
FIRST_IMAGES = 2  # of each level, before any level is preferred
_EXPLORED = 0.2  # of all steps go to the level that has the fewest images


@dataclass(frozen=True, kw_only=True)
class LevelCounts:
    """Holds how many images of a level failed, of those that were answered.

    `value` is the place on an ordered axis.
    """

    failed: int
    answered: int
    value: float | None = None


class ProbeEstimate(NamedTuple):
    """Holds a share of failing images in [0, 1], or a level, with its 95 % interval.

    A level at which half of the images fail is minus infinity below the first level that was
    drawn, and infinity above the last one.
    """

    value: float
    low: float
    high: float


class Posterior(NamedTuple):
    """Holds the posterior of a logistic curve on a grid, each an array of shape (points,).

    `middle` are the log odds of failure in the middle of the axis, `rise` how much they rise from
    its first level to its last, `weight` the probabilities, which sum to 1. `first` and `last` are
    the ends of the axis.
    """

    middle: "FloatArray"
    rise: "FloatArray"
    weight: "FloatArray"
    first: float
    last: float

    def shares(self, value: float) -> "FloatArray":
        """Return the share of failing images at a level, at each point of the grid."""
        import numpy as np

        return 1.0 / (1.0 + np.exp(-(self.middle + self.rise * self._place(value))))

    def share(self, value: float) -> ProbeEstimate:
        """Return the mean share of failing images at a level, with its interval."""
        shares = self.shares(value)
        low, high = _quantiles(shares, self.weight, (TAIL, 1 - TAIL))
        return ProbeEstimate(float((shares * self.weight).sum()), low, high)

    def boundary(self) -> ProbeEstimate:
        """Return the level at which half of the images fail: the median, and its interval."""
        median, low, high = _quantiles(self.boundaries(), self.weight, (0.5, TAIL, 1 - TAIL))
        return ProbeEstimate(median, low, high)

    def boundaries(self) -> "FloatArray":
        """Return the level at which the curve first reaches one half, at each point of the grid."""
        import numpy as np

        start = self.middle - self.rise / 2
        end = self.middle + self.rise / 2
        crossing = np.full_like(start, np.inf)
        crosses = (start < 0) & (end >= 0)
        place = -self.middle[crosses] / self.rise[crosses] + 0.5
        crossing[crosses] = self.first + (self.last - self.first) * place
        crossing[start >= 0] = -np.inf
        return crossing

    def _place(self, value: float) -> float:
        return (value - self.first) / (self.last - self.first) - 0.5


def fit_curve(counts: Sequence[LevelCounts]) -> Posterior:
    """Return the posterior of the logistic curve of an ordered axis.

    Levels without an answered image say where the axis begins and ends, and nothing else. Raises
    ValueError where a level has no value, or all have the same.
    """
    import numpy as np

    values = [level.value for level in counts if level.value is not None]
    if len(values) != len(counts) or len(set(values)) < 2:
        raise ValueError("a curve needs levels with two different values or more")
    middle, rise, log_prior = _prior_grid()
    posterior = Posterior(middle, rise, log_prior, min(values), max(values))
    log_weight = log_prior.copy()
    for level, value in zip(counts, values, strict=True):
        odds = middle + rise * posterior._place(value)
        right = level.answered - level.failed
        log_weight -= level.failed * np.logaddexp(0.0, -odds) + right * np.logaddexp(0.0, odds)
    weight = np.exp(log_weight - log_weight.max())
    return posterior._replace(weight=weight / weight.sum())


def share_of_level(level: LevelCounts) -> ProbeEstimate | None:
    """Return the share of a level by itself with Jeffreys' interval, None where nothing counts.

    The interval reaches 0 where no image failed, and 1 where all did.
    """
    from scipy.special import betaincinv

    if not level.answered:
        return None
    right = level.answered - level.failed
    low = float(betaincinv(level.failed + 0.5, right + 0.5, TAIL)) if level.failed else 0.0
    high = float(betaincinv(level.failed + 0.5, right + 0.5, 1 - TAIL)) if right else 1.0
    return ProbeEstimate(level.failed / level.answered, low, high)


def holds_to(posterior: Posterior, values: Sequence[float]) -> float | None:
    """Return the last level up to which fewer than half of the images fail, 95 % sure at each.

    None: that is not sure at the first one.
    """
    held = None
    for value in sorted(values):
        below = (posterior.shares(value) < HALF) * posterior.weight
        if below.sum() < SURE:
            break
        held = value
    return held


def mean_share_draws(counts: Sequence[LevelCounts], seed: int, *, ordered: bool) -> "FloatArray":
    """Return draws of the mean share over all levels, each level alike, shape (DRAWS,).

    So models whose images were spread otherwise over the levels can be compared.
    """
    import numpy as np

    chance = np.random.default_rng(seed)
    if ordered:
        posterior = fit_curve(counts)
        means = sum(posterior.shares(level.value or 0.0) for level in counts) / len(counts)
        chosen: FloatArray = chance.choice(means, DRAWS, p=posterior.weight)
        return chosen
    drawn = [
        chance.beta(level.failed + 0.5, level.answered - level.failed + 0.5, DRAWS)
        for level in counts
    ]
    means_of_draws: FloatArray = np.mean(drawn, axis=0)
    return means_of_draws


def estimate_difference(first: "FloatArray", second: "FloatArray") -> ProbeEstimate:
    """Return first minus second from independent draws of both, with its 95 % interval."""
    import numpy as np

    differences = first - second
    low, high = np.quantile(differences, (TAIL, 1 - TAIL))
    return ProbeEstimate(float(differences.mean()), float(low), float(high))


@cache
def _prior_grid() -> "tuple[FloatArray, FloatArray, FloatArray]":
    """Return the points of the grid and the logarithm of their prior probability."""
    import numpy as np

    middles = np.linspace(-16.0, 16.0, _GRID)
    rises = np.linspace(-40.0, 40.0, _GRID)
    middle, rise = (axis.ravel() for axis in np.meshgrid(middles, rises))
    log_prior = -0.5 * ((middle / _MIDDLE_SPREAD) ** 2 + (rise / _RISE_SPREAD) ** 2)
    return middle, rise, log_prior


def _quantiles(
    values: "FloatArray", weight: "FloatArray", levels: Sequence[float]
) -> tuple[float, ...]:
    """Return weighted quantiles of values."""
    import numpy as np

    found = np.quantile(values, levels, weights=weight, method="inverted_cdf")
    return tuple(map(float, found))


# --- which level is drawn next


def choose_by_curve(
    drawn: Sequence[int], counts: Sequence[LevelCounts], chance: "np.random.Generator"
) -> int:
    """Return the place of the level of an ordered axis that is drawn next.

    `drawn` are the images that each level has, answered or not.
    """
    fewest = min(range(len(drawn)), key=drawn.__getitem__)
    if drawn[fewest] < FIRST_IMAGES or chance.random() < _EXPLORED:
        return fewest
    posterior = fit_curve(counts)
    point = chance.choice(len(posterior.weight), p=posterior.weight)
    distances = [abs(posterior.shares(level.value or 0.0)[point] - HALF) for level in counts]
    return min(range(len(counts)), key=distances.__getitem__)


def plan_halving(levels: int, images: int) -> list[int]:
    """Return how many images each remaining level gets in each round of successive halving.

    Every level gets one or more in the first round where `images` are enough.
    """
    rounds = max(1, math.ceil(math.log2(levels)))
    plan = []
    remaining = levels
    left = images
    for number in range(rounds):
        each = left // (rounds - number) // remaining
        if not each:
            each = 1 if left >= remaining else 0
        plan.append(each)
        left -= each * remaining
        remaining = math.ceil(remaining / 2)
    return plan


def keep_worst_half(places: Sequence[int], counts: Sequence[LevelCounts]) -> list[int]:
    """Return the half of some levels of which most images failed, in their order."""

    def failing(place: int) -> float:
        level = counts[place]
        return (level.failed + 0.5) / (level.answered + 1)

    worst = sorted(places, key=failing, reverse=True)[: math.ceil(len(places) / 2)]
    return sorted(worst)

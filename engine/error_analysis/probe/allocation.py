"""Decides which level is drawn next, from what the images so far showed.

On an ordered axis by Thompson sampling (Thompson, Biometrika 25, 1933): a curve is drawn from the
posterior, and the level nearest to where it says that half of the images fail is drawn next. On
other axes by successive halving (Karnin, Koren and Somekh, ICML 2013): after each round the half of
the levels that failed least is left as it is. Nothing here draws an image.
"""

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from hallascope.engine.error_analysis.probe.failure_curve import HALF, LevelCounts, fit_curve

if TYPE_CHECKING:
    from numpy.random import Generator

FIRST_IMAGES = 2  # of each level, before any level is preferred
_EXPLORED = 0.2  # of all steps go to the level that has the fewest images


def choose_by_curve(
    drawn: Sequence[int], counts: Sequence[LevelCounts], chance: "Generator"
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

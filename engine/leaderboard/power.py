"""Says which differences of models a number of prompts can tell, from what is stored of them."""

from collections.abc import Sequence
from statistics import median
from typing import NamedTuple

from hallascope import metrics
from hallascope.engine.leaderboard.board import board
from hallascope.engine.leaderboard.comparisons import compare_models, percent, power_sentence
from hallascope.engine.leaderboard.filters import Filters, Query
from hallascope.engine.storage.store import Store
from hallascope.metrics.base import SHARE
from hallascope.metrics.statistics.intervals import LEVEL
from hallascope.metrics.statistics.paired_difference import (
    POWER,
    ModelDifference,
    least_difference,
)

# the median of the pairs of models on the leaderboard that ships, by I-HallA's score
ASSUMED_DEVIATION = 0.26
LISTED_PAIRS = 5  # that are not told apart yet


class PowerForecast(NamedTuple):
    """Holds which difference so many prompts tell with 80 % power, if all pairs are compared.

    `deviation` is the standard deviation of the prompts' differences of two models: the median of
    the `measured` pairs that are stored, else an assumption for scores in [0, 1], else None.
    `least_difference` is in the unit of the score, None where it cannot be said. `open_pairs` are
    stored pairs that are not told apart, the one that needs fewest prompts first.
    """

    metric: str
    prompts: int
    deviation: float | None
    measured: int
    least_difference: float | None
    open_pairs: tuple[ModelDifference, ...]

    @property
    def sentences(self) -> list[str]:
        """Return what the forecast says, a sentence each."""
        return [self._least, *filter(None, map(power_sentence, self.open_pairs[:LISTED_PAIRS]))]

    @property
    def _least(self) -> str:
        metric = metrics.title(self.metric)
        if self.deviation is None:
            return f"Nothing is stored that says which difference of {metric} can be told."
        if self.least_difference is None:
            return f"{self.prompts:,} prompts are too few to tell models apart by {metric}."
        basis = "assumed, as nothing is stored"
        if self.measured:
            basis = f"measured on {self.measured} stored pair{'s' if self.measured > 1 else ''}"
        return (
            f"{self.prompts:,} prompts tell models apart that differ by {self.least_difference:.3f}"
            f" or more in {metric} ({percent(POWER)} power; standard deviation of the prompts'"
            f" differences {self.deviation:.2f}, {basis})."
        )


def power_forecast(
    store: Store, metric: str, models: Sequence[str], prompts: int
) -> PowerForecast | None:
    """Return what so many prompts tell of these models by a metric; None under two models."""
    if len(models) < 2:
        return None
    query = Query(metric, filters=Filters(models=tuple(models)))
    pairs = [
        pair for pair in compare_models(store, board(store, query)).pairs if pair.p is not None
    ]
    deviations = [pair.deviation for pair in pairs if pair.deviation]
    deviation: float | None = None
    if deviations:
        deviation = median(deviations)
    elif query.spec.bounds == SHARE:
        deviation = ASSUMED_DEVIATION
    level = (1 - LEVEL) / (len(models) * (len(models) - 1) // 2)
    open_pairs = [pair for pair in pairs if not pair.told_apart and pair.prompts_needed]
    return PowerForecast(
        metric=metric,
        prompts=prompts,
        deviation=deviation,
        measured=len(deviations),
        least_difference=(
            None if deviation is None else least_difference(prompts, deviation, level)
        ),
        open_pairs=tuple(sorted(open_pairs, key=lambda pair: pair.prompts_needed or 0)),
    )

"""Compares models of a leaderboard: differences, ranks, and how many prompts tell them apart."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from typing import NamedTuple

from hallascope import metrics
from hallascope.engine.errors import BadRequest
from hallascope.engine.leaderboard import queries
from hallascope.engine.leaderboard.board import Board, board, mean_bounds
from hallascope.engine.leaderboard.filters import Filters, Query
from hallascope.engine.storage.store import Store
from hallascope.metrics.base import SHARE
from hallascope.metrics.statistics.intervals import LEVEL
from hallascope.metrics.statistics.paired_difference import (
    MIN_PROMPTS,
    POWER,
    ModelDifference,
    all_differences,
    least_difference,
    model_difference,
)
from hallascope.metrics.statistics.ranking import (
    MIN_RANKED_PROMPTS,
    RankInterval,
    rank_intervals,
)

MOST_PAIRS = 1_000  # are compared, so that a board is there in a moment
METHOD = "sign flips by prompt, corrected for all pairs by Holm's method"
# the median of the pairs of models on the leaderboard that ships, by I-HallA's score
ASSUMED_DEVIATION = 0.26
LISTED_PAIRS = 5  # that are not told apart yet


@dataclass(frozen=True, kw_only=True)
class ModelComparisons:
    """Holds how the models of a leaderboard compare: all `pairs` in each group, corrected together.

    `ranks` is by model and group. Both are empty where fewer than two models have enough prompts
    (`too_few_prompts`: two have some), or where there are more pairs than are compared, which
    `left_out_pairs` counts.
    """

    pairs: tuple[ModelDifference, ...] = ()
    ranks: Mapping[tuple[str, str], RankInterval]
    left_out_pairs: int = 0
    too_few_prompts: bool = False

    @property
    def sentences(self) -> list[str]:
        """Return what the comparison says, a sentence each; none where there is one model."""
        if self.left_out_pairs:
            return [
                f"{self.left_out_pairs:,} pairs of models are too many to compare: choose fewer"
                " models or another grouping."
            ]
        if self.too_few_prompts:
            return [f"Too few prompts for ranks: a model needs at least {MIN_RANKED_PROMPTS}."]
        if not self.pairs:
            return []
        tested = sum(pair.p is not None for pair in self.pairs)
        count = "1 pair" if tested == 1 else f"{tested:,} pairs"
        rule = (
            "Models that share a letter cannot be told apart, and ranks say which places are not"
            f" excluded ({METHOD}: {count}; {percent(1 - LEVEL)} level)."
        )
        if not tested:
            rule = (
                f"Too few prompts to tell the models apart: at least {MIN_PROMPTS} that both have"
                " are needed."
            )
        return [rule, *map(power_sentence, open_pairs(self.pairs)[:1])]


def open_pairs(pairs: Sequence[ModelDifference]) -> list[ModelDifference]:
    """Return the pairs that are not told apart, the one that needs the fewest prompts first."""
    found = [pair for pair in pairs if not pair.told_apart and pair.prompts_needed]
    return sorted(found, key=lambda pair: pair.prompts_needed or 0)


def power_sentence(pair: ModelDifference) -> str:
    """Return how many prompts would be needed to tell two models apart; "" where none follows."""
    if pair.prompts_needed is None or pair.value is None:
        return ""
    better, worse = (pair.one, pair.other) if pair.value > 0 else (pair.other, pair.one)
    where = f" in {pair.group}" if pair.group else ""
    return (
        f"About {round_up(pair.prompts_needed):,} prompts would be needed to tell {better} from"
        f" {worse}{where} (difference {abs(pair.value):.3f}, {percent(POWER)} power)."
    )


def percent(share: float) -> str:
    """Return a share in [0, 1] in percent, without decimals."""
    return f"{share:.0%}".replace("%", " %")


def round_up(count: int) -> int:
    """Return a count with two digits that are not 0, rounded up."""
    unit = int("1" + "0" * max(0, len(str(count)) - 2))
    return -(-count // unit) * unit


def compare_models(
    store: Store, board: Board, min_prompts: int = MIN_RANKED_PROMPTS
) -> ModelComparisons:
    """Return how the models that have enough prompts in a group of a leaderboard compare there."""
    scored: set[str] = set()
    values: dict[str, dict[str, float]] = {}
    for row in board.rows:
        if row.value is None:
            continue
        scored.add(row.model)
        if row.n >= min_prompts:
            values.setdefault(row.group, {})[row.model] = row.value
    pairs = sum(len(models) * (len(models) - 1) // 2 for models in values.values())
    if not pairs:
        return ModelComparisons(ranks={}, too_few_prompts=len(scored) > 1)
    if pairs > MOST_PAIRS:
        return ModelComparisons(ranks={}, left_out_pairs=pairs)
    scores = queries.read_group_scores(store, board.query, board.instrument_keys)
    by_group = {
        group: {model: scores[group][model] for model in models} for group, models in values.items()
    }
    differences = all_differences(by_group, share=mean_bounds(board.query) == SHARE)
    ranks = {
        (model, group): rank
        for group, models in values.items()
        if len(models) > 1
        for model, rank in rank_intervals(
            models,
            [pair for pair in differences if pair.group == group],
            higher_is_better=board.higher_is_better,
        ).items()
    }
    return ModelComparisons(pairs=differences, ranks=ranks)


def difference(
    store: Store, query: Query, first: str, second: str, group: str = ""
) -> ModelDifference:
    """Return the difference of two models in a group or ("") over all, as the leaderboard judges.

    Raises BadRequest where nothing is stored of one of them, or they are the same.
    """
    if first == second:
        raise BadRequest(f"{first!r} is compared with itself: name two models.")
    shown = queries.select_instruments(query, queries.read_instruments(store, query))
    scores = queries.read_model_scores(store, query, (first, second), group, shown)
    for model in (first, second):
        if model not in scores:
            raise BadRequest(
                f"Nothing of {model!r} is stored that these filters leave: name another model, or"
                " take a filter out."
            )
    share = mean_bounds(query) == SHARE
    return model_difference(first, second, scores, group, share=share)


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
        metric = metrics.title(self.metric)
        basis = "assumed, as nothing is stored"
        if self.measured:
            basis = f"measured on {self.measured} stored pair{'s' if self.measured > 1 else ''}"
        if self.deviation is None:
            least = f"Nothing is stored that says which difference of {metric} can be told."
        elif self.least_difference is None:
            least = f"{self.prompts:,} prompts are too few to tell models apart by {metric}."
        else:
            least = (
                f"{self.prompts:,} prompts tell models apart that differ by"
                f" {self.least_difference:.3f} or more in {metric} ({percent(POWER)} power;"
                f" standard deviation of the prompts' differences {self.deviation:.2f}, {basis})."
            )
        return [least, *filter(None, map(power_sentence, self.open_pairs[:LISTED_PAIRS]))]


def power_forecast(
    store: Store, metric: str, models: Sequence[str], prompts: int
) -> PowerForecast | None:
    """Return what so many prompts tell of these models by a metric; None under two models."""
    if len(models) < 2:
        return None
    query = Query(metric, filters=Filters(models=tuple(models)))
    pairs = [
        pair
        for pair in compare_models(store, board(store, query), min_prompts=0).pairs
        if pair.p is not None
    ]
    deviations = [pair.deviation for pair in pairs if pair.deviation]
    assumed = ASSUMED_DEVIATION if query.spec.bounds == SHARE else None
    deviation = median(deviations) if deviations else assumed
    level = (1 - LEVEL) / (len(models) * (len(models) - 1) // 2)
    return PowerForecast(
        metric=metric,
        prompts=prompts,
        deviation=deviation,
        measured=len(deviations),
        least_difference=deviation and least_difference(prompts, deviation, level),
        open_pairs=tuple(open_pairs(pairs)),
    )

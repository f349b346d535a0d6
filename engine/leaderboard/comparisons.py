"""Compares all models of a leaderboard: their differences, ranks, and who cannot be told apart."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from hallascope.engine.leaderboard import queries
from hallascope.engine.leaderboard.board import Board, mean_bounds
from hallascope.engine.leaderboard.queries import GroupScores
from hallascope.engine.storage.store import Store
from hallascope.metrics.base import SHARE
from hallascope.metrics.statistics.intervals import LEVEL
from hallascope.metrics.statistics.paired_difference import (
    MIN_PROMPTS,
    POWER,
    ModelDifference,
    all_differences,
)
from hallascope.metrics.statistics.ranking import RankInterval, rank_intervals

MOST_PAIRS = 1_000  # are compared, so that a board is there in a moment
METHOD = "sign flips by prompt, corrected for all pairs by Holm's method"


@dataclass(frozen=True, kw_only=True)
class ModelComparisons:
    """Holds how the models of a leaderboard compare: all `pairs` in each group, corrected together.

    `ranks` is by model and group. Both are empty where there is one model, or where there are more
    pairs than are compared, which `left_out_pairs` counts.
    """

    pairs: tuple[ModelDifference, ...] = ()
    ranks: Mapping[tuple[str, str], RankInterval]
    higher_is_better: bool
    left_out_pairs: int = 0

    @property
    def sentences(self) -> list[str]:
        """Return what the comparison says, a sentence each; none where there is one model."""
        if self.left_out_pairs:
            return [
                f"{self.left_out_pairs:,} pairs of models are too many to compare: choose fewer"
                " models or another grouping."
            ]
        if not self.pairs:
            return []
        return [self._rule, *filter(None, [self._power])]

    @property
    def _rule(self) -> str:
        tested = sum(pair.p is not None for pair in self.pairs)
        if not tested:
            return (
                f"Too few prompts to tell the models apart: at least {MIN_PROMPTS} that both have"
                " are needed."
            )
        count = "1 pair" if tested == 1 else f"{tested:,} pairs"
        return (
            "Models that share a letter cannot be told apart, and ranks say which places are not"
            f" excluded ({METHOD}: {count}; {percent(1 - LEVEL)} level)."
        )

    @property
    def _power(self) -> str:
        pair = self.closest
        return power_sentence(pair) if pair else ""

    @property
    def closest(self) -> ModelDifference | None:
        """Return the pair that is not told apart and would need the fewest prompts; None: none."""
        open_pairs = [pair for pair in self.pairs if not pair.told_apart and pair.prompts_needed]
        return min(open_pairs, key=lambda pair: pair.prompts_needed or 0, default=None)


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


def rank_values(rank: RankInterval | None) -> dict[str, Any]:
    """Return the ranks and the letters of a model by name, each None where it was not compared."""
    return {
        "best_rank": rank.best if rank else None,
        "worst_rank": rank.worst if rank else None,
        "letters": rank.letters if rank else None,
    }


def percent(share: float) -> str:
    """Return a share in [0, 1] in percent, without decimals."""
    return f"{share:.0%}".replace("%", " %")


def round_up(count: int) -> int:
    """Return a count with two digits that are not 0, rounded up."""
    unit = int("1" + "0" * max(0, len(str(count)) - 2))
    return -(-count // unit) * unit


def compare_models(store: Store, board: Board) -> ModelComparisons:
    """Return how the models of a leaderboard compare, in each of its groups."""
    values: dict[str, dict[str, float]] = {}
    for row in board.rows:
        if row.value is not None:
            values.setdefault(row.group, {})[row.model] = row.value
    pairs = sum(len(models) * (len(models) - 1) // 2 for models in values.values())
    if not pairs or pairs > MOST_PAIRS:
        left_out = pairs if pairs > MOST_PAIRS else 0
        return ModelComparisons(
            ranks={}, higher_is_better=board.higher_is_better, left_out_pairs=left_out
        )
    scores = queries.read_group_scores(store, board.query, board.instrument_keys)
    return _compare(values, scores, board)


def _compare(
    values: Mapping[str, Mapping[str, float]], scores: GroupScores, board: Board
) -> ModelComparisons:
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
    return ModelComparisons(pairs=differences, ranks=ranks, higher_is_better=board.higher_is_better)

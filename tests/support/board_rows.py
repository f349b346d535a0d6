"""The rows of a leaderboard alone."""

from hallascope.engine.leaderboard.board import LeaderboardRow, board
from hallascope.engine.leaderboard.filters import Filters, Grouping, Query
from hallascope.engine.storage.store import Store


def leaderboard_rows(
    store: Store,
    by: Grouping = "model",
    metric: str = "ihalla",
    score: str = "score",
    filters: Filters | None = None,
) -> list[LeaderboardRow]:
    """Return the rows of a leaderboard alone."""
    return list(board(store, Query(metric, score, by, filters or Filters())).rows)

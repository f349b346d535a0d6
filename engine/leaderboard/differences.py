"""Tells whether one model is better than another on the stored prompts of both."""

from hallascope.engine.errors import BadRequest
from hallascope.engine.leaderboard import queries
from hallascope.engine.leaderboard.board import mean_bounds
from hallascope.engine.leaderboard.filters import Query
from hallascope.engine.storage.store import Store
from hallascope.metrics.base import SHARE
from hallascope.metrics.statistics.paired_difference import ModelDifference, model_difference


def difference(
    store: Store, query: Query, first: str, second: str, group: str = ""
) -> ModelDifference:
    """Return the difference of two models in a group or ("") over all, by one way of judging.

    Raises BadRequest where nothing is stored of one of them, or they are the same.
    """
    if first == second:
        raise BadRequest(f"{first!r} is compared with itself: name two models.")
    request = queries.prompt_query(store, query, (first, second), group)
    pairs = queries.read_score_pairs(store, request)
    for model in (first, second):
        if model not in pairs:
            raise BadRequest(
                f"Nothing of {model!r} is stored that these filters leave: name another model, or"
                " take a filter out."
            )
    share = mean_bounds(query) == SHARE
    return model_difference(first, second, pairs, group, share=share)

"""Whether one model is better than another on the stored prompts of both; it draws nothing."""

from dataclasses import replace

from hallascope.engine.errors import BadRequest
from hallascope.engine.leaderboard import queries
from hallascope.engine.leaderboard.board import check_groups, chosen_ways
from hallascope.engine.leaderboard.filters import Query
from hallascope.engine.leaderboard.group_filter import filter_group
from hallascope.engine.leaderboard.prompt_scores import PromptQuery, pairs
from hallascope.engine.storage.store import Store
from hallascope.metrics.statistics.paired_difference import ModelDifference, model_difference


def difference(
    store: Store, query: Query, one: str, other: str, group: str = ""
) -> ModelDifference:
    """Return the difference of two models in a group or ("") over all, by one way of judging.

    Raises BadRequest where nothing is stored of one of them, or they are the same.
    """
    check_groups(query)
    if one == other:
        raise BadRequest(f"{one!r} is compared with itself: name two models.")
    asked = filter_group(query, group)
    asked = replace(asked, filters=replace(asked.filters, models=(one, other)))
    ways = chosen_ways(asked, queries.ways(store, asked))
    sides = pairs(
        store, PromptQuery(asked, [way.key for way in ways], group if query.by == "coi" else "")
    )
    for model in (one, other):
        if model not in sides:
            raise BadRequest(
                f"Nothing of {model!r} is stored that these filters leave: name another model, or"
                " take a filter out."
            )
    return model_difference(one, other, sides, group)

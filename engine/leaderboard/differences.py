"""Whether one model is better than another on the stored prompts of both; it draws nothing."""

from dataclasses import replace

from engine.errors import BadRequest
from engine.leaderboard import reading
from engine.leaderboard.prompts import Asked, pairs
from engine.leaderboard.query import Query
from engine.leaderboard.rows import checked, chosen_ways
from engine.leaderboard.within import within
from engine.storage.store import Store
from metrics.comparing import ModelDifference, model_difference


def difference(store: Store, query: Query, one: str, other: str, group: str = "") -> ModelDifference:
    """The difference of two models, in a group of the leaderboard or ("") over all of it, by one way of judging.

    Raises BadRequest where nothing is stored of one of them, or they are the same.
    """
    checked(query)
    if one == other:
        raise BadRequest(f"{one!r} is compared with itself: name two models.")
    asked = within(query, group)
    asked = replace(asked, filters=replace(asked.filters, models=(one, other)))
    ways = chosen_ways(asked, reading.ways(store, asked))
    sides = pairs(store, Asked(asked, [way.key for way in ways], group if query.by == "coi" else ""))
    for model in (one, other):
        if model not in sides:
            raise BadRequest(f"Nothing of {model!r} is stored that these filters leave: name another model, or take a filter out.")
    return model_difference(one, other, sides, group)

"""Whether one model is better than another: the difference on the prompts of both, by a paired bootstrap; it draws nothing."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from engine.errors import BadRequest
from engine.leaderboard import reading
from engine.leaderboard.query import Query
from engine.leaderboard.rows import Unit, checked, chosen_ways
from engine.leaderboard.within import within
from engine.storage.store import Store
from metrics.statistics import Pair, paired


@dataclass(frozen=True)
class Difference:
    """By how much the score of `one` is above that of `other`, over the `n` prompts in which both were answered.

    `value`, its 95 % interval and `p` (two-sided: the chance of as much where there is no difference) are None under two prompts.
    By composition of interest each prompt counts with its questions. `group`: "" is all.
    """

    one: str
    other: str
    group: str
    value: float | None
    low: float | None
    high: float | None
    p: float | None
    n: int
    unit: Unit = "prompts"


def difference(store: Store, query: Query, one: str, other: str, group: str = "") -> Difference:
    """The difference of two models, in a group of the leaderboard or ("") over all of it, by one way of judging.

    Raises BadRequest where nothing is stored of one of them, or they are the same.
    """
    checked(query)
    if one == other:
        raise BadRequest(f"{one!r} is compared with itself: name two models.")
    asked = within(query, group)
    asked = replace(asked, filters=replace(asked.filters, models=(one, other)))
    ways = chosen_ways(asked, reading.ways(store, asked))
    told = reading.told(store, asked, [way.key for way in ways], part=group if query.by == "coi" else "") if ways else []
    sides = {model: _pairs([each for each in told if each.model == model]) for model in (one, other)}
    for model in (one, other):
        if not any(each.model == model for each in told):
            raise BadRequest(f"Nothing of {model!r} is stored that these filters leave: name another model, or take a filter out.")
    both = sorted(sides[one].keys() & sides[other].keys())
    found = paired([sides[one][prompt] for prompt in both], [sides[other][prompt] for prompt in both])
    value, low, high, p = found or (None, None, None, None)
    return Difference(one, other, group, value, low, high, p, len(both))


def _pairs(told: list[reading.Told]) -> Mapping[str, Pair]:
    return {one.prompt: counted for one in told if (counted := one.cluster.counted)}

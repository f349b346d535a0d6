"""Makes a query of one group: what stands behind a bar is what its filters leave.

The group is among the filters.
"""

from dataclasses import replace
from typing import Any

from hallascope.engine.errors import BadRequest
from hallascope.engine.leaderboard.filters import Query
from hallascope.engine.leaderboard.queries import NO_JUDGE


def filter_group(query: Query, group: str) -> Query:
    """The same of one group alone, by model; "" is all of it.

    Of a composition of interest the questions are chosen elsewhere.

    Raises BadRequest where the group cannot be one.
    """
    if not group or query.by in ("model", "coi"):
        return replace(query, by="model")
    value: Any = group
    if query.by == "trial":
        if not group.isdecimal():
            raise BadRequest(f"{group!r} is no trial: give its number, 0 is the first.")
        value = int(group)
    if query.by == "judge" and group == NO_JUDGE:
        value = ""
    return replace(query, by="model", filters=replace(query.filters, **{query.by: value}))

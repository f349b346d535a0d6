"""The papers' numbers as rows of a leaderboard, apart from ours; it averages nothing."""

from hallascope.data.published.tables import PublishedScore, published_scores
from hallascope.engine.leaderboard.filters import Query
from hallascope.engine.leaderboard.row import LeaderboardRow


def published_rows(query: Query) -> tuple[LeaderboardRow, ...]:
    """What papers print of this score by the same thing.

    Of the group that is filtered for alone, where one is.

    Of all models `group` is the part of the benchmark that the paper gives the number of. No
    interval: the papers print none.
    """
    wanted = (
        getattr(query.filters, query.by, None)
        if query.by in ("category", "domain", "level", "task", "judge")
        else None
    )
    found = (
        one
        for one in published_scores()
        if (one.metric, one.score, one.slice) == (query.metric, query.score, query.by)
    )
    return tuple(_row(one) for one in found if wanted in (None, one.group))


def _row(one: PublishedScore) -> LeaderboardRow:
    return LeaderboardRow(
        model=one.model,
        group=one.group,
        value=one.value,
        n=one.n,
        low=None,
        high=None,
        left_out=0,
        source=one.source,
    )

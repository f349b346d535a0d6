"""Shows a site's leaderboard: the tables of the dashboard, by model, then by composition or domain.

There is one for every metric.
"""

from collections.abc import Collection, Sequence

from markupsafe import Markup

from hallascope import metrics
from hallascope.components.html.markup import join, tag
from hallascope.components.leaderboard import ranking_table
from hallascope.components.leaderboard.corrections import correction_notes
from hallascope.engine.leaderboard.board import Board, board
from hallascope.engine.leaderboard.filters import Filters, Grouping, Query
from hallascope.engine.leaderboard.label_correction import correct_by_people
from hallascope.engine.services import Services
from hallascope.engine.storage.people.ratings import IHALLA
from hallascope.pages.leaderboard.view import board_table


def boards(
    services: Services, runs: Sequence[str], asked: Collection[str], people: bool = True
) -> Markup:
    """Return the leaderboards of metrics that scored anything in these runs.

    No runs named: all of them. It is empty where no metric scored anything. `people`: what people
    of this store answered corrects the scores.
    """
    filters = Filters(runs=tuple(runs))
    corrects = people and bool(services.store.ratings.all(IHALLA))
    tables: list[Markup] = []
    for name in metrics.METRICS:
        if name not in asked:
            continue
        shown = board(services.store, Query(name, "score", "model", filters))
        if all(row.value is None for row in shown.rows):
            continue
        tables.append(_table(services, shown, corrects))
        asks_questions = metrics.presentation(name) == "questions"
        groupings: tuple[Grouping, ...] = ("coi", "field") if asks_questions else ("domain",)
        for by in groupings:
            grouped = board(services.store, Query(name, "score", by, filters))
            if len({row.group for row in grouped.rows}) > 1:
                title = "By composition of interest" if by == "coi" else f"By {by}"
                tables.append(ranking_table.details(title, _table(services, grouped, corrects)))
    if not tables:
        return Markup()
    return tag("section", tag("h2", "Leaderboard"), *tables, class_="section")


def _table(services: Services, shown: Board, corrects: bool) -> Markup:
    rows = correct_by_people(services.store, shown).rows if corrects else ()
    corrected = rows if any(row.labeled for row in rows) else ()
    ours, context = board_table(services, services.store, shown, corrected, is_site=True)
    sentences = [row.sentence for row in corrected if row.score]
    return join(ranking_table.table(ours, (), context), correction_notes(sentences))

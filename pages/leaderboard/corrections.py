"""Puts what people's labels make of a leaderboard's scores beside the judge's."""

from collections.abc import Sequence

from markupsafe import Markup

from hallascope.components.leaderboard.charts import Bar
from hallascope.components.leaderboard.corrections import correction_notes, label_hint
from hallascope.engine.leaderboard.board import Board
from hallascope.engine.leaderboard.demo import LeaderboardSource
from hallascope.engine.leaderboard.label_correction import (
    CorrectedRow,
    correct_board,
    is_correctable,
)
from hallascope.engine.storage.people.ratings import IHALLA
from hallascope.metrics.statistics.prediction_powered import MIN_LABELED


def corrected_rows(source: LeaderboardSource, ranking: Board) -> tuple[CorrectedRow, ...]:
    """Return the corrected scores of a leaderboard's rows.

    There are none of numbers that ship, whose images nobody can label, and none where nobody has
    answered a question yet.
    """
    if source.demo or not source.store.ratings.all(IHALLA):
        return ()
    return correct_board(source.store, ranking)


def have_labels(rows: Sequence[CorrectedRow]) -> bool:
    """Return whether people labeled any prompt of these rows."""
    return any(row.labeled for row in rows)


def with_corrections(bars: Sequence[Bar], rows: Sequence[CorrectedRow]) -> list[Bar]:
    """Return the bars with their corrected scores."""
    by_bar = {(row.model, row.group): row for row in rows}
    return [_with_correction(bar, by_bar.get((bar.model, bar.group))) for bar in bars]


def _with_correction(bar: Bar, row: CorrectedRow | None) -> Bar:
    return bar._replace(corrected=row.score, labels_needed=row.needed) if row else bar


def correction_words(
    rows: Sequence[CorrectedRow], source: LeaderboardSource, ranking: Board
) -> Markup:
    """Return a sentence for each corrected score; without labels, how to get them."""
    if have_labels(rows):
        return correction_notes([row.sentence for row in rows])
    if source.demo or not is_correctable(ranking.query):
        return Markup()
    return label_hint(MIN_LABELED)

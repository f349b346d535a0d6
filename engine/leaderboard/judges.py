"""Finds what to expect of the judge of each row of a leaderboard, and who judged a row."""

from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache
from typing import cast

from hallascope import metrics
from hallascope.data.records import CoI
from hallascope.data.wordings.packs import is_our_way
from hallascope.engine.leaderboard.board import Board, LeaderboardRow, board
from hallascope.engine.storage.store import Store
from hallascope.metrics.judge_reliability import JudgeReliability

FindReliability = Callable[[str | None, Mapping[CoI, float], str | None], JudgeReliability | None]
"""Finds what to expect of a judge on questions of kinds with weights, about a model's images."""
RowReliability = Callable[[LeaderboardRow], JudgeReliability | None]


def row_judge(ranking: Board, row: LeaderboardRow) -> str | None:
    """Return who judged a row; None where no single judge did."""
    if ranking.query.by == "judge":
        return row.group
    return ranking.instrument.judge if ranking.instrument else None


def _is_our_wording(ranking: Board, row: LeaderboardRow) -> bool:
    """Return whether a row was judged in our wording; trials in another one are kept apart."""
    shown = [ranking.instrument] if ranking.instrument else ranking.instruments
    judge = row_judge(ranking, row)
    version = next((each.version for each in shown if each.judge == judge), "")
    return is_our_way(version)


def row_reliability(store: Store, ranking: Board, find: FindReliability) -> RowReliability:
    """Return what finds what to expect of the judge of a row, None where it was not measured.

    A row by composition of interest rests on questions of that kind; for all other rows the kinds
    weigh as often as they are asked in the whole leaderboard. Metrics without multiple-choice
    questions have rows that no trial measures.
    """
    query = ranking.query
    if metrics.presentation(query.metric) != "questions":
        return lambda row: None
    weights: dict[CoI, float] = defaultdict(float)
    by_kind = ranking
    if query.by != "coi":
        by_kind = board(store, replace(query, score="score", by="coi"))
    for row in by_kind.rows:
        weights[cast("CoI", row.group)] += row.answered + row.unanswered
    find_once = cache(
        lambda judge, kind, model: find(judge, {kind: 1.0} if kind else weights, model)
    )

    def find_row(row: LeaderboardRow) -> JudgeReliability | None:
        if not _is_our_wording(ranking, row):
            return None
        kind = row.group if query.by == "coi" else None
        return find_once(row_judge(ranking, row), kind, row.model)

    return find_row

"""Ask a store for all its leaderboards and what is behind them, to compare versions."""

from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from hallascope.engine.leaderboard.board import Board, board
from hallascope.engine.leaderboard.drilldown import prompt_evaluations, prompt_page
from hallascope.engine.leaderboard.filters import Filters, Query
from hallascope.engine.leaderboard.options import LeaderboardOptions, leaderboard_options
from hallascope.engine.storage.store import Store

PAGE = 7  # prompts: few enough that a small store has several pages

# groups that version 8, whose answers these are compared with, did not have
LATER = ("field", "difficulty")


def every_answer(store: Store) -> dict[str, Any]:
    """Return by question the JSON of boards, prompts and images."""
    answers: dict[str, Any] = {}
    for metric in leaderboard_options(store, "").metrics:
        found = leaderboard_options(store, metric)
        for query in _queries(metric, found):
            shown = board(store, query)
            answers[f"board {_name(query)}"] = _board(shown)
            if query.filters == Filters():
                answers |= _behind(store, query, shown)
    return answers


def _queries(metric: str, found: LeaderboardOptions) -> Iterator[Query]:
    for by in [by for by in found.bys if by not in LATER]:
        for score in found.scores if by != "coi" else ("score",):
            for filters in _filters(found):
                yield Query(metric, score, by, filters)


def _filters(found: LeaderboardOptions) -> Iterator[Filters]:
    yield Filters()
    yield Filters(judge=found.groups["judge"][0])
    yield Filters(trial=0)
    yield Filters(domain=found.groups["domain"][0])
    yield Filters(category=found.groups["category"][0], models=found.models[:2])
    yield Filters(seeds=(0,))


def _behind(store: Store, query: Query, shown: Board) -> dict[str, Any]:
    """Return the prompts behind the first and last bar, and the pictures of the first prompt."""
    answers: dict[str, Any] = {}
    for bar in (*shown.rows[:1], *shown.rows[1:][-1:]):
        name = f"behind {_name(query)} {bar.model} {bar.group}"
        pages = [
            prompt_page(
                store=store, query=query, model=bar.model, group=bar.group, page=page, size=PAGE
            )
            for page in (0, 1)
        ]
        answers[name] = [pages[0].total, [asdict(item) for page in pages for item in page.items]]
        if not pages[0].items:
            continue
        first = pages[0].items[0].prompt
        found = prompt_evaluations(store, query, bar.model, first, bar.group)
        told = [
            [one.evaluation, one.run, one.generation, one.seed, one.trial, one.value]
            for one in found
        ]
        answers[f"{name} {first}"] = sorted(told, key=str)
    return answers


def _board(shown: Board) -> dict[str, Any]:
    """Return rows and ways of judging."""
    ways = [[one.version, one.judge, one.revision, dict(one.lineup)] for one in shown.instruments]
    return {"rows": [asdict(row) for row in shown.rows], "ways": ways}


def _name(query: Query) -> str:
    said = {name: value for name, value in asdict(query.filters).items() if value not in (None, ())}
    return f"{query.metric} {query.score} by {query.by} {said}"

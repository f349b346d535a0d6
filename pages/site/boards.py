"""Draws a site's leaderboard: a table with bars by model, then by composition or domain.

There is one for every metric; it draws no plot.
"""

import math
from collections.abc import Collection, Sequence

from hallascope import metrics
from hallascope.components.html.markup import text
from hallascope.components.leaderboard.model_colors import model_style
from hallascope.engine.leaderboard.board import Board, board
from hallascope.engine.leaderboard.filters import Filters, Grouping, Query
from hallascope.engine.leaderboard.row import LeaderboardRow
from hallascope.engine.services import Services
from hallascope.engine.storage.store import Store


def boards(services: Services, runs: Sequence[str], asked: Collection[str]) -> str:
    """Return the leaderboards of metrics that scored anything in these runs, as HTML.

    No runs named: all of them; "" where no metric did.
    """
    store = services.store
    filters = Filters(runs=tuple(runs))
    known = [model.spec.id for model in services.generators()]
    found = [
        (name, board(store, Query(name, "score", "model", filters)))
        for name in metrics.METRICS
        if name in asked
    ]
    panels = "".join(
        _panel(store, name, one, filters, known)
        for name, one in found
        if any(row.value is not None for row in one.rows)
    )
    return (
        f'<section class="section"><h2>Leaderboard</h2><div class="boards">{panels}</div></section>'
        if panels
        else ""
    )


def _panel(store: Store, name: str, shown: Board, filters: Filters, known: Sequence[str]) -> str:
    groups: tuple[Grouping, ...] = (
        ("coi",) if metrics.get(name).presents == "questions" else ("domain",)
    )
    more = "".join(
        _group_table(board(store, Query(name, "score", by, filters)), by) for by in groups
    )
    return f'<div class="panel board">{_models(name, shown, known)}{more}</div>'


def _models(name: str, shown: Board, known: Sequence[str]) -> str:
    rows = "".join(
        _row(row, shown, model_style(row.model, known).color)
        for row in sorted(
            shown.rows, key=lambda row: -1.0 if row.value is None else row.value, reverse=True
        )
    )
    heads = "".join(
        f'<th scope="col"{" class=share" if i == 1 else ""}>{one}</th>'
        for i, one in enumerate(("model", "", "score", shown.unit, "left out"))
    )
    head = f"<caption>{_caption(name, shown)}</caption><thead><tr>{heads}</tr></thead>"
    return f'<table class="models">{head}<tbody>{rows}</tbody></table>'


def _caption(name: str, shown: Board) -> str:
    by = shown.instrument.judge if shown.instrument else None
    judged = f", judged by {by}" if by else ""
    intervals = (
        f"; with {shown.intervals}" if any(row.low is not None for row in shown.rows) else ""
    )
    return text(f"{metrics.get(name).title}{judged}{intervals}")


def _row(row: LeaderboardRow, shown: Board, colour: str) -> str:
    value = "–" if row.value is None else f"{row.value:.2f}"
    range_ = (
        ""
        if row.low is None or row.high is None
        else f'<span class="about"> {row.low:.2f} to {row.high:.2f}</span>'
    )
    return (
        f'<tr><th scope="row">{text(row.model)}</th><td'
        f' class="share">{_bar(row, shown, colour)}</td><td>{value}{range_}</td>'
        f"<td>{row.n}</td><td>{_left_out(row)}</td></tr>"
    )


def _left_out(row: LeaderboardRow) -> str:
    share = row.left_out_share
    return "–" if share is None else f"{share:.0%}"


def _bar(row: LeaderboardRow, shown: Board, colour: str) -> str:
    """The value on its scale, and its interval; the numbers stand beside it."""
    if row.value is None:
        return ""
    whisker = ""
    if row.low is not None and row.high is not None:
        left = _scale_position(row.low, shown)
        right = _scale_position(row.high, shown)
        whisker = (
            '<span class="whisker"'
            f' style="left:{left:.1f}%;width:{max(right - left, 0.5):.1f}%"></span>'
        )
    filled = (
        '<span class="value"'
        f' style="width:{_scale_position(row.value, shown):.1f}%;background:{colour}"></span>'
    )
    return f'<span class="scale" aria-hidden="true">{filled}{whisker}</span>'


def _scale_position(value: float, shown: Board) -> float:
    low, high = shown.bounds
    ends = [end for row in shown.rows for end in (row.low, row.high, row.value) if end is not None]
    low = low if math.isfinite(low) else min(ends, default=0.0)
    high = high if math.isfinite(high) else max(ends, default=low)
    high = high if high > low else low + 1.0
    return 100 * min(max((value - low) / (high - low), 0.0), 1.0)


def _group_table(shown: Board, by: Grouping) -> str:
    """A table of models by groups; "" where there is but one group."""
    groups = list(dict.fromkeys(row.group for row in shown.rows))
    if len(groups) < 2:
        return ""
    models = list(dict.fromkeys(row.model for row in shown.rows))
    cells = {(row.model, row.group): row for row in shown.rows}
    heads = "".join(f'<th scope="col">{text(group)}</th>' for group in groups)
    rows = "".join(
        f'<tr><th scope="row">{text(model)}</th>'
        f"{''.join(_cell(cells.get((model, group))) for group in groups)}</tr>"
        for model in models
    )
    titled = {"coi": "By composition of interest", "domain": "By domain"}.get(by, f"By {by}")
    table = (
        '<table class="heat"><thead><tr><th'
        f' scope="col">model</th>{heads}</tr></thead><tbody>{rows}</tbody></table>'
    )
    return f"<details><summary>{titled}</summary>{table}</details>"


def _cell(row: LeaderboardRow | None) -> str:
    if row is None or row.value is None:
        return "<td>–</td>"
    return f'<td>{row.value:.2f}<span class="about"> of {row.n}</span></td>'

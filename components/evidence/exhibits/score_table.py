"""Shows the scores of several images as a table, each with what it counted.

One image is chosen in it.
"""

from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple

from markupsafe import Markup

from hallascope.components.evidence.exhibits.findings import (
    TITLES,
    score_by_rule,
    score_title,
    strict_names,
)
from hallascope.components.html.markup import (
    corner,
    html_table,
    image,
    scroll_region,
    table_row,
    tag,
)
from hallascope.components.tiles.scores import number_text
from hallascope.components.tiles.tile import EXTRA, Tile
from hallascope.data.records import Report

_LAST = ("chair_i", "chair_s")  # after the stages, under these names


class ScoreTableRow(NamedTuple):
    """Holds an image as one line-up sees it; `lineup_name` is "" where there is only one."""

    tile: Tile
    lineup_name: str = ""


class ScoreColumn(NamedTuple):
    """Holds the head of a column, and what its cells show of a report (None: there is none yet)."""

    title: str
    cell_html: Callable[[Report | None], str]


ColumnBuilder = Callable[[Sequence[Report]], Sequence[ScoreColumn]]  # of all reports that are shown


def score_table(
    rows: Sequence[ScoreTableRow],
    build: ColumnBuilder | None = None,
    page_run: str | None = None,
    *,
    unnamed: bool = False,
) -> Markup:
    """Return a line an image and line-up.

    `build` makes the columns, by default a score each, the last what nobody asked for. `page_run`:
    the run whose images these are, where another evaluated them. `unnamed`: the address names
    neither run nor image.
    """
    if not rows:
        return tag("div", class_="compare none")
    columns = (build or stages)([row.tile.report for row in rows if row.tile.report])
    head = (corner("image"), *(column.title for column in columns))
    lines = (_line(row, columns) for row in rows)
    table = html_table(head, lines)
    return tag(
        "div",
        scroll_region(table, "Scores side by side"),
        class_="compare standings",
        data_run=rows[0].tile.run,
        data_page_run=page_run,
        data_unnamed=unnamed,
    )


def stages(reports: Sequence[Report]) -> tuple[ScoreColumn, ...]:
    """Return a column for each score, strict and soft, then one for what nobody asked for."""
    metric = reports[0].metric if reports else ""
    scores = tuple(
        ScoreColumn(score_title(metric, name), partial(_score, name))
        for name in score_names(reports)
    )
    return (*scores, ScoreColumn(TITLES[EXTRA], _extras))


def score_names(reports: Sequence[Report]) -> tuple[str, ...]:
    """Return the strict scores that any of the reports has, the whole first, CHAIR last."""
    names = dict.fromkeys(name for report in reports for name in strict_names(report.scores))
    middle = [name for name in names if name not in ("score", *_LAST)]
    first = ["score"] if "score" in names else []
    return (*first, *middle, *(name for name in _LAST if name in names))


def _line(row: ScoreTableRow, columns: Sequence[ScoreColumn]) -> Markup:
    tile = row.tile
    about = " · ".join(filter(None, (row.lineup_name, tile.seed_text)))
    button = tag(
        "button",
        image(tile.path, "", 64) if tile.path else tag("span", class_="blank"),
        tag("span", tag("span", tile.name, class_="called"), tag("span", about, class_="about")),
        class_="head-cell",
        data_key=tile.key,
        aria_pressed="false",
    )
    cells = (tag("td", column.cell_html(tile.report)) for column in columns)
    return table_row(button, *cells)


def _score(name: str, report: Report | None) -> str:
    """Return the value of a score, with what it rests on: "soft 1.00 · of 3, 1 left out"."""
    if report is None or name not in report.scores:
        return "–"
    score = report.scores[name]
    return cell(number_text(score.value), _basis_text(report, name))


def cell(value: str, about: str) -> Markup:
    """Return a number, and beneath it what it rests on."""
    return tag("span", value, class_="value") + tag("span", about, class_="about")


def _basis_text(report: Report, name: str) -> str:
    """Say what the number rests on: "soft 1.00 · of 3, 1 left out".

    The number as published stands there where it is another.
    """
    score = report.scores[name]
    soft = score_by_rule(report, name, "soft")
    published = score_by_rule(report, name, "published")
    counted = f"{score.counted} checked" if score.counted else ""
    left_out = f"{score.left_out} left out" if score.left_out else ""
    parts = [
        f"soft {number_text(soft.value)}" if soft and soft.value is not None else "",
        f"by the paper’s rule {number_text(published.value)} ({published.counted} checked)"
        if published and published.value not in (None, score.value)
        else "",
        ", ".join(filter(None, (counted, left_out))),
    ]
    return " · ".join(filter(None, parts))


def _extras(report: Report | None) -> str:
    rows = report.evidence.findings if report and report.evidence else ()
    return ", ".join(row.observed for row in rows if row.kind == EXTRA) or "–"

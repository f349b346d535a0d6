"""The scores of several pictures as a table of small numbers, each with what it counted.

One picture is chosen in it.
"""

from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple

from hallascope.components.cards.cards import EXTRA, Tile
from hallascope.components.evidence.findings import TITLES, score_title
from hallascope.components.html.markup import image, text
from hallascope.data.records import Report, Score

_LAST = ("chair_i", "chair_s")  # after the stages, under these names


class ScoreTableRow(NamedTuple):
    """A picture as one line-up sees it; `who` names the line-up where there are two."""

    tile: Tile
    lineup_name: str = ""


class ScoreColumn(NamedTuple):
    """What stands at its head, and what is told of a report (None: there is none yet) as HTML."""

    title: str
    cell_html: Callable[[Report | None], str]


ColumnBuilder = Callable[[Sequence[Report]], Sequence[ScoreColumn]]  # of all reports that are shown


def score_table(found: Sequence[ScoreTableRow], told: ColumnBuilder | None = None) -> str:
    """A line a picture and line-up.

    `told`: the columns beside it, by default a score each, the last what nobody asked for.
    """
    if not found:
        return '<div class="compare none"></div>'
    wanted = (told or stages)(
        [standing.tile.reports[0] for standing in found if standing.tile.reports]
    )
    heads = "".join(f'<th scope="col">{text(column.title)}</th>' for column in wanted)
    lines = "".join(_line(standing, wanted) for standing in found)
    return (
        f'<div class="compare standings" data-run="{text(found[0].tile.run)}">'
        '<div class="scroll" tabindex="0" role="region" aria-label="Scores side by side"><table>'
        f'<thead><tr><th scope="col" class="corner">picture</th>{heads}</tr></thead>'
        f"<tbody>{lines}</tbody></table></div></div>"
    )


def stages(reports: Sequence[Report]) -> tuple[ScoreColumn, ...]:
    """A column for each score, strict and soft, then what nobody asked for."""
    metric = reports[0].metric if reports else ""
    scores = tuple(
        ScoreColumn(score_title(metric, name), partial(_score, name)) for name in columns(reports)
    )
    return (*scores, ScoreColumn(TITLES[EXTRA], _extras))


def columns(reports: Sequence[Report]) -> tuple[str, ...]:
    """The strict scores that any of the reports has, the whole first, CHAIR last."""
    names = dict.fromkeys(
        name
        for report in reports
        for name in report.scores
        if not name.endswith("_soft") and name != "soft"
    )
    stages = [name for name in names if name not in ("score", *_LAST)]
    return (
        *(["score"] if "score" in names else []),
        *stages,
        *(name for name in _LAST if name in names),
    )


def _line(standing: ScoreTableRow, wanted: Sequence[ScoreColumn]) -> str:
    report = standing.tile.reports[0] if standing.tile.reports else None
    cells = "".join(f"<td>{column.cell_html(report)}</td>" for column in wanted)
    return f'<tr><th scope="row">{_head(standing)}</th>{cells}</tr>'


def _head(standing: ScoreTableRow) -> str:
    tile = standing.tile
    small = image(tile.path, "", 64) if tile.path else '<span class="blank"></span>'
    about = " · ".join(
        filter(None, (standing.lineup_name, "" if tile.seed is None else f"seed {tile.seed}"))
    )
    return (
        f'<button type="button" class="head-cell" data-key="{text(tile.key)}"'
        f' aria-pressed="false">{small}<span><span class="called">{text(tile.name)}</span><span'
        f' class="about">{text(about)}</span></span></button>'
    )


def _score(name: str, report: Report | None) -> str:
    if report is None or name not in report.scores:
        return "–"
    soft = report.scores.get("soft" if name == "score" else f"{name}_soft")
    return cell(_value(report.scores[name]), _basis_text(report.scores[name], soft))


def cell(value: str, about: str) -> str:
    """A number, and beneath it what it rests on."""
    return f'<span class="value">{text(value)}</span><span class="about">{text(about)}</span>'


def _value(score: Score) -> str:
    return "–" if score.value is None else f"{score.value:.2f}"


def _basis_text(score: Score, soft: Score | None) -> str:
    """What the number rests on: "soft 1.00 · of 3, left out 1"."""
    lenient = f"soft {soft.value:.2f}" if soft and soft.value is not None else ""
    counted = f"of {score.counted}" if score.counted else ""
    left_out = f"left out {score.left_out}" if score.left_out else ""
    return " · ".join(filter(None, (lenient, ", ".join(filter(None, (counted, left_out))))))


def _extras(report: Report | None) -> str:
    rows = report.evidence.findings if report and report.evidence else ()
    return text(", ".join(row.observed for row in rows if row.kind == EXTRA)) or "–"

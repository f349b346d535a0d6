"""Lays a reproduced table out as lines of plain cells, which every format writes in its own way."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from hallascope.data.reproduce.paper_tables import PaperLine
from hallascope.engine.reproduce.results import ReproducedCell, ReproducedTable

LineKind = Literal["ours", "published", "difference"]
EMPTY = "-"
PLUS_MINUS = "±"


@dataclass(frozen=True)
class LayoutLine:
    """Holds one line: the row of the paper, what it shows of it, and a text for each column."""

    group: str
    row: str
    kind: LineKind
    cells: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class TableLayout:
    """Holds a table as text: a caption, heads of columns with their groups, lines and notes.

    Of each row there are our numbers, the published ones and the differences; in the Primer world
    ours alone. `groups` has the group of each column, "" where it has none.
    """

    caption: str
    groups: tuple[str, ...]
    columns: tuple[str, ...]
    lines: tuple[LayoutLine, ...]
    notes: tuple[str, ...]


def layout(table: ReproducedTable) -> TableLayout:
    """Return the table in the paper's layout, rows and columns as the paper has them."""
    kinds: tuple[LineKind, ...] = ("ours", "published", "difference")
    if table.world == "primer":
        kinds = ("ours",)
    lines = tuple(
        LayoutLine(
            row.group,
            row.name,
            kind,
            tuple(_cell(table, table.cells[i, j], kind) for j in range(len(table.columns))),
        )
        for i, row in enumerate(table.rows)
        for kind in kinds
    )
    spec = table.table
    stand_ins = [f"{name}: {model} stands in its place." for name, model in table.stand_ins.items()]
    return TableLayout(
        caption=f"{table.paper}, {spec.heading}: {spec.title} ({_unit(table)})",
        groups=tuple(column.group for column in table.columns),
        columns=tuple(column.name for column in table.columns),
        lines=lines,
        notes=(*table.notes, *stand_ins),
    )


def _unit(table: ReproducedTable) -> str:
    words = {"share": "from 0 to 1", "percent": "percent", "count": "counts"}[table.table.unit]
    has_deviation = any(cell.ours.deviation is not None for cell in table.cells.values())
    return f"{words}; mean {PLUS_MINUS} standard deviation over trials" if has_deviation else words


def _cell(table: ReproducedTable, cell: ReproducedCell, kind: LineKind) -> str:
    digits = table.table.digits
    if kind == "difference":
        return EMPTY if cell.difference is None else f"{cell.difference:+.{digits}f}"
    shown = cell.ours if kind == "ours" else cell.published
    if shown.value is None:
        return EMPTY
    number = f"{shown.value:.{digits}f}"
    if shown.deviation is None:
        return number
    return f"{number} {PLUS_MINUS} {shown.deviation:.{digits}f}"


def column_label(column: PaperLine) -> str:
    """Return the name of a column with its group before it."""
    return f"{column.group}: {column.name}" if column.group else column.name


def spans(groups: Sequence[str]) -> list[tuple[str, int]]:
    """Return neighboring columns of the same group as the group and how many there are."""
    found: list[tuple[str, int]] = []
    for group in groups:
        if found and found[-1][0] == group:
            found[-1] = (group, found[-1][1] + 1)
        else:
            found.append((group, 1))
    return found

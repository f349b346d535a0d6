"""Lays a reproduced table out as a frame of texts, which every format writes in its own way."""

from collections.abc import Sequence
from dataclasses import dataclass

import pandas as pd

from hallascope.data.reproduce.paper_tables import PaperLine, PublishedCell
from hallascope.engine.reproduce.results import ReproducedCell, ReproducedTable

EMPTY = "-"
PLUS_MINUS = "±"
COUNTED = " (n = "  # stands between a number and how many are counted in it


@dataclass(frozen=True, kw_only=True)
class TableLayout:
    """Holds a table as text: a caption, the numbers in rows and columns as the paper has them.

    Of each row there are our numbers, the published ones and the differences; in the Primer world
    ours alone. A level of the index or the columns holds the groups, where there are any.
    """

    caption: str
    frame: pd.DataFrame
    notes: tuple[str, ...]


def layout(table: ReproducedTable) -> TableLayout:
    """Return the table in the paper's layout."""
    spec = table.table
    kinds = ("ours",) if table.world == "primer" else ("ours", "published", "difference")
    columns = range(len(spec.columns))
    cells = [[table.cells[i, j] for j in columns] for i in range(len(spec.rows))]
    index = [
        (row.group, _label(row, own), kind)
        for row, own in zip(spec.rows, cells, strict=True)
        for kind in kinds
    ]
    heads = [
        (column.group, _label(column, [row[j] for row in cells]))
        for j, column in enumerate(spec.columns)
    ]
    frame = pd.DataFrame(
        [[_text(cell, kind, spec.digits) for cell in row] for row in cells for kind in kinds],
        index=pd.MultiIndex.from_tuples(index),
        columns=pd.MultiIndex.from_tuples(heads),
    )
    if len(kinds) == 1:
        frame = frame.droplevel(2)
    if not any(row.group for row in spec.rows):
        frame = frame.droplevel(0)
    if not any(column.group for column in spec.columns):
        frame = frame.droplevel(0, axis=1)
    return TableLayout(
        caption=f"{table.paper}, {spec.heading}: {spec.title} ({_unit(table)})",
        frame=frame,
        notes=table.notes,
    )


def _label(line: PaperLine, cells: Sequence[ReproducedCell]) -> str:
    """Return the name of a row or column, with who is in place of the models that it names."""
    named = (line.model, *line.roles.values(), line.metric)
    others = dict.fromkeys(
        cell.stand_ins[name] for cell in cells for name in named if name in cell.stand_ins
    )
    if not others:
        return line.name
    return f"{line.name} ({', '.join(others)} in {'its' if len(others) == 1 else 'their'} place)"


def _unit(table: ReproducedTable) -> str:
    words = {"share": "from 0 to 1", "percent": "percent", "count": "counts"}[table.table.unit]
    has_deviation = any(cell.ours.deviation is not None for cell in table.cells.values())
    return f"{words}; mean {PLUS_MINUS} standard deviation over trials" if has_deviation else words


def _text(cell: ReproducedCell, kind: str, digits: int) -> str:
    if kind == "difference":
        return EMPTY if cell.difference is None else f"{cell.difference:+.{digits}f}"
    shown = cell.ours if kind == "ours" else cell.published
    if shown.value is None:
        return EMPTY
    number = f"{shown.value:.{digits}f}"
    if shown.deviation is not None:
        number += f" {PLUS_MINUS} {shown.deviation:.{digits}f}"
    if isinstance(shown, PublishedCell):
        return number
    left_out = f", {shown.left_out:,} left out" if shown.left_out else ""
    return f"{number}{COUNTED}{shown.n:,}{left_out})"

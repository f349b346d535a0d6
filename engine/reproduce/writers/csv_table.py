"""Writes a reproduced table as CSV: one line a cell, with everything that is known of it."""

import csv
import io

from hallascope.engine.reproduce.results import ReproducedTable

COLUMNS = (
    "paper",
    "table",
    "world",
    "row_group",
    "row",
    "column_group",
    "column",
    "unit",
    "ours",
    "ours_deviation",
    "n",
    "trials",
    "left_out",
    "published",
    "published_deviation",
    "difference",
    "reason",
)


def write_csv(table: ReproducedTable) -> str:
    """Return the cells row by row; numbers have all their digits, what is missing is empty."""
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(COLUMNS)
    for (i, j), cell in sorted(table.cells.items()):
        row = table.rows[i]
        column = table.columns[j]
        writer.writerow(
            [
                table.paper,
                table.table.heading,
                table.world,
                row.group,
                row.name,
                column.group,
                column.name,
                table.table.unit,
                _number(cell.ours.value),
                _number(cell.ours.deviation),
                cell.ours.n or "",
                cell.ours.trials or "",
                cell.ours.left_out or "",
                _number(cell.published.value),
                _number(cell.published.deviation),
                _number(cell.difference),
                cell.ours.reason,
            ]
        )
    return stream.getvalue()


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:.10g}"

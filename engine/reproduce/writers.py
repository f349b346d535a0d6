"""Writes reproduced tables as plain text, CSV, LaTeX and an HTML page.

A table is laid out once, as a frame of texts, which every format writes in its own way.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Literal

import pandas as pd
from markupsafe import Markup

from hallascope.data.reproduce.paper_tables import PaperLine
from hallascope.engine.documents.html_page import html_page, html_table
from hallascope.engine.export.writers.latex import escape_latex
from hallascope.engine.reproduce.tables import OurCell, ReproducedTable

EMPTY = "-"
PLUS_MINUS = "±"
COUNTED = " (n = "  # stands between a number and how many are counted in it
LATEX_HEAD = "% Made by HallaScope. In the preamble: \\usepackage{booktabs}\n"
_STYLE = Markup("""\
tbody th { text-align: left; font-weight: 500; vertical-align: top; border-top: 1px solid #8888; }
thead tr:last-child th { border-bottom: 1px solid #767676; }
""")
_NOTE = Markup("<p>{}</p>\n")


def table_frame(table: ReproducedTable) -> pd.DataFrame:
    """Return the table in the paper's layout, as texts.

    Of each row there are our numbers, the published ones and the differences; in the Primer world
    ours alone. A level of the index or the columns holds the groups, where there are any.
    """
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
    return frame


def _caption(table: ReproducedTable) -> str:
    """Return what the table is, with the unit of its numbers."""
    spec = table.table
    unit = {"share": "from 0 to 1", "percent": "percent", "count": "counts"}[spec.unit]
    if any(cell.deviation is not None for cell in table.cells.values()):
        unit += f"; mean {PLUS_MINUS} standard deviation over trials"
    return f"{table.paper}, {spec.heading}: {spec.title} ({unit})"


def _label(line: PaperLine, cells: Sequence[OurCell]) -> str:
    """Return the name of a row or column, with who is in place of the models that it names."""
    named = (line.model, *line.roles.values(), line.metric)
    others = dict.fromkeys(
        cell.stand_ins[name] for cell in cells for name in named if name in cell.stand_ins
    )
    if not others:
        return line.name
    return f"{line.name} ({', '.join(others)} in {'its' if len(others) == 1 else 'their'} place)"


def _text(cell: OurCell, kind: str, digits: int) -> str:
    if kind == "difference":
        return EMPTY if cell.difference is None else f"{cell.difference:+.{digits}f}"
    shown = cell if kind == "ours" else cell.published
    if shown.value is None:
        return EMPTY
    number = f"{shown.value:.{digits}f}"
    if shown.deviation is not None:
        number += f" {PLUS_MINUS} {shown.deviation:.{digits}f}"
    if kind != "ours":
        return number
    left_out = f", {cell.left_out:,} left out" if cell.left_out else ""
    return f"{number}{COUNTED}{cell.n:,}{left_out})"


def write_text(table: ReproducedTable) -> str:
    """Return the caption, the table with aligned columns, and the notes."""
    frame = table_frame(table).apply(lambda texts: texts.str.ljust(texts.str.len().max()))
    lines = [_caption(table), "", *frame.to_string(justify="left").splitlines()]
    if table.notes:
        lines += ["", *table.notes]
    return "\n".join(line.rstrip() for line in lines) + "\n"


def write_csv(table: ReproducedTable) -> str:
    """Return a line for each cell; numbers have all their digits, what is missing is empty."""
    lines = []
    for (i, j), cell in sorted(table.cells.items()):
        row = table.table.rows[i]
        column = table.table.columns[j]
        lines.append(
            {
                "paper": table.paper,
                "table": table.table.heading,
                "world": table.world,
                "row_group": row.group,
                "row": row.name,
                "column_group": column.group,
                "column": column.name,
                "stand_in": cell.stand_in,
                "wording": cell.wording,
                "protocol": cell.protocol,
                "unit": table.table.unit,
                "ours": cell.value,
                "ours_deviation": cell.deviation,
                "n": cell.n or None,
                "trials": cell.trials or None,
                "left_out": cell.left_out or None,
                "published": cell.published.value,
                "published_deviation": cell.published.deviation,
                "difference": cell.difference,
                "reason": cell.reason,
            }
        )
    return pd.DataFrame(lines).to_csv(index=False, lineterminator="\n", float_format="%.10g")


def write_latex(table: ReproducedTable) -> str:
    """Return one ``table`` with caption and notes; every text of the table is escaped."""
    frame = table_frame(table).rename(index=escape_latex, columns=escape_latex).map(_latex_cell)
    text = frame.to_latex(
        escape=False,
        multirow=False,
        multicolumn_format="c",
        caption=escape_latex(_caption(table)),
        column_format="l" * frame.index.nlevels + "r" * frame.columns.size,
    )
    body, end, _ = text.rpartition("\\end{table}")
    notes = [rf"\par\footnotesize {escape_latex(note)}" + "\n" for note in table.notes]
    return "".join([LATEX_HEAD, body, *notes, end, "\n"])


def _latex_cell(text: str) -> str:
    if text == EMPTY:
        return "--"
    number, counted, count = text.replace(PLUS_MINUS, r"\pm").partition(COUNTED)
    return f"${number}${counted}{count}"


def write_html(table: ReproducedTable) -> str:
    """Return one page that needs no other file; every text of the table is escaped."""
    notes = Markup().join(map(_NOTE.format, table.notes))
    markup = Markup('<div class="wide">\n{}\n</div>\n').format(html_table(table_frame(table)))
    return html_page(_caption(table), markup + notes, _STYLE)


TableFormat = Literal["text", "csv", "latex", "html"]
WRITERS: Mapping[TableFormat, Callable[[ReproducedTable], str]] = {
    "text": write_text,
    "csv": write_csv,
    "latex": write_latex,
    "html": write_html,
}

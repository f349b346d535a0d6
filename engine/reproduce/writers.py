"""Writes reproduced tables as plain text, CSV, LaTeX and an HTML page."""

from collections.abc import Callable, Mapping

import pandas as pd
from markupsafe import Markup

from hallascope.engine.documents.html_page import html_page
from hallascope.engine.errors import BadRequest
from hallascope.engine.export.writers.latex import escape_latex
from hallascope.engine.reproduce.layout import COUNTED, EMPTY, PLUS_MINUS, layout
from hallascope.engine.reproduce.results import ReproducedTable

LATEX_HEAD = "% Made by HallaScope. In the preamble: \\usepackage{booktabs}\n"
_STYLE = Markup("""\
tbody th { text-align: left; font-weight: 500; vertical-align: top; border-top: 1px solid #8888; }
thead tr:last-child th { border-bottom: 1px solid #767676; }
""")
_NOTE = Markup("<p>{}</p>\n")


def write_text(table: ReproducedTable) -> str:
    """Return the caption, the table with aligned columns, and the notes."""
    shown = layout(table)
    frame = shown.frame.apply(lambda texts: texts.str.ljust(texts.str.len().max()))
    lines = [shown.caption, "", *frame.to_string(justify="left").splitlines()]
    if shown.notes:
        lines += ["", *shown.notes]
    return "\n".join(line.rstrip() for line in lines) + "\n"


def write_csv(table: ReproducedTable) -> str:
    """Return a line for each cell; numbers have all their digits, what is missing is empty."""
    lines = []
    for (i, j), cell in sorted(table.cells.items()):
        row = table.table.rows[i]
        column = table.table.columns[j]
        ours = cell.ours
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
                "protocol": cell.ours.protocol,
                "unit": table.table.unit,
                "ours": ours.value,
                "ours_deviation": ours.deviation,
                "n": ours.n or None,
                "trials": ours.trials or None,
                "left_out": ours.left_out or None,
                "published": cell.published.value,
                "published_deviation": cell.published.deviation,
                "difference": cell.difference,
                "reason": ours.reason,
            }
        )
    return pd.DataFrame(lines).to_csv(index=False, lineterminator="\n", float_format="%.10g")


def write_latex(table: ReproducedTable) -> str:
    """Return one ``table`` with caption and notes; every text of the table is escaped."""
    shown = layout(table)
    frame = shown.frame.rename(index=escape_latex, columns=escape_latex).map(_latex_cell)
    text = frame.to_latex(
        escape=False,
        multirow=False,
        multicolumn_format="c",
        caption=escape_latex(shown.caption),
        column_format="l" * frame.index.nlevels + "r" * frame.columns.size,
    )
    body, end, _ = text.rpartition("\\end{table}")
    notes = [rf"\par\footnotesize {escape_latex(note)}" + "\n" for note in shown.notes]
    return "".join([LATEX_HEAD, body, *notes, end, "\n"])


def _latex_cell(text: str) -> str:
    if text == EMPTY:
        return "--"
    number, counted, count = text.replace(PLUS_MINUS, r"\pm").partition(COUNTED)
    return f"${number}${counted}{count}"


def write_html(table: ReproducedTable) -> str:
    """Return one page that needs no other file; every text of the table is escaped."""
    shown = layout(table)
    head, body = shown.frame.to_html(border=0).split("<tbody>")
    scoped = head.replace("<th", '<th scope="col"').replace('<th scope="col"ead', "<thead")
    rows = body.replace("<th", '<th scope="row"')
    notes = Markup().join(map(_NOTE.format, shown.notes))
    markup = Markup(f'<div class="wide">\n{scoped}<tbody>{rows}\n</div>\n')  # pandas escapes
    return html_page(shown.caption, markup + notes, _STYLE)


WRITERS: Mapping[str, Callable[[ReproducedTable], str]] = {
    "text": write_text,
    "csv": write_csv,
    "latex": write_latex,
    "html": write_html,
}


def require_format(name: str) -> None:
    """Raise BadRequest where there is no format of that name."""
    if name not in WRITERS:
        raise BadRequest(f"There is no format {name!r}: choose {', '.join(WRITERS)}.")

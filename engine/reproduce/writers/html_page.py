"""Writes a reproduced table as one HTML page that needs no other file."""

from markupsafe import Markup

from hallascope.engine.reproduce.layout import LayoutLine, layout, spans
from hallascope.engine.reproduce.results import ReproducedTable

_PAGE = Markup("""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>
body {{ font: 16px/1.5 system-ui, sans-serif; margin: 2rem; color: #1b1b1b; background: #fff; }}
div {{ overflow-x: auto; }}
table {{ border-collapse: collapse; font-variant-numeric: tabular-nums; }}
caption {{ text-align: left; font-weight: 600; padding-bottom: .5rem; }}
th, td {{ padding: .25rem .75rem; text-align: right; white-space: nowrap; }}
tbody th {{ text-align: left; font-weight: 500; }}
thead tr:last-child th {{ border-bottom: 1px solid #767676; }}
tr.ours th, tr.ours td {{ border-top: 1px solid #ddd; }}
tr.difference td, tr.difference th {{ color: #555; }}
</style>
</head>
<body>
<div>
<table>
<caption>{title}</caption>
<thead>
{head}</thead>
<tbody>
{body}</tbody>
</table>
</div>
{notes}</body>
</html>
""")
_ROW = Markup('<tr class="{}">{}</tr>\n')
_HEAD_ROW = Markup("<tr>{}</tr>\n")
_GROUP = Markup('<th colspan="{}" scope="colgroup">{}</th>')
_COLUMN = Markup('<th scope="col">{}</th>')
_BLANK = Markup('<td colspan="{}"></td>')
_ROW_GROUP = Markup('<tr><th colspan="{}" scope="rowgroup">{}</th></tr>\n')
_ROW_NAME = Markup('<th rowspan="{}" scope="row">{}</th>')
_KIND = Markup('<th scope="row">{}</th>')
_CELL = Markup("<td>{}</td>")
_NOTE = Markup("<p>{}</p>\n")
_NOTHING = Markup()


def write_html(table: ReproducedTable) -> str:
    """Return the page; every text of the table is escaped."""
    shown = layout(table)
    kinds = 3 if table.world == "paper" else 1
    labels = 2 if kinds > 1 else 1
    blank = _BLANK.format(labels)
    head = _NOTHING
    if any(shown.groups):
        groups = [_GROUP.format(count, group) for group, count in spans(shown.groups)]
        head += _HEAD_ROW.format(_NOTHING.join([blank, *groups]))
    columns = [_COLUMN.format(column) for column in shown.columns]
    head += _HEAD_ROW.format(_NOTHING.join([blank, *columns]))
    body = _NOTHING
    group = ""
    for line in shown.lines:
        if line.group != group:
            group = line.group
            body += _ROW_GROUP.format(labels + len(shown.columns), group)
        body += _line(line, kinds)
    notes = _NOTHING.join(_NOTE.format(note) for note in shown.notes)
    return str(_PAGE.format(title=shown.caption, head=head, body=body, notes=notes))


def _line(line: LayoutLine, kinds: int) -> Markup:
    cells: list[Markup] = []
    if line.kind == "ours":
        cells.append(_ROW_NAME.format(kinds, line.row))
    if kinds > 1:
        cells.append(_KIND.format(line.kind))
    cells += [_CELL.format(cell) for cell in line.cells]
    return _ROW.format(line.kind, _NOTHING.join(cells))

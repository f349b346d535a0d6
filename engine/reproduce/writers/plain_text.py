"""Writes a reproduced table as plain text with aligned columns."""

from hallascope.engine.reproduce.layout import layout, spans
from hallascope.engine.reproduce.results import ReproducedTable

_GAP = "  "


def write_text(table: ReproducedTable) -> str:
    """Return the caption, the table with a line for the groups of columns, and the notes."""
    shown = layout(table)
    with_kind = table.world == "paper"
    heads = ["", "", *shown.columns] if with_kind else ["", *shown.columns]
    body: list[list[str]] = []
    group = ""
    for line in shown.lines:
        if line.group != group:
            group = line.group
            body.append([group])
        name = line.row if line.kind == "ours" else ""
        label = [name, line.kind] if with_kind else [name]
        body.append([*label, *line.cells])
    wide = [heads, *(cells for cells in body if len(cells) > 1)]
    widths = [max(len(cells[number]) for cells in wide) for number in range(len(heads))]
    first = len(heads) - len(shown.columns)
    lines = [shown.caption, ""]
    if any(shown.groups):
        lines.append(_groups(shown.groups, widths, first))
    lines += [_line(cells, widths) for cells in (heads, *body)]
    if shown.notes:
        lines += ["", *shown.notes]
    return "\n".join(lines) + "\n"


def _line(cells: list[str], widths: list[int]) -> str:
    padded = [cell.ljust(width) for cell, width in zip(cells, widths, strict=False)]
    return _GAP.join(padded).rstrip()


def _groups(groups: tuple[str, ...], widths: list[int], first: int) -> str:
    """Return the line of groups, each above the first of its columns, cut to their width."""
    parts = [" " * width for width in widths[:first]]
    column = first
    for group, count in spans(groups):
        width = sum(widths[column : column + count]) + len(_GAP) * (count - 1)
        parts.append(group[:width].ljust(width))
        column += count
    return _GAP.join(parts).rstrip()

"""Writes a reproduced table as LaTeX with the package ``booktabs``."""

from hallascope.engine.export.writers.latex import escape_latex
from hallascope.engine.reproduce.layout import EMPTY, PLUS_MINUS, layout, spans
from hallascope.engine.reproduce.results import ReproducedTable

HEAD = "% Made by HallaScope. In the preamble: \\usepackage{booktabs}\n"
_END = r" \\"


def write_latex(table: ReproducedTable) -> str:
    """Return one ``table`` with caption and notes; every text of the table is escaped."""
    shown = layout(table)
    with_kind = table.world == "paper"
    labels = 2 if with_kind else 1
    lines = [
        r"\begin{table}",
        r"\centering",
        rf"\caption{{{escape_latex(shown.caption)}}}",
        rf"\begin{{tabular}}{{{'l' * labels}{'r' * len(shown.columns)}}}",
        r"\toprule",
    ]
    if any(shown.groups):
        heads = [
            rf"\multicolumn{{{count}}}{{c}}{{{escape_latex(group)}}}"
            for group, count in spans(shown.groups)
        ]
        lines.append(" & ".join([""] * labels + heads) + _END)
    columns = [escape_latex(column) for column in shown.columns]
    lines += [" & ".join([""] * labels + columns) + _END, r"\midrule"]
    group = ""
    for line in shown.lines:
        if line.group != group:
            group = line.group
            width = labels + len(shown.columns)
            lines.append(rf"\multicolumn{{{width}}}{{l}}{{\emph{{{escape_latex(group)}}}}}{_END}")
        name = escape_latex(line.row) if line.kind == "ours" else ""
        label = [name, line.kind] if with_kind else [name]
        lines.append(" & ".join([*label, *map(_cell, line.cells)]) + _END)
    lines += [r"\bottomrule", r"\end{tabular}"]
    lines += [rf"\par\footnotesize {escape_latex(note)}" for note in shown.notes]
    lines.append(r"\end{table}")
    return HEAD + "\n".join(lines) + "\n"


def _cell(text: str) -> str:
    if text == EMPTY:
        return "--"
    number = text.replace(PLUS_MINUS, r"\pm")
    return f"${number}$"

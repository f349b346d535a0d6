"""Writes reproduced tables as plain text, CSV, LaTeX and an HTML page."""

from collections.abc import Callable, Mapping

from hallascope.engine.errors import BadRequest
from hallascope.engine.reproduce.results import ReproducedTable
from hallascope.engine.reproduce.writers.csv_table import write_csv
from hallascope.engine.reproduce.writers.html_page import write_html
from hallascope.engine.reproduce.writers.latex_table import write_latex
from hallascope.engine.reproduce.writers.plain_text import write_text

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


def write_table(table: ReproducedTable, name: str) -> str:
    """Return the table in a format, as a text that ends with a line break. Raises BadRequest."""
    require_format(name)
    return WRITERS[name](table)

"""Writes tables as CSV in which a spreadsheet finds no formula."""

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pandas as pd

# a cell that begins so is a formula to a spreadsheet, wide signs and what follows a break as well
FORMULA_SIGNS = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
_LONE_RETURN = re.compile("\r(?!\n)")


def escape_formula(text: str) -> str:
    """Return a text with an apostrophe before it where a spreadsheet would take it for a formula.

    A carriage return alone becomes a line feed: Python's csv puts no quotation marks around it, and
    it would end the row.
    """
    text = _LONE_RETURN.sub("\n", text)
    return f"'{text}" if text.startswith((*FORMULA_SIGNS, "'")) else text


def unescape_formula(cell: str) -> str:
    """Return the text of a cell that `escape_formula` wrote."""
    is_escaped = cell.startswith("'") and cell[1:].startswith((*FORMULA_SIGNS, "'"))
    return cell[1:] if is_escaped else cell


def csv_text(frame: "pd.DataFrame", *, header: bool = True) -> str:
    """Return a table as CSV without its index: "" for no value, no text as a formula."""
    cells = frame.map(_cell, na_action="ignore")
    return cells.to_csv(index=False, header=header, lineterminator="\n")


def _cell(value: object) -> object:
    match value:
        case bool():
            return str(value).lower()
        case str():
            return escape_formula(value)
    return value

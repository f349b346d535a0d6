"""Writes Markdown that GitHub shows; no sign of a text means anything in it."""

import re
from collections.abc import Iterable, Sequence

_SIGNS = re.compile(r"([\\`*_{}\[\]()#|<>~@&])")


def escape_markdown(text: str) -> str:
    """Return a text in which no sign means anything to Markdown or HTML, on one line."""
    return _SIGNS.sub(r"\\\1", " ".join(text.split()))


def markdown_table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    """Return the lines of a table whose first column is text and whose others are numbers."""
    return [
        f"| {' | '.join(heads)} |",
        f"| :-- |{' --: |' * (len(heads) - 1)}",
        *(f"| {' | '.join(map(escape_markdown, row))} |" for row in rows),
    ]

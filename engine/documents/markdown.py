"""Writes Markdown that GitHub shows; the characters that mark it up are escaped in texts."""

import re
from collections.abc import Iterable, Sequence

_MARKUP = re.compile(r"([\\`*_{}\[\]()#|<>~@&])")


def escape_markdown(text: str) -> str:
    """Return a text on one line, its characters that mark up Markdown or HTML escaped."""
    return _MARKUP.sub(r"\\\1", " ".join(text.split()))


def markdown_table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    """Return the lines of a table whose first column is text and whose others are numbers."""
    return [
        f"| {' | '.join(heads)} |",
        f"| :-- |{' --: |' * (len(heads) - 1)}",
        *(f"| {' | '.join(map(escape_markdown, row))} |" for row in rows),
    ]

"""Shows published tables that rank no image model, with what is doubtful beside the number."""

from collections.abc import Sequence

from markupsafe import Markup

from hallascope.components.html.markup import (
    html_table,
    panel,
    scroll_region,
    soft_line,
    table_row,
    tag,
)
from hallascope.data.published.numbers import PublishedNumber, PublishedTable


def published_tables_html(tables: Sequence[PublishedTable]) -> Markup:
    """Return the tables one below the other; "" where there are none."""
    if not tables:
        return Markup()
    return panel("Other published tables", *(_table(table) for table in tables), class_="ranking")


def _table(table: PublishedTable) -> Markup:
    rows = table.rows
    numbers = (row[column] for row in rows.values() for column in table.columns)
    notes = list(dict.fromkeys(number.note for number in numbers if number.note))
    lines = (
        table_row(
            name, group, *(_cell(row[column], table.digits, notes) for column in table.columns)
        )
        for (name, group), row in rows.items()
    )
    heads = (table.rows_are, "of", *table.columns.values())
    listed = (tag("li", tag("sup", place), f" {note}.") for place, note in enumerate(notes, 1))
    return tag(
        "section",
        tag("h3", table.title),
        soft_line(f"{table.source}; {table.unit}."),
        scroll_region(html_table(heads, lines), table.source),
        tag("ul", *listed, class_="soft table-notes") if notes else "",
        class_="published-table",
    )


def _cell(number: PublishedNumber, digits: int, notes: Sequence[str]) -> Markup:
    """Return a number, with the place of its note among the notes of the table."""
    mark = tag("sup", notes.index(number.note) + 1) if number.note else ""
    text = "–" if number.value is None else f"{number.value:.{digits}f}"
    return tag("td", text, mark)

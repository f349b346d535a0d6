"""Shows published tables that rank no image model, with what is doubtful beside the number."""

from collections.abc import Sequence

from markupsafe import Markup

from hallascope.components.html.markup import column_heads, scroll_region, tag
from hallascope.data.published.module_tables import PublishedNumber, PublishedTable


def published_tables_html(tables: Sequence[PublishedTable]) -> Markup:
    """Return the tables one below the other; "" where there are none."""
    if not tables:
        return Markup()
    return tag(
        "section",
        tag("h2", "Other published tables"),
        *(_table(table) for table in tables),
        class_="panel ranking",
    )


def _table(table: PublishedTable) -> Markup:
    notes = table.notes
    lines = (
        tag(
            "tr",
            tag("th", row.name, scope="row"),
            tag("td", row.group),
            *(_cell(number, notes) for number in row.numbers),
        )
        for row in table.rows
    )
    heads = tag("thead", tag("tr", column_heads([table.rows_are, "of", *table.columns])))
    listed = (tag("li", tag("sup", place), f" {note}.") for place, note in enumerate(notes, 1))
    return tag(
        "section",
        tag("h3", table.title),
        tag("p", f"{table.source}; {table.unit}.", class_="soft"),
        scroll_region(tag("table", heads, tag("tbody", *lines)), table.source),
        tag("ul", *listed, class_="soft table-notes") if notes else "",
        class_="published-table",
    )


def _cell(number: PublishedNumber, notes: Sequence[str]) -> Markup:
    """Return a number, with the place of its note among the notes of the table."""
    mark = tag("sup", notes.index(number.note) + 1) if number.note else ""
    return tag("td", number.text or "–", mark)

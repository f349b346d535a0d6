"""Shows slices: a sentence each, with the error rate as a bar, its images, and a filter."""

from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import urlencode

from markupsafe import Markup

from hallascope.components.html.markup import tag

NONE_FOUND = "No group of images fails more than chance explains."


@dataclass(frozen=True, kw_only=True)
class SliceRow:
    """Holds a slice as it is shown. Shares lie in [0, 1]; the interval is None where there is none.

    `conditions` are its own in written form, `filter` all that hold once it is used as a filter.
    """

    name: str
    sentence: str
    numbers: str
    error_rate: float
    rest_error_rate: float
    interval: tuple[float, float] | None
    conditions: str
    filter: str


def slice_table(rows: Sequence[SliceRow], about: str) -> Markup:
    """Return the slices in their order; `about` says what they were found among."""
    listed = (
        tag("ol", *map(_row, rows), class_="slice-list")
        if rows
        else tag("p", NONE_FOUND, class_="slice-none")
    )
    return tag("div", listed, tag("p", about, class_="soft slice-about"), class_="slices")


def _row(row: SliceRow) -> Markup:
    address = urlencode({"tab": "errors", "slice": row.filter})
    return tag(
        "li",
        _bar(row),
        tag("p", row.sentence, class_="slice-sentence"),
        tag("p", row.numbers, class_="slice-numbers"),
        tag(
            "div",
            tag(
                "button",
                "Show images",
                type="button",
                data_slice_images=row.conditions,
                aria_label=f"Show images: {row.name}",
            ),
            tag(
                "a",
                "Use as filter",
                href=f"?{address}",
                data_slice_filter=row.filter,
                aria_label=f"Use as filter: {row.name}",
            ),
            class_="slice-tools",
        ),
        class_="slice-row",
    )


def _bar(row: SliceRow) -> Markup:
    """Return the error rate as a bar, its interval as a line, and that of the rest as a mark."""
    parts = [tag("span", class_="slice-fill", style=f"width:{row.error_rate:.1%}")]
    if row.interval is not None:
        low, high = row.interval
        style = f"left:{low:.1%};width:{max(high - low, 0.0):.1%}"
        parts.append(tag("span", class_="slice-interval", style=style))
    parts.append(tag("span", class_="slice-rest", style=f"left:{row.rest_error_rate:.1%}"))
    return tag("div", *parts, class_="slice-bar", aria_hidden="true")

"""Shows two runs image by image: the choice of both, the slices, and what got better or worse."""

from collections.abc import Sequence
from typing import NamedTuple

from markupsafe import Markup

from hallascope.components.html.markup import column_heads, join, scroll_region, tag

NO_RUNS = "Two runs are needed here: generate images on the Evaluate tab, or run a sweep."


class RunOption(NamedTuple):
    """Holds a run that can be chosen: its id, and how it is called."""

    run: str
    words: str


class ChangedImages(NamedTuple):
    """Holds how many images changed in one way, "better" or "worse"."""

    change: str
    number: int


class ChangeTable(NamedTuple):
    """Holds two runs image by image, in words: a row for each slice beneath the heads."""

    sentence: str
    heads: Sequence[str]
    rows: Sequence[Sequence[str]]
    images: Sequence[ChangedImages]
    notes: Sequence[str]


def run_choice(runs: Sequence[RunOption], one: str, other: str, result: Markup) -> Markup:
    """Return the choice of two runs, with what came of it below."""
    if len(runs) < 2:
        return tag("p", NO_RUNS)
    choice = tag(
        "div",
        _run_list("First run", "one", runs, one),
        _run_list("Second run", "other", runs, other),
        tag("button", "Compare", type="button", data_compare=True, class_="run-changes-compare"),
        class_="run-changes-choice",
    )
    shown = tag("div", result, data_compared=True) if result else result
    return tag("div", choice, shown, class_="run-changes")


def change_table(table: ChangeTable) -> Markup:
    """Return two runs by slice, with buttons for the images that changed."""
    rows = (
        tag("tr", tag("th", name, scope="row"), *(tag("td", cell) for cell in cells))
        for name, *cells in table.rows
    )
    shown = tag(
        "table",
        tag("thead", tag("tr", column_heads(table.heads))),
        tag("tbody", *rows),
    )
    buttons = (
        tag(
            "button",
            f"Show the {each.number:,} that got {each.change}",
            type="button",
            data_changed=each.change,
        )
        for each in table.images
        if each.number
    )
    return join(
        tag("p", table.sentence, class_="run-changes-sentence", role="status"),
        tag("div", *buttons, class_="run-changes-tools"),
        scroll_region(shown, "Changes by slice", "run-changes-table"),
        *(tag("p", note, class_="soft") for note in table.notes),
    )


def _run_list(label: str, field: str, runs: Sequence[RunOption], chosen: str) -> Markup:
    options = (
        tag("option", each.words, value=each.run, selected=each.run == chosen) for each in runs
    )
    return tag("label", tag("span", label), tag("select", *options, data_run=field))

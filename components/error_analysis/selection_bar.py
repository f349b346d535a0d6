"""Shows the choice of judged images: controls, conditions as chips, and what is chosen in words."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from markupsafe import Markup

from hallascope.components.html.markup import tag
from hallascope.components.leaderboard.controls import Chips, Select, controls


class ConditionGroup(NamedTuple):
    """Holds the conditions on one feature that can be added: words by their written form."""

    feature: str
    conditions: Mapping[str, str]


def selection_bar(
    rows: Sequence[Chips],
    lists: Sequence[Select],
    conditions: Sequence[str],
    offered: Sequence[ConditionGroup],
    summary: str,
) -> Markup:
    """Return the bar. `conditions` are those that hold, in words, in the order of the address."""
    return tag(
        "div",
        controls(rows, lists, (), group="errors"),
        _condition_row(conditions, offered),
        tag("p", summary, class_="selection-summary", role="status"),
        class_="selection-bar",
    )


def _condition_row(conditions: Sequence[str], offered: Sequence[ConditionGroup]) -> Markup:
    if not conditions and not offered:
        return Markup()
    return tag(
        "div",
        tag("span", "Only", class_="legend", aria_hidden="true"),
        tag(
            "div",
            *map(_condition_chip, conditions),
            _condition_list(offered) if offered else "",
            class_="chip-row",
        ),
        class_="chips",
        role="group",
        aria_label="Conditions",
    )


def _condition_chip(words: str) -> Markup:
    return tag(
        "button",
        tag("span", words),
        tag("span", "×", class_="remove", aria_hidden="true"),
        type="button",
        class_="condition-chip",
        data_remove=True,
        aria_label=f"Remove the condition {words}",
    )


def _condition_list(offered: Sequence[ConditionGroup]) -> Markup:
    groups = (
        tag(
            "optgroup",
            *(tag("option", words, value=written) for written, words in group.conditions.items()),
            label=group.feature,
        )
        for group in offered
    )
    return tag(
        "select",
        tag("option", "Add a condition", value=""),
        *groups,
        class_="condition-list",
        data_add=True,
        aria_label="Add a condition",
    )

"""Shows what it takes to get models, and what a named model would be able to do."""

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from hallascope.components.html.markup import html_table, join, table_row, tag


@dataclass(frozen=True, kw_only=True)
class DownloadRow:
    """Holds a model to get. `state`: there, wanted, or missed with its reason; sizes as words."""

    name: str
    roles: str
    size: str
    memory: str
    license: str
    state: str = ""
    reason: str = ""


@dataclass(frozen=True)
class CandidateView:
    """Holds the facts of a model that a person named, and the names of what a service serves."""

    title: str
    facts: tuple[tuple[str, str], ...]
    serves: tuple[str, ...] = ()


_HEAD = ("Model", "Roles", "Size", "Memory", "License", "")


def offers(rows: Sequence[DownloadRow], words: str) -> Markup:
    """Return the table, and a sentence beneath it."""
    sentence = tag("p", words, class_="soft")
    if not rows:
        return sentence
    heads = (tag("th", name, scope="col") if name else tag("td") for name in _HEAD)
    table = html_table(heads, map(_row, rows), class_="offers")
    return tag("div", table, class_="offers-frame") + sentence


def _row(row: DownloadRow) -> Markup:
    values = (row.roles, row.size, row.memory, row.license)
    cells = (
        tag("td", value, data_label=label) for label, value in zip(_HEAD[1:5], values, strict=True)
    )
    reason = tag("p", row.reason, class_="reason") if row.reason else ""
    state = tag("td", row.state, reason, class_="state")
    return table_row(row.name, *cells, state)


def candidate_card(model: CandidateView) -> Markup:
    """Return what is known of a named model before it is taken in."""
    facts = (tag("div", tag("dt", name), tag("dd", value)) for name, value in model.facts)
    serves = Markup()
    if model.serves:
        names = (tag("li", name) for name in model.serves)
        serves = join(
            tag("p", "It names these models:", class_="soft"),
            tag("ul", *names, class_="serves"),
        )
    return tag("div", tag("h4", model.title), tag("dl", *facts), serves, class_="found-model")

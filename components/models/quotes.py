"""What it takes to get models, as a table, and what a named model would be able to do.

It knows no Hub.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from hallascope.components.html.markup import text


@dataclass(frozen=True, kw_only=True)
class DownloadRow:
    """A model to get. `state`: there, wanted, or missed with its reason; sizes as words."""

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


_HEAD = ("Model", "Roles", "Size", "Memory", "Licence", "")


def offers(rows: Sequence[DownloadRow], words: str) -> str:
    """The table, and a sentence beneath it."""
    head = "".join(f'<th scope="col">{text(name)}</th>' if name else "<td></td>" for name in _HEAD)
    body = "".join(map(_row, rows))
    listed = (
        '<div class="offers-frame"><table'
        f' class="offers"><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>'
        if rows
        else ""
    )
    return f'{listed}<p class="soft">{text(words)}</p>'


def _row(row: DownloadRow) -> str:
    cells = "".join(
        f'<td data-label="{label}">{text(said)}</td>'
        for label, said in zip(_HEAD[1:5], _row_cells(row), strict=True)
    )
    reason = f'<p class="reason">{text(row.reason)}</p>' if row.reason else ""
    return (
        f'<tr><th scope="row">{text(row.name)}</th>{cells}<td'
        f' class="state">{text(row.state)}{reason}</td></tr>'
    )


def _row_cells(row: DownloadRow) -> tuple[str, ...]:
    return row.roles, row.size, row.memory, row.license


def candidate_card(model: CandidateView) -> str:
    """What is known of a named model before it is taken in."""
    facts = "".join(
        f"<div><dt>{text(name)}</dt><dd>{text(said)}</dd></div>" for name, said in model.facts
    )
    serves = "".join(f"<li>{text(name)}</li>" for name in model.serves)
    listed = (
        f'<p class="soft">It names these models:</p><ul class="serves">{serves}</ul>'
        if serves
        else ""
    )
    return f'<div class="found-model"><h4>{text(model.title)}</h4><dl>{facts}</dl>{listed}</div>'

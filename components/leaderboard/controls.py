"""Shows what stands round a leaderboard's figure: a summary, a table, and a file.

It computes no number.
"""

import csv
import io
from collections.abc import Mapping, Sequence
from typing import NamedTuple
from urllib.parse import quote

from hallascope.components.html.markup import bar, data, text
from hallascope.components.leaderboard.charts import Axis, Bar
from hallascope.components.models.pickers import InputKind, Option, chip_row
from hallascope.metrics.statistics.paired_difference import ModelDifference

LISTED = 400  # rows of a table; the file has all of them
COLUMNS = ("model", "group", "value", "low", "high", "n", "left_out", "source")


class Chips(NamedTuple):
    """Things to choose from that stand there as chips, under the name of what they set.

    `idle`: it changes nothing of what is shown now, so it is hidden; what was chosen stays chosen.
    """

    name: str
    label: str
    options: Sequence[Option]
    chosen: Sequence[str]
    sort: InputKind = "radio"
    idle: bool = False


class Select(NamedTuple):
    """The same as a list that unfolds: values with the words that stand for them.

    The first holds where nothing is chosen.
    """

    name: str
    label: str
    options: Mapping[str, str]
    chosen: str = ""
    idle: bool = False


# --- what is shown
# --------------------------------------------------------------------------------------------------


def controls(rows: Sequence[Chips], lists: Sequence[Select], pair: Sequence[Select]) -> str:
    """All that can be chosen; a list with one option is left out.

    `pair`: the two models whose difference is told.
    """
    chips = "".join(
        f'<div data-field="{text(one.name)}"'
        f' data-default="{text(_default(one))}"{_hidden(one)}>{_chips(one)}</div>'
        for one in rows
    )
    some = "".join(_select(one) for one in lists if len(one.options) > 1)
    two = "".join(map(_select, pair)) if all(len(one.options) > 2 for one in pair) else ""
    return f'<div class="board-controls">{chips}<div class="board-lists">{some}{two}</div></div>'


def _chips(one: Chips) -> str:
    return chip_row(one.options, one.chosen, one.label, one.sort, group=f"board-{one.name}")


def _default(one: Chips) -> str:
    """A radio button always has a choice, by default the first.

    Of boxes by default none is checked.
    """
    return one.options[0].id if one.sort == "radio" and one.options else ""


def _hidden(one: Chips | Select) -> str:
    return " hidden" if one.idle else ""


def _select(one: Select) -> str:
    default = next(iter(one.options), "")
    listed = "".join(
        "<option"
        f' value="{text(value)}"{" selected" if value == one.chosen else ""}>{text(words)}</option>'
        for value, words in one.options.items()
    )
    return (
        f'<label class="board-list"{_hidden(one)}><span>{text(one.label)}</span><select'
        f' data-field="{text(one.name)}" data-default="{text(default)}">{listed}</select></label>'
    )


# --- in words
# --------------------------------------------------------------------------------------------------


def figure_summary(
    ours: Sequence[Bar], published: Sequence[Bar], axis: Axis, higher_is_better: bool = True
) -> str:
    """Describe a figure for those who cannot see it: its values, best, worst and published."""
    told = sorted(
        (one for one in ours if one.value is not None), key=_value, reverse=higher_is_better
    )
    many = f"{axis.title}: {len(told)} {'value' if len(told) == 1 else 'values'} measured here"
    empty = (
        f", {len(ours) - len(told)} of which nothing was counted" if len(told) < len(ours) else ""
    )
    if len(told) > 1:
        ends = f" Best: {_bar_text(told[0])}. Worst: {_bar_text(told[-1])}."
    elif told:
        ends = f" {_bar_text(told[0])}."
    else:
        ends = ""
    marks = (
        f" Beside them, published: {len(published)}, of other prompts and other judges."
        if published
        else ""
    )
    return f"{many}{empty}.{ends}{marks}"


def _value(one: Bar) -> float:
    return one.value or 0.0


def _bar_text(one: Bar) -> str:
    return f"{', '.join(filter(None, (one.name, one.group)))} {one.description}"


# --- as a table
# --------------------------------------------------------------------------------------------------


def table(
    ours: Sequence[Bar],
    published: Sequence[Bar],
    by: str,
    axis: Axis,
    about: str = "",
    *,
    note: str = "",
) -> str:
    """All values, each a button that tells what lies behind it.

    Folded beneath them those that were published, which have nothing behind.

    `about`: who judged; `note`: a sentence where there is something to be known of all of it.
    """
    if not ours and not published:
        return f'<div class="ranking none"><p class="soft">{text(note)}</p></div>'
    more = (
        f'<p class="soft">{len(ours) - LISTED:,} more are in the file.</p>'
        if len(ours) > LISTED
        else ""
    )
    said = f'<p class="soft">{text(note)}</p>' if note else ""
    values = _values(ours[:LISTED], by, axis) if ours else ""
    return (
        '<section class="panel ranking"><h2>All values <span'
        f' class="which">{text(about)}</span></h2>{said}'
        '<div class="ranking-tools"><input type="search" placeholder="Search" aria-label="Search'
        ' the table">'
        f"{_download([*ours, *published], by)}</div>"
        f"{values}{more}{_folded(published, by, axis)}</section>"
    )


def _folded(published: Sequence[Bar], by: str, axis: Axis) -> str:
    if not published:
        return ""
    words = (
        f"{len(published):,} {'value that was' if len(published) == 1 else 'values that were'}"
        " published"
    )
    return f"<details><summary>{words}</summary>{_values(published, by, axis)}</details>"


def _values(rows: Sequence[Bar], by: str, axis: Axis) -> str:
    grouped = any(one.group for one in rows)
    group = by if by != "model" else "of"
    source = "source" if rows[0].source else "counted"
    heads = "".join(
        f'<th scope="col">{text(name)}</th>'
        for name in ("model", *([group] if grouped else []), axis.title, source)
    )
    return (
        '<div class="scroll" tabindex="0" role="region"'
        f' aria-label="{"Published" if rows[0].source else "All"} values">'
        f"<table><thead><tr>{heads}</tr></thead>"
        f"<tbody>{''.join(_line(one, grouped, axis) for one in rows)}</tbody></table></div>"
    )


def _line(one: Bar, grouped: bool, axis: Axis) -> str:
    pick = data({"model": one.model, "group": one.group})
    name = (
        f'<button type="button" class="lead-button" data-pick="{pick}"'
        f' aria-pressed="false">{text(one.name)}</button>'
    )
    group = f"<td>{text(one.group)}</td>" if grouped else ""
    return (
        f'<tr><th scope="row">{text(one.name) if one.source else name}</th>{group}<td'
        f' class="value">{bar(_share(one, axis))}<span'
        f' class="n">{text(one.value_text)}</span></td><td'
        f' class="about">{text(one.source or one.count_text)}</td></tr>'
    )


def _share(one: Bar, axis: Axis) -> float | None:
    """How far along the axis the value lies, in [0, 1]; None where the axis has no end."""
    if one.value is None or axis.low is None or axis.high is None or axis.high <= axis.low:
        return None
    return min(max((one.value - axis.low) / (axis.high - axis.low), 0.0), 1.0)


def _download(rows: Sequence[Bar], by: str) -> str:
    address = f"data:text/csv;charset=utf-8,{quote(comma_separated(rows, by))}"
    return (
        f'<a class="file-button" download="leaderboard.csv" href="{text(address)}">Download CSV</a>'
    )


def comma_separated(rows: Sequence[Bar], by: str) -> str:
    """The rows as CSV with a header.

    A text that a spreadsheet would take for a formula has an apostrophe before it.
    """
    file = io.StringIO(newline="")
    writer = csv.writer(file)
    writer.writerow([by if name == "group" else name for name in COLUMNS])
    for one in rows:
        numbers = ["" if number is None else number for number in (one.value, one.low, one.high)]
        writer.writerow(
            [
                _harmless(one.model),
                _harmless(one.group),
                *numbers,
                one.n,
                one.left_out,
                _harmless(one.source),
            ]
        )
    return file.getvalue()


def _harmless(said: str) -> str:
    return f"'{said}" if said.startswith(("=", "+", "-", "@", "\t", "\r")) else said


# --- a difference
# --------------------------------------------------------------------------------------------------


def differences(one: str, other: str, found: Sequence[ModelDifference], by: str, note: str) -> str:
    """Return the difference of two models by group, with its interval and its p.

    The p is how likely chance would make as much of it.
    """
    if not found:
        return ""
    heads = "".join(
        f'<th scope="col">{text(name)}</th>'
        for name in (by, "difference", "95 % interval", "p", "prompts of both", "")
    )
    lines = "".join(map(_difference, found))
    return (
        f'<section class="panel statistics differences"><h2>{text(one)} less {text(other)}</h2>'
        '<div class="scroll" tabindex="0" role="region" aria-label="Difference">'
        f"<table><thead><tr>{heads}</tr></thead><tbody>{lines}</tbody></table></div>"
        f'<p class="soft">{text(note)}</p></section>'
    )


def _difference(found: ModelDifference) -> str:
    interval = (
        "–"
        if found.low is None or found.high is None
        else f"{_signed(found.low)} to {_signed(found.high)}"
    )
    value = _signed(found.value)
    p = "–" if found.p is None else _chance(found.p)
    cells = "".join(
        f"<td>{text(cell)}</td>" for cell in (value, interval, p, f"{found.n:,}", found.words)
    )
    return f'<tr><th scope="row">{text(found.group or "all")}</th>{cells}</tr>'


def _signed(value: float | None) -> str:
    if value is None:
        return "–"
    return "0.000" if abs(value) < 0.0005 else f"{value:+.3f}"


def _chance(p: float) -> str:
    return "< 0.001" if p < 0.001 else f"{p:.3f}"

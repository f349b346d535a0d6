"""Shows what stands round a leaderboard's figure: choices, a summary, a table, and a file."""

import csv
import io
from collections.abc import Mapping, Sequence
from typing import NamedTuple
from urllib.parse import quote

from markupsafe import Markup

from hallascope.components.html.judge_chip import judge_mark
from hallascope.components.html.markup import bar, column_heads, join, scroll_region, tag, to_json
from hallascope.components.leaderboard.charts import CORRECTED, Axis, Bar
from hallascope.components.models.pickers import InputKind, Option, chip_row
from hallascope.data.files.csv_text import escape_formula
from hallascope.metrics.statistics.paired_difference import ModelDifference
from hallascope.metrics.statistics.ranking import RankInterval

LISTED = 400  # rows of a table; the file has all of them
COLUMNS = ("model", "group", "value", "low", "high", "n", "left_out", "source")
RANK_COLUMNS = ("best_rank", "worst_rank", "letters")  # of a file, where models were compared
# of a file, where people's labels correct a value
CORRECTED_COLUMNS = ("corrected", "corrected_low", "corrected_high", "labeled")


class Chips(NamedTuple):
    """Holds things to choose from that stand there as chips, under the name of what they set.

    `idle`: it changes nothing of what is shown now, so it is hidden; what was chosen stays chosen.
    `kept`: the address names what is chosen also where nobody chose it.
    """

    name: str
    label: str
    options: Sequence[Option]
    chosen: Sequence[str]
    sort: InputKind = "radio"
    idle: bool = False
    kept: bool = False

    @property
    def default(self) -> str:
        """Return the first of radio buttons, one of which is always chosen; no box is checked.

        Where the address always names what is chosen, this is the default.
        """
        if self.kept:
            return self.chosen[0]
        return self.options[0].id if self.sort == "radio" and self.options else ""


class Select(NamedTuple):
    """Holds a drop-down list: values with the words that stand for them.

    The first is the default.
    """

    name: str
    label: str
    options: Mapping[str, str]
    chosen: str = ""
    idle: bool = False


# --- what is shown ---


def controls(
    rows: Sequence[Chips],
    lists: Sequence[Select],
    pair: Sequence[Select],
    group: str = "board",
) -> Markup:
    """Return all that can be chosen; a list with one option is left out.

    `pair`: the two models whose difference is shown. `group` tells the radio buttons from those of
    other controls on the page.
    """
    shown = [select for select in lists if len(select.options) > 1]
    if all(len(select.options) > 2 for select in pair):
        shown += pair
    return tag(
        "div",
        *(_chips(row, group) for row in rows),
        tag("div", *map(_select, shown), class_="board-lists"),
        class_="board-controls",
    )


def _chips(row: Chips, group: str) -> Markup:
    return tag(
        "div",
        chip_row(row.options, row.chosen, row.label, row.sort, group=f"{group}-{row.name}"),
        data_field=row.name,
        data_default=row.default,
        data_kept=row.kept,
        hidden=row.idle,
    )


def _select(select: Select) -> Markup:
    options = (
        tag("option", words, value=value, selected=value == select.chosen)
        for value, words in select.options.items()
    )
    default = next(iter(select.options), "")
    return tag(
        "label",
        tag("span", select.label),
        tag("select", *options, data_field=select.name, data_default=default),
        class_="board-list",
        hidden=select.idle,
    )


# --- in words ---


def figure_summary(
    ours: Sequence[Bar], published: Sequence[Bar], axis: Axis, higher_is_better: bool = True
) -> str:
    """Describe a figure for those who cannot see it: its values, best, worst and published.

    Of the corrected values it gives the highest and the lowest.
    """
    measured = sorted(
        (row for row in ours if row.value is not None),
        key=lambda row: row.value or 0.0,
        reverse=higher_is_better,
    )
    noun = "value" if len(measured) == 1 else "values"
    count = f"{axis.title}: {len(measured)} {noun} measured here"
    if len(measured) < len(ours):
        count += f", {len(ours) - len(measured)} of which nothing was counted"
    parts = [f"{count}."]
    if len(measured) > 1:
        best, worst = (
            ", ".join(_bar_text(row) for row in measured if row.value == end.value)
            for end in (measured[0], measured[-1])
        )
        parts.append(f"Best: {best}. Worst: {worst}." if best != worst else f"All alike: {best}.")
    elif measured:
        parts.append(f"{_bar_text(measured[0])}.")
    parts += _corrected_summary(ours)
    if published:
        parts.append(
            f"Beside them, published: {len(published)}, of other prompts and other judges."
        )
    return " ".join(parts)


def published_summary(published: Sequence[Bar], axis: Axis) -> str:
    """Describe a figure of published values alone."""
    if not published:
        return f"{axis.title}: no paper prints it by this."
    noun = "value" if len(published) == 1 else "values"
    sources = len({row.source for row in published})
    places = "1 table or figure" if sources == 1 else f"{sources} tables and figures"
    return (
        f"{axis.title}: {len(published):,} {noun} from {places} of papers, of other prompts and"
        " other judges."
    )


def _corrected_summary(ours: Sequence[Bar]) -> list[str]:
    """Return what people's labels make of the values, in words; nothing where there are none."""
    by_value = sorted(
        (row for row in ours if row.corrected),
        key=lambda row: row.corrected.value if row.corrected else 0.0,
    )
    if not by_value:
        return []
    texts = [f"{_bar_name(row)} {row.corrected_text}; {row.labeled_text}" for row in by_value]
    if len(texts) == 1:
        return [f"1 value is {CORRECTED}: {texts[0]}."]
    count = f"{len(texts)} values are {CORRECTED}."
    return [f"{count} Highest: {texts[-1]}. Lowest: {texts[0]}."]


def _bar_text(shown: Bar) -> str:
    return f"{_bar_name(shown)} {shown.description}"


def _bar_name(shown: Bar) -> str:
    return ", ".join(filter(None, (shown.name, shown.group)))


# --- as a table ---


def table(
    ours: Sequence[Bar],
    published: Sequence[Bar],
    by: str,
    axis: Axis,
    about: str = "",
    *,
    note: str = "",
) -> Markup:
    """Return all values, each a button that shows what lies behind it.

    Published ones, which have nothing behind them, are folded beneath. `about`: who judged; `note`:
    a sentence where there is something to be known of all of it.
    """
    if not ours and not published:
        return tag("div", tag("p", note, class_="soft"), class_="ranking none")
    more = f"{len(ours) - LISTED:,} more are in the file."
    return tag(
        "section",
        tag("h2", "All values ", tag("span", about, class_="which")),
        tag("p", note, class_="soft") if note else "",
        _table_tools([*ours, *published], by),
        _values(ours[:LISTED], by, axis) if ours else "",
        tag("p", more, class_="soft") if len(ours) > LISTED else "",
        _folded(published, by, axis),
        class_="panel ranking",
    )


def published_table(published: Sequence[Bar], by: str, axis: Axis) -> Markup:
    """Return published values alone, with what they were published in; "" where there are none."""
    if not published:
        return Markup()
    return tag(
        "section",
        tag("h2", "Published values"),
        _table_tools(published, by),
        _values(published, by, axis),
        class_="panel ranking",
    )


def _table_tools(rows: Sequence[Bar], by: str) -> Markup:
    """Return what stands above a table: a search, and all of its rows as a file."""
    download = tag(
        "a",
        "Download CSV",
        class_="file-button",
        download="leaderboard.csv",
        href=f"data:text/csv;charset=utf-8,{quote(comma_separated(rows, by))}",
    )
    search = tag("input", type="search", placeholder="Search", aria_label="Search the table")
    return tag("div", search, download, class_="ranking-tools")


def _folded(published: Sequence[Bar], by: str, axis: Axis) -> Markup:
    if not published:
        return Markup()
    words = "value that was" if len(published) == 1 else "values that were"
    summary = tag("summary", f"{len(published):,} {words} published")
    return tag("details", summary, _values(published, by, axis))


class _Columns(NamedTuple):
    """Says which columns a table of values has besides model and value."""

    grouped: bool
    corrected: bool
    ranked: bool
    judged: bool


def _values(rows: Sequence[Bar], by: str, axis: Axis) -> Markup:
    columns = _Columns(
        grouped=any(row.group for row in rows),
        corrected=any(row.corrected for row in rows),
        ranked=any(row.rank for row in rows),
        judged=any(row.judge for row in rows),
    )
    published = bool(rows[0].source)
    titles = [
        "model",
        *([_group_title(by)] if columns.grouped else []),
        axis.title,
        *([CORRECTED] if columns.corrected else []),
        *(["rank", "not told apart"] if columns.ranked else []),
        *(["judge"] if columns.judged else []),
        "source" if published else "counted",
    ]
    lines = (_line(row, axis, columns) for row in rows)
    return scroll_region(
        tag("table", tag("thead", tag("tr", column_heads(titles))), tag("tbody", *lines)),
        f"{'Published' if published else 'All'} values",
    )


def _group_title(by: str) -> str:
    """Return what the column of groups is called: by model, a group is what a paper counts of."""
    return by if by != "model" else "of"


def _line(row: Bar, axis: Axis, columns: _Columns) -> Markup:
    name: str = row.name
    if not row.source:
        name = tag(
            "button",
            row.name,
            type="button",
            class_="lead-button",
            data_pick=to_json({"model": row.model, "group": row.group}),
            aria_pressed="false",
        )
    return tag(
        "tr",
        tag("th", name, scope="row"),
        tag("td", row.group) if columns.grouped else "",
        tag(
            "td",
            bar(_share(row, axis)),
            tag("span", row.value_text, class_="n"),
            class_="value",
        ),
        _corrected_cell(row) if columns.corrected else "",
        _rank_cells(row.rank) if columns.ranked else "",
        tag("td", judge_mark(row.judge, row.reliability)) if columns.judged else "",
        tag("td", row.source or row.count_text, class_="about"),
    )


def _corrected_cell(row: Bar) -> Markup:
    """Return the corrected value with its interval, or how many labels it still needs."""
    if row.corrected is None:
        needed = "–" if row.labels_needed is None else f"label {row.labels_needed} more"
        return tag("td", needed, class_="about")
    labeled = f" {row.corrected.labeled:,} labeled"
    return tag("td", row.corrected_text, tag("span", labeled, class_="about"))


def _rank_cells(rank: RankInterval | None) -> Markup:
    words, letters = (rank.words, rank.letters) if rank else ("–", "–")
    return join(tag("td", words), tag("td", letters))


def _share(row: Bar, axis: Axis) -> float | None:
    """Return how far along the axis the value lies, in [0, 1]; None where the axis has no end."""
    if row.value is None or axis.low is None or axis.high is None or axis.high <= axis.low:
        return None
    return min(max((row.value - axis.low) / (axis.high - axis.low), 0.0), 1.0)


def comma_separated(rows: Sequence[Bar], by: str) -> str:
    """Return the rows as CSV with a header.

    A text that a spreadsheet would take for a formula has an apostrophe before it.
    """
    file = io.StringIO(newline="")
    writer = csv.writer(file)
    corrected = any(row.corrected for row in rows)
    ranked = any(row.rank for row in rows)
    names = [
        *COLUMNS,
        *(CORRECTED_COLUMNS if corrected else ()),
        *(RANK_COLUMNS if ranked else ()),
    ]
    writer.writerow([_group_title(by) if name == "group" else name for name in names])
    for row in rows:
        numbers = (row.value, row.low, row.high, row.n, row.left_out)  # None is an empty cell
        writer.writerow(
            [
                escape_formula(row.model),
                escape_formula(row.group),
                *numbers,
                escape_formula(row.source),
                *(_corrected_values(row) if corrected else ()),
                *(_rank_values(row.rank) if ranked else ()),
            ]
        )
    return file.getvalue()


def _corrected_values(row: Bar) -> tuple[float | None, float | None, float | None, int | None]:
    score = row.corrected
    if score is None:
        return None, None, None, None
    return score.value, score.low, score.high, score.labeled


def _rank_values(rank: RankInterval | None) -> tuple[int | None, int | None, str]:
    return (rank.best, rank.worst, rank.letters) if rank else (None, None, "")


# --- a difference ---


def differences(
    one: str,
    other: str,
    rows: Sequence[ModelDifference],
    by: str,
    note: str,
    power: str = "",
) -> Markup:
    """Return the difference of two models by group, with its interval and its p.

    The p is how likely chance would make as much of it; under six prompts there is none. `power`
    says how many prompts would tell the two apart.
    """
    if not rows:
        return Markup()
    heads = column_heads((by, "difference", "95 % interval", "p", "prompts of both", ""))
    content = tag("table", tag("thead", tag("tr", heads)), tag("tbody", *map(_difference, rows)))
    return tag(
        "section",
        tag("h2", f"{one} less {other}"),
        scroll_region(content, "Difference"),
        tag("p", power) if power else "",
        tag("p", note, class_="soft"),
        class_="panel statistics differences",
    )


def _difference(row: ModelDifference) -> Markup:
    interval = p = "–"
    if row.low is not None and row.high is not None:
        interval = f"{_signed(row.low)} to {_signed(row.high)}"
    if row.p is not None:
        p = "< 0.001" if row.p < 0.001 else f"{row.p:.3f}"
    cells = (_signed(row.value), interval, p, f"{row.n:,}", row.words)
    return tag(
        "tr", tag("th", row.group or "all", scope="row"), *(tag("td", cell) for cell in cells)
    )


def _signed(value: float | None) -> str:
    if value is None:
        return "–"
    return "0.000" if abs(value) < 0.0005 else f"{value:+.3f}"

"""Shows the values of a leaderboard: a sentence, a table with its files, and a difference."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import quote

from markupsafe import Markup

from hallascope.components.html.judge_chip import judge_mark
from hallascope.components.html.markup import (
    bar,
    column_heads,
    html_table,
    join,
    scroll_region,
    table_row,
    tag,
    to_json,
)
from hallascope.components.leaderboard.charts import CORRECTED, Axis, Bar
from hallascope.components.theme.model_colors import ModelStyle, mark_icon
from hallascope.data.files.csv_text import csv_text
from hallascope.data.nouns import count_noun
from hallascope.metrics.statistics.intervals import interval_text
from hallascope.metrics.statistics.paired_difference import ModelDifference
from hallascope.metrics.statistics.ranking import MIN_RANKED_PROMPTS

if TYPE_CHECKING:
    import pandas as pd

MAX_TIED = 2  # best values that are named
LISTED = 400  # rows of a table; the files have all of them
COLUMNS = ("model", "group", "value", "low", "high", "n", "left_out", "source")
# further columns of a file with the fields that they hold: where models were compared, and where
# people's labels correct a value
RANK_COLUMNS = {"best_rank": "best", "worst_rank": "worst", "letters": "letters"}
CORRECTED_COLUMNS = {
    "corrected": "value",
    "corrected_low": "low",
    "corrected_high": "high",
    "labeled": "labeled",
}
_JUDGE_TESTS = "judge’s tests"  # a column; "judge" names the judges where they are the groups


class TableContext(NamedTuple):
    """Says of a table what its groups are (`by`), what its values are, and how its models look.

    `judged`: who judged, in words. `method` are the sentences behind "Method". `leads`: a row of
    ours leads to what is behind it.
    """

    by: str
    axis: Axis
    styles: Mapping[str, ModelStyle] = {}
    judged: str = ""
    method: Sequence[str] = ()
    leads: bool = True


# --- in words ---


def summary(ours: Sequence[Bar], axis: Axis) -> str:
    """Return the best value in a sentence; "" where nothing was counted.

    A value of too few prompts is the best only where all values are of too few.
    """
    measured = [row for row in ours if row.value is not None]
    enough = [row for row in measured if not row.is_few] or measured
    if not enough:
        return ""
    choose = max if axis.higher_is_better else min
    best = choose(row.value for row in enough if row.value is not None)
    texts = [_best_text(row) for row in enough if row.value == best]
    more = [f"and {len(texts) - MAX_TIED:,} more"] if len(texts) > MAX_TIED else []
    label = "Best so far" if all(row.is_few for row in enough) else "Best"
    return f"{label}: {', '.join([*texts[:MAX_TIED], *more])}."


def few_sentence(unit: str, treated: str) -> str:
    """Return how values are treated that count too little."""
    return f"Fewer than {MIN_RANKED_PROMPTS} {unit}: {treated}."


def figure_words(
    ours: Sequence[Bar], published: Sequence[Bar], axis: Axis, *, has_bars: bool = True
) -> Markup:
    """Return what a figure shows and what its signs are, and the buttons that download it."""
    if not ours and not published:
        return tag("p", f"{axis.title}: no paper prints it by this.")
    signs = {
        "Thin line: 95 % interval.": has_bars and any(row.interval for row in ours),
        few_sentence(ours[0].unit, "shown as a dot") if ours else "": (
            has_bars and any(row.is_few for row in ours)
        ),
        "Hollow mark: published, of other prompts and judges.": has_bars and bool(published),
        f"Filled diamond: {CORRECTED}.": any(row.corrected for row in ours),
    }
    shown = [words for words, is_drawn in signs.items() if is_drawn]
    buttons = (
        tag("button", f"Download {kind}", class_="file-button", data_image=kind)
        for kind in ("SVG", "PNG")
    )
    return join(
        tag("div", *buttons, class_="ranking-tools"),
        tag("p", " ".join([f"{axis.title}.", summary(ours, axis), *shown])),
    )


def _best_text(row: Bar) -> str:
    return (
        f"{_name(row)} {row.value:.2f} ({', '.join(filter(None, (row.interval, row.count_text)))})"
    )


def _name(row: Bar) -> str:
    return ", ".join(filter(None, (row.name, row.group)))


# --- as a table ---


def table(ours: Sequence[Bar], published: Sequence[Bar], context: TableContext) -> Markup:
    """Return all values, each a button that shows what lies behind it; "" where there are none.

    Those of too few prompts stand below a line, without a rank. Published ones, which have nothing
    behind them, are folded beneath ours.
    """
    rows = ours or published
    if not rows:
        return Markup()
    more = f"{len(rows) - LISTED:,} more are in the files."
    return tag(
        "section",
        tag("h2", context.axis.title, " ", tag("span", context.judged, class_="which")),
        _paragraph(summary(ours, context.axis), "summary"),
        _paragraph(_shared_mark(rows), "about"),
        _values(rows[:LISTED], context),
        _paragraph(more if len(rows) > LISTED else "", "soft"),
        _paragraph(_letter_sentence(ours), "soft"),
        _files([*ours, *published], context),
        details("Method", *(tag("p", sentence) for sentence in context.method)),
        details(f"Published: {len(published):,}", _values(published, context))
        if ours and published
        else "",
        class_="panel ranking",
    )


def _paragraph(words: str, kind: str) -> Markup:
    return tag("p", words, class_=kind) if words else Markup()


def details(words: str, *content: str) -> Markup:
    """Return content that is folded away behind words; "" where there is none."""
    return tag("details", tag("summary", words), *content) if content else Markup()


def _files(rows: Sequence[Bar], context: TableContext) -> Markup:
    """Return the links that download all rows of a table."""
    files = {
        "Download CSV": ("leaderboard.csv", "text/csv", csv_text(csv_frame(rows, context.by))),
        "Download LaTeX": ("leaderboard.tex", "text/x-tex", latex_table(rows, context)),
    }
    links = (
        tag(
            "a",
            words,
            class_="file-button",
            download=name,
            href=f"data:{kind};charset=utf-8,{quote(text)}",
        )
        for words, (name, kind, text) in files.items()
    )
    return tag("div", *links, class_="ranking-tools")


def _letter_sentence(ours: Sequence[Bar]) -> str:
    """Return what letters and ranks say; "" where no models were compared."""
    ranks = [row.rank for row in ours if row.rank]
    if not ranks:
        return ""
    example = next((rank.words for rank in ranks if rank.best != rank.worst), "")
    places = f" “{example}”: the data allow places {example}." if example else ""
    return f"Same letter: no significant difference.{places}"


def _values(rows: Sequence[Bar], context: TableContext) -> Markup:
    """Return a table whose rows of too few prompts stand below a line."""
    titles = shown_titles(rows, context)
    if _shared_mark(rows):
        titles.remove(_JUDGE_TESTS)
    published = bool(rows[0].source)
    enough = [row for row in rows if published or not row.is_few]
    few = [row for row in rows if row.is_few and not published]
    bodies = [[_line(row, titles, context) for row in each] for each in (enough, few)]
    if few:
        words = tag("td", few_sentence(few[0].unit, "not ranked"), colspan=len(titles))
        bodies[1].insert(0, tag("tr", words, class_="few"))
    return scroll_region(
        tag(
            "table",
            tag("thead", tag("tr", column_heads(titles))),
            *(tag("tbody", *lines) for lines in bodies if lines),
        ),
        f"{'Published' if published else 'All'} values",
    )


def shown_titles(rows: Sequence[Bar], context: TableContext) -> list[str]:
    """Return the titles of the columns in which anything stands."""
    filled = [[title for title, cell in cells(row, context).items() if cell] for row in rows]
    return [title for title in cells(rows[0], context) if any(title in each for each in filled)]


def _shared_mark(rows: Sequence[Bar]) -> Markup:
    """Return how good the judge of all rows is; "" where they have several, or it is not known."""
    marks = {judge_mark(row.judge, row.reliability) for row in rows}
    return marks.pop() if len(marks) == 1 else Markup()


def cells(row: Bar, context: TableContext) -> dict[str, str]:
    """Return what stands in a row by the title of the column, "" where there is nothing."""
    corrected = "" if row.labels_needed is None else f"{row.labels_needed} more prompts to label"
    if row.corrected:
        corrected = f"{row.corrected_text}, {row.corrected.labeled:,} labeled"
    return {
        "rank": row.rank.words if row.rank else "",
        "model": row.name,
        group_title(context.by): row.group,
        "score": row.value_text,
        CORRECTED: corrected,
        "letter": row.rank.letters if row.rank else "",
        row.unit: "" if row.source else f"{row.n:,}",
        "left out": "" if row.source else f"{row.left_out:,}",
        _JUDGE_TESTS: judge_mark(row.judge, row.reliability),
        "source": row.source,
    }


def group_title(by: str) -> str:
    """Return what the column of groups is called: by model, a group is what a paper counts of."""
    return by if by != "model" else "of"


def _line(row: Bar, titles: Sequence[str], context: TableContext) -> Markup:
    style = context.styles.get(row.model)
    name: str = row.name
    if style and not row.source:
        name = join(mark_icon(style), name)
    if context.leads and not row.source:
        name = tag(
            "button",
            name,
            class_="lead-button",
            data_pick=to_json({"model": row.model, "group": row.group}),
            aria_pressed="false",
        )
    shown = {title: tag("td", cell or "–") for title, cell in cells(row, context).items()} | {
        "model": tag("th", name, scope="row"),
        "score": tag(
            "td",
            bar(_share(row, context.axis)),
            tag("span", row.value_text, class_="n"),
            class_="value",
            style=f"--accent:{style.color}" if style else None,
        ),
    }
    return tag("tr", *(shown[title] for title in titles))


def _share(row: Bar, axis: Axis) -> float | None:
    """Return how far along the axis the value lies, in [0, 1]; None where the axis has no end."""
    if row.value is None or axis.low is None or axis.high is None or axis.high <= axis.low:
        return None
    return min(max((row.value - axis.low) / (axis.high - axis.low), 0.0), 1.0)


# --- as files ---


def csv_frame(rows: Sequence[Bar], by: str) -> "pd.DataFrame":
    """Return the rows with all digits of their numbers; "" where there is no value."""
    import pandas as pd  # here, so that the page opens without it

    records = [
        {name: getattr(row, name) for name in COLUMNS}
        | _columns(row.rank, RANK_COLUMNS)
        | _columns(row.corrected, CORRECTED_COLUMNS)
        for row in rows
    ]
    names = [
        *COLUMNS,
        *(CORRECTED_COLUMNS if any(row.corrected for row in rows) else ()),
        *(RANK_COLUMNS if any(row.rank for row in rows) else ()),
    ]
    frame = pd.DataFrame(records, columns=names, dtype=object).fillna("")
    return frame.rename(columns={"group": group_title(by)})


def _columns(record: object, fields: Mapping[str, str]) -> dict[str, object]:
    return {name: getattr(record, field, None) for name, field in fields.items()}


def latex_table(rows: Sequence[Bar], context: TableContext) -> str:
    """Return the rows as a table for LaTeX with the package booktabs."""
    import pandas as pd

    titles = [title for title in shown_titles(rows, context) if title != _JUDGE_TESTS]
    frame = pd.DataFrame([cells(row, context) for row in rows], columns=titles).fillna("")
    frame.columns = pd.Index(
        context.axis.title if title == "score" else title.capitalize() for title in titles
    )
    text = frame.to_latex(index=False, escape=True, column_format="l" * len(titles))
    return f"% In the preamble: \\usepackage{{booktabs}}\n{text}"


# --- a difference ---


def differences(
    one: str, other: str, rows: Sequence[ModelDifference], by: str, method: Sequence[str]
) -> Markup:
    """Return the difference of two models in a sentence, and by group in a table.

    The first row is over all groups. `method` are the sentences behind "Method". p says how likely
    chance would make as much of a difference; under six prompts there is none.
    """
    if not rows:
        return Markup()
    heads = (by, "difference", "95 % interval", "p", "prompts of both", "")
    content = html_table(heads, map(_difference, rows))
    listed = scroll_region(content, "Difference")
    notes = [tag("p", sentence) for sentence in method]
    grouped = len(rows) > 1
    return tag(
        "section",
        tag("p", tag("strong", f"{one} minus {other}: "), _difference_text(rows[0])),
        listed if grouped else "",
        details("Method", *notes) if grouped else details("Method", listed, *notes),
        class_="panel statistics differences",
    )


def _difference_text(row: ModelDifference) -> str:
    """Return a difference in words, such as "+0.12 (0.03 to 0.21, 199 prompts)."."""
    if row.value is None:
        return "no prompt has an answer of both."
    basis = count_noun(row.n, "prompt")
    if row.low is not None and row.high is not None:
        basis = f"{interval_text(row.low, row.high, 2)}, {basis}"
    ends = {"cannot be told apart": " No significant difference.", "different": ""}
    return f"{signed(row.value, 2)} ({basis}).{ends.get(row.words, f' {row.words.capitalize()}.')}"


def _difference(row: ModelDifference) -> Markup:
    interval = p = "–"
    if row.low is not None and row.high is not None:
        interval = f"{signed(row.low)} to {signed(row.high)}"
    if row.p is not None:
        p = "< 0.001" if row.p < 0.001 else f"{row.p:.3f}"
    cells = (signed(row.value), interval, p, f"{row.n:,}", row.words)
    return table_row(row.group or "all", *cells)


def signed(value: float | None, places: int = 3) -> str:
    """Return a number with its sign; zero has none."""
    if value is None:
        return "–"
    text = f"{value:+.{places}f}"
    return text if text.strip("+-0.") else text[1:]

"""Shows judges as tables: what is known of each, one in detail, pairs of them, published ones."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from markupsafe import Markup

from hallascope.components.html.markup import (
    bar,
    corner,
    html_table,
    join,
    panel,
    scroll_region,
    soft_line,
    table_row,
    tag,
)
from hallascope.data.nouns import count_noun
from hallascope.data.published.numbers import (
    PUBLISHED_HALLUCINATIONS,
    PublishedHaloScores,
    haloquest_leaderboard,
)
from hallascope.engine.trials.records import (
    JudgeDisagreement,
    JudgePair,
    Trial,
    disagreements,
    pairs,
)

SOURCE = (
    "HaloQuest’s public leaderboard, in percent, as its authors print it (graded "
    "by people / by Auto-Eval). “From its types” is the mean of the three types "
    "of hallucination, weighted by their numbers of questions."
)
PUBLISHED = (
    *("people", "Auto-Eval", "from its types, people", "from its types, Auto-Eval"),
    *("generated", "real", "false premises", "visual challenges", "insufficient context"),
)
NOT_MEASURED = "not measured"
LISTED = 40  # disagreements that are listed
TRY = "Try this judge"
MOST_BARS = 15  # of a group are shown at once; the others are folded away


class JudgeTableCell(NamedTuple):
    """Holds a cell: a number in words, what it rests on, and its share in [0, 1], if it is one."""

    value_text: str = NOT_MEASURED
    about: str = ""
    share: float | None = None


class Bars(NamedTuple):
    """Holds shares by name under a heading, with a sentence on what they are."""

    title: str
    rows: tuple[tuple[str, JudgeTableCell], ...]
    note: str = ""


@dataclass(frozen=True)
class JudgeTableRow:
    """Holds a judge with its cells by column.

    `reason` says why it cannot run here, None where it can. `offer` says what a trial of it would
    take, where it has none and one click can begin it; "" elsewhere. `used`: it has judged images
    that are stored here.
    """

    judge: str
    title: str
    cells: Mapping[str, JudgeTableCell] = field(default_factory=dict)
    reason: str | None = None
    note: str = ""
    offer: str = ""
    used: bool = False

    @property
    def has_results(self) -> bool:
        """Say whether anything is known of it."""
        return any(cell.value_text != NOT_MEASURED for cell in self.cells.values())


def table(rows: Sequence[JudgeTableRow], columns: Mapping[str, str]) -> Markup:
    """Return a line a judge, a column a number; `columns` gives for each name what it means.

    A judge that was not tried says so, and has a button that tries it. Those of which nothing is
    known, that cannot run here and have judged nothing are folded away with the reason.
    """
    shown = [row for row in rows if row.has_results or row.reason is None or row.used]
    folded = [row for row in rows if row not in shown]
    heads = (tag("th", name, scope="col", title=meaning) for name, meaning in columns.items())
    meanings = (tag("dt", name) + tag("dd", meaning) for name, meaning in columns.items())
    head = (corner("judge"), *heads)
    lines = (_line(row, tuple(columns)) for row in shown)
    return tag(
        "div",
        scroll_region(html_table(head, lines), "What is known of each judge"),
        _folded(folded),
        tag(
            "details",
            tag("summary", "What the columns mean"),
            tag("dl", *meanings, class_="meanings"),
            class_="unable",
        ),
        class_="compare judges-table",
    )


def _line(row: JudgeTableRow, columns: Sequence[str]) -> Markup:
    button = tag(
        "button",
        tag("span", row.judge, class_="called"),
        tag("span", row.title, class_="about"),
        class_="head-cell judge-name",
        data_judge=row.judge,
        aria_pressed="false",
    )
    if row.has_results:
        cells = [tag("td", _table_cell(row.cells.get(name))) for name in columns]
    else:
        said = tag("p", NOT_MEASURED, tag("span", row.reason, class_="about") if row.reason else "")
        cells = [tag("td", said, colspan=len(columns), class_="untried")]
    head = tag("th", button, _offer(row), scope="row")
    return tag("tr", head, *cells, data_judge=row.judge)


def _offer(row: JudgeTableRow) -> Markup:
    """Return the button that tries a judge, with what that takes; nothing where none is offered."""
    if not row.offer:
        return Markup()
    button = tag(
        "button",
        TRY,
        tag("span", f" {row.judge}", class_="unseen"),
        class_="try-judge",
        data_try=row.judge,
    )
    return tag("p", button, tag("span", row.offer, class_="about"), class_="offer")


def _table_cell(cell: JudgeTableCell | None) -> Markup:
    """Return the cell of a table: of a number that is not known it says so in words."""
    if cell is None or cell.value_text == NOT_MEASURED:
        return tag("span", NOT_MEASURED, class_="n soft")
    return _cell(cell)


def _cell(cell: JudgeTableCell, gap: Markup = Markup()) -> Markup:
    """Return the cell with its bar; `gap` stands where there is none."""
    about = join(" ", tag("span", cell.about, class_="about")) if cell.about else ""
    drawn = gap if cell.share is None else bar(cell.share)
    return drawn + tag("span", cell.value_text, about, class_="n")


def _folded(rows: Sequence[JudgeTableRow]) -> Markup:
    if not rows:
        return Markup()
    lines = (tag("li", tag("strong", row.judge), f" {row.reason or ''}") for row in rows)
    return tag(
        "details",
        tag("summary", f"{len(rows)} more need a key, a download or a GPU"),
        tag("ul", *lines, class_="reasons"),
        class_="unable",
    )


def detail(row: JudgeTableRow, groups: Sequence[Bars]) -> Markup:
    """Return one judge: groups of shares beside one another."""
    sentences = [row.note, row.reason or ""]
    if not groups:
        sentences.append(
            "Not measured: this judge was not tested yet."
            + (f" Choose “{TRY}” in its row, or put it on trial below." if row.offer else "")
        )
    panels = (panel(group.title, _bars(group)) for group in groups)
    return tag(
        "section",
        tag("h2", row.judge, class_="part"),
        *map(soft_line, filter(None, sentences)),
        tag("div", *panels, class_="judge-groups"),
        class_="judge-detail",
        aria_label=row.judge,
    )


def _bars(group: Bars) -> Markup:
    gap = tag("span")  # keeps the column of the bars
    lines = [
        tag("li", tag("span", name, class_="called"), _cell(cell, gap)) for name, cell in group.rows
    ]
    shown = tag("ul", *lines[:MOST_BARS], class_="bars")
    more = lines[MOST_BARS:]
    if more:
        summary = tag("summary", f"{len(more)} more")
        shown += tag("details", summary, tag("ul", *more, class_="bars"), class_="unable")
    return join(soft_line(group.note) if group.note else "", shown)


def number(value: float | None, about: str = "") -> JudgeTableCell:
    """Return a cell with a number and no bar."""
    return JudgeTableCell() if value is None else JudgeTableCell(f"{value:.3f}", about)


# --- several judges ---


def agreement_table(trials: Sequence[Trial]) -> Markup:
    """Return how every two judges agree, and beneath that the first questions on which they do not.

    It is over the questions that both were asked.
    """
    lines = [
        table_row(f"{pair.one} and {pair.other}", _cell(number(pair.kappa.value)), _same(pair))
        for pair in pairs(trials)
    ]
    if not lines:
        return Markup()
    table = html_table((corner("judges"), "Cohen’s kappa", "same answer"), lines)
    return panel(
        "Judges compared",
        soft_line("On the questions that both were asked."),
        scroll_region(table, "Agreement of judges"),
        _disagreements(list(disagreements(trials))),
        class_="judges-beside",
    )


def _same(pair: JudgePair) -> Markup:
    result = pair.kappa
    left_out = f", {result.left_out} left out" if result.left_out else ""
    if result.agreement is None:
        return _cell(JudgeTableCell())
    about = f"of {result.n:,}{left_out}"
    return _cell(JudgeTableCell(f"{result.agreement:.3f}", about, result.agreement))


def _disagreements(apart: Sequence[JudgeDisagreement]) -> Markup:
    if not apart:
        return Markup()
    rows, more = apart[:LISTED], len(apart) - LISTED
    names = list(dict.fromkeys(judge for row in rows for judge in row.said))
    lines = (
        table_row(
            join(row.question, tag("span", f"right: {row.right}", class_="about")),
            *(_answer_cell(row.said.get(name), row.right) for name in names),
        )
        for row in rows
    )
    table = html_table((corner("question"), *names), lines)
    return tag(
        "details",
        tag("summary", f"{count_noun(len(apart), 'question')} with different answers"),
        scroll_region(table, "Questions with different answers"),
        soft_line(f"{more} more are not listed.") if more > 0 else "",
        class_="apart",
    )


def _answer_cell(answer: str | None, right: str) -> Markup:
    if answer is None:
        return tag("td", "not answered", class_="left-out")
    word = tag("span", "right" if answer == right else "wrong", class_="about")
    return tag("td", f"{answer} ", word, class_="correct" if answer == right else "incorrect")


# --- published ---


def published_table() -> Markup:
    """Return HaloQuest's leaderboard as published, no number of it ours.

    A row that does not add up carries a sign and the note beneath the table.
    """
    rows = haloquest_leaderboard()
    noted = [row for row in rows if row.note]
    lines = []
    for row in rows:
        mark = tag("sup", noted.index(row) + 1) if row.note else ""
        kind = "noted" if row.note else None
        lines.append(table_row(join(row.model, mark), *_published_cells(row), class_=kind))
    notes = (
        tag("li", tag("sup", number), f" {row.model}: {row.note}")
        for number, row in enumerate(noted, 1)
    )
    head = (corner("model"), *PUBLISHED)
    table = html_table(head, lines)
    return tag(
        "details",
        tag("summary", "Published results of HaloQuest"),
        soft_line(SOURCE),
        scroll_region(table, "Published results of HaloQuest"),
        tag("ol", *notes, class_="notes"),
        class_="panel judges-published",
    )


def _published_cells(scores: PublishedHaloScores) -> list[str]:
    """Return the cells of a published row: overall, by the types of hallucination, by slice."""
    slices = ("generated", "real", "false premise", "visually challenging", "insufficient context")
    own = [f"{by_types(numbers, scores.sizes):.1f}" for numbers in (scores.human, scores.auto)]
    each = [f"{scores.human[name]:g} / {scores.auto[name]:g}" for name in slices]
    return [f"{scores.human['overall']:g}", f"{scores.auto['overall']:g}", *own, *each]


def by_types(percent: Mapping[str, float], sizes: Mapping[str, int]) -> float:
    """Return the overall percentage that the three types of hallucination average to."""
    images = sum(sizes[kind] for kind in PUBLISHED_HALLUCINATIONS)
    total = sum(percent[kind] * sizes[kind] for kind in PUBLISHED_HALLUCINATIONS)
    return total / images if images else 0.0

"""Judges as tables: what is known of each, one in detail, two beside each other, published ones.

It computes nothing and asks no one.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from hallascope.components.html.markup import bar, text

UNKNOWN = "–"


class JudgeTableCell(NamedTuple):
    """Holds a cell: a number in words, what it rests on, and its share in [0, 1], if it is one."""

    value_text: str = UNKNOWN
    about: str = ""
    share: float | None = None


class Bars(NamedTuple):
    """Shares by name under a heading, with a sentence on what they are."""

    title: str
    rows: tuple[tuple[str, JudgeTableCell], ...]
    note: str = ""


@dataclass(frozen=True)
class JudgeTableRow:
    """A judge with its cells by column.

    `reason` says why it cannot run here, None where it can; `tried`: anything is known of it.
    """

    judge: str
    title: str
    cells: Mapping[str, JudgeTableCell] = field(default_factory=dict)
    reason: str | None = None
    note: str = ""

    @property
    def has_results(self) -> bool:
        return any(cell.value_text != UNKNOWN for cell in self.cells.values())


def table(rows: Sequence[JudgeTableRow], columns: Mapping[str, str]) -> str:
    """A line a judge, a column a number; `columns` gives for each name what it means.

    Those of which nothing is known and that cannot run here are folded away with the reason.
    """
    shown = [row for row in rows if row.has_results or row.reason is None]
    folded = [row for row in rows if row not in shown]
    heads = "".join(
        f'<th scope="col" title="{text(meaning)}">{text(name)}</th>'
        for name, meaning in columns.items()
    )
    lines = "".join(_line(row, tuple(columns)) for row in shown)
    return (
        '<div class="compare judges-table"><div class="scroll" tabindex="0" role="region"'
        ' aria-label="What is known of each judge"><table>'
        '<thead><tr><th scope="col"'
        f' class="corner">judge</th>{heads}</tr></thead><tbody>{lines}</tbody></table></div>'
        f"{_folded(folded)}{_meanings(columns)}</div>"
    )


def _line(row: JudgeTableRow, columns: Sequence[str]) -> str:
    cells = "".join(f"<td>{_cell(row.cells.get(name, JudgeTableCell()))}</td>" for name in columns)
    name = text(row.judge)
    button = (
        f'<button type="button" class="head-cell judge-name" data-judge="{name}"'
        f' aria-pressed="false"><span class="called">{name}</span><span'
        f' class="about">{text(row.title)}</span></button>'
    )
    return f'<tr data-judge="{name}"><th scope="row">{button}</th>{cells}</tr>'


def _cell(cell: JudgeTableCell) -> str:
    about = f' <span class="about">{text(cell.about)}</span>' if cell.about else ""
    drawn = bar(cell.share) if cell.share is not None else ""
    return f'{drawn}<span class="n">{text(cell.value_text)}{about}</span>'


def _folded(rows: Sequence[JudgeTableRow]) -> str:
    if not rows:
        return ""
    lines = "".join(
        f"<li><strong>{text(row.judge)}</strong> {text(row.reason or '')}</li>" for row in rows
    )
    return (
        f'<details class="unable"><summary>{len(rows)} more cannot run here yet</summary><ul'
        f' class="reasons">{lines}</ul></details>'
    )


def _meanings(columns: Mapping[str, str]) -> str:
    lines = "".join(
        f"<dt>{text(name)}</dt><dd>{text(meaning)}</dd>" for name, meaning in columns.items()
    )
    return (
        '<details class="unable"><summary>What the columns say</summary><dl'
        f' class="meanings">{lines}</dl></details>'
    )


def detail(row: JudgeTableRow, groups: Sequence[Bars]) -> str:
    """One judge: groups of shares beside one another."""
    reason = f'<p class="soft">{text(row.reason)}</p>' if row.reason else ""
    note = f'<p class="soft">{text(row.note)}</p>' if row.note else ""
    nothing = (
        '<p class="soft">Nothing is known of this judge here yet: put it on trial below.</p>'
        if not groups
        else ""
    )
    panels = "".join(
        f'<section class="panel"><h2>{text(g.title)}</h2>{_bars(g)}</section>' for g in groups
    )
    return (
        f'<section class="judge-detail" aria-label="{text(row.judge)}"><h2'
        f' class="part">{text(row.judge)}</h2>{note}{reason}{nothing}<div'
        f' class="judge-groups">{panels}</div></section>'
    )


def _bars(group: Bars) -> str:
    note = f'<p class="soft">{text(group.note)}</p>' if group.note else ""
    lines = "".join(
        f'<li><span class="called">{text(name)}</span>'
        f"{bar(cell.share) if cell.share is not None else '<span></span>'}"
        f'<span class="n">{text(cell.value_text)}'
        f"{f' <span class=about>{text(cell.about)}</span>' if cell.about else ''}</span></li>"
        for name, cell in group.rows
    )
    return f'{note}<ul class="bars">{lines}</ul>'


# --- several judges
# --------------------------------------------------------------------------------------------------


class JudgePairView(NamedTuple):
    """Two judges with a number of how far they agree, and what it rests on."""

    one: str
    other: str
    kappa: JudgeTableCell
    agreement: JudgeTableCell


class QuestionDisagreement(NamedTuple):
    """A question to which judges gave different answers, by judge."""

    question: str
    right: str
    answers: Mapping[str, str | None]


def agreement_table(
    pairs: Sequence[JudgePairView], apart: Sequence[QuestionDisagreement], more: int = 0
) -> str:
    """Every two judges, and beneath them the questions on which they part.

    `more` of these are not listed.
    """
    if not pairs:
        return ""
    lines = "".join(
        f'<tr><th scope="row">{text(pair.one)} and'
        f" {text(pair.other)}</th><td>{_cell(pair.kappa)}</td><td>{_cell(pair.agreement)}</td></tr>"
        for pair in pairs
    )
    head = (
        '<tr><th scope="col" class="corner">judges</th><th scope="col">Cohen’s kappa</th><th'
        ' scope="col">same answer</th></tr>'
    )
    listed = f'<div class="scroll"><table><thead>{head}</thead><tbody>{lines}</tbody></table></div>'
    said = "On the questions that both were asked in their trials."
    return (
        '<section class="panel judges-beside"><h2>Judges beside each other</h2>'
        f'<p class="soft">{said}</p>{listed}{_apart(apart, more)}</section>'
    )


def _apart(apart: Sequence[QuestionDisagreement], more: int) -> str:
    if not apart:
        return ""
    names = list(dict.fromkeys(judge for one in apart for judge in one.answers))
    heads = "".join(f'<th scope="col">{text(name)}</th>' for name in names)
    lines = "".join(
        f'<tr><th scope="row">{text(one.question)}<span class="about">right:'
        f" {text(one.right)}</span></th>"
        f"{''.join(_answer_cell(one.answers.get(name), one.right) for name in names)}</tr>"
        for one in apart
    )
    rest = f'<p class="soft">{more} more are not listed.</p>' if more else ""
    number = len(apart) + more
    return (
        f'<details class="apart"><summary>{number} {"question" if number == 1 else "questions"} on'
        " which they part</summary>"
        '<div class="scroll"><table><thead><tr><th scope="col"'
        f' class="corner">question</th>{heads}</tr></thead><tbody>{lines}</tbody>'
        f"</table></div>{rest}</details>"
    )


def _answer_cell(said: str | None, right: str) -> str:
    if said is None:
        return '<td class="left-out">not answered</td>'
    word = "right" if said == right else "wrong"
    return (
        f'<td class="{"correct" if said == right else "incorrect"}">{text(said)} <span'
        f' class="about">{word}</span></td>'
    )


# --- published
# --------------------------------------------------------------------------------------------------


class PublishedJudgeRow(NamedTuple):
    """A row of a published table.

    `note` says what is wrong in it, "" where nothing is known to be.
    """

    model: str
    cells: tuple[str, ...]
    note: str = ""


def published(rows: Sequence[PublishedJudgeRow], columns: Sequence[str], source: str) -> str:
    """Numbers as they were published, none of them ours.

    A row with a note carries a sign and the note beneath the table.
    """
    heads = "".join(f'<th scope="col">{text(name)}</th>' for name in columns)
    noted = [row for row in rows if row.note]
    lines = "".join(
        f'<tr{" class=noted" if row.note else ""}><th scope="row">{text(row.model)}'
        f"{f'<sup>{noted.index(row) + 1}</sup>' if row.note else ''}</th>"
        f"{''.join(f'<td>{text(cell)}</td>' for cell in row.cells)}</tr>"
        for row in rows
    )
    notes = "".join(
        f"<li><sup>{n}</sup> {text(row.model)}: {text(row.note)}</li>"
        for n, row in enumerate(noted, 1)
    )
    return (
        '<section class="panel judges-published"><h2>Published</h2><p'
        f' class="soft">{text(source)}</p><div class="scroll" tabindex="0" role="region"'
        ' aria-label="Published results"><table><thead><tr><th scope="col"'
        f' class="corner">model</th>{heads}</tr></thead><tbody>{lines}</tbody></table></div><ol'
        f' class="notes">{notes}</ol></section>'
    )

"""Turns the rows of I-HallA's tables into questions, texts and categories.

What cannot be read is left out whole and added to `complaints`.
"""

import re
from collections.abc import Callable, Iterable
from typing import TypeVar

from hallascope.data.files import cells
from hallascope.data.files.sheets import Complaint, SheetRow, is_error
from hallascope.data.records import Category, Question

QUESTION_COLUMNS = ("data_index", "cois", "question", "choices", "answer")
QUESTIONS_A_PROMPT = 5
DEPENDS_ON = "depends_on"  # the numbers of the questions that must be answered as expected
Mend = Callable[[Question], Question]
T = TypeVar("T")


def questions(
    lines: Iterable[SheetRow],
    complaints: list[Complaint],
    *,
    expected: int | None = QUESTIONS_A_PROMPT,
    mend: Mend | None = None,
) -> dict[int, tuple[Question, ...]]:
    """Return the questions by data_index.

    A row that cannot be read whole is left out, and a prompt with too few or many is named.

    `expected` questions a prompt (None: any number will do). `mend` may change a question, or
    refuse it with UnreadableCell.
    """
    by_prompt: dict[int, list[Question]] = {}
    rows: dict[int, list[SheetRow]] = {}
    for line in lines:
        with cells.leave_out(line, complaints, "question"):
            index = cells.number(line.cells["data_index"])
            rows.setdefault(index, []).append(line)
            question = mend(_question(line)) if mend else _question(line)
            own = by_prompt.setdefault(index, [])
            if any(question.text == other.text for other in own):
                twice = f"the question of prompt {index} stands there twice; the second is left out"
                complaints.append(line.complaint(twice))
            else:
                own.append(question)
    for index, found in rows.items():
        if expected is not None and len(found) != expected:
            problem = f"prompt {index} has {len(found)} questions and not {expected}"
            complaints.append(found[-1].complaint(f"{problem}; this is its last"))
    return {index: tuple(questions) for index, questions in by_prompt.items()}


def _question(line: SheetRow) -> Question:
    fields = {name: _required_text(line, name) for name in QUESTION_COLUMNS[1:]}
    choices = cells.choices(fields["choices"])
    gold = cells.answer(fields["answer"], choices)
    coi = cells.coi(fields["cois"])
    regions = cells.regions(line.cells.get("regions", ""))
    origin = line.cells.get("origin", "")
    return Question(
        text=fields["question"],
        choices=choices,
        gold=gold,
        coi=coi,
        regions=regions,
        origin=origin,
        parents=tuple(map(int, re.findall(r"\d+", line.cells.get(DEPENDS_ON, "")))),
    )


def _required_text(line: SheetRow, column: str) -> str:
    """Return the cell's text. Raises UnreadableCell where it is empty or an Excel error."""
    cell = line.cells[column]
    if not cell:
        raise cells.UnreadableCell(f"the cell {column!r} is empty")
    if is_error(cell):
        raise cells.UnreadableCell(f"the cell {column!r} holds the Excel error {cell}")
    return cell


def by_index(lines: Iterable[SheetRow], column: str, complaints: list[Complaint]) -> dict[int, str]:
    """Return one text a data_index; the first stays where there are two."""
    return read_by_index(lines, lambda line: _required_text(line, column), complaints)


def read_by_index(
    lines: Iterable[SheetRow], read: Callable[[SheetRow], T], complaints: list[Complaint]
) -> dict[int, T]:
    """Return what `read` makes of the row of each data_index; the first stays of two."""
    values: dict[int, T] = {}
    for line in lines:
        with cells.leave_out(line, complaints):
            index = cells.number(line.cells["data_index"])
            value = read(line)
            if index in values:
                twice = f"the data_index {index} stands there twice; the second row is left out"
                complaints.append(line.complaint(twice))
            else:
                values[index] = value
    return values


def categories(lines: Iterable[SheetRow], complaints: list[Complaint]) -> dict[int, Category]:
    """Return the category by data_index, where a column of that name offers one.

    The real files have no such column.
    """
    by_prompt: dict[int, Category] = {}
    for line in lines:
        cell = line.cells.get("category", "")
        if not cell:
            continue
        with cells.leave_out(line, complaints, "category"):
            by_prompt.setdefault(cells.number(line.cells["data_index"]), cells.category(cell))
    return by_prompt

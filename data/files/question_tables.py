"""Turns the rows of I-HallA's tables into questions, texts and categories.

What cannot be read is left out whole and added to `complaints`.
"""

from collections.abc import Callable, Iterable
from typing import TypeVar

from hallascope.data.files import cells
from hallascope.data.files.sheets import Complaint, SheetRow, is_error
from hallascope.data.records import Category, Question

QUESTION_COLUMNS = ("data_index", "cois", "question", "choices", "answer")
QUESTIONS_A_PROMPT = 5
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
        try:
            index = cells.number(line.cells["data_index"])
            rows.setdefault(index, []).append(line)
            question = mend(_question(line)) if mend else _question(line)
        except cells.UnreadableCell as problem:
            complaints.append(line.complaint(f"{problem}; the question is left out"))
            continue
        if any(question.text == other.text for other in by_prompt.get(index, ())):
            complaints.append(
                line.complaint(
                    f"the question of prompt {index} stands there twice; the second is left out"
                )
            )
            continue
        by_prompt.setdefault(index, []).append(question)
    for index, own in rows.items():
        if expected is not None and len(own) != expected:
            complaints.append(
                own[-1].complaint(
                    f"prompt {index} has {len(own)} questions and not {expected}; this is its last"
                )
            )
    return {index: tuple(questions) for index, questions in by_prompt.items()}


def _question(line: SheetRow) -> Question:
    fields = {name: _required_text(line, name) for name in QUESTION_COLUMNS[1:]}
    choices = cells.choices(fields["choices"])
    gold = cells.answer(fields["answer"], choices)
    coi = cells.coi(fields["cois"])
    regions = cells.regions(line.cells.get("regions", ""))
    origin = line.cells.get("origin", "")
    return Question(
        text=fields["question"], choices=choices, gold=gold, coi=coi, regions=regions, origin=origin
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
    return _read_by_index(lines, lambda line: _required_text(line, column), complaints)


def rows_by_index(lines: Iterable[SheetRow], complaints: list[Complaint]) -> dict[int, SheetRow]:
    """Return one row a data_index; the first stays where there are two."""
    return _read_by_index(lines, lambda line: line, complaints)


def _read_by_index(
    lines: Iterable[SheetRow], read: Callable[[SheetRow], T], complaints: list[Complaint]
) -> dict[int, T]:
    values: dict[int, T] = {}
    for line in lines:
        try:
            index = cells.number(line.cells["data_index"])
            value = read(line)
        except cells.UnreadableCell as problem:
            complaints.append(line.complaint(f"{problem}; the row is left out"))
            continue
        if index in values:
            complaints.append(
                line.complaint(
                    f"the data_index {index} stands there twice; the second row is left out"
                )
            )
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
        try:
            by_prompt.setdefault(cells.number(line.cells["data_index"]), cells.category(cell))
        except cells.UnreadableCell as problem:
            complaints.append(line.complaint(f"{problem}; the category is left out"))
    return by_prompt

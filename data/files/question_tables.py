"""Turns the rows of I-HallA's tables into questions, texts and categories.

What cannot be read is left out whole and added to `complaints`.
"""

from collections import Counter
from collections.abc import Callable, Iterable

from hallascope.data.files import cells
from hallascope.data.files.sheets import Complaint, SheetRow, is_error
from hallascope.data.records import Category, Question

QUESTION_COLUMNS = ("data_index", "cois", "question", "choices", "answer")
QUESTIONS_A_PROMPT = 5
Mend = Callable[[Question], Question]


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
    found: dict[int, list[Question]] = {}
    rows: Counter[int] = Counter()
    last: dict[int, SheetRow] = {}
    for line in lines:
        try:
            index = cells.number(line.cells["data_index"])
            rows[index] += 1
            last[index] = line
            question = mend(_question(line)) if mend else _question(line)
        except cells.UnreadableCell as problem:
            complaints.append(line.complaint(f"{problem}; the question is left out"))
            continue
        if any(question.text == other.text for other in found.get(index, ())):
            complaints.append(
                line.complaint(
                    f"the question of prompt {index} stands there twice; the second is left out"
                )
            )
            continue
        found.setdefault(index, []).append(question)
    for index, count in rows.items():
        if expected is not None and count != expected:
            complaints.append(
                last[index].complaint(
                    f"prompt {index} has {count} questions and not {expected}; this is its last"
                )
            )
    return {index: tuple(questions) for index, questions in found.items()}


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
    found: dict[int, str] = {}
    for line in lines:
        try:
            index = cells.number(line.cells["data_index"])
            text = _required_text(line, column)
        except cells.UnreadableCell as problem:
            complaints.append(line.complaint(f"{problem}; the row is left out"))
            continue
        if index in found:
            complaints.append(
                line.complaint(
                    f"the data_index {index} stands there twice; the second row is left out"
                )
            )
        else:
            found[index] = text
    return found


def categories(lines: Iterable[SheetRow], complaints: list[Complaint]) -> dict[int, Category]:
    """Return the category by data_index, where a column of that name offers one.

    The real files have no such column.
    """
    found: dict[int, Category] = {}
    for line in lines:
        cell = line.cells.get("category", "")
        if not cell:
            continue
        try:
            found.setdefault(cells.number(line.cells["data_index"]), cells.category(cell))
        except cells.UnreadableCell as problem:
            complaints.append(line.complaint(f"{problem}; the category is left out"))
    return found

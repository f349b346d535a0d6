"""Reads and writes sets of questions, in the authors' spreadsheet form and as JSON lines.

A spreadsheet has the sheet ``Sheet1`` with a row a question (data_index, cois, question, choices,
answer as the authors write them, then origin and regions) and the sheet ``captions`` with a row a
prompt (data_index, caption, and where the set comes from). A text that is longer than `CELL` goes
on in further columns of the same name with a number: ``reasoning 2``. JSON lines hold a set a line.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from hallascope.data.files import cells, json_lines, question_tables
from hallascope.data.files.sheets import Complaint, SheetRow, WorkbookSheet, sheets
from hallascope.data.files.tidy import tidy, tidy_set
from hallascope.data.records import LETTERS, Provenance, Question, QuestionSet

if TYPE_CHECKING:
    from openpyxl.worksheet.worksheet import Worksheet

CELL = 16_000  # characters; Excel takes 32,767 units of UTF-16, and a character is at most two
QUESTIONS = "Sheet1"
CAPTIONS = "captions"
_CAPTION_COLUMNS = ("data_index", "caption")
_FILE = "file"  # the source of a set whose file does not name one
_FORMULA = "=+-@"
T = TypeVar("T")


class QuestionSheetRow(NamedTuple):
    """Holds a row of a sheet to write: its data_index and the pieces of each text by column."""

    number: int
    texts: Mapping[str, Sequence[str]]


# a table is a list of columns, each a name and a function of the record
_QUESTION_COLUMNS: dict[str, Callable[[Question], str]] = {
    "cois": lambda question: question.coi,
    "question": lambda question: question.text,
    "choices": lambda question: "\n".join(
        f"{letter}) {text}" for letter, text in zip(LETTERS, question.choices, strict=True)
    ),
    "answer": lambda question: question.gold,
    "origin": lambda question: question.origin,
    "regions": lambda question: "\n".join(question.regions),
}
_NOBODY = Provenance(judge="", writer="", reasoning="")
_SET_COLUMNS: dict[str, Callable[[QuestionSet], str]] = {
    "caption": lambda found: found.prompt,
    "category": lambda found: found.category.value if found.category else "",
    "field": lambda found: found.field or "",
    "prompt_difficulty": lambda found: found.difficulty or "",
    "domain": lambda found: found.domain or "",
    "source": lambda found: found.source,
    "judge": lambda found: (found.provenance or _NOBODY).judge,
    "writer": lambda found: (found.provenance or _NOBODY).writer,
    "reasoning": lambda found: (found.provenance or _NOBODY).reasoning,
    "templates": lambda found: _pairs((found.provenance or _NOBODY).templates),
    "difficulty": lambda found: _pairs((found.provenance or _NOBODY).difficulty),
    "made": lambda found: (found.provenance or _NOBODY).made,
}


def read_question_file(path: Path) -> tuple[list[QuestionSet], list[Complaint]]:
    """Read the sets of a file that ends in .xlsx or .jsonl, tidy, and what was wrong.

    What cannot be read is left out and named.

    Questions of a spreadsheet that names no prompts, as the authors' own do, come as sets whose
    prompt is "".
    """
    match path.suffix.casefold():
        case ".xlsx":
            return _read_xlsx(path)
        case ".jsonl":
            return json_lines.read_json_lines(path)
    return [], [
        Complaint(
            path.name,
            None,
            None,
            "is neither .xlsx nor .jsonl: save it as one of them, or name it so",
        )
    ]


def write(sets: Sequence[QuestionSet], path: Path) -> None:
    """Write the sets in the form that the ending of the file's name says.

    Raises ValueError for another ending, and as those below.
    """
    match path.suffix.casefold():
        case ".xlsx":
            write_xlsx(sets, path)
        case ".jsonl":
            write_jsonl(sets, path)
        case _:
            raise ValueError(f"the file {path.name!r} is neither .xlsx nor .jsonl: name it so")


def write_jsonl(sets: Sequence[QuestionSet], path: Path) -> None:
    """Write one set a line, in UTF-8.

    Raises ValueError where a set cannot stand (`hallascope.data.files.tidy`), OSError where the
    file cannot be written.
    """
    json_lines.write([tidy_set(question_set) for question_set in sets], path)


def write_xlsx(sets: Sequence[QuestionSet], path: Path) -> None:
    """Write the authors' form; every cell is a text, whatever it begins with.

    Raises ValueError where a set cannot stand (`hallascope.data.files.tidy`), OSError where the
    file cannot be written.
    """
    from openpyxl import Workbook

    numbered = list(enumerate(map(tidy_set, sets), 1))
    book = Workbook()
    book.remove(book.worksheets[0])
    rows = [
        _row(number, _QUESTION_COLUMNS, question)
        for number, question_set in numbered
        for question in question_set.questions
    ]
    _fill(book.create_sheet(QUESTIONS), list(_QUESTION_COLUMNS), rows)
    _fill(
        book.create_sheet(CAPTIONS),
        list(_SET_COLUMNS),
        [_row(number, _SET_COLUMNS, question_set) for number, question_set in numbered],
    )
    book.save(path)


# --- writing


def _row(number: int, columns: Mapping[str, Callable[[T], str]], record: T) -> QuestionSheetRow:
    """Return the texts of a row by column, each in pieces that fit a cell."""
    return QuestionSheetRow(
        number, {name: _pieces(text_of(record)) for name, text_of in columns.items()}
    )


def _pieces(text: str) -> list[str]:
    """Cut a text for cells, where no white space stands that reading would strip."""
    pieces = []
    while len(text) > CELL:
        cut = next(
            (
                at
                for at in range(CELL, CELL // 2, -1)
                if not text[at - 1].isspace() and not text[at].isspace()
            ),
            CELL,
        )
        pieces.append(text[:cut])
        text = text[cut:]
    return [*pieces, text]


def _fill(sheet: "Worksheet", columns: Sequence[str], rows: Sequence[QuestionSheetRow]) -> None:
    widths = {name: max((len(row.texts[name]) for row in rows), default=1) for name in columns}
    names = [
        name if place == 1 else f"{name} {place}"
        for name in columns
        for place in range(1, widths[name] + 1)
    ]
    sheet.append(["data_index", *names])
    for at, row in enumerate(rows, 2):
        sheet.cell(at, 1, row.number)
        texts = [text for name in columns for text in _padded(row.texts[name], widths[name])]
        for column, text in enumerate(texts, 2):
            if text:
                cell = sheet.cell(at, column, text)
                cell.data_type = "s"  # "=1+1" and "#N/A" too are texts here
                cell.quotePrefix = text[0] in _FORMULA  # and stay so when a person edits the cell


def _padded(texts: Sequence[str], width: int) -> list[str]:
    return [*texts, *[""] * (width - len(texts))]


def _pairs(texts: Mapping[str, str]) -> str:
    return json.dumps(dict(texts), ensure_ascii=False) if texts else ""


# --- reading


def _read_xlsx(path: Path) -> tuple[list[QuestionSet], list[Complaint]]:
    book, complaints = sheets(path)
    question_sheet = _find_sheet(book, QUESTIONS) or (book[0] if len(book) == 1 else None)
    caption_sheet = _find_sheet(book, CAPTIONS)
    if question_sheet is None:
        if book:
            names = ", ".join(repr(sheet.name) for sheet in book)
            problem = f"has no sheet {QUESTIONS!r}; its sheets are {names}"
            complaints = [Complaint(path.name, None, None, problem)]
        return [], complaints
    lines = _lines(question_sheet, question_tables.QUESTION_COLUMNS, complaints)
    expected = None if caption_sheet else question_tables.QUESTIONS_A_PROMPT
    questions = question_tables.questions(lines, complaints, expected=expected, mend=tidy)
    if caption_sheet is None:
        complaints.append(
            question_sheet.complaint(
                f"there is no sheet {CAPTIONS!r} beside it, so no question has a prompt; add"
                " it with the columns 'data_index' and 'caption'"
            )
        )
        sets = [QuestionSet(prompt="", questions=own, source=_FILE) for own in questions.values()]
    else:
        captions = _lines(caption_sheet, _CAPTION_COLUMNS, complaints)
        sets = _joined(questions, captions, caption_sheet, complaints)
    return sets, complaints


def _find_sheet(book: Sequence[WorkbookSheet], name: str) -> WorkbookSheet | None:
    return next((sheet for sheet in book if sheet.name.strip().casefold() == name.casefold()), None)


def _lines(
    sheet: WorkbookSheet, columns: tuple[str, ...], complaints: list[Complaint]
) -> list[SheetRow]:
    lines, wrong = sheet.lines(columns)
    complaints += wrong
    return [replace(line, cells=_whole(line.cells)) for line in lines]


def _whole(row: Mapping[str, str]) -> dict[str, str]:
    """Return the cells with the pieces of long texts put together."""
    whole = dict(row)
    for name in row:
        place = 2
        while f"{name}_{place}" in row:
            whole[name] += row[f"{name}_{place}"]
            place += 1
    return whole


def _joined(
    questions: Mapping[int, tuple[Question, ...]],
    lines: Sequence[SheetRow],
    sheet: WorkbookSheet,
    complaints: list[Complaint],
) -> list[QuestionSet]:
    """Return a set for every caption that has questions, in the order of the captions."""
    sets = []
    for index, line in question_tables.rows_by_index(lines, complaints).items():
        if index not in questions:
            complaints.append(
                line.complaint(
                    f"no question was read for data_index {index}; the prompt is left out"
                )
            )
            continue
        try:
            sets.append(tidy_set(_set(line, questions[index], complaints)))
        except ValueError as problem:
            complaints.append(line.complaint(f"{problem}; the set is left out"))
    captioned = {line.cells["data_index"] for line in lines}
    lost = [index for index in sorted(questions) if str(index) not in captioned]
    complaints += [
        sheet.complaint(f"has no caption for data_index {index}; its questions are left out")
        for index in lost
    ]
    return sets


def _set(
    line: SheetRow, questions: tuple[Question, ...], complaints: list[Complaint]
) -> QuestionSet:
    row = line.cells
    return QuestionSet(
        prompt=row["caption"],
        questions=questions,
        category=_or_none(line, "category", cells.category, complaints),
        domain=_or_none(line, "domain", cells.domain, complaints),
        source=row.get("source") or _FILE,
        provenance=Provenance(
            judge=row.get("judge", ""),
            writer=row.get("writer", ""),
            reasoning=row.get("reasoning", ""),
            templates=_or_none(line, "templates", cells.pairs, complaints) or {},
            difficulty=_or_none(line, "difficulty", cells.levels, complaints) or {},
            made=row.get("made", ""),
        ),
        field=_or_none(line, "field", cells.ihalla_field, complaints),
        difficulty=_or_none(line, "prompt_difficulty", cells.level, complaints),
    )


def _or_none(
    line: SheetRow, column: str, read: Callable[[str], T], complaints: list[Complaint]
) -> T | None:
    """Return what the cell says; None where it is empty, or unreadable, which is named."""
    cell = line.cells.get(column, "")
    if not cell:
        return None
    try:
        return read(cell)
    except cells.UnreadableCell as problem:
        complaints.append(line.complaint(f"{problem}; it is left out"))
        return None

"""Reads and writes sets of questions, in the authors' spreadsheet form and as JSON lines.

A spreadsheet has the sheet ``Sheet1`` with a row a question (data_index, cois, question, choices,
answer as the authors write them, then origin and regions) and the sheet ``captions`` with a row a
prompt (data_index, caption, and where the set comes from). A text that is longer than `CELL` goes
on in further columns of the same name with a number: ``reasoning 2``. JSON lines hold a set a line.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, replace
from functools import partial
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from hallascope.data.files import cells, json_lines, question_tables
from hallascope.data.files.csv_tables import BadTable
from hallascope.data.files.published_questions import read_published_questions
from hallascope.data.files.question_tables import DEPENDS_ON
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


Cells = Mapping[str, str]


def read_question_file(path: Path) -> tuple[list[QuestionSet], list[Complaint]]:
    """Read the sets of a file, tidy, and what was wrong; what cannot be read is left out and named.

    Beside our own forms it reads those of `published_questions`.

    Questions of a spreadsheet that names no prompts, as the authors' own do, come as sets whose
    prompt is "".
    """
    match path.suffix.casefold():
        case ".xlsx":
            return _read_xlsx(path)
        case ".jsonl" if json_lines.is_ours(path):
            return json_lines.read_json_lines(path)
        case ".jsonl" | ".json" | ".csv" | ".tsv":
            try:
                return read_published_questions(path)
            except BadTable as error:
                problem = str(error).removeprefix(f"the file {path.name!r} ")
                return [], [Complaint(path.name, None, None, problem)]
    problem = "is none of .xlsx, .jsonl, .json, .csv and .tsv: save it as one of them"
    return [], [Complaint(path.name, None, None, problem)]


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
    questions = [
        (number, _question_cells(question))
        for number, question_set in numbered
        for question in question_set.questions
    ]
    _fill(book.create_sheet(QUESTIONS), questions)
    _fill(book.create_sheet(CAPTIONS), [(number, _set_cells(own)) for number, own in numbered])
    book.save(path)


# --- writing


def _question_cells(question: Question) -> Cells:
    """Return a question by column, as the authors write it."""
    fields = json_lines.question_fields(question)
    choices = zip(LETTERS, question.choices, strict=False)
    fields["choices"] = "\n".join(f"{letter}) {text}" for letter, text in choices)
    fields["regions"] = "\n".join(question.regions)
    if question.parents:
        fields[DEPENDS_ON] = ", ".join(map(str, question.parents))
    return {"cois": str(fields.pop("coi")), **{name: str(own) for name, own in fields.items()}}


def _set_cells(question_set: QuestionSet) -> Cells:
    """Return what a set is besides its questions, by column."""
    fields = json_lines.set_fields(question_set)
    del fields["questions"]
    fields |= asdict(question_set.provenance or Provenance())
    del fields["provenance"]
    texts = {
        name: json.dumps(own, ensure_ascii=False) if own and isinstance(own, dict) else own or ""
        for name, own in fields.items()
    }
    return {"caption": texts.pop("prompt"), **texts}


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


def _fill(sheet: "Worksheet", rows: Sequence[tuple[int, Cells]]) -> None:
    """Write a row a record, its number first; a long text takes several columns."""
    widths: dict[str, int] = {}
    for _, cells_of in rows:
        for name, text in cells_of.items():
            widths[name] = max(widths.get(name, 1), len(_pieces(text)))
    starts = dict(zip(widths, accumulate(widths.values(), initial=2), strict=False))
    sheet.cell(1, 1, "data_index")
    for name, width in widths.items():
        for place in range(width):
            sheet.cell(1, starts[name] + place, f"{name} {place + 1}" if place else name)
    for at, (number, cells_of) in enumerate(rows, 2):
        sheet.cell(at, 1, number)
        for name, text in cells_of.items():
            for column, piece in enumerate(_pieces(text), starts[name]):
                if piece:
                    cell = sheet.cell(at, column, piece)
                    cell.data_type = "s"  # "=1+1" and "#N/A" too are texts here
                    # and stay so when a person edits the cell
                    cell.quotePrefix = piece[0] in _FORMULA


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
    for index, line in question_tables.read_by_index(lines, lambda line: line, complaints).items():
        if index not in questions:
            problem = f"no question was read for data_index {index}; the prompt is left out"
            complaints.append(line.complaint(problem))
            continue
        with cells.leave_out(line, complaints, "set"):
            read = partial(_or_none, line, complaints)
            caption = line.cells["caption"]
            sets.append(tidy_set(json_lines.set_of(line.cells, caption, questions[index], read)))
    captioned = {line.cells["data_index"] for line in lines}
    lost = [index for index in sorted(questions) if str(index) not in captioned]
    complaints += [
        sheet.complaint(f"has no caption for data_index {index}; its questions are left out")
        for index in lost
    ]
    return sets


def _or_none(
    line: SheetRow, complaints: list[Complaint], column: str, read: Callable[[str], T]
) -> T | None:
    """Return what the cell says; None where it is unreadable, which is named."""
    try:
        return read(line.cells[column])
    except cells.UnreadableCell as problem:
        complaints.append(line.complaint(f"{problem}; it is left out"))
        return None

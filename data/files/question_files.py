"""Reads and writes sets of questions, in the authors' spreadsheet form and as JSON lines.

A spreadsheet has the sheet ``Sheet1`` with a row a question (data_index, cois, question, choices,
answer as the authors write them, then origin and regions) and the sheet ``captions`` with a row a
prompt (data_index, caption, and where the set comes from). A text that is longer than `CELL` goes
on in further columns of the same name with a number: ``reasoning 2``. JSON lines hold a set a line.
"""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hallascope.data.files.published_questions import OTHER_FORMS, read_published_questions
from hallascope.data.files.questions import (
    CAPTION_COLUMNS,
    QUESTION_COLUMNS,
    QUESTIONS_A_PROMPT,
    parse_question,
    parse_set,
    question_fields,
    read_by_index,
    read_questions,
    renumber,
    set_fields,
    tidy_set,
)
from hallascope.data.files.tables import (
    BadTable,
    Complaint,
    Sheet,
    TableRow,
    UnreadableCell,
    field_name,
    json_object,
    leave_out,
    read_json_lines,
    read_sheets,
)
from hallascope.data.records import LETTERS, Provenance, Question, QuestionSet

if TYPE_CHECKING:
    from openpyxl.worksheet.worksheet import Worksheet

CELL = 16_000  # characters; Excel takes 32,767 units of UTF-16, and a character is at most two
QUESTIONS = "Sheet1"
CAPTIONS = "captions"
# cut where no white space stands that reading would strip, if possible
_PIECE = re.compile(
    rf".{{1,{CELL}}}\Z|.{{{CELL // 2},{CELL - 1}}}(?<!\s)(?=\S)|.{{1,{CELL}}}", re.DOTALL
)
_FORMULA = "=+-@"
Cells = Mapping[str, str]


def read_question_file(path: Path) -> tuple[list[QuestionSet], list[Complaint]]:
    """Read the sets of a file, tidy, and what was wrong; what cannot be read is left out and named.

    Beside our own forms it reads those of `published_questions`. Questions of a spreadsheet that
    names no prompts, as the authors' own do, come as sets whose prompt is "".
    """
    try:
        match path.suffix.casefold():
            case ".xlsx":
                return _read_xlsx(path)
            case ".jsonl" if _is_ours(path):
                return _read_jsonl(path)
            case ".jsonl" | ".json" | ".csv" | ".tsv":
                return read_published_questions(path)
        problem = "is none of .xlsx, .jsonl, .json, .csv and .tsv: save it as one of them"
    except BadTable as error:
        problem = str(error).removeprefix(f"the file {path.name!r} ")
    return [], [Complaint(path.name, None, None, problem)]


def write(sets: Sequence[QuestionSet], path: Path) -> None:
    """Write the sets in the form that the ending of the file's name says: .xlsx or .jsonl.

    In a spreadsheet every cell is a text, whatever it begins with. Raises ValueError for another
    ending or a set that cannot stand, OSError where the file cannot be written.
    """
    clean = list(map(tidy_set, sets))
    match path.suffix.casefold():
        case ".xlsx":
            _write_xlsx(clean, path)
        case ".jsonl":
            lines = (json.dumps(_json_set(own), ensure_ascii=False) for own in clean)
            text = "".join(f"{own}\n" for own in lines)
            path.write_text(text, encoding="utf-8", newline="\n")
        case _:
            raise ValueError(f"the file {path.name!r} is neither .xlsx nor .jsonl: name it so")


def _json_set(question_set: QuestionSet) -> dict[str, Any]:
    provenance = question_set.provenance
    return set_fields(question_set) | {
        "questions": list(map(question_fields, question_set.questions)),
        "provenance": asdict(provenance) if provenance else None,
    }


def _write_xlsx(sets: Sequence[QuestionSet], path: Path) -> None:
    from openpyxl import Workbook

    numbered = list(enumerate(sets, 1))
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


def _question_cells(question: Question) -> Cells:
    """Return a question by column, as the authors write it."""
    fields = question_fields(question)
    choices = zip(LETTERS, question.choices, strict=False)
    fields["choices"] = "\n".join(f"{letter}) {text}" for letter, text in choices)
    fields["regions"] = "\n".join(question.regions)
    if question.parents:
        fields["depends_on"] = ", ".join(map(str, question.parents))
    return {"cois": str(fields.pop("coi")), **{name: str(own) for name, own in fields.items()}}


def _set_cells(question_set: QuestionSet) -> Cells:
    """Return what a set is besides its questions, by column."""
    fields = set_fields(question_set) | asdict(question_set.provenance or Provenance())
    texts = {
        name: json.dumps(own, ensure_ascii=False) if own and isinstance(own, dict) else own or ""
        for name, own in fields.items()
    }
    return {"caption": texts.pop("prompt"), **texts}


def _fill(sheet: "Worksheet", rows: Sequence[tuple[int, Cells]]) -> None:
    """Write a row a record, its number first; a long text takes several columns."""
    pieces: list[dict[str, str | int]] = [
        {"data_index": number}
        | {
            f"{name} {place}" if place > 1 else name: piece
            for name, text in cells.items()
            for place, piece in enumerate(_PIECE.findall(text) or [""], 1)
        }
        for number, cells in rows
    ]
    columns = list(dict.fromkeys(name for own in pieces for name in own))
    sheet.append(columns)
    for at, own in enumerate(pieces, 2):
        for column, name in enumerate(columns, 1):
            if piece := own.get(name):
                cell = sheet.cell(at, column, piece)
                if isinstance(piece, str):
                    cell.data_type = "s"  # "=1+1" and "#N/A" too are texts here
                    # and stay so when a person edits the cell
                    cell.quotePrefix = piece[0] in _FORMULA


# --- reading


def _is_ours(path: Path) -> bool:
    """Return whether the first line is a set as we write it, or cannot be read at all."""
    try:
        with path.open("rb") as file:
            fields = json_object(file.readline(2**24))
    except OSError:
        return True
    if fields is None:
        return True
    match fields.get("questions"):
        case [str(), *_]:
            return False
        case [dict() as question, *_]:
            return "coi" in question or "answer" not in question
    return "questions" in fields or not OTHER_FORMS & {name.casefold() for name in fields}


def _read_jsonl(path: Path) -> tuple[list[QuestionSet], list[Complaint]]:
    complaints: list[Complaint] = []
    sets: list[QuestionSet] = []
    for row, fields in read_json_lines(path, complaints):
        with leave_out(row, complaints, "set"):
            listed, provenance = fields.get("questions"), fields.get("provenance")
            provenance = {} if provenance is None else provenance
            if not isinstance(listed, list):
                raise UnreadableCell("has no list 'questions'")
            if not isinstance(provenance, dict):
                raise UnreadableCell("its provenance is no JSON object")
            questions: dict[int, Question] = {}
            for place, own in enumerate(listed, 1):
                with leave_out(row, complaints, f"question {place}"):
                    if not isinstance(own, dict):
                        raise UnreadableCell(f"question {place} is no JSON object")
                    questions[place] = parse_question(own)
            places = {number: place for place, number in enumerate(questions, 1)}
            numbered = renumber(questions.values(), places)
            sets.append(parse_set(row, fields | provenance, numbered, complaints))
    if not sets and not complaints:
        complaints.append(Complaint(path.name, None, None, "holds no set of questions"))
    return sets, complaints


def _read_xlsx(path: Path) -> tuple[list[QuestionSet], list[Complaint]]:
    complaints: list[Complaint] = []
    book = read_sheets(path)
    question_sheet = _find_sheet(book, QUESTIONS) or (book[0] if len(book) == 1 else None)
    caption_sheet = _find_sheet(book, CAPTIONS)
    if question_sheet is None:
        if book:
            names = ", ".join(repr(sheet.name) for sheet in book)
            problem = f"has no sheet {QUESTIONS!r}; its sheets are {names}"
            complaints = [Complaint(path.name, None, None, problem)]
        return [], complaints
    rows = _read_whole(question_sheet, QUESTION_COLUMNS, complaints)
    expected = None if caption_sheet else QUESTIONS_A_PROMPT
    questions = read_questions(rows, complaints, expected)
    if caption_sheet is None:
        problem = (
            f"there is no sheet {CAPTIONS!r} beside it, so no question has a prompt; add it with"
            " the columns 'data_index' and 'caption'"
        )
        complaints.append(question_sheet.complaint(problem))
        sets = [QuestionSet(prompt="", questions=own, source="file") for own in questions.values()]
        return sets, complaints
    captions = _read_whole(caption_sheet, CAPTION_COLUMNS, complaints)
    return _join_captions(questions, captions, caption_sheet, complaints), complaints


def _find_sheet(book: Sequence[Sheet], name: str) -> Sheet | None:
    return next((sheet for sheet in book if sheet.name.strip().casefold() == name.casefold()), None)


def _read_whole(
    sheet: Sheet, columns: tuple[str, ...], complaints: list[Complaint]
) -> list[TableRow]:
    """Return the rows with the pieces of long texts put together."""
    rows: list[TableRow] = []
    for row in sheet.read_rows(columns, complaints):
        whole = dict(row.cells)
        for name in row.cells:
            place = 2
            while f"{name} {place}" in row.cells:
                whole[name] += row.cells[f"{name} {place}"]
                place += 1
        rows.append(replace(row, cells=whole))
    return rows


def _join_captions(
    questions: Mapping[int, tuple[Question, ...]],
    rows: Sequence[TableRow],
    sheet: Sheet,
    complaints: list[Complaint],
) -> list[QuestionSet]:
    """Return a set for every caption that has questions, in the order of the captions."""
    sets: list[QuestionSet] = []
    for index, row in read_by_index(rows, lambda row: row, complaints).items():
        if index not in questions:
            problem = f"no question was read for data_index {index}; the prompt is left out"
            complaints.append(row.complaint(problem))
            continue
        with leave_out(row, complaints, "set"):
            fields = {field_name(name): cell for name, cell in row.cells.items()}
            fields["prompt"] = fields["caption"]
            sets.append(parse_set(row, fields, questions[index], complaints))
    captioned = {row.cells["data index"] for row in rows}
    complaints += [
        sheet.complaint(f"has no caption for data_index {index}; its questions are left out")
        for index in sorted(questions)
        if str(index) not in captioned
    ]
    return sets

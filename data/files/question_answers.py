"""Reads tables of answers to questions about items, by people and by metrics, row by row.

Columns: ``item, question, answer`` and one or both of ``rater`` and ``metric``, of which each row
has one. Optional: ``depends_on``, the questions about the same item that must be answered as
expected before this one can be (as in DSG; several with commas, "0" for none); ``expected``, the
answer of an item that shows what was asked for, else "yes"; ``group``, the cluster of an item. What
cannot be used is named with file and line.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from hallascope.data.files import tidy
from hallascope.data.files.cells import UnreadableCell
from hallascope.data.files.csv_tables import BadTable, CsvRow, column_titles, rows
from hallascope.data.files.ratings import check_once, read_cell, read_usable
from hallascope.data.files.sheets import Complaint

EXPECTED = "yes"  # of a question without a cell `expected`
_NO_PARENT = ("", "0", "-", "none")
_COLUMNS = ("item", "question", "answer")


class ItemQuestion(NamedTuple):
    """Names a question about an item."""

    item: str
    question: str


class AskedQuestion(NamedTuple):
    """Holds the expected answer of a question, and the questions that it depends on."""

    expected: str
    parents: tuple[str, ...]


class GivenAnswer(NamedTuple):
    """Holds one answer, in lower case, by a metric or by a person, and its group or ""."""

    asked: ItemQuestion
    by: str
    is_metric: bool
    answer: str
    group: str
    row: CsvRow


@dataclass(frozen=True)
class AnswerTable:
    """Holds the rows that can be used, all questions, and what was wrong with the rest."""

    file: str
    answers: tuple[GivenAnswer, ...]
    questions: Mapping[ItemQuestion, AskedQuestion]
    complaints: tuple[Complaint, ...]

    def by_name(self, *, metrics: bool) -> dict[str, dict[ItemQuestion, str]]:
        """Return the answers of each metric, or of each rater, by question."""
        by_name: dict[str, dict[ItemQuestion, str]] = {}
        for given in self.answers:
            if given.is_metric == metrics:
                by_name.setdefault(given.by, {})[given.asked] = given.answer
        return by_name


def read_answers(path: Path, missing: Sequence[str] = ()) -> AnswerTable:
    """Read answers; rows whose answer is one of the texts in `missing` are none.

    Raises BadTable, also where a question depends on one that is not asked about the same item, or
    on itself.
    """
    if not {"rater", "metric"} & column_titles(path, _COLUMNS).keys():
        raise BadTable(
            f"the file {path.name!r} has neither a column 'rater' nor a column 'metric': say who"
            " gave each answer"
        )
    complaints: list[Complaint] = []
    seen = _SeenCells()
    optional = ("rater", "metric", "depends on", "expected", "group")
    found = rows(path, _COLUMNS, complaints, optional=optional)
    answers = read_usable(
        path, found, "answer", lambda row: _read_answer(row, seen), complaints, missing
    )
    questions = _link_questions(answers, seen)
    return AnswerTable(path.name, tuple(answers), questions, tuple(complaints))


class _SeenCells:
    """Remembers what the rows before said of each question, and where."""

    def __init__(self) -> None:
        self.said: dict[tuple[ItemQuestion, str], str] = {}
        self.lines: dict[object, int] = {}

    def check_same(self, asked: ItemQuestion, column: str, cell: str) -> None:
        """Raise UnreadableCell where an earlier row says something else; "" says nothing."""
        if cell and self.said.setdefault((asked, column), cell) != cell:
            raise UnreadableCell(
                f"the column {column!r} of the question {asked.question!r} about {asked.item!r} is"
                f" {cell!r} and before it {self.said[asked, column]!r}"
            )


def _read_answer(row: CsvRow, seen: _SeenCells) -> GivenAnswer:
    """Raises UnreadableCell."""
    item, question, _ = (read_cell(row, name) for name in _COLUMNS)
    rater, metric = (tidy.line(row.cells.get(name, "")) for name in ("rater", "metric"))
    if bool(rater) == bool(metric):
        raise UnreadableCell(
            "the row names a rater and a metric: name one"
            if rater
            else "the row names neither a rater nor a metric"
        )
    group = read_cell(row, "group")
    asked = ItemQuestion(item, question)
    by = rater or metric
    what = f"{by!r} has an answer to {question!r} about {item!r}"
    check_once((asked, by, bool(metric)), row, seen.lines, what)
    seen.check_same(asked, "expected", _plain(row.cells.get("expected", "")))
    seen.check_same(asked, "depends on", tidy.line(row.cells.get("depends on", "")))
    return GivenAnswer(asked, by, bool(metric), _plain(row.cells["answer"]), group, row)


def _plain(cell: str) -> str:
    return tidy.line(cell).strip(" .").casefold()


def _link_questions(
    answers: Iterable[GivenAnswer], seen: _SeenCells
) -> dict[ItemQuestion, AskedQuestion]:
    """Return all questions with what they depend on. Raises BadTable."""
    rows_of: dict[ItemQuestion, CsvRow] = {}
    for given in answers:
        rows_of.setdefault(given.asked, given.row)
    questions = {}
    for asked, row in rows_of.items():
        cell = seen.said.get((asked, "depends on"), "")
        whole = ItemQuestion(asked.item, cell) in rows_of  # a text may have commas of its own
        names = [cell] if whole else [name.strip() for name in re.split("[,;]", cell)]
        parents = tuple(
            name
            for name in names
            if ItemQuestion(asked.item, name) in rows_of or name.casefold() not in _NO_PARENT
        )
        for name in parents:
            if ItemQuestion(asked.item, name) not in rows_of:
                raise BadTable(
                    f"{row.file}, row {row.line}: the question {asked.question!r} depends on"
                    f" {name!r}, which is not asked about {asked.item!r}: name a question of this"
                    " item"
                )
        questions[asked] = AskedQuestion(seen.said.get((asked, "expected"), EXPECTED), parents)
    for asked, row in rows_of.items():
        if asked.question in list_ancestors(asked, questions):
            raise BadTable(
                f"{row.file}, row {row.line}: the question {asked.question!r} about {asked.item!r}"
                " depends on itself: take one of the dependencies out"
            )
    return questions


def list_ancestors(
    asked: ItemQuestion, questions: Mapping[ItemQuestion, AskedQuestion]
) -> set[str]:
    """Return all questions about the item that a question depends on, through any number of steps.

    The question itself is among them where it depends on itself.
    """
    waiting = list(questions[asked].parents)
    ancestors: set[str] = set()
    while waiting:
        name = waiting.pop()
        if name not in ancestors:
            ancestors.add(name)
            waiting += questions[ItemQuestion(asked.item, name)].parents
    return ancestors

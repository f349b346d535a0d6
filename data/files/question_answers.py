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
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from typing import Annotated, NamedTuple

from pydantic import AfterValidator

from hallascope.data.files.ratings import check_once, read_usable
from hallascope.data.files.row_records import CleanText, FilledText, parse_row
from hallascope.data.files.tables import (
    BadTable,
    Complaint,
    TableRow,
    UnreadableCell,
    read_rows,
    read_titles,
)

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


_Said = dict[tuple[ItemQuestion, str], str]  # the cells of a question by column


def _folded(text: str) -> str:
    return text.strip(" .").casefold()


@dataclass(frozen=True, kw_only=True)
class GivenAnswer:
    """Holds one answer, in lower case, by a metric or by a person, and its group or ""."""

    item: FilledText
    question: FilledText
    answer: Annotated[FilledText, AfterValidator(_folded)]
    row: TableRow
    rater: CleanText = ""
    metric: CleanText = ""
    group: FilledText = ""
    expected: Annotated[CleanText, AfterValidator(_folded)] = ""
    depends_on: CleanText = ""

    def __post_init__(self) -> None:
        if bool(self.rater) == bool(self.metric):
            raise ValueError(
                "the row names a rater and a metric: name one"
                if self.rater
                else "the row names neither a rater nor a metric"
            )

    @property
    def asked(self) -> ItemQuestion:
        return ItemQuestion(self.item, self.question)

    @property
    def by(self) -> str:
        return self.rater or self.metric

    @property
    def is_metric(self) -> bool:
        return bool(self.metric)


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
    if not {"rater", "metric"} & read_titles(path, _COLUMNS).keys():
        raise BadTable(
            f"the file {path.name!r} has neither a column 'rater' nor a column 'metric': say who"
            " gave each answer"
        )
    complaints: list[Complaint] = []
    lines: dict[object, int] = {}
    said: _Said = {}

    def read(row: TableRow) -> GivenAnswer:
        given = parse_row(GivenAnswer, row)
        what = f"{given.by!r} has an answer to {given.question!r} about {given.item!r}"
        check_once((given.asked, given.by, given.is_metric), row, lines, what)
        for column, cell in (("expected", given.expected), ("depends on", given.depends_on)):
            if cell and said.setdefault((given.asked, column), cell) != cell:
                raise UnreadableCell(
                    f"the column {column!r} of the question {given.question!r} about"
                    f" {given.item!r} is {cell!r} and before it {said[given.asked, column]!r}"
                )
        return given

    optional = ("rater", "metric", "depends on", "expected", "group")
    found = read_rows(path, _COLUMNS, complaints, optional=optional)
    answers = read_usable(path, found, "answer", read, complaints, missing)
    questions = _link_questions(answers, said)
    return AnswerTable(path.name, tuple(answers), questions, tuple(complaints))


def _link_questions(
    answers: Iterable[GivenAnswer], said: _Said
) -> dict[ItemQuestion, AskedQuestion]:
    """Return all questions with what they depend on. Raises BadTable."""
    rows_of: dict[ItemQuestion, TableRow] = {}
    for given in answers:
        rows_of.setdefault(given.asked, given.row)
    questions = {}
    for asked, row in rows_of.items():
        cell = said.get((asked, "depends on"), "")
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
        questions[asked] = AskedQuestion(said.get((asked, "expected"), EXPECTED), parents)
    parents_of = {
        asked: [ItemQuestion(asked.item, name) for name in own.parents]
        for asked, own in questions.items()
    }
    try:
        TopologicalSorter(parents_of).prepare()
    except CycleError as error:
        asked = next(asked for asked in rows_of if asked in error.args[1])
        raise BadTable(
            f"{rows_of[asked].file}, row {rows_of[asked].line}: the question {asked.question!r}"
            f" about {asked.item!r} depends on itself: take one of the dependencies out"
        ) from None
    return questions

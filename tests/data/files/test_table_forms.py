"""A table reads the same in every supported form, and a damaged one gives a sentence."""

import csv
import gzip
import io
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from openpyxl import Workbook

from hallascope.data.files import tidy
from hallascope.data.files.csv_tables import BadTable
from hallascope.data.files.preferences import PreferenceTable, read_preferences
from hallascope.data.files.question_answers import AnswerTable, read_answers
from hallascope.data.files.ratings import Table, read_ratings, read_scores

Reader = Callable[[Path], Table | PreferenceTable | AnswerTable]
Cell = str | float | None
Values = Mapping[tuple[str, str], float]
ON_DISK = settings(
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow], deadline=None
)
ODD = st.text("ab,;\"'=_0. ", min_size=1, max_size=8)
TEXTS = (ODD | st.text(max_size=12)).map(tidy.line).filter(bool)
RESERVED = {"item", "rater", "metric", "value", "group", "dimension"}


def fold(name: str) -> str:
    """Return a name as columns are compared: without case, words apart."""
    return " ".join(name.replace("_", " ").split()).casefold()


RATERS = st.lists(
    TEXTS.filter(lambda name: fold(name) not in {"", *RESERVED}),
    min_size=1,
    max_size=4,
    unique_by=fold,
)
NUMBERS = st.integers(-999_999, 999_999).map(lambda number: number / 100)


class Form(NamedTuple):
    """Holds how a table of text is written."""

    wide: bool
    separator: str
    end: str
    comma: bool
    encoding: str
    packed: bool


FORMS = st.builds(
    Form,
    wide=st.booleans(),
    separator=st.sampled_from(",;\t"),
    end=st.sampled_from(("\n", "\r\n", "\r")),
    comma=st.booleans(),
    encoding=st.sampled_from(("utf-8", "utf-8-sig", "utf-16")),
    packed=st.booleans(),
)


@st.composite
def values(draw: st.DrawFn) -> Values:
    """Return values by item and rater, at least one."""
    items = draw(st.lists(TEXTS, min_size=1, max_size=4, unique=True))
    raters = draw(RATERS)
    places = [(item, rater) for item in items for rater in raters]
    chosen = draw(st.lists(st.sampled_from(places), min_size=1, unique=True))
    return {place: draw(NUMBERS) for place in places if place in chosen}


def cells_of(table: Values, wide: bool) -> list[list[Cell]]:
    """Return the rows of a table, its header first; None is an empty cell."""
    if not wide:
        long: list[list[Cell]] = [["item", "rater", "value"]]
        for (item, rater), value in table.items():
            long.append([item, rater, value])
        return long
    raters = list(dict.fromkeys(rater for _, rater in table))
    rows: list[list[Cell]] = [["item", *raters]]
    for item in dict.fromkeys(item for item, _ in table):
        rows.append([item, *(table.get((item, rater)) for rater in raters)])
    return rows


def write_text(rows: list[list[Cell]], form: Form) -> bytes:
    buffer = io.StringIO(newline="")
    writer = csv.writer(buffer, delimiter=form.separator, lineterminator=form.end)
    for row in rows:
        texts = ["" if cell is None else str(cell) for cell in row]
        if form.comma:
            texts = [
                text.replace(".", ",") if isinstance(cell, float) else text
                for cell, text in zip(row, texts, strict=True)
            ]
        writer.writerow(texts)
    content = buffer.getvalue().encode(form.encoding)
    return gzip.compress(content) if form.packed else content


def refusal(read: Reader, path: Path) -> str:
    """Return why a table is refused, or "" where it is read and every fault has its words."""
    try:
        found = read(path)
    except BadTable as error:
        return str(error)
    assert all(complaint.problem for complaint in found.complaints)
    return ""


def read_values(path: Path) -> Values:
    found = read_ratings(path)
    assert found.complaints == ()
    return {(number.item, number.by): number.value for number in found.numbers}


@ON_DISK
@given(values(), FORMS)
@example({("0", ";"): 0.0}, Form(True, "\t", "\n", False, "utf-8", False))
def test_a_table_of_text_reads_the_same_in_every_form(
    tmp_path: Path, table: Values, form: Form
) -> None:
    path = tmp_path / "r.csv"
    path.write_bytes(write_text(cells_of(table, form.wide), form))
    assert read_values(path) == table


@settings(ON_DISK, max_examples=25)
@given(values(), st.booleans())
def test_a_sheet_of_excel_reads_the_same(tmp_path: Path, table: Values, wide: bool) -> None:
    book = Workbook()
    for number, row in enumerate(cells_of(table, wide), 1):
        for column, value in enumerate(row, 1):
            cell = book.worksheets[0].cell(number, column, value)
            if isinstance(value, str):
                cell.data_type = "s"  # a text that begins with "=" is no formula
    book.save(tmp_path / "r.xlsx")
    assert read_values(tmp_path / "r.xlsx") == table


@ON_DISK
@given(
    values(),
    FORMS,
    st.integers(0, 10_000),
    st.sampled_from(("cut", "turn", "insert")),
    st.binary(min_size=1, max_size=8),
)
@pytest.mark.parametrize("read", [read_ratings, read_scores, read_preferences, read_answers])
def test_a_damaged_table_is_read_in_part_or_refused_in_a_sentence(
    tmp_path: Path,
    read: Reader,
    table: Values,
    form: Form,
    place: int,
    damage: str,
    noise: bytes,
) -> None:
    content = write_text(cells_of(table, form.wide), form)
    place %= len(content) + 1
    rest = {"cut": b"", "turn": content[place + len(noise) :], "insert": content[place:]}[damage]
    path = tmp_path / "r.csv"
    path.write_bytes(content[:place] + (b"" if damage == "cut" else noise) + rest)
    problem = refusal(read, path)
    assert "\n" not in problem
    assert not problem or "r.csv" in problem


@settings(ON_DISK, max_examples=25)
@given(st.integers(0, 10_000), st.binary(min_size=1, max_size=8))
def test_a_damaged_workbook_is_read_in_part_or_refused_in_a_sentence(
    tmp_path: Path, place: int, noise: bytes
) -> None:
    book = Workbook()
    for row in cells_of({("a", "ann"): 1.0, ("a", "bo"): 2.5}, wide=False):
        book.worksheets[0].append(row)
    path = tmp_path / "r.xlsx"
    book.save(path)
    content = path.read_bytes()
    place %= len(content)
    path.write_bytes(content[:place] + noise + content[place + len(noise) :])
    problem = refusal(read_ratings, path)
    assert not problem or "'r.xlsx'" in problem

"""Tables as text: rows by column name with the line on which they begin, and every fault named with
it.
"""

import csv
import io
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hallascope.data.files.csv_tables import BadTable, CsvRow, rows
from hallascope.data.files.sheets import Complaint


def read(
    path: Path, content: str | bytes, columns: tuple[str, ...] = ("item", "value")
) -> tuple[list[CsvRow], list[str]]:
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    complaints: list[Complaint] = []
    return rows(path, columns, complaints), [str(one) for one in complaints]


@pytest.fixture
def table(tmp_path: Path) -> Path:
    return tmp_path / "t.csv"


@pytest.mark.parametrize("sign", [",", ";", "\t"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_whatever_stands_between_cells_and_lines_is_read(table: Path, sign: str, end: str) -> None:
    found, wrong = read(
        table, end.join([f" Item {sign}VALUE", f"a{sign}1", "", f'"b{sign}c"{sign}2']) + end
    )
    assert [(row.line, dict(row.cells)) for row in found] == [
        (2, {"item": "a", "value": "1"}),
        (4, {"item": f"b{sign}c", "value": "2"}),
    ]
    assert wrong == []


def test_a_byte_order_mark_and_names_with_signs_between_the_words_do_not_matter(
    table: Path,
) -> None:
    found, _ = read(table, "\ufeffImage_Name,image  type\na,b\n", ("image name", "image type"))
    assert found[0].cells == {"image name": "a", "image type": "b"}


def test_a_row_over_several_lines_has_the_line_on_which_it_begins(table: Path) -> None:
    found, _ = read(table, 'item,value\n"a\nb",1\nc,2\n')
    assert [row.line for row in found] == [2, 4]


def test_empty_cells_at_the_end_of_a_row_do_not_count(table: Path) -> None:
    found, wrong = read(table, "item,value\na,1,,\n")
    assert (len(found), wrong) == (1, [])


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (
            "item,value\na\nb,2\n",
            "t.csv, row 2: has 1 cells where the header names 2; the row is left out",
        ),
        (
            "item,value\na,1,x\nb,2\n",
            "t.csv, row 2: has 3 cells where the header names 2; the row is left out",
        ),
        ('item,value\n"a"x,1\nb,2\n', "t.csv, row 2: is quoted wrongly"),
    ],
)
def test_a_row_that_does_not_fit_is_left_out_and_named_and_the_next_is_read(
    table: Path, content: str, said: str
) -> None:
    found, wrong = read(table, content)
    assert [row.cells["item"] for row in found] == ["b"]
    assert len(wrong) == 1
    assert wrong[0].startswith(said)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("", "no column 'item', its columns are none"),
        ("item,score\n", "no column 'value', its columns are 'item', 'score'"),
        ("item,value,item\n", "the column 'item' twice"),
        (b"item,value\n\xff,1\n", "no UTF-8 text"),
    ],
)
def test_what_is_no_such_table_is_refused_as_a_whole(
    table: Path, content: str | bytes, said: str
) -> None:
    with pytest.raises(BadTable, match=said):
        read(table, content)


def test_a_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadTable, match="cannot be opened"):
        rows(tmp_path / "nowhere.csv", ("item",), [])


cells = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00"), max_size=12)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.tuples(cells, cells), max_size=6))
def test_every_row_that_is_written_is_read_back(table: Path, pairs: list[tuple[str, str]]) -> None:
    stream = io.StringIO()
    csv.writer(stream, quoting=csv.QUOTE_ALL).writerows([("item", "value"), *pairs])
    found, wrong = read(table, stream.getvalue().encode())
    assert [(row.cells["item"], row.cells["value"]) for row in found] == [
        pair for pair in pairs if any(cell.strip() for cell in pair)
    ]
    assert wrong == []


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.text(max_size=200))
def test_no_text_below_a_header_is_more_than_a_complaint(table: Path, text: str) -> None:
    found, wrong = read(table, f"item,value\n{text}".encode(errors="replace"))
    assert all(row.line > 1 for row in found)
    assert all(said.startswith("t.csv, row ") for said in wrong)

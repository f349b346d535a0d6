"""Ratings and scores from tables: what cannot be used is named with file and line, and never taken
in.
"""

import gzip
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from openpyxl import Workbook

from hallascope.data.files.ratings import (
    BadScale,
    Scale,
    Table,
    join_tables,
    read_ratings,
    read_scale_option,
    read_scores,
)
from hallascope.data.files.tables import MOST_UNPACKED, BadTable
from tests.data.cases import cases


def ratings(folder: Path, text: str, scale: Scale | None = None) -> Table:
    (folder / "r.csv").write_text(text, encoding="utf-8")
    return read_ratings(folder / "r.csv", scale)


def test_scores_need_the_name_of_their_metric(tmp_path: Path) -> None:
    (tmp_path / "s.csv").write_text("item,value\na,1\n", encoding="utf-8")
    with pytest.raises(BadTable, match="no column 'metric'"):
        read_scores(tmp_path / "s.csv")


@pytest.mark.parametrize("said", ["1-5", "5..1", "1..1", "a..b", "1..5..9", "nan..2"])
def test_what_is_no_scale_is_refused(said: str) -> None:
    with pytest.raises(BadScale, match=r"such as '1\.\.5'"):
        read_scale_option(said)


def test_declared_missing_values_are_no_ratings_and_no_fault(tmp_path: Path) -> None:
    (tmp_path / "r.csv").write_text("item,rater,value\na,x,NA\na,y,-1\na,z,3\n")
    found = read_ratings(tmp_path / "r.csv", missing=("NA", "-1"))
    assert ([number.value for number in found.numbers], found.complaints) == ([3.0], ())


@pytest.mark.parametrize(
    "content, problem",
    [
        (b"PK\x03\x04rest", r"is no readable Excel file \(BadZipFile\); save it again .*as CSV"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", r"old Excel \(.xls\): save it as .xlsx"),
        (b"\x1f\x8bbroken", "is damaged gzip data"),
        (gzip.compress(bytes(MOST_UNPACKED + 1)), "unpacks to more than 32 MB: unpack it"),
    ],
)
def test_a_file_that_is_no_text_table_is_refused_in_a_sentence(
    tmp_path: Path, content: bytes, problem: str
) -> None:
    (tmp_path / "r.csv").write_bytes(content)
    with pytest.raises(BadTable, match=problem):
        read_ratings(tmp_path / "r.csv")


def test_the_only_filled_sheet_of_a_workbook_is_read_whatever_the_file_is_called(
    tmp_path: Path,
) -> None:
    book = Workbook()
    sheet = book.worksheets[0]
    for row in (
        ["Item", "Rater", "Value"],
        [],
        ["a", "ann", 3],
        ["a", "bo", 2.5],
        ["b", "bo", "x"],
    ):
        sheet.append(row)
    book.create_sheet("empty")
    book.save(tmp_path / "r.xlsx")
    found = read_ratings((tmp_path / "r.xlsx").rename(tmp_path / "r.csv"))
    assert [(one.item, one.by, one.value, one.row.line) for one in found.numbers] == [
        ("a", "ann", 3.0, 3),
        ("a", "bo", 2.5, 4),
    ]
    assert str(found.complaints[0]).startswith("r.csv, row 5: 'value' is 'x': write a number")
    book.create_sheet("Notes").append(["text"])
    book.save(tmp_path / "two.xlsx")
    with pytest.raises(BadTable, match=r"several sheets \('Sheet', 'Notes'\): save the one"):
        read_ratings(tmp_path / "two.xlsx")


@pytest.mark.parametrize(
    "text",
    [
        "item,rater,dimension,value\na,ann,fidelity,1\na,ann,beauty,4\na,bo,fidelity,2\n",
        "item,dimension,ann,bo\na,fidelity,1,2\na,beauty,4,\n",
        "item,rater,fidelity,beauty\na,ann,1,4\na,bo,2,\n",
    ],
)
def test_dimensions_are_a_column_or_several_columns(tmp_path: Path, text: str) -> None:
    rated = ratings(tmp_path, text)
    assert rated.complaints == ()
    assert rated.by_dimension() == {"fidelity": {"a": [1.0, 2.0]}, "beauty": {"a": [4.0]}}
    (tmp_path / "s.csv").write_text("item,metric,value,dimension\na,m,1,any\na,k,3,\nb,m,2,\n")
    tables = join_tables(read_scores(tmp_path / "s.csv"), rated)
    assert tables.scores == {"m": {"a": 1.0}, "k": {"a": 3.0}}
    assert tables.ratings == rated.by_dimension()


@pytest.mark.parametrize(
    "said, bounds, level",
    cases("ratings", "a_scale_has_ends_and_a_level_and_either_may_be_missing"),
)
def test_a_scale_has_ends_and_a_level_and_either_may_be_missing(
    said: str, bounds: list[float] | None, level: str | None
) -> None:
    assert read_scale_option(said) == (bounds and tuple(bounds), level)


def test_an_item_with_two_groups_is_refused(tmp_path: Path) -> None:
    rated = ratings(tmp_path, "item,value,group\na,1,p\na,2,q\n")
    with pytest.raises(BadTable, match="row 3: the item 'a' has the group 'q'"):
        join_tables(rated, rated)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(
        st.text(
            st.characters(
                codec="utf-8",
                exclude_characters='",;\t\r\n\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029',
            ),
            max_size=20,
        ),
        max_size=6,
    )
)
def test_every_row_is_used_or_named(tmp_path: Path, values: list[str]) -> None:
    lines = "".join(f"i{number},{value}\n" for number, value in enumerate(values))
    found = ratings(tmp_path, f"item,value\na,1\n{lines}")
    assert len(found.numbers) + len(found.complaints) == len(values) + 1

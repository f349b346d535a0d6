"""Excel files are read as texts with the place of every cell."""

from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile

from openpyxl import Workbook

from hallascope.data.files.sheets import (
    MOST_UNPACKED,
    Complaint,
    WorkbookSheet,
    is_error,
    sheets,
)


def test_cells_come_as_texts_with_their_row(tmp_path: Path) -> None:
    book = Workbook()
    sheet = book.worksheets[0]
    sheet.title = "First"
    for row in (
        ["A title"],
        ["Data Index", "cois"],
        [3.0, " color "],
        [None, None],
        ["a_x000D_b", 2],
    ):
        sheet.append(row)
    book.save(tmp_path / "a.xlsx")
    [read], complaints = sheets(tmp_path / "a.xlsx")
    assert complaints == []
    lines, wrong = read.lines(("data_index", "cois"))
    assert wrong == []
    assert [(line.row, dict(line.cells)) for line in lines] == [
        (3, {"data_index": "3", "cois": "color"}),
        (5, {"data_index": "a\nb", "cois": "2"}),
    ]


def test_a_missing_or_doubled_column_is_a_complaint_and_no_rows() -> None:
    sheet = WorkbookSheet("a.xlsx", "First", (("cois", "cois"), ("color", "size")))
    lines, wrong = sheet.lines(("data_index", "cois"))
    assert lines == []
    assert [complaint.problem for complaint in wrong] == [
        "has no column 'data_index'; its columns are 'cois', 'cois'",
        "has the column 'cois' twice; rename one",
    ]


def test_a_complaint_names_file_sheet_and_row() -> None:
    assert str(Complaint("a.xlsx", "First", 7, "is odd")) == "a.xlsx, sheet First, row 7: is odd"
    assert str(Complaint("a.csv", None, None, "is odd")) == "a.csv: is odd"


def test_a_file_that_cannot_be_read_is_one_complaint(tmp_path: Path) -> None:
    (tmp_path / "b.xlsx").write_bytes(b"PK no archive")
    for name, problem in (("a.xlsx", "cannot be opened"), ("b.xlsx", "is no readable Excel file")):
        found, [complaint] = sheets(tmp_path / name)
        assert found == []
        assert complaint.problem.startswith(problem)


def test_the_errors_of_excel_are_known() -> None:
    assert is_error("#REF!")
    assert not is_error("REF")


def test_a_workbook_that_unpacks_to_too_much_is_refused_before_it_is_read(tmp_path: Path) -> None:
    path = tmp_path / "bomb.xlsx"
    with ZipFile(path, "w", ZIP_DEFLATED) as archive:
        archive.writestr("xl/worksheets/sheet1.xml", b" " * (MOST_UNPACKED + 2**20))
    assert path.stat().st_size < 2**20
    read, [complaint] = sheets(path)
    assert read == []
    assert complaint.problem == (
        "unpacks to 33 MB and at most 32 MB are read; split it, or save its sheet as .csv"
    )

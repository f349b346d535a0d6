"""Labels, verdicts and attributes that people write come back as they were given, bad lines are
named.
"""

import csv
import io
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hallascope.data.files import label_folder as labels
from hallascope.data.files.human_verdicts import (
    COLUMNS,
    PersonVerdict,
    read_verdicts,
    table,
)
from hallascope.data.files.label_folder import (
    MARKS,
    LabelItem,
    add_labels,
    read_items,
    read_labels,
    read_marks,
    read_typed,
)
from hallascope.data.files.object_attributes import (
    ObjectAttribute,
    parse_object_attributes,
    require_object_attribute,
)
from hallascope.data.files.tables import BadTable
from tests.data.cases import cases
from tests.support import label_folder
from tests.support.label_folder import label


@pytest.fixture
def items(tmp_path: Path) -> list[LabelItem]:
    return label_folder.write(tmp_path)


def test_items_come_back_as_they_were_written(tmp_path: Path, items: list[LabelItem]) -> None:
    assert read_items(tmp_path) == (items, [])
    assert labels.picture(tmp_path, "001").is_file()


def test_the_last_label_of_an_item_by_each_labeler_wins(
    tmp_path: Path, items: list[LabelItem]
) -> None:
    assert read_labels(tmp_path, items) == ({}, [])
    earlier, hers = label(items[0], "BB..."), label(items[0], "AAAAA")
    his, second = label(items[0], "CCCCC", "bo"), label(items[1], "?....", "bo")
    add_labels(tmp_path, [earlier])
    add_labels(tmp_path, [his, hers, second])
    (tmp_path / "labels-model.jsonl").write_text("[]\n", encoding="utf-8")
    assert read_labels(tmp_path, items) == (
        {"ada": {"001": hers}, "bo": {"001": his, "002": second}},
        [],
    )
    assert (earlier.whole, hers.whole) == (False, True)
    found, (complaint,) = read_labels(tmp_path, items, labels.SECOND_LABELS)
    assert (found, complaint.row) == ({}, 1)


def test_a_line_that_was_not_finished_is_named_and_spoils_no_other(
    tmp_path: Path, items: list[LabelItem]
) -> None:
    add_labels(tmp_path, [label(items[0], "AAAAA")])
    with (tmp_path / labels.LABELS).open("a", encoding="utf-8") as file:
        file.write('{"id": "002", "answ')
    add_labels(tmp_path, [label(items[2], "CCCCC")])
    found, complaints = read_labels(tmp_path, items)
    assert set(found["ada"]) == {"001", "003"}
    assert [str(one) for one in complaints] == [
        "labels.jsonl, row 2: is no JSON object; the line is left out"
    ]


def test_items_that_cannot_be_read_are_named_and_a_folder_without_any_is_refused(
    tmp_path: Path, items: list[LabelItem]
) -> None:
    path = tmp_path / labels.ITEMS
    line = labels.item_line(items[0])
    path.write_text(
        line + line + line.replace('"001"', '"../1"') + line.replace('"seed": 1', '"seed": "1"'),
        encoding="utf-8",
    )
    found, complaints = read_items(tmp_path)
    assert found == items[:1]
    assert [one.row for one in complaints] == [2, 3, 4]
    path.write_text("{}\n", encoding="utf-8")
    with pytest.raises(BadTable, match=r"holds no items.jsonl with items \(items.jsonl, row 1: "):
        read_items(tmp_path)
    with pytest.raises(BadTable, match="cannot be opened"):
        read_items(tmp_path / "nowhere")


@pytest.mark.parametrize("typed", ["002: B A E C ?", "2:baec?", " 002 :  B,A,E,C,? "])
def test_typed_labels_are_read_however_they_are_spaced(
    tmp_path: Path, items: list[LabelItem], typed: str
) -> None:
    path = tmp_path / "typed.txt"
    path.write_text(f"# by hand\n\n{typed}\n", encoding="utf-8")
    assert read_typed(path, items, "ada") == ([label(items[1], "BAEC?")], [])


@pytest.mark.parametrize(
    "row, problem",
    cases("labels", "a_row_that_cannot_be_read_is_one_sentence_with_its_line"),
)
def test_a_row_that_cannot_be_read_is_one_sentence_with_its_line(row: str, problem: str) -> None:
    with pytest.raises(BadTable) as caught:
        parse_object_attributes(f"lamp, material, metal\n{row}")
    assert problem in str(caught.value)
    assert "ine 2 of" in str(caught.value)


def test_verdicts_of_people_are_read_as_they_were_written_and_no_cell_is_a_formula(
    tmp_path: Path,
) -> None:
    finding = PersonVerdict(
        image="ab" * 32,
        prompt='=1+1, "é"',
        kind="finding",
        about="- a\tb",
        rater="@Ann",
        value="+",
        when=1_700_000_000.5,
        metric="fig",
    )
    said = [finding, replace(finding, kind="grade", about="", value="7", metric="")]
    (tmp_path / "people.csv").write_text(table(said), encoding="utf-8", newline="")
    assert read_verdicts(tmp_path / "people.csv") == (said, [])
    rows = csv.reader(io.StringIO(table(said)))
    assert not [cell for row in rows for cell in row if cell.startswith(("=", "+", "-", "@"))]


ON_DISK = settings(suppress_health_check=[HealthCheck.function_scoped_fixture])


@ON_DISK
@given(st.text(st.characters(codec="utf-8")) | st.text("012: ABCDE?,\n#"))
def test_whatever_is_typed_every_line_is_taken_or_named(
    tmp_path: Path, items: list[LabelItem], typed: str
) -> None:
    path = tmp_path / "typed.txt"
    path.write_bytes(typed.encode())
    found, complaints = read_typed(path, items, "ada")
    lines = [
        line
        for line in path.read_bytes().decode("utf-8-sig").split("\n")
        if line.strip() and not line.strip().startswith("#")
    ]
    assert len(found) + len(complaints) == len(lines)
    assert all(one.whole and len(one.answers) == 5 for one in found)


@given(st.lists(st.sampled_from(MARKS)), st.sampled_from(["", " ", ", ", "\t"]))
def test_marks_are_read_whatever_stands_between_them(marks: list[str], between: str) -> None:
    assert read_marks(between.join(marks).lower(), len(marks)) == tuple(marks)


# what the store can hold and a line of a form can carry
@ON_DISK
@given(st.text(st.characters(codec="utf-8"), max_size=200))
def test_any_text_is_read_without_a_fault(tmp_path: Path, text: str) -> None:
    path = tmp_path / "people.csv"
    path.write_bytes(f"{','.join(COLUMNS)}\n{text}".encode())
    assert read_verdicts(path)[0] == []


@given(st.text(max_size=200))
def test_any_text_is_read_or_refused_with_one_sentence(text: str) -> None:
    problem = ""
    items: tuple[ObjectAttribute, ...] = ()
    try:
        items = parse_object_attributes(text)
    except BadTable as error:
        problem = str(error)
    assert problem == "" or problem.endswith(".")
    for item in items:
        require_object_attribute(item)

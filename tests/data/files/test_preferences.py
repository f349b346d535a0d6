"""Choices between two items from tables: what cannot be used is named with file and line."""

from pathlib import Path

import pytest

from hallascope.data.files.csv_tables import BadTable
from hallascope.data.files.preferences import PreferenceTable, read_preferences


def preferences(folder: Path, text: str, missing: tuple[str, ...] = ()) -> PreferenceTable:
    (folder / "p.csv").write_text(text, encoding="utf-8")
    return read_preferences(folder / "p.csv", missing)


def test_choices_are_read_whatever_their_case_with_and_without_raters(tmp_path: Path) -> None:
    found = preferences(
        tmp_path,
        "item_a,item_b,rater,choice,group\nx,y,ann,A,p\nx,z,ann,item_b,p\ny,z,bo, Tie ,q\n"
        "x,y,bo,unreadable,p\nx,z,bo,NA,p\n",
        missing=("NA",),
    )
    assert found.complaints == ()
    assert [(one.item_a, one.item_b, one.rater, one.choice) for one in found.preferences] == [
        ("x", "y", "ann", "a"),
        ("x", "z", "ann", "b"),
        ("y", "z", "bo", "tie"),
        ("x", "y", "bo", "unreadable"),
    ]
    alone = preferences(tmp_path, "item a,item b,choice\nx,y,a\nx,y,a\n")
    assert [one.rater for one in alone.preferences] == ["", ""]


@pytest.mark.parametrize(
    ("row", "problem"),
    [
        ("x,x,ann,a,p", "the item 'x' is compared with itself"),
        (",y,ann,a,p", "the item a is empty"),
        ("x,z,,a,p", "the rater is empty"),
        ("x,z,ann,a,", "the group is empty"),
        ("x,z,ann,left,p", "the choice 'left' is none of a, b, tie, unreadable"),
        ("x,z,ann,,p", "the choice '' is none of"),
        ("y,x,ann,b,p", "'ann' chose between 'y' and 'x' at line 2 already"),
    ],
)
def test_a_row_that_says_nothing_or_says_it_twice_is_left_out(
    tmp_path: Path, row: str, problem: str
) -> None:
    found = preferences(tmp_path, f"item_a,item_b,rater,choice,group\nx,y,ann,a,p\n{row}\n")
    assert len(found.preferences) == 1
    assert str(found.complaints[0]).startswith("p.csv, row 3: ")
    assert problem in found.complaints[0].problem


@pytest.mark.parametrize(
    ("text", "problem"),
    [("item_a,item_b,choice\n", "holds no row"), ("item_a,choice\nx,a\n", "no column 'item b'")],
)
def test_a_table_without_rows_or_columns_is_refused(
    tmp_path: Path, text: str, problem: str
) -> None:
    with pytest.raises(BadTable, match=problem):
        preferences(tmp_path, text)

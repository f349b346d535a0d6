"""Labels given by hand: they come back as they were given, the last line of an item wins, and what
cannot be read is named by its line.
"""

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hallascope.data.files import label_folder as labels
from hallascope.data.files.label_folder import (
    MARKS,
    Label,
    LabelItem,
    NotALabelFolder,
    add_labels,
    read_items,
    read_labels,
    read_marks,
    read_typed,
)
from hallascope.primer import scenes
from tests.support import label_folder
from tests.support.label_folder import label


@pytest.fixture
def items(tmp_path: Path) -> list[LabelItem]:
    return label_folder.write(tmp_path)


def test_items_come_back_as_they_were_written(tmp_path: Path, items: list[LabelItem]) -> None:
    assert read_items(tmp_path) == (items, [])
    assert labels.picture(tmp_path, "001").is_file()


def test_labels_come_back_with_the_name_of_the_labeller_and_the_last_line_of_an_item_wins(
    tmp_path: Path, items: list[LabelItem]
) -> None:
    assert read_labels(tmp_path, items) == ({}, [])
    first, second, later = (
        label(items[0], "BA..."),
        label(items[1], "EEEE?"),
        label(items[0], "BACE?"),
    )
    add_labels(tmp_path, [first])
    add_labels(tmp_path, [second, later])
    assert read_labels(tmp_path, items) == ({"001": later, "002": second}, [])
    assert (first.whole, later.whole) == (False, True)


def test_each_labeller_sees_their_own(tmp_path: Path, items: list[LabelItem]) -> None:
    hers, his = label(items[0], "AAAAA", "ada"), label(items[0], "BBBBB", "bo")
    add_labels(tmp_path, [hers, his])
    assert [
        read_labels(tmp_path, items, who)[0].get("001") for who in ("ada", "bo", "cy", None)
    ] == [hers, his, None, his]


def test_a_line_that_was_not_finished_is_named_and_spoils_no_other(
    tmp_path: Path, items: list[LabelItem]
) -> None:
    add_labels(tmp_path, [label(items[0], "AAAAA")])
    with (tmp_path / labels.LABELS).open("a", encoding="utf-8") as file:
        file.write('{"id": "002", "answ')
    add_labels(tmp_path, [label(items[2], "CCCCC")])
    found, complaints = read_labels(tmp_path, items)
    assert set(found) == {"001", "003"}
    assert [str(one) for one in complaints] == [
        "labels.jsonl, row 2: is no JSON object; the line is left out"
    ]


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ('{"id": "009", "answers": []}', "there is no item '009'"),
        ('{"id": "001", "answers": ["A"]}', "the answers to item 001 are no list of 5"),
        (
            '{"id": "001", "answers": ["A", "B", "C", "D", "F"]}',
            "an answer to item 001 is none of A, B, C, D, E, ? and not null",
        ),
        (
            '{"id": "001", "answers": ["A", "B", "C", "D", ["E"]]}',
            "an answer to item 001 is none of",
        ),
        ("[1]", "is no JSON object"),
    ],
)
def test_a_line_that_is_no_label_is_named(
    tmp_path: Path, items: list[LabelItem], line: str, problem: str
) -> None:
    (tmp_path / labels.LABELS).write_text(f"\n{line}\n", encoding="utf-8")
    found, (complaint,) = read_labels(tmp_path, items)
    assert found == {}
    assert str(complaint).startswith(f"labels.jsonl, row 2: {problem}")


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
    with pytest.raises(
        NotALabelFolder, match=r"holds no items.jsonl with items \(items.jsonl, row 1: "
    ):
        read_items(tmp_path)
    with pytest.raises(NotALabelFolder, match="cannot be opened"):
        read_items(tmp_path / "nowhere")


@pytest.mark.parametrize("typed", ["002: B A E C ?", "2:baec?", " 002 :  B,A,E,C,? "])
def test_typed_labels_are_read_however_they_are_spaced(
    tmp_path: Path, items: list[LabelItem], typed: str
) -> None:
    path = tmp_path / "typed.txt"
    path.write_text(f"# by hand\n\n{typed}\n", encoding="utf-8")
    assert read_typed(path, items, "ada") == ([label(items[1], "BAEC?")], [])


@pytest.mark.parametrize(
    ("typed", "problem"),
    [
        ("B A E C ?", "'B A E C ?' is not of the form '017: B A E C ?'"),
        ("017: B A E C ?", "there is no item '017'"),
        ("2: B A E C", "there are 4 marks and 5 questions"),
        ("2: B A E C F", "'F' is none of A, B, C, D, E, ?"),
        ("1: A A A A A", "item 001 stands there twice, the second time"),
    ],
)
def test_a_bad_line_is_named_by_file_and_line_and_the_others_are_taken(
    tmp_path: Path, items: list[LabelItem], typed: str, problem: str
) -> None:
    path = tmp_path / "typed.txt"
    path.write_text(f"1: B B B B B\n{typed}\n3: ? ? ? ? ?\n", encoding="utf-8")
    found, (complaint,) = read_typed(path, items, "ada")
    assert found == [label(items[0], "BBBBB"), label(items[2], "?????")]
    assert str(complaint) == f"typed.txt, row 2: {problem}; the line is left out"


def test_a_name_is_one_short_line_and_never_empty() -> None:
    assert labels.clean_labeler_name(" Ada\nLovelace ") == "Ada Lovelace"
    assert labels.clean_labeler_name(" \n") == labels.NOBODY
    assert len(labels.clean_labeler_name("a" * 500)) == 80


ITEMS = [
    LabelItem(
        id=f"{n:03}",
        prompt="p",
        model="m",
        seed=0,
        sha256="",
        questions=scenes.parse("two tulips").questions().questions,
    )
    for n in range(3)
]
LABELS = st.builds(
    Label,
    st.sampled_from([item.id for item in ITEMS]),
    st.text(max_size=20).map(labels.clean_labeler_name),
    st.tuples(*[st.sampled_from([None, *MARKS])] * 5),
)


@pytest.fixture(scope="module")
def folder() -> Iterator[Path]:
    with TemporaryDirectory() as found:
        yield Path(found)


@given(st.lists(LABELS, max_size=6))
def test_any_labels_come_back(folder: Path, given_labels: list[Label]) -> None:
    (folder / labels.LABELS).unlink(missing_ok=True)
    for one in given_labels:
        add_labels(folder, [one])
    assert read_labels(folder, ITEMS) == ({one.id: one for one in given_labels}, [])


@given(st.text(st.characters(codec="utf-8")) | st.text("012: ABCDE?,\n#"))
def test_whatever_is_typed_every_line_is_taken_or_named(folder: Path, typed: str) -> None:
    path = folder / "typed.txt"
    path.write_bytes(typed.encode())
    found, complaints = read_typed(path, ITEMS, "ada")
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


@given(st.text(), st.integers(0, 6))
def test_any_text_is_read_as_a_mark_a_question_or_refused(text: str, questions: int) -> None:
    try:
        marks = read_marks(text, questions)
    except ValueError:
        return
    assert len(marks) == questions
    assert set(marks) <= set(MARKS)

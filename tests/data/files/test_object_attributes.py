"""A list of attributes is read whole, or one sentence names the line that cannot be read."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hallascope.data.files.csv_tables import BadTable
from hallascope.data.files.object_attributes import (
    MOST_ATTRIBUTES,
    ObjectAttribute,
    parse_object_attributes,
    read_object_attributes,
    require_object_attribute,
)

WORDS = st.text("abcdefghijklmnopqrstuvwxyz", min_size=2, max_size=12)
ITEMS = st.builds(
    ObjectAttribute,
    noun=WORDS,
    attribute=WORDS.map(lambda word: f"{word}q"),  # none of the taken names ends so
    value=WORDS,
)


def test_a_list_is_read_with_its_header_and_each_row_once(tmp_path: Path) -> None:
    path = tmp_path / "list.csv"
    path.write_text(
        "Object,Attribute,Value\nChair, material ,Wooden\n\nchair,material,wooden\n", "utf-8"
    )
    assert read_object_attributes(path) == (ObjectAttribute("chair", "material", "wooden"),)


@pytest.mark.parametrize("sign", [",", ";", "\t"])
def test_the_sign_between_cells_is_that_of_the_first_row(sign: str) -> None:
    text = sign.join(["wine glass", "material", "glassy"])
    (item,) = parse_object_attributes(text)
    assert item == ObjectAttribute("wine glass", "material", "glassy")


@pytest.mark.parametrize(
    ("row", "problem"),
    [
        ("chair, wooden", "Line 2 of the list: it has 2 cells and not three; write object,"),
        ("chair, number, two", "the attribute 'number' is one that FiG reads in the prompt itself"),
        ("chair, Text, exit", "the attribute 'text' is one that FiG reads"),
        ("chair, my size, big", "the attribute 'my size' is not one word of letters a to z"),
        ("chair, material, dark wood", "the value 'dark wood' is not one word"),
        (", material, wooden", "the object '' is no name of a thing"),
        ('chair, material, "wooden', "cannot be read"),
    ],
)
def test_a_row_that_cannot_be_read_is_one_sentence_with_its_line(row: str, problem: str) -> None:
    with pytest.raises(BadTable) as caught:
        parse_object_attributes(f"lamp, material, metal\n{row}")
    assert problem in str(caught.value)
    assert "ine 2 of" in str(caught.value)


def test_a_list_that_is_too_long_is_refused() -> None:
    letters = "abcdefghijklmnopqrstuvwxyz"
    nouns = [a + b for a in letters for b in letters][: MOST_ATTRIBUTES + 1]
    with pytest.raises(BadTable, match="at most 500 are taken"):
        parse_object_attributes("\n".join(f"{noun}, material, metal" for noun in nouns))


@given(st.lists(ITEMS, unique=True, max_size=20))
def test_what_is_written_is_what_is_read(items: list[ObjectAttribute]) -> None:
    rows = "".join(f"{item.noun},{item.attribute},{item.value}\n" for item in items)
    assert parse_object_attributes(rows) == tuple(items)
    for item in items:
        require_object_attribute(item)


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

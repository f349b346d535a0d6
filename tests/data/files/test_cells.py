"""Every cell of a question table is read in its spellings, or refused with what is wrong."""

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hallascope.data.files import cells
from hallascope.data.records import COIS, DOMAINS, LETTERS, NONE_OF_THE_ABOVE, Category

FIVE = ("Red", "Blue", "Green", "White", NONE_OF_THE_ABOVE)


@pytest.mark.parametrize(
    "cell",
    [
        "A) Red\nB) Blue\nC) Green\nD) White\nE) None of the above",
        "A) Red\nB) Blue\nC) Green\nD) White",
        "a. Red\n(b) Blue\nC: Green\nD) White\nE) none of the above.",
        "A) Red B) Blue C) Green D) White E) None of the above",
    ],
)
def test_choices_are_read_whatever_their_letters_and_lines(cell: str) -> None:
    assert cells.choices(cell) == FIVE


@pytest.mark.parametrize(
    ("cell", "problem"),
    [
        ("", "the choices are missing"),
        ("Red\nBlue", "the choices begin with 'Red'"),
        ("A) Red\nB) Blue", "the choices are A, B and not A to D"),
        ("A) Red\nB) \nC) Green\nD) White", "choice B is empty"),
        ("A) Red\nB) red\nC) Green\nD) White", "two choices are the same"),
        ("A) Red\nB) Blue\nC) Green\nD) White\nE) Black", "choice E is 'Black'"),
    ],
)
def test_choices_that_cannot_be_used_are_refused(cell: str, problem: str) -> None:
    with pytest.raises(cells.UnreadableCell, match=problem):
        cells.choices(cell)


@pytest.mark.parametrize("cell", ["B", "b)", "B) Blue", "Blue", " blue. ".strip()])
def test_an_answer_is_a_letter_or_the_text_of_a_choice(cell: str) -> None:
    assert cells.answer(cell, FIVE) == "B"


@pytest.mark.parametrize("cell", ["F", "Black", "B) Red", ""])
def test_an_answer_that_is_none_or_contradicts_its_choice_is_refused(cell: str) -> None:
    with pytest.raises(cells.UnreadableCell, match="the answer"):
        cells.answer(cell, FIVE)


def test_compositions_domains_and_categories_are_read_whatever_their_case() -> None:
    assert [cells.coi(coi.upper()) for coi in COIS] == list(COIS)
    assert cells.coi("Colours") == "color"
    assert [cells.domain(f" {domain.title()}") for domain in DOMAINS] == list(DOMAINS)
    assert [cells.category(category.lower()) for category in Category] == list(Category)
    assert cells.category("Western & Africa/Ancient") == Category.WESTERN_AFRICAN_ANCIENT


def test_difficulties_are_known_levels_by_picture() -> None:
    assert cells.levels('{"ab": "easy"}') == {"ab": "easy"}
    with pytest.raises(cells.UnreadableCell, match="the difficulty 'odd' is none of"):
        cells.levels('{"ab": "odd"}')
    with pytest.raises(cells.UnreadableCell, match="is no JSON object of texts"):
        cells.pairs("[1]")


@given(st.text(max_size=60))
def test_any_text_is_read_or_refused_in_words(text: str) -> None:
    for read in (cells.number, cells.coi, cells.choices, cells.category, cells.pairs, cells.levels):
        with contextlib.suppress(cells.UnreadableCell):
            read(text)
    with contextlib.suppress(cells.UnreadableCell):
        assert cells.answer(text, FIVE) in LETTERS

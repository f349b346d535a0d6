"""What a field for a number holds becomes a whole number within its bounds, or one sentence."""

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hallascope.engine.errors import BadRequest
from hallascope.pages.shared.numbers import parse_whole

LOW, HIGH = 1, 16
ANYTHING = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(), st.text(), st.lists(st.integers())
)


@given(st.integers(LOW, HIGH))
def test_a_whole_number_within_the_bounds_is_taken_as_it_is(value: int) -> None:
    assert parse_whole(value, "number of images", LOW, HIGH) == value
    assert parse_whole(float(value), "number of images", LOW, HIGH) == value


@given(ANYTHING)
def test_whatever_a_field_holds_gives_a_number_within_the_bounds_or_a_sentence(
    value: object,
) -> None:
    with suppress(BadRequest):
        assert LOW <= parse_whole(value, "number of images", LOW, HIGH) <= HIGH  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (20, "20"),
        (0, "0"),
        (-1, "-1"),
        (1.5, "1.5"),
        (None, "missing"),
        (float("inf"), "inf"),
        (float("nan"), "nan"),
    ],
)
def test_the_sentence_names_the_field_and_what_it_holds(value: float | None, shown: str) -> None:
    with pytest.raises(
        BadRequest, match=f"^The number of images is {shown}: give a whole number from 1 to 16.$"
    ):
        parse_whole(value, "number of images", LOW, HIGH)

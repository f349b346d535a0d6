"""Counts are read and written in the words of the files of readings."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hallascope.data.files.readings.written_counts import read_count, write_count
from hallascope.data.prompt_reading import MANY, Count

WRITTEN = [
    (3, Count.exactly(3)),
    (0, Count.exactly(0)),
    ("many", MANY),
    ("at least 3", Count.at_least(3)),
    ("at most 2", Count.at_most(2)),
    ("about 12", Count.approximately(12)),
    ("about 2", Count.approximately(2)),
    ("3 to 9", Count(least=3, most=9)),
    ("about 20 to 40", Count(least=20, most=40, approximate=True)),
    (1_000_000, Count.exactly(1_000_000)),
]


@pytest.mark.parametrize(("written", "count"), WRITTEN)
def test_a_count_is_read_and_written_alike(written: int | str, count: Count) -> None:
    assert read_count(written) == count
    assert write_count(count) == written


def test_no_count_is_none() -> None:
    assert read_count(None) is None


@pytest.mark.parametrize(
    "written", ["some", "at least", "-1", "three to", "at least 3 to 9", "9999999999"]
)
def test_other_words_are_refused(written: str) -> None:
    with pytest.raises(ValueError, match="is no count"):
        read_count(written)


def test_bounds_that_allow_nothing_are_refused() -> None:
    with pytest.raises(ValueError, match="a count from 9 to 3 allows no number"):
        read_count("9 to 3")


counts = st.builds(
    lambda least, more, approximate: Count(
        least=least, most=None if more is None else least + more, approximate=approximate
    ),
    st.integers(0, 10**8),
    st.none() | st.integers(0, 10**8),
    st.booleans(),
)


@given(counts)
def test_any_count_survives_being_written(count: Count) -> None:
    again = read_count(write_count(count))
    assert again is not None
    assert (again.least, again.most) == (count.least, count.most)
    assert again.approximate == (count.approximate and count.most is not None)

"""Counts are read and written in the words of the files of readings."""

import pytest

from hallascope.data.files.readings.reading_entries import read_count, write_count
from hallascope.data.prompt_reading import MANY, Count

WRITTEN = [
    (3, Count.exactly(3)),
    (0, Count.exactly(0)),
    ("many", MANY),
    ("at least 3", Count.at_least(3)),
    ("at most 2", Count.at_most(2)),
    ("about 12", Count.approximately(12)),
    ("about 2", Count.approximately(2)),
]


@pytest.mark.parametrize(("written", "count"), WRITTEN)
def test_a_count_is_read_and_written_alike(written: int | str, count: Count) -> None:
    assert read_count(written) == count
    assert write_count(count) == written


def test_no_count_is_none() -> None:
    assert read_count(None) is None


@pytest.mark.parametrize("written", ["some", "at least", "-1", "three", "99999"])
def test_other_words_are_refused(written: str) -> None:
    with pytest.raises(ValueError, match="is no count"):
        read_count(written)


def test_bounds_without_a_form_are_refused() -> None:
    with pytest.raises(ValueError, match="from 3 to 9 cannot be written"):
        write_count(Count(least=3, most=9))

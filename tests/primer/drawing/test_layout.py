"""Things get places apart from each other, on their side where a relation says so."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hallascope.primer.drawing.layout import cells
from hallascope.primer.drawing.parts import Art


@given(st.lists(st.integers(1, 4), min_size=1, max_size=2), st.integers(0, 999))
def test_no_two_things_overlap_and_all_stay_in_the_picture(counts: list[int], seed: int) -> None:
    places = cells(counts, None, Art(seed))
    assert len(places) == sum(counts)
    for n, (x, y, size) in enumerate(places):
        assert size / 2 <= min(x, y)
        assert max(x, y) <= 100 - size / 2
        for other_x, other_y, other in places[:n]:
            assert max(abs(x - other_x), abs(y - other_y)) >= (size + other) / 2


@pytest.mark.parametrize(
    ("relation", "axis", "first_is_less"),
    [("left", 0, True), ("right", 0, False), ("above", 1, True), ("below", 1, False)],
)
def test_the_first_group_stands_on_its_side(relation: str, axis: int, first_is_less: bool) -> None:
    places = [place[axis] for place in cells([2, 3], relation, Art(5))]
    assert all((place < 50) == first_is_less for place in places[:2])
    assert all((place > 50) == first_is_less for place in places[2:])


def test_an_empty_side_gets_no_place() -> None:
    assert len(cells([0, 2], "left", Art(0))) == 2

"""The grade of a picture by the types of its errors."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hallascope.data.graphs import ERROR_TYPES, GraphError
from hallascope.metrics.scene_graph.grade import grade, normalized


def wrong(**many: int) -> list[GraphError]:
    return [
        GraphError(type=each, subject="", asked="", seen="")  # type: ignore[arg-type]
        for each, count in many.items()
        for _ in range(count)
    ]


@pytest.mark.parametrize(
    ("errors", "wanted", "expected"),
    [
        (wrong(omission=2), 2, 1),  # off topic
        (wrong(omission=3), 5, 2),
        (wrong(omission=2, relation=1), 5, 2),
        (wrong(relation=1), 2, 3),
        (wrong(omission=1, attribute=4, extraneous=2), 3, 3),
        (wrong(attribute=3), 2, 4),
        (wrong(attribute=1, extraneous=1), 2, 5),
        (wrong(attribute=2), 2, 5),
        (wrong(count=1), 2, 5),
        (wrong(attribute=2, count=1), 2, 4),
        (wrong(extraneous=5), 2, 6),
        ([], 2, 7),
        ([], 0, 7),
    ],
)
def test_the_grade_is_the_first_of_the_scale_that_applies(
    errors: list[GraphError], wanted: int, expected: int
) -> None:
    assert grade(errors, wanted) == expected
    assert normalized(expected) == pytest.approx((expected - 1) / 6)


@given(
    st.lists(st.sampled_from(ERROR_TYPES), max_size=12),
    st.integers(1, 8),
)
def test_one_error_more_never_raises_the_grade(types: list[str], wanted: int) -> None:
    found = [grade(wrong_of(types[:many]), wanted) or 0 for many in range(len(types) + 1)]
    assert found == sorted(found, reverse=True)
    assert all(1 <= one <= 7 for one in found)


def wrong_of(types: list[str]) -> list[GraphError]:
    return [
        GraphError(type=each, subject="", asked="", seen="")  # type: ignore[arg-type]
        for each in types
    ]

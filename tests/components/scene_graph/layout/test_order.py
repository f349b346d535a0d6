"""What is tied stands near, and nothing is lost."""

from hypothesis import given
from hypothesis import strategies as st

from hallascope.components.scene_graph.layout.order import order_by_ties


@given(st.integers(0, 12), st.lists(st.tuples(st.integers(0, 11), st.integers(0, 11)), max_size=20))
def test_an_order_holds_everything_once(number: int, ties: list[tuple[int, int]]) -> None:
    assert sorted(order_by_ties(number, [pair for pair in ties if max(pair) < number])) == list(
        range(number)
    )


def test_what_is_tied_stands_near_and_a_chain_keeps_its_direction() -> None:
    assert order_by_ties(5, [(0, 3), (3, 1)]) == [0, 3, 1, 2, 4]

"""Texts are cut and wrapped so that they fit."""

from hypothesis import given
from hypothesis import strategies as st

from hallascope.components.scene_graph.layout.boxes import cut, text_width, wrap


@given(st.text(max_size=80), st.floats(30, 200))
def test_a_text_is_cut_so_that_it_fits(said: str, width: float) -> None:
    assert text_width(cut(said, width, 12.0), 12.0) <= width
    lines = wrap(said, width, 12.0)
    assert 1 <= len(lines) <= 2
    assert all(text_width(line, 12.0) <= width for line in lines)


def test_a_long_name_takes_two_lines_and_ends_in_dots_where_that_is_not_enough() -> None:
    assert wrap("a very old comb-pattern pot", 120, 12.0) == ("a very old", "comb-pattern pot")
    assert wrap("pot " * 40, 120, 12.0)[1].endswith("…")

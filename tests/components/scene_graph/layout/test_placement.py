"""Every node of two scene graphs stands in a place of its own, beside what belongs to it."""

from itertools import combinations

import pytest
from hypothesis import given

from hallascope.components.scene_graph.layout import words
from hallascope.components.scene_graph.layout.pairs import pairs
from hallascope.components.scene_graph.layout.placement import Block, Layout, layout
from hallascope.data.graphs import SceneGraphs
from tests.support import scene_graphs
from tests.support.any_scene_graphs import any_graphs

FOUND = pairs(scene_graphs.graphs(), scene_graphs.findings())
PLACED = layout(FOUND)


def blocks(placed: Layout, side: str) -> list[Block]:
    return [block for block in placed.blocks if block.side == side]


@given(any_graphs)
def test_no_two_nodes_share_a_place_and_all_is_within_the_drawing(graphs: SceneGraphs) -> None:
    placed = layout(pairs(graphs))
    for block, other in combinations(placed.blocks, 2):
        assert not block.place.meets(other.place)
    right = placed.left + placed.width
    for place in [block.place for block in placed.blocks] + [
        curve.label for curve in placed.curves
    ]:
        assert placed.left <= place.x
        assert place.right <= right
        assert place.y >= 0
        assert place.bottom <= placed.height


@pytest.mark.parametrize("number", [0, 1, 40])
def test_none_one_or_forty_nodes_have_places_that_do_not_overlap_nor_hide_behind_words(
    number: int,
) -> None:
    placed = layout(pairs(scene_graphs.crowd(number)))
    assert len(placed.blocks) == 2 * number
    places = [block.place for block in placed.blocks]
    assert not any(place.meets(other) for place, other in combinations(places, 2))
    assert not any(curve.label.meets(place) for curve in placed.curves for place in places)


def test_what_belongs_together_stands_in_one_row_on_both_sides() -> None:
    for index in range(len(FOUND.slots)):
        heights = {
            side: [block.place.middle for block in blocks(PLACED, side) if block.slot == index]
            for side in ("asked", "seen")
        }
        if heights["asked"] and heights["seen"]:
            assert heights["asked"] == pytest.approx(heights["seen"])


def test_what_is_missing_has_a_dashed_empty_place_beside_it() -> None:
    index = [words.name(row) for row in FOUND.slots].index("tulip")
    asked, seen = (
        next(block for block in blocks(PLACED, side) if block.slot == index)
        for side in ("asked", "seen")
    )
    assert asked.dashed
    assert seen.dashed
    assert seen.thing is None
    assert seen.lines == ("not seen",)


def test_extras_stand_beneath_all_others_under_their_own_heading() -> None:
    (heading,) = [head for head in PLACED.headings if head.text == "Not in the prompt"]
    below = [block for block in PLACED.blocks if block.place.y > heading.y]
    assert [block.lines for block in below] == [("star",)]


def test_the_same_graphs_always_look_the_same() -> None:
    assert layout(pairs(scene_graphs.crowd(12))) == layout(pairs(scene_graphs.crowd(12)))

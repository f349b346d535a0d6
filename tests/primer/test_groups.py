"""A group counts its things, and parameters are named by group where there are two."""

from hallascope.primer.groups import OPPOSITE, SHAPE_NAMES, ConceptGroup, key
from hallascope.primer.shapes import SHAPES


def test_a_group_is_counted_in_singular_or_plural() -> None:
    cross = next(shape for shape in SHAPES if shape.name == "cross")
    assert ConceptGroup(cross).counted_name == "cross"
    assert ConceptGroup(cross, 2).counted_name == "crosses"
    assert ConceptGroup(cross).plain
    assert "cross" in SHAPE_NAMES


def test_a_parameter_is_named_by_its_group_unless_it_is_alone_or_the_scene() -> None:
    groups = [ConceptGroup(SHAPES[0]), ConceptGroup(SHAPES[1])]
    assert key(groups[:1], 0, "legs") == "legs"
    assert key(groups, 1, "legs") == "1.legs"
    assert key(groups, 1, "scene") == "scene"


def test_the_opposite_of_the_opposite_is_the_relation() -> None:
    assert all(
        OPPOSITE[OPPOSITE[relation]] == relation != OPPOSITE[relation] for relation in OPPOSITE
    )

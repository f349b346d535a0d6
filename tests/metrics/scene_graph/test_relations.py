"""Edges stand between the nearest things of a picture, and are met by kindred words, too."""

import pytest

from hallascope.data.evidence import SegmentEvidence
from hallascope.data.regions import Box
from hallascope.metrics.scene_graph.relations import (
    DEPTH,
    DOING,
    NOTHING,
    Relation,
    box_relations,
    choices,
    may_be_in_contact,
    meets,
    number_edges,
    union,
)


def segment(name: str, box: Box) -> SegmentEvidence:
    return SegmentEvidence(name=name, phrase=name, box=box, score=0.9)


SEGMENTS = {
    name: segment(name, box)
    for name, box in (
        ("cat", Box(0.0, 0.4, 0.2, 0.6)),
        ("dog", Box(0.4, 0.4, 0.6, 0.6)),
        ("cup", Box(0.7, 0.4, 0.9, 0.6)),
    )
}


def test_things_of_the_prompt_are_related_with_each_other_and_another_with_its_nearest() -> None:
    found = box_relations(SEGMENTS, lambda name: name != "cup", lambda one, other: True)
    assert {(relation.source, relation.target) for relation in found} == {
        ("cat", "dog"),
        ("dog", "cup"),
    }


def test_a_pair_that_may_not_be_related_and_two_boxes_of_one_thing_have_no_edge() -> None:
    pair = {"cat": SEGMENTS["cat"], "cat 2": segment("cat", SEGMENTS["cat"].box)}
    assert list(box_relations(pair, lambda name: True, lambda one, other: True)) == []
    assert list(box_relations(SEGMENTS, lambda name: True, lambda one, other: False)) == []


def test_edges_are_numbered_in_their_order_and_each_once() -> None:
    left, above = Relation("a", "left of", "b"), Relation("a", "above", "b")
    assert [(edge.name, edge.relation) for edge in number_edges([left, above, left])] == [
        ("e1", "left of"),
        ("e2", "above"),
    ]


def test_a_relation_is_met_by_its_own_words_and_by_its_kin_alone() -> None:
    assert meets("above", "above")
    assert meets("with", "holding")
    assert not meets("left of", "right of")


@pytest.mark.parametrize(
    ("asked", "seen"), [("on", "above"), ("above", "on"), ("in", "on"), ("on", "in")]
)
def test_on_above_and_in_are_three_relations(asked: str, seen: str) -> None:
    assert not meets(asked, seen)


def test_only_boxes_that_touch_may_hide_that_one_is_in_another() -> None:
    cat, basket, far = Box(0.4, 0.3, 0.6, 0.6), Box(0.4, 0.5, 0.7, 0.8), Box(0.0, 0.0, 0.1, 0.1)
    assert may_be_in_contact(cat, basket, "in")
    assert not may_be_in_contact(cat, basket, "on"), "the boxes show it"
    assert not may_be_in_contact(far, basket, "in")
    assert not may_be_in_contact(cat, basket, "above")


def test_a_judge_chooses_among_relations_of_one_kind_and_none() -> None:
    assert choices("behind") == (*DEPTH, NOTHING)
    assert choices("in") == ("in", "on", "next to", NOTHING)
    assert choices("juggling") == (*DOING, "juggling", NOTHING)
    assert choices(DOING[0]) == (*DOING, NOTHING)


def test_the_box_around_two_touches_both() -> None:
    assert union(SEGMENTS["cat"].box, SEGMENTS["cup"].box) == Box(0.0, 0.4, 0.9, 0.6)

"""Which detected things are one, how many are looked at, and how boxes stand to one another."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hallascope.data import masks
from hallascope.data.evidence import SegmentEvidence
from hallascope.data.regions import Box, Detection
from hallascope.metrics.detection.geometry import (
    covered_share,
    middle,
    relations,
)
from hallascope.metrics.detection.selection import (
    distractors,
    merge_same,
    select_detections,
    without_parts,
)
from hallascope.metrics.reading.parser import parse
from hallascope.metrics.reading.words.relations import INVERSE
from tests.data.cases import cases

DOG, SAME_DOG, CAT = Box(0.1, 0.1, 0.4, 0.4), Box(0.12, 0.1, 0.42, 0.4), Box(0.6, 0.6, 0.9, 0.9)


INNER = Box(0.15, 0.15, 0.25, 0.25)
LEFT, RIGHT, BOTH = Box(0.1, 0.1, 0.4, 0.6), Box(0.5, 0.1, 0.8, 0.6), Box(0.1, 0.1, 0.8, 0.6)


@pytest.mark.parametrize(
    "found, phrases, stay",
    [
        # of two boxes of one thing the surer
        ([("dog", SAME_DOG, 0.5), ("dog", DOG, 0.9), ("dog", CAT, 0.4)], ["dog"], [1, 2]),
        # within another of its name it is the same, within one of another name not
        ([("dog", DOG, 0.9), ("dog", INNER, 0.8), ("hat", INNER, 0.7)], ["dog", "hat"], [0, 2]),
        # a box around several of its name is none of them
        ([("dog", BOTH, 0.95), ("dog", LEFT, 0.9), ("dog", RIGHT, 0.8)], ["dog"], [1, 2]),
        # what is of the general list alone gives way to one of the prompt, and to a surer one
        (
            [("bear", SAME_DOG, 0.99), ("dog", DOG, 0.3), ("cow", CAT, 0.5), ("cat", CAT, 0.6)],
            ["Dog"],
            [1, 3],
        ),
    ],
)
def test_of_boxes_of_one_thing_one_stays(
    found: list[tuple[str, Box, float]], phrases: list[str], stay: list[int]
) -> None:
    detections = [Detection(*one) for one in found]
    assert select_detections(detections, phrases) == ([detections[n] for n in stay], [])


def test_of_two_hundred_boxes_forty_are_looked_at_and_the_rest_is_counted() -> None:
    found = [
        Detection("dog", Box(x / 20, y / 10, x / 20 + 0.04, y / 10 + 0.08), (x + 20 * y) / 200)
        for x in range(20)
        for y in range(10)
    ]
    kept, notes = select_detections(found, ["dog"])
    assert (len(kept), kept[0].score) == (40, 199 / 200)
    assert notes == ["160 more things were detected and left out: the surest 40 are looked at."]


def segment(box: Box, caption: str) -> SegmentEvidence:
    return SegmentEvidence(
        name="",
        phrase="thing",
        box=box,
        score=0.5,
        mask=masks.encode(masks.box_pixels(box, 20, 20)),
        caption=caption,
    )


def alike(one: SegmentEvidence, other: SegmentEvidence) -> bool:
    return one.caption == other.caption


def test_two_boxes_on_one_place_with_one_name_are_one_thing() -> None:
    inner = Box(0.1, 0.1, 0.2, 0.2)
    kept, notes = merge_same(
        [
            segment(DOG, "A dog"),
            segment(inner, "A dog"),
            segment(inner, "A hat"),
            segment(CAT, "A dog"),
        ],
        alike,
    )
    assert [(one.box, one.caption) for one in kept] == [
        (DOG, "A dog"),
        (inner, "A hat"),
        (CAT, "A dog"),
    ]
    assert notes == ["1 box shows a thing that another box shows already, and was left out."]


def test_a_small_thing_in_front_of_a_large_one_of_its_name_stays_where_the_masks_lie_apart() -> (
    None
):
    large, inner = segment(DOG, "A dog"), segment(Box(0.1, 0.1, 0.2, 0.2), "A dog")
    ring = (
        masks.box_pixels(DOG, 20, 20) & ~masks.array(inner.mask)
        if inner.mask
        else np.ones((20, 20), dtype=bool)
    )
    assert len(merge_same([replace(large, mask=masks.encode(ring)), inner], alike)[0]) == 2


def test_what_nobody_asked_for_within_a_larger_thing_is_a_part_of_it() -> None:
    def cut(phrase: str, mask: Box | None) -> SegmentEvidence:
        box = Box(0.1, 0.1, 0.5, 0.5) if phrase == "cake" else Box(0.2, 0.2, 0.3, 0.3)
        return SegmentEvidence(
            name="",
            phrase=phrase,
            box=box,
            score=0.9,
            mask=masks.encode(masks.box_pixels(mask, 40, 40)) if mask else None,
        )

    cake, inner = cut("cake", Box(0.1, 0.1, 0.5, 0.5)), Box(0.2, 0.2, 0.3, 0.3)
    kept, notes = without_parts([cake, cut("candle", inner)], ["cake"])
    assert kept == [cake]
    assert notes == [
        "What was detected within a larger thing is a part of it, and was left out: candle."
    ]
    asked_for = cut("Cherry", inner)
    without_mask = cut("candle", None)
    half_outside = cut("candle", Box(0.4, 0.4, 0.6, 0.6))
    for apart in (asked_for, without_mask, half_outside):
        assert without_parts([cake, apart], ["cake", "cherry"]) == ([cake, apart], [])


@pytest.mark.parametrize(
    "one, other, expected",
    cases("selection", "relations_follow_from_boxes_and_centers", "metrics"),
)
def test_relations_follow_from_boxes_and_centers(
    one: list[float], other: list[float], expected: list[str]
) -> None:
    first, second = Box(*one), Box(*other)
    assert relations(first, middle(first), second, middle(second)) == set(expected)


def test_a_concept_of_the_prompt_is_no_distractor_whatever_phrase_it_is_looked_for_by() -> None:
    concepts = {thing.concept for thing in parse("two red circles").objects}
    assert concepts
    assert not concepts & set(distractors(parse("two red circles"), (), "primer"))


_SIDES = st.floats(0.0, 0.9).flatmap(
    lambda low: st.tuples(st.just(low), st.floats(low + 0.05, 1.0))
)


_BOXES = st.tuples(_SIDES, _SIDES).map(
    lambda sides: Box(sides[0][0], sides[1][0], sides[0][1], sides[1][1])
)


@given(_BOXES, _BOXES)
def test_a_relation_holds_the_other_way_round_as_its_inverse(one: Box, other: Box) -> None:
    there = relations(one, middle(one), other, middle(other))
    back = relations(other, middle(other), one, middle(one))
    assert {INVERSE[name] for name in there if name in INVERSE} == {
        name for name in back if name in INVERSE
    }
    assert 0 <= covered_share(one, other) <= 1 + 1e-9

"""Which detected things are one, how many are looked at, and how boxes stand to one another."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hallascope.data import masks
from hallascope.data.evidence import SegmentEvidence
from hallascope.data.lexicon import vocabulary
from hallascope.data.regions import Box, Detection
from hallascope.metrics.detection.distractors import distractors
from hallascope.metrics.detection.geometry import (
    center,
    covered_share,
    masks_cover,
    middle,
    relations,
)
from hallascope.metrics.detection.selection import (
    labels_at,
    merge_same,
    number_segments,
    select_detections,
    without_parts,
)
from hallascope.metrics.reading.parser import parse
from hallascope.metrics.reading.words.relations import INVERSE
from tests.data.cases import cases

DOG, SAME_DOG, CAT = Box(0.1, 0.1, 0.4, 0.4), Box(0.12, 0.1, 0.42, 0.4), Box(0.6, 0.6, 0.9, 0.9)


def boxes(found: list[Detection]) -> list[tuple[str, Box]]:
    return [(one.phrase, one.box) for one in found]


def test_of_two_boxes_of_one_thing_the_surer_stays() -> None:
    kept, notes = select_detections(
        [Detection("dog", SAME_DOG, 0.5), Detection("dog", DOG, 0.9), Detection("dog", CAT, 0.4)],
        ["dog"],
    )
    assert boxes(kept) == [("dog", DOG), ("dog", CAT)]
    assert notes == []


def test_a_box_within_another_of_its_name_is_the_same_and_one_of_another_name_is_not() -> None:
    inner = Box(0.15, 0.15, 0.25, 0.25)
    kept, _ = select_detections(
        [Detection("dog", DOG, 0.9), Detection("dog", inner, 0.8), Detection("hat", inner, 0.7)],
        ["dog", "hat"],
    )
    assert boxes(kept) == [("dog", DOG), ("hat", inner)]


def test_a_box_around_several_of_its_name_is_none_of_them() -> None:
    one, two, both = Box(0.1, 0.1, 0.4, 0.6), Box(0.5, 0.1, 0.8, 0.6), Box(0.1, 0.1, 0.8, 0.6)
    kept, _ = select_detections(
        [Detection("dog", both, 0.95), Detection("dog", one, 0.9), Detection("dog", two, 0.8)],
        ["dog"],
    )
    assert boxes(kept) == [("dog", one), ("dog", two)]


def test_a_thing_of_the_general_list_gives_way_to_one_of_the_prompt_and_to_a_surer_one() -> None:
    found = [
        Detection("bear", SAME_DOG, 0.99),
        Detection("dog", DOG, 0.3),
        Detection("cow", CAT, 0.5),
        Detection("cat", CAT, 0.6),
    ]
    kept, _ = select_detections(found, ["Dog"])
    assert boxes(kept) == [("dog", DOG), ("cat", CAT)]


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


def test_segments_that_failed_are_kept() -> None:
    failed = replace(segment(DOG, ""), failure="The captioner is gone.")
    assert len(merge_same([failed, failed], alike)[0]) == 2
    assert [one.name for one in number_segments([failed, failed])] == ["s1", "s2"]


def test_what_was_detected_at_a_place_is_told_the_surest_first() -> None:
    found = [
        Detection("dog", DOG, 0.5),
        Detection("bear", SAME_DOG, 0.9),
        Detection("dog", SAME_DOG, 0.8),
        Detection("cat", CAT, 1.0),
    ]
    assert labels_at(DOG, found) == ("bear", "dog")


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
    ("one", "other", "expected"),
    cases("selection", "relations_follow_from_boxes_and_centers", "metrics"),
)
def test_relations_follow_from_boxes_and_centers(
    one: list[float], other: list[float], expected: list[str]
) -> None:
    first, second = Box(*one), Box(*other)
    assert relations(first, middle(first), second, middle(second)) == set(expected)


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


def test_the_center_is_the_mean_of_the_masks_pixels() -> None:
    pixels = np.zeros((4, 8), dtype=bool)
    assert center(masks.encode(pixels)) is None
    pixels[1, 2:4] = True
    assert center(masks.encode(pixels)) == pytest.approx((3 / 8, 1.5 / 4))


def test_a_mask_covers_another_only_in_pictures_of_one_size() -> None:
    small, large = np.zeros((8, 8), dtype=bool), np.ones((8, 8), dtype=bool)
    small[2:4, 2:4] = True
    assert masks_cover(masks.encode(small), masks.encode(large))
    assert not masks_cover(masks.encode(small), masks.encode(~small))
    assert not masks_cover(masks.encode(small), masks.encode(np.ones((8, 9), dtype=bool)))


def test_names_of_the_vocabulary_are_distractors_unless_the_prompt_has_them() -> None:
    prompt = parse("a Dog beside a sofa")
    names = distractors(prompt, ("Dog", "sofa"), "general")
    assert set(vocabulary("general")) - set(names) == {"dog"}


def test_a_concept_of_the_prompt_is_no_distractor_whatever_phrase_it_is_looked_for_by() -> None:
    concepts = {thing.concept for thing in parse("two red circles").objects}
    assert concepts
    assert not concepts & set(distractors(parse("two red circles"), (), "primer"))

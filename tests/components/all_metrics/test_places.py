"""Places are the same where they cover about the same, and one is a part of a larger one around
it.
"""

from hallascope.components.all_metrics.places import (
    SIDE,
    box_place,
    is_part,
    is_same,
    part_places,
    segment_place,
)
from hallascope.data.evidence import SegmentEvidence
from hallascope.data.masks import box
from hallascope.data.regions import Box
from tests.support.viewer_app import disc, segment, square

LARGE = Box(0.1, 0.1, 0.9, 0.9)
SMALL = Box(0.2, 0.2, 0.4, 0.4)


def test_a_box_covers_its_share_of_the_grid() -> None:
    place = box_place(LARGE)
    assert place.shape == (SIDE, SIDE)
    assert abs(place.mean() - LARGE.area) < 0.03


def test_nearly_the_same_place_is_the_same_and_a_part_is_not() -> None:
    assert is_same(box_place(LARGE), box_place(Box(0.12, 0.1, 0.9, 0.88)))
    assert not is_same(box_place(LARGE), box_place(SMALL))
    assert not is_same(box_place(SMALL), box_place(Box(0.6, 0.6, 0.8, 0.8)))


def test_a_part_lies_within_its_whole_and_never_the_other_way_round() -> None:
    assert is_part(box_place(SMALL), box_place(LARGE))
    assert not is_part(box_place(LARGE), box_place(SMALL))
    assert not is_part(box_place(LARGE), box_place(LARGE)), "a thing is no part of itself"
    assert not is_part(box_place(SMALL), box_place(Box(0.3, 0.1, 0.9, 0.9))), "half of it is out"


def test_a_segment_covers_its_mask_and_without_one_its_box() -> None:
    mask = disc(0.5, 0.5, 0.2)
    whole = segment("s1", "circle", mask)
    around = box(mask)
    assert around
    boxed = SegmentEvidence(name="s2", phrase="circle", box=around, score=0.9)
    assert segment_place(whole).sum() < segment_place(boxed).sum()
    assert is_same(segment_place(whole), segment_place(boxed))
    assert not is_same(
        segment_place(whole), segment_place(segment("s3", "a", square(0.1, 0.1, 0.05)))
    )


def test_a_part_of_several_shapes_is_each_of_them_and_all_together() -> None:
    left = ((0.1, 0.1), (0.3, 0.1), (0.3, 0.3), (0.1, 0.3))
    right = ((0.6, 0.1), (0.8, 0.1), (0.8, 0.3), (0.6, 0.3))
    one, other, both = part_places([left, right])
    assert (one | other).sum() == both.sum()
    assert len(part_places([left])) == 1
    assert part_places([]) == ()

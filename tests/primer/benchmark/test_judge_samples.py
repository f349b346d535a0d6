"""A sample for judges is a picture beside its reference, always the same for its seed."""

import random

from hallascope.data.regions import Box
from hallascope.primer.benchmark.judge_samples import JudgeSample, jittered, sitting


def test_a_sitting_is_the_same_for_the_same_seed(sittings: list[JudgeSample]) -> None:
    again = sitting("test 3", random.Random(3))
    assert again.picture.drawing == sittings[3].picture.drawing
    assert (again.look, again.compared) == (sittings[3].look, sittings[3].compared)


def test_of_two_kinds_of_things_one_is_compared_alone(sittings: list[JudgeSample]) -> None:
    assert {made.by_region for made in sittings} == {True, False}
    for made in sittings:
        assert made.by_region == (len(made.picture.scene.groups) == 2)
        assert len(made.reference.scene.groups) == 1
        if made.by_region:
            assert made.seen is made.picture
            assert made.look.part is None


def test_a_region_said_a_little_differently_is_still_about_the_same() -> None:
    region = Box(0.3, 0.3, 0.7, 0.5)
    for n in range(50):
        moved = jittered(region, random.Random(n))
        assert max(abs(a - b) for a, b in zip(moved.sides, region.sides, strict=True)) <= 0.033

"""A pair is a picture beside a reference, always the same for its seed, with what they share."""

import random
from functools import cache

from hallascope.primer.benchmark import pairs
from hallascope.primer.benchmark.pair_criteria import ASPECTS
from hallascope.primer.benchmark.pairs import PicturePair


@cache
def some_pairs() -> tuple[PicturePair, ...]:
    return tuple(pairs.pair(f"pair {n}", random.Random(n)) for n in range(60))


def test_the_same_seed_gives_the_same_pair() -> None:
    again = pairs.pair("pair 3", random.Random(3))
    assert again.picture.drawing == some_pairs()[3].picture.drawing
    assert again.reference.drawing == some_pairs()[3].reference.drawing
    assert again.compared == some_pairs()[3].compared


def test_pairs_are_with_known_references_and_others_by_region_and_whole() -> None:
    assert {pair.known for pair in some_pairs()} == {True, False}
    assert {pair.look is None for pair in some_pairs()} == {True, False}
    assert all(set(pair.compared) == set(ASPECTS) for pair in some_pairs())


def test_a_known_reference_is_drawn_once_and_right() -> None:
    for pair in some_pairs():
        if pair.known:
            assert pair.reference.values == pair.reference.scene.truths()
            assert pair.look is None

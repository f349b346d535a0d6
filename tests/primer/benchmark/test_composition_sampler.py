"""Compositions: what is drawn is what their errors say, what the prompt says is where its claims
point, and perfect eyes see it all.
"""

import re
from collections import Counter
from functools import cache

import numpy as np
from numpy.typing import NDArray

from hallascope.data import masks
from hallascope.primer import scenes
from hallascope.primer.appearance import named_color
from hallascope.primer.benchmark.composition_sampler import MOST, ROOM, composition, compositions
from hallascope.primer.truth.compositions import Composition, things


@cache
def some() -> tuple[Composition, ...]:
    return tuple(compositions(300))


def tone(pixels: NDArray[np.uint8], mask: NDArray[np.bool_]) -> str:
    """The middle tone of what the mask covers, in hexadecimal."""
    return "#" + "".join(f"{int(value):02x}" for value in np.median(pixels[mask], axis=0))


def test_about_half_of_the_pictures_are_right_and_the_others_have_one_to_three_errors() -> None:
    numbers = Counter(len(made.errors) for made in some())
    assert 0.4 < numbers[0] / len(some()) < 0.6
    assert set(numbers) == set(range(MOST + 1))
    kinds = Counter(error.kind for made in some() for error in made.errors)
    assert (
        min(kinds[kind] for kind in ("omission", "extraneous", "color", "number", "position")) >= 25
    )


def test_every_kind_of_error_is_made_of_whole_groups_single_things_shapes_and_concepts() -> None:
    drawn = [error.drawn for made in some() for error in made.errors if error.kind == "color"]
    assert any(" and " in colours for colours in drawn)
    assert any(" and " not in colours for colours in drawn)
    shapes = scenes.nouns()["circle"].concept.domain
    for kind in ("omission", "extraneous"):
        domains = {
            scenes.nouns()[error.subject.lower()].concept.domain
            for made in some()
            for error in made.errors
            if error.kind == kind
        }
        assert shapes in domains
        assert len(domains) > 2
    assert any(
        {"omission", "extraneous"} <= {error.kind for error in made.errors} for made in some()
    )


def test_the_same_seed_gives_the_same_picture_and_another_another() -> None:
    one, again, other = composition(7), composition(7), composition(8)
    assert (one.prompt, one.errors, one.drawing.svg) == (
        again.prompt,
        again.errors,
        again.drawing.svg,
    )
    assert one.drawing.svg != other.drawing.svg
    first, second = ({made.drawing.svg for made in compositions(5, seed)} for seed in (0, 1))
    assert not first & second


def test_hardly_a_shade_lies_so_near_another_color_that_it_has_no_name() -> None:
    shades = [
        (
            named_color(tone(np.asarray(made.drawing.image(128)), masks.array(thing.mask))),
            thing.colour,
        )
        for made in some()
        for thing in things(made, 128)
        if thing.colour
    ]
    assert sum(name == colour for name, colour in shades) > 0.99 * len(shades)


def test_there_is_room_for_all_things() -> None:
    for made in some():
        assert len(made.items) <= ROOM[1]
        assert len(made.sides) == 1 or max(map(len, made.sides)) <= ROOM[0]
        assert made.items
        assert len(made.sides) == 1 or any(map(made.items_of, made.scene.groups)), (
            "something that was asked for is there"
        )


def test_things_that_share_a_word_never_meet_in_a_picture() -> None:
    for made in some():
        concepts = {item.concept.name: item.concept for item in made.items} | {
            g.concept.name: g.concept for g in made.scene.groups
        }
        words = [
            set(re.findall(r"[a-z-]+", f"{c.name} {c.phrase} {c.plural}".lower()))
            - {"a", "an", "the", "of", "in", "like"}
            for c in concepts.values()
        ]
        assert sum(map(len, words)) == len(set().union(*words))


# --- claims
# --------------------------------------------------------------------------------------------------


# --- perfect eyes
# --------------------------------------------------------------------------------------------------

"""What is wrong in a composition is seen in its drawing, and its masks are exact."""

from collections import Counter

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from hallascope.data import masks
from hallascope.primer import scenes
from hallascope.primer.appearance import named_color
from hallascope.primer.benchmark.composition_sampler import composition
from hallascope.primer.scenes import parse
from hallascope.primer.truth.compositions import DrawnThing, things

SEEDS = st.integers(0, 5_000)


SIDES = {"left": (0, -1), "right": (0, 1), "above": (1, -1), "below": (1, 1)}


THIN = {"Big Dipper"}  # of lines and dots: it reaches far and covers little


def centre(thing: DrawnThing) -> tuple[float, float]:
    return (thing.box.left + thing.box.right) / 2, (thing.box.top + thing.box.bottom) / 2


def tone(pixels: NDArray[np.uint8], mask: NDArray[np.bool_]) -> str:
    """The middle tone of what the mask covers, in hexadecimal."""
    return "#" + "".join(f"{int(value):02x}" for value in np.median(pixels[mask], axis=0))


@given(SEEDS)
@settings(max_examples=25)
def test_every_error_is_seen_in_what_is_drawn_and_nothing_else_is_wrong(seed: int) -> None:
    """Counts, colors and places of the things, as their masks show them, against the prompt as the
    grammar reads it.
    """
    made, asked = composition(seed), parse(composition(seed).prompt)
    shown = things(made, 192)
    names = Counter(thing.name for thing in shown)
    told: set[tuple[str, str]] = set()
    for group in asked.groups:
        own = [thing for thing in shown if thing.name == group.concept.name]
        if not own:
            told.add(("omission", group.concept.name))
            continue
        if group.count > 1 and len(own) != group.count:
            told.add(("number", group.concept.name))
        if group.colour and any(thing.colour != group.colour for thing in own):
            told.add(("color", group.concept.name))
    told |= {
        ("extraneous", name) for name in set(names) - {group.concept.name for group in asked.groups}
    }
    if (
        asked.relation
        and all(names[group.concept.name] for group in asked.groups)
        and not _stands(asked, shown)
    ):
        told.add(("position", asked.groups[0].concept.name))
    assert told == {(error.kind, error.subject) for error in made.errors}


def _stands(asked: scenes.Scene, shown: tuple[DrawnThing, ...]) -> bool:
    """Whether all of the first group stand to all of the second as the prompt says.

    If not, all must stand the other way round.
    """
    axis, sign = SIDES[str(asked.relation)]
    one, two = (
        [centre(thing)[axis] for thing in shown if thing.name == group.concept.name]
        for group in asked.groups
    )
    differences = [sign * (a - b) for a in one for b in two]
    assert min(differences) > 0.05 or max(differences) < -0.05
    return min(differences) > 0


@given(SEEDS)
@settings(max_examples=15)
def test_masks_lie_in_their_boxes_apart_from_each_other_and_have_the_color_that_is_said(
    seed: int,
) -> None:
    made = composition(seed)
    shown = things(made, 128)
    pixels = np.asarray(made.drawing.image(128))
    assert [(thing.name, thing.colour) for thing in shown] == [
        (item.concept.name, item.colour) for item in made.items
    ]
    together = np.zeros((128, 128), dtype=int)
    for thing in shown:
        mask = masks.array(thing.mask)
        together += mask
        assert masks.box(thing.mask) == thing.box
        assert max(thing.box.right - thing.box.left, thing.box.bottom - thing.box.top) > 0.13, (
            "large enough to be known"
        )
        assert mask.sum() > 100 or thing.name in THIN, "large enough to be known"
        if thing.colour:
            assert named_color(tone(pixels, mask)) in (thing.colour, None)
    assert together.max() == 1

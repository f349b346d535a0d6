"""What is said of a thing in a drawing is what its pixels and the facts of the world say."""

import random
from typing import Any

import numpy as np
import pytest

from hallascope.data.masks import bounds
from hallascope.primer.appearance import Appearance, RenderedScene, named_color
from hallascope.primer.concepts import concepts
from hallascope.primer.drawing.parts import PALETTE, Art, shade
from tests.data.cases import cases
from tests.primer.views import draw_view


def _part(view: RenderedScene, name: str) -> Appearance:
    return next(look for look in view.looks() if look.part == name)


def test_a_tone_of_a_drawing_has_the_name_it_was_mixed_by() -> None:
    for name in sorted(set(PALETTE) - {"skin"}):
        assert {named_color(Art(seed).tone(name)) for seed in range(12)} <= {name, None}
        assert named_color(PALETTE[name]) == name
    assert named_color(PALETTE["skin"]) is None
    assert named_color(shade(PALETTE["red"], 0.5)) != "red"


def test_the_color_of_a_part_is_the_one_its_fact_says() -> None:
    chance, right = random.Random(0), 0
    for concept in concepts():
        for fact in concept.facts:
            said = [value for value in fact.values if value in PALETTE]
            if fact.criterion != "color" or not said:
                continue
            value = chance.choice(said)
            view = draw_view(concept.phrase, 1, **{fact.parameter: value})
            tones = {view.color(look) for look in view.looks() if look.part in fact.parts} - {None}
            assert tones <= {value}, (concept.name, fact.parameter)
            right += tones == {value}
    assert right > 35


def test_what_has_no_single_color_has_none() -> None:
    zebra = draw_view("a zebra")
    assert zebra.color(_part(zebra, "body")) is None


def test_every_thing_of_a_picture_is_found_where_it_is_drawn() -> None:
    view = draw_view("three red circles above a blue star")
    looks = view.looks()
    assert sorted(look.name or "" for look in looks) == ["circle"] * 3 + ["star"]
    assert {view.caption(look) for look in looks} == {"a red circle", "a blue star"}
    assert max(look.region.bottom for look in looks if look.name == "circle") <= 0.55
    for look in looks:
        assert look.region == bounds(view.mask(look.indices))


def test_a_part_is_named_with_its_color_and_its_thing() -> None:
    view = draw_view("a ladybug", covers="blue")
    cover = _part(view, "wing cover")
    assert (cover.name, view.color(cover), view.caption(cover)) == (
        "wing cover",
        "blue",
        "the blue wing cover of a ladybug",
    )
    (thing,) = (look for look in view.looks() if look.part is None)
    assert view.caption(thing) == "a ladybug"
    assert thing.region.area > cover.region.area


def test_a_plain_shape_goes_by_what_was_drawn_not_by_what_was_asked_for() -> None:
    view = draw_view("a red circle", kind="triangle")
    (look,) = view.looks()
    assert (look.name, view.shape(look), view.caption(look)) == (
        "triangle",
        "Triangular",
        "a red triangle",
    )


def test_a_part_whose_place_something_else_has_taken_is_not_called_by_its_name() -> None:
    true, false = (
        draw_view("a molecule of methane"),
        draw_view("a molecule of methane", centre="red"),
    )
    assert (
        true.caption(_part(true, "carbon atom")) == "the black carbon atom of a molecule of methane"
    )
    taken = _part(false, "carbon atom")
    assert (taken.name, false.caption(taken)) == (None, None)
    assert false.color(taken) == "red"


@pytest.mark.parametrize(
    ("prompt", "part", "values", "word"),
    cases(
        "appearance",
        "the_texture_is_what_a_fact_says_or_plain_where_all_is_one_flat_color",
        "primer",
    ),
)
def test_the_texture_is_what_a_fact_says_or_plain_where_all_is_one_flat_color(
    prompt: str, part: str | None, values: dict[str, Any], word: str | None
) -> None:
    view = draw_view(prompt, **values)
    assert view.texture(next(look for look in view.looks() if look.part == part)) == word


def test_what_is_called_plain_is_one_flat_color_to_the_eye() -> None:
    seen = 0
    for concept in concepts()[::2]:
        view = draw_view(concept.phrase, 2)
        pixels = np.asarray(view.drawing.image(view.size), dtype=np.int16)
        for look in view.looks():
            if look.part and view.texture(look) == "Plain":
                inner = view.mask(look.indices)
                for _ in range(5):
                    inner = (
                        inner
                        & np.roll(inner, 1, 0)
                        & np.roll(inner, -1, 0)
                        & np.roll(inner, 1, 1)
                        & np.roll(inner, -1, 1)
                    )
                if inner.sum() > 20:
                    seen += 1
                    assert np.abs(pixels[inner] - np.median(pixels[inner], axis=0)).max() < 40, (
                        concept.name,
                        look.part,
                    )
    assert seen > 7

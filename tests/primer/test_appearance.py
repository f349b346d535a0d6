"""What is said of a thing in a drawing is what its pixels and the facts of the world say."""

import random
from typing import Any

import pytest

from hallascope.data.masks import bounds
from hallascope.primer.appearance import Appearance, RenderedScene
from hallascope.primer.concepts import concepts
from hallascope.primer.drawing.parts import PALETTE
from tests.data.cases import cases
from tests.primer.views import draw_view


def _part(view: RenderedScene, name: str) -> Appearance:
    return next(look for look in view.looks() if look.part == name)


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


@pytest.mark.parametrize(
    "prompt, part, values, word",
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

"""Phrases point at what is drawn, and at nothing where it is absent."""

import random

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import ndimage

from hallascope.backends.embedded.training.dataset import labeled, phrases
from hallascope.backends.embedded.training.dataset.labeled import DrawnPart, LabeledImage
from hallascope.backends.embedded.training.dataset.phrases import (
    ANYTHING,
    PictureContents,
    Referent,
)
from hallascope.primer import scenes
from hallascope.primer.concepts import concepts
from tests.support.tiny_trainings import PROMPTS, SIDE, draw_labeled


def learned(instances: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Where the segmenter is taught to say yes."""
    return (instances > 0) & ~phrases.gaps(instances)


def test_what_is_there_is_where_its_parts_are_drawn(labeled_pictures: list[LabeledImage]) -> None:
    chance, seen = random.Random(0), set()
    for prompt, picture in zip(PROMPTS, labeled_pictures, strict=True):
        scene = scenes.parse(prompt)
        drawing = scene.draw(scene.truths(), "test 0")
        shown = drawing.part_map(SIDE)
        for _ in range(12):
            asked = phrases.sample_present(PictureContents(picture), chance)
            assert asked is not None
            noun, colour = asked.noun, {group.concept.name: group.colour for group in scene.groups}
            wanted = [
                i
                for i, part in enumerate(drawing.parts)
                if noun == ANYTHING
                or (noun.thing and noun.part and (part.owner, part.name) == (noun.thing, noun.part))
                or (noun.color and part.owner == noun.thing and colour[part.owner] == noun.color)
                or (
                    not noun.color
                    and not (noun.thing and noun.part)
                    and (noun.thing or noun.part).lower() in (part.owner.lower(), part.name.lower())
                )
            ]
            assert ((asked.instances > 0) == np.isin(shown, wanted)).all(), asked.text
            seen.add((bool(noun.thing), bool(noun.part), bool(noun.color)))
    assert len(seen) == 5


def test_what_is_absent_has_an_empty_mask_and_no_part_of_its_name_in_the_picture(
    labeled_pictures: list[LabeledImage],
) -> None:
    chance, parts = random.Random(1), phrases.parts_of_things(one.drawn for one in labeled_pictures)
    for picture in labeled_pictures:
        names = {name.lower() for drawn in picture.drawn for name in (drawn.thing, drawn.part)}
        for _ in range(20):
            asked = phrases.sample_absent(PictureContents(picture), parts, chance)
            assert not asked.instances.any()
            if asked.noun.color:
                assert (asked.noun.thing, asked.noun.color) not in {
                    (drawn.thing, drawn.color) for drawn in picture.drawn
                }
            elif asked.noun.thing and asked.noun.part:
                assert (asked.noun.thing, asked.noun.part) not in {
                    (drawn.thing, drawn.part) for drawn in picture.drawn
                }
            else:
                assert (asked.noun.thing or asked.noun.part).lower() not in names


def test_at_least_a_third_of_the_phrases_ask_for_what_is_absent(
    labeled_pictures: list[LabeledImage],
) -> None:
    parts = phrases.parts_of_things(one.drawn for one in labeled_pictures)
    asked = [
        one
        for i, picture in enumerate(labeled_pictures)
        for one in phrases.sample_phrases(picture, 40, parts, random.Random(i))
    ]
    assert 1 / 3 < np.mean([not one.instances.any() for one in asked]) < 0.5


def test_a_colour_singles_out_its_shape_and_a_wrong_colour_nothing() -> None:
    view = PictureContents(draw_labeled("two blue squares above a red star"))
    squares, blue = (
        view.instances(Referent("square")),
        view.instances(Referent("square", color="blue")),
    )
    assert (squares == blue).all()
    assert blue.max() == 2
    assert not view.instances(Referent("square", color="red")).any()
    assert view.instances(Referent("star", color="red")).any()


def test_a_part_of_a_thing_is_not_that_part_of_another() -> None:
    view = PictureContents(draw_labeled("a spider and a zebra", size=128))
    legs, spider = view.instances(Referent(part="leg")), view.instances(Referent("spider", "leg"))
    assert 0 < (spider > 0).sum() < (legs > 0).sum()
    assert not view.instances(Referent("ladybug", "leg")).any()


def test_touching_instances_are_kept_apart_by_one_pixel_of_the_larger() -> None:
    index = np.zeros((8, 8), np.uint8)
    index[1:7, 1:4], index[2:5, 4:7] = 1, 2
    view = PictureContents(
        LabeledImage(
            np.zeros((8, 8, 3), np.uint8),
            index,
            (DrawnPart("square", "square", 1, "red"), DrawnPart("square", "square", 2, "red")),
        )
    )
    mask = learned(view.instances(Referent("square")))
    _, pieces = ndimage.label(mask, np.ones((3, 3)))
    assert pieces == 2
    assert mask[index == 2].all()
    assert (~mask & (index == 1)).sum() == 5  # the column beside the smaller one, and its corners


def test_the_bands_of_a_flag_are_three_pieces() -> None:
    _, pieces = ndimage.label(
        learned(
            PictureContents(draw_labeled("a flag of France", size=128)).instances(
                Referent(part="band")
            )
        )
    )
    assert pieces == 3


@pytest.mark.parametrize("thing", ["Mars", "comet", "Stonehenge", "thunderstorm"])
@pytest.mark.parametrize("count", [1, 4])
def test_a_thing_drawn_in_several_pieces_is_learned_as_one(thing: str, count: int) -> None:
    scene, values = labeled.crowd(
        next(one.plural for one in concepts() if one.name == thing), count
    )
    instances = PictureContents(labeled.label(scene, values, "pieces", 128)).instances(
        Referent(thing)
    )
    assert ndimage.label(learned(instances))[1] > count
    together = phrases.join_pieces(instances)
    assert (together[instances > 0] == instances[instances > 0]).all()
    pieces, _ = ndimage.label(learned(together))
    assert (np.bincount(pieces.ravel())[1:] >= phrases.SEEN).sum() == count


def test_phrases_are_said_as_people_say_them() -> None:
    said = {phrases.phrase_text(Referent("tulip"), 2, random.Random(i)) for i in range(60)}
    assert {"tulip", "tulips", "a tulip", "the tulip", "two tulips"} <= said
    assert {
        phrases.phrase_text(Referent("octopus", "arm"), 0, random.Random(i)) for i in range(60)
    } >= {
        "the arms of the octopus",
        "arm of octopus",
    }
    assert {
        phrases.phrase_text(Referent("circle", color="orange"), 1, random.Random(i))
        for i in range(60)
    } >= {
        "an orange circle",
        "orange circles",
    }
    assert [
        phrases.plural(name)
        for name in ("foot", "leaf", "body", "arch", "spots", "bits of wood", "hydrogen atom")
    ] == [
        "feet",
        "leaves",
        "bodies",
        "arches",
        "spots",
        "bits of wood",
        "hydrogen atoms",
    ]

"""Labeled pictures are read back as they were drawn."""

from pathlib import Path

import pytest

from hallascope.backends.embedded.training.dataset import labeled
from hallascope.backends.embedded.training.dataset.labeled import DrawnPart, LabeledImage
from hallascope.primer import scenes
from tests.support.tiny_trainings import SIDE


def test_what_is_read_back_is_what_was_drawn_and_colours_come_from_captions(
    labeled_folders: tuple[Path, Path], labeled_pictures: list[LabeledImage]
) -> None:
    held = labeled.load([(labeled_folders[0], 5), (labeled_folders[1], 100)], SIDE)
    assert len(held) == 17
    assert (held[3].pixels == labeled_pictures[3].pixels).all()
    assert (held[3].index == labeled_pictures[3].index).all()
    assert held[3].drawn == labeled_pictures[3].drawn
    assert {drawn.color for drawn in held[3].drawn} == {"red"}
    assert held[6].drawn == labeled.draw_wrong(1, SIDE).drawn


def test_a_shape_is_called_what_it_is_drawn_as() -> None:
    scene = scenes.parse("a red circle")
    one = labeled.label(scene, scene.truths() | {"kind": "square", "colour": "blue"}, "test", SIDE)
    assert one.drawn == (DrawnPart("square", "square", 1, "blue"),)


@pytest.mark.parametrize("count", range(1, 7))
def test_a_crowd_has_as_many_things_as_asked_for(count: int) -> None:
    scene, values = labeled.crowd("ladybugs", count)
    assert {drawn.number for drawn in labeled.label(scene, values, "test", SIDE).drawn} == set(
        range(1, count + 1)
    )


def test_pictures_with_errors_are_seeded_and_hold_more_things_than_a_prompt_can_ask_for() -> None:
    assert (labeled.draw_wrong(4, 32).pixels == labeled.draw_wrong(4, 32).pixels).all()
    assert [
        max(drawn.number for drawn in labeled.draw_wrong(seed, 16).drawn) for seed in (4, 5, 7)
    ] == [5, 3, 5]

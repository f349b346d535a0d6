"""A drawing is shown whole and in part, in tones that have a name."""

import numpy as np
import pytest

from hallascope.data.regions import Box
from hallascope.primer import scenes
from hallascope.primer.appearance import RenderedScene


def _view(prompt: str, seed: int = 0, **values: str | int) -> RenderedScene:
    scene = scenes.parse(prompt)
    whole = {**scene.truths(), **values}
    return RenderedScene(scene, whole, scene.draw(whole, seed))


def test_a_view_shows_the_same_as_a_cut_out_of_the_picture() -> None:
    drawing = _view("a ladybug").drawing
    view = Box(0.25, 0.25, 0.75, 0.75)
    whole, seen = (
        np.asarray(image, dtype=np.int16)
        for image in (drawing.image(256), drawing.image(128, view))
    )
    assert np.abs(whole[64:192, 64:192] - seen).mean() < 3
    assert (drawing.part_map(256)[64:192, 64:192] == drawing.part_map(128, view)).mean() > 0.97


@pytest.mark.parametrize("place", [(122, 53, 206, 137), (57, 122, 141, 206), (106, 62, 190, 146)])
def test_a_square_view_gives_square_pixels_wherever_it_lies(
    place: tuple[int, int, int, int],
) -> None:
    view = Box(*(side / 224 for side in place))
    drawing = _view("a ladybug").drawing
    assert drawing.part_map(128, view).shape == (128, 128)
    assert drawing.image(128, view).size == (128, 128)

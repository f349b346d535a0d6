"""Every scene has a backdrop that varies by chance and covers the whole picture."""

import numpy as np
import pytest

from hallascope.primer.drawing.backdrops import SCENES, backdrop
from hallascope.primer.drawing.parts import Art, Drawing


@pytest.mark.parametrize("scene", SCENES)
def test_a_backdrop_covers_the_picture_and_is_no_part(scene: str) -> None:
    drawing = Drawing(backdrop(scene, Art(0)), ())
    pixels = np.asarray(drawing.image(32))
    assert (pixels.sum(axis=2) > 0).all()
    assert (drawing.part_map(32) == -1).all()


@pytest.mark.parametrize("scene", SCENES)
def test_a_backdrop_is_the_same_for_the_same_seed(scene: str) -> None:
    assert backdrop(scene, Art(1)) == backdrop(scene, Art(1))


def test_no_two_backdrops_look_alike() -> None:
    means = [
        np.asarray(Drawing(backdrop(s, Art(0)), ()).image(32)).mean(axis=(0, 1)) for s in SCENES
    ]
    for i, mean in enumerate(means):
        assert all(np.abs(mean - other).max() > 4 for other in means[:i])

"""An image is changed as people change files, by chance and the same for a seed."""

import random

import pytest
from PIL import Image

from hallascope.backends.embedded.style_images.file_changes import (
    FileChanges,
    change_file,
    crop_part,
    resize_longest,
)

IMAGE = Image.linear_gradient("L").resize((512, 512)).convert("RGB")


def test_the_same_seed_gives_the_same_file() -> None:
    once, again = (change_file(IMAGE, random.Random(3), FileChanges()) for _ in range(2))
    assert once.tobytes() == again.tobytes()


@pytest.mark.parametrize("seed", range(20))
def test_a_changed_file_keeps_its_bounds(seed: int) -> None:
    changed = change_file(IMAGE, random.Random(seed), FileChanges())
    assert changed.mode == "RGB"
    assert 128 <= max(changed.size) <= 1024
    ratio = changed.width / changed.height
    assert 0.85 < ratio < 1.18, "a slight crop"


def test_a_crop_keeps_the_least_share_of_each_side() -> None:
    for seed in range(30):
        part = crop_part(IMAGE, random.Random(seed), 0.5)
        assert 256 <= min(part.size) <= max(part.size) <= 512


def test_the_longest_side_lies_between_the_two() -> None:
    wide = IMAGE.resize((400, 100))
    for seed in range(30):
        resized = resize_longest(wide, random.Random(seed), (128, 256))
        assert 128 <= resized.width <= 256
        assert resized.height == pytest.approx(resized.width / 4, abs=1)

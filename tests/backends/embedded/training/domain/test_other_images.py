"""Cut-out images are put on a ground, others are shown in part."""

import random

import numpy as np
from PIL import Image, ImageDraw

from hallascope.backends.embedded.training.domain import other_images


def cut_out() -> Image.Image:
    image = Image.new("RGBA", (100, 100), (0, 0, 0, 0))
    ImageDraw.Draw(image).ellipse((20, 20, 80, 80), (255, 0, 0, 255))
    return image


def test_an_image_with_a_transparent_part_is_cut_out() -> None:
    assert other_images.is_cut_out(cut_out())
    assert not other_images.is_cut_out(Image.new("RGBA", (100, 100), "red"))


def test_a_cut_out_thing_is_shown_whole() -> None:
    for seed in range(10):
        shown = other_images.show_image(cut_out(), random.Random(seed), backdrops=False)
        assert shown.mode == "RGB"
        pixels = np.asarray(shown)
        red = int(((pixels[..., 0] > 200) & (pixels[..., 1:].max(-1) < 60)).sum())
        assert red > 100


def test_a_collage_is_square_and_made_of_parts() -> None:
    images = [Image.new("RGBA", (200, 100), color) for color in ("red", "blue")]
    collage = other_images.make_collage(images, random.Random(1))
    assert collage.width == collage.height
    assert len(np.unique(np.asarray(collage).reshape(-1, 3), axis=0)) >= 2

"""Pictures that the domain of the judge is fitted on are drawn, and saved as people save them."""

import random
from itertools import islice
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from hallascope.backends.embedded.training.domain import features


def test_each_prompt_is_drawn_right_and_with_three_shares_of_its_facts_violated() -> None:
    images, again = (list(features.drawings(2)) for _ in range(2))
    assert len(images) == 2 * len(features.VIOLATED)
    assert {image.size for image in images} == {(512, 512)}
    assert len({image.tobytes() for image in images}) > 2
    assert [image.tobytes() for image in images] == [image.tobytes() for image in again]


def test_a_recompressed_picture_is_a_smaller_jpeg_of_the_same_colors() -> None:
    image = Image.new("RGB", (512, 512), "red")
    sent = features.recompress(image, random.Random(0))
    assert sent.format == "JPEG"
    assert 64 <= sent.width == sent.height < 400
    assert np.abs(np.asarray(sent, dtype=int) - [255, 0, 0]).max() < 10


def test_every_picture_is_written_as_it_is_and_recompressed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown = [Image.new("RGB", (512, 512), color) for color in ("red", "blue")]
    monkeypatch.setattr(features, "drawings", lambda prompts: iter(shown[:prompts]))
    pictures = list(islice(features.pictures(tmp_path, 2), 4))
    assert [picture.path.name for picture in pictures] == [
        "0-whole.png",
        "0-sent.png",
        "1-whole.png",
        "1-sent.png",
    ]
    with Image.open(pictures[2].path) as whole:
        assert whole.tobytes() == shown[1].tobytes()

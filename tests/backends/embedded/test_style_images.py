"""Synthetic images of other styles, and the changes of files, are the same for a seed."""

import random

from PIL import Image

from hallascope.backends.embedded.style_images.file_changes import FileChanges, change_file
from hallascope.backends.embedded.style_images.synthetic import (
    SIZE,
    TRAINED,
    UNSEEN,
    Painter,
    paint_image,
)


def test_every_kind_paints_an_image_that_its_seed_decides() -> None:
    painters: dict[str, Painter] = {**TRAINED, **UNSEEN}
    assert len(painters) == len(TRAINED) + len(UNSEEN), "a kind is trained on and measured"
    for kind, painter in painters.items():
        once, again, other = (paint_image(0, seed, {kind: painter}) for seed in ("a", "a", "b"))
        assert once.size == (SIZE, SIZE), kind
        assert once.tobytes() == again.tobytes(), kind
        assert once.tobytes() != other.tobytes() or kind == "plain", kind


def test_a_changed_file_is_the_same_for_a_seed_and_keeps_its_bounds() -> None:
    image = Image.linear_gradient("L").resize((512, 512)).convert("RGB")
    for seed in range(12):
        changed, again = (change_file(image, random.Random(seed), FileChanges()) for _ in range(2))
        assert changed.tobytes() == again.tobytes()
        assert 128 <= max(changed.size) <= 1024
        assert 0.85 < changed.width / changed.height < 1.18, "a slight crop"

"""Synthetic images are the same for a seed, and no kind is both learned from and only measured."""

import pytest

from hallascope.backends.embedded.style_images.synthetic import (
    SIZE,
    TRAINED,
    UNSEEN,
    Painter,
    paint_image,
)


@pytest.mark.parametrize("kind", sorted({**TRAINED, **UNSEEN}))
def test_every_kind_paints_an_image_that_its_seed_decides(kind: str) -> None:
    painters: dict[str, Painter] = {**TRAINED, **UNSEEN}
    only = {kind: painters[kind]}
    once, again, other = (paint_image(0, seed, only) for seed in ("a", "a", "b"))
    assert once.size == (SIZE, SIZE)
    assert once.tobytes() == again.tobytes()
    assert once.tobytes() != other.tobytes() or kind == "plain"


def test_kinds_that_are_measured_only_are_not_learned_from() -> None:
    assert not set(TRAINED) & set(UNSEEN)
    assert not set(TRAINED.values()) & set(UNSEEN.values())

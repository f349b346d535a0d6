"""Samples are drawn before a training or beside it."""

from functools import partial
from pathlib import Path

import numpy as np

from hallascope.backends.embedded.training.dataset import background, shards


def draw(seeds: range) -> shards.Arrays:
    return {"numbers": np.array(seeds)}


def draw_forever(seeds: range) -> shards.Arrays:
    while seeds.start >= 4:
        pass
    return draw(seeds)


def test_without_a_number_to_begin_with_all_is_drawn_first(tmp_path: Path) -> None:
    write = partial(shards.write, tmp_path, 6, draw, workers=1, per_shard=2)
    with background.drawing(write, tmp_path, 0):
        assert len(shards.files(tmp_path)) == 3


def test_the_rest_is_drawn_beside_the_block_and_ends_with_it(tmp_path: Path) -> None:
    write = partial(shards.write, tmp_path, 6, draw_forever, workers=1, per_shard=2)
    with background.drawing(write, tmp_path, 2):
        assert len(shards.files(tmp_path)) == 2

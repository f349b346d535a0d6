"""Samples of the corpus are seeded, and what is held out is never drawn."""

import random
from pathlib import Path

import numpy as np
import pytest

from hallascope.backends.embedded.training.dataset import corpus
from hallascope.primer import scenes


@pytest.mark.parametrize("seed", range(8))
def test_a_sample_is_the_same_for_the_same_seed_and_shows_what_it_says(seed: int) -> None:
    one, again = corpus.draw_sample(seed), corpus.draw_sample(seed)
    assert np.array_equal(one.pixels, again.pixels)
    assert one.caption == again.caption
    assert one.pixels.shape == (128, 128, 3)
    assert one.index.max() <= len(one.names)
    things = {number for _, _, number in one.names}
    assert things == set(range(1, len(things) + 1)), "things are numbered from 1 on"


def test_the_parts_of_two_things_of_a_kind_are_told_apart() -> None:
    chance = random.Random(0)
    scene = next(
        s
        for s in (scenes.parse(corpus.training_prompt(chance)) for _ in range(500))
        if s.groups[0].count == 3
    )
    drawing = scene.draw(scene.truths(), "three")
    named = corpus.part_names(scene, drawing)
    assert len({number for _, _, number in named}) == sum(group.count for group in scene.groups)


def test_what_is_held_out_is_never_drawn_and_there_is_enough_of_it() -> None:
    chance = random.Random(1)
    assert not any(corpus.held_out(corpus.training_prompt(chance)) for _ in range(300))
    prompts = {scenes.sample_prompt(chance) for _ in range(600)}
    put_together = [prompt for prompt in prompts if corpus.compositions(prompt)]
    share = sum(map(corpus.held_out, put_together)) / len(put_together)
    assert 0.05 < share < 0.3


def test_a_lone_thing_puts_nothing_together_and_is_never_held_out() -> None:
    assert corpus.compositions("a ladybug") == ()
    assert corpus.compositions("three ladybugs") == ("number 3 ladybug",)
    assert not corpus.held_out("a ladybug")


@pytest.mark.parametrize(("count", "shards"), [(0, 0), (1, 1), (12, 1), (13, 2), (100, 2)])
def test_the_first_pictures_are_read_by_whole_shards(
    corpus_folder: Path, count: int, shards: int
) -> None:
    read = list(corpus.read_first_pictures(corpus_folder, count))
    assert [len(shard.captions) for shard in read] == [12] * shards

"""False captions are false, and captions that mean the same are equal."""

import random

from hallascope.backends.embedded.training.dataset import captions
from hallascope.primer import scenes


def test_false_captions_can_be_read_and_say_something_else() -> None:
    for seed in range(60):
        chance = random.Random(seed)
        scene = scenes.parse(scenes.sample_prompt(chance))
        assert captions.meaning_key(
            scenes.parse(captions.scene_prompt(scene))
        ) == captions.meaning_key(scene)
        for text in captions.false_captions(scene, 3, chance):
            assert captions.meaning_key(scenes.parse(text)) != captions.meaning_key(scene)


def test_the_same_said_from_the_other_side_means_the_same() -> None:
    one, other = (
        captions.meaning_key(scenes.parse(text))
        for text in ("a red circle above a ladybug", "a ladybug below a red circle")
    )
    assert one == other
    assert one != captions.meaning_key(scenes.parse("a ladybug above a red circle"))

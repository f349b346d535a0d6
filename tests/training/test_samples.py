"""Training samples are labeled by what is drawn, and never hold what is held out."""

import json
import random
from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import ndimage

from hallascope.data.regions import Box
from hallascope.primer import scenes
from hallascope.primer.benchmark.pair_criteria import ASPECTS
from training import captions, drawings, phrases, questions, shards
from training.drawings import DrawnPart, LabeledImage, label
from training.loop import Config
from training.phrases import ImageContents, Referent

PROMPTS = ("a ladybug", "two tulips", "a blue square above a red star", "a spider and a zebra")


def drawn(prompt: str, size: int = 64) -> LabeledImage:
    scene = scenes.parse(prompt)
    return label(scene, scene.truths(), "test", size)


def learned(instances: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Where the segmenter is taught to say yes."""
    return (instances > 0) & ~phrases.gaps(instances)


# --- captions and what is held out ---


def test_false_captions_say_something_else_and_one_meaning_has_one_key() -> None:
    def key(text: str) -> object:
        return captions.meaning_key(scenes.parse(text))

    for seed in range(20):
        chance = random.Random(seed)
        scene = scenes.parse(scenes.sample_prompt(chance))
        assert key(captions.scene_prompt(scene)) == captions.meaning_key(scene)
        for text in captions.false_captions(scene, 3, chance):
            assert key(text) != captions.meaning_key(scene), text
    assert key("a red circle above a ladybug") == key("a ladybug below a red circle")
    assert key("a red circle above a ladybug") != key("a ladybug above a red circle")


def test_what_is_held_out_is_never_drawn_and_there_is_enough_of_it() -> None:
    chance = random.Random(1)
    assert not any(captions.is_held_out(captions.training_prompt(chance)) for _ in range(200))
    prompts = {scenes.sample_prompt(chance) for _ in range(400)}
    composed = [prompt for prompt in prompts if captions.compositions(prompt)]
    assert 0.05 < sum(map(captions.is_held_out, composed)) / len(composed) < 0.3
    assert captions.compositions("a ladybug") == ()
    assert captions.compositions("three ladybugs") == ("number 3 ladybug",)
    assert not captions.is_held_out("a ladybug")


# --- labels ---


def test_things_are_named_colored_and_counted_as_they_are_drawn() -> None:
    scene = scenes.parse("a red circle")
    wrong = scene.truths() | {"kind": "square", "colour": "blue"}
    assert label(scene, wrong, "test", 64).drawn == (DrawnPart("square", "square", 1, "blue"),)
    scene, values = drawings.crowd("ladybugs", 6)
    assert {part.number for part in label(scene, values, "test", 64).drawn} == {
        1, 2, 3, 4, 5, 6
    }  # fmt: skip
    blue = ImageContents(drawn("two blue squares above a red star"))
    assert blue.instances(Referent("square", color="blue")).max() == 2
    assert not blue.instances(Referent("square", color="red")).any()
    animals = ImageContents(drawn("a spider and a zebra", 128))
    legs, spider = (animals.instances(Referent(thing, "leg")) for thing in ("", "spider"))
    assert 0 < (spider > 0).sum() < (legs > 0).sum()


def numbered(seed: int) -> list[dict[str, NDArray[np.int64] | str]]:
    return [{"number": np.array(seed), "name": f"sample {seed}"}] * (1 + seed % 2)


def test_shards_are_drawn_once_and_read_back_as_they_were_drawn(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shards, "PER_SHARD", 2)
    config = Config(work=tmp_path, out=tmp_path, samples=5, workers=1, steps=1, batch=3, rate=1.0)
    shards.draw(tmp_path, numbered, replace(config, samples=3))
    times = []
    for _ in range(2):
        shards.draw(tmp_path, numbered, config)
        times.append([file.stat().st_mtime_ns for file in sorted(tmp_path.iterdir())])
    assert times[0] == times[1]
    assert len(times[0]) == 3
    names = [str(name) for shard in shards.read(tmp_path) for name in shard["name"]]
    assert names == [f"sample {seed}" for seed in (0, 1, 1, 2, 3, 3, 4)]
    corpus = shards.Corpus(tmp_path, 6, lambda shard: shards.tensors(shard, "number"))
    assert len(corpus) == 6, "there is room for no more"
    seen = [number for step in (0, 1) for number in corpus.batch(config, step)["number"].tolist()]
    assert sorted(seen) == [0, 1, 1, 2, 3, 3]


# --- phrases and masks ---


def test_phrases_ask_for_what_is_drawn_and_for_what_is_absent() -> None:
    images = [drawn(prompt) for prompt in PROMPTS]
    parts, chance = (
        drawings.parts_of_things((part.thing, part.part) for one in images for part in one.drawn),
        random.Random(1),
    )
    for image in images:
        contents = ImageContents(image)
        names = {name.lower() for part in image.drawn for name in (part.thing, part.part)}
        for _ in range(10):
            present = phrases.sample_present(contents, chance)
            assert present is not None
            assert present.instances.any(), present.text
            absent = phrases.sample_absent(contents, parts, chance)
            assert not absent.instances.any(), absent.text
            noun = absent.noun
            if not noun.color and not (noun.thing and noun.part):
                assert (noun.thing or noun.part).lower() not in names
    asked = [one for image in images for one in phrases.sample_phrases(image, 40, parts, chance)]
    assert 1 / 3 < np.mean([not one.instances.any() for one in asked]) < 0.5


def test_touching_instances_are_kept_apart_by_one_pixel_of_the_larger() -> None:
    index = np.zeros((8, 8), np.int16)
    index[1:7, 1:4], index[2:5, 4:7] = 1, 2
    square = [DrawnPart("square", "square", number, "red") for number in (1, 2)]
    image = replace(drawn("a red square"), index=index, drawn=tuple(square))
    mask = learned(ImageContents(image).instances(Referent("square")))
    assert ndimage.label(mask, np.ones((3, 3)))[1] == 2
    assert mask[index == 2].all()
    assert (~mask & (index == 1)).sum() == 5  # the column beside the smaller one, and its corners


# --- questions ---


def test_questions_on_facts_have_right_answers() -> None:
    for prompt in ("a ladybug", "a red circle"):
        scene = scenes.parse(prompt)
        values = scenes.violate(scene, 0.5, random.Random(1))
        right = {fact.question: scenes.right_answer(fact, values) for fact in scene.facts}
        for seed in range(10):
            *facts, _ = questions.ask_of_facts(scene, values, random.Random(seed))
            assert facts
            assert all(right[asked] == reply for asked, reply in facts)


@pytest.mark.full
def test_samples_of_the_judge_and_the_segmenter_do_not_contradict_themselves() -> None:
    told = Counter[str]()
    for seed in range(20):
        (masked,) = phrases.draw_sample(64, 8, seed)
        assert not (masked["masks"] & masked["gaps"]).any()
        for sample in questions.draw_sample(64, seed):
            asked = {tuple(pair) for pair in json.loads(sample["asked"])}
            assert len(dict(asked)) == len(asked), "contradictory answers"
            told.update(answer for _, answer in asked)
    assert 0.3 < told["Yes"] / (told["Yes"] + told["No"]) < 0.7


# --- pairs ---


def test_a_region_said_a_little_differently_is_still_about_the_same() -> None:
    region = Box(0.3, 0.3, 0.7, 0.5)
    for n in range(50):
        moved = questions.jitter(region, random.Random(n))
        assert max(abs(a - b) for a, b in zip(moved.sides, region.sides, strict=True)) <= 0.033


def test_a_known_reference_is_drawn_right_and_others_are_looked_at_by_region_and_whole() -> None:
    pairs, again = (
        [questions.sample_pair(f"pair {n}", random.Random(n)) for n in range(count)]
        for count in (30, 4)
    )
    assert again[3].picture.drawing == pairs[3].picture.drawing
    assert again[3].reference.drawing == pairs[3].reference.drawing
    assert {pair.known for pair in pairs} == {True, False}
    assert {pair.look is None for pair in pairs} == {True, False}
    for pair in pairs:
        assert set(pair.compared) == set(ASPECTS)
        right = pair.reference.values == pair.reference.scene.truths()
        assert not pair.known or (right and pair.look is None)

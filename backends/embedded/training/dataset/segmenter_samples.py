"""Draws what a segmenter is trained on: labeled pictures with phrases and their masks.

A third of the pictures are factual, a third has violated facts and crowds alternate with them: the
model has to see what a generator gets wrong, and to count.
"""

import json
import random
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, partial
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from hallascope.backends.embedded.training.dataset import corpus, labeled, phrases, samples, shards
from hallascope.backends.embedded.training.dataset.labeled import LabeledImage
from hallascope.backends.embedded.training.dataset.phrases import PhraseSample, World
from hallascope.primer import scenes

PHRASES = 8  # of a picture
FACTUAL = 0.33  # share of the pictures without errors


class SegmenterSample(NamedTuple):
    """Holds a picture and its phrases: masks and gaps are (PHRASES, size, size).

    Gaps are the pixels of a thing that touch a smaller one; no mask covers them. Parts (size, size)
    are numbers of `part_numbers`.
    """

    pixels: NDArray[np.uint8]
    parts: NDArray[np.int16]
    texts: tuple[str, ...]
    masks: NDArray[np.bool_]
    gaps: NDArray[np.bool_]


@cache
def part_numbers() -> Mapping[tuple[str, str], int]:
    """Return every (thing, part) that is drawn, with its number from 1 on; 0 is the backdrop."""
    names = dict.fromkeys(_split_name(name) for name in samples.part_numbers())
    return {name: number for number, name in enumerate(names, start=1)}


def _split_name(name: str) -> tuple[str, str]:
    """Return thing and part; a plain shape has the name of what is drawn."""
    thing, part = name.split(" / ")
    return (part, part) if thing in labeled.SHAPE_NAMES else (thing, part)


@cache
def parts_of_things() -> World:
    """Return all things and the parts that they may show, ordered by name."""
    parts: dict[str, list[str]] = {}
    for thing, part in sorted(part_numbers()):
        if thing not in labeled.SHAPE_NAMES:
            parts.setdefault(thing, []).append(part)
    return parts


# --- one sample ---


def draw_sample(seed: int, size: int) -> SegmenterSample:
    """Draw the sample of one seed, `size` px wide: the same seed, the same sample."""
    chance = random.Random(f"segmenter {seed}")
    picture = _draw_picture(seed, size, chance)
    drawn = phrases.sample_phrases(picture, PHRASES, parts_of_things(), chance)
    instances = [_countable_instances(phrase) for phrase in drawn]
    gaps = np.stack([phrases.gaps(numbers) for numbers in instances])
    numbers = part_numbers()
    table = [0, *(numbers.get((part.thing, part.part), 0) for part in picture.drawn)]
    return SegmenterSample(
        picture.pixels,
        np.array(table, dtype=np.int16)[picture.index],
        tuple(phrase.text for phrase in drawn),
        (np.stack(instances) > 0) & ~gaps,
        gaps,
    )


def _draw_picture(seed: int, size: int, chance: random.Random) -> LabeledImage:
    if chance.random() >= FACTUAL:
        return labeled.draw_wrong(seed, size)
    scene = scenes.parse(corpus.training_prompt(chance))
    larger = chance.choice(labeled.DRAWN_LARGER) if chance.random() < 0.5 else None
    try:
        return labeled.label(scene, scene.truths(), f"segmenter {seed}", size, larger)
    except ValueError:  # it has too many parts
        return labeled.draw_wrong(seed, size)


def _countable_instances(phrase: PhraseSample) -> NDArray[np.uint8]:
    """Return where the phrase is, each thing in one piece, so that things can be counted."""
    if phrase.noun.thing and not phrase.noun.part:
        return phrases.join_pieces(phrase.instances)
    return phrase.instances


# --- shards on disk ---


class SegmenterShard(NamedTuple):
    """Holds N samples: pixels (N, size, size, 3), parts (N, size, size), texts (N, PHRASES).

    Masks and gaps (N, PHRASES, size, size / 8) are bits, eight pixels of a row in a byte.
    """

    pixels: NDArray[np.uint8]
    parts: NDArray[np.int16]
    texts: Sequence[Sequence[str]]
    masks: NDArray[np.uint8]
    gaps: NDArray[np.uint8]


def write(folder: Path, count: int, size: int, *, workers: int = 2, per_shard: int = 200) -> None:
    """Draw samples 0..count-1; shards that are already there are kept."""
    part_numbers()  # once, before the workers fork
    draw = partial(_draw_shard, size)
    shards.write(folder, count, draw, workers, per_shard, compressed=False)


def _draw_shard(size: int, seeds: range) -> shards.Arrays:
    drawn = [draw_sample(seed, size) for seed in seeds]
    return {
        "pixels": np.stack([sample.pixels for sample in drawn]),
        "parts": np.stack([sample.parts for sample in drawn]),
        "texts": np.array([json.dumps(sample.texts) for sample in drawn]),
        "masks": np.packbits(np.stack([sample.masks for sample in drawn]), axis=-1),
        "gaps": np.packbits(np.stack([sample.gaps for sample in drawn]), axis=-1),
    }


def read_shard(file: Path) -> SegmenterShard:
    with np.load(file) as shard:
        texts = [json.loads(str(row)) for row in shard["texts"]]
        return SegmenterShard(shard["pixels"], shard["parts"], texts, shard["masks"], shard["gaps"])


def read_shards(folder: Path) -> Iterator[SegmenterShard]:
    """Return the shards of a folder in order."""
    yield from map(read_shard, shards.files(folder))

"""Draws labelled Primer pictures for training: pixels, what each patch shows, questions and right answers."""

import json
import random
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from data.primer import scenes
from data.primer.concepts import concepts
from data.primer.drawing import PALETTE, Drawing
from data.primer.scenes import Scene
from data.primer.shapes import SHAPES
from data.primer.world import Fact, Values

QUESTIONS = 7  # questions asked of one picture
VIOLATED = (0.0, 0.25, 0.5, 0.85)  # shares of violated facts, evenly mixed, so that no answer is rare


@dataclass(frozen=True)
class Sample:
    """One labelled picture: `parts`, `centres`, `colours` are per patch, shape (grid, grid); 0 is none."""

    pixels: NDArray[np.uint8]
    parts: NDArray[np.int16]
    centres: NDArray[np.int16]
    colours: NDArray[np.int16]
    pairs: tuple[tuple[str, str], ...]


@cache
def part_numbers() -> dict[str, int]:
    """Every ``concept / part`` seen in many violated drawings of every concept, with its label from 1 on."""
    names: dict[str, int] = {}
    for concept in (*SHAPES, *concepts()):
        scene = scenes.parse(f"a red {concept.name}" if concept in SHAPES else concept.phrase)
        for seed in range(40):
            values = scenes.violate(scene, VIOLATED[seed % 4], random.Random(seed))
            for drawn in scene.draw(values, seed).parts:
                names.setdefault(f"{drawn.owner} / {drawn.name}", len(names) + 1)
    return names


_COLOURS = np.array([[int(h[i : i + 2], 16) for i in (1, 3, 5)] for h in PALETTE.values()], dtype=np.float32)


def _nearest_colour(rgb: NDArray[np.float32]) -> int:
    return int(np.abs(_COLOURS - rgb).sum(axis=1).argmin()) + 1


def patch_labels(drawing: Drawing, pixels: NDArray[np.uint8], patch: int) -> tuple[NDArray[np.int16], NDArray[np.int16], NDArray[np.int16]]:
    """For each patch: the part that covers most of it, the part whose centre lies in it, that part's color."""
    size = pixels.shape[0]
    grid = size // patch
    index = drawing.part_map(size)
    numbers = part_numbers()
    labels = np.array([0, *(numbers.get(f"{p.owner} / {p.name}", 0) for p in drawing.parts)], dtype=np.int16)
    blocks = labels[index + 1].reshape(grid, patch, grid, patch).transpose(0, 2, 1, 3).reshape(grid, grid, -1)
    ordered = np.sort(blocks, axis=-1)
    parts = ordered[..., patch * patch // 2]  # the median label: the majority where there is one
    centres, colours = np.zeros((grid, grid), np.int16), np.zeros((grid, grid), np.int16)
    for i in np.unique(index):
        if i < 0:
            continue
        ys, xs = np.nonzero(index == i)
        if len(ys) < 6:
            continue
        cell = int(ys.mean()) // patch, int(xs.mean()) // patch
        centres[cell] = labels[i + 1]
        colours[cell] = _nearest_colour(np.median(pixels[ys, xs], axis=0).astype(np.float32))
    return parts, centres, colours


def _render(drawing: Drawing, size: int, chance: random.Random) -> NDArray[np.uint8]:
    """Pixels at the judge's size, half of them drawn larger and reduced as the judge's processor does."""
    if chance.random() < 0.5:
        image = drawing.image(size)
    else:
        image = drawing.image(chance.choice((128, 160, 224))).resize((size, size), Image.Resampling.BICUBIC)
    return np.asarray(image, dtype=np.uint8)


def _pairs(scene: Scene, values: Values, chance: random.Random) -> tuple[tuple[str, str], ...]:
    """Questions with their right answers: the scene's facts, what is shown, and statements to confirm or deny."""
    facts = list(scene.facts)
    chance.shuffle(facts)
    pairs = [(fact.question, scenes.right_answer(fact, values)) for fact in facts[: QUESTIONS - 1]]
    pairs.append(chance.choice((_is_there, _statement, _what_is_shown))(scene, values, facts[0], chance))
    return tuple(pairs)


def _is_there(scene: Scene, values: Values, fact: Fact, chance: random.Random) -> tuple[str, str]:
    shown = {group.concept.name for group in scene.groups} | {str(values.get("kind", ""))}
    if chance.random() < 0.5:
        return f"Is there {scene.groups[0].concept.phrase} in the image?", "Yes" if "kind" not in values or values["kind"] == scene.groups[
            0
        ].concept.name else "No"
    other = chance.choice([c for c in (*SHAPES, *concepts()) if c.name not in shown])
    return f"Is there {other.phrase} in the image?", "No"


def _statement(scene: Scene, values: Values, fact: Fact, chance: random.Random) -> tuple[str, str]:
    right = scenes.right_answer(fact, values)
    said = right if chance.random() < 0.5 else chance.choice([a for a in (*fact.values.values(), *fact.others) if a != right])
    return f"{fact.question} {said}?", "Yes" if said == right else "No"


def _what_is_shown(scene: Scene, values: Values, fact: Fact, chance: random.Random) -> tuple[str, str]:
    group = scene.groups[0]
    name = str(values.get("kind", group.concept.name)) if group.concept in SHAPES else group.concept.name
    if len(scene.groups) > 1:
        return _is_there(scene, values, fact, chance)
    return "What is shown in the image?", name[:1].upper() + name[1:]


def draw_sample(seed: int, size: int, patch: int) -> Sample:
    """The sample of one seed: prompt, violations, pixels, labels, questions."""
    chance = random.Random(f"sample {seed}")
    scene = scenes.parse(scenes.sample_prompt(chance))
    values = scenes.violate(scene, chance.choice(VIOLATED), chance)
    drawing = scene.draw(values, f"sample {seed}")
    pixels = _render(drawing, size, chance)
    return Sample(pixels, *patch_labels(drawing, pixels, patch), _pairs(scene, values, chance))


# --- shards on disk ------------------------------------------------------------------------------------------------


def write_shards(folder: Path, count: int, size: int, patch: int, workers: int = 2, per_shard: int = 2000) -> None:
    """Draw samples 0..count-1 into ``shard-N.npz`` files; shards that are already there are kept."""
    folder.mkdir(parents=True, exist_ok=True)
    per_shard = min(per_shard, count)
    missing = [n for n in range(-(-count // per_shard)) if not (folder / f"shard-{n:04d}.npz").exists()]
    part_numbers()  # once, before the workers fork
    with ProcessPoolExecutor(workers) as pool:
        for n, _ in zip(missing, pool.map(partial(_write_shard, folder, size, patch, per_shard), missing), strict=True):
            print(f"shard {n} drawn", flush=True)


def _write_shard(folder: Path, size: int, patch: int, per_shard: int, n: int) -> None:
    samples = [draw_sample(seed, size, patch) for seed in range(n * per_shard, (n + 1) * per_shard)]
    target = folder / f"shard-{n:04d}.npz"
    partial_file = target.with_suffix(".part.npz")
    np.savez(
        partial_file,
        pixels=np.stack([s.pixels for s in samples]),
        parts=np.stack([s.parts for s in samples]),
        centres=np.stack([s.centres for s in samples]),
        colours=np.stack([s.colours for s in samples]),
        pairs=np.array([json.dumps(s.pairs) for s in samples]),
    )
    partial_file.rename(target)


def read_shards(
    folder: Path,
) -> Iterator[tuple[NDArray[np.uint8], NDArray[np.int16], NDArray[np.int16], NDArray[np.int16], Sequence[Sequence[tuple[str, str]]]]]:
    for file in sorted(folder.glob("shard-*.npz")):
        if file.name.endswith(".part.npz"):
            continue
        with np.load(file) as shard:
            yield shard["pixels"], shard["parts"], shard["centres"], shard["colours"], [json.loads(p) for p in shard["pairs"]]

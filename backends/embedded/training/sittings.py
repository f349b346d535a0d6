"""Draws what a judge is trained on: a picture, a reference and a region of one of them, each with its questions and answers.

Reference and picture are mostly of the same prompt and differ in facts, so that the judge has to look where they differ.
"""

import json
import random
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from backends.cropping import window
from backends.embedded.training import samples
from backends.embedded.training.samples import VIOLATED, Sample
from data.primer import comparisons, inquiries, scenes
from data.primer.comparisons import Shown
from data.primer.looks import SHAPE_NAMES, Look, View
from data.primer.scenes import Scene
from data.primer.shapes import COLOURS
from data.primer.world import Values
from data.seeing import Box, clip

PICTURES = 3  # in a sitting: the picture, its reference, a region
QUESTIONS, COMPARED = 9, 5  # at most asked of one picture, and of the pair
LONE = 0.35  # of the prompts with one thing only, the share that is left out: several things are harder to judge
OTHER = 0.2  # share of the references that show something else
SAME_POSE = 0.4  # share of the references that are drawn with the chance of the picture, so that only facts differ
SHARP = (224, 384, 512, 512)  # px of the pictures that regions are cut from
JITTER = 0.08  # of a region's longer side, by which each of its sides may lie elsewhere

T = TypeVar("T")


@dataclass(frozen=True)
class Sitting:
    """Three labelled pictures, and what is asked of the reference and the one before it is compared with: 0 or 2."""

    picture: Sample
    reference: Sample
    region: Sample
    compared: tuple[tuple[str, str], ...]
    first: int

    @property
    def pictures(self) -> tuple[Sample, Sample, Sample]:
        return self.picture, self.reference, self.region


class Drawn(NamedTuple):
    """A scene with the values and the seed it is drawn with."""

    scene: Scene
    values: Values
    seed: str

    def view(self) -> View:
        return View(self.scene, self.values, self.scene.draw(self.values, self.seed))


def draw_sitting(seed: int, size: int, patch: int) -> Sitting:
    """The sitting of one seed, its pictures `size` px wide: the same seed always gives the same."""
    chance = random.Random(f"sitting {seed}")
    one = _picture(f"sitting {seed}", chance)
    pair = len(one.scene.groups) == 2
    group = chance.randrange(len(one.scene.groups))
    other = _reference(one, group, chance)
    views = one.view(), other.view()
    seen = views[0] if pair else chance.choice(views)
    look = _look(seen, group if pair else None, chance)
    region = _region(seen, look, size, patch, chance)
    mine = [_whole(view, size, patch, view is seen, chance) for view in views]
    first = Shown(look.concept, look.values) if pair else _shown(one)
    answers = comparisons.compare(first, _shown(other))
    asked = [(comparisons.QUESTIONS[aspect], answer) for aspect, answer in answers.items()]
    return Sitting(mine[0], mine[1], region, tuple(_some(asked, COMPARED, chance)), 2 if pair else 0)


def _picture(seed: str, chance: random.Random) -> Drawn:
    while True:
        scene = scenes.parse(scenes.sample_prompt(chance))
        if not scene.alone or chance.random() >= LONE:
            return Drawn(scene, scenes.violate(scene, chance.choice(VIOLATED), chance), seed)


def _reference(one: Drawn, group: int, chance: random.Random) -> Drawn:
    """The same with some facts changed, or something else; where there are two kinds of things, one of them alone."""
    name = f"{one.seed} reference"
    if chance.random() < OTHER:
        scene = scenes.parse(_alone(chance.choice([noun.concept.name for noun in scenes.nouns().values()]), None, chance))
        return Drawn(scene, scenes.violate(scene, chance.choice(VIOLATED), chance), name)
    if len(one.scene.groups) == 1:
        seed = one.seed if chance.random() < SAME_POSE else name
        return Drawn(one.scene, comparisons.changed(one.scene, one.values, chance), seed)
    chosen = one.scene.groups[group]
    scene = scenes.parse(_alone(chosen.concept.name, chosen.colour, chance))
    own = scenes.own_values(one.scene, group, one.values).items()
    values = {**scene.truths(), **{name: value for name, value in own if name != "scene"}}
    return Drawn(scene, comparisons.changed(scene, values, chance), name)


def _alone(name: str, colour: str | None, chance: random.Random) -> str:
    """The prompt of one thing."""
    concept = scenes.nouns()[name.lower()].concept
    return f"one {colour or chance.choice(COLOURS)} {name}" if name in SHAPE_NAMES else concept.phrase


def _shown(drawn: Drawn) -> Shown:
    """What a picture of one kind of things shows."""
    group = drawn.scene.groups[0]
    return Shown(group.concept, scenes.own_values(drawn.scene, 0, drawn.values), int(drawn.values.get("@count", group.count)))


# --- the pictures of a sitting -----------------------------------------------------------------------------------------


def _whole(view: View, size: int, patch: int, more: bool, chance: random.Random) -> Sample:
    """A whole picture with its facts, and two questions on its parts where `more` is asked."""
    pixels = samples.render(view.drawing, size, chance)
    asked = samples.facts_asked(view.scene, view.values, chance)
    if more:
        asked += [(q.question, q.answer) for q in _some(inquiries.of_picture(view, chance), 2, chance)]
    return Sample(pixels, *samples.patch_labels(view.drawing, pixels, patch), tuple(asked))


def _look(view: View, group: int | None, chance: random.Random) -> Look:
    """What the region is of: a thing of the group, or any thing or part that is plain to be seen."""
    looks = [look for look in view.looks() if group in (None, look.group)]
    things = [look for look in looks if look.part is None]
    if group is not None or chance.random() < 0.45:
        return chance.choice(things)
    clear = [look for look in looks if look.part and inquiries.is_clear(view, look)]
    return chance.choice(clear or things)


def _region(view: View, look: Look, size: int, patch: int, chance: random.Random) -> Sample:
    """A region as a judge sees it, cut out a little beside the thing or part."""
    sharp = chance.choice(SHARP)
    cut = window(jittered(look.region, chance), sharp, sharp, square=True)
    shown = Box(*(side / sharp for side in cut))
    pixels = np.asarray(
        view.drawing.image(min(cut[2] - cut[0], 2 * size), shown).resize((size, size), Image.Resampling.BICUBIC), dtype=np.uint8
    )
    asked = tuple((q.question, q.answer) for q in inquiries.of_region(view, look, shown, chance))
    return Sample(pixels, *samples.patch_labels(view.drawing, pixels, patch, shown), asked)


def jittered(region: Box, chance: random.Random) -> Box:
    """The region with each side a little elsewhere, as a detector may say it."""
    most = JITTER * max(region.right - region.left, region.bottom - region.top)
    left, top, right, bottom = (side + chance.uniform(-most, most) for side in region.sides)
    return clip(left, top, right, bottom) or region


def _some(asked: Sequence[T], most: int, chance: random.Random) -> list[T]:
    return chance.sample(asked, min(most, len(asked)))


# --- shards on disk ------------------------------------------------------------------------------------------------------


class Shard(NamedTuple):
    """Many sittings. `pixels` (N, PICTURES, size, size, 3); labels (N, PICTURES, grid, grid); `first` (N,).

    `asked[n][k]` are the questions and answers of picture k of sitting n, `compared[n]` those of its pair.
    """

    pixels: NDArray[np.uint8]
    parts: NDArray[np.int16]
    centres: NDArray[np.int16]
    colours: NDArray[np.int16]
    first: NDArray[np.int16]
    asked: list[list[list[tuple[str, str]]]]
    compared: list[list[tuple[str, str]]]


def write(folder: Path, count: int, size: int, patch: int, workers: int = 2, per_shard: int = 500) -> None:
    """Draw sittings 0..count-1 into ``shard-N.npz`` files; shards that are already there are kept."""
    folder.mkdir(parents=True, exist_ok=True)
    per_shard = min(per_shard, count)
    missing = [n for n in range(-(-count // per_shard)) if not (folder / f"shard-{n:04d}.npz").exists()]
    if not missing:
        return
    samples.part_numbers()  # once, before the workers fork
    with ProcessPoolExecutor(workers) as pool:
        for n, _ in zip(missing, pool.map(partial(_write_shard, folder, size, patch, per_shard), missing), strict=True):
            print(f"shard {n} drawn, {per_shard} sittings", flush=True)


def _write_shard(folder: Path, size: int, patch: int, per_shard: int, n: int) -> None:
    drawn = [draw_sitting(seed, size, patch) for seed in range(n * per_shard, (n + 1) * per_shard)]
    target = folder / f"shard-{n:04d}.npz"
    half = target.with_suffix(".part.npz")
    np.savez(
        half,
        pixels=_stacked(drawn, lambda s: s.pixels),
        parts=_stacked(drawn, lambda s: s.parts),
        centres=_stacked(drawn, lambda s: s.centres),
        colours=_stacked(drawn, lambda s: s.colours),
        first=np.array([sitting.first for sitting in drawn], dtype=np.int16),
        asked=np.array([json.dumps([s.pairs for s in sitting.pictures]) for sitting in drawn]),
        compared=np.array([json.dumps(sitting.compared) for sitting in drawn]),
    )
    half.rename(target)


def _stacked(drawn: Sequence[Sitting], of: Callable[[Sample], NDArray[Any]]) -> NDArray[Any]:
    return np.stack([np.stack([of(sample) for sample in sitting.pictures]) for sitting in drawn])


def read(folder: Path, most: int | None = None) -> Iterator[Shard]:
    """The shards of a folder in order, the first `most` of them."""
    finished = [file for file in sorted(folder.glob("shard-*.npz")) if not file.name.endswith(".part.npz")]
    for file in finished[:most]:
        with np.load(file) as held:
            texts = ([json.loads(row) for row in held[name]] for name in ("asked", "compared"))
            yield Shard(*(held[name] for name in ("pixels", "parts", "centres", "colours", "first")), *texts)

"""Draws factual images with captions, true ones and others that are false by one word.

Compositions that `is_held_out` names are never drawn, so that what a model makes of them is its
own.
"""

import hashlib
import json
import random
import zlib
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from hallascope.data.lexicon import with_article
from hallascope.primer import scenes
from hallascope.primer.concepts import concepts
from hallascope.primer.groups import NUMBERS, OPPOSITE, ConceptGroup
from hallascope.primer.scenes import RELATION_PHRASES, Scene
from hallascope.primer.shapes import COLORS, SHAPES
from hallascope.primer.world import Concept
from training import shards
from training.drawings import label, label_parts, part_numbers
from training.loop import Config

PATCH = 16  # px: what is labeled with one part
FALSE = 8  # false captions of an image
HELD_OUT = 10  # one composition in so many is held out
OPENINGS = ("a drawing of", "a picture of", "an image of", "an illustration of")
MOST = 4  # things of one kind in a caption


# --- samples ---


def draw(config: Config, size: int) -> Path:
    """Draw the images of a size that are missing; return their folder, which trainings share."""
    folder = config.work.parent / f"images-{size}"
    part_numbers()  # once, before the processes that draw need them
    shards.draw(folder, partial(draw_sample, size), config)
    return folder


def draw_sample(size: int, seed: int) -> list[dict[str, Any]]:
    """Draw the factual image of one seed, `pixels` (size, size, 3).

    `parts` cover the patches, `centered` ones have their centers in them. `captions` are a true one
    and then false ones, a JSON text; those of equal `meanings` are true of the same images.
    """
    chance = random.Random(f"corpus {seed}")
    prompt = training_prompt(chance)
    scene = scenes.parse(prompt)
    image = label(scene, scene.truths(), f"corpus {seed}", size)
    parts, centers = label_parts(image.drawing, image.pixels, PATCH)
    centered = np.zeros_like(parts)
    for y, x, part, _ in centers[::-1]:  # the largest last
        if part:
            centered[y // PATCH, x // PATCH] = part
    caption = vary_caption(prompt, chance)
    false = false_captions(scene, FALSE, chance)
    meanings = [meaning_key(scenes.parse(text)) for text in (prompt, *false)]
    return [
        {
            "pixels": image.pixels,
            "parts": parts,
            "centered": centered,
            "captions": json.dumps([caption, *false]),
            "meanings": np.array([zlib.crc32(repr(key).encode()) for key in meanings]),
        }
    ]


def training_prompt(chance: random.Random) -> str:
    """Return a prompt of the grammar that is not held out; lone things are less frequent."""
    while True:
        prompt = scenes.sample_prompt(chance)
        scene = scenes.parse(prompt)
        lone = scene.alone and scene.variation is None
        if not is_held_out(prompt) and not (lone and chance.random() < 0.5):
            return prompt


def compositions(prompt: str) -> tuple[str, ...]:
    """Return what the prompt puts together; a lone thing is nothing.

    Put together are number and thing, color and shape, thing and thing, thing and change.
    """
    scene = scenes.parse(prompt)
    together = [f"change {scene.variation.phrase.lower()}"] if scene.variation else []
    for group in scene.groups:
        if group.count > 1:
            together.append(f"number {group.count} {group.concept.name}")
        if group.color:
            together.append(f"color {group.color} {group.concept.name}")
    if len(scene.groups) == 2:
        together.append("pair " + " + ".join(sorted(group.concept.name for group in scene.groups)))
    return tuple(together)


def is_held_out(prompt: str) -> bool:
    """Return whether the prompt puts something together that no training image shows.

    Raises CannotDraw for other prompts.
    """
    hashes = (hashlib.sha256(c.encode()).hexdigest() for c in compositions(prompt))
    return any(int(digest, 16) % HELD_OUT == 0 for digest in hashes)


def vary_caption(prompt: str, chance: random.Random) -> str:
    """Return the prompt as people may write it: mostly as it is, else with another form."""
    if chance.random() < 0.15:
        prompt = f"{chance.choice(OPENINGS)} {prompt}"
    if chance.random() < 0.1:
        prompt = prompt.lower()
    return f"{prompt}." if chance.random() < 0.05 else prompt


# --- what a caption means ---


def meaning_key(scene: Scene) -> tuple[object, ...]:
    """Return a key that is equal for captions that are true of the same images.

    "A above B" says what "B below A" says.
    """
    groups = [(group.concept.name, group.count, group.color or "") for group in scene.groups]
    relation = scene.relation
    if relation is None:
        groups = sorted(groups)
    elif relation in ("right", "below"):
        relation = OPPOSITE[relation]
        groups = groups[::-1]
    return (*groups, relation, scene.variation.phrase if scene.variation else None)


def scene_prompt(scene: Scene) -> str:
    """Return the scene as a prompt of the grammar."""
    if scene.variation:
        return scene.variation.phrase
    words = "and" if scene.relation is None else RELATION_PHRASES[scene.relation]
    return f" {words} ".join(map(_group_prompt, scene.groups))


def _group_prompt(group: ConceptGroup) -> str:
    color = f"{group.color} " if group.color else ""
    if group.count > 1:
        return f"{NUMBERS[group.count]} {color}{group.concept.plural}"
    return with_article(f"{color}{group.concept.name}") if color else group.concept.phrase


# --- false captions ---


def false_captions(scene: Scene, count: int, chance: random.Random) -> list[str]:
    """Return captions that are false of an image of the scene.

    Another number, color, relation, thing, or what is done makes them false.
    """
    changes = [change for change in _CHANGES if change(scene, random.Random(0))]
    captions: list[str] = []
    while len(captions) < count:
        changed = chance.choice(changes)(scene, chance)
        if changed and meaning_key(changed) != meaning_key(scene):
            captions.append(scene_prompt(changed))
    return captions


def _replace_group(scene: Scene, index: int, **changed: Any) -> Scene:
    group = replace(scene.groups[index], **changed)
    groups = (*scene.groups[:index], group, *scene.groups[index + 1 :])
    return replace(scene, groups=groups, variation=None)


def _other_number(scene: Scene, chance: random.Random) -> Scene:
    i = chance.randrange(len(scene.groups))
    count = chance.choice([n for n in range(1, MOST + 1) if n != scene.groups[i].count])
    return _replace_group(scene, i, count=count)


def _other_color(scene: Scene, chance: random.Random) -> Scene | None:
    colored = [i for i, group in enumerate(scene.groups) if group.color]
    if not colored:
        return None
    i = chance.choice(colored)
    color = chance.choice([color for color in COLORS if color != scene.groups[i].color])
    return _replace_group(scene, i, color=color)


def _swap_colors(scene: Scene, chance: random.Random) -> Scene | None:
    if len(scene.groups) < 2 or not all(group.color for group in scene.groups):
        return None
    first, second = (group.color for group in scene.groups)
    return _replace_group(_replace_group(scene, 0, color=second), 1, color=first)


def _other_relation(scene: Scene, chance: random.Random) -> Scene | None:
    if scene.relation is None:
        return None
    others = [relation for relation in RELATION_PHRASES if relation != scene.relation]
    return replace(scene, relation=chance.choice(others))


def _other_thing(scene: Scene, chance: random.Random) -> Scene:
    i = chance.randrange(len(scene.groups))
    group = scene.groups[i]
    names = {group.concept.name for group in scene.groups}
    alike: Sequence[Concept] = SHAPES
    if not group.color:
        alike = [c for c in concepts() if c.domain == group.concept.domain]
    return _replace_group(
        scene, i, concept=chance.choice([c for c in alike if c.name not in names])
    )


def _other_activity(scene: Scene, chance: random.Random) -> Scene | None:
    """Return a lone thing with what it does at other times."""
    variation = scene.groups[0].concept.variation
    if not scene.alone or scene.variation is not None or not variation:
        return None
    return replace(scene, variation=variation)


_CHANGES: tuple[Callable[[Scene, random.Random], Scene | None], ...] = (
    _other_number,
    _other_color,
    _swap_colors,
    _other_relation,
    _other_thing,
    _other_activity,
)

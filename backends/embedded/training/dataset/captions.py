"""Says what a caption means, and makes captions that are false of its picture by one word."""

import random
from collections.abc import Callable, Sequence
from dataclasses import replace

from hallascope.data.lexicon import with_article
from hallascope.primer.concepts import concepts
from hallascope.primer.groups import NUMBERS, ConceptGroup, SpatialRelation
from hallascope.primer.scenes import Scene
from hallascope.primer.shapes import COLORS, SHAPES
from hallascope.primer.world import Concept

MOST = 4  # things of one kind in a caption
_RELATIONS: dict[SpatialRelation, str] = {
    "left": "to the left of",
    "right": "to the right of",
    "above": "above",
    "below": "below",
}
_OPPOSITES: dict[SpatialRelation, SpatialRelation] = {"right": "left", "below": "above"}


def meaning_key(scene: Scene) -> tuple[object, ...]:
    """Return a key that is equal for captions that are true of the same pictures.

    "A above B" says what "B below A" says.
    """
    groups = [(group.concept.name, group.count, group.colour or "") for group in scene.groups]
    relation = scene.relation
    if relation is None:
        groups = sorted(groups)
    elif relation in _OPPOSITES:
        relation = _OPPOSITES[relation]
        groups = groups[::-1]
    return (*groups, relation, scene.variation.phrase if scene.variation else None)


def scene_prompt(scene: Scene) -> str:
    """Return the scene as a prompt of the grammar.

    Raises nothing for what `hallascope.primer.scenes.parse` gave.
    """
    if scene.variation:
        return scene.variation.phrase
    words = "and" if scene.relation is None else _RELATIONS[scene.relation]
    return f" {words} ".join(_group_prompt(group) for group in scene.groups)


def _group_prompt(group: ConceptGroup) -> str:
    color = f"{group.colour} " if group.colour else ""
    if group.count > 1:
        return f"{NUMBERS[group.count]} {color}{group.concept.plural}"
    if not color:
        return group.concept.phrase
    return with_article(f"{color}{group.concept.name}")


def false_captions(scene: Scene, count: int, chance: random.Random) -> list[str]:
    """Return captions that are false of a picture of the scene.

    Another number, color, relation, thing, or what is done makes them false.
    """
    changes = [change for change in _CHANGES if change(scene, random.Random(0))]
    captions: list[str] = []
    while len(captions) < count:
        changed = chance.choice(changes)(scene, chance)
        if changed and meaning_key(changed) != meaning_key(scene):
            captions.append(scene_prompt(changed))
    return captions


# --- changes, each None where the scene has nothing to change so ---


def _replace_group(scene: Scene, index: int, group: ConceptGroup) -> Scene:
    groups = (*scene.groups[:index], group, *scene.groups[index + 1 :])
    return replace(scene, groups=groups, variation=None)


def _other_number(scene: Scene, chance: random.Random) -> Scene:
    i = chance.randrange(len(scene.groups))
    group = scene.groups[i]
    count = chance.choice([n for n in range(1, MOST + 1) if n != group.count])
    return _replace_group(scene, i, replace(group, count=count))


def _other_color(scene: Scene, chance: random.Random) -> Scene | None:
    colored = [i for i, group in enumerate(scene.groups) if group.colour]
    if not colored:
        return None
    i = chance.choice(colored)
    group = scene.groups[i]
    color = chance.choice([c for c in COLORS if c != group.colour])
    return _replace_group(scene, i, replace(group, colour=color))


def _swap_colors(scene: Scene, chance: random.Random) -> Scene | None:
    if len(scene.groups) < 2 or not all(group.colour for group in scene.groups):
        return None
    first, second = scene.groups
    swapped = (replace(first, colour=second.colour), replace(second, colour=first.colour))
    return replace(scene, groups=swapped)


def _other_relation(scene: Scene, chance: random.Random) -> Scene | None:
    if scene.relation is None:
        return None
    others = [relation for relation in _RELATIONS if relation != scene.relation]
    return replace(scene, relation=chance.choice(others))


def _other_thing(scene: Scene, chance: random.Random) -> Scene:
    i = chance.randrange(len(scene.groups))
    group = scene.groups[i]
    names = {group.concept.name for group in scene.groups}
    alike: Sequence[Concept] = SHAPES
    if not group.colour:
        alike = [c for c in concepts() if c.domain == group.concept.domain]
    concept = chance.choice([c for c in alike if c.name not in names])
    return _replace_group(scene, i, replace(group, concept=concept))


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

"""What a caption says, and captions that are false of its picture by one word.

It knows no model.
"""

import random
from collections.abc import Callable, Sequence
from dataclasses import replace

from hallascope.primer.concepts import concepts
from hallascope.primer.groups import NUMBERS, ConceptGroup, SpatialRelation
from hallascope.primer.scenes import Scene
from hallascope.primer.shapes import COLORS, SHAPES
from hallascope.primer.world import Concept

MOST = 4  # things of one kind in a caption
_WORDS: dict[SpatialRelation, str] = {
    "left": "to the left of",
    "right": "to the right of",
    "above": "above",
    "below": "below",
}
_TURNED: dict[SpatialRelation, SpatialRelation] = {"right": "left", "below": "above"}


def meaning(scene: Scene) -> tuple[object, ...]:
    """Return a key that is equal for captions that are true of the same pictures.

    "A above B" says what "B below A" says.
    """
    groups = [(group.concept.name, group.count, group.colour or "") for group in scene.groups]
    if scene.relation is None:
        groups = sorted(groups)
    relation = scene.relation
    if relation in _TURNED:
        relation = _TURNED[relation]
        groups = groups[::-1]
    return (*groups, relation, scene.variation.phrase if scene.variation else None)


def scene_prompt(scene: Scene) -> str:
    """The scene as a prompt of the grammar.

    Raises nothing for what `hallascope.primer.scenes.parse` gave.
    """
    if scene.variation:
        return scene.variation.phrase
    words = "and" if scene.relation is None else _WORDS[scene.relation]
    return f" {words} ".join(_group(group) for group in scene.groups)


def _group(group: ConceptGroup) -> str:
    colour = f"{group.colour} " if group.colour else ""
    if group.count > 1:
        return f"{NUMBERS[group.count]} {colour}{group.concept.plural}"
    if not colour:
        return group.concept.phrase
    return f"{'an' if colour[0] in 'aeiou' else 'a'} {colour}{group.concept.name}"


def twisted(scene: Scene, count: int, chance: random.Random) -> list[str]:
    """Return captions that are false of a picture of the scene.

    Another number, color, relation, thing, or what is done makes them false.
    """
    ways = [way for way in _WAYS if way(scene, random.Random(0))]
    found: list[str] = []
    while len(found) < count:
        if (made := chance.choice(ways)(scene, chance)) and meaning(made) != meaning(scene):
            found.append(scene_prompt(made))
    return found


# --- one way each; None where the scene has nothing to twist so
# ------------------------------------------------------------


def _replace_group(scene: Scene, index: int, group: ConceptGroup) -> Scene:
    return replace(
        scene, groups=(*scene.groups[:index], group, *scene.groups[index + 1 :]), variation=None
    )


def _other_number(scene: Scene, chance: random.Random) -> Scene:
    i = chance.randrange(len(scene.groups))
    group = scene.groups[i]
    return _replace_group(
        scene,
        i,
        replace(group, count=chance.choice([n for n in range(1, MOST + 1) if n != group.count])),
    )


def _other_color(scene: Scene, chance: random.Random) -> Scene | None:
    coloured = [i for i, group in enumerate(scene.groups) if group.colour]
    if not coloured:
        return None
    i = chance.choice(coloured)
    return _replace_group(
        scene,
        i,
        replace(
            scene.groups[i],
            colour=chance.choice([c for c in COLORS if c != scene.groups[i].colour]),
        ),
    )


def _swap_colors(scene: Scene, chance: random.Random) -> Scene | None:
    if len(scene.groups) < 2 or not all(group.colour for group in scene.groups):
        return None
    one, two = scene.groups
    return replace(scene, groups=(replace(one, colour=two.colour), replace(two, colour=one.colour)))


def _other_relation(scene: Scene, chance: random.Random) -> Scene | None:
    if scene.relation is None:
        return None
    return replace(
        scene,
        relation=chance.choice([relation for relation in _WORDS if relation != scene.relation]),
    )


def _other_thing(scene: Scene, chance: random.Random) -> Scene:
    i = chance.randrange(len(scene.groups))
    group, names = scene.groups[i], {group.concept.name for group in scene.groups}
    kin: Sequence[Concept] = (
        SHAPES if group.colour else [c for c in concepts() if c.domain == group.concept.domain]
    )
    return _replace_group(
        scene, i, replace(group, concept=chance.choice([c for c in kin if c.name not in names]))
    )


def _other_doing(scene: Scene, chance: random.Random) -> Scene | None:
    """What a lone thing does at other times."""
    group = scene.groups[0]
    varied = group.concept.variation
    return (
        replace(scene, variation=varied)
        if scene.alone and scene.variation is None and varied
        else None
    )


_WAYS: tuple[Callable[[Scene, random.Random], Scene | None], ...] = (
    _other_number,
    _other_color,
    _swap_colors,
    _other_relation,
    _other_thing,
    _other_doing,
)

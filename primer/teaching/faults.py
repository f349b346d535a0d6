"""Lists all that can be wrong in Primer drawings, and samples exercises from it by chance.

Faults are by composition of interest and category.
"""

import random
from functools import cache
from typing import NamedTuple

from hallascope.data.records import Category, CoI
from hallascope.data.teaching.exercise import ExerciseLevel, level
from hallascope.data.teaching.lesson import DrawnItem
from hallascope.primer import scenes
from hallascope.primer.teaching.exercises import scene_of, short_question
from hallascope.primer.world import Fact

SEEDS = 4  # drawings of the same fault in practice
FIRST = DrawnItem("a molecule of methane", "hydrogens", 5, 6)  # what a newcomer begins with


class ExerciseCriteria(NamedTuple):
    """Holds what is wanted of an exercise; None: anything."""

    level: ExerciseLevel | None = None
    coi: CoI | None = None
    category: Category | None = None


@cache
def faults() -> tuple[tuple[DrawnItem, CoI, Category], ...]:
    """Return every fault of every concept and variation, with seed 0.

    Each comes with its composition of interest and category.
    """
    listed = []
    for prompt in scenes.prompts():
        scene = scenes.parse(prompt)
        category = scene.groups[0].concept.category
        for fact in scene.facts if scene.variation is None else scene.facts[:1]:
            for value in fact.violations:
                listed.append((DrawnItem(prompt, fact.parameter, value), fact.coi, category))
    return tuple(listed)


def faults_of(prompt: str) -> tuple[tuple[DrawnItem, str], ...]:
    """Return all faults of a prompt, each with what is wrong in words.

    Raises BadLesson where Primer cannot draw it.
    """
    scene = scene_of(prompt)
    facts: dict[str, Fact] = {}
    for fact in scene.facts:
        facts.setdefault(fact.parameter, fact)
    return tuple(
        (
            DrawnItem(scene.prompt, fact.parameter, value),
            f"{short_question(fact.question)} {fact.values[value]}",
        )
        for fact in facts.values()
        for value in fact.violations
    )


def sample(count: int, sort: ExerciseCriteria, chance: random.Random) -> list[DrawnItem]:
    """Return `count` exercises of a sort by chance, as few as can be of one prompt.

    Return fewer where there are not so many.
    """
    fits = [
        item
        for item, coi, category in faults()
        if sort.level in (None, level(coi))
        and sort.coi in (None, coi)
        and sort.category in (None, category)
    ]
    chance.shuffle(fits)
    met: dict[str, int] = {}
    turns = []
    for item in fits:
        met[item.prompt] = met.get(item.prompt, 0) + 1
        turns.append((met[item.prompt], item))
    chosen = [item for _, item in sorted(turns, key=lambda turn: turn[0])][:count]
    return [
        DrawnItem(item.prompt, item.parameter, item.value, chance.randrange(SEEDS))
        for item in chosen
    ]

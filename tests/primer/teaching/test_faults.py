"""Exercises by chance are of the sort that is asked for."""

import random
from collections import Counter

from hallascope.data.records import COIS, Category
from hallascope.data.teaching.exercise import (
    LEVELS,
    level,
)
from hallascope.primer.teaching import faults
from hallascope.primer.teaching.exercises import make_exercise
from hallascope.primer.teaching.faults import ExerciseCriteria


def test_every_composition_has_a_level_and_exercises() -> None:
    assert Counter(coi for _, cois in LEVELS.values() for coi in cois) == Counter(COIS)
    assert {coi for _, coi, _ in faults.faults()} == set(COIS)


def test_exercises_by_chance_are_of_the_sort_and_of_as_many_prompts_as_can_be() -> None:
    items = faults.sample(6, ExerciseCriteria(level=3, category=Category.BIOLOGY), random.Random(5))
    found = [make_exercise(item).exercise for item in items]
    assert {(level(one.coi), one.category) for one in found} == {(3, Category.BIOLOGY)}
    assert len({item.prompt for item in items}) == 6
    assert items == faults.sample(
        6, ExerciseCriteria(level=3, category=Category.BIOLOGY), random.Random(5)
    )


def test_of_a_sort_that_nothing_is_of_there_are_no_exercises() -> None:
    assert faults.sample(3, ExerciseCriteria(level=1, coi="counting"), random.Random(0)) == []

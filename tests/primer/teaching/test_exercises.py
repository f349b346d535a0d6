"""Exercises of the Primer world: the fault that is seen, where it is, what a mark is worth."""

import random

import numpy as np
import pytest

from hallascope.data import masks
from hallascope.data.records import Category
from hallascope.data.teaching.exercise import (
    BACKGROUND,
    MISSING,
    Grade,
    MarkedPart,
    MarkedPoint,
    grade,
    holds,
    level,
)
from hallascope.data.teaching.lesson import BadLesson, DrawnItem
from hallascope.primer import signs
from hallascope.primer.teaching import faults
from hallascope.primer.teaching.exercises import DrawnExercise, make_exercise, short_question
from hallascope.primer.teaching.faults import FIRST, ExerciseCriteria
from hallascope.primer.teaching.lesson_plans import LESSON_PLANS

THREE = DrawnItem("a molecule of methane", "hydrogens", 3, 1)
SPACE = DrawnItem("a viking longship", "scene", "space")


def middle_of(pixels: masks.Pixels) -> MarkedPoint:
    """A place well within what is True."""
    rows, columns = np.nonzero(pixels)
    at = len(rows) // 2
    return MarkedPoint((columns[at] + 0.5) / pixels.shape[1], (rows[at] + 0.5) / pixels.shape[0])


def lit(found: DrawnExercise) -> masks.Pixels:
    assert found.exercise.lit
    return masks.array(found.exercise.lit)


def one_of_each_sort() -> list[DrawnItem]:
    """A fault of every composition of interest, and of the ways in which something can be gone or
    in another's place.
    """
    by_coi = {coi: item for item, coi, _ in reversed(faults.faults())}
    return [
        *by_coi.values(),
        THREE,
        DrawnItem("a spider", "mouth", "antennae"),
        DrawnItem("the planet Saturn", "gap", "none"),
        SPACE,
    ]


@pytest.mark.parametrize(
    "item", one_of_each_sort(), ids=lambda item: f"{item.prompt}: {item.parameter}"
)
def test_the_fault_is_to_be_seen_where_it_is_said_to_be_and_nothing_else_is_asked_wrongly(
    item: DrawnItem,
) -> None:
    found = make_exercise(item)
    shown, right = (np.asarray(one.image(96), dtype=int) for one in (found.shown, found.right))
    assert (np.abs(shown - right).max(axis=2) > 24).any(), "the two images differ"
    assert grade(found.exercise, middle_of(lit(found)), found.exercise.wrong) == Grade(True, True)
    assert found.exercise.shown != found.exercise.truth
    assert found.exercise.truth == found.exercise.question.choice(found.exercise.question.gold)
    assert 3 <= len(set(found.exercise.facts)) == len(found.exercise.facts) <= 5
    assert found.exercise.facts[found.exercise.wrong] == short_question(
        found.exercise.question.text
    )


@pytest.mark.parametrize("place", [" in the image", " in the picture", ", shown in the image"])
def test_a_short_question_does_not_say_where_to_look(place: str) -> None:
    assert short_question(f"What color is the roof{place}?") == "What color is the roof?"


def test_the_prompt_says_what_a_sign_should_say() -> None:
    prompt = signs.prompt("OPEN")
    (fact,) = signs.sign("OPEN").facts
    item = DrawnItem(prompt, fact.parameter, fact.violations[0], 0)
    exercise = make_exercise(item).exercise
    assert exercise.why.endswith(f"The prompt asks for “{prompt}”.")
    assert exercise.source == "the prompt"


def test_the_explanation_says_what_is_shown_what_should_be_and_why() -> None:
    found = make_exercise(FIRST).exercise
    assert "In this image: five. It should be: four." in found.why
    assert found.why.endswith(
        "Methane is the simplest hydrocarbon: one carbon atom joined to four hydrogen atoms."
    )
    assert found.source == "Primer’s definition of methane"
    asked = make_exercise(
        DrawnItem("a red circle above a blue square", "@relation", "below")
    ).exercise
    assert asked.why.endswith("The prompt asks for “a red circle above a blue square”.")


@pytest.mark.parametrize(
    "item, parts",
    [
        # one atom too many is nothing that is missing
        (FIRST, {"hydrogen atom"}),
        # what stands in the place of another thing is the place
        (DrawnItem("a spider", "mouth", "antennae"), {"antenna", "fang"}),
        (SPACE, {BACKGROUND}),
    ],
)
def test_a_part_by_its_name_is_as_good_as_a_place(item: DrawnItem, parts: set[str]) -> None:
    found = make_exercise(item).exercise
    assert {BACKGROUND, MISSING} <= set(found.parts)
    assert {part for part in found.parts if grade(found, MarkedPart(part), 0).place} == parts


def test_what_is_missing_counts_by_its_button_and_by_the_place_where_it_belongs() -> None:
    found = make_exercise(THREE)
    before = make_exercise(DrawnItem(THREE.prompt, THREE.parameter, 5, THREE.seed))
    assert grade(found.exercise, MarkedPart(MISSING), 0).place
    assert found.exercise.near
    places = [part for part in found.right.parts if part.name == "hydrogen atom"]
    assert len(places) == 4
    assert found.exercise.lit
    only_right = (
        masks.array(found.exercise.lit)
        & (found.right.part_map(160) >= 0)
        & (found.shown.part_map(160) < 0)
    )
    assert holds(found.exercise.near, middle_of(only_right)), "where an atom belongs and none is"
    assert not grade(before.exercise, MarkedPart(MISSING), 0).place


@pytest.mark.parametrize(
    "item, said",
    [
        (DrawnItem("a unicorn", "legs", 5), "cannot draw “unicorn”"),
        (
            DrawnItem("a spider", "wheels", 5),
            "Nothing called 'wheels' can be wrong in “a spider”: choose one of legs (How many legs",
        ),
        (
            DrawnItem("a spider", "legs", 8),
            "8 is no fault of 'legs' in “a spider”: choose one of 6 (Six), 4 (Four).",
        ),
    ],
)
def test_what_cannot_be_drawn_is_said_with_what_can(item: DrawnItem, said: str) -> None:
    with pytest.raises(BadLesson) as found:
        make_exercise(item)
    assert said in str(found.value)


def test_exercises_by_chance_are_of_the_sort_and_of_as_many_prompts_as_can_be() -> None:
    items = faults.sample(6, ExerciseCriteria(level=3, category=Category.BIOLOGY), random.Random(5))
    found = [make_exercise(item).exercise for item in items]
    assert {(level(one.coi), one.category) for one in found} == {(3, Category.BIOLOGY)}
    assert len({item.prompt for item in items}) == 6
    assert items == faults.sample(
        6, ExerciseCriteria(level=3, category=Category.BIOLOGY), random.Random(5)
    )


STEPS = [step for plan in LESSON_PLANS for step in plan.steps if step.drawing]


def test_in_the_image_of_a_lesson_exactly_the_planned_fact_is_wrong() -> None:
    for step in STEPS:
        assert step.drawing
        drawn = step.drawing
        shown = zip(drawn.facts, drawn.truth, strict=True)
        wrong = [fact.parameter for fact, value in shown if value != fact.gold]
        assert wrong == ([step.drawing.parameter] if step.drawing.parameter else []), step.title
        assert bool(drawn.reason) == (drawn.exercise is not None) == bool(wrong)

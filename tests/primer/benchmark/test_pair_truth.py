"""What is true of a Primer picture beside the reference of its concept, and the judge that knows
it.
"""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hallascope.data.records import CANNOT_TELL
from hallascope.data.requests import Ask
from hallascope.primer import scenes
from hallascope.primer.benchmark import pair_criteria
from hallascope.primer.benchmark.pair_truth import DrawnPicture, answer, truths, violations


def made(prompt: str, **values: object) -> DrawnPicture:
    scene = scenes.parse(prompt)
    return DrawnPicture(scene, {**scene.truths(), **values})  # type: ignore[dict-item]


def test_a_right_picture_differs_in_nothing_and_has_no_violation() -> None:
    drawn = made("a ladybug")
    assert set(truths(drawn, "ladybug").values()) <= {"Yes", CANNOT_TELL}
    assert violations(drawn, "ladybug") == 0


@given(st.integers(0, 500))
def test_a_violation_of_a_criterion_and_only_that_makes_it_differ(seed: int) -> None:
    chance = random.Random(seed)
    scene = scenes.parse("a ladybug")
    fact = chance.choice(
        [fact for fact in scene.groups[0].concept.facts if fact.parameter != "scene"]
    )
    drawn = DrawnPicture(scene, {**scene.truths(), fact.parameter: chance.choice(fact.violations)})
    found = truths(drawn, "ladybug")
    assert found[fact.criterion] == "No"
    assert violations(drawn, "ladybug") == 1


def test_two_where_one_is_shown_differ_in_number_and_one_of_a_pair_is_looked_at_alone() -> None:
    assert truths(made("two ladybugs"), "ladybug")["details"] == "No"
    assert truths(made("a ladybug above a sunflower"), "ladybug")["details"] == "Yes"


def test_what_is_not_in_the_picture_is_another_thing() -> None:
    assert truths(made("a ladybug"), "zebra")["thing"] == "No"
    assert violations(made("a ladybug"), "zebra") == 0


@pytest.mark.parametrize(
    ("question", "said"),
    [
        (pair_criteria.QUESTIONS["thing"], "Yes"),
        ("Is the shape of the ladybug right in the image?", "Yes"),
    ],
)
def test_the_judge_answers_about_the_concept_that_the_reference_shows(
    question: str, said: str
) -> None:
    assert (
        answer(
            Ask(images=(), text="", question=question, choices=("Yes", "No", CANNOT_TELL)),
            made("a ladybug"),
            "ladybug",
        ).text
        == said
    )


def test_the_prompt_s_own_questions_are_answered_from_the_drawing() -> None:
    drawn = made("a ladybug to the left of a sunflower", **{"@relation": "right"})
    fact = next(fact for fact in drawn.scene.facts if fact.parameter == "@relation")
    assert (
        answer(
            Ask(images=(), text="", question=fact.question, choices=tuple(fact.values.values())),
            drawn,
        ).text
        == fact.values["right"]
    )

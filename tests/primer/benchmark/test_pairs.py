"""A pair is an image beside a reference, compared criterion by criterion by what was drawn."""

import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hallascope.data.records import CANNOT_TELL
from hallascope.data.requests import Ask
from hallascope.primer import scenes
from hallascope.primer.benchmark.pair_criteria import ASPECTS, ShownConcept, compare
from hallascope.primer.concepts import concepts
from hallascope.primer.shapes import SHAPES
from hallascope.primer.truth.answers import DrawnPicture
from tests.support.pair_truth import answer, truths, violations


def _shown(name: str, count: int = 1, **values: str | int) -> ShownConcept:
    concept = next(c for c in (*SHAPES, *concepts()) if c.name == name)
    return ShownConcept(concept, {**concept.truths(), **values}, count)


def test_a_thing_is_the_same_as_itself_but_for_what_no_fact_is_about() -> None:
    same = compare(_shown("ladybug"), _shown("ladybug"))
    assert same == {**dict.fromkeys(ASPECTS, "Yes"), "texture": CANNOT_TELL}
    assert compare(_shown("zebra"), _shown("zebra"))["texture"] == "Yes"


@pytest.mark.parametrize(
    "values, differs",
    [
        ({"covers": "blue"}, {"color"}),
        ({"outline": "square"}, {"shape"}),
        ({"legs": 8}, {"number", "details"}),
        ({"feelers": "ears"}, {"details"}),
        ({"covers": "blue", "legs": 4}, {"color", "number", "details"}),
    ],
)
def test_a_violated_fact_makes_its_criterion_differ_and_no_other(
    values: dict[str, Any], differs: set[str]
) -> None:
    answers = compare(_shown("ladybug"), _shown("ladybug", **values))
    assert {aspect for aspect, answer in answers.items() if answer == "No"} == differs


def test_different_things_are_not_the_same_and_nothing_else_can_be_told() -> None:
    assert compare(_shown("ladybug"), _shown("zebra")) == {
        **dict.fromkeys(ASPECTS, CANNOT_TELL),
        "thing": "No",
    }
    assert compare(_shown("ladybug"), _shown("circle"))["color"] == CANNOT_TELL


def drawn_picture(prompt: str, **values: object) -> DrawnPicture:
    scene = scenes.parse(prompt)
    return DrawnPicture(scene, {**scene.truths(), **values})  # type: ignore[dict-item]


def test_the_prompt_s_own_questions_are_answered_from_the_drawing() -> None:
    drawn = drawn_picture("a ladybug to the left of a sunflower", **{"@relation": "right"})
    fact = next(fact for fact in drawn.scene.facts if fact.parameter == "@relation")
    assert (
        answer(
            Ask(images=(), text="", question=fact.question, choices=tuple(fact.values.values())),
            drawn,
        ).text
        == fact.values["right"]
    )


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

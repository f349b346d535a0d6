"""A pair is an image beside a reference, compared criterion by criterion by what was drawn."""

import random
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hallascope.data.records import CANNOT_TELL
from hallascope.data.requests import Ask
from hallascope.primer import scenes
from hallascope.primer.benchmark.judge_samples import JudgeSample, sitting
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
    ("values", "differs"),
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


def test_plain_shapes_are_compared_by_what_is_drawn() -> None:
    red, blue = (
        _shown("circle", colour="red"),
        _shown("square", colour="blue", kind="circle", fill="dots"),
    )
    assert compare(red, blue) == {
        "thing": "Yes",
        "shape": "Yes",
        "color": "No",
        "texture": "No",
        "number": "Yes",
        "details": "Yes",
    }
    assert compare(red, replace(blue, values={"colour": "red"}))["shape"] == "No"


def drawn_picture(prompt: str, **values: object) -> DrawnPicture:
    scene = scenes.parse(prompt)
    return DrawnPicture(scene, {**scene.truths(), **values})  # type: ignore[dict-item]


def test_a_right_picture_differs_in_nothing_and_has_no_violation() -> None:
    drawn = drawn_picture("a ladybug")
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
    assert truths(drawn_picture("two ladybugs"), "ladybug")["details"] == "No"
    assert truths(drawn_picture("a ladybug above a sunflower"), "ladybug")["details"] == "Yes"


def test_what_is_not_in_the_picture_is_another_thing() -> None:
    assert truths(drawn_picture("a ladybug"), "zebra")["thing"] == "No"
    assert violations(drawn_picture("a ladybug"), "zebra") == 0


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


def test_a_sitting_is_the_same_for_the_same_seed(sittings: list[JudgeSample]) -> None:
    again = sitting("test 3", random.Random(3))
    assert again.picture.drawing == sittings[3].picture.drawing
    assert (again.look, again.compared) == (sittings[3].look, sittings[3].compared)


def test_of_two_kinds_of_things_one_is_compared_alone(sittings: list[JudgeSample]) -> None:
    assert {made.by_region for made in sittings} == {True, False}
    for made in sittings:
        assert made.by_region == (len(made.picture.scene.groups) == 2)
        assert len(made.reference.scene.groups) == 1
        if made.by_region:
            assert made.seen is made.picture
            assert made.look.part is None

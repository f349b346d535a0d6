"""Two pictures are compared criterion by criterion, by the values they were drawn with."""

import random
from collections import Counter
from dataclasses import replace
from typing import Any

import pytest

from hallascope.data.records import CANNOT_TELL
from hallascope.primer import scenes
from hallascope.primer.benchmark import pair_criteria
from hallascope.primer.benchmark.judge_samples import JudgeSample
from hallascope.primer.benchmark.pair_criteria import ASPECTS, ShownConcept, change_values, compare
from hallascope.primer.concepts import concepts
from hallascope.primer.shapes import SHAPES


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


def test_how_many_there_are_counts_as_number() -> None:
    answers = compare(_shown("ladybug", 2), _shown("ladybug", 3))
    assert {aspect for aspect, answer in answers.items() if answer == "No"} == {"number", "details"}


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


def test_comparing_is_symmetric_and_balanced(sittings: list[JudgeSample]) -> None:
    told: Counter[tuple[str, str]] = Counter()
    for n in range(400):
        chance = random.Random(n)
        scene = scenes.parse(chance.choice([c.phrase for c in concepts()]))
        values = scenes.violate(scene, 0.25, chance)
        one, other = (
            ShownConcept(scene.groups[0].concept, v)
            for v in (values, change_values(scene, values, chance))
        )
        assert compare(one, other) == compare(other, one)
        told.update(compare(one, other).items())
    for aspect in ("shape", "color", "texture", "number", "details"):
        assert 0.3 < told[aspect, "Yes"] / (told[aspect, "Yes"] + told[aspect, "No"]) < 0.7, aspect
    both = Counter(made.compared["thing"] for made in sittings)
    assert both["No"] >= 6


def test_a_difference_in_values_is_a_difference_in_the_drawing() -> None:
    for n in range(60):
        chance = random.Random(n)
        scene = scenes.parse(chance.choice([c.phrase for c in concepts()]))
        values = scenes.violate(scene, 0.25, chance)
        other = change_values(scene, values, chance)
        assert (scene.draw(values, n).svg == scene.draw(other, n).svg) == (values == other)


def test_every_question_of_a_pair_has_its_words() -> None:
    assert set(pair_criteria.QUESTIONS) == set(ASPECTS)
    assert len(set(pair_criteria.QUESTIONS.values())) == len(ASPECTS)

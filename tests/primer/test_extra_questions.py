"""Questions on regions, parts and pairs have the answers that the drawings lead to, and no question
has two.
"""

import random
from collections import Counter
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from hallascope.data.records import CANNOT_TELL
from hallascope.data.regions import Box, window
from hallascope.primer import extra_questions, scenes
from hallascope.primer.appearance import RenderedScene, facts_of
from hallascope.primer.benchmark import pair_criteria
from hallascope.primer.benchmark.judge_samples import JudgeSample, jittered, sitting
from hallascope.primer.benchmark.pair_criteria import ASPECTS, ShownConcept, changed, compare
from hallascope.primer.concepts import concepts
from hallascope.primer.shapes import SHAPES


def _view(prompt: str, seed: int = 0, **values: str | int) -> RenderedScene:
    scene = scenes.parse(prompt)
    whole = {**scene.truths(), **values}
    return RenderedScene(scene, whole, scene.draw(whole, seed))


def _cut(view: RenderedScene, region: Box) -> Box:
    return Box(*(side / 512 for side in window(region, 512, 512, square=True)))


@pytest.fixture(scope="module")
def sittings() -> list[JudgeSample]:
    return [sitting(f"test {n}", random.Random(n)) for n in range(60)]


# --- regions and pictures
# ------------------------------------------------------------------------------------------------


def test_a_region_is_asked_for_name_color_shape_texture_and_caption() -> None:
    view = _view("a red circle above a blue star")
    star = next(look for look in view.looks() if look.name == "star")
    said = {
        q.kind: q.answer
        for q in extra_questions.of_region(view, star, _cut(view, star.region), random.Random(0))
        if q.kind != "check"
    }
    assert said == {
        "name": "Star",
        "color": "Blue",
        "shape": "Star-shaped",
        "texture": "Plain",
        "caption": "A blue star",
    }


def test_what_a_region_of_a_part_does_not_show_cannot_be_told(sittings: list[JudgeSample]) -> None:
    unknown = 0
    for made in sittings:
        shown = _cut(made.seen, made.look.region)
        asked = extra_questions.of_region(made.seen, made.look, shown, random.Random(1))
        seen = {
            made.seen.drawing.parts[i].name
            for i in np.unique(made.seen.parts_in_region(shown))
            if i >= 0
        }
        facts = {fact.question: fact for fact in facts_of(made.look.concept)}
        for q in asked:
            if q.kind == "unknown":
                unknown += 1
                assert q.answer == CANNOT_TELL
                assert not seen & set(facts[q.question].parts)
            if q.kind == "fact":
                assert (
                    q.answer
                    == facts[q.question].values[made.look.values[facts[q.question].parameter]]
                )
    assert unknown > 8


def test_a_part_is_only_looked_at_where_it_is_plain_what_is_meant(
    sittings: list[JudgeSample],
) -> None:
    parts = [made for made in sittings if made.look.part]
    assert len(parts) > 15
    for made in parts:
        seen = made.seen.parts_in_region(_cut(made.seen, made.look.region))
        assert np.isin(seen, made.look.indices).sum() > 0.35 * (seen >= 0).sum()


def test_questions_on_parts_of_a_picture_agree_with_what_is_drawn(
    sittings: list[JudgeSample],
) -> None:
    kinds: Counter[str] = Counter()
    for made in sittings:
        view = made.seen
        names = {part.name for part in view.drawing.parts}
        for q in extra_questions.of_picture(view, random.Random(2)):
            kinds[f"{q.kind} {q.answer}" if q.kind == "presence" else q.kind] += 1
            if q.question.startswith(("What color is the ", "Is there a")) and q.question not in {
                f.question for f in view.scene.facts
            }:
                named = [
                    name
                    for name in extra_questions.part_names() + tuple(names)
                    if f" {name} in the image?" in q.question
                ]
                there = bool(named) and max(named, key=len) in names
                assert there == (q.answer not in (CANNOT_TELL, "No")), q
    assert min(kinds["part"], kinds["unknown"], kinds["presence Yes"], kinds["presence No"]) > 10


def test_a_part_that_a_violation_has_taken_away_is_not_there() -> None:
    view = _view("a ladybug", feelers="none")
    found = [q for n in range(60) for q in extra_questions.of_picture(view, random.Random(n))]
    assert ("unknown", "What color is the antenna in the image?", CANNOT_TELL) in found
    assert ("presence", "Is there an antenna in the image?", "No") in found
    assert not {q for q in found if "antenna" in q.question and q.answer not in (CANNOT_TELL, "No")}


def test_no_question_about_one_picture_has_two_answers(sittings: list[JudgeSample]) -> None:
    for made in sittings:
        view = made.seen
        told: dict[str, str] = {
            fact.question: scenes.right_answer(fact, view.values) for fact in view.scene.facts
        }
        for n in range(4):
            for q in extra_questions.of_picture(view, random.Random(n)):
                assert told.setdefault(q.question, q.answer) == q.answer


# --- pairs
# --------------------------------------------------------------------------------------------------


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
            for v in (values, changed(scene, values, chance))
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
        other = changed(scene, values, chance)
        assert (scene.draw(values, n).svg == scene.draw(other, n).svg) == (values == other)


# --- sittings
# --------------------------------------------------------------------------------------------------


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


def test_a_region_said_a_little_differently_is_still_about_the_same() -> None:
    region = Box(0.3, 0.3, 0.7, 0.5)
    for n in range(50):
        moved = jittered(region, random.Random(n))
        assert max(abs(a - b) for a, b in zip(moved.sides, region.sides, strict=True)) <= 0.033


def test_every_question_of_a_pair_has_its_words() -> None:
    assert set(pair_criteria.QUESTIONS) == set(ASPECTS)
    assert len(set(pair_criteria.QUESTIONS.values())) == len(ASPECTS)

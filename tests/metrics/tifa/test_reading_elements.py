"""Questions follow from a reading as they follow from the rules, and from its corrections."""

from dataclasses import replace
from pathlib import Path

import pytest

from hallascope.data.prompt_reading import (
    MANY,
    PICTURE,
    AskedAttribute,
    AskedObject,
    AskedRelation,
    Count,
    PromptReading,
)
from hallascope.data.records import Picture
from hallascope.data.requests import Answer
from hallascope.metrics.base import Case, run
from hallascope.metrics.parsing.reading import read_prompt
from hallascope.metrics.tifa import plan as tifa
from hallascope.metrics.tifa.elements import MOST, elements
from hallascope.metrics.tifa.reading_elements import elements_of_reading


@pytest.mark.parametrize(
    "prompt",
    [
        "two red cats on a mat",
        "a dog to the left of a blue car",
        "the tower behind a lake",
        "a chair without a cushion",
        "three ladybugs",
        "dogs in a park",
    ],
)
def test_a_reading_by_the_rules_has_the_elements_of_the_rules(prompt: str) -> None:
    assert elements_of_reading(read_prompt(prompt)) == elements(prompt)


def test_what_stands_before_a_name_gives_its_article() -> None:
    prompt = "the old red car, grass and an owl"
    reading = PromptReading(
        prompt=prompt,
        objects=(
            AskedObject(
                id="o1",
                name="car",
                spans=((12, 15),),
                attributes=(AskedAttribute("old"), AskedAttribute("red")),
            ),
            AskedObject(id="o2", name="grass", spans=((17, 22),)),
            AskedObject(id="o3", name="owl", spans=((30, 33),)),
            AskedObject(id="o4", name="tree"),
        ),
    )
    named = elements_of_reading(reading)
    articles = {thing.name: thing.article for thing in named.things}
    assert articles == {"car": "the", "grass": "", "owl": "a", "tree": "a"}
    assert [thing.color for thing in named.things] == ["red", None, None, None]


def test_what_has_no_question_is_left_out() -> None:
    cat = AskedObject(id="o1", name="cat", count=Count.at_most(2))
    dog = AskedObject(id="o2", name="dog", count=MANY)
    other_dog = AskedObject(id="o3", name="dog")
    tree = AskedObject(id="o4", name="tree", absent=True, count=MANY)
    reading = PromptReading(
        prompt="x",
        objects=(cat, dog, other_dog, tree),
        relations=(
            AskedRelation("o1", "on", "o2"),
            AskedRelation("o2", "on", "o3"),
            AskedRelation("o2", "on", "o4"),
            AskedRelation("o2", "left", PICTURE),
            AskedRelation("o2", "holding", "o1"),
        ),
    )
    named = elements_of_reading(reading)
    assert [(thing.name, thing.many, thing.absent) for thing in named.things] == [
        ("dogs", True, False),
        ("trees", True, True),
    ]
    assert named.relations == ()


def test_there_are_no_more_things_than_by_the_rules() -> None:
    objects = tuple(AskedObject(id=f"o{at}", name=f"thing{at}") for at in range(MOST + 3))
    reading = PromptReading(
        prompt="x",
        objects=objects,
        relations=(AskedRelation(objects[-1].id, "on", "o0"), AskedRelation("o1", "on", "o0")),
    )
    named = elements_of_reading(reading)
    assert len(named.things) == MOST
    assert [relation.first.name for relation in named.relations] == ["thing1"]


CAT = PromptReading(
    prompt="ein Hut",
    objects=(AskedObject(id="o1", name="hat"),),
    source="person",
    author="Ann",
)
CASE = Case(prompt="ein Hut", image=Picture("ab" * 32, Path("hat.png")), reading=CAT)


def test_the_questions_of_a_person_go_before_those_of_the_rules_and_the_report_says_so() -> None:
    report = run(tifa.plan(CASE), [[Answer("A"), Answer("A")]])
    assert report.verdicts[0].question.text == "Is there a hat in the image?"
    assert report.version == "+".join([*tifa.metric().version.split("+")[:2], "rules"])
    assert report.evidence is not None
    assert report.evidence.reading == CAT
    by_rule = run(tifa.plan(replace(CASE, prompt="a hat", reading=None)), [[Answer("A")] * 2])
    assert by_rule.evidence is None


def test_a_person_may_say_that_a_prompt_cannot_be_read() -> None:
    unreadable = PromptReading(prompt="x", unreadable="a poem", source="person")
    report = run(tifa.plan(replace(CASE, reading=unreadable)), [])
    assert (report.score.value, report.score.left_out) == (None, 1)
    assert report.verdicts[0].failure == "a poem"

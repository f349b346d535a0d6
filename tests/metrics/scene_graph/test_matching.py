"""Things of the picture are matched to those of the prompt by name, attributes and place."""

import pytest

from hallascope.data.graphs import Attribute, Graph, Node
from hallascope.data.prompt_reading import MANY, AskedAttribute, AskedObject, Count, PromptReading
from hallascope.metrics.parsing.reading import read_prompt
from hallascope.metrics.scene_graph.image_graph import graph_of_caption
from hallascope.metrics.scene_graph.matching import least_number, matches
from hallascope.metrics.scene_graph.prompt_graph import graph_of_reading
from tests.support.scene_graph_runs import LEFT, METRIC, RIGHT, errors_of, graphs_of, report_on
from tests.support.scripted_vision import Scene, box, look, thing


def test_several_of_one_type_are_no_extras_and_one_that_satisfies_is_enough() -> None:
    report = report_on(
        "a blue square", thing("square", LEFT, color="red"), thing("square", RIGHT, color="blue")
    )
    assert (errors_of(report), graphs_of(report).grade) == ([], 7)


def test_things_of_one_name_are_told_apart_by_their_attributes() -> None:
    prompt = "a red circle to the left of a blue circle"
    right = [thing("circle", RIGHT, color="blue"), thing("circle", LEFT, color="red")]
    assert errors_of(report_on(prompt, *right)) == []
    assert errors_of(
        report_on(
            prompt,
            *(
                thing("circle", one.box, color=tone)
                for one, tone in zip(right, ("red", "blue"), strict=True)
            ),
        )
    ) == [("relation", "to the left of the circle", "to the right of")]
    assert errors_of(report_on(prompt, right[1])) == [("omission", "circle", "")]


def test_two_things_that_nothing_tells_apart_may_be_either() -> None:
    assert (
        errors_of(report_on("a dog to the left of a dog", thing("dog", RIGHT), thing("dog", LEFT)))
        == []
    )


def test_synonyms_and_kinds_are_found_and_no_extras() -> None:
    shown = Scene((thing("person", LEFT), thing("dog", box(0.3, 0.3))))
    report = look(METRIC, "a woman next to a puppy", shown.reply, vocabulary="general")
    assert errors_of(report) == []


CUBES = PromptReading(
    prompt="three cubes; a red one of them",
    objects=(
        AskedObject(id="o1", name="cube", count=Count.exactly(3)),
        AskedObject(id="o2", name="cube", attributes=(AskedAttribute("red"),), one_of="o1"),
    ),
    source="person",
)


def test_what_is_one_of_others_needs_no_further_thing() -> None:
    shown = Graph(
        tuple(
            Node(name=f"n{at}", label="cube", attributes=(Attribute("color", color),))
            for at, color in enumerate(("blue", "red", "green"), 1)
        )
    )
    matched = matches(graph_of_reading(CUBES), shown)
    assert matched == {"n1": ("n1", "n2", "n3"), "n2": ("n2",)}


def test_each_that_is_one_of_others_is_another_of_them() -> None:
    reading = read_prompt("A stack of 3 cubes. A red cube is on a red cube.")
    assert [asked.one_of for asked in reading.objects] == ["", "o1", "o1"]
    shown = graph_of_caption(reading.prompt)
    matched = matches(graph_of_reading(reading), shown)
    assert matched == {"n1": ("n1", "n2", "n3"), "n2": ("n1",), "n3": ("n2",)}


@pytest.mark.parametrize(
    ("count", "least"),
    [
        (None, 1),
        (MANY, 2),
        (Count.exactly(3), 3),
        (Count.at_least(4), 4),
        (Count.at_most(2), 1),
    ],
)
def test_as_many_are_needed_as_the_prompt_asks_for_at_least(
    count: Count | None, least: int
) -> None:
    reading = PromptReading(prompt="cats", objects=(AskedObject(id="o1", name="cat", count=count),))
    assert least_number(graph_of_reading(reading), "n1") == least

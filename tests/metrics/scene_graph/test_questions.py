"""The questions of a prompt, by template."""

import pytest

from hallascope.data.prompt_reading import AskedObject, Count, PromptReading
from hallascope.metrics.scene_graph.prompt_graph import graph_of_reading, make_prompt_graph
from hallascope.metrics.scene_graph.questions import questions


@pytest.mark.parametrize(
    ("prompt", "expected"),
    [
        (
            "two flags of France",
            ["Are there flags of France in the picture?", "Are there exactly two flags of France?"],
        ),
        (
            "an old man without a hat",
            ["Is there a man in the picture?", "Is the man old?", "Is there a hat in the picture?"],
        ),
        (
            "a red cup on a blue cup",
            [
                *(
                    "Is there a cup in the picture?",
                    "Is the cup red?",
                    "Is there a cup in the picture?",
                    "Is the cup blue?",
                ),
                "Is the red cup on the blue cup?",
            ],
        ),
    ],
)
def test_questions_are_asked_by_template(prompt: str, expected: list[str]) -> None:
    assert [one.text for one in questions(make_prompt_graph(prompt))] == expected


def test_what_must_not_be_there_is_asked_with_no_as_the_answer_of_a_faithful_picture() -> None:
    assert [one.wanted for one in questions(make_prompt_graph("a man without a hat"))] == [
        "yes",
        "no",
    ]


@pytest.mark.parametrize(
    ("words", "count"),
    [
        ("exactly three", Count.exactly(3)),
        ("at least three", Count.at_least(3)),
        ("at most two", Count.at_most(2)),
        ("about twelve", Count.approximately(12)),
    ],
)
def test_a_count_is_asked_in_its_own_words(words: str, count: Count) -> None:
    reading = PromptReading(
        prompt="cats", objects=(AskedObject(id="o1", name="cat", count=count),), source="person"
    )
    *_, number = questions(graph_of_reading(reading))
    assert number.text == f"Are there {words} cats?"


def test_of_what_may_be_missing_the_number_alone_is_asked() -> None:
    assert [one.text for one in questions(make_prompt_graph("no more than two cats"))] == [
        "Are there at most two cats?"
    ]


def test_a_plural_without_a_number_asks_for_no_number() -> None:
    assert [one.kind for one in questions(make_prompt_graph("cats"))] == ["existence"]

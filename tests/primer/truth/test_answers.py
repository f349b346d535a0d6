"""A drawing answers the questions that its values decide, and no others."""

import pytest

from hallascope.primer import scenes
from hallascope.primer.truth.answers import DrawnAnswer, answer_from_drawing
from tests.data.cases import cases


def answer(prompt: str, question: str, **values: str | int) -> DrawnAnswer | None:
    scene = scenes.parse(prompt)
    return answer_from_drawing(scene, {**scene.truths(), **values}, question)


def text(prompt: str, question: str, **values: str | int) -> str | None:
    found = answer(prompt, question, **values)
    return found.text if found else None


def test_a_fact_is_answered_by_its_value_with_what_else_could_be_drawn() -> None:
    found = answer("three red circles", "How many shapes are in the image?", **{"@count": 4})
    assert found
    assert found.text == "Four"
    assert {"Two", "Three", "Four", "Five"} <= found.rivals


@pytest.mark.parametrize(
    "question, values, answer",
    cases("answers", "what_a_reader_of_the_prompt_asks_is_answered_by_what_is_shown", "primer"),
)
def test_what_a_reader_of_the_prompt_asks_is_answered_by_what_is_shown(
    question: str, values: dict[str, str | int], answer: str | None
) -> None:
    assert text("three red circles", question, **values) == answer

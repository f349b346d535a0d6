"""Replies of a judge and a writer are read where they say something plainly."""

import pytest

from hallascope.metrics.scene_graph.words.attributes import CHOICES, choices, kind, meets, normal
from hallascope.metrics.scene_graph.words.replies import answer, choice, questions
from tests.data.cases import cases

COLOURS = CHOICES["color"]


@pytest.mark.parametrize(
    ("text", "expected"),
    cases("scene_graph_replies", "the_one_choice_a_reply_names_is_read", "metrics"),
)
def test_the_one_choice_a_reply_names_is_read(text: str, expected: str | bool | None) -> None:
    assert choice(text, COLOURS) == expected


def test_a_word_within_another_is_not_that_word() -> None:
    assert choice("It is star-shaped.", ("star", "star-shaped")) == "star-shaped"
    assert choice("No", ("Yes", "No")) == "No"
    assert choice("Nothing of the kind", ("Yes", "No")) is None
    assert choice("Yes, there is no doubt.", ("Yes", "No")) == "Yes"
    assert choice("No, I cannot see a dog.", ("Yes", "No")) == "No"


def test_questions_are_read_where_they_are_as_many_as_asked() -> None:
    said = '```json\n{"questions": ["Is there  a dog?", "Is it red?"]}\n```'
    assert questions(said, 2) == ("Is there a dog?", "Is it red?")
    assert questions(said, 3) is None
    assert questions('{"questions": ["", "a"]}', 2) is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [('{"answer": "no"}', "no"), ("Yes.", "yes"), ("unknown", "unknown"), ("maybe", None)],
)
def test_a_writers_answer_is_yes_no_or_unknown(text: str, expected: str | None) -> None:
    assert answer(text) == expected


def test_words_have_their_kind_and_those_that_say_the_same_meet() -> None:
    assert [kind(word) for word in ("maroon", "circular", "wooden", "old", "other")] == [
        "color",
        "shape",
        "texture",
        "state",
        None,
    ]
    assert meets("gray", "grey")
    assert meets("circular", "round")
    assert meets("fluffy", "furry")
    assert not meets("red", "blue")
    assert not meets("light blue", "green")
    assert set(choices("color", ["maroon", "gray"])) - set(choices("color")) == {"maroon"}
    assert normal("Metal") == "metallic"

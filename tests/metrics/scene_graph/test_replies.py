"""Replies of a judge and a writer are read where they say something plainly."""

import pytest

from hallascope.metrics.scene_graph.words.attributes import CHOICES
from hallascope.metrics.scene_graph.words.replies import read_word_choice
from tests.data.cases import cases

COLOURS = CHOICES["color"]


@pytest.mark.parametrize(
    "text, expected",
    cases("scene_graph_replies", "the_one_choice_a_reply_names_is_read", "metrics"),
)
def test_the_one_choice_a_reply_names_is_read(text: str, expected: str | None) -> None:
    assert read_word_choice(text, COLOURS) == expected


def test_a_word_within_another_is_not_that_word() -> None:
    assert read_word_choice("It is star-shaped.", ("star", "star-shaped")) == "star-shaped"
    assert read_word_choice("No", ("Yes", "No")) == "No"
    assert read_word_choice("Nothing of the kind", ("Yes", "No")) is None
    assert read_word_choice("Yes, there is no doubt.", ("Yes", "No")) == "Yes"
    assert read_word_choice("No, I cannot see a dog.", ("Yes", "No")) == "No"

"""A second name between commas is of the same person."""

import pytest

from hallascope.metrics.parsing.reading import read_prompt
from tests.support.parsed_texts import actions


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("A farmer, a short woman with braids, leads a llama.", ["farmer", "braid", "llama"]),
        ("His trainer, a bald man, holds a bottle.", ["trainer", "bottle"]),
        ("The teacher, a robot with a flower, stands there.", ["teacher", "flower"]),
        ("A man, a woman and a dog walk on a beach.", ["man", "woman", "dog", "beach"]),
        ("A cat, a dog, two birds.", ["cat", "dog", "bird"]),
        ("A girl, a boy in a hat, sits.", ["girl", "boy", "hat"]),
        ("A cat, a dog with a ball, sleeps.", ["cat", "dog", "ball"]),
        ("The dog, an animal with a bell, is asleep.", ["dog", "bell"]),
        ("A box, a cup with a spoon, is on a table.", ["box", "cup", "spoon", "table"]),
    ],
)
def test_a_second_name_between_commas_is_of_the_same_person(text: str, names: list[str]) -> None:
    assert [asked.name for asked in read_prompt(text).objects] == names


def test_what_it_has_and_does_is_said_of_the_one_person() -> None:
    text = "A farmer, a short woman with braids, leads a llama."
    assert [action[1:3] for action in actions(text)] == [("with", "braid"), ("leading", "llama")]

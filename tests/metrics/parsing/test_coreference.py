"""What is named twice is one object, and what is told apart from a group is one of it."""

import pytest

from hallascope.metrics.parsing.reading import read_prompt


def _objects(prompt: str) -> list[tuple[str, str]]:
    """Return the objects, each with its color, and with the id of the group it is one of."""
    return [
        (" ".join([*(word.value for word in asked.attributes), asked.name]), asked.one_of)
        for asked in read_prompt(prompt).objects
    ]


@pytest.mark.parametrize(
    ("prompt", "expected"),
    [
        (
            "A stack of 3 cubes. A red cube is on top, sitting on a blue cube.",
            [("cube", ""), ("red cube", "o1"), ("blue cube", "o1")],
        ),
        (
            "Two dogs in a field with one dog holding a disc",
            [("dog", ""), ("field", ""), ("dog", "o1"), ("disc", "")],
        ),
        (
            "four children in a park and one of the children wears a hat",
            [("child", ""), ("park", ""), ("child", "o1"), ("hat", "")],
        ),
        (
            "three circles (two red circles and one blue circle)",
            [("circle", ""), ("red circle", "o1"), ("blue circle", "o1")],
        ),
        (
            "Five owls. The smallest owl has a hat.",
            [("owl", ""), ("smallest owl", "o1"), ("hat", "")],
        ),
    ],
)
def test_what_is_told_apart_from_a_group_is_one_of_it(
    prompt: str, expected: list[tuple[str, str]]
) -> None:
    assert _objects(prompt) == expected


@pytest.mark.parametrize(
    ("prompt", "expected"),
    [
        ("A triangular pink sign. A pink sign in the shape of a triangle.", 1),
        ("A cube made of denim. A cube with the texture of denim.", 1),
        ("A dog and a cat. The dog is brown.", 2),
        ("A dog on the left. A dog on the right.", 2),
        ("A red car. A blue car.", 2),
        ("two dogs on the grass and one dog on the street", 4),
        ("A woman holds her bag, a man holds his bag.", 4),
        ("A red cube on a blue cube. The blue cube is big.", 2),
        ("The striped rug was on top of the brown carpet.", 2),
        ("The man to the left is tall, while the man to the right is short.", 2),
        ("The cat at the top is asleep. The cat at the bottom is awake.", 2),
        ("The cat at the top sleeps. The cat at the bottom eats. The cat at the top is red.", 2),
        ("The left cup is full and the right cup is empty.", 2),
        ("The big dog is asleep. The small dog is awake.", 2),
        ("A big dog is on the left. The dog is brown.", 1),
    ],
)
def test_a_second_description_of_the_same_is_no_second_thing(prompt: str, expected: int) -> None:
    objects = read_prompt(prompt).objects
    assert len(objects) == expected
    assert all(not asked.one_of for asked in objects)


def test_one_of_several_has_the_number_that_is_chosen() -> None:
    objects = read_prompt("four children, and one of the children wears a hat").objects
    chosen = next(asked for asked in objects if asked.one_of)
    assert chosen.count is not None
    assert chosen.count.exact == 1


def test_what_stands_in_a_relation_to_a_thing_is_another_thing() -> None:
    prompt = "The clock tower on the old brick building looks impressive."
    assert len(_objects(prompt)) == 2

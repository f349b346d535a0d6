"""Things in a row are each a thing."""

import pytest

from hallascope.metrics.parsing.parser import parse
from tests.support.parsed_texts import actions, positions, things


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a laptop and three cellphones", ["laptop", "3 cellphone"]),
        ("A car playing soccer", ["car", "soccer"]),
    ],
)
def test_a_chunk_ends_at_and_and_at_a_verb_in_ing(text: str, expected: list[str]) -> None:
    assert things(text) == expected


def test_a_verb_governs_all_nouns_in_a_row() -> None:
    assert actions("a man wearing a hat and a coat") == [
        ("man", "wearing", "hat", False),
        ("man", "wearing", "coat", False),
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a laptop and three cellphones on a table", ["laptop on table", "cellphone on table"]),
        ("two cats and two dogs sitting on the grass", ["cat on grass", "dog on grass"]),
        (
            "A dog is behind the cat, the cow and a horse.",
            ["dog behind cat", "dog behind cow", "dog behind horse"],
        ),
        ("a man next to a dog and a cat", ["man next to dog", "man next to cat"]),
        ("a cat on a mat and a dog on a rug", ["cat on mat", "dog on rug"]),
        ("a man with a hat and a dog on the street", ["dog on street"]),
        ("a cat on a chair and a dog", ["cat on chair"]),
        ("On the table, a cup and a plate", ["cup on table", "plate on table"]),
        ("a photo of a cat and a dog on a sofa", ["cat on sofa", "dog on sofa"]),
    ],
)
def test_a_position_holds_of_every_thing_in_a_row(text: str, expected: list[str]) -> None:
    assert [
        f"{subject} {relation} {anchor}" for subject, relation, anchor in positions(text)
    ] == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "a woman and a small child watch a train",
            ["woman watching train", "child watching train"],
        ),
        ("a man and a woman, both wearing hats", ["man wearing hat", "woman wearing hat"]),
        (
            "A table features a cup, plates and a fork",
            ["table with cup", "table with plate", "table with fork"],
        ),
        ("a man with a hat and a woman", ["man with hat"]),
        (
            "a room with a couch, a lamp on a table, and a chair",
            ["room with couch", "room with lamp", "room with chair"],
        ),
        ("Two women are cutting and serving a cake", ["woman cutting cake", "woman serving cake"]),
    ],
)
def test_an_action_holds_of_every_thing_in_a_row(text: str, expected: list[str]) -> None:
    assert [f"{action[0]} {action[1]} {action[2]}" for action in actions(text)] == expected


def test_things_in_brackets_of_the_same_noun_are_parts_of_what_was_counted() -> None:
    phrases = parse("three circles (two red circles and a blue circle) and a square").phrases
    assert [phrase.is_part for phrase in phrases] == [False, True, True, False]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "A bride in a short ivory dress and a groom in a kilt dance on a roof.",
            ["bride", "groom"],
        ),
        (
            "An owl made of glass, a fox made of felt and a hare sit on a roof",
            ["owl", "fox", "hare"],
        ),
    ],
)
def test_a_verb_in_the_plural_is_said_of_the_whole_list(text: str, expected: list[str]) -> None:
    on_roof = [name for name, relation, anchor in positions(text) if anchor == "roof"]
    assert on_roof == expected


def test_what_is_in_the_other_hand_is_held_too() -> None:
    found = actions("A nun carries a lamb in one arm and a bucket in the other.")
    assert [action[2] for action in found] == ["lamb", "bucket"]


def test_a_long_list_goes_on_behind_a_place() -> None:
    text = "A desk covered with a map, a jar of pens, a cake on a saucer and a mug."
    assert ("mug", "on", "desk") in positions(text)

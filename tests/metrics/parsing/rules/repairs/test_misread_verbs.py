"""Verbs that the model takes for nouns are read as verbs, and who does them as a thing."""

import pytest

from tests.support.parsed_texts import positions, things


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("A goat and a squirrel guard a clock.", ["goat", "squirrel", "clock"]),
        ("A hiker and a barista pour the tea.", ["hiker", "barista", "tea"]),
        ("A nurse and a crow march by the garden.", ["nurse", "crow", "garden"]),
        ("A koala and a woman twirl by the street.", ["koala", "woman", "street"]),
        (
            "A leather boot and a red mitten lie by the hearth.",
            ["leather boot", "red mitten", "hearth"],
        ),
    ],
)
def test_two_do_what_the_noun_behind_them_says(text: str, expected: list[str]) -> None:
    assert things(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The goat in the striped hat rings the bell.", ["goat", "striped hat", "bell"]),
        ("A street performer juggles flaming torches.", ["street performer", "flaming torch"]),
        ("A fisherman surfs on a wave.", ["fisherman", "wave"]),
        ("A man in the street lights a cigarette.", ["man", "street", "cigarette"]),
    ],
)
def test_a_noun_in_s_behind_one_in_the_singular_is_a_verb(text: str, expected: list[str]) -> None:
    assert things(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("A dog bed and a cat bed by the door", ["dog bed", "cat bed", "door"]),
        ("A boy and a girl scout on a hill", ["boy", "girl scout", "hill"]),
    ],
)
def test_names_of_two_nouns_stay(text: str, expected: list[str]) -> None:
    assert things(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("A dog with a ball in its mouth runs along the fence.", ("dog", "along", "fence")),
        ("On the top shelf of a pantry stand three jars.", ("jar", "on", "shelf")),
    ],
)
def test_a_verb_is_told_from_a_noun_by_its_clause(
    text: str, expected: tuple[str, str, str]
) -> None:
    assert expected in positions(text)

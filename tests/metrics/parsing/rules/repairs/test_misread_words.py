"""Nouns that the model takes for adjectives or verbs are nouns."""

import pytest

from tests.support.parsed_texts import things


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "A white fire hydrant on the sidewalk by a car",
            ["white fire hydrant", "sidewalk", "car"],
        ),
        ("A man cooks meat on a grill", ["man", "meat", "grill"]),
        ("A skateboarder doing a trick on a rail", ["skateboarder", "rail"]),
        ("a green acorn and a brown leaf", ["green acorn", "brown leaf"]),
        (
            "A bowl topped with blueberries and sliced almonds",
            ["bowl", "blueberry", "sliced almond"],
        ),
        ("A room with a sink and striped curtain", ["room", "sink", "striped curtain"]),
        ("A cake with white frosting and pink roses", ["cake", "white frosting", "pink rose"]),
        ("A woman with a tattoo on her arm", ["woman", "tattoo", "arm"]),
        ("A cake with cream cheese icing", ["cake", "cream cheese icing"]),
        ("A kitten playing with a shoe lace", ["kitten", "shoe lace"]),
        ("A cat sits in a bathroom sink next to a cup", ["cat", "bathroom sink", "cup"]),
        ("A bathroom sink with a mirror above it", ["bathroom sink", "mirror"]),
    ],
)
def test_a_word_that_is_only_a_noun_names_a_thing(text: str, expected: list[str]) -> None:
    assert things(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("A green vintage car", ["green vintage car"]),
        ("A man helps a child fly a kite", ["man", "child", "kite"]),
        ("A bedroom with the bed unmade", ["bedroom", "unmade bed"]),
        ("A vase on a white cloth covered table", ["vase", "white cloth covered table"]),
        ("A lawn devoid of flowers", ["lawn"]),
        ("The dog does a trick while the cat sleeps", ["dog", "cat"]),
    ],
)
def test_other_words_stay_what_they_are(text: str, expected: list[str]) -> None:
    assert things(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("A hare sits motionless in the grass", ["motionless hare", "grass"]),
        ("A chair beside a watering can and a bench", ["chair", "watering can", "bench"]),
    ],
)
def test_adjectives_and_cans_are_read_as_what_they_are(text: str, expected: list[str]) -> None:
    assert things(text) == expected


def test_a_participle_in_a_list_describes_what_follows() -> None:
    text = "A courtyard with a table, two chairs, and carved cedar doors"
    assert things(text) == ["courtyard", "table", "2 chair", "carved cedar door"]

"""Who does what a verb says."""

import pytest

from tests.support.parsed_texts import actions


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a man in a hat holding a cup", {"man"}),
        ("a man and a woman holding a cup", {"man", "woman"}),
        ("a tree next to a man holding a cup", {"man"}),
        ("people in a kitchen holding a cup", {"person"}),
    ],
)
def test_the_one_who_holds_something_is_found(text: str, expected: set[str]) -> None:
    assert {action[0] for action in actions(text) if action[1] == "holding"} == expected


@pytest.mark.parametrize(
    ("text", "holder", "held"),
    [
        ("A man cutting a pizza with a knife on a counter", "man", "knife"),
        ("A man is eating a hot dog with people around him", "man", "person"),
        ("Three boys are standing on a dock with fishing poles", "boy", "fishing pole"),
        ("A house on a street with trees", "street", "tree"),
        ("Two people on a sailboat with the mast down", "sailboat", "mast"),
        ("A table full of food with people sitting around it", "table", "person"),
        ("A woman sitting in front of a laptop with headphones on", "woman", "headphones"),
        ("A table set for dinner with candles", "table", "candle"),
        ("The front of a restaurant with umbrellas", "restaurant", "umbrella"),
        ("A refrigerator with its door open and food inside", "refrigerator", "door"),
    ],
)
def test_who_has_what_stands_behind_with(text: str, holder: str, held: str) -> None:
    assert (holder, "with", held, False) in actions(text)


def test_a_landscape_does_not_carry() -> None:
    text = "A group of soldiers marching down a street carrying flags"
    assert ("soldier", "carrying", "flag", False) in actions(text)


def test_what_is_tied_by_a_thing_is_still_tied_to_another() -> None:
    assert ("cow", "tied to", "tree", False) in actions("A cow is tied to a tree by a rope")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("A man in front of a whiteboard holding a marker", ("man", "holding", "marker")),
        ("Friends eating pizza and drinking beer at a table", ("friend", "drinking", "beer")),
        ("A man at a desk peeling and eating an apple", ("man", "eating", "apple")),
        ("A man standing on a beach near the ocean with a kite", ("man", "with", "kite")),
        ("A woman is walking down a path with an umbrella", ("woman", "with", "umbrella")),
    ],
)
def test_what_one_person_does_is_not_said_of_things(
    text: str, expected: tuple[str, str, str]
) -> None:
    assert (*expected, False) in actions(text)


def test_a_verb_that_ends_as_its_form_in_ing_has_that_form() -> None:
    assert ("player", "swinging at", "ball", False) in actions(
        "A player prepares to swing at a ball"
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("A boy rides a pony, followed by two dogs.", ("dog", "following", "boy")),
        ("A truck plays music, surrounded by five children.", ("child", "around", "truck")),
        ("A cottage on a hill, surrounded by trees.", ("tree", "around", "cottage")),
    ],
)
def test_a_participle_behind_a_comma_is_said_of_what_begins_the_item(
    text: str, expected: tuple[str, str, str]
) -> None:
    assert (*expected, False) in actions(text)

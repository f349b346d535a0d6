"""Positions that a text says."""

import pytest

from tests.support.parsed_texts import positions


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("A yellow vase placed on the right of a red book", [("vase", "right of", "book")]),
        ("a red book complemented by a yellow vase on its right", [("vase", "right of", "book")]),
        ("A wine glass on top of a dog", [("wine glass", "on", "dog")]),
        ("A man standing in front of the open door of a bus.", [("man", "in front of", "door")]),
        (
            "There is a street sign on a pole on the side of a snowy highway.",
            [("street sign", "on", "pole"), ("pole", "on", "highway")],
        ),
        ("The image shows a cat under a table", [("cat", "below", "table")]),
        ("A woman in white shirt holding up a cellphone.", []),
        ("A street sign with flags on it", [("flag", "on", "street sign")]),
        ("A storefront with 'Google' written on it", []),
        ("a man in a suit next to a car", [("man", "next to", "car")]),
        (
            (
                "One of the two red circles is to the left of the square, the tulips and the"
                " ladybug, and above the star."
            ),
            [
                ("circle", "left of", "square"),
                ("circle", "left of", "tulip"),
                ("circle", "left of", "ladybug"),
                ("circle", "above", "star"),
            ],
        ),
        (
            "A goat stands on top of a rock on a hill",
            [("goat", "on", "rock"), ("rock", "on", "hill")],
        ),
        (
            "A woman smiling near a large clock on the wall",
            [("woman", "next to", "clock"), ("clock", "on", "wall")],
        ),
        (
            "A man stands beside a bus in a snowy forest",
            [("man", "next to", "bus"), ("man", "in", "forest")],
        ),
        ("a wall with a gray bench in a green park", [("wall", "in", "park")]),
        ("a girl with a flower in her hair", [("flower", "in", "hair")]),
        ("a room with a bed on a rug", [("bed", "on", "rug")]),
        ("people flying kites on the beach", [("person", "on", "beach")]),
        ("On the wall hangs a mirror", [("mirror", "on", "wall")]),
        ("A blanket draped over a chair", [("blanket", "on", "chair")]),
        ("men filled the gallery", [("man", "in", "gallery")]),
        ("a bed covered with clothing", [("clothing", "on", "bed")]),
        ("An owl sits in a row", []),
    ],
)
def test_positions(text: str, expected: list[tuple[str, str, str | None]]) -> None:
    assert positions(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "a lamp between a sofa and a chair",
            [("lamp", "between", "sofa"), ("lamp", "between", "chair")],
        ),
        ("The ball was nestled between two books", [("ball", "between", "book")]),
        ("A couple of people are standing around a table", [("person", "around", "table")]),
        ("a toilet is against a wall", [("toilet", "against", "wall")]),
        ("a boy standing at the edge of a lake", [("boy", "at", "lake")]),
        ("a road along a field", [("road", "along", "field")]),
        ("a car that is sitting outside of a house", [("car", "outside", "house")]),
        ("a boat floats down a river past a house", [("boat", "past", "house")]),
        ("a man at night", []),
        ("a man looking at a bird", []),
        ("a man playing against a robot", []),
    ],
)
def test_places_that_boxes_do_not_show(text: str, expected: list[tuple[str, str, str]]) -> None:
    assert positions(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a tree in the background", [("tree", "background", None)]),
        (
            "a dog on the left and a cat on the right",
            [("dog", "left of", None), ("cat", "right of", None)],
        ),
        ("a chair in the bottom left corner of the image", [("chair", "corner", None)]),
        ("a moon at the top of the picture", [("moon", "top", None)]),
        ("a lamp in the middle of a table", [("lamp", "in", "table")]),
        ("a cat in the corner of a room", [("cat", "in", "room")]),
        ("a table with two chairs in the middle", [("table", "middle", None)]),
    ],
)
def test_a_place_in_the_picture_has_no_anchor(
    text: str, expected: list[tuple[str, str, str | None]]
) -> None:
    assert positions(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a bowl with bananas and plums in it", [("banana", "in", "bowl"), ("plum", "in", "bowl")]),
        ("a sink and a mirror above it", [("mirror", "above", "sink")]),
        (
            "A train next to a platform with people standing on it",
            [("train", "next to", "platform"), ("person", "on", "platform")],
        ),
        ("A cat and a dog next to each other", [("cat", "next to", "dog")]),
    ],
)
def test_a_pronoun_is_what_it_stands_for(text: str, expected: list[tuple[str, str, str]]) -> None:
    assert [tuple(position) for position in positions(text)] == expected


@pytest.mark.parametrize(
    "text",
    [
        "A woman writing on a notepad",
        "a dog barking at a cat",
        "a portrait by a man",
        "a horse ridden by a man",
        "a woman holding up a phone",
    ],
)
def test_a_preposition_that_belongs_to_a_verb_is_no_place(text: str) -> None:
    assert positions(text) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "A plate on a table. To the left of it there is a fork, and to the right a knife.",
            ("knife", "right of", "plate"),
        ),
        ("A girl holds a jar with a frog inside.", ("frog", "in", "jar")),
        ("A dancer balances on one foot on a stack of books.", ("dancer", "on", "book")),
        ("A dog eats, and there is a cloud in the sky.", ("cloud", "in", "sky")),
        ("A cat sleeps. A mouse peeks out from behind it.", ("mouse", "behind", "cat")),
    ],
)
def test_places_in_longer_sentences(text: str, expected: tuple[str, str, str]) -> None:
    assert expected in positions(text)


def test_a_verb_in_the_singular_has_one_subject() -> None:
    text = "The mask has slipped to his head, and his stick lies behind the net."
    assert ("head", "behind", "net") not in positions(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("On one of the rooftops a girl is dancing.", ("girl", "on", "rooftop")),
        ("Two cubs, one of which is hesitating on a bank.", ("cub", "on", "bank")),
        ("A man cooks rice in a pot.", ("rice", "in", "pot")),
        ("Long tables laden with boar and loaves of bread.", ("loaf of bread", "on", "table")),
        ("On the wall hang a map and a clock without hands.", ("clock", "on", "wall")),
        ("A woman sits on a sofa, one hand on a cat.", ("hand", "on", "cat")),
    ],
)
def test_who_is_there_in_longer_sentences(text: str, expected: tuple[str, str, str]) -> None:
    assert expected in positions(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Two balloons float in the fog behind a hill.", ("balloon", "in", "fog")),
        ("A cat. Four balloons are visible in the fog behind it.", ("balloon", "behind", "cat")),
        ("A surfer carries a board under one arm.", ("board", "below", "arm")),
        ("A boy in the front row holds a bag.", ("boy", "in", "front row")),
        ("A king wears a crown and a cloak in a field.", ("king", "in", "field")),
    ],
)
def test_places_of_who_holds_and_who_floats(text: str, expected: tuple[str, str, str]) -> None:
    assert expected in positions(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("A table with nothing on it except a plate and a knife.", ("knife", "on", "table")),
        ("A girl is asleep with her head on a bag.", ("head", "on", "bag")),
        ("A shed to the rear of a house.", ("shed", "behind", "house")),
        ("A garden at the back of a church.", ("garden", "behind", "church")),
    ],
)
def test_what_lies_on_something_alone(text: str, expected: tuple[str, str, str]) -> None:
    assert expected in positions(text)


def test_what_is_side_by_side_is_next_to_each_other() -> None:
    text = "A cat and a dog are sitting side by side on a sofa."
    assert ("cat", "next to", "dog") in positions(text)


def test_where_words_are_written_is_no_place_of_a_thing() -> None:
    text = 'Two trees in a park and the word "ALPINA" in bold letters at the top'
    assert not [place for place in positions(text) if place[2] is None]

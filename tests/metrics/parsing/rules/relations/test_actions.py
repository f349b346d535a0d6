"""What things do, and to which other thing."""

import pytest

from tests.support.parsed_texts import actions


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a man riding a horse", [("man", "riding", "horse")]),
        ("a horse ridden by a man", [("man", "riding", "horse")]),
        ("a sleeping dog", []),
        ("a woman with a red umbrella", [("woman", "with", "umbrella")]),
        ("a man in a suit", [("man", "wearing", "suit")]),
        ("The image shows a dog", []),
        ("a cat sitting on a chair", []),
        ("a mouse eating out of a bowl", [("mouse", "eating out of", "bowl")]),
        ("a girl is pulled down a path by a dog", [("dog", "pulling", "girl")]),
        ("a maid pours milk from a jug", [("maid", "pouring", "milk"), ("milk", "from", "jug")]),
        ("a curtain adding a touch of elegance", []),
        ("the surface reflects a tree", [("surface", "reflecting", "tree")]),
        ("a bee covered in pollen", [("bee", "with", "pollen")]),
    ],
)
def test_verbs_with_and_in_say_what_things_do(
    text: str, expected: list[tuple[str, str, str | None]]
) -> None:
    assert [action[:3] for action in actions(text)] == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a male in a suit jacket and boots", ["male wearing suit jacket", "male wearing boot"]),
        ("a couple in formal evening wear", ["couple wearing evening wear"]),
        ("a woman in the red dress", ["woman wearing dress"]),
        ("a man dressed in a black coat and boots", ["man wearing coat", "man wearing boot"]),
        ("knights clad in shining armor", ["knight wearing armor"]),
    ],
)
def test_who_is_in_clothes_wears_them(text: str, expected: list[str]) -> None:
    assert [_words(action) for action in actions(text)] == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a pizza topped with mushrooms and olives", ["pizza with mushroom", "pizza with olive"]),
        ("a glass filled with ice", ["glass with ice"]),
        ("a dog in a basket lined with a blanket", ["basket with blanket"]),
        ("a basket full of apples", ["basket with apple"]),
        ("a box containing three toys", ["box with toy"]),
        (
            "a device consisting of a canopy and a frame",
            ["device with canopy", "device with frame"],
        ),
        ("A dog sitting on a bed covered with clothing", ["bed with clothing"]),
    ],
)
def test_what_covers_or_fills_is_with_the_thing(text: str, expected: list[str]) -> None:
    assert [_words(action) for action in actions(text)] == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("this woman is at a desk using a computer", ["woman using computer"]),
        ("people standing around a table preparing food", ["person preparing food"]),
        ("a man is tangled by cables", ["cable tangling man"]),
        ("a knight with a sword riding a snail", ["knight with sword", "knight riding snail"]),
        (
            "a man on a field dressed in a uniform kicking a ball",
            ["man wearing uniform", "man kicking ball"],
        ),
        ("a man standing behind a truck with a trailer", ["truck with trailer"]),
        ("A horse in a field with her rider", ["horse with rider"]),
        ("A woman is showing a melon to a man", ["woman showing melon", "woman showing to man"]),
        ("a man holding a plate with a face drawn on it", ["man holding plate", "plate with face"]),
        ("a cat interacting with a dog", ["cat interacting with dog"]),
        ("two dogs in a field with one dog holding a disc", ["dog holding disc"]),
        ("A man rides a bike", ["man riding bike"]),
        ("a van surrounded by birds", ["bird around van"]),
        ("a woman looking a mirror", ["woman looking at mirror"]),
        ("a woman writing on a notepad", ["woman writing on notepad"]),
        ("a man walking down the street", ["man walking down street"]),
    ],
)
def test_the_one_who_does_it_is_found(text: str, expected: list[str]) -> None:
    assert [_words(action) for action in actions(text)] == expected


@pytest.mark.parametrize(
    "text",
    [
        "The butterfly landed on the flower",
        "a car parked next to a fence",
        "The red apple contrasted with the green pear",
        "a machine resembling a horse",
        "a mountain reflected in a lake",
        "a couple going home",
    ],
)
def test_verbs_of_posture_motion_and_comparison_say_no_action(text: str) -> None:
    assert actions(text) == []


def _words(action: tuple[str, str, str | None, bool]) -> str:
    return " ".join(word for word in action[:3] if word)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("A wizard in a robe, whose long beard is grey", ("wizard", "with", "beard")),
        ("A street with a house whose roof is red", ("house", "with", "roof")),
        ("A wizard stirs a potion with a bone", ("wizard", "with", "bone")),
        ("A woman combs her hair with a fork", ("woman", "with", "fork")),
        ("A man holds a plate with a cake", ("plate", "with", "cake")),
    ],
)
def test_what_somebody_has_or_uses(text: str, expected: tuple[str, str, str]) -> None:
    assert (*expected, False) in actions(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "A woman in a coat and a man in a hat are watching the waves",
            ("woman", "watching", "wave"),
        ),
        ("A fox and a hare sit on a wall, each wearing a crown", ("fox", "wearing", "crown")),
        ("A girl with paint on her cheeks, who is holding a brush", ("girl", "holding", "brush")),
        ("A bear larger than the igloo behind it", ("bear", "larger than", "igloo")),
        ("A boy holds a bucket bigger than his head", ("bucket", "bigger than", "head")),
        ("A kitchen with a stove but no oven, and a sink", ("kitchen", "with", "sink")),
    ],
)
def test_who_does_what_in_longer_sentences(text: str, expected: tuple[str, str, str]) -> None:
    assert (*expected, False) in actions(text)


def test_respectively_gives_each_its_own() -> None:
    text = "A guitarist and a drummer wearing a vest and a coat respectively"
    assert [action[:3] for action in actions(text)] == [
        ("guitarist", "wearing", "vest"),
        ("drummer", "wearing", "coat"),
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("A hedgehog dressed as a postman is pushing a cart.", ("hedgehog", "pushing", "cart")),
        ("A plate with ham and a herb is placed on a table.", ("plate", "with", "herb")),
        ("A stall with pears, two melons and no tags.", ("stall", "with", "melon")),
    ],
)
def test_who_has_or_does_something_behind_other_things(
    text: str, expected: tuple[str, str, str]
) -> None:
    assert (*expected, False) in actions(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("A clock tower lit up in the night sky", ("clock tower", "lit up", None, False)),
        ("Food that has been neatly prepared", ("Food", "prepared", None, False)),
        ("The light is turned off", ("light", "turned off", None, False)),
    ],
)
def test_a_passive_without_an_agent_says_a_state(
    text: str, expected: tuple[str, str, str | None, bool]
) -> None:
    assert expected in actions(text)


@pytest.mark.parametrize(
    "text", ["A motorcycle is parked on a road", "A boat is tied to a dock", "A couple get caught"]
)
def test_a_passive_that_says_a_place_or_goes_on_is_no_state(text: str) -> None:
    assert not [action for action in actions(text) if action[2] is None]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("A man leads a brown llama and a white one down a path.", ("man", "leading", "llama")),
        ("An owl, a fox and a hare sit on a wall, each wearing a hat.", ("hare", "wearing", "hat")),
        (
            "A girl is wearing jeans, a jacket with studs, and no shoes.",
            ("girl", "wearing", "jacket"),
        ),
    ],
)
def test_rows_of_who_does_it_and_of_what_it_is_done_to(
    text: str, expected: tuple[str, str, str]
) -> None:
    assert (*expected, False) in actions(text)

"""The things of real prompts, of DrawBench and COCO as listed in TIFA v1.0."""

import pytest

from hallascope.metrics.parsing.parser import parse
from tests.support.parsed_texts import things

PROMPTS = {
    "A red colored car.": ["red car"],
    "Hovering cow abducting aliens.": ["cow", "alien"],
    "A car playing soccer, digital art.": ["car", "soccer"],
    "Rainbow coloured penguin.": None,
    "A couple of glasses are sitting on a table.": ["2 glass", "table"],
    "A single clock is sitting on a table.": ["1 clock", "table"],
    "A collection of nail is sitting on a table.": ["nail", "table"],
    "A cube made of denim. A cube with the texture of denim.": ["denim cube", "denim cube"],
    "A triangular pink stop sign. A pink stop sign in the shape of a triangle.": [
        "triangular pink stop sign",
        "pink stop sign",
    ],
    "An illustration of a large red elephant sitting on a small blue mouse.": [
        "large red elephant",
        "small blue mouse",
    ],
    "A side view of an owl sitting in a field.": ["owl", "field"],
    "A photocopy of a photograph of a painting of a sculpture of a giraffe.": None,
    "A small domesticated carnivorous mammal with soft fur": [
        "small domesticated carnivorous mammal",
        "soft fur",
    ],
    "A laptop on top of a teddy bear.": ["laptop", "teddy bear"],
    "A hair drier underneath a sheep.": ["hair drier", "sheep"],
    "a red blue and yellow train and some people on a platform": [
        "red blue yellow train",
        "person",
        "platform",
    ],
    "The freight train is painted orange and yellow.": ["orange yellow freight train"],
    "a laptop and three cellphones on a yellow table": ["laptop", "3 cellphone", "yellow table"],
    "A white fire hydrant on the sidewalk by a car.": ["white fire hydrant", "sidewalk", "car"],
    "an airport lobby with a woman hauling baggage": ["airport lobby", "woman", "baggage"],
    "A pair of skiers walking up a side of mountain.": ["2 skier", "mountain"],
    "A photo of a group of kids": ["kid"],
    "A KITCHEN IN THE ROOM WITH WHITE APPLIANCES": ["kitchen", "room", "white appliance"],
    "6 open umbrellas of various colors hanging on a line": ["6 open umbrella", "line"],
    "a black and white dog and a red shoe": ["black white dog", "red shoe"],
    "A large pizza is shown on a table, with bottles and glasses of wine.": [
        "large pizza",
        "table",
        "bottle",
        "glass of wine",
    ],
    "A man is eating a loaded hot dog": ["man", "loaded hot dog"],
}


@pytest.mark.parametrize(
    ("prompt", "expected"), [(prompt, names) for prompt, names in PROMPTS.items() if names]
)
def test_things_of_real_prompts(prompt: str, expected: list[str]) -> None:
    assert [name.casefold() for name in things(prompt)] == [name.casefold() for name in expected]


@pytest.mark.parametrize(
    "text",
    [
        "the image",
        "a painting",
        "In the background, on the left side, in contrasting white",
        "red",
        "",
        " \n",
    ],
)
def test_frame_words_are_no_things(text: str) -> None:
    assert things(text) == []


def test_a_list_of_words_never_names() -> None:
    assert parse("a metal statue").things[0].lemmas == ("metal", "statue")
    (statue,) = parse("a metal statue", frozenset({"metal"})).things
    assert (statue.lemmas, [word.text for word in statue.modifiers]) == (("statue",), ["metal"])


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("A guitar floats in mid-air above a stage", ["guitar", "stage"]),
        ("Bottles arranged from the shortest to the tallest", ["bottle"]),
        ("Birds gliding overhead and a boat offshore", ["gliding bird", "boat"]),
    ],
)
def test_words_that_say_how_or_where_name_nothing(text: str, expected: list[str]) -> None:
    assert [name.split()[-1] for name in things(text)] == [name.split()[-1] for name in expected]

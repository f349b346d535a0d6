"""What a thing is made of describes it, and a thing that is named again is one."""

import pytest

from hallascope.metrics.parsing.reading import read_prompt
from tests.support.parsed_texts import things


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("A cube made of denim. A cube with the texture of denim.", [["denim"]]),
        ("A robot made of polished copper.", [["polished", "copper"]]),
        ("A large cat. A small cat.", [["large"], ["small"]]),
        ("A red cube. A blue cube.", [["red"], ["blue"]]),
    ],
)
def test_materials_describe_and_a_thing_named_again_is_one(
    text: str, expected: list[list[str]]
) -> None:
    objects = read_prompt(text).objects
    assert [[word.value for word in asked.attributes] for asked in objects] == expected


def test_things_that_something_is_made_of_are_seen() -> None:
    assert [name.split()[-1] for name in things("a chandelier made of antlers")] == [
        "chandelier",
        "antler",
    ]
    assert [name.split()[-1] for name in things("a cube made of denim")] == ["cube"]

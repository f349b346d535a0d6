"""Phrases without a noun are found: items of a list, ordinals, numbers behind "the"."""

import pytest

from hallascope.metrics.parsing.reading import read_prompt


def _members(prompt: str) -> list[tuple[str, int | None, list[str]]]:
    """Return name, number and attributes of each object that is one of several."""
    return [
        (
            asked.name,
            asked.count.exact if asked.count else None,
            [attribute.value for attribute in asked.attributes],
        )
        for asked in read_prompt(prompt).objects
        if asked.one_of
    ]


@pytest.mark.parametrize(
    ("prompt", "expected"),
    [
        ("Two riders in a tunnel, one on a moped, the other on a bike.", ["rider", "rider"]),
        ("Two bikes, one lying in grass and one propped against a post", ["bike", "bike"]),
        (
            "Four seals on ice: one diving into the water, another flapping its fins",
            ["seal", "seal"],
        ),
        ("Five cats on a wall, two with collars, three without.", ["cat", "cat"]),
        ("Three models walk. The first wears a coat and a third is asleep.", ["model", "model"]),
    ],
)
def test_items_of_a_list_are_some_of_those_counted_before(prompt: str, expected: list[str]) -> None:
    assert [name for name, _, _ in _members(prompt)] == expected


@pytest.mark.parametrize(
    ("prompt", "expected"),
    [
        (
            "Six jars stand on a shelf. The two on the left are green, the next three are clear.",
            [("jar", 2, ["green"]), ("jar", 3, ["clear"])],
        ),
        (
            "Three candles, one red and two white, on a shelf",
            [("candle", 1, ["red"]), ("candle", 2, ["white"])],
        ),
    ],
)
def test_numbers_count_and_colors_describe_them(
    prompt: str, expected: list[tuple[str, int, list[str]]]
) -> None:
    assert _members(prompt) == expected


def test_the_two_of_two_are_the_same() -> None:
    reading = read_prompt("Two cats sit on a wall. The two are looking at a bird.")
    assert [asked.name for asked in reading.objects] == ["cat", "wall", "bird"]


def test_one_another_is_no_further_one() -> None:
    reading = read_prompt("Three cubs tumble over one another near a den.")
    assert [asked.name for asked in reading.objects] == ["cub", "den"]

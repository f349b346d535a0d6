"""What stands at a place that is said first is found behind it."""

import pytest

from tests.support.parsed_texts import positions


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("A robot stirs a drink. Next to it lies a newspaper.", ("newspaper", "next to", "robot")),
        ("On the wall hang at least a dozen wrenches.", ("wrench", "on", "wall")),
        ("A red bridge. Under the bridge swims a swan.", ("swan", "below", "bridge")),
        ("A table on which lie a pen and a coin.", ("coin", "on", "table")),
        ("A jug on a table, behind it a window.", ("window", "behind", "jug")),
        ("A boat on a lake, and above it flies a gull.", ("gull", "above", "boat")),
        ("On the panel next to the door, a gauge glows.", ("gauge", "on", "panel")),
        ("A girl sits on a bench; to her right stands a dog.", ("dog", "right of", "girl")),
        ("Between a man with a hat and a nun sits a bear.", ("bear", "between", "nun")),
        ("Between the door and the window hangs a clock.", ("clock", "between", "door")),
        ("Behind the bar a waiter is polishing a glass.", ("waiter", "behind", "bar")),
        ("A monk pulls a cart; far behind him walks a camel.", ("camel", "behind", "monk")),
        ("A pilot waves. Below him one can see a river.", ("river", "below", "pilot")),
        ("A greenhouse: to the left, a red chair.", ("chair", "left of", None)),
    ],
)
def test_what_follows_a_place_stands_there(
    text: str, expected: tuple[str, str, str | None]
) -> None:
    assert expected in positions(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("A cat on a sofa, next to a dog and a bird.", ("cat", "next to", "dog")),
        ("A red car, in front of a house with a door.", ("car", "in front of", "house")),
        ("A cat sits on a bench, in front of a tree, a red tree.", ("cat", "in front of", "tree")),
    ],
)
def test_a_place_behind_a_comma_may_be_of_what_stands_before(
    text: str, expected: tuple[str, str, str]
) -> None:
    assert expected in positions(text)

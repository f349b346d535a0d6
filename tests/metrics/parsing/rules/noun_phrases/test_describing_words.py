"""Words before a name describe the thing, unless they count, determine, or belong to a part."""

import pytest

from hallascope.metrics.parsing.parser import parse


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("a small red car", ["small", "red"]),
        ("a blue-eyed cat", ["blue-eyed"]),
        ("a blue eyed cat", ["blue eyed"]),
        ("a red-brick wall", ["red-brick"]),
        ("a black-and-white dog", ["black", "white"]),
        ("a red colored car", ["red"]),
        ("a red-colored car", ["red"]),
        ("a star-shaped cookie", ["star-shaped"]),
        ("a light brown cabinet", ["light", "brown"]),
        ("a 1920s airship", ["1920s"]),
        ("a 10-inch pizza", ["10-inch"]),
        ("the same old hat", ["old"]),
        ("a large herd of brown cows", ["brown"]),
        ("dozens of small birds", ["small"]),
        ("a wooden table", ["wooden"]),
    ],
)
def test_words_before_a_name_describe_it(text: str, words: list[str]) -> None:
    (phrase,) = parse(text).things
    assert [word.text for word in phrase.modifiers] == words
    assert [text[slice(*word.span)].lower() for word in phrase.modifiers] == words


def test_next_to_describes_nothing() -> None:
    rug, chair = parse("The striped rug was next to the beige chair.").things
    assert [word.text for word in (*rug.modifiers, *chair.modifiers)] == ["striped", "beige"]

"""Who is at a place behind a verb is told by the verb and by what the place is."""

import pytest

from tests.support.parsed_texts import positions


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("A boy dips a net into the water.", ("net", "in", "water")),
        ("A girl in a blue dress hangs a lantern above the gate.", ("lantern", "above", "gate")),
        ("A man drops a coin in his hat.", ("coin", "in", "hat")),
        ("A florist arranges flowers in a kitchen.", ("florist", "in", "kitchen")),
        ("A toad plays a tiny harp on a mossy rock.", ("toad", "on", "rock")),
        ("A monkey eats a banana on a branch.", ("monkey", "on", "branch")),
        ("A baker slices bread on a board.", ("bread", "on", "board")),
        ("An old man feeds pigeons from a paper bag in the park.", ("man", "in", "park")),
        ("A boy carries a drum down the stairs.", ("boy", "down", "stair")),
        ("A man holds an umbrella in the rain.", ("man", "in", "rain")),
        ("A jogger passes a man on a bench.", ("man", "on", "bench")),
    ],
)
def test_what_is_put_is_there_and_else_who_does_it(
    text: str, expected: tuple[str, str, str]
) -> None:
    assert positions(text) == [expected]

"""A finite verb that nothing joins to the verb before has a subject of its own."""

import pytest

from tests.support.parsed_texts import actions


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "Crates block the door, and a parrot in the window holds a pencil.",
            ("parrot", "holding", "pencil"),
        ),
        (
            "Two boys eat plums, and a girl with a braid reads a book.",
            ("girl", "reading", "book"),
        ),
        ("A nurse opens a box and holds a lamp.", ("nurse", "holding", "lamp")),
    ],
)
def test_who_does_it_stands_in_the_same_clause(text: str, expected: tuple[str, str, str]) -> None:
    assert (*expected, False) in actions(text)

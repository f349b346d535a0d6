"""What follows its verb behind a place is the subject and no object."""

import pytest

from tests.support.parsed_texts import actions


@pytest.mark.parametrize(
    "text",
    [
        "Under the bridge swims a swan.",
        "On the wall hang two pictures.",
        "Next to the chair stands an old lamp.",
    ],
)
def test_what_stands_behind_a_verb_is_no_object(text: str) -> None:
    assert all(action[2] is None for action in actions(text))


def test_an_object_stays_one_where_the_verb_has_a_subject() -> None:
    assert ("man", "driving", "car", False) in actions("On the road a man drives a car.")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "A woman crosses the street talking on her phone.",
            {("woman", "crossing", "street"), ("woman", "talking on", "phone")},
        ),
        ("A man watches a dog running.", {("man", "watching", "dog"), ("dog", "running", None)}),
    ],
)
def test_what_a_verb_is_done_to_is_no_subject_of_a_word_in_ing(
    text: str, expected: set[tuple[str, str, str | None]]
) -> None:
    assert {action[:3] for action in actions(text)} == expected

"""Verbs behind a plural are told from nouns, and plurals from verbs."""

import pytest

from tests.support.parsed_texts import positions, things


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("A man waits while seagulls circle overhead.", ["man", "seagull"]),
        ("The chef lifts the lid as crows ski.", ["chef", "lid", "crow"]),
        ("A girl reads while two tall clowns juggle.", ["girl", "2 tall clown"]),
        ("On the balcony, nurses fan red carpets.", ["balcony", "nurse", "red carpet"]),
        ("A barrel rolls as plumbers bark.", ["barrel", "plumber"]),
    ],
)
def test_a_noun_behind_those_who_live_is_what_they_do(text: str, expected: list[str]) -> None:
    assert things(text) == expected


def test_a_plural_in_a_name_has_no_verb() -> None:
    text = "A crowded farmers market, green awnings"
    assert things(text) == ["crowded farmers market", "green awning"]


def test_a_supposed_verb_between_a_comma_and_a_participle_is_a_plural() -> None:
    text = "A knight on a hill, leaves falling around him."
    assert ("leaf", "around", "knight") in positions(text)

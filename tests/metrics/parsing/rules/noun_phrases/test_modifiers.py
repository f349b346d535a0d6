"""Words describe a thing also from elsewhere."""

import pytest

from tests.support.parsed_texts import things


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The car is red.", ["red car"]),
        ("a dog, brown and white", ["brown white dog"]),
        ("A dog chases a ball. It is brown.", ["brown dog", "ball"]),
        ("The freight train is painted orange and yellow.", ["orange yellow freight train"]),
    ],
)
def test_an_adjective_behind_a_verb_or_a_comma_describes_its_thing(
    text: str, expected: list[str]
) -> None:
    assert things(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("A sailboat with the mast down", ["sailboat", "down mast"]),
        ("A toilet with the lid up in a small bathroom", ["toilet", "up lid", "small bathroom"]),
        ("A refrigerator with its door open", ["refrigerator", "open door"]),
        ("A tree with a cat up on a branch", ["tree", "cat", "branch"]),
    ],
)
def test_the_last_word_behind_with_says_the_state_of_the_thing(
    text: str, expected: list[str]
) -> None:
    assert things(text) == expected


def test_how_a_thing_rests_describes_it_and_how_it_moves_does_not() -> None:
    assert things("A beer sits untouched on a table") == ["untouched beer", "table"]
    assert things("A plane flies low over the trees") == ["plane", "tree"]


def test_a_participle_behind_a_verb_of_posture_describes() -> None:
    assert things("His stick lies broken behind the net") == ["broken stick", "net"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("A vase holds five tulips, four of them pink", ["vase", "5 tulip", "4 pink tulip"]),
        ("The left cup is full, the right one empty", ["left full cup", "right empty cup"]),
        ("The left door is painted bright red", ["left bright red door"]),
    ],
)
def test_an_adjective_behind_a_phrase_without_a_noun_describes_it(
    text: str, expected: list[str]
) -> None:
    assert things(text) == expected


def test_a_participle_behind_with_says_the_state_of_the_thing() -> None:
    assert things("A mailbox with its flag raised") == ["mailbox", "raised flag"]

"""Every state of an answer has a sign, a word and a color."""

from hallascope.components.html.signs import ICONS, SIGNS, verdict_strip
from hallascope.components.tiles.scores import LEFT_OUT


def test_every_state_has_a_sign_a_word_and_one_of_three_colours() -> None:
    assert set(SIGNS) == {"correct", "incorrect", "abstained", "unreadable", "failed"}
    assert {s.kind for s in SIGNS.values()} == {"correct", "incorrect", "left-out"}
    assert all(s.word for s in SIGNS.values())


def test_states_of_one_kind_have_one_icon() -> None:
    assert all(shown.icon == ICONS[shown.kind] for shown in SIGNS.values())


def test_the_states_that_are_left_out_are_those_whose_sign_says_so() -> None:
    assert {state for state, shown in SIGNS.items() if shown.kind == "left-out"} == LEFT_OUT


def test_a_strip_has_a_place_for_every_question_before_it_is_answered() -> None:
    html = verdict_strip([("Question 1:", "correct")], places=5)
    assert html.count("<li>") == 5
    assert html.count("not judged yet") == 4
    assert 'aria-label="Question 1: correct"' in html


def test_a_strip_of_nothing_is_empty() -> None:
    assert verdict_strip([]) == ""

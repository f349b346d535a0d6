"""What people say of a judge's answer stands in words, with their name."""

import pytest

from hallascope.components.html.human_verdicts import human_lines, human_place
from tests.support.tiles import EVIL, no_markup_of, verdict


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        ("Four", "Four · the judge is right"),
        ("Five", "Five · the judge is wrong"),
        ("?", "cannot be told"),
    ],
)
def test_a_line_says_whether_the_judge_is_right(answer: str, words: str) -> None:
    lines = human_lines(verdict("correct", "C"), {"Ann": answer})
    assert f"<b>Ann</b>: {words}</span>" in lines


def test_without_an_answer_of_the_judge_nothing_is_said_of_it() -> None:
    lines = human_lines(verdict("unreadable", None), {"": "Four"})
    assert "not named" in lines
    assert "the judge gave no answer" in lines


def test_text_of_people_stays_text() -> None:
    assert no_markup_of(EVIL, human_place(verdict("correct"), {EVIL: EVIL}))

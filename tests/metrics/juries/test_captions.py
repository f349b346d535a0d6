"""The caption judge answers what a description states, and abstains on the rest."""

from pathlib import Path

import pytest

from hallascope.data.records import NONE_OF_THE_ABOVE, Picture
from hallascope.data.requests import Answer, Ask, Failure
from hallascope.metrics.juries.captions import caption_answer, caption_requests, color_subject

PICTURE = Picture("ab" * 32, Path("x"))


def _ask(question: str, *choices: str) -> Ask:
    return Ask(images=(PICTURE,), text=question, question=question, choices=choices)


@pytest.mark.parametrize(
    ("question", "choices", "caption", "answer"),
    [
        ("How many cats are there?", ("One", "Two"), "Two black cats and a dog.", "Two"),
        ("How many cats are there?", ("One", "Two"), "A cat on a chair.", None),
        ("What color is the car?", ("Red", "Blue"), "A red car under a blue sky.", "Red"),
        ("What color is the sky?", ("Red", "Blue"), "A red car under a blue sky.", "Blue"),
        ("What color is the roof?", ("Red", "Blue"), "A red car under a blue sky.", None),
        ("Is there a dog in the image?", ("Yes", "No"), "A cat and a dog.", "Yes"),
        ("Is there a dog in the image?", ("Yes", "No"), "A cat.", None),
        ("What is on the tree?", ("A fish", "A star"), "A tree with a star on top", "A star"),
        ("What is on the tree?", ("A fish", "A star"), "A tree", None),
    ],
)
def test_what_is_stated_is_the_answer(
    question: str, choices: tuple[str, ...], caption: str, answer: str | None
) -> None:
    ask = _ask(question, *choices)
    assert len(caption_requests(ask)) == 1
    found = caption_answer(ask, Answer(caption))
    if answer is None:
        assert isinstance(found, Failure)
    else:
        assert found == Answer(answer)


def test_what_no_caption_states_is_not_asked() -> None:
    assert caption_requests(_ask("Where is it?", "In a room", NONE_OF_THE_ABOVE)) == []


def test_all_questions_about_a_picture_need_one_description() -> None:
    asks = [_ask("Is there a dog?", "Yes", "No"), _ask("How many cats are there?", "One", "Two")]
    assert len({request for ask in asks for request in caption_requests(ask)}) == 1


def test_the_subject_of_a_color_is_found() -> None:
    assert color_subject("What color are the outer atoms in the image?") == "outer atoms"
    assert color_subject("Which color forms the upper edge?") is None

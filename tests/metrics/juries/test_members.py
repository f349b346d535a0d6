"""The counter and the caption judge answer what they can see or read, and abstain on the rest."""

from pathlib import Path

import pytest

from hallascope.data.records import NONE_OF_THE_ABOVE, Picture
from hallascope.data.regions import Box, Detection
from hallascope.data.requests import Answer, Ask, Detected, Failure
from hallascope.metrics.juries.members import (
    caption_answer,
    caption_requests,
    counted_answer,
    counting_requests,
)
from tests.data.cases import cases

NUMBERS = ("Two", "Three", "Four", "One", NONE_OF_THE_ABOVE)
PICTURE = Picture("ab" * 32, Path("x"))


def ask(question: str, choices: tuple[str, ...] = NUMBERS, region: Box | None = None) -> Ask:
    return Ask(images=(PICTURE,), text=question, question=question, choices=choices, region=region)


def said(answer: Answer | Failure) -> str | None:
    """Return the text of an answer; None where the member abstains."""
    if isinstance(answer, Answer):
        return answer.text
    assert answer.kind == "refused"
    return None


# --- by a description


@pytest.mark.parametrize(
    "question, choices, caption, answer",
    cases("members", "what_a_caption_states_is_the_answer", "metrics"),
)
def test_what_a_caption_states_is_the_answer(
    question: str, choices: list[str], caption: str, answer: str | None
) -> None:
    asked = ask(question, tuple(choices))
    assert len(caption_requests(asked)) == 1
    assert said(caption_answer(asked, Answer(caption))) == answer


# --- by counting


def found(*phrases: str) -> Detected:
    """Return things side by side, so that none is taken for another."""
    return Detected(
        tuple(Detection(p, Box(i / 10, 0, (i + 0.8) / 10, 1), 0.9) for i, p in enumerate(phrases))
    )


@pytest.mark.parametrize(
    "question, choices, phrases, detected, answer",
    cases("members", "what_is_found_is_the_answer", "metrics"),
)
def test_what_is_found_is_the_answer(
    question: str,
    choices: list[str],
    phrases: list[str],
    detected: list[str],
    answer: str | None,
) -> None:
    asked = ask(question, tuple(choices))
    (request,) = counting_requests(asked)
    assert request.phrases == tuple(phrases)
    assert said(counted_answer(asked, found(*detected))) == answer

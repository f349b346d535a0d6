"""Whatever a page of a class sends is an answer within bounds, or one sentence."""

import json
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hallascope.data.teaching.class_lesson import read_class_lessons
from hallascope.engine.teaching.live.messages import (
    MAX_BYTES,
    BadMessage,
    PupilAnswer,
    TeacherMove,
    read_answer,
    read_message,
    read_move,
)

LESSON = read_class_lessons().lessons[0]
ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda parts: (
        st.lists(parts, max_size=3)
        | st.dictionaries(st.sampled_from(["step", "choice", "at", "phase"]), parts, max_size=4)
    ),
    max_leaves=8,
)
NEARLY = st.fixed_dictionaries(
    {},
    optional={
        "step": st.integers(-2, 9) | ANYTHING,
        "choice": st.integers(-1, 7) | ANYTHING,
        "at": st.lists(st.floats(-0.2, 1.2) | st.integers(0, 1), min_size=1, max_size=3) | ANYTHING,
        "phase": st.sampled_from(["question", "class", "judge", "truth"]) | ANYTHING,
    },
)


@given(st.binary(max_size=200) | ANYTHING.map(lambda value: json.dumps(value).encode()))
def test_any_bytes_are_an_object_or_a_sentence(body: bytes) -> None:
    with suppress(BadMessage):
        assert isinstance(read_message(body), dict)


@given(NEARLY)
def test_an_answer_is_within_the_step(sent: dict[str, Any]) -> None:
    try:
        answer = read_answer(sent, LESSON)
    except BadMessage:
        return
    step = LESSON.steps[answer.step]
    assert answer.choice is not None or answer.at is not None
    assert answer.choice is None or 0 <= answer.choice < len(step.choices)
    if answer.at is not None:
        assert step.marking
        assert all(isinstance(share, float) and 0 <= share <= 1 for share in answer.at)


@given(NEARLY)
def test_a_move_is_to_a_phase_of_the_lesson(sent: dict[str, Any]) -> None:
    try:
        move = read_move(sent, LESSON)
    except BadMessage:
        return
    assert -1 <= move.step <= len(LESSON.steps)
    if 0 <= move.step < len(LESSON.steps):
        assert move.phase in LESSON.steps[move.step].phases
    else:
        assert move.phase == "question"


def test_what_a_page_sends_is_read() -> None:
    assert read_answer({"step": 0, "choice": 3, "at": [0.12345, 1]}, LESSON) == PupilAnswer(
        0, 3, (0.123, 1.0)
    )
    assert read_answer({"step": 0, "choice": None, "at": [0, 1]}, LESSON).choice is None
    assert read_move({"step": 0, "phase": "truth"}, LESSON) == TeacherMove(0, "truth")
    assert read_move({"step": -1, "phase": "question"}, LESSON) == TeacherMove(-1)


@pytest.mark.parametrize(
    ("sent", "says"),
    [
        ({}, "no such step"),
        ({"step": True}, "no such step"),
        ({"step": 0}, "is empty"),
        ({"step": 0, "choice": 99}, "no such answer"),
        ({"step": 0, "choice": True}, "no such answer"),
        ({"step": 0, "at": [0.5, float("nan")]}, "within the image"),
        ({"step": 0, "at": [0.5, 10**400]}, "within the image"),
        ({"step": 1, "at": [0.5, 0.5]}, "no place is asked for"),
    ],
)
def test_a_wrong_answer_is_one_sentence(sent: dict[str, Any], says: str) -> None:
    with pytest.raises(BadMessage, match=says):
        read_answer(sent, LESSON)


def test_a_long_message_is_not_read() -> None:
    with pytest.raises(BadMessage, match=f"longer than {MAX_BYTES} bytes"):
        read_message(b"[" * (MAX_BYTES + 1))
    with pytest.raises(BadMessage, match="not JSON"):
        read_message(b"[" * MAX_BYTES)

"""A live class counts every pupil's last answer once; nobody can guess codes, fill the server or
send what is no answer.
"""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hallascope.data.teaching.class_lesson import read_class_lessons
from hallascope.engine.access.limits import OverLimit
from hallascope.engine.teaching import live_class
from hallascope.engine.teaching.live_class import (
    BURST,
    MAX_BYTES,
    MAX_PUPILS,
    Admission,
    AnswersClosed,
    BadMessage,
    ClassFull,
    LiveClass,
    LiveClasses,
    NotAdmitted,
    NotInClass,
    PupilAnswer,
    TeacherMove,
    UnknownClass,
    read_answer,
    read_message,
    read_move,
)
from tests.support.any_json import any_json
from tests.support.clock import Clock

LESSON = read_class_lessons().lessons[0]  # its first step has blue feet
FEET = (0.5, 0.88)
SKY = (0.05, 0.05)
KEY = "the teacher's key"


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def live(clock: Clock) -> LiveClass:
    """A class that is at its first step."""
    live = LiveClass("BCDFGH", LESSON, KEY, clock)
    live.move(TeacherMove(0))
    return live


def test_the_answers_of_a_class_are_counted(live: LiveClass) -> None:
    ada, ben, eve = live.join(), live.join(), live.join()
    live.answer(ada, PupilAnswer(0, choice=3, at=FEET))
    live.answer(ben, PupilAnswer(0, at=SKY))
    live.answer(ben, PupilAnswer(0, choice=1))
    tally = live.tally()
    assert live.pupils == {1: 1, 2: 1, 3: 0}
    assert (tally.answered, sum(tally.counts)) == (2, 2)
    assert tally.counts == (0, 1, 0, 1, 0, 0)
    assert (tally.taps, tally.hits) == ((FEET, SKY), 1)
    assert live.answer_of(eve) == (3, None)


def test_an_answer_to_what_is_not_open_is_refused(live: LiveClass) -> None:
    ada = live.join()
    with pytest.raises(AnswersClosed):
        live.answer(ada, PupilAnswer(2, choice=0))
    live.move(TeacherMove(0, "class"))
    with pytest.raises(AnswersClosed, match="are closed"):
        live.answer(ada, PupilAnswer(0, choice=0))
    assert live.tally().answered == 0
    live.move(TeacherMove(0))
    live.answer(ada, PupilAnswer(0, choice=0))
    assert live.tally().answered == 1


def test_only_the_teachers_key_is_taken(live: LiveClass, clock: Clock) -> None:
    clock.now = 5.0
    for key in ("", "the teacher’s key", KEY[:-1], live.join()):
        with pytest.raises(NotInClass):
            live.require_teacher(key)
    assert live.used == 0.0, "a wrong key keeps no class alive"
    live.require_teacher(KEY)
    assert live.used == 5.0
    assert KEY not in str(vars(live)), "the key itself is not kept"


def test_a_class_is_full_at_some_time(live: LiveClass) -> None:
    tokens = {live.join(f"network {number % 5}") for number in range(MAX_PUPILS)}
    assert len(tokens) == MAX_PUPILS
    with pytest.raises(ClassFull, match=str(MAX_PUPILS)):
        live.join("another")
    live.admit(Admission(open=True, remove=(3,)))
    assert live.join("another") not in tokens


def test_a_token_has_one_place_also_where_joining_is_stopped_and_a_guess_has_none(
    live: LiveClass,
) -> None:
    ada = live.join()
    live.admit(Admission(open=False))
    assert live.join(token=ada) == ada
    with pytest.raises(NotAdmitted, match="takes no more pupils"):
        live.join()
    with pytest.raises(NotInClass, match="reload the page to join"):
        live.answer("a guess", PupilAnswer(0, choice=0))


def test_a_removed_pupil_is_gone_with_all_answers(live: LiveClass) -> None:
    ada, ben = live.join(), live.join()
    for token in (ada, ben):
        live.answer(token, PupilAnswer(0, choice=3))
    live.admit(
        Admission(
            open=True,
            remove=(
                1,
                99,
            ),
        )
    )
    assert live.tally().counts[3] == 1
    assert live.pupils == {2: 1}
    for refused in (
        lambda: live.answer(ada, PupilAnswer(0, choice=3)),
        lambda: live.pupil_version(ada),
        lambda: live.join(token=ada),
    ):
        with pytest.raises(NotAdmitted, match="has removed this phone"):
            refused()
    live.join()
    assert list(live.pupils) == [2, 3], "no number is given twice"


def test_who_answers_too_fast_waits(live: LiveClass, clock: Clock) -> None:
    ada, ben = live.join(), live.join()
    for _ in range(BURST):
        live.answer(ada, PupilAnswer(0, choice=0))
    with pytest.raises(OverLimit, match="wait a few seconds"):
        live.answer(ada, PupilAnswer(0, choice=1))
    live.answer(ben, PupilAnswer(0, choice=1))
    clock.now += 1.0
    live.answer(ada, PupilAnswer(0, choice=1))
    assert live.tally().counts[1] == 2


@pytest.mark.parametrize(
    "sent, says",
    [
        ({}, "no such message"),
        ({"step": 99}, "no such step"),
        ({"step": 0}, "is empty"),
        ({"step": 0, "choice": 99}, "no such answer"),
        ({"step": 0, "choice": True}, "no such message"),
        ({"step": 0, "at": [0.5, float("nan")]}, "no such message"),
        ({"step": 0, "at": [0.5, 10**400]}, "no such message"),
        ({"step": 1, "at": [0.5, 0.5]}, "no place is asked for"),
    ],
)
def test_a_wrong_answer_is_one_sentence(sent: dict[str, Any], says: str) -> None:
    with pytest.raises(BadMessage, match=says):
        read_answer(json.dumps(sent).encode(), LESSON)


def test_a_long_message_is_not_read() -> None:
    with pytest.raises(BadMessage, match=f"longer than {MAX_BYTES} bytes"):
        read_message(TeacherMove, b"[" * (MAX_BYTES + 1))
    with pytest.raises(BadMessage, match="no such message"):
        read_message(TeacherMove, b"[" * MAX_BYTES)
    assert read_move(b'{"step": 0}', LESSON) == TeacherMove(0)
    with pytest.raises(BadMessage, match="no such step or phase"):
        read_move(b'{"step": 99}', LESSON)


@pytest.fixture
def classes(clock: Clock) -> LiveClasses:
    return LiveClasses(clock)


@pytest.mark.parametrize("seconds", [live_class.EMPTY_IDLE, live_class.IDLE, live_class.LIFETIME])
def test_a_class_ends_by_itself(classes: LiveClasses, clock: Clock, seconds: float) -> None:
    live, key = classes.start(LESSON)
    if seconds != live_class.EMPTY_IDLE:
        live.join()
    clock.now = seconds - 1
    if seconds == live_class.LIFETIME:
        live.require_teacher(key)
    else:
        assert classes.find(live.code) is live
    clock.now = seconds
    with pytest.raises(UnknownClass):
        classes.find(live.code)


def test_a_browser_and_a_network_run_so_many_classes_and_all_together_so_many(
    classes: LiveClasses, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = [classes.start(LESSON, "a school", "a browser") for _ in range(live_class.MAX_OF_BROWSER)]
    with pytest.raises(OverLimit, match="end one of them"):
        classes.start(LESSON, "a home", "a browser")
    for _ in range(live_class.MAX_OF_NETWORK - live_class.MAX_OF_BROWSER):
        classes.start(LESSON, "a school")
    with pytest.raises(OverLimit, match="end one of them"):
        classes.start(LESSON, "a school", "another browser")
    classes.end(own[0].live)
    classes.start(LESSON, "a school", "another browser")
    monkeypatch.setattr(live_class, "MAX_CLASSES", live_class.MAX_OF_NETWORK + 1)
    classes.start(LESSON, "a home")
    with pytest.raises(OverLimit, match="classes are running"):
        classes.start(LESSON, "another")


ANYTHING = any_json(st.sampled_from(["step", "choice", "at", "phase"]))


NEARLY = st.fixed_dictionaries(
    {},
    optional={
        "step": st.integers(-2, 9) | ANYTHING,
        "choice": st.integers(-1, 7) | ANYTHING,
        "at": st.lists(st.floats(-0.2, 1.2) | st.integers(0, 1), min_size=1, max_size=3) | ANYTHING,
        "phase": st.sampled_from(["question", "class", "judge", "truth"]) | ANYTHING,
    },
)


@given(NEARLY)
def test_an_answer_is_within_the_step(sent: dict[str, Any]) -> None:
    try:
        answer = read_answer(json.dumps(sent).encode(), LESSON)
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
        move = read_move(json.dumps(sent).encode(), LESSON)
    except BadMessage:
        return
    assert -1 <= move.step <= len(LESSON.steps)
    if 0 <= move.step < len(LESSON.steps):
        assert move.phase in LESSON.steps[move.step].phases
    else:
        assert move.phase == "question"

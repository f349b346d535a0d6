"""A live class counts every pupil's last answer once, and takes none that comes too late."""

import threading

import pytest

from hallascope.data.teaching.class_lesson import read_class_lessons
from hallascope.engine.deployment.rate_limit import OverLimit
from hallascope.engine.teaching.live.live_class import (
    BURST,
    MAX_PUPILS,
    AnswersClosed,
    ClassFull,
    LiveClass,
    NotInClass,
    is_shown,
)
from hallascope.engine.teaching.live.messages import PupilAnswer, TeacherMove

LESSON = read_class_lessons().lessons[0]  # its first step has blue feet
FEET = (0.5, 0.88)
SKY = (0.05, 0.05)
KEY = "the teacher's key"


class Clock:
    """Gives the seconds that a test sets."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


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
    assert live.pupils == 3
    assert (tally.answered, tally.chosen) == (2, 2)
    assert tally.counts == (0, 1, 0, 1, 0, 0)
    assert (tally.taps, tally.hits) == ((FEET, SKY), 1)
    assert live.answer_of(eve) is None


def test_the_last_answer_counts(live: LiveClass) -> None:
    ada = live.join()
    live.answer(ada, PupilAnswer(0, choice=3, at=SKY))
    assert live.answer(ada, PupilAnswer(0, choice=2)) == PupilAnswer(0, choice=2, at=SKY)
    assert live.tally().counts == (0, 0, 1, 0, 0, 0)
    assert live.tally().answered == 1


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


def test_who_is_not_in_the_class_is_refused(live: LiveClass) -> None:
    for ask in (live.answer_of, live.pupil_version):
        with pytest.raises(NotInClass):
            ask("a guess")
    with pytest.raises(NotInClass):
        live.answer("", PupilAnswer(0, choice=0))


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
    tokens = {live.join() for _ in range(MAX_PUPILS)}
    assert len(tokens) == MAX_PUPILS
    with pytest.raises(ClassFull, match=str(MAX_PUPILS)):
        live.join()


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


def test_versions_change_with_what_is_shown_and_only_then(live: LiveClass) -> None:
    ada, ben = live.join(), live.join()
    before = [live.version, live.pupil_version(ada), live.pupil_version(ben)]
    live.answer(ada, PupilAnswer(0, choice=0))
    after = [live.version, live.pupil_version(ada), live.pupil_version(ben)]
    assert [old == new for old, new in zip(before, after, strict=True)] == [False, False, True]
    live.move(TeacherMove(0, "class"))
    moved = [live.version, live.pupil_version(ada), live.pupil_version(ben)]
    assert all(old != new for old, new in zip(after, moved, strict=True))


def test_no_answer_is_lost_between_threads(live: LiveClass) -> None:
    def answer_twice(number: int) -> None:
        token = live.join()
        live.answer(token, PupilAnswer(0, at=SKY))
        live.answer(token, PupilAnswer(0, choice=number % 6))

    threads = [threading.Thread(target=answer_twice, args=(number,)) for number in range(60)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    tally = live.tally()
    assert live.pupils == tally.answered == tally.chosen == len(tally.taps) == 60
    assert tally.counts == (10,) * 6


def test_before_the_first_step_and_after_the_last_nothing_is_counted(live: LiveClass) -> None:
    for number in (-1, len(LESSON.steps)):
        live.move(TeacherMove(number))
        assert live.step is None
        assert live.tally().counts == ()


def test_a_phase_is_shown_from_its_turn_on() -> None:
    phases = LESSON.steps[0].phases
    assert is_shown("class", "judge", phases)
    assert not is_shown("truth", "judge", phases)
    assert not is_shown("judge", "truth", ("question", "class", "truth"))

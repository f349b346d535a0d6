"""A class is found by its code until it is over; nobody can guess codes or fill the server."""

import pytest

from hallascope.data.teaching.class_lesson import read_class_lessons
from hallascope.engine.deployment.rate_limit import OverLimit
from hallascope.engine.teaching.live import registry
from hallascope.engine.teaching.live.registry import LiveClasses, UnknownClass
from tests.engine.teaching.live.test_live_class import Clock

LESSON = read_class_lessons().lessons[0]
WRONG = "BBBBBB"


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def classes(clock: Clock) -> LiveClasses:
    return LiveClasses(clock)


def test_a_class_is_found_by_its_code_in_any_case(classes: LiveClasses) -> None:
    live, key = classes.start(LESSON)
    assert len(live.code) == registry.LENGTH
    assert set(live.code) <= set(registry.LETTERS)
    assert classes.find(live.code.lower()) is live
    live.require_teacher(key)
    assert classes.start(LESSON).key != key


def test_a_class_that_is_ended_is_gone_and_its_code_is_no_wrong_try(classes: LiveClasses) -> None:
    live, _ = classes.start(LESSON)
    classes.end(live)
    for _ in range(2 * registry.TRIES_A_MINUTE):
        with pytest.raises(UnknownClass, match="The class is over"):
            classes.find(live.code, "a school")
    other, _ = classes.start(LESSON)
    assert classes.find(other.code, "a school") is other


@pytest.mark.parametrize("seconds", [registry.IDLE, registry.LIFETIME])
def test_a_class_ends_by_itself(classes: LiveClasses, clock: Clock, seconds: float) -> None:
    live, key = classes.start(LESSON)
    clock.now = seconds - 1
    if seconds == registry.LIFETIME:
        live.require_teacher(key)
    else:
        assert classes.find(live.code) is live
    clock.now = seconds
    with pytest.raises(UnknownClass):
        classes.find(live.code)


def test_who_tries_many_codes_is_refused_for_a_minute(classes: LiveClasses, clock: Clock) -> None:
    live, _ = classes.start(LESSON)
    for _ in range(registry.TRIES_A_MINUTE):
        with pytest.raises(UnknownClass, match="look at the code again"):
            classes.find(WRONG, "a guesser")
    for code in (WRONG, live.code):
        with pytest.raises(OverLimit, match="wait a minute"):
            classes.find(code, "a guesser")
    assert classes.find(live.code, "a pupil") is live
    clock.now += 60
    assert classes.find(live.code, "a guesser") is live


def test_a_visitor_starts_so_many_classes_and_all_together_so_many(
    classes: LiveClasses, monkeypatch: pytest.MonkeyPatch
) -> None:
    for _ in range(registry.STARTS_AN_HOUR):
        classes.start(LESSON, "a visitor")
    with pytest.raises(OverLimit, match="within an hour"):
        classes.start(LESSON, "a visitor")
    monkeypatch.setattr(registry, "MAX_CLASSES", registry.STARTS_AN_HOUR + 1)
    classes.start(LESSON, "another")
    with pytest.raises(OverLimit, match="classes are running"):
        classes.start(LESSON, "another")

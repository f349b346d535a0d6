"""A question is claimed by one call at a time."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from hallascope.data.requests import Answer
from hallascope.engine.storage.claims import Claims
from hallascope.engine.storage.database import Database
from hallascope.engine.storage.questions_and_replies import QuestionAndReplyStore

BEFORE_MIDNIGHT = datetime(2026, 3, 1, 23, 59, 59, tzinfo=UTC).timestamp()


class Clock:
    """A clock that is put forward by hand."""

    now = BEFORE_MIDNIGHT

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


def test_a_question_is_asked_by_one_call_at_a_time_and_by_none_once_its_reply_is_kept(
    url: str, tmp_path: Path, clock: Clock
) -> None:
    database = Database(url, tmp_path)
    claims, saved = Claims(database, clock), QuestionAndReplyStore(database)
    assert claims.acquire(["a", "b"], "first", 60)
    assert not claims.acquire(["b", "c"], "second", 60), "all of them or none"
    assert claims.active_keys(["a", "b", "c"]) == {"a", "b"}
    claims.release(["first"])
    assert claims.acquire(["b", "c"], "second", 60)
    clock.now += 61
    assert claims.acquire(["b"], "third", 60), "what is past its time is in nobody's way"
    claims.release(["second", "third"])
    saved.keep_replies({"a": Answer("A")})
    assert not claims.acquire(["a"], "fourth", 60)
    database.close()

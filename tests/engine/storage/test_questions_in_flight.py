"""A question is asked by one call of a process at a time, in all its stores at one address."""

from pathlib import Path

from hallascope.engine.storage.questions_in_flight import QuestionsInFlight
from hallascope.engine.storage.store import Store


def test_a_question_is_asked_by_one_call_at_a_time() -> None:
    now = 0.0
    questions = QuestionsInFlight(lambda: now)
    assert questions.acquire(["a", "b"], "first", 60)
    assert not questions.acquire(["b", "c"], "second", 60), "all of them or none"
    assert questions.active_keys(["a", "b", "c"]) == {"a", "b"}
    questions.release(["first"])
    assert questions.active_keys(["a", "b", "c"]) == frozenset()
    assert questions.acquire(["b", "c"], "second", 60)
    now = 61.0
    assert questions.acquire(["b"], "third", 60), "a call past its time is in no other's way"


def test_stores_of_one_folder_know_of_each_other(tmp_path: Path) -> None:
    one, same, other = (Store(folder=tmp_path / name) for name in ("one", "one", "other"))
    assert one.in_flight is same.in_flight is one.acting_for(None).in_flight
    assert one.in_flight is not other.in_flight
    for store in (one, same, other):
        store.close()

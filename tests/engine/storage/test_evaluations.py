"""Evaluations are kept whole and once, on SQLite and on PostgreSQL alike."""

import pytest

from hallascope.data.records import (
    Category,
)
from hallascope.engine.errors import StoreError
from hallascope.engine.storage.scores import Facets
from hallascope.engine.storage.store import Store
from tests.engine.storage.test_store import PLACE, REQUEST, count, evaluation


def test_an_evaluation_kept_twice_is_there_once_as_it_was_last(store: Store) -> None:
    store.start_run("r", REQUEST, [PLACE])
    store.keep_evaluation("r", evaluation("incorrect"), "rev", Facets(Category.PHYSICS, "animal"))
    store.keep_evaluation("r", evaluation("correct"), "rev", Facets(Category.PHYSICS, "animal"))
    assert store.evaluations("r") == [evaluation("correct")]
    assert (count(store, "evaluation"), count(store, "verdict")) == (1, 2)
    store.keep_evaluation("r", evaluation(trial=1))
    assert [said.trial for said in store.evaluations("r")] == [0, 1]


def test_what_was_said_of_a_picture_is_found_in_every_run_the_oldest_first(store: Store) -> None:
    for run, state in (("r2", "incorrect"), ("r1", "correct")):
        store.start_run(run, REQUEST, [PLACE])
        store.keep_evaluation(run, evaluation(state))
    unknown = [f"{number:064x}" for number in range(1200)]  # more than one statement takes
    assert store.evaluations_of([*unknown, "00ff"]) == [
        evaluation("incorrect"),
        evaluation("correct"),
    ]
    assert store.evaluations_of(unknown) == store.evaluations_of([]) == []


def test_what_no_run_holds_is_refused_and_nothing_of_it_stays(store: Store) -> None:
    with pytest.raises(StoreError, match="could not be written"):
        store.keep_evaluation("nowhere", evaluation())
    assert count(store, "evaluation") == 0

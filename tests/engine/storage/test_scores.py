"""Scores are written once, however many write at a time."""

from functools import partial
from pathlib import Path

import pytest

from hallascope.data.prompt_reading import PromptReading
from hallascope.data.records import State
from hallascope.engine.access.visitors import Visitor
from hallascope.engine.leaderboard.board import board
from hallascope.engine.leaderboard.filters import Filters, Query
from hallascope.engine.storage.store import Store
from tests.support.board_rows import leaderboard_rows
from tests.support.filled_store import Said, keep
from tests.support.threads import run_at_once

RIGHT: State = "correct"
WRONG: State = "incorrect"


def test_writers_at_once_count_everything_once(url: str, tmp_path: Path) -> None:
    stores = [Store(url, tmp_path / "home") for _ in range(3)]
    said = [
        Said("a cat", seed=seed, states=(RIGHT if seed % 2 else WRONG,), run=f"r{seed % 2}")
        for seed in range(9)
    ]

    def write(number: int) -> None:
        for one in said[number::3]:
            keep(stores[number], one)

    run_at_once(*(partial(write, number) for number in range(3)))
    (row,) = leaderboard_rows(stores[0])
    assert row.value == pytest.approx(4 / 9)
    assert (row.n, row.answered) == (1, 9)
    again = leaderboard_rows(stores[0], filters=Filters(runs=("r0",)))
    assert [(row.value, row.answered) for row in again] == [(0.0, 5)]
    for store in stores:
        store.close()


def test_a_run_that_is_begun_again_counts_again_where_its_prompt_was_corrected(
    store: Store,
) -> None:
    reading = PromptReading(prompt="a cat", source="person", author="Ann")
    for prompt in ("a cat", "a dog"):
        keep(store, Said(prompt, states=(WRONG, RIGHT), run=f"rules {prompt}"))
    keep(store, Said("a dog", states=(RIGHT,), run="again"))
    keep(store, Said("a cat", states=(RIGHT,), run="corrected", reading=reading))

    def shown() -> tuple[float | None, bool]:
        shown = board(store, Query("ihalla"))
        return shown.rows[0].value, shown.corrections is not None

    assert shown() == (1.0, True)
    store.renew_evaluations("rules a dog", "a dog")
    assert shown() == (1.0, True), "no correction is known of it"
    store.renew_evaluations("rules a cat", "a cat")
    assert shown() == (0.75, False)
    store.renew_evaluations("rules a cat", "a cat")
    store.renew_evaluations("corrected", "a cat")
    assert shown() == (1.0, True)


def test_what_rests_on_a_visitors_correction_counts_in_its_run_alone(store: Store) -> None:
    reading = PromptReading(prompt="a cat", source="person", author="Ann")
    visitor = store.acting_for(Visitor("ann-id", "home"))
    visitor.readings.keep(reading, "Ann")
    keep(visitor, Said("a cat", states=(RIGHT,), run="corrected", reading=reading))
    assert leaderboard_rows(store) == []
    keep(store, Said("a cat", states=(WRONG, RIGHT), run="rules"))
    keep(visitor, Said("a cat", states=(RIGHT,), run="corrected", reading=reading))
    visitor.renew_evaluations("corrected", "a cat")
    assert [row.value for row in leaderboard_rows(store)] == [0.5]
    (own,) = leaderboard_rows(store, filters=Filters(runs=("corrected",)))
    assert own.value == 1.0
    # a correction of the operator counts for everybody, whoever asks for the run
    theirs = PromptReading(prompt="a dog", source="person", author="The operator")
    store.readings.keep(theirs, "The operator")
    keep(visitor, Said("a dog", states=(RIGHT,), run="dog", reading=theirs))
    assert [row.value for row in leaderboard_rows(store)] == [0.75]


def test_facets_that_a_run_does_not_know_stay_and_a_visitors_change_no_others(
    store: Store,
) -> None:
    def categories(kept: Store, category: str | None, run: str) -> dict[str, int]:
        keep(kept, Said("a cat", run=run, seed=len(run), category=category))
        return {row.group: row.answered for row in leaderboard_rows(store, by="category")}

    assert categories(store, "Biology", "r") == {"Biology": 1}
    assert categories(store, None, "of fig alone") == {"Biology": 2}
    visitor = store.acting_for(Visitor("ann-id", "home"))
    assert categories(visitor, "History", "of Ann") == {"Biology": 3}
    assert categories(store, "Physics", "renewed") == {"Physics": 4}

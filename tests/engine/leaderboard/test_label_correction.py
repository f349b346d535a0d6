"""Scores of a leaderboard are corrected by what people answered about its images."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from hallascope.data.records import State
from hallascope.engine.leaderboard.board import board
from hallascope.engine.leaderboard.filters import Grouping, Query
from hallascope.engine.leaderboard.label_correction import CorrectedRow, correct_board
from hallascope.engine.storage.people.ratings import IHALLA, QUESTION, RatingSubject
from hallascope.engine.storage.store import Store
from tests.support.filled_store import Said, keep

PROMPTS = 24
LABELED = 12


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """A judge that finds every prompt of m/one right, each with a question on color and shape."""
    store = Store(folder=tmp_path)
    for i in range(PROMPTS):
        keep(store, said(i))
    yield store
    store.close()


def said(i: int, states: tuple[State, State] = ("correct", "correct")) -> Said:
    return Said(f"prompt {i}", "m/one", states, cois=("color", "shape"), run=f"r{i}")


def answer(store: Store, i: int, question: int, words: str, rater: str = "Ann") -> None:
    """Keep what a person answers; "Yes" is the expected answer of every question."""
    about = RatingSubject(
        image=said(i).image,
        metric=IHALLA,
        prompt=f"prompt {i}",
        finding=f"{QUESTION}{question}?",
        rater=rater,
    )
    store.ratings.keep(about, words)


def corrected(store: Store, by: Grouping = "model") -> list[CorrectedRow]:
    return list(correct_board(store, board(store, Query(by=by))))


def test_where_people_see_errors_that_the_judge_missed_the_score_falls(store: Store) -> None:
    for i in range(LABELED):
        answer(store, i, 0, "No" if i < 6 else "Yes")
        answer(store, i, 1, "Yes")
    (row,) = corrected(store)
    assert row.score is not None
    # Of 24 answers of people 6 are not the expected one, the judge says none.
    assert row.score.judge == 1
    assert row.score.value == pytest.approx(0.75)
    assert row.score.bias == pytest.approx(0.25)
    assert (row.labeled, row.score.judged) == (LABELED, PROMPTS)
    assert row.sentence.startswith("m/one: the judge says 0.25 more than people (0.")
    assert "12 prompts labeled" in row.sentence


def test_by_composition_of_interest_each_has_its_own_correction(store: Store) -> None:
    for i in range(LABELED):
        answer(store, i, 0, "No" if i < 6 else "Yes")
        answer(store, i, 1, "Yes")
    values = {row.group: row.score.value for row in corrected(store, "coi") if row.score}
    assert values == {"color": pytest.approx(0.5), "shape": pytest.approx(1.0)}


def test_several_raters_are_averaged_first(store: Store) -> None:
    for i in range(LABELED):
        answer(store, i, 0, "Yes")
        answer(store, i, 0, "No", rater="Ben")
    (row,) = corrected(store)
    assert row.score is not None
    assert row.score.value == pytest.approx(0.5)


def test_what_cannot_be_told_widens_the_bounds_and_counts_as_no_answer(store: Store) -> None:
    for i in range(LABELED):
        answer(store, i, 0, "Yes")
        answer(store, i, 1, "?")
    (row,) = corrected(store)
    assert row.score is not None
    assert row.score.value == 1
    assert row.score.lowest == pytest.approx(0.5)
    assert row.score.highest == 1


def test_under_ten_labeled_prompts_it_says_how_many_to_label(store: Store) -> None:
    for i in range(9):
        answer(store, i, 0, "Yes")
    (row,) = corrected(store)
    assert row.score is None
    assert row.sentence == "m/one: label 1 more prompt to correct its score."


def test_other_scores_are_not_corrected(store: Store) -> None:
    assert correct_board(store, board(store, Query(score="strict"))) == ()
    assert correct_board(store, board(store, Query(by="domain"))) == ()

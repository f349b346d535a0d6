"""HaloQuest's leaderboard is given as it is printed, its known faults beside it."""

import pytest

from hallascope.data.published import haloquest
from hallascope.data.published.haloquest import HALLUCINATIONS, IMAGE_TYPES, SIZES


def test_the_slices_of_either_kind_cover_the_whole_set() -> None:
    assert sum(SIZES[name] for name in IMAGE_TYPES) == 608
    assert sum(SIZES[name] for name in HALLUCINATIONS) == 608


def test_every_model_has_every_slice_by_people_and_by_auto_eval() -> None:
    for row in haloquest.leaderboard():
        assert set(row.human) == set(row.auto) == {"overall", *SIZES}
        assert all(0 <= value <= 100 for value in (*row.human.values(), *row.auto.values()))


def test_a_row_adds_up_or_says_why_it_does_not() -> None:
    for row in haloquest.leaderboard():
        if row.note:
            continue
        for scores in (row.human, row.auto):
            total = sum(row.sizes[name] for name in IMAGE_TYPES)
            mean = sum(scores[name] * row.sizes[name] for name in IMAGE_TYPES) / total
            assert scores["overall"] == pytest.approx(mean, abs=1.1), row.model


def test_the_notes_are_of_models_on_the_leaderboard() -> None:
    assert set(haloquest.NOTES) <= {row.model for row in haloquest.leaderboard()}

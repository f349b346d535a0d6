"""A judge is put on trial from the page, stopped, and refused in a sentence."""

import threading
from typing import Any

import pytest

from hallascope.components.judges.judges import UNKNOWN
from hallascope.engine.errors import BadRequest
from hallascope.engine.money.budget import SpendingPolicy
from hallascope.engine.services import Services
from hallascope.pages.judges import page, trial, view
from hallascope.pages.judges.trial import JudgeTrialSettings
from tests.pages.judges.conftest import JUDGE, tried


def test_a_trial_from_the_page_tells_how_far_it_is_and_stands_in_the_table(
    services: Services,
) -> None:
    told = tried(services, orders=3, trials=2, difficulty=True)
    assert any("2 of 2 pictures drawn" in line for line in told)
    assert any(f"{JUDGE}: " in line and "replies" in line for line in told)
    assert "on 10 questions answered" in told[-1]
    (row,) = [row for row in _rows(services) if row.judge == JUDGE]
    known = {name for name, cell in row.cells.items() if cell.value_text != UNKNOWN}
    assert known >= {
        "Primer truth",
        "factual",
        "violated",
        "answered",
        "none fits",
        "again",
        "other order",
        "position",
        "calibration",
        "seconds",
    }
    assert row.cells["1,000 answers"].value_text == "free"
    detail = page.detail(services, JUDGE)
    for title in (
        "By composition of interest",
        "By the place of the right choice",
        "Calibration",
        "Normal or weird, five times",
    ):
        assert f"<h2>{title}</h2>" in detail


def _rows(services: Services) -> list[Any]:
    from hallascope.engine.judge_eval.store import TrialStore

    kept = TrialStore(services.store.folder)
    return view.rows(services.judges(), view.TrialsByJudge(kept.primer(), kept.haloquest()), {})


def test_free_questions_are_tried_from_the_page_too(services: Services) -> None:
    told = tried(services, benchmark=("primer-halo",))
    assert "2 of 2 questions graded" in told[-2]
    assert "free replies right" in told[-1]
    (row,) = [row for row in _rows(services) if row.judge == JUDGE]
    assert "(Primer’s)" in row.cells["HaloQuest"].about
    assert "graded by rule" in page.detail(services, JUDGE)


def test_a_stopped_trial_is_not_kept_and_says_how_to_go_on(services: Services) -> None:
    stop = threading.Event()
    moments = trial.moments(
        services, JudgeTrialSettings(judges=(JUDGE,), pictures=4), SpendingPolicy(), stop
    )
    told = []
    for line in moments:
        told.append(line)
        if "replies" in line:
            stop.set()
    assert "Try goes on where it was" in told[-1]
    assert all(not row.has_results for row in _rows(services))


@pytest.mark.parametrize(
    ("said", "words"),
    [
        (JudgeTrialSettings(judges=()), "No judge is chosen"),
        (JudgeTrialSettings(judges=(), benchmark=("primer-halo",)), "No judge is chosen"),
        (JudgeTrialSettings(judges=(JUDGE,), pictures=0), "number of pictures is 0"),
        (JudgeTrialSettings(judges=(JUDGE,), pictures=201), "from 1 to 200"),
        (JudgeTrialSettings(judges=(JUDGE,), pictures=None), "number of pictures is missing"),
        (JudgeTrialSettings(judges=(JUDGE,), orders=1.5), "number of orders is 1.5"),
        (JudgeTrialSettings(judges=(JUDGE,), trials=10), "number of trials is 10"),
    ],
)
def test_what_cannot_be_tried_is_said_in_a_sentence(
    services: Services, said: JudgeTrialSettings, words: str
) -> None:
    with pytest.raises(BadRequest, match=words):
        list(trial.moments(services, said, SpendingPolicy(), threading.Event()))

"""A judge is put on trial from the page, stopped, and refused in a sentence."""

import re
import threading
from typing import Any

import pytest

from hallascope.components.judges.judges import UNKNOWN
from hallascope.engine.errors import BadRequest
from hallascope.engine.money.budget import ApiKeys, SpendingPolicy
from hallascope.engine.services import Services
from hallascope.pages.judges import page, trial, view
from hallascope.pages.judges.trial import JudgeTrialSettings
from tests.pages.judges.conftest import JUDGE, tried


def test_a_trial_from_the_page_tells_how_far_it_is_and_stands_in_the_table(
    services: Services,
) -> None:
    told = tried(services, orders=3, trials=2, difficulty=True)
    assert any("2 of 2 images drawn" in line for line in told)
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
        "Normal-vs-weird test (5x)",
    ):
        assert f"<h2>{title}</h2>" in detail


def test_the_time_that_is_left_rests_on_replies_that_were_not_there_before(
    services: Services,
) -> None:
    first = tried(services, orders=3)
    assert any("s left" in line for line in first)
    again = tried(services, orders=3)
    assert any("replies" in line for line in again)
    assert not any("s left" in line for line in again), "all replies come cached"


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
    assert "Run test goes on where it was" in told[-1]
    assert all(not row.has_results for row in _rows(services))


@pytest.mark.parametrize(
    ("said", "words"),
    [
        (JudgeTrialSettings(judges=()), "No judge is chosen"),
        (JudgeTrialSettings(judges=(), benchmark=("primer-halo",)), "No judge is chosen"),
        (JudgeTrialSettings(judges=(JUDGE,), pictures=0), "number of images is 0"),
        (JudgeTrialSettings(judges=(JUDGE,), pictures=201), "from 1 to 200"),
        (JudgeTrialSettings(judges=(JUDGE,), pictures=None), "number of images is missing"),
        (JudgeTrialSettings(judges=(JUDGE,), orders=1.5), "number of orders is 1.5"),
        (JudgeTrialSettings(judges=(JUDGE,), trials=10), "number of trials is 10"),
    ],
)
def test_what_cannot_be_tried_is_said_in_a_sentence(
    services: Services, said: JudgeTrialSettings, words: str
) -> None:
    with pytest.raises(BadRequest, match=words):
        list(trial.moments(services, said, SpendingPolicy(), threading.Event()))


def test_one_click_tries_a_judge_on_a_few_images_and_says_before_what_that_takes(
    services: Services,
) -> None:
    assert trial.offer_text(services, JUDGE) == "40 images, about 220 questions; free"
    assert f'data-try="{JUDGE}"' in page.table(services)
    settings = trial.quick_settings(JUDGE)._replace(pictures=2)
    told = list(trial.moments(services, settings, SpendingPolicy(), threading.Event()))
    assert "on 10 questions answered" in told[-1]
    assert f'data-try="{JUDGE}"' not in page.table(services)


def test_a_paid_judge_is_offered_with_its_cost_and_only_with_its_key(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    assert trial.offer_text(services, "openai/gpt-4o") == ""
    keys = ApiKeys({"OPENAI_API_KEY": "typed"})
    offer = trial.offer_text(services, "openai/gpt-4o", keys)
    assert re.fullmatch(r"40 images, 220 calls; about 0\.\d\d USD", offer)
    assert trial.offer_text(services, "openai/other", keys).endswith("; unknown price")
    assert 'data-try="openai/gpt-4o"' in page.table(services, keys)
    assert trial.offer_text(services, "nobody/knows") == ""


def test_a_judge_that_was_used_has_a_row_also_where_it_cannot_run(services: Services) -> None:
    (used,) = [
        row
        for row in view.rows(services.judges(), view.TrialsByJudge({}, {}), {}, ["nobody/knows"])
        if row.judge == "nobody/knows"
    ]
    assert used.used
    assert not used.offer
    assert not used.has_results

"""The tab Judges: what was tried is in the table, and a judge is put on trial from the page,
stopped, and refused in a sentence.
"""

import threading
from typing import Any

import pytest

from hallascope.backends import registry
from hallascope.components.judges.judges import UNKNOWN
from hallascope.data.models.specs import read_models
from hallascope.data.published import haloquest as leaderboard
from hallascope.data.requests import Answer
from hallascope.engine import ratings
from hallascope.engine.errors import BadRequest
from hallascope.engine.events import EvaluateRequest
from hallascope.engine.judge_eval.shipped import FILE, _read_shipped, load_shipped_trials
from hallascope.engine.money.budget import SpendingPolicy
from hallascope.engine.services import Services
from hallascope.metrics.ihalla import plan
from hallascope.pages.judges import page, trial, view
from hallascope.pages.judges.trial import JudgeTrialSettings

JUDGE = "primer/judge"


def always_a(ask: Any) -> Answer:
    return Answer(
        "A" if ask.choices else "It cannot be told.",
        (0.6, 0.1, 0.1, 0.1, 0.1) if ask.choices else None,
    )


@pytest.fixture
def services(make_services: Any) -> Services:
    return make_services(always_a)  # type: ignore[no-any-return]


def tried(services: Services, **said: Any) -> list[str]:
    settings = JudgeTrialSettings(judges=(JUDGE,), pictures=2, **said)
    return list(trial.moments(services, settings, SpendingPolicy(), threading.Event()))


def test_before_anything_was_tried_every_judge_stands_there_without_a_number(
    services: Services,
) -> None:
    html = page.table(services)
    assert f'data-judge="{JUDGE}"' in html
    assert 'class="bar"' not in html
    assert "more cannot run here yet" in html
    assert "put it on trial below" in page.detail(services, JUDGE)


def test_until_there_is_an_own_trial_the_one_that_ships_stands_there_and_says_so(
    monkeypatch: pytest.MonkeyPatch, services: Services
) -> None:
    ships = _read_shipped(FILE)
    assert ships
    monkeypatch.setattr(page, "load_shipped_trials", lambda revision: ships)
    html, told = page.table(services), page.detail(services, JUDGE)
    assert "shipped trial" in html
    assert f"{ships.primer.overall.value:.3f}" in html
    assert (
        f"made with HallaScope {ships.hallascope} on {ships.day} on {ships.primer.pictures}"
        " drawings" in told
    )
    tried(services)
    (row,) = [
        row
        for row in view.rows(services.judges(), page.known_trials(services), {})
        if row.judge == JUDGE
    ]
    assert row.cells["Primer truth"].about.endswith("of 10"), "the own trial"
    assert "Shipped trial (HaloQuest)" in row.note, "the rest is as it ships"


def test_what_ships_belongs_to_the_weights_that_ship_and_to_no_others(services: Services) -> None:
    ships = load_shipped_trials(lambda judge: str(registry.revision(read_models()[judge])))
    assert ships, (
        "run `python -m hallascope.engine.judge_eval.shipped`: the judge has other weights than its"
        " trial"
    )
    assert ships.primer.overall.asked >= 1000
    assert ships.primer.unanswered == 0
    assert ships.halo.left_out == 0
    assert {ships.primer.judge, ships.halo.judge} == {JUDGE}
    assert ships.primer.version == plan.METRIC.version, (
        "the same questions and the same reading as today"
    )
    assert load_shipped_trials(lambda judge: "other weights") is None
    assert "shipped trial" not in page.table(services), (
        "a scripted judge of that name is another one"
    )


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


def test_agreement_with_people_stands_in_the_judges_row(services: Services) -> None:
    list(
        services.evaluate(EvaluateRequest(prompt="a molecule of methane", models=("primer/exact",)))
    )
    (item,) = ratings.rateable(services, None, "ann")
    ratings.answer(services, item, ["A", "A", "A", "B", "?"], "ann")
    html = page.table(services)
    assert "0.750" in html
    assert "Cohen’s kappa" in page.detail(services, JUDGE)


def test_the_published_table_re_averages_from_its_types_but_for_the_marked_rows() -> None:
    slack = (
        1.0  # some rows are off by more than rounding explains, none of them by more than a point
    )
    for row, found in zip(view.published(), leaderboard.leaderboard(), strict=True):
        apart = abs(view.by_types(found.human, found.sizes) - found.human["overall"])
        apart = max(apart, abs(view.by_types(found.auto, found.sizes) - found.auto["overall"]))
        assert (apart > slack) == bool(row.note), row.model
    assert sum(bool(row.note) for row in view.published()) == 2

"""A judge is tried from the page, stopped, refused in a sentence, and shown with intervals."""

import re
import threading
from typing import Any

import pytest

from hallascope.data.published.numbers import haloquest_leaderboard
from hallascope.data.requests import Answer
from hallascope.engine import ratings
from hallascope.engine.errors import BadRequest
from hallascope.engine.events import EvaluateRequest
from hallascope.engine.models.service_lists import listed_models
from hallascope.engine.money.budget import ApiKeys
from hallascope.engine.services import Services
from hallascope.engine.trials.accuracies import FILE, read_shipped_trials
from hallascope.engine.trials.store import FOLDER
from hallascope.pages.judges import page, trial, view
from hallascope.pages.judges.judge_tables import NOT_MEASURED, by_types
from hallascope.pages.judges.trial import JudgeTrialSettings
from tests.support.labeled_trials import labeled_trial
from tests.support.started_runs import started

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
    return list(trial.moments(started(services), settings))


# --- trials ---


def test_a_trial_from_the_page_tells_how_far_it_is_and_stands_in_the_table(
    services: Services,
) -> None:
    told = tried(services, orders=3, trials=2, difficulty=True)
    assert any("2 of 2 images drawn" in line for line in told)
    assert any(f"{JUDGE}: " in line and "replies" in line for line in told)
    assert "on 10 questions answered" in told[-1]
    (row,) = [row for row in _rows(services) if row.judge == JUDGE]
    known = {name for name, cell in row.cells.items() if cell.value_text != NOT_MEASURED}
    assert known >= {"right answers", "answered", "seconds"}
    assert row.cells["1,000 answers"].value_text == "free"
    detail = page.detail(services, JUDGE)
    for title in ("By composition of interest", "Calibration", "Normal-vs-weird test (5x)"):
        assert title in detail
    trial_made = page.known_trials(services).primer[JUDGE]
    (more,) = [
        group
        for group in view.groups(trial_made, [], None)
        if group.title == "More about its answers"
    ]
    values = {name: cell.value_text for name, cell in more.rows}
    assert NOT_MEASURED not in values.values()
    assert len(values) == 8


def _rows(services: Services) -> list[Any]:
    from hallascope.engine.trials.store import TrialStore

    kept = TrialStore(services.store.folder)
    return view.rows(
        services.registry.models("judge"),
        view.TrialsByJudge(kept.primer(), kept.haloquest()),
        {},
        (),
        offer=str,
    )


def test_free_questions_are_tried_from_the_page_too(services: Services) -> None:
    told = tried(services, benchmark="primer-halo")
    assert "2 of 2 questions graded" in told[-2]
    assert "free replies right" in told[-1]
    (row,) = [row for row in _rows(services) if row.judge == JUDGE]
    assert "(Primer’s)" in row.cells["HaloQuest"].about
    assert "graded by rule" in page.detail(services, JUDGE)
    tried(services, benchmark="primer-halo", seed=1)
    assert len(list((services.store.folder / FOLDER).iterdir())) == 2, "other questions"


def test_a_stopped_trial_is_not_kept_and_says_how_to_go_on(services: Services) -> None:
    stop = threading.Event()
    settings = JudgeTrialSettings(judges=(JUDGE,), pictures=4)
    moments = trial.moments(started(services, stop), settings)
    told = []
    for line in moments:
        told.append(line)
        if "replies" in line:
            stop.set()
    assert "asks no question twice" in told[-1]
    assert all(not row.has_results for row in _rows(services))


def test_what_cannot_be_tried_is_said_in_a_sentence(services: Services) -> None:
    wrong: dict[str, dict[str, Any]] = {
        "No judge is chosen": {"judges": ()},
        "number of images is 0": {"pictures": 0},
        "from 1 to 200": {"pictures": 201},
        "number of images is missing": {"pictures": None},
        "number of orders is 1.5": {"orders": 1.5},
        "number of trials is 10": {"trials": 10},
    }
    for words, changes in wrong.items():
        said = JudgeTrialSettings(judges=(JUDGE,))._replace(**changes)
        with pytest.raises(BadRequest, match=words):
            list(trial.moments(started(services), said))


def test_one_click_tries_a_judge_on_a_few_images_and_says_before_what_that_takes(
    services: Services,
) -> None:
    assert trial.offer_text(services, JUDGE) == "40 images, about 220 questions; free"
    assert f'data-try="{JUDGE}"' in page.table(services)
    settings = trial.quick_settings(JUDGE)._replace(pictures=2)
    told = list(trial.moments(started(services), settings))
    assert "on 10 questions answered" in told[-1]
    assert f'data-try="{JUDGE}"' not in page.table(services)


def test_a_paid_judge_is_offered_with_its_cost_and_only_with_its_key(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    assert trial.offer_text(services, "openai/gpt-5.4-mini") == ""
    keys = ApiKeys({"OPENAI_API_KEY": "typed"})
    family = services.registry.spec("openai/*")
    services.registry.lists.keep(family, keys, listed_models(family, [{"id": "gpt-5.4-mini"}]))
    offer = trial.offer_text(services, "openai/gpt-5.4-mini", keys)
    assert re.fullmatch(r"40 images, 220 calls; about 0\.\d\d USD", offer)
    assert trial.offer_text(services, "openai/other", keys) == "", "the service does not list it"
    assert 'data-try="openai/gpt-5.4-mini"' in page.table(services, keys)
    assert trial.offer_text(services, "nobody/knows") == ""


# --- the table ---


def test_the_published_table_re_averages_from_its_types_but_for_the_marked_rows() -> None:
    slack = (
        1.0  # some rows are off by more than rounding explains, none of them by more than a point
    )
    for found in haloquest_leaderboard():
        apart = abs(by_types(found.human, found.sizes) - found.human["overall"])
        apart = max(apart, abs(by_types(found.auto, found.sizes) - found.auto["overall"]))
        assert (apart > slack) == bool(found.note), found.model
    assert sum(bool(found.note) for found in haloquest_leaderboard()) == 2


def test_a_trial_on_labels_stands_in_the_row_and_in_detail_where_there_is_no_other() -> None:
    labels = labeled_trial()
    trials = view.TrialsByJudge({}, {}, labels={labels.judge: labels})
    (row,) = view.rows([], trials, {}, (), offer=str)
    assert row.cells["sensitivity"].value_text == "0.750"
    assert "labeled images" in row.cells["sensitivity"].about
    assert row.cells["kappa"].value_text == "0.500"
    assert row.cells["balanced accuracy"].value_text == "not measured", "an older trial"
    groups = {group.title: dict(group.rows) for group in view.groups(None, [], None, labels)}
    assert groups["Beside labels"][view.ALWAYS_EXPECTED].value_text == "0.750"
    assert groups["Mistakes that labelers see found (sensitivity)"]["shape"].value_text == "0.500"
    assert (
        groups["Correct facts that labelers see accepted (specificity)"]["color"].value_text
        == "0.800"
    )


# --- the page ---


def test_until_there_is_an_own_trial_the_one_that_ships_stands_there_and_says_so(
    monkeypatch: pytest.MonkeyPatch, services: Services
) -> None:
    ships = read_shipped_trials(FILE)
    assert ships
    monkeypatch.setattr(page, "load_shipped_trials", lambda revision: ships)
    html, told = page.table(services), page.detail(services, JUDGE)
    assert "shipped trial" in html
    assert f"{ships.primer.overall.value:.3f}" in html
    assert (
        f"HallaScope {ships.hallascope}, {ships.day}, {ships.primer.pictures} drawings. Your own"
        in told
    )
    tried(services)
    (row,) = [
        row
        for row in view.rows(
            services.registry.models("judge"), page.known_trials(services), {}, (), offer=str
        )
        if row.judge == JUDGE
    ]
    assert row.cells["right answers"].about.endswith("of 10"), "the own trial"
    assert "Shipped trial (HaloQuest)" in row.note, "the rest is as it ships"


def test_agreement_with_people_stands_in_the_judges_row(services: Services) -> None:
    list(
        services.evaluate(EvaluateRequest(prompt="a molecule of methane", models=("primer/exact",)))
    )
    (item,) = ratings.rateable_pictures(services, None, "ann")
    ratings.keep_marks(services, item, ["A", "A", "A", "B", "?"], "ann")
    html = page.table(services)
    assert "0.750" in html
    assert "Cohen’s kappa" in page.detail(services, JUDGE)

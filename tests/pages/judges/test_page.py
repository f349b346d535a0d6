"""The tab Judges shows every judge, the trial that ships until there is one's own, and agreement
with people.
"""

import pytest

from hallascope.engine import ratings
from hallascope.engine.events import EvaluateRequest
from hallascope.engine.judge_eval.shipped import FILE, read_shipped_trials
from hallascope.engine.services import Services
from hallascope.pages.judges import page, view
from tests.pages.judges.conftest import JUDGE, tried


def test_before_anything_was_tried_every_judge_stands_there_without_a_number(
    services: Services,
) -> None:
    html = page.table(services)
    assert f'data-judge="{JUDGE}"' in html
    assert 'class="bar"' not in html
    assert "more need a key, a download or a GPU" in html
    assert "put it on trial below" in page.detail(services, JUDGE)


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


def test_trials_that_ship_are_not_those_of_a_scripted_judge_of_that_name(
    services: Services,
) -> None:
    assert "shipped trial" not in page.table(services)


def test_agreement_with_people_stands_in_the_judges_row(services: Services) -> None:
    list(
        services.evaluate(EvaluateRequest(prompt="a molecule of methane", models=("primer/exact",)))
    )
    (item,) = ratings.rateable_pictures(services, None, "ann")
    ratings.keep_answers(services, item, ["A", "A", "A", "B", "?"], "ann")
    html = page.table(services)
    assert "0.750" in html
    assert "Cohen’s kappa" in page.detail(services, JUDGE)

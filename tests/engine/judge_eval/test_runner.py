"""Judges on trial through the driver: a bad one is exposed by the row that names its fault, what is
kept comes back, and several are compared on the same questions.
"""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from hallascope.data.models.specs import ModelSpec, Price, read_models
from hallascope.data.requests import Answer, Usage
from hallascope.engine.errors import BadRequest
from hallascope.engine.judge_eval.runner import (
    MOST_PICTURES,
    JudgeTrialRequest,
    run_judge_trials,
)
from hallascope.engine.money.budget import SpendingPolicy
from hallascope.engine.services import Services
from hallascope.engine.storage.store import Store
from hallascope.engine.trials.records import Trial, disagreements, pairs
from hallascope.engine.trials.store import StoredTrial, TrialStore
from tests.support.scripted import Scripted
from tests.support.scripted_judges import PICTURES, run_trials


def test_each_fault_is_exposed_by_the_row_that_names_it(judge_services: Any) -> None:
    good, biased = run_trials(judge_services, "good", "always-a", trials=2, orders=3)
    (random,) = run_trials(judge_services, "random", trials=3)
    assert good.overall.value == good.answered.value == 1.0
    assert good.repeated
    assert good.reordered
    assert (good.repeated.value, good.reordered.value, good.positions.spread) == (1.0, 1.0, 0.0)
    assert good.calibration.error == pytest.approx(0.1)
    assert set(good.by_coi) >= {"color", "counting", "shape"}
    assert sum(share.asked for share in good.by_coi.values()) == 5 * PICTURES

    assert biased.positions.chosen[1:] == (0, 0, 0, 0)
    assert biased.positions.recall[0] == 1.0
    assert biased.positions.spread is not None
    assert biased.positions.spread > 0.35
    assert biased.reordered
    assert biased.reordered.value is not None
    assert biased.reordered.value < 0.6
    assert biased.answered.value == 1.0, "it answers everything: only its places give it away"

    assert random.repeated
    assert random.repeated.value is not None
    assert random.repeated.value < 0.45
    assert random.overall.high is not None
    assert random.overall.high < 0.4
    assert random.positions.spread is not None
    assert random.positions.spread < 0.3, "it prefers no place by much"


def test_judges_are_set_beside_each_other_and_the_same_trial_again_asks_nothing(
    judge_services: Any,
) -> None:
    found = run_trials(judge_services, "good", "always-a", "refuser")
    good, bad, refuser = found
    assert refuser.answered.value == pytest.approx(2 / 3, abs=0.02)
    assert refuser.overall.value == 1.0, "what was not answered is not wrong"
    assert refuser.unanswered == 5 * PICTURES - refuser.overall.asked
    by_pair = {(pair.one, pair.other): pair.kappa for pair in pairs(found)}
    assert len(by_pair) == 3
    same = by_pair["scripted/good", "scripted/refuser"]
    assert (same.value, same.left_out) == (1.0, refuser.unanswered)
    apart = list(disagreements([good, bad]))
    assert len(apart) == 5 * PICTURES - bad.overall.right
    assert all(
        one.said["scripted/good"] == one.right != one.said["scripted/always-a"] for one in apart
    )

    assert good.cost
    assert good.cost.answers == 5 * PICTURES + good.none_right.asked > 5 * PICTURES
    kept = TrialStore(judge_services.store.folder)
    kept.keep(good)
    (again,) = run_trials(judge_services, "good")
    assert again.cost is None
    kept.keep(again)
    assert kept.primer() == {"scripted/good": good}, "its cost is that of the first time"

    (trial,) = run_trials(judge_services, "good", difficulty=True)
    difficulty = trial.difficulty
    assert difficulty
    # it calls every image normal
    shares = difficulty.by_side
    assert (shares["factual"].value, shares["violated"].value) == (1.0, 0.0)
    assert difficulty.pictures == {"easy": PICTURES // 2, "medium": 0, "hard": PICTURES // 2}
    assert (difficulty.left_out, difficulty.told.asked) == (0, 5 * PICTURES)


@pytest.mark.parametrize(
    "changes, said",
    [
        ({"judges": ()}, "No judge is chosen"),
        ({"pictures": 0}, "number of images is 0"),
        ({"pictures": MOST_PICTURES + 1}, "from 1 to 2,000"),
        ({"trials": 10}, "number of trials is 10"),
    ],
)
def test_what_cannot_be_tried_is_refused_in_a_sentence(
    judge_services: Any, changes: dict[str, Any], said: str
) -> None:
    wanted = replace(JudgeTrialRequest(judges=("scripted/good",)), **changes)
    with pytest.raises(BadRequest, match=said):
        run_judge_trials(judge_services, wanted)


def test_a_trial_of_fewer_answers_replaces_none_of_more(judge_services: Any) -> None:
    kept = TrialStore(judge_services.store.folder)
    (full,) = run_trials(judge_services, "good")
    kept.keep(full)
    kept.keep(replace(full, overall=replace(full.overall, asked=3, right=3)))
    assert kept.primer() == {"scripted/good": full}


def test_the_trial_that_rests_on_most_answers_is_shown_and_a_damaged_file_is_passed_over(
    judge_services: Any,
) -> None:
    kept = TrialStore(judge_services.store.folder, clock=iter(range(100)).__next__)
    (large,) = run_trials(judge_services, "good")
    names = ("scripted/good",)
    (small,) = [
        one
        for one in run_judge_trials(judge_services, JudgeTrialRequest(judges=names, pictures=2))
        if isinstance(one, Trial)
    ]
    kept.keep(large)
    kept.keep(small)
    (judge_services.store.folder / "judge-trials" / "broken.json").write_text('{"created": 1')
    assert kept.primer()["scripted/good"].pictures == PICTURES
    assert [(one.created, one.trial.judge) for one in kept.all()] == [
        (1, "scripted/good"),
        (0, "scripted/good"),
    ]
    assert isinstance(kept.all()[0], StoredTrial)


def test_what_a_paid_judge_costs_is_told_for_a_thousand_answers_and_the_cap_holds(
    tmp_path: Path,
) -> None:
    spec = ModelSpec(
        id="scripted/paid",
        title="paid",
        roles=("judge",),
        backend="scripted",
        price=Price("2026-01-01", output=1.0),
    )
    paid = Scripted(spec, lambda ask: Answer("A", usage=Usage(0, 1000)))
    services = Services(Store(folder=tmp_path / "home"), read_models(), {spec.id: paid})
    request = JudgeTrialRequest(judges=(spec.id,), pictures=2)

    def trials(budget: float | None = None) -> list[Trial]:
        told = run_judge_trials(services, request, SpendingPolicy(run=budget))
        return [one for one in told if isinstance(one, Trial)]

    assert trials(0.003) == [], "what the cap left open is no trial"
    (trial,) = trials()
    assert trial.overall.asked == 10
    assert trial.cost
    assert trial.cost.thousand == pytest.approx(1.0)
    services.store.close()

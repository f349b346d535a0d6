"""Trials are kept in the store's folder, and come back from it."""

from typing import Any

from hallascope.engine.judge_eval.ihalla import (
    Trial,
)
from hallascope.engine.judge_eval.runner import (
    JudgeTrialRequest,
    run_judge_trials,
)
from hallascope.engine.judge_eval.store import StoredTrial, TrialStore
from tests.support.scripted_judges import PICTURES, run_trials


def test_the_same_trial_again_asks_nothing_and_its_cost_is_that_of_the_first_time(
    judge_services: Any,
) -> None:
    kept = TrialStore(judge_services.store.folder)
    (first,) = run_trials(judge_services, "good")
    kept.keep(first)
    assert first.cost
    assert first.cost.answers == 5 * PICTURES
    (again,) = run_trials(judge_services, "good")
    assert again.cost is None
    kept.keep(again)
    assert kept.primer() == {"scripted/good": first}


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

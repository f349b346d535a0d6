"""Trials are kept in the store's folder, and come back from it."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

from hallascope.engine.judge_eval.ihalla import (
    Reliability,
    Share,
    Trial,
    summarize_results,
)
from hallascope.engine.judge_eval.runner import (
    JudgeTrialRequest,
    run_judge_trials,
)
from hallascope.engine.judge_eval.store import StoredTrial, TrialStore
from tests.support.labeled_trials import labeled_trial
from tests.support.scripted_judges import PICTURES, run_trials


def test_the_same_trial_again_asks_nothing_and_its_cost_is_that_of_the_first_time(
    judge_services: Any,
) -> None:
    kept = TrialStore(judge_services.store.folder)
    (first,) = run_trials(judge_services, "good")
    kept.keep(first)
    assert first.cost
    assert first.none_right.asked > 0
    assert first.cost.answers == 5 * PICTURES + first.none_right.asked
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


def test_a_trial_on_labels_comes_back_and_the_newest_of_a_judge_counts(tmp_path: Path) -> None:
    kept = TrialStore(tmp_path, clock=iter(range(100)).__next__)
    older = labeled_trial(folder="first")
    newer = labeled_trial(folder="second", pictures=9)
    kept.keep(older)
    kept.keep(newer)
    assert kept.labels() == {older.judge: newer}
    assert kept.primer() == {}
    assert len(kept.all()) == 2


def test_a_trial_that_is_kept_anew_is_read_anew(judge_services: Any) -> None:
    kept = TrialStore(judge_services.store.folder)
    (trial,) = run_trials(judge_services, "good")
    kept.keep(trial)
    assert kept.primer()["scripted/good"].unanswered == 0
    kept.keep(replace(trial, unanswered=3))
    assert kept.primer()["scripted/good"].unanswered == 3


def test_a_trial_of_an_older_version_is_read_without_the_figures_it_did_not_measure(
    judge_services: Any,
) -> None:
    kept = TrialStore(judge_services.store.folder)
    (trial,) = run_trials(judge_services, "good")
    kept.keep(trial)
    (path,) = (judge_services.store.folder / "judge-trials").iterdir()
    stored = json.loads(path.read_text())
    for new in ("reliability", "reliability_by_coi", "by_concept", "by_fact", "all_right"):
        del stored["trial"][new]
    path.write_text(json.dumps(stored))
    (older,) = kept.primer().values()
    assert older.overall == trial.overall
    assert older.reliability == Reliability()
    assert (older.reliability_by_coi, older.by_concept, older.all_right) == ({}, {}, {})


def test_figures_by_concept_stay_where_the_same_answers_come_without_them(
    judge_services: Any,
) -> None:
    kept = TrialStore(judge_services.store.folder)
    (trial,) = run_trials(judge_services, "good")
    counted = {"ladybug": Reliability(Share(3, 4), Share(5, 5))}
    kept.keep(replace(trial, by_concept=counted, by_fact=counted))
    kept.keep(trial)
    assert kept.primer()["scripted/good"].by_concept == counted
    kept.keep(replace(trial, answers=trial.answers[1:]))
    assert kept.primer()["scripted/good"].by_concept == {}, "other answers, so another judge"


def test_every_figure_comes_back_as_it_was_kept(judge_services: Any) -> None:
    kept = TrialStore(judge_services.store.folder)
    counted = Reliability(Share(3, 4, 0.5, 1.0), Share(5, 5))
    trial = replace(
        summarize_results("scripted/good", []),
        reliability=counted,
        reliability_by_coi={"shape": counted},
        by_concept={"ladybug": counted},
        by_fact={"ladybug / spots": counted},
        all_right={"violated": Share(1, 2)},
    )
    kept.keep(trial)
    assert kept.all()[0].trial == trial

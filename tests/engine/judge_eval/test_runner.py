"""Judges on trial through the driver: a bad one is exposed by the row that names its fault, and
what is kept can be read again.
"""

import threading
from pathlib import Path
from typing import Any

import pytest

from hallascope.backends.scripted import Scripted
from hallascope.data.models.specs import ModelSpec, Price, read_models
from hallascope.data.records import NONE_OF_THE_ABOVE
from hallascope.data.requests import Answer, Usage
from hallascope.engine.errors import BadRequest
from hallascope.engine.judge_eval.harness import TrialProgress
from hallascope.engine.judge_eval.ihalla import (
    Trial,
)
from hallascope.engine.judge_eval.runner import (
    MOST_PICTURES,
    JudgeTrialRequest,
    run_judge_trials,
)
from hallascope.engine.services import Services
from hallascope.engine.storage.store import Store
from hallascope.primer.concepts import concepts
from tests.support.scripted_judges import PICTURES, run_trials


# --- the right row for each fault
# ---------------------------------------------------------------------------------------------
def test_who_knows_the_truth_has_nothing_to_show_in_any_row(judge_services: Any) -> None:
    (trial,) = run_trials(judge_services, "good", trials=2, orders=3)
    assert trial.overall.value == trial.answered.value == 1.0
    assert trial.repeated
    assert trial.reordered
    assert (trial.repeated.value, trial.reordered.value, trial.positions.spread) == (1.0, 1.0, 0.0)
    assert trial.calibration.error == pytest.approx(0.1)
    assert set(trial.by_coi) >= {"color", "counting", "shape"}
    assert sum(share.asked for share in trial.by_coi.values()) == 5 * PICTURES


def test_who_always_takes_the_first_choice_is_exposed_by_position_bias_and_by_another_order(
    judge_services: Any,
) -> None:
    good, bad = run_trials(judge_services, "good", "always-a", orders=3)
    assert bad.positions.chosen[1:] == (0, 0, 0, 0)
    assert bad.positions.recall[0] == 1.0
    assert bad.positions.spread is not None
    assert bad.positions.spread > 0.35
    assert bad.reordered
    assert good.reordered
    assert bad.reordered.value is not None
    assert bad.reordered.value < 0.6 < good.reordered.value  # type: ignore[operator]
    assert bad.answered.value == 1.0, "it answers everything: only its places give it away"


def test_who_answers_at_random_is_exposed_by_repeated_trials_and_by_the_truth(
    judge_services: Any,
) -> None:
    (trial,) = run_trials(judge_services, "random", trials=3)
    assert trial.repeated
    assert trial.repeated.value is not None
    assert trial.repeated.value < 0.45
    assert trial.overall.high is not None
    assert trial.overall.high < 0.4
    assert trial.positions.spread is not None
    assert trial.positions.spread < 0.3, "it prefers no place by much"


def test_who_refuses_a_third_is_exposed_by_the_answer_rate_and_not_by_accuracy(
    judge_services: Any,
) -> None:
    (trial,) = run_trials(judge_services, "refuser")
    assert trial.answered.value == pytest.approx(2 / 3, abs=0.02)
    assert trial.overall.value == 1.0, "what was not answered is not wrong"
    assert trial.unanswered == 5 * PICTURES - trial.overall.asked


def test_who_finds_no_choice_to_fit_is_exposed_by_the_abstention_rate(judge_services: Any) -> None:
    spec = ModelSpec(id="scripted/none", title="none", roles=("judge",), backend="scripted")
    judge_services.registry._loaded[spec.id] = Scripted(spec, lambda ask: Answer(NONE_OF_THE_ABOVE))
    judge_services.registry._specs[spec.id] = spec
    (trial,) = run_trials(judge_services, "none")
    assert trial.answered.value == 1.0
    assert trial.abstained.value is not None
    assert trial.abstained.value > 0.6


def test_who_calls_every_picture_normal_finds_factual_ones_easy_and_violated_ones_hard(
    judge_services: Any,
) -> None:
    (trial,) = run_trials(judge_services, "good", difficulty=True)
    found = trial.difficulty
    assert found
    assert (found.by_side["factual"].value, found.by_side["violated"].value) == (1.0, 0.0)
    assert (found.pictures, found.left_out) == (
        {"easy": PICTURES // 2, "medium": 0, "hard": PICTURES // 2},
        0,
    )
    assert found.told.asked == 5 * PICTURES


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
    (trial,) = [
        one
        for one in run_judge_trials(services, JudgeTrialRequest(judges=(spec.id,), pictures=2))
        if isinstance(one, Trial)
    ]
    assert trial.cost
    assert trial.cost.thousand == pytest.approx(1.0)
    services.store.close()


def test_a_stop_ends_it_at_once_and_without_a_trial(judge_services: Any) -> None:
    stop = threading.Event()
    told: list[Any] = []
    for one in run_judge_trials(
        judge_services, JudgeTrialRequest(judges=("scripted/good",), pictures=PICTURES), stop=stop
    ):
        told.append(one)
        if isinstance(one, TrialProgress) and one.judge and one.done == 3:
            stop.set()
    assert not [one for one in told if isinstance(one, Trial)]
    assert told[:PICTURES] == [
        TrialProgress("", drawn, PICTURES) for drawn in range(1, PICTURES + 1)
    ]
    assert max(one.done for one in told[PICTURES:]) < told[-1].of, (
        "what was given up is not told, one by one, as done"
    )


@pytest.mark.parametrize(
    ("wanted", "said"),
    [
        (JudgeTrialRequest(judges=()), "No judge is chosen"),
        (JudgeTrialRequest(judges=("scripted/good",), pictures=0), "0 images cannot be tried"),
        (
            JudgeTrialRequest(judges=("scripted/good",), pictures=MOST_PICTURES + 1),
            "from 1 to 2,000",
        ),
        (JudgeTrialRequest(judges=("scripted/good",), trials=10), "10 trials"),
    ],
)
def test_what_cannot_be_tried_is_refused_in_a_sentence_before_anything_is_drawn(
    judge_services: Any, wanted: JudgeTrialRequest, said: str
) -> None:
    with pytest.raises(BadRequest, match=said):
        run_judge_trials(judge_services, wanted)


def test_pictures_of_each_concept_are_asked_beside_the_others(judge_services: Any) -> None:
    names = ("scripted/always-a",)
    request = JudgeTrialRequest(judges=names, pictures=2, each_concept=1)
    told = list(run_judge_trials(judge_services, request))
    (trial,) = (step for step in told if isinstance(step, Trial))
    assert trial.pictures == 2
    assert len(trial.by_concept) == len(concepts())
    drawn = [step.of for step in told if isinstance(step, TrialProgress) and not step.judge]
    assert set(drawn) == {2 + len(concepts())}


def test_too_many_pictures_of_each_concept_are_refused(judge_services: Any) -> None:
    request = JudgeTrialRequest(judges=("scripted/always-a",), each_concept=1000)
    with pytest.raises(BadRequest, match="images of each concept"):
        run_judge_trials(judge_services, request)

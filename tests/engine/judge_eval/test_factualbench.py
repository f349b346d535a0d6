"""A judge on trial by FactualBench's criteria: one that knows is right throughout, one that always
agrees is exposed.
"""

import pytest

from hallascope.backends.base import CallLimits
from hallascope.data.requests import Answer, Failure
from hallascope.engine.judge_eval.factualbench import CriterionAgreement, FactualTrial, try_factual
from hallascope.engine.models.roles import BoundModel

COUNT = 12


@pytest.fixture(scope="module")
def perfect() -> FactualTrial:
    return try_factual(None, True, COUNT)


def test_a_judge_that_knows_the_truth_is_right_by_every_criterion(perfect: FactualTrial) -> None:
    assert 0 < perfect.flawed < COUNT
    for way in (perfect.seen, perfect.unseen):
        assert [(one.met_right, one.unmet_right, one.left_out) for one in way.agreements] == [
            (a.met, a.unmet, 0) for a in way.agreements
        ]
        assert sum(one.unmet for one in way.agreements) > 0
        assert way.spearman.value is not None
        assert way.spearman.value > 0.7
    assert perfect.drop == 0


def test_a_judge_that_always_agrees_is_no_better_than_a_coin() -> None:
    told: list[tuple[int, int]] = []
    yes = BoundModel(
        model="test/yes",
        revision="1",
        call=lambda requests, _: [Answer("Yes")] * len(requests),
        limits=CallLimits(batch=8),
    )
    trial = try_factual(yes, True, COUNT, on_progress=lambda *now: told.append(now))
    found = {one.criterion: one.value for one in trial.seen.agreements if one.met and one.unmet}
    assert set(found.values()) == {0.5}
    assert trial.seen.spearman.value is None, "a constant has no rank"
    assert told[-1] == (2 * COUNT, 2 * COUNT)


def test_a_judge_that_fails_is_left_out_and_never_wrong() -> None:
    dead = BoundModel(
        model="test/dead",
        revision="1",
        call=lambda requests, _: [Failure("broken", "I am out.")] * len(requests),
        limits=CallLimits(batch=8),
    )
    trial = try_factual(dead, True, 4)
    assert [(one.met, one.unmet) for one in trial.seen.agreements] == [(0, 0)] * 4
    assert (trial.seen.rated, trial.seen.unrated, trial.drop) == (0, 4, None)


def test_balanced_accuracy_is_the_mean_of_both_shares_and_nothing_where_one_side_is_empty() -> None:
    assert (
        CriterionAgreement(
            criterion="shape", met=8, met_right=6, unmet=4, unmet_right=1, left_out=0
        ).value
        == (6 / 8 + 1 / 4) / 2
    )
    assert (
        CriterionAgreement(
            criterion="shape", met=8, met_right=6, unmet=0, unmet_right=0, left_out=0
        ).value
        is None
    )
    assert (
        CriterionAgreement(
            criterion="texture", met=4, met_right=3, unmet=4, unmet_right=3, left_out=0
        ).reached
        is True
    )
    assert (
        CriterionAgreement(
            criterion="shape", met=4, met_right=3, unmet=4, unmet_right=3, left_out=0
        ).reached
        is False
    )

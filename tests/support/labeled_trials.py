"""A trial of a judge on images labeled by hand, with few counts that are easy to check."""

from dataclasses import replace
from typing import Any

from hallascope.engine.judge_eval.labelled import LabelAgreement, LabeledTrial
from hallascope.metrics.statistics.response_statistics import Kappa


def labeled_trial(**changes: Any) -> LabeledTrial:
    share = LabelAgreement(3, 4, 0.25, 1.0)
    trial = LabeledTrial(
        judge="test/judge",
        folder="labels",
        pictures=2,
        overall=share,
        baseline=share,
        sensitivity=share,
        specificity=share,
        kappa=Kappa(0.5, 0.75, 4, 0),
        by_coi={"shape": share},
        sensitivity_by_coi={"shape": LabelAgreement(1, 2)},
        specificity_by_coi={"color": LabelAgreement(4, 5, 0.5, 1.0)},
        cannot_be_told=0,
        not_labelled=0,
        unanswered=0,
        labellers={"ada": 2},
    )
    return replace(trial, **changes)

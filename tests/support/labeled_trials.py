"""A trial of a judge on labeled images, with few counts that are easy to check."""

from dataclasses import replace
from typing import Any

from hallascope.engine.trials.records import LabeledTrial, LabelerAgreement, Share
from hallascope.metrics.statistics.response_statistics import Kappa


def labeled_trial(**changes: Any) -> LabeledTrial:
    share = Share(3, 4, 0.25, 1.0)
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
        sensitivity_by_coi={"shape": Share(1, 2)},
        specificity_by_coi={"color": Share(4, 5, 0.5, 1.0)},
        cannot_be_told=0,
        not_labelled=0,
        unanswered=0,
        labellers={"ada": 2},
    )
    return replace(trial, **changes)


def people_agreement(**changes: Any) -> LabelerAgreement:
    """How far two labelers agree on 40 questions that both could tell."""
    agreement = LabelerAgreement(
        labelers=("ada", "bo"),
        questions=40,
        same=36,
        n=40,
        low=0.8,
        high=0.96,
        interval_method="clopper-pearson",
        kappa=Kappa(0.7, 0.92, 40, 0),
        alpha=0.69,
        told_by_one=5,
        told_by_none=2,
    )
    return replace(agreement, **changes)

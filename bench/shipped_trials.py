"""Measures the trials that ship, and writes their files: ``python -m bench.shipped_trials``.

They are those of the embedded judge, and the accuracy of the members of the embedded jury.
"""

import tempfile
import time
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path
from typing import Annotated

import typer

from bench.measuring import launch
from hallascope.data.models.specs import read_models
from hallascope.engine.judge_eval import haloquest
from hallascope.engine.judge_eval.labeled import try_on_labels
from hallascope.engine.judge_eval.runner import JudgeTrialRequest, run_judge_trials
from hallascope.engine.services import Services
from hallascope.engine.storage.images import write_atomically
from hallascope.engine.storage.store import Store
from hallascope.engine.trials.accuracies import (
    ACCURACIES,
    DATA,
    FILE,
    MEMBERS,
    TRIALS,
    ShippedAccuracy,
    ShippedTrials,
)
from hallascope.engine.trials.records import Trial

LABELS = "labelled/primer-diffusion"
JUDGE = "primer/judge"
JURY = "primer/jury"  # the jury whose members are measured
IMAGES = 400
REPETITIONS = 2
HALO_QUESTIONS = 300
EACH_CONCEPT = 8


def _trials(services: Services, request: JudgeTrialRequest) -> list[Trial]:
    return [step for step in run_judge_trials(services, request) if isinstance(step, Trial)]


def make_shipped_trials(services: Services, images: int = IMAGES) -> ShippedTrials:
    """Try the embedded judge on Primer's questions, on free questions and beside labels.

    Primer's are asked twice and in two orders of choices, also on pictures of each concept alone.
    What ships has no figures by fact, which no page shows and which would take most of the file.

    Raises what a trial raises.
    """
    request = JudgeTrialRequest(
        judges=(JUDGE,),
        pictures=images,
        trials=REPETITIONS,
        orders=REPETITIONS,
        each_concept=EACH_CONCEPT,
    )
    (trial,) = _trials(services, request)
    with tempfile.TemporaryDirectory() as folder:
        items = list(haloquest.primer_items(HALO_QUESTIONS, 0, Path(folder)))
        halo = haloquest.try_halo(services, items, JUDGE, None, "primer-halo")
    labels = try_on_labels(services.registry.judge(JUDGE), DATA / LABELS)
    return ShippedTrials(
        judge=JUDGE,
        revision=services.registry.bind(JUDGE).revision,
        hallascope=version("hallascope"),
        day=time.strftime("%Y-%m-%d", time.gmtime()),
        primer=replace(trial, answers=(), by_fact={}),
        halo=halo,
        labels=replace(labels, folder=LABELS),
    )


def measure_members(services: Services, images: int = IMAGES) -> tuple[ShippedAccuracy, ...]:
    """Try the members of the embedded jury on held-out drawings. Raises what a trial raises."""
    judges = services.registry.spec(JURY).members
    day = time.strftime("%Y-%m-%d", time.gmtime())
    return tuple(
        ShippedAccuracy(
            judge=trial.judge,
            revision=services.registry.bind(trial.judge).revision,
            right=trial.overall.right,
            answered=trial.overall.asked,
            images=images,
            day=day,
        )
        for trial in _trials(services, JudgeTrialRequest(judges=judges, pictures=images))
    )


def main(
    images: Annotated[int, typer.Option(min=1, help="Held-out drawings.")] = IMAGES,
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        services = Services(Store(folder=Path(folder)), read_models(), {})
        trials = make_shipped_trials(services, images)
        members = measure_members(services, images)
        services.store.close()
    # without what has its default value
    write_atomically(FILE, TRIALS.dump_json(trials, indent=1, exclude_defaults=True) + b"\n")
    write_atomically(ACCURACIES, MEMBERS.dump_json(members, indent=1) + b"\n")


if __name__ == "__main__":
    launch(main)

"""Runs the shipped trials of the embedded judge and writes their file.

Run it by ``python -m hallascope.engine.judge_eval.shipped``.

They stand on the Judges tab until a person's own trials exist, and only beside the
weights that they are of.
"""

import argparse
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import NamedTuple

from pydantic import TypeAdapter, ValidationError

from hallascope.data.models.specs import read_models
from hallascope.engine.errors import StoreError
from hallascope.engine.judge_eval import haloquest, runner, store
from hallascope.engine.judge_eval.ihalla import Trial
from hallascope.engine.judge_eval.labelled import LabeledTrial, try_on_labels
from hallascope.engine.judge_eval.store import HaloSummary
from hallascope.engine.services import Services
from hallascope.engine.storage.images import write_atomically
from hallascope.engine.storage.store import Store

DATA = Path(__file__).parents[2] / "data"
FILE = DATA / "judge_trials.json"
LABELS = "labelled/primer-diffusion"
JUDGE = "primer/judge"
PICTURES = 400
REPETITIONS = 2
HALO_QUESTIONS = 300
EACH_CONCEPT = 8


class ShippedTrials(NamedTuple):
    """Holds a judge's trials with their day (ISO), HallaScope's version, and weights' revision.

    `labels` is beside the labels of images of the diffusion models that ship.
    """

    judge: str
    revision: str
    hallascope: str
    day: str
    primer: Trial
    halo: HaloSummary
    labels: LabeledTrial


_SHIPPED = TypeAdapter(ShippedTrials)


def load_shipped_trials(revision: Callable[[str], str], file: Path = FILE) -> ShippedTrials | None:
    """Return the trials that ship; None where the judge here has other weights than theirs.

    `revision` gives that of a model by name.

    Raises StoreError where the file is damaged.
    """
    shipped = read_shipped_trials(file)
    return shipped if shipped and revision(shipped.judge) == shipped.revision else None


@cache
def read_shipped_trials(file: Path = FILE) -> ShippedTrials | None:
    """Return the trials in the file, whatever weights are here; None where there is no file.

    Raises StoreError where the file is damaged.
    """
    try:
        return _SHIPPED.validate_json(file.read_bytes())
    except FileNotFoundError:
        return None
    except (OSError, ValidationError) as error:
        remedy = (
            "install HallaScope again, or write the file again with `python -m"
            " hallascope.engine.judge_eval.shipped`"
        )
        raise StoreError(
            f"{file.name!r}, the trials that ship, cannot be read ({type(error).__name__}):"
            f" {remedy}."
        ) from error


def make_shipped_trials(
    services: Services,
    pictures: int = PICTURES,
    questions: int = HALO_QUESTIONS,
    each_concept: int = EACH_CONCEPT,
) -> ShippedTrials:
    """Try the embedded judge on Primer's questions and on free questions about drawings.

    Primer's are asked twice and in two orders of choices, also on pictures of each concept alone.
    What ships has no figures by fact, which no page shows and which would take most of the file.

    Raises what a trial raises; StoreError where one of them did not come to its end.
    """
    request = runner.JudgeTrialRequest(
        judges=(JUDGE,),
        pictures=pictures,
        trials=REPETITIONS,
        orders=REPETITIONS,
        each_concept=each_concept,
    )
    steps = runner.run_judge_trials(services, request)
    trial = next((step for step in steps if isinstance(step, Trial)), None)
    with tempfile.TemporaryDirectory() as folder:
        items = list(haloquest.primer_items(questions, 0, Path(folder)))
        halo = haloquest.try_halo(services, items, JUDGE, None, "primer-halo")
    labels = try_on_labels(services.judge(JUDGE), DATA / LABELS)
    if trial is None:
        raise StoreError("The trial did not come to its end: run it again.")
    return ShippedTrials(
        judge=JUDGE,
        revision=services.registry.bind(JUDGE).revision,
        hallascope=_installed_version(),
        day=time.strftime("%Y-%m-%d", time.gmtime()),
        primer=replace(trial, answers=(), by_fact={}),
        halo=store.summarize_halo(halo),
        labels=replace(labels, folder=LABELS),
    )


def _installed_version() -> str:
    try:
        return version("hallascope")
    except PackageNotFoundError:
        return "unknown"


def save(trials: ShippedTrials, file: Path = FILE) -> None:
    """Write the file, without what has its default value. Raises OSError."""
    write_atomically(file, _SHIPPED.dump_json(trials, indent=1, exclude_defaults=True) + b"\n")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--images", type=int, default=PICTURES, help="held-out drawings")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        services = Services(Store(folder=Path(folder)), read_models(), {})
        save(make_shipped_trials(services, arguments.images))
        services.store.close()


if __name__ == "__main__":
    main()

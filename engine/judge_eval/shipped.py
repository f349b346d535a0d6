"""Runs the shipped trials of the embedded judge and writes their file.

Run it by ``python -m hallascope.engine.judge_eval.shipped``.

They stand on the Judges tab until a person's own trials exist, and only beside the weights that
they are of.
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
from hallascope.engine.judge_eval.store import HaloSummary
from hallascope.engine.services import Services
from hallascope.engine.storage.images import write_whole
from hallascope.engine.storage.store import Store

FILE = Path(__file__).parents[2] / "data" / "judge_trials.json"
JUDGE = "primer/judge"
PICTURES = 400
TWICE = 2
HALO_QUESTIONS = 300


class ShippedTrials(NamedTuple):
    """Holds a judge's trials with their day (ISO), HallaScope's version, and weights' revision."""

    judge: str
    revision: str
    hallascope: str
    day: str
    primer: Trial
    halo: HaloSummary


_SHIPPED = TypeAdapter(ShippedTrials)


def load_shipped_trials(revision: Callable[[str], str], file: Path = FILE) -> ShippedTrials | None:
    """The trials that ship; None where the judge here has other weights than theirs.

    `revision` gives that of a model by name.

    Raises StoreError where the file is damaged.
    """
    found = _read_shipped(file)
    return found if found and revision(found.judge) == found.revision else None


@cache
def _read_shipped(file: Path) -> ShippedTrials | None:
    try:
        return _SHIPPED.validate_json(file.read_bytes())
    except FileNotFoundError:
        return None
    except (OSError, ValidationError) as error:
        remedy = (
            "install HallaScope again, or write the file anew with `python -m"
            " hallascope.engine.judge_eval.shipped`"
        )
        raise StoreError(
            f"{file.name!r}, the trials that ship, cannot be read ({type(error).__name__}):"
            f" {remedy}."
        ) from error


def make_shipped_trials(
    services: Services, pictures: int = PICTURES, questions: int = HALO_QUESTIONS
) -> ShippedTrials:
    """Try the embedded judge on Primer's questions and on free questions about drawings.

    Primer's are asked twice and in two orders of choices.

    Raises what a trial raises; StoreError where one of them did not come to its end.
    """
    wanted = runner.JudgeTrialRequest(
        judges=(JUDGE,), pictures=pictures, trials=TWICE, orders=TWICE
    )
    trial = next(
        (told for told in runner.on_trial(services, wanted) if isinstance(told, Trial)), None
    )
    with tempfile.TemporaryDirectory() as folder:
        items = list(haloquest.primer_items(questions, 0, Path(folder)))
        halo = haloquest.try_halo(services, items, JUDGE, None, "primer-halo")
    if trial is None:
        raise StoreError("The trial did not come to its end: run it again.")
    try:
        here = version("hallascope")
    except PackageNotFoundError:
        here = "unknown"
    day = time.strftime("%Y-%m-%d", time.gmtime())
    return ShippedTrials(
        judge=JUDGE,
        revision=services.roster.bind(JUDGE).revision,
        hallascope=here,
        day=day,
        primer=replace(trial, answers=()),
        halo=store.halo(halo),
    )


def save(found: ShippedTrials, file: Path = FILE) -> None:
    """Write the file. Raises OSError."""
    write_whole(file, _SHIPPED.dump_json(found, indent=1) + b"\n")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--images", type=int, default=PICTURES, help="held-out drawings")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        services = Services(Store(folder=Path(folder)), read_models(), {})
        save(make_shipped_trials(services, chosen.images))
        services.store.close()


if __name__ == "__main__":
    main()

"""Reads what ships of trials: those of the embedded judge, and accuracies of jury members.

``python -m bench.shipped_trials`` measures and writes them. They count until a person's own trials
exist, and only beside the weights that they are of.
"""

from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple, TypeVar

from pydantic import TypeAdapter, ValidationError

from hallascope.engine.errors import StoreError
from hallascope.engine.trials.records import HaloTrial, LabeledTrial, Trial

DATA = Path(__file__).parents[2] / "data"
FILE = DATA / "judge_trials.json"
ACCURACIES = DATA / "member_accuracies.json"


class ShippedTrials(NamedTuple):
    """Holds a judge's trials with their day (ISO), HallaScope's version, and weights' revision.

    `labels` is beside the labels of images of the diffusion models that ship.
    """

    judge: str
    revision: str
    hallascope: str
    day: str
    primer: Trial
    halo: HaloTrial
    labels: LabeledTrial


class ShippedAccuracy(NamedTuple):
    """Holds how many answers of a judge with these weights were right, on which day (ISO).

    `images`: of how many held-out drawings.
    """

    judge: str
    revision: str
    right: int
    answered: int
    images: int
    day: str


TRIALS: TypeAdapter[ShippedTrials] = TypeAdapter(ShippedTrials)
MEMBERS = TypeAdapter(tuple[ShippedAccuracy, ...])
_Shipped = TypeVar("_Shipped")


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
    return next(_read(file, TRIALS), None)


@cache
def read_shipped_accuracies(file: Path = ACCURACIES) -> tuple[ShippedAccuracy, ...]:
    """Return the accuracies in the file, whatever weights are here; () where there is no file.

    Raises StoreError where the file is damaged.
    """
    return next(_read(file, MEMBERS), ())


def _read(file: Path, form: TypeAdapter[_Shipped]) -> Iterator[_Shipped]:
    """Yield what is in the file; nothing where there is none."""
    try:
        yield form.validate_json(file.read_bytes())
    except FileNotFoundError:
        return
    except (OSError, ValidationError) as error:
        raise StoreError(
            f"{file.name!r}, measurements that ship, cannot be read ({type(error).__name__}):"
            " install HallaScope again."
        ) from error

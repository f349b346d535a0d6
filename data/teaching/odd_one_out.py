"""Holds the rounds of "Which of these is not ...": four images, one of them with a wrong fact."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from pydantic import TypeAdapter

from hallascope.data.teaching.judged_image import (
    JudgedFact,
    JudgedImage,
    read_shipped,
    write_shipped,
)

FOLDER = Path(__file__).parents[1] / "odd_one_out"
FILE = "rounds.json"


@dataclass(frozen=True, kw_only=True)
class OddOneOutRound:
    """Holds four images of one prompt, of which the one at `odd` has a wrong fact.

    `name` is what the prompt asks for, as it stands after "Which of these is not".
    """

    name: str
    odd: int
    images: tuple[JudgedImage, ...]

    @property
    def mistake(self) -> JudgedFact:
        """Return the wrong fact of the odd image."""
        return next(fact for fact in self.images[self.odd].facts if fact.is_wrong)

    @property
    def judge_choice(self) -> int | None:
        """Return which image has the judge's lowest score, None where several have it."""
        scores = [image.correct / image.answered if image.answered else 1 for image in self.images]
        lowest = min(scores)
        return scores.index(lowest) if scores.count(lowest) == 1 else None

    @property
    def judge_is_right(self) -> bool:
        """Return whether the judge's lowest score is that of the odd image alone."""
        return self.judge_choice == self.odd


@dataclass(frozen=True, kw_only=True)
class OddOneOutSet:
    """Holds all rounds, an example with one image, and which judge and metric gave the answers.

    `sensitivity` is the share of violated facts that this judge flags in its trial, `specificity`
    the share of facts that hold that it accepts, both in [0, 1]: the rounds are chosen and say
    nothing of that.
    """

    judge: str
    judge_revision: str
    metric: str
    metric_version: str
    sensitivity: float
    specificity: float
    example: OddOneOutRound
    rounds: tuple[OddOneOutRound, ...]


def judge_score(rounds: Sequence[OddOneOutRound]) -> int:
    """Return in how many rounds the judge's lowest score is that of the odd image alone."""
    return sum(game_round.judge_is_right for game_round in rounds)


_ROUNDS = TypeAdapter(OddOneOutSet)


def read_rounds(folder: Path = FOLDER) -> OddOneOutSet:
    """Return the rounds of a folder. Raises BadTeachingData."""
    return read_shipped(_ROUNDS, folder / FILE, "odd-one-out")


def write_rounds(rounds: OddOneOutSet, folder: Path = FOLDER) -> None:
    """Write the rounds into a folder, beside their images."""
    write_shipped(_ROUNDS, rounds, folder / FILE)

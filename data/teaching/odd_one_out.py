"""Holds the rounds of "Which of these is not ...": four images, one of them with a wrong fact.

It also holds what a judge answered about each image, and says where the judge errs.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from pydantic import TypeAdapter, ValidationError

from hallascope.data.evidence import State
from hallascope.data.outlines import Polygon

FOLDER = Path(__file__).parents[1] / "odd_one_out"
FILE = "rounds.json"
# states of an answer by which the judge says that the image is not as expected
FLAGGED: tuple[State, ...] = ("incorrect", "abstained")

JudgeWord = Literal["found", "missed", "false alarm", "not asked"]


@dataclass(frozen=True, kw_only=True)
class RoundFact:
    """Holds a fact that all images of a round are compared by.

    `expected` is the answer that a factual image leads to. `asked`: the judge is asked about it.
    """

    question: str
    expected: str
    asked: bool


@dataclass(frozen=True, kw_only=True)
class RoundAnswer:
    """Holds the judge's answer to one question in words, and its state; "" where it gave none."""

    text: str
    state: State


@dataclass(frozen=True, kw_only=True)
class RoundImage:
    """Holds one image of a round: its file, its seed, and both kinds of answers to the facts.

    `truth` has what is drawn for every fact of the round, in words. `answers` are the judge's to
    the facts that it is asked about, which come first. `correct` of the `answered` ones are as
    expected.
    """

    file: str
    seed: int
    truth: tuple[str, ...]
    answers: tuple[RoundAnswer, ...]
    correct: int
    answered: int

    @property
    def score(self) -> float | None:
        """Return the share of the answered questions that are as expected, in [0, 1]."""
        return self.correct / self.answered if self.answered else None


@dataclass(frozen=True, kw_only=True)
class OddOneOutRound:
    """Holds four images of one prompt, of which the one at `odd` has a wrong fact.

    `name` is what the prompt asks for, as it stands after "Which of these is not". `shown` is what
    is drawn wrongly and `expected` what it should be, both answers to `question`; `why` explains it
    and `source` says where the explanation is from. `outline` runs around the wrong part: the
    path of an SVG drawing that is 100 units wide and high.
    """

    prompt: str
    name: str
    odd: int
    question: str
    shown: str
    expected: str
    why: str
    source: str
    outline: str
    facts: tuple[RoundFact, ...]
    images: tuple[RoundImage, ...]

    @property
    def judge_choice(self) -> int | None:
        """Return which image has the judge's lowest score, None where several have it."""
        scores = [1.0 if image.score is None else image.score for image in self.images]
        lowest = min(scores)
        return scores.index(lowest) if scores.count(lowest) == 1 else None

    @property
    def judge_is_right(self) -> bool:
        """Return whether the judge's lowest score is that of the odd image alone."""
        return self.judge_choice == self.odd

    def is_wrong(self, image: RoundImage, fact: int) -> bool:
        """Return whether an image is drawn otherwise than a fact says."""
        return image.truth[fact] != self.facts[fact].expected


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


def word_of(asked: bool, wrong: bool, state: State | None) -> JudgeWord | None:
    """Return how the judge did on a fact; None where judge and drawing are both right."""
    if not asked:
        return "not asked" if wrong else None
    if wrong:
        return "found" if state in FLAGGED else "missed"
    return "false alarm" if state in FLAGGED else None


def judge_word(game_round: OddOneOutRound, image: RoundImage, fact: int) -> JudgeWord | None:
    """Return how the judge did on a fact of an image; None where both say it is as expected."""
    asked = game_round.facts[fact].asked
    state = image.answers[fact].state if asked else None
    return word_of(asked, game_round.is_wrong(image, fact), state)


def judge_score(rounds: Sequence[OddOneOutRound]) -> int:
    """Return in how many rounds the judge's lowest score is that of the odd image alone."""
    return sum(game_round.judge_is_right for game_round in rounds)


def outline_path(outlines: Sequence[Polygon]) -> str:
    """Return closed lines, their points in [0, 1], as the path of a drawing of 100 x 100 units."""
    lines = (" ".join(f"{100 * x:.1f} {100 * y:.1f}" for x, y in polygon) for polygon in outlines)
    return "".join(f"M{line}Z" for line in lines)


# --- the file that ships

_SET = TypeAdapter(OddOneOutSet)


class BadRounds(ValueError):
    """The rounds that ship are missing or of another version.

    The message says in one sentence how to make them.
    """


def read_rounds(folder: Path = FOLDER) -> OddOneOutSet:
    """Return the rounds of a folder. Raises BadRounds."""
    try:
        return _SET.validate_json((folder / FILE).read_bytes())
    except (OSError, ValidationError) as error:
        raise BadRounds(
            "The rounds of the first page are missing or of another version: make them with"
            " `hallascope teach make odd-one-out`."
        ) from error


def write_rounds(rounds: OddOneOutSet, folder: Path = FOLDER) -> None:
    """Write the rounds into a folder, beside their images."""
    (folder / FILE).write_bytes(_SET.dump_json(rounds, indent=1) + b"\n")

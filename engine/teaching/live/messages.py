"""Reads what pupils and teachers of a live class send; what is not as it should be is refused."""

from typing import Annotated, TypeVar

from pydantic import AfterValidator, ConfigDict, Field, TypeAdapter, ValidationError
from pydantic.dataclasses import dataclass

from hallascope.data.teaching.class_lesson import ClassLesson, Phase
from hallascope.engine.errors import BadRequest

MAX_BYTES = 2048  # of a message
DIGITS = 3  # of a tap's place, in shares of the image

Share = Annotated[
    float,
    Field(ge=0, le=1, allow_inf_nan=False),
    AfterValidator(lambda share: round(share, DIGITS)),
]
Message = TypeVar("Message")
_STRICT = ConfigDict(strict=True)


class BadMessage(BadRequest):
    """Raised where a message is none that a page of a class sends."""


@dataclass(frozen=True, config=_STRICT)
class PupilAnswer:
    """Holds the answer of a pupil to a step: the place of the choice, and of the tap in [0, 1].

    Both are from 0, and None where there is none; one of them is there.
    """

    step: int
    choice: int | None = None
    at: tuple[Share, Share] | None = None


@dataclass(frozen=True, config=_STRICT)
class TeacherMove:
    """Says which step a class is at, and which of its phases; -1 is before, the last one after."""

    step: int
    phase: Phase = "question"


@dataclass(frozen=True, config=_STRICT)
class Admission:
    """Says whether new pupils may join, and the numbers of those whom the teacher removes."""

    open: bool
    remove: tuple[int, ...] = ()


@dataclass(frozen=True, config=_STRICT)
class ClassStart:
    """Names the lesson of a new class."""

    lesson: str


def read_message(kind: type[Message], body: bytes) -> Message:
    """Return the message that a page has sent as JSON. Raises BadMessage."""
    if len(body) > MAX_BYTES:
        raise BadMessage(f"The message is longer than {MAX_BYTES} bytes: reload the page.")
    try:
        return TypeAdapter(kind).validate_json(body)
    except ValidationError:
        raise BadMessage("A page of a class sends no such message: reload the page.") from None


def read_answer(body: bytes, lesson: ClassLesson) -> PupilAnswer:
    """Return the answer that a pupil sends. Raises BadMessage."""
    sent = read_message(PupilAnswer, body)
    if not 0 <= sent.step < len(lesson.steps):
        raise BadMessage("The lesson has no such step: reload the page.")
    step = lesson.steps[sent.step]
    if sent.choice is not None and not 0 <= sent.choice < len(step.choices):
        raise BadMessage("The step has no such answer: choose one that is shown.")
    if sent.at is not None and not step.marking:
        raise BadMessage("In this step no place is asked for: choose an answer.")
    if sent.choice is None and sent.at is None:
        raise BadMessage("The answer is empty: tap the image or choose an answer.")
    return sent


def read_move(body: bytes, lesson: ClassLesson) -> TeacherMove:
    """Return the step and phase that a teacher opens. Raises BadMessage."""
    sent = read_message(TeacherMove, body)
    is_step = 0 <= sent.step < len(lesson.steps)
    phases = lesson.steps[sent.step].phases if is_step else ("question",)
    if not -1 <= sent.step <= len(lesson.steps) or sent.phase not in phases:
        raise BadMessage("The lesson has no such step or phase: reload the page.")
    return sent

"""Reads what pupils and teachers of a live class send; what is not as it should be is refused."""

import json
import math
from dataclasses import dataclass
from typing import Any

from hallascope.data.outlines import OutlinePoint
from hallascope.data.teaching.class_lesson import ClassLesson, Phase
from hallascope.engine.errors import BadRequest

MAX_BYTES = 2048  # of a message
DIGITS = 3  # of a tap's place, in shares of the image


class BadMessage(BadRequest):
    """Raised where a message is none that a page of a class sends."""


@dataclass(frozen=True)
class PupilAnswer:
    """Holds the answer of a pupil to a step: the place of the choice, and of the tap in [0, 1].

    Both are from 0, and None where there is none; one of them is there.
    """

    step: int
    choice: int | None = None
    at: OutlinePoint | None = None


@dataclass(frozen=True)
class TeacherMove:
    """Says which step a class is at, and which of its phases; -1 is before, the last one after."""

    step: int
    phase: Phase = "question"


def read_message(body: bytes) -> dict[str, Any]:
    """Return the JSON object of a message. Raises BadMessage."""
    if len(body) > MAX_BYTES:
        raise BadMessage(f"The message is longer than {MAX_BYTES} bytes: reload the page.")
    try:
        sent = json.loads(body)
    except (ValueError, RecursionError):  # of UTF-8, too
        raise BadMessage("The message is not JSON: reload the page.") from None
    if not isinstance(sent, dict):
        raise BadMessage("The message is no object: reload the page.")
    return sent


def read_answer(sent: dict[str, Any], lesson: ClassLesson) -> PupilAnswer:
    """Return the answer that a pupil sends. Raises BadMessage."""
    number = _whole(sent.get("step"))
    if number is None or not 0 <= number < len(lesson.steps):
        raise BadMessage("The lesson has no such step: reload the page.")
    step = lesson.steps[number]
    choice = _whole(sent.get("choice"))
    is_given = sent.get("choice") is not None
    if is_given and (choice is None or not 0 <= choice < len(step.choices)):
        raise BadMessage("The step has no such answer: choose one that is shown.")
    at = None if sent.get("at") is None else _read_point(sent["at"])
    if at is not None and not step.marking:
        raise BadMessage("In this step no place is asked for: choose an answer.")
    if choice is None and at is None:
        raise BadMessage("The answer is empty: tap the image or choose an answer.")
    return PupilAnswer(number, choice, at)


def read_move(sent: dict[str, Any], lesson: ClassLesson) -> TeacherMove:
    """Return the step and phase that a teacher opens. Raises BadMessage."""
    number = _whole(sent.get("step"))
    if number is None or not -1 <= number <= len(lesson.steps):
        raise BadMessage("The lesson has no such step: reload the page.")
    phases: tuple[Phase, ...] = ("question",)
    if 0 <= number < len(lesson.steps):
        phases = lesson.steps[number].phases
    phase = next((each for each in phases if each == sent.get("phase")), None)
    if phase is None:
        raise BadMessage("The step has no such phase: reload the page.")
    return TeacherMove(number, phase)


def _whole(value: object) -> int | None:
    """Return a whole number, None where it is none; JSON's true and false are none."""
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _read_point(value: object) -> OutlinePoint:
    if isinstance(value, list) and len(value) == 2:
        x, y = (_read_share(part) for part in value)
        if x is not None and y is not None:
            return x, y
    raise BadMessage("The place is none within the image: tap the image again.")


def _read_share(value: object) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    if not 0 <= value <= 1 or math.isnan(value):
        return None
    return round(float(value), DIGITS)

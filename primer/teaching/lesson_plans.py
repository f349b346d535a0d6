"""Reads the three ready lessons of 15 minutes: what a class does, and what is drawn wrongly.

`lesson_plans.toml` has them. It knows no judge: what a judge answers, and so what is right where
pupils guess it, is found when the lessons are made.
"""

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from pydantic import TypeAdapter

from hallascope.primer.teaching.lesson_drawing import LessonDrawing

ChoiceKind = Literal["text", "facts", "judge", "questions"]
"""What pupils choose from: written choices, the facts of the image, what the judge does, or
questions about the image of which one asks about its error."""


@dataclass(frozen=True, kw_only=True)
class StepPlan:
    """Says what happens in a step; `right` counts only where `kind` is "text".

    With the kind "questions", `choices` are names of facts.
    """

    title: str
    minutes: int
    teacher: str
    pupils: str
    question: str = ""
    kind: ChoiceKind = "text"
    choices: tuple[str, ...] = ()
    right: int | None = None
    reveal: str = ""
    drawing: LessonDrawing | None = None


@dataclass(frozen=True, kw_only=True)
class LessonPlan:
    """Says what a lesson is for, and lists its steps and what to talk about in the end."""

    id: str
    title: str
    summary: str
    goals: tuple[str, ...]
    steps: tuple[StepPlan, ...]
    discussion: tuple[tuple[str, str], ...]


_FILE = Path(__file__).with_suffix(".toml")
LESSON_PLANS = TypeAdapter(tuple[LessonPlan, ...]).validate_python(
    tomllib.loads(_FILE.read_text(encoding="utf-8"))["lessons"]
)

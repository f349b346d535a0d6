"""Serves the learner's panel: exercises, the grade of an answer, the judge's opinion.

Exercises are for practice or of a teacher's set.
"""

import random
from collections.abc import Mapping, Sequence
from typing import Any, cast

from hallascope.components.html.gradio_html import ServerFunction
from hallascope.components.learn.exercise import sheet, truth, work
from hallascope.data.records import COIS, Category, CoI
from hallascope.data.teaching.exercise import (
    LEVELS,
    LearnerMark,
    MarkedPart,
    MarkedPoint,
    grade,
)
from hallascope.data.teaching.lesson import BadLesson, Lesson, LessonItem, item_of, read_token
from hallascope.engine.errors import BadRequest, refuse
from hallascope.engine.money.budget import SpendingPolicy
from hallascope.engine.services import Services
from hallascope.engine.teaching import classes, exercises
from hallascope.engine.teaching.exercises import ExerciseView, Opinion
from hallascope.pages.shared.server_functions import SentText, server_functions
from hallascope.primer.teaching import faults
from hallascope.primer.teaching.faults import FIRST, ExerciseCriteria

SERVED = 12  # exercises at a time in practice
NOTHING = "There is no such image: choose another level, composition or category."


# --- what is in the panel -------------------------------------------------------------------------


def first() -> dict[str, Any]:
    """Return what a newcomer starts with: methane with five hydrogens, then two levels."""
    others = [
        item
        for item in faults.sample(SERVED, ExerciseCriteria(), random.Random())
        if item.prompt != FIRST.prompt
    ]
    return work([FIRST, *others[: SERVED - 1]])


def sample(number: int, criteria: Mapping[str, str]) -> Sequence[LessonItem]:
    """Return random exercises that meet criteria. Raises BadRequest where there are none."""
    items = faults.sample(number, sort_of(criteria), random.Random())
    if not items:
        raise BadRequest(NOTHING)
    return items


def sort_of(criteria: Mapping[str, str]) -> ExerciseCriteria:
    """Return the criteria; unknown values are ignored."""
    level = next((level for level in LEVELS if str(level) == criteria.get("level")), None)
    coi = criteria.get("coi") if criteria.get("coi") in COIS else None
    category = next((each for each in Category if each.value == criteria.get("category")), None)
    return ExerciseCriteria(level, cast("CoI | None", coi), category)


def lesson_of(token: str) -> Lesson:
    """Return the set of a link. Raises BadRequest."""
    with refuse(BadLesson):
        return read_token(token)


# --- what the browser asks ------------------------------------------------------------------------


def functions(services: Services) -> list[ServerFunction]:
    """Return the server functions of the panel, under the names by which it calls them.

    An error comes back as a sentence.
    """
    return server_functions(services, begin, show, check, judge, practice)


def begin(services: Services, set: SentText = "") -> dict[str, Any]:
    """Return the panel with the set of a link, else with practice. Raises BadRequest."""
    if not set:
        return first()
    lesson = lesson_of(set)
    return work(lesson.items, lesson.title, set)


def practice(
    services: Services, level: SentText = "", coi: SentText = "", category: SentText = ""
) -> dict[str, Any]:
    """Return random exercises that meet criteria. Raises BadRequest where there are none."""
    criteria = {"level": level, "coi": coi, "category": category}
    return work(sample(SERVED, criteria), wanted=criteria)


def _read_item(sent: Any) -> LessonItem:
    with refuse(BadLesson):
        return item_of(sent)


def show(services: Services, item: Any = None, position: Any = 0, total: Any = 0) -> dict[str, Any]:
    """Return an exercise before it is answered. Raises BadRequest."""
    services.charge_quota(SpendingPolicy(), lambda: 1)
    view = exercises.exercise_view(services, _read_item(item))
    number, of = (value if isinstance(value, int) else 0 for value in (position, total))
    return sheet(view.exercise, view.picture, number, of)


def check(
    services: Services,
    item: Any = None,
    position: Any = None,
    mark: Any = None,
    chosen: Any = None,
    name: Any = None,
    token: SentText = "",
) -> dict[str, Any]:
    """Grade an answer and return the truth; it is stored where the learner is named.

    Raises BadRequest.
    """
    answered = _read_item(item)
    view = exercises.exercise_view(services, answered)
    if not isinstance(chosen, int) or not 0 <= chosen < len(view.exercise.facts):
        raise BadRequest("This is no answer: choose one of the facts.")
    lesson = lesson_of(token) if token else None
    result = grade(view.exercise, mark_of(mark), chosen)
    learner = classes.learner(name)
    classes.keep(
        services=services,
        lesson=lesson,
        position=_place(lesson, position, answered),
        item=answered,
        name=learner,
        grade=result,
    )
    standing = classes.learner_result(services, lesson, learner).sentence if learner else ""
    return {"place": result.place, "fact": result.fact, "standing": standing, **truth_fields(view)}


def truth_fields(view: ExerciseView) -> dict[str, Any]:
    """Return the truth of an exercise: which fact, and the viewer's HTML."""
    return {
        "answer": view.exercise.wrong,
        "viewer": truth(view.exercise, view.picture, view.right),
    }


def _place(lesson: Lesson | None, place: Any, item: LessonItem) -> int:
    """Return the place in the set. Raises BadRequest where the exercise does not stand there."""
    if lesson is None:
        return 0
    if (
        not isinstance(place, int)
        or not 0 <= place < len(lesson.items)
        or lesson.items[place] != item
    ):
        raise BadRequest("This exercise is not of this set: open the link again.")
    return place


def mark_of(sent: Any) -> LearnerMark | None:
    """Return the learner's mark, if there is one. Raises BadRequest where it is no mark."""
    match sent:
        case None:
            return None
        case {"at": [int() | float() as x, int() | float() as y]}:
            return MarkedPoint(float(x), float(y))
        case {"part": str(part)}:
            return MarkedPart(part)
    raise BadRequest("This is no place in the image: click it, or name a part.")


def judge(services: Services, item: Any = None) -> dict[str, Any]:
    """Return what the judge says of the wrong fact, in words."""
    services.charge_quota(SpendingPolicy(), lambda: 1)
    view = exercises.exercise_view(services, _read_item(item))
    (opinion,) = exercises.ask_judge(services, [view])
    return {"words": opinion_words(view, opinion)}


def opinion_words(view: ExerciseView, opinion: Opinion) -> str:
    """Return in one or two sentences what the judge answers, and whether it sees the fault."""
    verdict = opinion.verdict
    if verdict.failure:
        return f"The judge {opinion.judge} gave no answer: {verdict.failure}"
    if verdict.answer is None:
        return f"What the judge {opinion.judge} answered could not be read."
    answer = verdict.question.choice(verdict.answer)
    if exercises.sees_fault(view, opinion):
        after = "It sees the mistake."
    elif verdict.state == "correct":
        after = "It misses the mistake: it takes the image for a correct one."
    elif verdict.state == "incorrect":
        after = "It sees that something is wrong, but not what."
    else:
        after = "It cannot tell."
    return f"The judge {opinion.judge} answers “{answer}”. {after}"

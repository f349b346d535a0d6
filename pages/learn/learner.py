"""Serves the learner's panel: exercises, the grade of an answer, the judge's opinion.

Exercises are for practice or of a teacher's set.
"""

import random
from collections.abc import Mapping, Sequence
from typing import Any, cast

from hallascope.components.learn.exercise import ServerFunction, sheet, truth, work
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
from hallascope.engine.services import Services
from hallascope.engine.teaching import classes, exercises
from hallascope.engine.teaching.exercises import ExerciseView, Opinion
from hallascope.pages.shared.server_functions import (
    Answer,
    charge_quota,
    sent_text,
    server_functions,
)
from hallascope.pages.shared.visitor import services_of
from hallascope.primer.teaching import faults
from hallascope.primer.teaching.faults import FIRST, ExerciseCriteria

SERVED = 12  # exercises at a time in practice
NOTHING = "There is no such image: choose another level, composition or category."


# --- what is in the panel -------------------------------------------------------------------------


def first(chance: random.Random | None = None) -> dict[str, Any]:
    """Return what a newcomer starts with: methane with five hydrogens, then two levels."""
    chosen = chance or random.Random()
    others = [
        item
        for item in faults.sample(SERVED, ExerciseCriteria(), chosen)
        if item.prompt != FIRST.prompt
    ]
    return work([FIRST, *others[: SERVED - 1]])


def practice(sent: Mapping[str, Any], chance: random.Random | None = None) -> dict[str, Any]:
    """Return random exercises that meet criteria. Raises BadRequest where there are none."""
    return work(sample(SERVED, sent, chance), wanted=read_criteria(sent))


def read_criteria(sent: Mapping[str, Any]) -> dict[str, str]:
    """Return the criteria that the browser sends, "" where it sends none."""
    return {name: str(sent.get(name) or "") for name in ("level", "coi", "category")}


def sample(
    number: int, sent: Mapping[str, Any], chance: random.Random | None = None
) -> Sequence[LessonItem]:
    """Return random exercises that meet criteria. Raises BadRequest where there are none."""
    items = faults.sample(number, sort_of(read_criteria(sent)), chance or random.Random())
    if not items:
        raise BadRequest(NOTHING)
    return items


def sort_of(criteria: Mapping[str, str]) -> ExerciseCriteria:
    """Return the criteria; unknown values are ignored."""
    level = next((level for level in LEVELS if str(level) == criteria.get("level")), None)
    coi = criteria.get("coi") if criteria.get("coi") in COIS else None
    category = next((each for each in Category if each.value == criteria.get("category")), None)
    return ExerciseCriteria(level, cast("CoI | None", coi), category)


def of_link(token: str) -> dict[str, Any]:
    """Return the panel with the set of a link. Raises BadRequest."""
    lesson = lesson_of(token)
    return work(lesson.items, lesson.title, token)


def lesson_of(token: str) -> Lesson:
    """Return the set of a link. Raises BadRequest."""
    with refuse(BadLesson):
        return read_token(token)


# --- what the browser asks ------------------------------------------------------------------------


def functions(services: Services) -> tuple[ServerFunction, ...]:
    """Return the server functions of the panel, under the names by which it calls them.

    An error comes back as a sentence.
    """
    named: dict[str, Answer] = {
        "begin": lambda sent, _: of_link(sent_text(sent, "set")) if sent.get("set") else first(),
        "show": lambda sent, asker: charge_quota(
            services, asker, 1, lambda: exercise_sheet(services, sent)
        ),
        "check": lambda sent, asker: check_answer(services_of(services, asker), sent),
        "judge": lambda sent, asker: charge_quota(
            services, asker, 1, lambda: judge_opinion(services, _item(sent))
        ),
        "practice": lambda sent, _: practice(sent),
    }
    return server_functions(named)


def _item(sent: Mapping[str, Any]) -> LessonItem:
    with refuse(BadLesson):
        return item_of(sent.get("item"))


def exercise_sheet(services: Services, sent: Mapping[str, Any]) -> dict[str, Any]:
    """Return an exercise before it is answered. Raises BadRequest."""
    view = exercises.exercise_view(services, _item(sent))
    number, total = (
        value if isinstance(value, int) else 0
        for value in (sent.get("position"), sent.get("total"))
    )
    return sheet(view.exercise, view.picture, number, total)


def check_answer(services: Services, sent: Mapping[str, Any]) -> dict[str, Any]:
    """Grade an answer and return the truth; it is stored where the learner is named.

    Raises BadRequest.
    """
    view = exercises.exercise_view(services, _item(sent))
    chosen = sent.get("chosen")
    if not isinstance(chosen, int) or not 0 <= chosen < len(view.exercise.facts):
        raise BadRequest("This is no answer: choose one of the facts.")
    lesson = lesson_of(token) if (token := sent_text(sent, "token")) else None
    result = grade(view.exercise, mark_of(sent.get("mark")), chosen)
    name = classes.learner(sent.get("name"))
    classes.keep(
        services=services,
        lesson=lesson,
        position=_position(lesson, sent),
        item=_item(sent),
        name=name,
        grade=result,
    )
    standing = classes.learner_result(services, lesson, name).sentence if name else ""
    return {"place": result.place, "fact": result.fact, "standing": standing, **truth_fields(view)}


def truth_fields(view: ExerciseView) -> dict[str, Any]:
    """Return the truth of an exercise: which fact, and the viewer's HTML."""
    return {
        "answer": view.exercise.wrong,
        "viewer": truth(view.exercise, view.picture, view.right),
    }


def _position(lesson: Lesson | None, sent: Mapping[str, Any]) -> int:
    """Return the place in the set. Raises BadRequest where the exercise does not stand there."""
    place = sent.get("position")
    if lesson is None:
        return 0
    if (
        not isinstance(place, int)
        or not 0 <= place < len(lesson.items)
        or lesson.items[place] != _item(sent)
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


def judge_opinion(services: Services, item: LessonItem) -> dict[str, Any]:
    """Return what the judge says of the wrong fact, in words."""
    view = exercises.exercise_view(services, item)
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

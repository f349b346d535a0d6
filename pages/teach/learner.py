"""Runs the learner's desk: exercises, what is right of an answer, what the judge says.

Exercises are in practice or of a teacher's set; it has no layout.
"""

import random
from collections.abc import Callable, Mapping
from typing import Any, cast

import gradio as gr

from hallascope.components.teach.exercise import ServerFunction, sheet, truth, work
from hallascope.data.records import COIS, Category, CoI
from hallascope.data.teaching.exercise import (
    LEVELS,
    ExerciseLevel,
    LearnerMark,
    MarkedPart,
    MarkedPoint,
    grade,
)
from hallascope.data.teaching.lesson import BadLesson, Lesson, LessonItem, item_of, read_token
from hallascope.engine.errors import BadRequest, HallaScopeError, sentence
from hallascope.engine.services import Services
from hallascope.engine.teaching import classes, exercises
from hallascope.engine.teaching.exercises import ExerciseView, Opinion
from hallascope.pages.shared.visitor import visitor_id
from hallascope.primer.teaching import faults
from hallascope.primer.teaching.faults import FIRST, ExerciseCriteria

SERVED = 12  # exercises at a time in practice
NOTHING = "There is no such picture: choose another level, composition or category."


# --- what is on the desk
# --------------------------------------------------------------------------------------------------


def first(chance: random.Random | None = None) -> dict[str, Any]:
    """What a newcomer begins with: methane with five hydrogens, then the first two levels."""
    chosen = chance or random.Random()
    others = [
        item
        for item in faults.sample(SERVED, ExerciseCriteria(), chosen)
        if item.prompt != FIRST.prompt
    ]
    return work([FIRST, *others[: SERVED - 1]])


def practice(wanted: Mapping[str, Any], chance: random.Random | None = None) -> dict[str, Any]:
    """Exercises of a sort by chance. Raises BadRequest where there are none."""
    said = {name: str(wanted.get(name) or "") for name in ("level", "coi", "category")}
    items = faults.sample(SERVED, sort_of(said), chance or random.Random())
    if not items:
        raise BadRequest(NOTHING)
    return work(items, wanted=said)


def sort_of(said: Mapping[str, str]) -> ExerciseCriteria:
    """What is wanted, in words; what is unknown is not asked for."""
    number = int(said["level"]) if said.get("level") in [str(level) for level in LEVELS] else None
    coi = said.get("coi") if said.get("coi") in COIS else None
    category = next((one for one in Category if one.value == said.get("category")), None)
    return ExerciseCriteria(cast("ExerciseLevel | None", number), cast("CoI | None", coi), category)


def of_link(token: str) -> dict[str, Any]:
    """The desk with the set of a link. Raises BadRequest."""
    found = lesson_of(token)
    return work(found.items, found.title, token)


def lesson_of(token: str) -> Lesson:
    """The set of a link. Raises BadRequest."""
    try:
        return read_token(token)
    except BadLesson as error:
        raise BadRequest(sentence(error)) from error


# --- what the browser asks
# --------------------------------------------------------------------------------------------------


def functions(services: Services) -> tuple[ServerFunction, ...]:
    """What the desk asks the server, under the names it asks for.

    What is wrong comes back as a sentence.
    """

    def begin(said: dict[str, Any]) -> dict[str, Any]:
        return result_or_error(
            lambda: of_link(_text(said, "set")) if _text(said, "set") else first()
        )

    def show(said: dict[str, Any], asker: gr.Request) -> dict[str, Any]:
        return result_or_error(
            lambda: charge_quota(
                services, asker, 1, lambda: _sheet(exercises.exercise_view(services, _item(said)))
            )
        )

    def check(said: dict[str, Any]) -> dict[str, Any]:
        return result_or_error(lambda: check_answer(services, said))

    def judge(said: dict[str, Any], asker: gr.Request) -> dict[str, Any]:
        return result_or_error(
            lambda: charge_quota(services, asker, 1, lambda: judge_opinion(services, _item(said)))
        )

    def practice_(said: dict[str, Any]) -> dict[str, Any]:
        return result_or_error(lambda: practice(said))

    practice_.__name__ = "practice"
    return begin, show, check, judge, practice_


def result_or_error(ask: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    """What was asked for, or one sentence why not."""
    try:
        return ask()
    except HallaScopeError as error:
        return {"wrong": str(error)}
    except BadLesson as error:
        return {"wrong": sentence(error)}


def charge_quota(
    services: Services, asker: gr.Request | None, number: int, ask: Callable[[], dict[str, Any]]
) -> dict[str, Any]:
    """The same, after so many pictures are counted for the visitor of a public app.

    Raises OverLimit.
    """
    services.allowance.take(visitor_id(asker) if asker else "", number)
    return ask()


def _text(said: Any, name: str) -> str:
    found = said.get(name) if isinstance(said, dict) else None
    return found if isinstance(found, str) else ""


def _item(said: Any) -> LessonItem:
    try:
        return item_of(said.get("item") if isinstance(said, dict) else None)
    except BadLesson as error:
        raise BadRequest(sentence(error)) from error


def _sheet(found: ExerciseView) -> dict[str, Any]:
    return sheet(found.exercise, found.picture)


def check_answer(services: Services, said: dict[str, Any]) -> dict[str, Any]:
    """What an answer is worth, with the truth; it is kept where the learner is named.

    Raises BadRequest.
    """
    found = exercises.exercise_view(services, _item(said))
    chosen = said.get("chosen")
    if not isinstance(chosen, int) or not 0 <= chosen < len(found.exercise.facts):
        raise BadRequest("This is no answer: choose one of the facts.")
    lesson = lesson_of(token) if (token := _text(said, "token")) else None
    worth = grade(found.exercise, mark_of(said.get("mark")), chosen)
    name = classes.learner(said.get("name"))
    classes.keep(
        services=services,
        lesson=lesson,
        position=_position(lesson, said),
        item=_item(said),
        name=name,
        grade=worth,
    )
    standing = classes.standing(services, lesson, name)._asdict() if name else None
    return {"place": worth.place, "fact": worth.fact, "standing": standing, **truth_fields(found)}


def truth_fields(found: ExerciseView) -> dict[str, Any]:
    """The truth of an exercise: which fact, and the viewer's HTML."""
    return {
        "answer": found.exercise.wrong,
        "viewer": truth(found.exercise, found.picture, found.right),
    }


def _position(lesson: Lesson | None, said: Mapping[str, Any]) -> int:
    """The place in the set. Raises BadRequest where the exercise does not stand there."""
    place = said.get("position")
    if lesson is None:
        return 0
    if (
        not isinstance(place, int)
        or not 0 <= place < len(lesson.items)
        or lesson.items[place] != _item(said)
    ):
        raise BadRequest("This exercise is not of this set: open the link anew.")
    return place


def mark_of(said: Any) -> LearnerMark | None:
    """The learner's mark; None where there is none. Raises BadRequest where it is no mark."""
    match said:
        case None:
            return None
        case {"at": [int() | float() as x, int() | float() as y]}:
            return MarkedPoint(float(x), float(y))
        case {"part": str(part)}:
            return MarkedPart(part)
    raise BadRequest("This is no place in the picture: click it, or name a part.")


def judge_opinion(services: Services, item: LessonItem) -> dict[str, Any]:
    """What the judge says of the wrong fact, in words."""
    found = exercises.exercise_view(services, item)
    (opinion,) = exercises.ask_judge(services, [found])
    return {"words": opinion_words(found, opinion)}


def opinion_words(found: ExerciseView, opinion: Opinion) -> str:
    """One or two sentences: what the judge answers, and whether it sees the fault."""
    verdict = opinion.verdict
    if verdict.failure:
        return f"The judge {opinion.judge} gave no answer: {verdict.failure}"
    if verdict.answer is None:
        return f"What the judge {opinion.judge} answered could not be read."
    answer = verdict.question.choice(verdict.answer)
    if exercises.saw(found, opinion):
        after = "It sees the fault."
    elif verdict.state == "correct":
        after = "It does not see the fault, and takes the picture for a right one."
    else:
        after = (
            "It sees that something is wrong, but not what."
            if verdict.state == "incorrect"
            else "It cannot tell."
        )
    return f"The judge {opinion.judge} answers “{answer}”. {after}"

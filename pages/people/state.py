"""Turns stored pictures into one rater's desk and back; tested without Gradio.

It also sets what people and judges said beside each other.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal

from hallascope.components.people.agreement import RatingStrip
from hallascope.components.people.labelling import (
    LabelingQuestion,
    LabelingTask,
    SaveResult,
    sheets,
)
from hallascope.data.files.human_verdicts import CANNOT_BE_TOLD, GRADES
from hallascope.engine import ratings
from hallascope.engine.errors import BadRequest, HallaScopeError
from hallascope.engine.judge_eval.people import People, SourcedScore
from hallascope.engine.ratings import Rateable
from hallascope.engine.services import Services

Mode = Literal["questions", "grade", "check"]
MODES: Mapping[Mode, str] = {
    "questions": "Five questions, blind",
    "grade": "Grade 1 to 7",
    "check": "Check a judge",
}
GRADE_TEXT = "How well does the picture show what it was to show?"
GRADE_WORDS = (
    "1: nothing of it",
    "2: most of it is missing or wrongly placed",
    "3: something is missing or wrongly placed",
    "4: all is there, but many properties are wrong",
    "5: all is there, but a property or two is wrong",
    "6: all is right, but there is more than was asked for",
    "7: all is right",
)
NOTHING = {
    "questions": (
        "There are no pictures with questions here: generate some on the Explore tab first."
    ),
    "grade": "There are no pictures here: generate some on the Explore tab first.",
    "check": (
        "No judge has answered questions about these pictures yet: generate and judge some on the"
        " Explore tab first."
    ),
}


def rating_view(services: Services, who: str | None, mode: Mode, run: str | None) -> dict[str, Any]:
    """What the desk shows to one rater, open where they left off.

    Raises BadRequest where nobody is named, or there is nothing to rate.
    """
    rater = ratings.rater_named(who)
    found = ratings.rateable(services, run, rater)
    items, shown, answers = _work(services, found, mode, rater)
    if not items:
        raise BadRequest(NOTHING[mode])
    return sheets(shown, answers, {"rater": rater, "mode": mode})


def _work(
    services: Services, found: Sequence[Rateable], mode: Mode, rater: str
) -> tuple[Sequence[Rateable], list[LabelingTask], Sequence[Sequence[str | None]]]:
    """The pictures of a mode, as sheets, with the rater's answers so far."""
    if mode == "grade":
        asked = LabelingQuestion(GRADE_TEXT, GRADE_WORDS, (*GRADES, CANNOT_BE_TOLD))
        return (
            found,
            [_sheet(n, one, (asked,), one.prompt) for n, one in enumerate(found, 1)],
            ratings.grades(services, found, rater),
        )
    judged = ratings.judge_answers(services, found) if mode == "check" else {}
    kept = [one for one in found if one.questions and (mode == "questions" or one.id in judged)]
    shown = [_sheet(n, one, _questions(one, judged.get(one.id))) for n, one in enumerate(kept, 1)]
    return kept, shown, ratings.answers(services, kept, rater, checking=mode == "check")


def _questions(one: Rateable, judged: Sequence[str | None] | None) -> tuple[LabelingQuestion, ...]:
    said = judged or [None] * len(one.questions)
    return tuple(
        LabelingQuestion(question.text, question.choices, judged=mark)
        for question, mark in zip(one.questions, said, strict=True)
    )


def _sheet(
    number: int, one: Rateable, questions: tuple[LabelingQuestion, ...], caption: str = ""
) -> LabelingTask:
    return LabelingTask(
        one.id,
        str(number),
        one.picture.path,
        questions,
        f"It was to show: {caption}" if caption else "",
    )


def saver(services: Services) -> Callable[[dict[str, Any]], SaveResult]:
    """What keeps the answers to one picture, as the desk sends them, with who gave them."""

    def save(given: dict[str, Any]) -> SaveResult:
        who = given.get("who")
        marks = given.get("answers")
        try:
            if not isinstance(who, dict) or not isinstance(marks, list):
                raise BadRequest("These are no answers: open the page anew.")
            rater = ratings.rater_named(str(who.get("rater") or ""))
            item = ratings.named_by(services, str(given.get("id")))
            if who.get("mode") == "grade":
                ratings.grade(services, item, marks, rater)
            else:
                ratings.answer(services, item, marks, rater, checking=who.get("mode") == "check")
        except HallaScopeError as sentence:
            return {"wrong": str(sentence)}
        return {}

    return save


# --- beside the judges
# --------------------------------------------------------------------------------------------------


def strips(found: People) -> list[RatingStrip]:
    """Return by model its pictures' scores by every rater, and the judges' own beneath them.

    The judges' are of the same pictures.
    """
    by_people, by_judges = found.scores()
    models = dict.fromkeys(one.model for one in by_people)
    return [_strip(model, by_people, by_judges) for model in models]


def _strip(
    model: str, by_people: Sequence[SourcedScore], by_judges: Sequence[SourcedScore]
) -> RatingStrip:
    dots = tuple((one.by, one.value) for one in by_people if one.model == model)
    judges = dict.fromkeys(one.by for one in by_judges if one.model == model)
    stars = {
        judge: _mean([one.value for one in by_judges if one.model == model and one.by == judge])
        for judge in judges
    }
    return RatingStrip(model, dots, stars)


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)

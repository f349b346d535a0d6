"""Turns stored pictures into one rater's tasks, and the rater's answers into verdicts."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import fmean
from typing import Any, Literal

from hallascope.components.labels.agreement import RatingStrip
from hallascope.components.labels.labeling import (
    labeling_work,
    question_fields,
    task_fields,
)
from hallascope.data.files.human_verdicts import CANNOT_BE_TOLD, GRADES
from hallascope.engine import ratings
from hallascope.engine.errors import BadRequest
from hallascope.engine.human_agreement import factual_form
from hallascope.engine.judge_eval.people import People, SourcedScore
from hallascope.engine.ratings import Rateable
from hallascope.engine.services import Services
from hallascope.pages.shared.server_functions import SentText

Mode = Literal["questions", "grade", "check", "factualbench"]
MODES: Mapping[Mode, str] = {
    "questions": "Five questions",
    "grade": "Grade 1 to 7",
    "check": "Check a judge",
    "factualbench": "Rate by T2I-FactualBench",
}
KINDS = {
    "questions": ratings.ANSWERS,
    "grade": ratings.GRADED,
    "check": ratings.CHECKS,
    "factualbench": factual_form.FORM_RATINGS,
}
GRADE_TEXT = "How well does the image show the prompt?"
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
        "There are no images with questions here: generate some on the Evaluate tab first."
    ),
    "grade": "There are no images here: generate some on the Evaluate tab first.",
    "check": (
        "No judge has answered questions about these images yet: generate and judge some on the"
        " Evaluate tab first."
    ),
    "factualbench": (
        "No image here was judged by T2I-FactualBench yet: choose this metric on the Evaluate tab,"
        " and generate images or upload one."
    ),
}


def rating_view(services: Services, who: str | None, mode: Mode, run: str | None) -> dict[str, Any]:
    """Return what the panel shows to one rater, from where they left off.

    Raises BadRequest where nobody is named, or there is nothing to rate.
    """
    rater = ratings.clean_rater_name(who)
    items, tasks = _work(services, mode, rater, run)
    if not items:
        raise BadRequest(NOTHING[mode])
    answers = ratings.read_marks(services, items, rater, KINDS[mode])
    return labeling_work(tasks, answers, {"rater": rater, "mode": mode})


def _work(
    services: Services, mode: Mode, rater: str, run: str | None
) -> tuple[Sequence[Rateable], list[dict[str, Any]]]:
    """Return the pictures of a mode with their tasks. Raises UnknownRun."""
    if mode == "factualbench":
        pictures = ratings.rateable_pictures(services, run, rater, lambda item: bool(item.factual))
        items = [item for item in pictures if item.factual]
        return items, [_factual_sheet(n, each) for n, each in enumerate(items, 1)]
    pictures = ratings.rateable_pictures(services, run, rater)
    if mode == "grade":
        question = question_fields(GRADE_TEXT, GRADE_WORDS, (*GRADES, CANNOT_BE_TOLD))
        return pictures, [
            _sheet(n, each, [question], each.prompt) for n, each in enumerate(pictures, 1)
        ]
    judged = ratings.judge_answers(services, pictures) if mode == "check" else {}
    items = [
        each for each in pictures if each.questions and (mode == "questions" or each.id in judged)
    ]
    return items, [
        _sheet(n, each, _questions(each, judged.get(each.id))) for n, each in enumerate(items, 1)
    ]


def _factual_sheet(number: int, item: Rateable) -> dict[str, Any]:
    questions = [
        question_fields(
            question.text, question.choices.values(), (*question.choices, CANNOT_BE_TOLD)
        )
        for question in (factual_form.form_questions(item.factual) if item.factual else ())
    ]
    references = [
        (concept.name, concept.reference.path)
        for concept in (item.factual.concepts if item.factual else ())
        if concept.reference
    ]
    return _sheet(number, item, questions, item.prompt, references)


def _questions(picture: Rateable, answers: Sequence[str | None] | None) -> list[dict[str, Any]]:
    marks = answers or [None] * len(picture.questions)
    return [
        question_fields(question.text, question.choices, judged=mark)
        for question, mark in zip(picture.questions, marks, strict=True)
    ]


def _sheet(
    number: int,
    picture: Rateable,
    questions: list[dict[str, Any]],
    caption: str = "",
    references: Sequence[tuple[str, Path]] = (),
) -> dict[str, Any]:
    return task_fields(
        picture.id,
        str(number),
        picture.picture.path,
        questions,
        f"Prompt: {caption}" if caption else "",
        references=references,
    )


def save(
    services: Services,
    who: dict[str, SentText],
    answers: Sequence[Any],
    id: SentText = "",
    removed: Sequence[int] = (),
) -> dict[str, str]:
    """Keep the answers to one picture, with who gave them, as the panel sends them.

    Raises BadRequest, UnknownRun.
    """
    rater = ratings.clean_rater_name(who.get("rater"))
    item = ratings.find_rateable(services, id)
    kind = KINDS.get(who.get("mode", ""), ratings.ANSWERS)
    ratings.keep_marks(services, item, answers, rater, kind)
    for question in removed:
        ratings.remove_mark(services, item, question, rater, kind)
    return {}


# --- beside the judges ----------------------------------------------------------------------------


def strips(people: People) -> list[RatingStrip]:
    """Return by model the scores of its pictures by every rater, and by the judges."""
    by_people, by_judges = people.scores()
    models = dict.fromkeys(score.model for score in by_people)
    return [_strip(model, by_people, by_judges) for model in models]


def _strip(
    model: str, by_people: Sequence[SourcedScore], by_judges: Sequence[SourcedScore]
) -> RatingStrip:
    dots = tuple((score.by, score.value) for score in by_people if score.model == model)
    by_judge: dict[str, list[float]] = {}
    for score in by_judges:
        if score.model == model:
            by_judge.setdefault(score.by, []).append(score.value)
    return RatingStrip(model, dots, {judge: fmean(values) for judge, values in by_judge.items()})

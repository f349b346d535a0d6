"""Makes exercises with pictures from the items of a set, and asks a judge about them.

A drawn one knows its truth, a kept one a verdict.
"""

import io
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from hallascope.data.files.label_folder import CANNOT_BE_TOLD
from hallascope.data.records import Picture, Question, Verdict
from hallascope.data.teaching.exercise import Exercise
from hallascope.data.teaching.lesson import BadLesson, LessonItem, RunItem
from hallascope.engine.errors import BadRequest, refuse
from hallascope.engine.events import GeneratedPicture
from hallascope.engine.run import driver_events
from hallascope.engine.run.result import RunResult
from hallascope.engine.services import Services
from hallascope.engine.storage.people.ratings import IHALLA, QUESTION
from hallascope.metrics.base import Case
from hallascope.metrics.ihalla import plan
from hallascope.primer.drawing.parts import Drawing
from hallascope.primer.teaching import exercises as primer

# px of the pictures
SIDE = 512
JUDGE = "primer/judge"


class Opinion(NamedTuple):
    """Holds what a judge says of the wrong fact."""

    judge: str
    verdict: Verdict


@dataclass(frozen=True)
class ExerciseView:
    """Holds an exercise with its picture; `right`: the picture as it should be, if it can be drawn.

    `opinion`: what a judge has said already.
    """

    exercise: Exercise
    picture: Picture
    right: Picture | None = None
    opinion: Opinion | None = None


def exercise_view(services: Services, item: LessonItem) -> ExerciseView:
    """Return the exercise of an item; its pictures are kept in the store.

    Raises BadRequest where there is none.
    """
    with refuse(BadLesson):
        if isinstance(item, RunItem):
            return _view_of_run(services, item)
        drawn = primer.make_exercise(item)
    shown = keep_drawing(services, drawn.shown)
    return ExerciseView(drawn.exercise, shown, keep_drawing(services, drawn.right))


def keep_drawing(services: Services, drawing: Drawing) -> Picture:
    """Keep the pixels of a drawing in the store."""
    stream = io.BytesIO()
    drawing.image(SIDE).save(stream, "PNG")
    return services.store.keep_image(stream.getvalue())


# --- pictures of a run
# --------------------------------------------------------------------------------------------------


class RunMistake(NamedTuple):
    """Holds a question that a picture of a run answers wrongly: as `by` says."""

    item: RunItem
    words: str
    question: Question
    answer: str
    by: str
    opinion: Opinion | None = None


class _WrongAnswer(NamedTuple):
    """Holds the wrong answer that a picture gives to a question, and who says so."""

    answer: str
    by: str


class _PersonAnswer(NamedTuple):
    """Holds what a person answered to a question about a picture, in words."""

    question: str
    answer: str
    person: str


def faults(services: Services, run: str) -> list[RunMistake]:
    """Return all that is wrong in the pictures of a run, as the drawing, people or a judge say.

    Raises UnknownRun.
    """
    view = services.view(run)
    return [fault for shot in view.shots if shot.picture for fault in _faults(services, view, shot)]


def _faults(services: Services, view: RunResult, shot: GeneratedPicture) -> Iterator[RunMistake]:
    """Yield a picture's faults, one a question."""
    truth = services.store.truth(shot.image) if shot.image else None
    people = list(_people_answers(services, view, shot))
    opinions = {opinion.verdict.question.text: opinion for opinion in _opinions(view, shot)}
    for question in view.questions:
        opinion = opinions.get(question.text)
        wrong = _wrong_answer(question, truth, people, opinion)
        if wrong:
            yield RunMistake(
                item=RunItem(view.run, shot.generation, question.text),
                words=f"{shot.model}, seed {shot.seed}: {question.text} {wrong.answer}",
                question=question,
                answer=wrong.answer,
                by=wrong.by,
                opinion=opinion,
            )


def _wrong_answer(
    question: Question,
    truth: Mapping[str, Any] | None,
    people: Sequence[_PersonAnswer],
    opinion: Opinion | None,
) -> _WrongAnswer | None:
    """Return the wrong answer that the picture gives; None where it is right, or nobody knows.

    Where the drawing is known, it alone says what is wrong; people's answers go before the judge's.
    """
    gold = question.choice(question.gold)
    if truth and "values" in truth:
        drawn = primer.drawn_answer(truth["prompt"], truth["values"], question.text)
        return _WrongAnswer(drawn, "the drawing") if drawn and drawn != gold else None
    for own in people:
        if own.question == question.text:
            is_wrong = own.answer not in (gold, CANNOT_BE_TOLD)
            return _WrongAnswer(own.answer, own.person or "a person") if is_wrong else None
    if opinion and opinion.verdict.state == "incorrect" and opinion.verdict.answer:
        return _WrongAnswer(question.choice(opinion.verdict.answer), opinion.judge)
    return None


def _opinions(view: RunResult, shot: GeneratedPicture) -> Iterator[Opinion]:
    """Yield what I-HallA's judge said of a picture in the first trial."""
    for evaluation in view.evaluations:
        key = (evaluation.generation, evaluation.metric, evaluation.trial)
        if key == (shot.generation, IHALLA, 0):
            for verdict in evaluation.report.verdicts:
                yield Opinion(evaluation.judge or "", verdict)


def _people_answers(
    services: Services, view: RunResult, shot: GeneratedPicture
) -> Iterator[_PersonAnswer]:
    ratings = services.store.ratings.for_picture(str(shot.image), IHALLA, view.request.prompt)
    for finding, answer_by_person in ratings.items():
        if finding.startswith(QUESTION):
            for person, answer in answer_by_person.items():
                yield _PersonAnswer(finding.removeprefix(QUESTION), answer, person)


def _view_of_run(services: Services, item: RunItem) -> ExerciseView:
    view = services.view(item.run)
    shot = next((shot for shot in view.shots if shot.generation == item.picture), None)
    if shot is None or shot.picture is None:
        raise BadRequest(
            "The image of this exercise is not in the store: open the set where its run was made."
        )
    of_picture = list(_faults(services, view, shot))
    fault = next((fault for fault in of_picture if fault.item == item), None)
    if fault is None:
        raise BadRequest(
            "Nobody says any longer that this image is wrong in this: take the exercise out of"
            " the set."
        )
    other_faults = {fault.question.text for fault in of_picture} - {item.question}
    exercise = _exercise(view, fault, other_faults)
    truth = services.store.truth(str(shot.image))
    if not truth or "values" not in truth:
        return ExerciseView(exercise, shot.picture, None, fault.opinion)
    located, right = primer.locate_fault(
        exercise, truth["prompt"], truth["values"], truth["chance"]
    )
    return ExerciseView(located, shot.picture, keep_drawing(services, right), fault.opinion)


def _exercise(view: RunResult, fault: RunMistake, other_faults: set[str]) -> Exercise:
    """Return the wrong question among those that the picture answers as it should.

    Its place is not known.
    """
    facts = [question.text for question in view.questions if question.text not in other_faults]
    gold = fault.question.choice(fault.question.gold)
    return Exercise(
        prompt=view.request.prompt,
        facts=tuple(map(primer.plain, facts)),
        wrong=facts.index(fault.question.text),
        question=fault.question,
        shown=fault.answer,
        truth=gold,
        why=(
            f"{primer.plain(fault.question.text)} In this image: {primer.small(fault.answer)}. It"
            f" should be: {primer.small(gold)}."
        ),
        source=fault.by,
    )


# --- the judge
# --------------------------------------------------------------------------------------------------


def ask_judge(
    services: Services, views: Sequence[ExerciseView], judge: str = JUDGE
) -> list[Opinion]:
    """Return what a judge answers to each wrong fact; what it said before is not asked again.

    Raises what `Services.evaluate` raises.
    """
    opinions = {i: view.opinion for i, view in enumerate(views) if view.opinion}
    if len(opinions) < len(views):
        lineup, runner, _ = services.bind([(judge, "judge")])
        for i, view in enumerate(views):
            if i not in opinions:
                case = Case(
                    prompt=view.exercise.prompt,
                    image=view.picture,
                    questions=(replace(view.exercise.question, regions=()),),
                )
                runner.add(i, plan.plan(case), lineup, readable=plan.readable)
        for event in runner.events():
            if isinstance(event, driver_events.PlanResult):
                opinions[int(str(event.key))] = Opinion(judge, event.result.verdicts[0])
    return [opinions[i] for i in range(len(views))]


def sees_fault(view: ExerciseView, opinion: Opinion) -> bool | None:
    """Return whether the judge sees the fault: it answers as the picture does.

    None where it gives no answer.
    """
    verdict = opinion.verdict
    if verdict.answer is None:
        return None
    return verdict.question.choice(verdict.answer) == view.exercise.shown

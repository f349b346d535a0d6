"""From an item of a set to its exercise with pictures, and what a judge says of it.

A drawn one knows its truth, a kept one a verdict.
"""

import io
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from hallascope.data.files.label_folder import CANNOT_BE_TOLD
from hallascope.data.records import Picture, Question, Verdict
from hallascope.data.teaching.exercise import Exercise
from hallascope.data.teaching.lesson import BadLesson, DrawnItem, LessonItem, RunItem
from hallascope.engine.errors import BadRequest, sentence
from hallascope.engine.events import Evaluation, GeneratedPicture, RunView
from hallascope.engine.ratings import IHALLA, QUESTION
from hallascope.engine.run import driver
from hallascope.engine.services import Services
from hallascope.metrics.base import Case
from hallascope.metrics.ihalla import plan
from hallascope.primer.drawing.parts import Drawing
from hallascope.primer.teaching import exercises as primer

SIDE = 512  # px of the pictures
JUDGE = "primer/judge"


@dataclass(frozen=True)
class ExerciseView:
    """An exercise with its picture; `right`: the picture as it should be, where it can be drawn.

    `said`: a verdict that is there.
    """

    exercise: Exercise
    picture: Picture
    right: Picture | None = None
    said: "Opinion | None" = None


class Opinion(NamedTuple):
    """What a judge says of the wrong fact."""

    judge: str
    verdict: Verdict


def exercise_view(services: Services, item: LessonItem) -> ExerciseView:
    """The exercise of an item; its pictures are kept in the store.

    Raises BadRequest where there is none.
    """
    try:
        return (
            _view_of_drawn(services, item)
            if isinstance(item, DrawnItem)
            else _view_of_kept(services, item)
        )
    except BadLesson as error:
        raise BadRequest(sentence(error)) from error


def _view_of_drawn(services: Services, item: DrawnItem) -> ExerciseView:
    made = primer.make_exercise(item)
    return ExerciseView(
        made.exercise, keep_drawing(services, made.shown), keep_drawing(services, made.right)
    )


def keep_drawing(services: Services, drawing: Drawing) -> Picture:
    """The pixels of a drawing, kept in the store."""
    stream = io.BytesIO()
    drawing.image(SIDE).save(stream, "PNG")
    return services.store.keep_image(stream.getvalue())


# --- pictures of a run
# --------------------------------------------------------------------------------------------------


class RunMistake(NamedTuple):
    """A question that a picture of a run answers wrongly: as `by` says."""

    item: RunItem
    words: str
    question: Question
    answer: str
    by: str
    opinion: Opinion | None = None


def faults(services: Services, run: str) -> list[RunMistake]:
    """Everything that is wrong in the pictures of a run, as the drawing, people or a judge say.

    Raises UnknownRun.
    """
    view = services.view(run)
    return [fault for shot in view.shots if shot.picture for fault in _faults(services, view, shot)]


def _faults(services: Services, view: RunView, shot: GeneratedPicture) -> Iterator[RunMistake]:
    """Return a picture's faults, one a question; people's answers go before the judge's.

    Where the drawing is known, it alone says what is wrong.
    """
    truth = services.store.truth(shot.image) if shot.image else None
    said = {o.verdict.question.text: o for o in _opinions(view, shot)}
    for question in view.questions:
        opinion = said.get(question.text)
        answer, by = _wrong(
            services=services, view=view, shot=shot, question=question, opinion=opinion, truth=truth
        )
        if answer:
            item = RunItem(view.run, shot.generation, question.text)
            yield RunMistake(
                item=item,
                words=f"{shot.model}, seed {shot.seed}: {question.text} {answer}",
                question=question,
                answer=answer,
                by=by,
                opinion=opinion,
            )


def _wrong(
    services: Services,
    view: RunView,
    shot: GeneratedPicture,
    question: Question,
    opinion: Opinion | None,
    *,
    truth: Mapping[str, Any] | None,
) -> tuple[str, str]:
    """The wrong answer that the picture gives, and who says so.

    "" where it is right, or nobody knows.
    """
    gold = question.choice(question.gold)
    if truth and "values" in truth:
        found = primer.drawn_answer(truth["prompt"], truth["values"], question.text)
        return (found, "the drawing") if found not in (None, gold) and found else ("", "")
    for about, value, who in _people(services, view, shot):
        if about == question.text:
            return (value, who or "a person") if value not in (gold, CANNOT_BE_TOLD) else ("", "")
    if opinion and opinion.verdict.state == "incorrect" and opinion.verdict.answer:
        return question.choice(opinion.verdict.answer), opinion.judge
    return "", ""


def _opinions(view: RunView, shot: GeneratedPicture) -> Iterator[Opinion]:
    """What I-HallA's judge said of a picture in the first trial."""
    of_shot = [
        e
        for e in view.evaluations
        if (e.generation, e.metric, e.trial) == (shot.generation, IHALLA, 0)
    ]
    said: Evaluation
    for said in of_shot:
        yield from (Opinion(said.judge or "", verdict) for verdict in said.report.verdicts)


def _people(
    services: Services, view: RunView, shot: GeneratedPicture
) -> Iterator[tuple[str, str, str]]:
    """What people answered of a picture: the question, the answer in words, who."""
    told = services.store.ratings.for_picture(str(shot.image), IHALLA, view.request.prompt)
    for finding, by in told.items():
        if finding.startswith(QUESTION):
            yield from ((finding.removeprefix(QUESTION), value, who) for who, value in by.items())


def _view_of_kept(services: Services, item: RunItem) -> ExerciseView:
    view = services.view(item.run)
    shot = next((one for one in view.shots if one.generation == item.picture), None)
    if shot is None or shot.picture is None:
        raise BadRequest(
            "The picture of this exercise is not in the store: open the set where its run was made."
        )
    all_wrong = list(_faults(services, view, shot))
    fault = next((one for one in all_wrong if one.item == item), None)
    if fault is None:
        raise BadRequest(
            "Nobody says any longer that this picture is wrong in this: take the exercise out of"
            " the set."
        )
    exercise = _exercise(view, fault, {one.question.text for one in all_wrong})
    truth = services.store.truth(str(shot.image))
    if not truth or "values" not in truth:
        return ExerciseView(exercise, shot.picture, None, fault.opinion)
    located, right = primer.locate_fault(
        exercise, truth["prompt"], truth["values"], truth["chance"]
    )
    return ExerciseView(located, shot.picture, keep_drawing(services, right), fault.opinion)


def _exercise(view: RunView, fault: RunMistake, wrong: set[str]) -> Exercise:
    """The wrong question among those that the picture answers as it should.

    Its place is not known.
    """
    facts = [
        question.text
        for question in view.questions
        if question.text not in wrong or question.text == fault.question.text
    ]
    gold = fault.question.choice(fault.question.gold)
    return Exercise(
        prompt=view.request.prompt,
        facts=tuple(map(primer.plain, facts)),
        wrong=facts.index(fault.question.text),
        question=fault.question,
        shown=fault.answer,
        truth=gold,
        why=(
            f"{primer.plain(fault.question.text)} In this picture: {primer.small(fault.answer)}. It"
            f" should be: {primer.small(gold)}."
        ),
        source=fault.by,
    )


# --- the judge
# --------------------------------------------------------------------------------------------------


def ask_judge(
    services: Services, found: Sequence[ExerciseView], judge: str = JUDGE
) -> list[Opinion]:
    """What a judge answers to each wrong fact; what it said before is not asked again.

    Raises what `Services.evaluate` raises.
    """
    asked = [i for i, one in enumerate(found) if one.said is None]
    said: dict[int, Opinion] = {}
    if asked:
        seats, runner, _ = services.bind([(judge, "judge")])
        for i in asked:
            case = Case(
                prompt=found[i].exercise.prompt,
                image=found[i].picture,
                questions=(replace(found[i].exercise.question, regions=()),),
            )
            runner.add(i, plan.plan(case), seats, readable=plan.readable)
        said = {
            int(str(e.key)): Opinion(judge, e.result.verdicts[0])
            for e in runner.events()
            if isinstance(e, driver.PlanResult)
        }
    return [one.said or said[i] for i, one in enumerate(found)]


def saw(found: ExerciseView, opinion: Opinion) -> bool | None:
    """Whether the judge sees the fault: it answers as the picture does.

    None where it gives no answer.
    """
    verdict = opinion.verdict
    if verdict.answer is None:
        return None
    return verdict.question.choice(verdict.answer) == found.exercise.shown

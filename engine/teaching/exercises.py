"""Makes exercises with pictures from the items of a set, and asks a judge about them.

A drawn one knows its truth, a kept one a verdict. A judge is also asked about a drawing whose facts
a person has changed: what it shows is known exactly, so each answer says whether the judge sees the
error.
"""

import io
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, NamedTuple

from hallascope.data.files.label_folder import CANNOT_BE_TOLD
from hallascope.data.records import Picture, Question, Verdict
from hallascope.data.teaching.exercise import Exercise
from hallascope.data.teaching.lesson import BadLesson, LessonItem, RunItem
from hallascope.engine.errors import BadRequest, UnknownRun, refuse
from hallascope.engine.events import GeneratedPicture
from hallascope.engine.images.true_answers import stored_drawing
from hallascope.engine.judge_eval.harness import plan_results
from hallascope.engine.run.result import RunResult
from hallascope.engine.services import Services
from hallascope.engine.storage.people.ratings import IHALLA, QUESTION
from hallascope.metrics.base import Case
from hallascope.metrics.ihalla import plan
from hallascope.metrics.true_answers import JudgeOutcome, fact_outcome
from hallascope.primer.drawing.parts import Drawing
from hallascope.primer.teaching import exercises as primer
from hallascope.primer.teaching.alterations import Alteration, draw_alteration
from hallascope.primer.truth.answers import DrawnPicture, answer_from_drawing

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


def write_webp(drawing: Drawing, file: Path, side: int, quality: int) -> None:
    """Write a drawing of so many px a side as a WebP file."""
    image = drawing.image(side).convert("RGB")
    image.save(file, "WEBP", quality=quality, method=6)


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


class _KnownAnswer(NamedTuple):
    """Holds the answer that a picture gives to a question, who says so, and the judge's opinion."""

    question: Question
    answer: str
    by: str
    opinion: Opinion | None

    @property
    def is_wrong(self) -> bool:
        return self.answer != self.question.choice(self.question.gold)


def faults(services: Services, run: str) -> list[RunMistake]:
    """Return all that is wrong in the pictures of a run, as the drawing, people or a judge say.

    Raises UnknownRun.
    """
    view = services.view(run)
    return [
        _mistake(view, shot, known)
        for shot in view.shots
        if shot.picture
        for known in _known_answers(services, view, shot)
        if known.is_wrong
    ]


def _mistake(view: RunResult, shot: GeneratedPicture, wrong: _KnownAnswer) -> RunMistake:
    return RunMistake(
        item=RunItem(view.run, shot.generation, wrong.question.text),
        words=f"{shot.model}, seed {shot.seed}: {wrong.question.text} {wrong.answer}",
        question=wrong.question,
        answer=wrong.answer,
        by=wrong.by,
        opinion=wrong.opinion,
    )


def _known_answers(
    services: Services, view: RunResult, shot: GeneratedPicture
) -> Iterator[_KnownAnswer]:
    """Yield what a picture answers to the questions of which that is known."""
    drawing = stored_drawing(services.store, str(shot.image))
    ratings = services.store.ratings.for_picture(str(shot.image), IHALLA, view.request.prompt)
    opinions = {opinion.verdict.question.text: opinion for opinion in _opinions(view, shot)}
    for question in view.questions:
        opinion = opinions.get(question.text)
        people = ratings.get(f"{QUESTION}{question.text}", {})
        known = _known_answer(question, drawing, people, opinion)
        if known:
            yield known


def _known_answer(
    question: Question,
    drawing: DrawnPicture | None,
    people: Mapping[str, str],
    opinion: Opinion | None,
) -> _KnownAnswer | None:
    """Return the answer that the picture gives; None where nobody knows.

    Where the drawing is known, it alone says so; people's answers, in words by person,
    go before the judge's, and count where all who could tell agree.
    """
    if drawing:
        if all(fact.question != question.text for fact in drawing.scene.facts):
            return None  # what else is drawn may be said in other words than the choices
        drawn = answer_from_drawing(drawing.scene, drawing.values, question.text)
        return drawn and _KnownAnswer(question, drawn.text, "the drawing", opinion)
    told = {person: answer for person, answer in people.items() if answer != CANNOT_BE_TOLD}
    if told:
        person, answer = next(iter(told.items()))
        agree = set(told.values()) == {answer}
        return _KnownAnswer(question, answer, person or "a person", opinion) if agree else None
    if opinion and opinion.verdict.answer and opinion.verdict.state in ("correct", "incorrect"):
        answer = question.choice(opinion.verdict.answer)
        return _KnownAnswer(question, answer, opinion.judge, opinion)
    return None


def _opinions(view: RunResult, shot: GeneratedPicture) -> Iterator[Opinion]:
    """Yield what I-HallA's judge said of a picture in the first trial."""
    for evaluation in view.evaluations:
        key = (evaluation.generation, evaluation.metric, evaluation.trial)
        if key == (shot.generation, IHALLA, 0):
            for verdict in evaluation.report.verdicts:
                yield Opinion(evaluation.judge or "", verdict)


def _view_of_run(services: Services, item: RunItem) -> ExerciseView:
    shot = None
    with suppress(UnknownRun):
        view = services.view(item.run)
        shot = next((shot for shot in view.shots if shot.generation == item.picture), None)
    if shot is None or shot.picture is None:
        raise BadRequest(
            "The image of this exercise is not in the store: open the set where its run was made."
        )
    known = list(_known_answers(services, view, shot))
    wrong = next((each for each in known if each.question.text == item.question), None)
    if wrong is None or not wrong.is_wrong:
        raise BadRequest(
            "The label behind this exercise is gone, so its mistake is not certain any more: take"
            " the exercise out of the set."
        )
    fault = _mistake(view, shot, wrong)
    facts = [each.question.text for each in known if each is wrong or not each.is_wrong]
    if len(facts) < 2:
        raise BadRequest(
            "Too little is known of this image for an exercise: label its other questions first."
        )
    exercise = _exercise(view, fault, facts)
    truth = services.store.truth(str(shot.image))
    if truth is None or stored_drawing(services.store, str(shot.image)) is None:
        return ExerciseView(exercise, shot.picture, None, fault.opinion)
    located, right = primer.locate_fault(
        exercise, truth["prompt"], truth["values"], truth["chance"]
    )
    return ExerciseView(located, shot.picture, keep_drawing(services, right), fault.opinion)


def _exercise(view: RunResult, fault: RunMistake, facts: Sequence[str]) -> Exercise:
    """Return the wrong question among the `facts`, the others of which the picture shows.

    Its place is not known.
    """
    asked = primer.short_question(fault.question.text)
    gold = fault.question.choice(fault.question.gold)
    return Exercise(
        prompt=view.request.prompt,
        facts=tuple(map(primer.short_question, facts)),
        wrong=facts.index(fault.question.text),
        question=fault.question,
        shown=fault.answer,
        truth=gold,
        why=f"{asked} In this image: {primer.small(fault.answer)}. It should be:"
        f" {primer.small(gold)}.",
        source=fault.by,
    )


# --- the judge
# --------------------------------------------------------------------------------------------------


def ask_questions(
    services: Services, cases: Sequence[Case], judge: str = JUDGE
) -> list[tuple[Verdict, ...]]:
    """Return a judge's verdicts on the questions of each case.

    What it said before is not asked again. Raises what `Services.evaluate` raises.
    """
    lineup, driver, _ = services.bind([(judge, "judge")])
    for number, case in enumerate(cases):
        driver.add(number, plan.plan(case), lineup, readable=plan.readable)
    verdicts = {result.key: result.result.verdicts for result in plan_results(driver)}
    return [verdicts[number] for number in range(len(cases))]


def ask_judge(
    services: Services, views: Sequence[ExerciseView], judge: str = JUDGE
) -> list[Opinion]:
    """Return what a judge answers to each wrong fact; what it said before is not asked again.

    Raises what `Services.evaluate` raises.
    """
    cases = [
        Case(prompt=view.exercise.prompt, image=view.picture, questions=(view.exercise.question,))
        for view in views
        if not view.opinion
    ]
    verdicts = iter(ask_questions(services, cases, judge) if cases else ())
    return [view.opinion or Opinion(judge, *next(verdicts)) for view in views]


def sees_fault(view: ExerciseView, opinion: Opinion) -> bool | None:
    """Return whether the judge sees the fault: it answers as the picture does.

    None where it gives no answer.
    """
    verdict = opinion.verdict
    if verdict.answer is None:
        return None
    return verdict.question.choice(verdict.answer) == view.exercise.shown


class AnsweredFact(NamedTuple):
    """Holds a judge's answer to the question of a fact, in words, "" where it gave none.

    `outcome` is "no answer" where none can be read. `note`: why there is no answer, or that the
    judge sees another error than the drawing has; "" where nothing more is to be said.
    """

    outcome: JudgeOutcome | Literal["no answer"]
    answer: str
    note: str = ""


def installed_judges(services: Services) -> tuple[str, ...]:
    """Return the judges that answer on this machine, the embedded one first.

    Judges of services are left out: each change of a drawing would be a paid question.
    """
    names = [
        judge.spec.id
        for judge in services.registry.models("judge")
        if judge.reason is None and judge.spec.kind != "api"
    ]
    return tuple(sorted(names, key=lambda name: name != JUDGE))


def ask_about_alteration(
    services: Services, alteration: Alteration, judge: str = JUDGE
) -> tuple[AnsweredFact, ...]:
    """Return a judge's answers to the questions of the prompt, in the order of the asked facts.

    What the judge said of the same drawing before is not asked again. Raises BadRequest where the
    judge does not answer on this machine, BadLesson, and what `Services.bind` raises.
    """
    if judge not in installed_judges(services):
        raise BadRequest(f"The judge {judge[:60]!r} is not installed here: choose another one.")
    altered = draw_alteration(alteration)
    case = Case(
        prompt=altered.scene.prompt,
        image=keep_drawing(services, altered.drawing),
        questions=altered.scene.questions().questions,
    )
    (verdicts,) = ask_questions(services, [case], judge)
    facts = [fact for fact in altered.facts if fact.asked]
    return tuple(
        answered_fact(verdict, fact.fact.values[fact.value])
        for fact, verdict in zip(facts, verdicts, strict=True)
    )


def answered_fact(verdict: Verdict, shown: str) -> AnsweredFact:
    """Return what a verdict is worth where the drawing answers the question with `shown`."""
    question = verdict.question
    if verdict.answer is None:
        return AnsweredFact("no answer", "", verdict.failure or "The answer could not be read.")
    answer = question.choice(verdict.answer)
    violated = shown != question.choice(question.gold)
    outcome = fact_outcome(violated, accepted=verdict.state == "correct")
    sees_what = answer == shown or shown not in question.choices
    note = "It sees an error, but not which." if outcome == "found" and not sees_what else ""
    return AnsweredFact(outcome, answer, note)

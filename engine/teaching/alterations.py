"""Asks a judge the questions about a drawing whose facts a person has changed.

What the drawing shows is known exactly, so it says of each answer whether the judge sees the error.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal, NamedTuple

from hallascope.data.records import Verdict
from hallascope.engine.errors import BadRequest
from hallascope.engine.run import driver_events
from hallascope.engine.services import Services
from hallascope.engine.teaching.exercises import JUDGE, keep_drawing
from hallascope.metrics.base import Case
from hallascope.metrics.ihalla import plan
from hallascope.metrics.true_answers import JudgeOutcome, fact_outcome
from hallascope.primer.teaching.alterations import Alteration, draw_alteration


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
        for judge in services.judges()
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
    # a judge is not shown where the parts are
    questions = tuple(
        replace(question, regions=()) for question in altered.scene.questions().questions
    )
    case = Case(
        prompt=altered.scene.prompt,
        image=keep_drawing(services, altered.drawing),
        questions=questions,
    )
    lineup, runner, _ = services.bind([(judge, "judge")])
    runner.add(0, plan.plan(case), lineup, readable=plan.readable)
    verdicts: Sequence[Verdict] = ()
    for event in runner.events():
        if isinstance(event, driver_events.PlanResult):
            verdicts = event.result.verdicts
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

"""The images of the ready lessons show what their plans say."""

import pytest

from hallascope.data.teaching.lesson import BadLesson
from hallascope.primer.scenes import ASKED
from hallascope.primer.teaching.lesson_drawing import DrawnLessonImage
from hallascope.primer.teaching.lesson_plans import LESSON_PLANS, LessonDrawing, StepPlan

STEPS = [step for plan in LESSON_PLANS for step in plan.steps if step.drawing]


@pytest.mark.parametrize("step", STEPS, ids=lambda step: step.title)
def test_exactly_the_planned_fact_is_wrong(step: StepPlan) -> None:
    assert step.drawing
    drawn = DrawnLessonImage(step.drawing)
    wrong = [
        fact.parameter
        for fact, shown in zip(drawn.facts, drawn.truth, strict=True)
        if shown != fact.gold
    ]
    assert wrong == ([step.drawing.parameter] if step.drawing.parameter else [])
    assert bool(drawn.reason) == bool(wrong)
    assert (drawn.exercise is not None) == bool(wrong)


@pytest.mark.parametrize(
    "step", [step for step in STEPS if step.kind == "questions"], ids=lambda step: step.title
)
def test_one_of_the_questions_asks_about_the_error(step: StepPlan) -> None:
    assert step.drawing
    drawn = DrawnLessonImage(step.drawing)
    assert step.choices.count(step.drawing.parameter) == 1
    assert len(drawn.questions) == ASKED + 1, "the judge is asked the added question, too"
    questions = {drawn.question_of(parameter) for parameter in step.choices}
    assert len(questions) == len(step.choices)


def test_what_cannot_be_drawn_is_refused() -> None:
    with pytest.raises(BadLesson):
        DrawnLessonImage(LessonDrawing("a dream", 1)).drawing.image(64)
    with pytest.raises(BadLesson, match="choose of"):
        DrawnLessonImage(LessonDrawing("a zebra", 1, "wings", 2)).drawing.image(64)

"""Pupils see of a step what is revealed, and nothing else."""

import json

import pytest

from hallascope.components.teach.live.step_view import shown_to_pupils, step_view
from hallascope.data.teaching.class_lesson import ClassLesson, Phase, read_class_lessons

LESSONS = {lesson.id: lesson for lesson in read_class_lessons().lessons}
STEPS = [
    (lesson, number)
    for lesson in LESSONS.values()
    for number, step in enumerate(lesson.steps)
    if step.image
]
# what is known of a step only from a phase on
SECRETS: dict[Phase, set[str]] = {
    "question": {"judge", "right", "outline", "truth", "judged", "reveal"},
    "class": {"judge", "right", "outline", "truth", "judged", "reveal"},
    "judge": {"right", "outline", "truth", "judged", "reveal"},
    "truth": set(),
}


@pytest.mark.parametrize("phase", SECRETS)
@pytest.mark.parametrize(("lesson", "number"), STEPS, ids=lambda each: getattr(each, "id", each))
def test_nothing_is_told_before_its_turn(lesson: ClassLesson, number: int, phase: Phase) -> None:
    view = step_view(lesson, number)
    shown = shown_to_pupils(view, phase)
    assert not SECRETS[phase] & set(shown)
    assert not {"teacher", "pupils"} & set(shown), "the teacher's notes are for the teacher"
    if phase == "judge":
        assert {name for row in shown["judge"] for name in row} == {"question", "answer", "added"}
        assert not view["outline"] or view["outline"] not in json.dumps(shown)
    if phase == "truth":
        assert shown["right"] == view["right"]
        assert all("word" in row for row in shown["judge"])


def test_what_is_to_be_read_is_shown_at_once() -> None:
    number, step = next(
        (number, step)
        for number, step in enumerate(LESSONS["hallucination"].steps)
        if not step.choices
    )
    shown = shown_to_pupils(step_view(LESSONS["hallucination"], number), "question")
    assert shown["reveal"] == step.reveal


def test_the_question_that_a_class_adds_is_not_among_those_that_are_asked() -> None:
    view = step_view(LESSONS["questions"], 1)
    added = [row["question"] for row in view["judge"] if row["added"]]
    assert len(added) == 1
    assert added[0] not in view["questions"]
    assert len(view["questions"]) == 5

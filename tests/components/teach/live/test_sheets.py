"""Sheets have every question, and the answers only where they should stand."""

import re

import pytest

from hallascope.components.teach.live.cards import ACTIONS, lesson_cards
from hallascope.components.teach.live.sheets import answer_key, pupil_sheet
from hallascope.data.teaching.class_lesson import ClassLesson, read_class_lessons
from tests.pages.teach.conftest import EVIL

SHIPPED = read_class_lessons()


def text(html: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", html))


@pytest.mark.parametrize("lesson", SHIPPED.lessons, ids=lambda lesson: lesson.id)
def test_the_sheet_has_all_questions_and_no_answer(lesson: ClassLesson) -> None:
    html = pupil_sheet(lesson)
    for step in lesson.steps:
        for choice in step.choices:
            assert text(choice) in text(html.unescape())
        if step.image:
            assert f"../images/{step.image.file}" in html
            assert not step.image.why or step.image.why not in html.unescape()
    assert 'class="right"' not in html
    assert "<script" not in html


@pytest.mark.parametrize("lesson", SHIPPED.lessons, ids=lambda lesson: lesson.id)
def test_the_key_has_the_plan_and_all_answers(lesson: ClassLesson) -> None:
    html = answer_key(lesson, SHIPPED.judge)
    plain = html.unescape()
    for step in lesson.steps:
        assert step.teacher in plain
        if step.right is not None:
            assert f'<li class="right">{step.choices[step.right]}</li>' in plain
        if step.image:
            assert step.image.why in plain
    assert "13 to 15" in plain or "11 to 15" in plain
    assert all(answer in plain for _, answer in lesson.discussion)


def test_text_of_a_lesson_is_escaped() -> None:
    lesson = ClassLesson(
        id="x", title=EVIL, summary=EVIL, goals=(EVIL,), steps=(), discussion=((EVIL, EVIL),)
    )
    for html in (pupil_sheet(lesson), answer_key(lesson, EVIL)):
        assert "<img src=x" not in html
        assert "<script" not in html


def test_each_card_leads_to_all_that_can_be_done_with_its_lesson() -> None:
    html = lesson_cards(SHIPPED)
    for lesson in SHIPPED.lessons:
        for words, address in ACTIONS:
            assert f'href="class/lessons/{lesson.id}{address}"' in html
            assert f"{words}: {lesson.title}" in html.unescape()

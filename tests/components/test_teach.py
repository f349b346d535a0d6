"""Pupils and learners see what is revealed and nothing else; the truth says what is wrong."""

import re
from pathlib import Path

import pytest
from PIL import Image

from hallascope.components.html.scripts import join_modules, policy_hash
from hallascope.components.learn import exercise
from hallascope.components.learn.live import class_page
from hallascope.components.learn.live.sheets import answer_key, pupil_sheet
from hallascope.components.learn.live.step_html import projector_step, pupil_step
from hallascope.data.records import Picture
from hallascope.data.teaching.class_lesson import (
    ClassLesson,
    LessonStep,
    Phase,
    read_class_lessons,
)
from hallascope.data.teaching.exercise import MISSING, Exercise
from hallascope.data.teaching.judged_image import judge_sentences, truth_sentences
from hallascope.primer.teaching.exercises import make_exercise
from hallascope.primer.teaching.faults import FIRST
from tests.support.tiles import QUESTION

LARGEST = 120_000  # bytes of a pupil's page with all that is in it


def test_a_pupils_page_is_light_and_needs_nothing_from_elsewhere() -> None:
    html = class_page.pupil_page("BCDFGH")
    assert len(html.encode()) < LARGEST
    assert not re.search(r"(?:src|href)=\"https?:", html)
    assert "gradio" not in html.lower()


def test_only_the_pages_own_script_runs() -> None:
    own = policy_hash(join_modules(class_page.FOLDER / "pupil.js")).replace("'", "&#39;")
    assert f"script-src {own}" in class_page.pupil_page("BCDFGH")
    assert "script-src &#39;none&#39;" in class_page.code_page("class")


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


LESSONS = {lesson.id: lesson for lesson in read_class_lessons().lessons}


def pupil_html(lesson: ClassLesson, number: int, phase: Phase) -> str:
    """A step as a pupil sees it who has answered nothing, in text."""
    counts = [0] * len(lesson.steps[number].choices)
    return pupil_step(lesson, number, phase, 1, None, None, counts).unescape()


FIVE = Exercise(
    prompt="a methane molecule",
    facts=("How many outer atoms are there?", "Which color is the middle?"),
    wrong=0,
    question=QUESTION,
    shown="Five",
    truth="Four",
    why="How many outer atoms are there? Carbon binds four.",
    source="a textbook",
    parts=("hydrogen atom", MISSING),
    right_parts=frozenset({"hydrogen atom"}),
)


@pytest.fixture
def picture(tmp_path: Path) -> Picture:
    path = tmp_path / "a.png"
    Image.new("RGB", (40, 30)).save(path)
    return Picture("ab", path)


def test_a_sheet_holds_the_facts_to_choose_from_and_no_truth(picture: Picture) -> None:
    html = exercise.sheet(FIVE, picture, 1, 3)["html"]
    assert 'width="40" height="30"' in html
    assert "Image 2 of 3" in html
    assert re.findall(r'value="\d+"><span>(.*?)</span>', html) == list(FIVE.facts)
    assert "tabindex" not in html.partition("<h3")[0], "nobody knows where it is wrong"
    assert "choose a part" not in html
    assert not [word for word in ("Four", "Five", "Carbon") if word in html]
    placed = exercise.sheet(make_exercise(FIRST).exercise, picture, 0, 1)["html"]
    assert '<option value="hydrogen atom">' in placed
    assert f'<option value="{MISSING}">' not in placed, "that has a button of its own"
    assert f'data-part="{MISSING}"' in placed


def test_the_truth_says_the_fault_once_and_shows_the_picture_as_it_should_be(
    picture: Picture,
) -> None:
    html = exercise.truth(FIVE, picture, picture)
    assert "Five instead of Four" in html
    assert "as it should be" in html
    assert "<p>Carbon binds four.</p>" in html
    assert "The place is not known." in html
    assert "as it should be" not in exercise.truth(FIVE, picture, None)


def secrets(step: LessonStep) -> dict[Phase, set[str]]:
    """What of a step is known only from a phase on, as it stands on a page."""
    image = step.image
    assert image
    answers = {f"<dd>{fact.answer}" for fact in image.asked if fact.answer}
    truth = {*truth_sentences(image), *judge_sentences(image), image.outline, step.reveal}
    truth |= {'<span class="tag right">', '<span class="tag found">'}
    return {"judge": {"The judge answers", *answers}, "truth": truth - {""}}


def test_nothing_is_told_before_its_turn() -> None:
    for lesson in LESSONS.values():
        for number, step in enumerate(lesson.steps):
            if not step.image:
                continue
            for turn, hidden in secrets(step).items():
                for phase in step.phases[: step.phases.index(turn)]:
                    html = pupil_html(lesson, number, phase)
                    assert not [one for one in hidden if one in html], (lesson.id, number, phase)
                    assert step.teacher not in html
            shown = pupil_html(lesson, number, step.phases[-1])
            for sentence in (*truth_sentences(step.image), *judge_sentences(step.image)):
                assert sentence in shown
            assert shown.count('class="outline"') == bool(step.image.outline)


def test_the_projector_shows_the_truth_in_the_last_phase_alone() -> None:
    for lesson in LESSONS.values():
        for step in lesson.steps:
            view = projector_step(step, with_class=True)
            assert view["phases"] == list(step.phases)
            assert step.teacher in view["notes"].unescape()
            if step.image:
                *before, last = (view["html"][phase].unescape() for phase in view["phases"])
                for sentence in truth_sentences(step.image):
                    assert sentence in last
                    assert not [html for html in before if sentence in html]
            assert "class" not in projector_step(step, with_class=False)["phases"]

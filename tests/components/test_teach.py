"""Pupils and learners see what is revealed and nothing else; the truth says what is wrong."""

import base64
import json
import re
from hashlib import sha256
from pathlib import Path

import pytest
from PIL import Image

from hallascope.components.html.scripts import bundle
from hallascope.components.teach import exercise
from hallascope.components.teach.live import class_page
from hallascope.components.teach.live.sheets import answer_key, pupil_sheet
from hallascope.components.teach.live.step_view import shown_to_pupils, step_view
from hallascope.components.teach.odd_one_out import (
    image_marks,
)
from hallascope.data.records import Picture
from hallascope.data.teaching.class_lesson import ClassLesson, Phase, read_class_lessons
from hallascope.data.teaching.exercise import MISSING, Exercise
from hallascope.data.teaching.odd_one_out import read_rounds
from tests.support.tiles import QUESTION

LARGEST = 120_000  # bytes of a pupil's page with all that is in it


def test_a_pupils_page_is_light_and_needs_nothing_from_elsewhere() -> None:
    html = class_page.pupil_page("BCDFGH")
    assert len(html.encode()) < LARGEST
    assert not re.search(r"(?:src|href)=\"https?:", html)
    assert "gradio" not in html.lower()


def test_only_the_pages_own_script_runs() -> None:
    own = base64.b64encode(sha256(bundle("pupil").encode()).digest()).decode()
    assert f"script-src &#39;sha256-{own}&#39;" in class_page.pupil_page("BCDFGH")
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


# what is known of a step only from a phase on
SECRETS: dict[Phase, set[str]] = {
    "question": {"judge", "right", "outline", "truth", "judged", "reveal"},
    "class": {"judge", "right", "outline", "truth", "judged", "reveal"},
    "judge": {"right", "outline", "truth", "judged", "reveal"},
    "truth": set(),
}


def test_the_question_that_a_class_adds_is_not_among_those_that_are_asked() -> None:
    view = step_view(LESSONS["questions"], 1)
    added = [row["question"] for row in view["judge"] if row["added"]]
    assert len(added) == 1
    assert added[0] not in view["questions"]
    assert len(view["questions"]) == 5


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
    sheet = exercise.sheet(FIVE, picture)
    assert (sheet["width"], sheet["height"]) == (40, 30)
    assert sheet["facts"] == list(FIVE.facts)
    assert sheet["parts"] == ["hydrogen atom"]
    assert sheet["place"] is False, "nobody knows where it is wrong"
    assert not {"Four", "Five", "Carbon"} & set(json.dumps(sheet).replace('"', " ").split())


def test_the_truth_says_the_fault_once_and_shows_the_picture_as_it_should_be(
    picture: Picture,
) -> None:
    html = exercise.truth(FIVE, picture, picture)
    assert "Five instead of Four" in html
    assert "as it should be" in html
    assert "<p>Carbon binds four.</p>" in html
    assert "The place is not known." in html
    assert "as it should be" not in exercise.truth(FIVE, picture, None)


ROUNDS = read_rounds()


def test_marks_say_what_is_drawn_and_what_the_judge_answers() -> None:
    played = ROUNDS.rounds[0]
    marks = image_marks(played, played.images[played.odd])
    wrong = [mark for mark in marks if mark["wrong"]]
    assert [(mark["word"], mark["flagged"]) for mark in wrong] == [("found", True)]
    assert wrong[0]["truth"] == (
        "How many outer atoms surround the central atom? Drawn: Five. Expected: Four."
    )
    assert wrong[0]["answer"].endswith("The judge found this error.")
    right = image_marks(played, played.images[(played.odd + 1) % 4])
    assert {(mark["wrong"], mark["flagged"], mark["word"]) for mark in right} == {
        (False, False, None)
    }


def test_nothing_is_told_before_its_turn() -> None:
    for lesson in LESSONS.values():
        for number in (number for number, step in enumerate(lesson.steps) if step.image):
            view = step_view(lesson, number)
            for phase, secrets in SECRETS.items():
                shown = shown_to_pupils(view, phase)
                assert not (secrets | {"teacher", "pupils"}) & set(shown), (
                    lesson.id,
                    number,
                    phase,
                )
            shown = shown_to_pupils(view, "judge")
            named = {name for row in shown["judge"] for name in row}
            assert named == {"question", "answer", "added"}
            assert not view["outline"] or view["outline"] not in json.dumps(shown)
            shown = shown_to_pupils(view, "truth")
            assert shown["right"] == view["right"]
            assert all("word" in row for row in shown["judge"])

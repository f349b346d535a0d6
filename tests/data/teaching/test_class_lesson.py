"""The ready lessons that ship are whole, and say of truth and judge what their facts say."""

from pathlib import Path

import pytest

from hallascope.data.teaching.class_lesson import (
    FOLDER,
    MINUTES,
    BadClassLessons,
    ClassLesson,
    LessonFact,
    LessonImage,
    is_inside,
    judge_sentences,
    read_class_lessons,
    truth_sentences,
    write_class_lessons,
)

LESSONS = read_class_lessons().lessons
SQUARE = ((0.2, 0.2), (0.8, 0.2), (0.8, 0.8), (0.2, 0.8))
HOLE = ((0.4, 0.4), (0.6, 0.4), (0.6, 0.6), (0.4, 0.6))


def fact(drawn: str, answer: str, state: str | None, asked: bool = True) -> LessonFact:
    return LessonFact(
        question="How many legs?",
        expected="Six",
        drawn=drawn,
        asked=asked,
        answer=answer,
        state=state,  # type: ignore[arg-type]
    )


def image(*facts: LessonFact) -> LessonImage:
    return LessonImage(file="a.webp", prompt="a ladybug", seed=1, facts=facts, why="It is so.")


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.id)
def test_a_lesson_takes_its_minutes_and_has_three_goals(lesson: ClassLesson) -> None:
    assert sum(step.minutes for step in lesson.steps) == MINUTES
    assert len(lesson.goals) == 3
    assert len(lesson.discussion) >= 3
    for step in lesson.steps:
        assert step.teacher
        assert step.pupils
        assert bool(step.question) == bool(step.choices), step.title
        assert step.right is None or 0 <= step.right < len(step.choices), step.title
        assert len(set(step.choices)) == len(step.choices), step.title
        assert step.choices or step.reveal, step.title


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.id)
def test_an_image_has_one_error_at_most_and_its_place(lesson: ClassLesson) -> None:
    images = [step.image for step in lesson.steps if step.image]
    assert images
    for each in images:
        assert (FOLDER / each.file).is_file()
        assert sum(one.is_wrong for one in each.facts) <= 1, each.file
        assert bool(each.outline) == bool(each.near) == (each.wrong is not None), each.file


def test_the_lesson_on_the_judge_shows_each_case() -> None:
    (judge,) = (lesson for lesson in LESSONS if lesson.id == "judge")
    images = [step.image for step in judge.steps if step.image]
    words = [{one.word for one in each.facts} - {None} for each in images]
    assert words == [{"found"}, {"missed"}, {"not asked"}, {"false alarm"}]


@pytest.mark.parametrize(
    ("one", "word", "says"),
    [
        (fact("Eight", "Eight", "incorrect"), "found", "“Eight”: it found the error"),
        (fact("Eight", "", "abstained"), "found", "gives none of the choices: it found"),
        (fact("Eight", "Six", "correct"), "missed", "“Six”: it missed the error"),
        (fact("Six", "Eight", "incorrect"), "false alarm", "a false alarm, the fact is right"),
        (fact("Six", "Six", "correct"), None, "reports no error"),
        (fact("Eight", "", None, asked=False), "not asked", "No question asks about the error"),
    ],
)
def test_what_the_judge_did_is_said(one: LessonFact, word: str | None, says: str) -> None:
    assert one.word == word
    (sentence,) = judge_sentences(image(one))
    assert says in sentence


def test_the_truth_is_said() -> None:
    wrong = image(fact("Eight", "Six", "correct"))
    assert truth_sentences(wrong) == (
        "How many legs? Drawn: Eight. Expected: Six.",
        "It is so.",
    )
    assert truth_sentences(image(fact("Six", "Six", "correct"))) == (
        "Every fact of this image is right.",
    )


@pytest.mark.parametrize(
    ("point", "inside"),
    [((0.3, 0.3), True), ((0.5, 0.5), False), ((0.1, 0.5), False), ((0.9, 0.9), False)],
)
def test_a_point_within_outlines_but_not_in_their_holes_is_inside(
    point: tuple[float, float], inside: bool
) -> None:
    assert is_inside((SQUARE, HOLE), point) is inside


def test_lessons_that_are_missing_or_older_are_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(BadClassLessons, match="hallascope teach lessons"):
        read_class_lessons(tmp_path)
    write_class_lessons(read_class_lessons(), tmp_path)
    assert read_class_lessons(tmp_path) == read_class_lessons()

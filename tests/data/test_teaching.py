"""Exercises, sets and lessons: graded by place and part, read back, whole as they ship."""

import base64
import json
import zlib
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hallascope.data import masks
from hallascope.data.teaching.class_lesson import (
    FOLDER,
    MINUTES,
    read_class_lessons,
    write_class_lessons,
)
from hallascope.data.teaching.exercise import (
    GROWN,
    Grade,
    MarkedPoint,
    grade,
    tally,
)
from hallascope.data.teaching.judged_image import (
    BadTeachingData,
    JudgedFact,
    JudgedImage,
    is_inside,
    judge_sentences,
    truth_sentences,
)
from hallascope.data.teaching.lesson import (
    BadLesson,
    DrawnItem,
    Lesson,
    LessonItem,
    RunItem,
    lesson,
    make_seal,
    opens,
    read_token,
    token,
)
from hallascope.data.teaching.odd_one_out import FOLDER as ROUNDS_FOLDER
from hallascope.data.teaching.odd_one_out import (
    read_rounds,
)
from hallascope.primer.teaching.exercises import DrawnExercise, make_exercise
from hallascope.primer.teaching.faults import FIRST

LESSONS = read_class_lessons().lessons


SQUARE = ((0.2, 0.2), (0.8, 0.2), (0.8, 0.8), (0.2, 0.8))


HOLE = ((0.4, 0.4), (0.6, 0.4), (0.6, 0.6), (0.4, 0.6))


def fact(drawn: str, answer: str, state: str | None, asked: bool = True) -> JudgedFact:
    return JudgedFact(
        question="How many legs?",
        expected="Six",
        drawn=drawn,
        asked=asked,
        answer=answer,
        state=state,  # type: ignore[arg-type]
    )


def lesson_image(*facts: JudgedFact) -> JudgedImage:
    return JudgedImage(file="a.webp", prompt="a ladybug", seed=1, facts=facts, why="It is so.")


@pytest.mark.parametrize(
    "one, word, says",
    [
        (fact("Eight", "Eight", "incorrect"), "found", "“Eight”: it found the error"),
        (fact("Eight", "", "abstained"), "found", "gives none of the choices: it found"),
        (fact("Eight", "Six", "correct"), "missed", "“Six”: it missed the error"),
        (fact("Six", "Eight", "incorrect"), "false alarm", "a false alarm, the fact is right"),
        (fact("Six", "Six", "correct"), None, "reports no error"),
        (fact("Eight", "", None, asked=False), "not asked", "No question asks about the error"),
    ],
)
def test_what_the_judge_did_is_said(one: JudgedFact, word: str | None, says: str) -> None:
    assert one.word == word
    (sentence,) = judge_sentences(lesson_image(one))
    assert says in sentence


def test_the_truth_is_said() -> None:
    wrong = lesson_image(fact("Eight", "Six", "correct"))
    assert truth_sentences(wrong) == (
        "How many legs? Drawn: Eight. Expected: Six.",
        "It is so.",
    )
    assert truth_sentences(lesson_image(fact("Six", "Six", "correct"))) == (
        "Every fact of this image is right.",
    )


@pytest.mark.parametrize(
    "point, inside",
    [((0.3, 0.3), True), ((0.5, 0.5), False), ((0.1, 0.5), False), ((0.9, 0.9), False)],
)
def test_a_point_within_outlines_but_not_in_their_holes_is_inside(
    point: tuple[float, float], inside: bool
) -> None:
    assert is_inside((SQUARE, HOLE), point) is inside


def test_lessons_that_are_missing_or_older_are_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(BadTeachingData, match="hallascope teach lessons"):
        read_class_lessons(tmp_path)
    write_class_lessons(read_class_lessons(), tmp_path)
    assert read_class_lessons(tmp_path) == read_class_lessons()


def lit(found: DrawnExercise) -> masks.Pixels:
    assert found.exercise.lit
    return masks.array(found.exercise.lit)


def test_a_mark_counts_within_the_part_and_up_to_six_hundredths_of_the_picture_beside_it() -> None:
    found = make_exercise(FIRST).exercise
    pixels = lit(make_exercise(FIRST))
    row = int(np.nonzero(pixels.any(axis=1))[0][0])  # the topmost of the five
    column = int(np.nonzero(pixels[row])[0].mean())
    side = pixels.shape[0]
    for beside, right in ((GROWN - 0.01, True), (GROWN + 0.02, False)):
        at = MarkedPoint((column + 0.5) / side, (row + 0.5) / side - beside)
        assert grade(found, at, found.wrong).place is right
    assert not grade(found, MarkedPoint(0.02, 0.02), found.wrong).place
    assert grade(found, None, 0).place is False


def test_without_a_known_place_none_is_graded() -> None:
    found = replace(make_exercise(FIRST).exercise, near=None, lit=None)
    assert grade(found, MarkedPoint(0.5, 0.5), found.wrong) == Grade(None, True)
    assert tally([Grade(None, True), Grade(True, False), Grade(False, True)]) == (1, 2, 2, 3)


NAMES = st.text("0aZ", min_size=1, max_size=9)


WORDS = st.text("aé“<&\"' 漢🔎", min_size=1, max_size=20)


DRAWN = st.builds(
    DrawnItem, WORDS, WORDS, st.one_of(WORDS, st.integers(0, 99)), st.integers(0, 2**31 - 1)
)


ITEMS = st.lists(st.one_of(DRAWN, st.builds(RunItem, NAMES, NAMES, WORDS)), min_size=1, max_size=8)


@settings(max_examples=40)
@given(WORDS.filter(str.strip), ITEMS, st.text("ab", max_size=4))
def test_a_link_gives_the_same_set_back(title: str, items: list[LessonItem], key: str) -> None:
    made = lesson(title, items, make_seal(key))
    found = read_token(token(made))
    assert found == made
    assert found.id == made.id
    assert opens(found, key) is bool(key)
    assert not opens(found, f"{key}x")


def packed(value: Any) -> str:
    return (
        base64.urlsafe_b64encode(zlib.compress(json.dumps(value).encode(), 9)).decode().rstrip("=")
    )


GOOD = ["a spider", "legs", 6, 0]


@pytest.mark.parametrize(
    "value, said",
    [
        ([], "no set of exercises"),
        ({"title": "A", "items": []}, "0 exercises"),
        ({"title": "A", "items": [GOOD] * 41}, "41 exercises"),
        ({"title": " ", "items": [GOOD]}, "no title"),
        ({"title": "A" * 121, "items": [GOOD]}, "no title"),
        ({"title": "A", "items": [["a spider", "legs", True, 0]]}, "cannot be read"),
        ({"title": "A", "items": [["a spider", "legs", 6, -1]]}, "cannot be read"),
        ({"title": "A", "items": [["", "../run", "x", "q"]]}, "cannot be read"),
        ({"title": "A", "items": [["", "run", "x", "q" * 401]]}, "cannot be read"),
        ({"title": "A", "items": [GOOD], "seal": "<b>"}, "seal"),
        ({"title": "A", "items": [["a" * 401, "legs", 6, 0]]}, "cannot be read"),
    ],
)
def test_a_set_that_is_none_is_refused(value: Any, said: str) -> None:
    with pytest.raises(BadLesson, match=said):
        read_token(packed(value))


def test_a_link_that_unfolds_to_megabytes_is_refused_unread() -> None:
    bomb = base64.urlsafe_b64encode(zlib.compress(b" " * 5_000_000, 9)).decode()
    assert len(bomb) < 12_000
    with pytest.raises(BadLesson, match="damaged"):
        read_token(bomb)
    with pytest.raises(BadLesson, match="too long"):
        read_token("A" * 12_001)


def test_what_cannot_be_read_has_no_word_and_is_no_answer() -> None:
    shown = lesson_image(fact("Eight", "", "abstained"), fact("Six", "", "unreadable"))
    assert [one.word for one in shown.facts] == ["found", None]
    assert (shown.correct, shown.answered) == (0, 1)


def test_twelve_rounds_ship_with_all_their_images_and_stay_small() -> None:
    rounds = read_rounds()
    assert [len(each.images) for each in rounds.rounds] == [4] * 12
    assert len(rounds.example.images) == 1
    listed = {each.file for own in (rounds.example, *rounds.rounds) for each in own.images}
    assert {f"images/{path.name}" for path in (ROUNDS_FOLDER / "images").iterdir()} == listed
    assert sum(path.stat().st_size for path in ROUNDS_FOLDER.rglob("*") if path.is_file()) < 350_000


def test_each_round_has_one_wrong_image_and_its_outline() -> None:
    rounds = read_rounds()
    for each in (rounds.example, *rounds.rounds):
        wrong = [number for number, shown in enumerate(each.images) if shown.wrong]
        assert wrong == [each.odd], each.name
        assert each.images[each.odd].outline, each.name


def test_a_lesson_takes_its_minutes_and_its_images_have_one_error_at_most_and_its_place() -> None:
    for lesson_ in LESSONS:
        assert sum(step.minutes for step in lesson_.steps) == MINUTES
        for step in lesson_.steps:
            assert bool(step.question) == bool(step.choices), step.title
            assert step.right is None or 0 <= step.right < len(step.choices), step.title
            assert len(set(step.choices)) == len(step.choices), step.title
            if step.image:
                shown = step.image
                assert (FOLDER / shown.file).is_file()
                assert sum(one.is_wrong for one in shown.facts) <= 1, shown.file
                placed = (bool(shown.outline), bool(shown.near))
                assert placed == (shown.wrong is not None,) * 2, shown.file


@given(
    st.one_of(
        st.text(max_size=200),
        st.binary(max_size=200).map(
            lambda raw: base64.urlsafe_b64encode(zlib.compress(raw)).decode()
        ),
    )
)
def test_whatever_stands_in_a_link_it_is_a_set_or_one_sentence(said: str) -> None:
    try:
        found: Lesson | str = read_token(said)
    except BadLesson as error:
        found = str(error)
    assert isinstance(found, Lesson) or found.endswith(".")

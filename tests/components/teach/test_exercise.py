"""What a learner sees before an answer holds no truth; the truth lights up what is wrong."""

import json
from pathlib import Path

import pytest
from PIL import Image

from hallascope.components.teach import exercise
from hallascope.data.records import Picture
from hallascope.data.teaching.exercise import MISSING, Exercise
from hallascope.data.teaching.lesson import DrawnItem
from tests.support.tiles import EVIL, QUESTION, no_markup_of

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


def test_practice_can_be_sorted_by_level_composition_and_category() -> None:
    sorts = exercise.sorts()
    assert list(sorts) == ["level", "coi", "category"]
    assert all(options[0][0] == "" for options in sorts.values()), "all comes first"


def test_work_carries_its_set_and_what_was_chosen() -> None:
    work = exercise.work([DrawnItem("a ladybug", "legs", 4)], "A set", "token", {"coi": "counting"})
    assert work == {
        "items": [["a ladybug", "legs", 4, 0]],
        "title": "A set",
        "token": "token",
        "wanted": {"coi": "counting"},
    }


def test_text_from_elsewhere_stays_text(picture: Picture) -> None:
    evil = Exercise(
        prompt=EVIL,
        facts=(EVIL,),
        wrong=0,
        question=QUESTION,
        shown=EVIL,
        truth=EVIL,
        why=EVIL,
        source=EVIL,
        right_parts=frozenset({EVIL}),
    )
    assert no_markup_of(EVIL, exercise.truth(evil, picture, picture))

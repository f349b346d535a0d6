"""The review: a set becomes a sheet and comes back as it was; what a person changed says so.

Nothing that comes back can break it.
"""

from dataclasses import replace
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hallascope.components.questions import review
from hallascope.data.files.tidy import tidy_set
from hallascope.data.records import (
    COIS,
    LETTERS,
    NONE_OF_THE_ABOVE,
    Category,
    Letter,
    Provenance,
    Question,
    QuestionSet,
)
from hallascope.metrics.ihalla.question_replies import RejectedQuestion
from tests.support.tiles import EVIL, no_markup_of

NO_LETTER = cast(Letter, "")  # the answer of a row that is not finished
FOUR = Question(
    text="How many atoms are bound to the middle one?",
    choices=("One", "Two", "Three", "Four", NONE_OF_THE_ABOVE),
    gold="D",
    coi="counting",
)
COLOR = Question(
    text="Which color is it?",
    choices=("Red", "Green", "Blue", "Grey", NONE_OF_THE_ABOVE),
    gold="B",
    coi="color",
    regions=("atom",),
    origin="made by a/w",
)
MADE = Provenance(
    judge="a/judge",
    writer="a/writer",
    reasoning="Four, all of them.",
    templates={"ihalla_questions": "ab12"},
    difficulty={"f0" * 32: "easy"},
    made="2026-01-02",
)
SET = QuestionSet(
    prompt="a molecule",
    questions=(FOUR, COLOR),
    category=Category.PHYSICS,
    domain="celestial",
    source="made",
    provenance=MADE,
)

TEXTS = (
    st.text(st.characters(codec="utf-8", exclude_categories=("Cc", "Cs")), min_size=1)
    .map(str.strip)
    .filter(bool)
)
QUESTIONS = st.builds(
    Question,
    text=TEXTS,
    choices=st.lists(TEXTS, min_size=4, max_size=4).map(lambda texts: (*texts, NONE_OF_THE_ABOVE)),
    gold=st.sampled_from(LETTERS),
    coi=st.sampled_from(COIS),
    regions=st.lists(TEXTS, max_size=2).map(tuple),
    origin=st.one_of(
        st.just("made by a/w"), st.just("made by a/w, edited"), st.just(review.BY_HAND), st.just("")
    ),
)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: (
        st.lists(inner)
        | st.dictionaries(
            st.sampled_from(["prompt", "rows", "about", "was", "choices", "gold", "text"]), inner
        )
    ),
)


def changed(place: int, **changes: Any) -> dict[str, Any]:
    """The sheet of SET as it comes back after a change in one row."""
    sheet = review.sheet(SET)
    sheet["rows"][place] |= changes
    return sheet


def test_a_set_comes_back_as_it_was_with_all_that_is_known_of_it() -> None:
    assert review.questions(review.sheet(SET)) == SET


@given(st.lists(QUESTIONS, max_size=6))
def test_questions_that_nobody_touched_come_back_as_they_were(questions: list[Question]) -> None:
    assert review.questions(
        review.sheet(replace(SET, questions=tuple(questions)))
    ).questions == tuple(questions)


@pytest.mark.parametrize(
    "change",
    [
        {"text": "Other?"},
        {"coi": "size"},
        {"gold": "A"},
        {"choices": ["Red", "Green", "Blue", "White"]},
    ],
    ids=lambda c: next(iter(c)),
)
def test_whatever_is_changed_the_origin_says_that_it_was(change: dict[str, Any]) -> None:
    first, second = review.questions(changed(1, **change)).questions
    assert (first.origin, second.origin) == ("", "made by a/w, edited")


def test_white_space_alone_is_no_change_and_a_change_undone_is_none() -> None:
    assert (
        review.questions(changed(1, text="  Which color  is it? ")).questions[1].origin
        == "made by a/w"
    )
    assert review.questions(changed(1, text=COLOR.text)).questions[1].origin == "made by a/w"


def test_a_question_edited_before_says_so_once() -> None:
    edited = review.questions(changed(1, text="Other?"))
    again = review.sheet(edited)
    again["rows"][1]["gold"] = "C"
    assert review.questions(again).questions[1].origin == "made by a/w, edited"


def test_a_question_without_a_past_was_added_by_hand_and_stays_so() -> None:
    sheet = review.empty_sheet("a molecule")
    sheet["rows"].append(
        {"coi": "size", "text": "New?", "choices": ["1", "2", "3", "4"], "gold": "A", "was": None}
    )
    found = review.questions(sheet)
    assert (found.questions[0].origin, found.source) == ("added by hand", "by hand")
    again = review.sheet(found)
    again["rows"][0]["text"] = "Newer?"
    assert review.questions(again).questions[0].origin == "added by hand"


def test_what_is_not_finished_stays_as_it_is_and_is_named_when_it_is_to_be_saved() -> None:
    found = review.questions(changed(1, gold="", text=" "))
    assert found.questions[1].gold == NO_LETTER
    with pytest.raises(ValueError, match="question 2: the question is empty"):
        tidy_set(found)


@given(JSON)
def test_whatever_comes_from_the_browser_is_read_or_left_out(value: Any) -> None:
    assert isinstance(review.questions(value), QuestionSet)
    assert set(review.remarks(value)) == {"each", "all"}
    review.refill(value, SET)


def test_other_questions_take_the_place_of_those_nobody_changed() -> None:
    fresh = replace(FOUR, text="Fresh?", origin="made by a/w")
    new = review.questions(
        review.refill(changed(0, text="Mine?"), replace(SET, questions=(fresh,)))
    )
    assert [question.text for question in new.questions] == ["Fresh?", "Mine?"]
    assert new.questions[1].origin == "edited"


def test_questions_of_another_prompt_do_not_stay() -> None:
    new = review.refill(changed(0, text="Mine?"), QuestionSet(prompt="a cat", questions=(COLOR,)))
    assert [row["text"] for row in new["rows"]] == [COLOR.text]


def test_what_stands_already_is_not_there_twice() -> None:
    new = review.refill(changed(1, gold="A"), replace(SET, questions=(COLOR,)))
    assert [(row["text"], row["gold"]) for row in new["rows"]] == [(COLOR.text, "A")]


def test_every_sheet_has_a_stamp_of_its_own() -> None:
    assert review.sheet(SET)["stamp"] != review.sheet(SET)["stamp"]


def test_remarks_stand_in_the_order_of_the_rows_and_pass_over_what_is_not_finished() -> None:
    named = replace(COLOR, text="Which color is the methane?")
    said = review.remarks(
        review.sheet(
            replace(
                SET,
                prompt="a molecule of methane",
                questions=(replace(FOUR, gold=NO_LETTER), named),
            )
        )
    )
    assert said["each"][0] == []
    assert "Names the subject (methane)" in said["each"][1][0]


def test_rejected_sets_are_shown_with_their_reason_as_text() -> None:
    html = review.rejected_sets(
        [RejectedQuestion(2, EVIL, EVIL), RejectedQuestion(4, "it has no answer", "{}")]
    )
    assert "2 sets were not taken" in html
    assert no_markup_of(EVIL, html)
    assert no_markup_of(EVIL, review.rejected_sets((), EVIL))
    assert review.rejected_sets(()) == ""

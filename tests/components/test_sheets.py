"""What a person works on comes back as it was, tells nothing that would lead them, and cannot be
broken.
"""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hallascope.components.labels.labeling import (
    folder_work,
)
from hallascope.components.questions import review
from hallascope.components.readings.panel import reading_html
from hallascope.data.files.label_folder import Label, LabelItem
from hallascope.data.files.questions import tidy_set
from hallascope.data.prompt_reading import (
    AskedAttribute,
    AskedObject,
    AskedText,
    Count,
    PromptReading,
    StyleWords,
)
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
from tests.support.any_json import any_json
from tests.support.tiles import QUESTION

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
        st.just("made by a/w"),
        st.just("made by a/w, edited"),
        st.just(review.ADDED_ORIGIN),
        st.just(""),
    ),
)


KEYS = st.sampled_from(["prompt", "rows", "about", "was", "choices", "gold", "text"])


def changed(place: int, **changes: Any) -> dict[str, Any]:
    """The sheet of SET as it comes back after a change in one row."""
    sheet = review.sheet(SET)
    sheet["rows"][place] |= changes
    return sheet


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


def test_what_is_not_finished_stays_as_it_is_and_is_named_when_it_is_to_be_saved() -> None:
    found = review.questions(changed(1, gold="", text=" "))
    assert found.questions[1].gold == NO_LETTER
    with pytest.raises(ValueError, match="question 2: the question is empty"):
        tidy_set(found)


@settings(max_examples=30)
@given(any_json(KEYS))
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


def test_parents_follow_their_questions_and_end_with_them() -> None:
    third = replace(COLOR, text="Is it light green?", parents=(1, 2))
    sheet = review.sheet(replace(SET, questions=(FOUR, COLOR, third)))
    first, second, last = sheet["rows"]
    found = {
        tuple(q.parents for q in review.questions({**sheet, "rows": rows}).questions)
        for rows in ([last, second, first], [first, last], [{"text": "New?"}, last, first])
    }
    assert found == {((3, 2), (), ()), ((), (1,)), ((), (3,), ())}
    refilled = review.refill({**sheet, "rows": [last | {"gold": "A"}]}, SET)
    assert [q.parents for q in review.questions(refilled).questions] == [(), (), ()]


READING = PromptReading(
    prompt="two red cats, no dog, a sign that says GO, oil painting",
    objects=(
        AskedObject(
            id="o1",
            name="cat",
            spans=((8, 12),),
            count=Count.exactly(2),
            count_spans=((0, 3),),
            attributes=(AskedAttribute("red", ((4, 7),)),),
        ),
        AskedObject(id="o2", name="dog", spans=((17, 20),), absent=True),
    ),
    texts=(AskedText("GO", (39, 41)),),
    style=(StyleWords("oil painting", (43, 55)),),
)


def test_a_doubtful_reading_of_the_rules_says_so_until_a_person_corrects_it() -> None:
    doubtful = replace(READING, fig_confidence=0.1, unread=((24, 28),))
    assert "may be read wrong" in reading_html(doubtful)
    assert "may be read wrong" not in reading_html(READING)
    assert "may be read wrong" not in reading_html(replace(doubtful, source="person"))


def item(name: str) -> LabelItem:
    return LabelItem(
        id=name, prompt="a hidden prompt", model="m", seed=0, sha256="ab", questions=(QUESTION,)
    )


def test_neither_prompt_nor_gold_is_in_the_work(tmp_path: Path) -> None:
    fields = folder_work(tmp_path, [item("a")], {})
    (question,) = fields["items"][0]["questions"]
    assert {name: value for name, value in question.items() if value} == {
        "text": QUESTION.text,
        "choices": list(QUESTION.choices),
    }
    assert "a hidden prompt" not in json.dumps(fields)


def test_work_opens_at_the_first_picture_without_a_label(tmp_path: Path) -> None:
    labels = {"a": Label("a", "Ada", ("A",))}
    fields = folder_work(tmp_path, [item("a"), item("b")], labels)
    assert fields["answers"] == [["A"], [None]]
    assert fields["at"] == 1

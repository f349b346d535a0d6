"""The list of saved sets and what a judge said of pictures: everything is named, everything from
outside is text.
"""

from pathlib import Path

from hallascope.components.judges.reasoning import render_reasoning
from hallascope.components.questions.saved_sets import provenance_summary, set_list
from hallascope.data.records import Picture, QuestionSet
from hallascope.metrics.ihalla.reasoning import LabeledPicture, Reasoning
from tests.components.cards.test_cards import EVIL, no_markup_of
from tests.components.questions.test_review import SET

RIGHT = LabeledPicture(Picture("ab" * 32, Path("/tmp/a.png")), factual=True)


def test_a_set_is_listed_with_its_number_source_makers_and_day() -> None:
    assert (
        provenance_summary(SET)
        == "2 questions · made · judge a/judge · writer a/writer · 2026-01-02"
    )
    assert (
        provenance_summary(QuestionSet(prompt="a cat", questions=SET.questions[:1], source="file"))
        == "1 question · file"
    )


def test_the_list_names_every_prompt_as_text() -> None:
    assert no_markup_of(
        EVIL, set_list([QuestionSet(prompt=EVIL, questions=SET.questions, source=EVIL)])
    )


def test_a_filter_comes_with_many_sets() -> None:
    assert "Filter by prompt" not in set_list([SET])
    assert "Filter by prompt" in set_list([SET] * 9)


def test_every_answer_has_its_place_from_the_beginning_and_a_sign_when_it_comes() -> None:
    said = [
        Reasoning(material=RIGHT, state="correct", response="Normal", visual="Four atoms."),
        Reasoning(material=RIGHT, state="failed", failure="No reply."),
    ]
    html = render_reasoning([RIGHT], said, {})
    assert html.count('class="answer waiting"') == 3
    assert "told right" in html
    assert "kept" in html
    assert "No reply." in html
    assert "1 of 2 told right, easy" in render_reasoning(
        [RIGHT], said, {"ab" * 32: "easy"}, done=True
    )


def test_what_a_judge_says_is_text() -> None:
    assert no_markup_of(
        EVIL,
        render_reasoning(
            [RIGHT],
            [
                Reasoning(
                    material=RIGHT, state="correct", response="Normal", visual=EVIL, contextual=EVIL
                ),
                Reasoning(material=RIGHT, state="unreadable", raw=EVIL),
            ],
            {},
        ),
    )

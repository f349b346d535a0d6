"""The list of saved sets: everything is named, and everything from outside is text."""

from hallascope.components.questions.saved_sets import provenance_summary, set_list
from hallascope.data.records import QuestionSet
from tests.components.questions.test_review import SET
from tests.support.tiles import EVIL, no_markup_of


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

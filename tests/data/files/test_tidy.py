"""What is tidy stays as it is."""

from hypothesis import given

from hallascope.data.files.tidy import line, paragraphs, tidy_set
from hallascope.data.records import (
    QuestionSet,
)
from tests.support.question_sets import (
    sets,
    stands,
)


@given(sets.filter(stands))
def test_what_is_tidy_stays_as_it_is(found: QuestionSet) -> None:
    once = tidy_set(found)
    assert tidy_set(once) == once
    assert paragraphs(paragraphs(found.prompt)) == paragraphs(found.prompt)
    assert line(paragraphs(found.prompt)) == line(found.prompt)

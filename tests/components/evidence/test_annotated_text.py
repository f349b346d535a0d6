"""Marked words: every character is shown once and leads to all that it belongs to."""

from hypothesis import given
from hypothesis import strategies as st

from hallascope.components.evidence.annotated_text import annotated_html, pieces
from hallascope.components.evidence.exhibit import AnnotatedSpan, AnnotatedText

PROMPT = "two red circles"


def test_words_that_overlap_are_cut_where_they_begin_and_end() -> None:
    words = (
        AnnotatedSpan((0, 15), ("finding=1",), "correct"),
        AnnotatedSpan((4, 7), ("finding=2",), "incorrect"),
    )
    found = [(PROMPT[a:b], keys, kind) for a, b, keys, kind in pieces(PROMPT, words)]
    assert found == [
        ("two ", ("finding=1",), "correct"),
        ("red", ("finding=1", "finding=2"), "incorrect"),
        (" circles", ("finding=1",), "correct"),
    ]


@given(
    st.text(max_size=40), st.lists(st.tuples(st.integers(-5, 60), st.integers(-5, 60)), max_size=8)
)
def test_any_spans_show_the_whole_text_once(said: str, spans: list[tuple[int, int]]) -> None:
    words = tuple(AnnotatedSpan(span, (f"finding={i}",)) for i, span in enumerate(spans))
    assert "".join(said[a:b] for a, b, _, _ in pieces(said, words)) == said


def test_a_word_is_a_button_that_says_its_state() -> None:
    html = annotated_html(
        AnnotatedText("Prompt", PROMPT, (AnnotatedSpan((4, 7), ("finding=2",), "incorrect"),))
    )
    assert 'class="word incorrect" role="button" tabindex="-1" aria-pressed="false"' in html
    assert 'aria-label="red: incorrect">red</span>' in html
    assert ">two <span" in html, "what belongs to nothing is plain"


def test_where_there_is_no_text_the_reason_stands() -> None:
    assert "No caption." in annotated_html(AnnotatedText("Seen", "", (), "No caption."))

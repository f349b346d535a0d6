"""An error of a pure layer becomes a sentence."""

from hypothesis import given
from hypothesis import strategies as st

from hallascope.engine.errors import sentence


def test_a_message_gets_a_capital_and_a_stop() -> None:
    assert sentence(ValueError("the file\n is empty")) == "The file is empty."


@given(st.text())
def test_a_sentence_is_on_one_line_and_stays_what_it_is(message: str) -> None:
    text = sentence(ValueError(message))
    assert text.endswith((".", "?", "!"))
    assert "\n" not in text
    assert sentence(ValueError(text)) == text

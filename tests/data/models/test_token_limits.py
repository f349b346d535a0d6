"""What a service may count for a request is never more than the bound before it is sent."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hallascope.data.models.specs import Price
from hallascope.data.models.token_limits import (
    FORM_TOKENS,
    LETTER_TOKENS,
    TEXT_TOKENS,
    UNKNOWN_PICTURE_TOKENS,
    WIDE,
    most_usage,
    token_limit,
)
from hallascope.data.records import Picture
from hallascope.data.requests import Ask, Detect, Generate, Request, Write

PICTURE = Picture("00", Path("a.png"))
LETTER = Ask(images=(PICTURE,), text="t", question="q", choices=("a", "b"))
FREE = Ask(images=(PICTURE,), text="t", question="q")


@pytest.mark.parametrize(
    ("request_", "limit"),
    [
        (LETTER, LETTER_TOKENS),
        (FREE, TEXT_TOKENS),
        (Write("t"), TEXT_TOKENS),
        (Detect(PICTURE, ("a",)), 0),
        (Generate("a cat", 0), 0),
    ],
)
def test_a_letter_is_short_a_text_long_and_nothing_else_has_a_reply_of_tokens(
    request_: Request, limit: int
) -> None:
    assert token_limit(request_, {}) == limit


def test_the_settings_of_a_model_go_before_the_usual_limit() -> None:
    assert token_limit(FREE, {"max_tokens": 50}) == 50


def test_a_picture_counts_twice_what_a_square_one_does() -> None:
    assert (
        most_usage(LETTER, Price(picture_tokens=10), {}).input_tokens == 1 + WIDE * 10 + FORM_TOKENS
    )
    unknown = most_usage(LETTER, Price(), {}).input_tokens
    assert unknown == 1 + WIDE * UNKNOWN_PICTURE_TOKENS + FORM_TOKENS


def test_a_made_picture_is_counted_as_a_picture_and_by_its_tokens() -> None:
    usage = most_usage(Generate("a cat", 0), Price(picture_tokens=10), {})
    assert (usage.output_tokens, usage.pictures) == (WIDE * 10, 1)


@given(st.text(max_size=40))
def test_a_text_counts_for_its_bytes(text: str) -> None:
    size = len(text.encode("utf-8", "surrogatepass"))
    assert most_usage(Write(text), Price(), {}).input_tokens == size + FORM_TOKENS

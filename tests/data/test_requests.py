"""A request is whole, and only a reply of its type fits it."""

from pathlib import Path

import pytest

from hallascope.data.records import Picture
from hallascope.data.regions import Box
from hallascope.data.requests import (
    ROLES,
    Answer,
    Ask,
    Describe,
    Detect,
    Detected,
    Embed,
    Embedded,
    Failure,
    Generate,
    Generated,
    Match,
    Matched,
    ReadPrompt,
    ReadText,
    Reply,
    Request,
    Segment,
    Segmented,
    TextRead,
    Write,
    fits,
)

PICTURE = Picture("00", Path("a.png"))
BOX = Box(0, 0, 1, 1)
PAIRS: list[tuple[Request, Reply]] = [
    (Ask(images=(PICTURE,), text="t", question="q"), Answer("a")),
    (Describe(PICTURE, "t"), Answer("a")),
    (Write("t"), Answer("a")),
    (ReadPrompt("p", "t"), Answer("a")),
    (Generate("a cat", 0), Generated(b"")),
    (Detect(PICTURE, ("cat",)), Detected(())),
    (Segment(PICTURE, (BOX,)), Segmented(())),
    (Embed(text="t"), Embedded(())),
    (Match(PICTURE, "t"), Matched(0.5)),
    (ReadText(PICTURE), TextRead(())),
]


def test_every_role_has_its_requests() -> None:
    assert {request.role for request, _ in PAIRS} == set(ROLES)


@pytest.mark.parametrize(("request_", "reply"), PAIRS, ids=lambda pair: type(pair).__name__)
def test_a_reply_fits_the_requests_of_its_type_alone(request_: Request, reply: Reply) -> None:
    for other, own in PAIRS:
        assert fits(other, reply) == (type(own) is type(reply))
    assert not fits(request_, Failure("broken", "It is broken."))


def test_an_embedding_is_of_a_picture_or_of_a_text() -> None:
    for fields in ({}, {"image": PICTURE, "text": "t"}):
        with pytest.raises(ValueError, match="exactly one of them"):
            Embed(**fields)  # type: ignore[arg-type]


def test_boxes_have_a_phrase_each_or_none() -> None:
    with pytest.raises(ValueError, match="1 boxes have 2 phrases"):
        Segment(PICTURE, (BOX,), ("a", "b"))

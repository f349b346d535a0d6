"""The scripted backend says what it was told to say, and counts."""

from pathlib import Path
from typing import Any

from hallascope.data.models.specs import ModelSpec
from hallascope.data.records import Picture
from hallascope.data.requests import (
    Answer,
    Ask,
    Describe,
    Detect,
    Detected,
    Embed,
    Embedded,
    Failure,
    ReadText,
    Segment,
    Segmented,
    TextRead,
)
from tests.support.scripted import Scripted

SPEC = ModelSpec(
    id="scripted/judge", title="Scripted", roles=("judge", "generator"), backend="scripted"
)
ASK = Ask(images=(Picture("aa", Path("a.png")),), text="Text", question="Question?")


def test_a_list_is_said_in_order_and_then_it_is_at_its_end() -> None:
    backend = Scripted(SPEC, ["A", Failure("refused", "No.")])
    assert backend.ask([ASK, ASK]) == [Answer("A"), Failure("refused", "No.")]
    (last,) = backend.ask([ASK])
    assert isinstance(last, Failure)
    assert "at its end" in last.message


def test_what_is_seen_is_said_too_and_words_in_its_place_are_a_failure() -> None:
    image = ASK.images[0]
    script: list[Any] = [
        "A red circle",
        TextRead(()),
        Detected(()),
        Segmented(()),
        Embedded((1.0,)),
        "A",
    ]
    backend = Scripted(SPEC, script)
    assert [
        *backend.describe([Describe(image, "What is it?")]),
        *backend.read_text([ReadText(image)]),
        *backend.detect([Detect(image, ())]),
        *backend.segment([Segment(image, ())]),
        *backend.embed([Embed(image)]),
    ] == [Answer("A red circle"), *script[1:5]]
    (reply,) = backend.embed([Embed(image)])
    assert isinstance(reply, Failure)
    assert "another sort" in reply.message

"""The scripted backend says what it was told to say, and counts."""

from pathlib import Path
from typing import Any

import pytest

from hallascope.backends import base
from hallascope.backends.scripted import Scripted
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
    Generate,
    Generated,
    ReadText,
    Segment,
    Segmented,
    TextRead,
)

SPEC = ModelSpec(
    id="scripted/judge", title="Scripted", roles=("judge", "generator"), backend="scripted"
)
ASK = Ask(images=(Picture("aa", Path("a.png")),), text="Text", question="Question?")


def test_it_fills_every_role() -> None:
    model = Scripted(SPEC)
    roles = "Judge Captioner Writer Generator Detector Segmenter Embedder Reader"
    assert all(isinstance(model, getattr(base, role)) for role in roles.split())


def test_a_list_is_said_in_order_and_then_it_is_at_its_end() -> None:
    backend = Scripted(SPEC, ["A", Failure("refused", "No.")])
    assert backend.ask([ASK, ASK]) == [Answer("A"), Failure("refused", "No.")]
    (last,) = backend.ask([ASK])
    assert isinstance(last, Failure)
    assert "at its end" in last.message


def test_a_function_is_asked_for_each_request_and_exceptions_are_raised() -> None:
    with pytest.raises(OSError, match="gone"):
        Scripted(SPEC, lambda ask: OSError("gone")).ask([ASK])
    assert Scripted(SPEC, lambda ask: ask.text).ask([ASK]) == [Answer("Text")]


def test_without_a_script_it_always_says_the_same() -> None:
    assert Scripted(SPEC).ask([ASK, ASK]) == [Answer("E")] * 2


def test_a_picture_where_words_belong_is_a_failure_and_the_other_way_round() -> None:
    (reply,) = Scripted(SPEC, [Generated(b"")]).ask([ASK])
    assert isinstance(reply, Failure)
    (reply2,) = Scripted(SPEC, ["A"]).generate([Generate("a cat", 0)])
    assert isinstance(reply2, Failure)


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


def test_it_counts_calls_and_requests_and_sleeps_once_a_call() -> None:
    slept: list[float] = []
    backend = Scripted(SPEC, limits=base.CallLimits(5, 1), latency=0.2, sleep=slept.append)
    backend.ask([ASK, ASK])
    backend.ask([ASK])
    assert (backend.calls, backend.requests, backend.most_at_once, slept) == (2, 3, 1, [0.2, 0.2])

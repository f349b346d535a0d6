"""What detectors, segmenters and embedders say goes through the driver, the cache and the store as
what judges say does.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from hallascope.backends.base import CallLimits
from hallascope.backends.scripted import Scripted
from hallascope.data import masks
from hallascope.data.models.specs import ModelSpec
from hallascope.data.records import Picture
from hallascope.data.regions import Box, Detection, Mask, TextLine
from hallascope.data.requests import (
    Answer,
    CacheableReply,
    Detect,
    Detected,
    Embed,
    Embedded,
    Failure,
    ReadPrompt,
    Reply,
    Request,
    Role,
    Segment,
    Segmented,
    TextRead,
    Usage,
    Write,
)
from hallascope.engine.models.roles import bind_backend, call, ignore_progress
from hallascope.engine.run.calls.cache import MemoryCache
from hallascope.engine.run.driver import AnyPlan, Driver
from hallascope.engine.run.driver_events import (
    DriverEvent,
    PlanReply,
    PlanResult,
)
from hallascope.engine.storage.store import Store
from hallascope.engine.storage.tables import CachedReply

PICTURE = Picture("ab" * 32, Path("nowhere.png"))
LEFT, RIGHT = Box(0, 0, 0.5, 1), Box(0.5, 0, 1, 1)
SEEN = Detected((Detection("a cat", LEFT, 0.9), Detection("a dog", RIGHT, 0.4)))
HALF = masks.encode(np.kron([[1, 0], [1, 0]], np.ones((4, 4))).astype(bool))
VECTOR = Embedded((0.6, -0.8))


def sees(request: Request) -> Reply:
    """One mask a box, and the same detections and vector for everything."""
    match request:
        case Detect():
            return SEEN
        case Segment():
            return Segmented((HALF,) * len(request.boxes))
        case _:
            return VECTOR


def fig() -> AnyPlan:
    """Detect, then segment what was found, then embed the picture and each phrase.

    A failure ends it.
    """
    (seen,) = yield [Detect(PICTURE, ("a cat", "a dog"))]
    if not isinstance(seen, Detected):
        return seen
    boxes, phrases = zip(*((one.box, one.phrase) for one in seen.detections), strict=True)
    (cut,) = yield [Segment(PICTURE, boxes, phrases)]
    if not isinstance(cut, Segmented):
        return cut
    placed = yield [Embed(PICTURE), *(Embed(text=phrase) for phrase in phrases)]
    return [seen, cut, *placed]


def eyes(script: Callable[[Any], Any] = sees, batch: int = 2) -> Scripted:
    roles: tuple[Role, ...] = ("detector", "segmenter", "embedder")
    return Scripted(
        ModelSpec(id="scripted/eyes", title="Scripted eyes", roles=roles, backend="scripted"),
        script,
        limits=CallLimits(batch, 1),
    )


def run(model: Scripted, cache: Any = None) -> tuple[Any, list[DriverEvent]]:
    driver, at = Driver(cache), bind_backend(model)
    driver.add("plan", fig(), {"detector": at, "segmenter": at, "embedder": at})
    events = list(driver.events())
    return next(event.result for event in events if isinstance(event, PlanResult)), events


def test_a_second_run_asks_nothing(store: Store) -> None:
    cache: Any
    for cache in (MemoryCache(), store):
        first, model = eyes(), eyes()
        before, _ = run(first, cache)
        after, events = run(model, cache)
        assert (first.requests, model.requests) == (5, 0)
        assert after == before == [SEEN, Segmented((HALF, HALF)), VECTOR, VECTOR, VECTOR]
        assert all(event.cached for event in events if isinstance(event, PlanReply | PlanResult))


def test_every_sort_of_reply_comes_back_from_the_store_as_it_was(store: Store) -> None:
    sorts: list[CacheableReply] = [
        Answer("A", (0.7, 0.3), Usage(3, 1)),
        SEEN,
        Detected(()),
        Segmented((HALF, Mask(2, 3, (6,)), Mask(2, 3, (0, 6)))),
        Segmented(()),
        VECTOR,
        Embedded((1 / 3, -(8**0.5) / 3), Usage(7)),
        TextRead((TextLine("STOP", LEFT, 0.9),), Usage(3)),
        TextRead(()),
    ]
    replies = {str(number): reply for number, reply in enumerate(sorts)}
    store.keep_replies(replies)
    assert store.replies(replies) == replies


def test_replies_that_an_older_version_kept_are_still_answers(store: Store) -> None:
    kept = {
        "old": '{"text":"B) Red","probabilities":[0.25,0.75],"usage":null}',
        "cut": '{"masks":[{"height":2,"width":3,"counts":[2,1,3]}],"usage":null}',
    }
    with store.database.write_transaction() as session:
        for name, reply in kept.items():
            store.database.upsert(session, CachedReply(key=name, reply=reply))
    assert store.replies(kept) == {
        "old": Answer("B) Red", (0.25, 0.75)),
        "cut": Segmented((Mask(2, 3, (2, 1, 3)),)),
    }


class Blind:
    """A model without any role."""

    spec, limits, revision = (
        ModelSpec(id="blind/judge", title="Blind judge", roles=("judge",), backend="scripted"),
        CallLimits(),
        "1",
    )


def test_a_reply_of_another_sort_and_a_model_without_the_role_are_failures() -> None:
    mixed, _ = run(eyes(lambda request: VECTOR if isinstance(request, Detect) else sees(request)))
    assert isinstance(mixed, Failure)
    assert "another sort" in mixed.message
    driver, at = Driver(), bind_backend(Blind())
    driver.add("plan", fig(), {"detector": at})
    (ended,) = [event for event in driver.events() if isinstance(event, PlanResult)]
    assert isinstance(ended.result, Failure)
    assert "Blind judge is no detector" in ended.result.message


def test_a_segment_has_a_phrase_a_box_or_none_and_an_embedding_is_of_one_thing() -> None:
    with pytest.raises(ValueError, match="2 boxes have 1 phrases"):
        Segment(PICTURE, (LEFT, RIGHT), ("a cat",))
    for wrong in ({}, {"image": PICTURE, "text": "a cat"}):
        with pytest.raises(ValueError, match="exactly one"):
            Embed(**wrong)  # type: ignore[arg-type]
    assert Embed(text="").text == ""


def test_a_writer_reads_a_prompt_as_it_is_asked_and_who_is_neither_fails() -> None:
    request = ReadPrompt("a cat", "What does “a cat” ask for?", "v1", {"type": "object"})
    asked: list[Request] = []

    def write(request: Write) -> str:
        asked.append(request)
        return "{}"

    writer = ModelSpec(id="w", title="Writer", roles=("writer",), backend="scripted")
    assert call(Scripted(writer, write), [request], ignore_progress) == [Answer("{}")]
    assert asked == [Write(request.text, "v1", {"type": "object"})]
    assert writer.fills("parser")

    assert not Blind.spec.fills("parser")
    (reply,) = call(Blind(), [request], ignore_progress)
    assert isinstance(reply, Failure)
    assert "Blind judge is no parser" in reply.message

"""Replies of every sort are kept as they are, and models are asked what their roles can answer."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np

from hallascope.backends.base import CallLimits
from hallascope.data import masks
from hallascope.data.models.specs import ModelSpec
from hallascope.data.records import Picture
from hallascope.data.regions import Box, Detection, Mask, TextLine
from hallascope.data.requests import (
    Answer,
    CacheableReply,
    Detect,
    Detected,
    Embedded,
    Failure,
    ReadPrompt,
    Request,
    Segmented,
    TextRead,
    Usage,
    Write,
)
from hallascope.engine.models.roles import call, ignore_progress
from hallascope.engine.storage.store import Store
from hallascope.engine.storage.tables import CachedReply
from tests.support.scripted import Scripted

LEFT = Box(0, 0, 0.5, 1)
HALF = masks.encode(np.kron([[1, 0], [1, 0]], np.ones((4, 4))).astype(bool))
VECTOR = Embedded((0.6, -0.8))


def test_every_sort_of_reply_comes_back_from_the_store_as_it_was(store: Store) -> None:
    sorts: list[CacheableReply] = [
        Answer("A", (0.7, 0.3), Usage(3, 1)),
        Detected((Detection("a cat", LEFT, 0.9), Detection("a dog", LEFT, 0.4))),
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

    judge = ModelSpec(id="j", title="Blind judge", roles=("judge",), backend="scripted")
    assert not judge.fills("parser")
    blind: Any = SimpleNamespace(spec=judge, limits=CallLimits(), revision="1")
    for ask, role in ((request, "parser"), (Detect(Picture("ab" * 32, Path("x")), ()), "detector")):
        (reply,) = call(blind, [ask], ignore_progress)
        assert isinstance(reply, Failure)
        assert f"Blind judge is no {role}" in reply.message

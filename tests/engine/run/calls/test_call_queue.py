"""Requests leave in calls of one model and role, no more at once than it takes; ends come back."""

import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from hallascope.data.requests import (
    Answer,
    Ask,
    Describe,
    Failure,
    Reply,
    Request,
)
from hallascope.engine.models.roles import BoundModel, bind_backend
from hallascope.engine.run.calls.attempts import CallEnd
from hallascope.engine.run.calls.cache import MemoryCache
from hallascope.engine.run.calls.call_queue import CallQueue, PendingRequest
from hallascope.engine.storage.questions_in_flight import QuestionsInFlight
from tests.support.driver_runs import PICTURE


def ask(text: str) -> Ask:
    return Ask(images=(PICTURE,), text=text, question=text)


def pending(request: Request, model: BoundModel, key: str) -> PendingRequest:
    return PendingRequest(
        request=request, bound_model=model, key=key, keep=True, find_stored=lambda: None
    )


def build() -> CallQueue:
    return CallQueue(threading.Event(), time.monotonic, None, MemoryCache(), QuestionsInFlight())


def ends(calls: CallQueue, count: int) -> Iterator[CallEnd]:
    """Send what waits, and yield the ends of this many calls."""
    calls.send()
    deadline = time.monotonic() + 20
    while count and time.monotonic() < deadline:
        for message in calls.receive():
            if isinstance(message, CallEnd):
                count -= 1
                yield message
    assert not count, f"{count} calls did not end"


def text_of(reply: Reply) -> str:
    assert isinstance(reply, Answer)
    return reply.text


def test_a_batch_holds_requests_of_one_role_in_the_order_they_were_added(judge: Any) -> None:
    backend = judge(lambda request: request.text, batch=3, concurrency=3)
    model = bind_backend(backend)
    calls = build()
    for i, text in enumerate("abcd"):
        calls.add(pending(ask(text), model, f"ask {i}"))
    calls.add(pending(Describe(PICTURE, "e"), model, "describe"))
    batches = {tuple(end.call.keys): end.replies for end in ends(calls, 3)}
    assert {keys: [text_of(reply) for reply in replies] for keys, replies in batches.items()} == {
        ("ask 0", "ask 1", "ask 2"): ["a", "b", "c"],
        ("ask 3",): ["d"],
        ("describe",): ["e"],
    }


def test_a_model_that_reads_images_one_after_another_is_asked_about_one_in_a_call(
    judge: Any,
) -> None:
    backend = judge(lambda request: request.text, batch=3, concurrency=1)
    backend.limits = replace(backend.limits, one_image=True)
    model = bind_backend(backend)
    other = replace(PICTURE, sha256="b" * 64)
    calls = build()
    for text, image in zip("abcdefg", [PICTURE] * 4 + [other] * 2 + [PICTURE], strict=True):
        calls.add(pending(replace(ask(text), images=(image,)), model, text))
    sent = []
    for end in ends(calls, 4):
        sent.append("".join(end.call.keys))
        calls.finish(end.call)
        calls.send()
    assert sent == ["abc", "d", "ef", "g"]


def test_a_call_holds_its_place_and_its_requests_until_it_is_finished(judge: Any) -> None:
    model = bind_backend(judge(lambda request: request.text, concurrency=1))
    calls = build()
    items = [pending(ask(text), model, text) for text in "ab"]
    for item in items:
        calls.add(item)
    (end,) = ends(calls, 1)
    calls.send()
    assert calls.batch(end.call) == items[:1]
    assert calls.receive() == [], "the next call waits until the replies of this one are kept"
    calls.finish(end.call)
    calls.finish(end.call)
    assert calls.batch(end.call) == []
    assert end.call.abandoned
    (following,) = ends(calls, 1)
    assert calls.batch(following.call) == items[1:]


def test_what_waits_for_a_model_that_denies_gets_its_failure_without_a_call(judge: Any) -> None:
    model = replace(
        bind_backend(judge()),
        call=lambda requests, on_step: [Failure("denied", "No key: type one.", attempts=3)],
    )
    calls = build()
    for text in "abc":
        calls.add(pending(ask(text), model, text))
    (end,) = ends(calls, 1)
    failures = calls.unavailable_replies(end)
    assert [item.pending.key for item in failures] == ["b", "c"]
    assert all(
        isinstance(item.reply, Failure)
        and (item.reply.kind, item.reply.attempts, item.seconds) == ("denied", 0, 0.0)
        for item in failures
    )
    assert calls.unavailable_replies(end) == []


def test_what_is_cleared_is_neither_sent_nor_given_back(judge: Any) -> None:
    gate = threading.Event()

    def script(request: Ask) -> str:
        assert gate.wait(20)
        return "A"

    backend = judge(script, concurrency=1)
    model = bind_backend(backend)
    calls = build()
    for text in "ab":
        calls.add(pending(ask(text), model, text))
    calls.send()
    calls.clear()
    gate.set()
    (end,) = ends(calls, 1)
    assert calls.batch(end.call) == []
    assert end.call.requests == [ask("a")]
    assert backend.requests <= 1

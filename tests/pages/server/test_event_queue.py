"""The queue refuses one kind of work alone, and says how long it is."""

from types import SimpleNamespace
from typing import Any

import gradio as gr
import pytest
from fastapi import HTTPException
from gradio.data_classes import PredictBodyInternal

from hallascope.pages.server.app_blocks import AppBlocks
from hallascope.pages.server.event_queue import (
    FULL,
    MORE_PLACES,
    RECENT,
    SHORT_WAIT,
    BoundedQueue,
    RecentProcessTime,
    full_sentence,
)
from tests.support.coroutines import run_apart

PLACES = 3


@pytest.fixture
def queue() -> BoundedQueue:
    """A queue that nobody works off, of an app with runs (event 0) and evidence (event 1)."""
    return run_apart(build(PLACES))


async def build(places: int | None) -> BoundedQueue:
    with AppBlocks(analytics_enabled=False) as demo:
        for kind in ("runs", "evidence"):
            button = gr.Button()
            button.click(lambda: None, concurrency_limit=2, concurrency_id=kind)
    demo.queue(max_size=places)
    assert isinstance(demo._queue, BoundedQueue)
    return demo._queue


async def push(queue: Any, event: int, times: int) -> None:
    for _ in range(times):
        body = PredictBodyInternal(fn_index=event, data=[], session_hash="s")
        await queue.push(body, SimpleNamespace(), None)


def test_a_kind_of_work_has_its_places_and_leaves_others_theirs(queue: Any) -> None:
    run_apart(push(queue, 0, PLACES))
    with pytest.raises(HTTPException) as refused:
        run_apart(push(queue, 0, 1))
    assert refused.value.status_code == FULL
    run_apart(push(queue, 1, PLACES))
    assert len(queue) == 2 * PLACES


def test_who_is_refused_is_told_the_seconds_until_all_before_have_begun(queue: Any) -> None:
    run_apart(push(queue, 0, PLACES))
    queue.process_time_per_fn[queue.blocks.fns[0]].add(9.0)
    with pytest.raises(HTTPException) as refused:
        run_apart(push(queue, 0, 1))
    assert refused.value.detail == full_sentence(PLACES * 9.0 / 2)
    assert refused.value.headers == {"Retry-After": "14"}
    assert "about 14 s" in refused.value.detail


def test_a_kind_of_work_that_is_done_at_once_has_more_places_but_not_for_ever_more(
    queue: Any,
) -> None:
    queue.process_time_per_fn[queue.blocks.fns[0]].add(0.1)
    run_apart(push(queue, 0, MORE_PLACES * PLACES))
    with pytest.raises(HTTPException):
        run_apart(push(queue, 0, 1))


def test_a_kind_of_work_whose_wait_has_become_long_has_its_own_places_alone(queue: Any) -> None:
    queue.process_time_per_fn[queue.blocks.fns[0]].add(2 * SHORT_WAIT / PLACES + 1)
    run_apart(push(queue, 0, PLACES))
    with pytest.raises(HTTPException):
        run_apart(push(queue, 0, 1))


def test_without_a_time_that_is_known_none_is_named() -> None:
    assert "about" not in full_sentence(None)


def test_without_a_bound_all_may_wait() -> None:
    queue = run_apart(build(None))
    run_apart(push(queue, 0, 100))
    assert len(queue) == 100


def test_the_last_times_count_and_those_before_are_forgotten() -> None:
    times = RecentProcessTime()
    for seconds in [100.0] * 5 + [2.0] * RECENT:
        times.add(seconds)
    assert times.avg_time == pytest.approx(2.0)


def test_no_list_of_past_events_grows(queue: Any) -> None:
    run_apart(push(queue, 0, PLACES))
    assert len(queue.event_analytics) <= 1
    assert queue.compute_analytics_summary([{"function": "a"}]) == {"functions": {}}

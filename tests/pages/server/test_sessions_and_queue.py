"""An open page has values of its own, and the queue refuses one kind of work alone."""

from types import SimpleNamespace
from typing import Any, cast

import gradio as gr
import pytest
from fastapi import HTTPException
from gradio.data_classes import PredictBodyInternal
from gradio.state_holder import SessionState

from hallascope.pages.server.app_blocks import CLOSED_KEPT, AppBlocks
from hallascope.pages.server.event_queue import (
    FULL,
    MORE_PLACES,
    BoundedQueue,
    full_sentence,
)
from tests.support.coroutines import run_apart

# --- sessions ---


@pytest.fixture
def demo() -> AppBlocks:
    return run_apart(build())


async def build() -> AppBlocks:
    demo = AppBlocks(analytics_enabled=False)
    with demo:
        gr.State([1])
        gr.Textbox("first", elem_id="field")
    return demo


def test_a_session_holds_no_description_of_components(demo: AppBlocks) -> None:
    session = SessionState(demo)
    assert list(session.components) == []
    kinds = [part["type"] for part in demo.get_config_file()["components"]]
    assert kinds[:2] == ["state", "textbox"]


def test_a_value_of_one_session_is_no_value_of_another(demo: AppBlocks) -> None:
    one, other = SessionState(demo), SessionState(demo)
    state, field, *_ = demo.blocks
    one[state].append(2)
    one[field] = gr.Textbox("second", render=False)
    assert (one[state], other[state]) == ([1, 2], [1])
    assert (one[field].value, other[field].value) == ("second", "first")


def test_the_state_of_closed_pages_is_forgotten_but_for_the_last(demo: AppBlocks) -> None:
    holder = demo.state_holder
    for number in range(CLOSED_KEPT + 5):
        holder[f"closed {number}"].is_closed = True
        assert not holder[f"open {number}"].is_closed
    demo.forget_closed_sessions()
    closed = [name for name in holder.session_data if name.startswith("closed")]
    assert closed == [f"closed {number}" for number in range(5, CLOSED_KEPT + 5)]
    assert len(holder.session_data) == 2 * CLOSED_KEPT + 5


def test_a_call_with_too_few_values_is_a_sentence_that_names_no_object(demo: AppBlocks) -> None:
    function = SimpleNamespace(inputs=[gr.State(), gr.Textbox()], name="secret")
    with pytest.raises(gr.Error) as refused:
        demo.validate_inputs(cast(Any, function), ["one"])
    assert refused.value.message == "The page sent 1 of 2 values: reload it."
    demo.validate_inputs(cast(Any, function), ["one", "two"])


# --- the queue ---


PLACES = 3


@pytest.fixture
def queue() -> BoundedQueue:
    """A queue that nobody works off, of an app with runs (event 0) and evidence (event 1)."""
    return run_apart(build_queue(PLACES))


async def build_queue(places: int | None) -> BoundedQueue:
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


def test_without_a_bound_all_may_wait() -> None:
    queue = run_apart(build_queue(None))
    run_apart(push(queue, 0, 100))
    assert len(queue) == 100

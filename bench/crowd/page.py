"""Speaks Gradio's protocol as its page in a browser does: events, their values, what follows them.

It knows the components by their ids and nothing of what they show.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from http.client import HTTPConnection
from typing import Any

from gradio_client.utils import apply_diff

from bench.crowd.http import Browser, RefusedRequest, events

_SKIPPED = "__type__"


@dataclass(frozen=True)
class PageLayout:
    """Holds what the page says of itself: its components and events, the same for all visitors."""

    config: Mapping[str, Any]
    ids: dict[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for part in self.config["components"]:
            props = part["props"]
            name = props.get("elem_id") or props.get("label")
            if part["type"] == "tabitem":
                name = f"tab-{props.get('id')}"
            if name:
                self.ids.setdefault(str(name), part["id"])

    def first_values(self) -> dict[int, Any]:
        """Return the values of the components as the page is opened."""
        return {part["id"]: part["props"].get("value") for part in self.config["components"]}

    def queued_after(self, target: str, event: str) -> int:
        """Return which event does the work that a component starts: the first that is queued."""
        heard = self.heard_by(target, event)[0]
        while heard["queue"] is False:
            heard = self.after(heard["id"], has_failed=False)[0]
        return int(heard["id"])

    def heard_by(self, target: int | str | None, event: str) -> list[Mapping[str, Any]]:
        """Return the events of the server that a component starts, by its id or name."""
        found = self.ids[target] if isinstance(target, str) else target
        return [
            heard
            for heard in self.config["dependencies"]
            if heard["backend_fn"] and [found, event] in heard["targets"]
        ]

    def after(self, done: int, has_failed: bool) -> list[Mapping[str, Any]]:
        """Return the events that follow another one."""
        return [
            heard
            for heard in self.config["dependencies"]
            if heard["trigger_after"] == done
            and heard["backend_fn"]
            and heard["trigger_only_on_failure"] == has_failed
        ]


@dataclass
class EventTimes:
    """Holds when an event was sent, when the server began with it, and when it was over.

    In seconds of one clock; None where it did not come to that.
    """

    sent: float
    begun: float | None = None
    ended: float | None = None


class VisitorPage:
    """Is one open page: its values, its events and the connection that says it is still open."""

    def __init__(self, browser: Browser, layout: PageLayout) -> None:
        self._browser = browser
        self._layout = layout
        self._session = secrets.token_hex(6)
        self.values = layout.first_values()
        self.errors: list[str] = []
        self.times: dict[int, EventTimes] = {}  # of the last event of each function
        self._pending: dict[str, Mapping[str, Any]] = {}
        self._sent: dict[str, list[Any]] = {}
        self._heartbeat = browser.connect()
        self._stream: HTTPConnection | None = None

    def open(self) -> None:
        """Say that the page is open, and run the events of its loading."""
        path = f"/gradio_api/heartbeat/{self._session}"
        self._heartbeat.request("GET", path, headers=self._browser.headers)
        for heard in self._layout.config["dependencies"]:
            if heard["backend_fn"] and any(event == "load" for _, event in heard["targets"]):
                self._start(heard)
        self.settle()

    def fire(
        self,
        target: str,
        event: str,
        data: Any = None,
        on_message: Callable[[], object] = lambda: None,
    ) -> None:
        """Start what a person starts with a component, and wait until all is over."""
        self.send(target, event, data)
        self.settle(on_message)

    def send(self, target: str, event: str, data: Any = None) -> None:
        """Start what a person starts with a component."""
        for heard in self._layout.heard_by(target, event):
            self._start(heard, data)

    def settle(self, on_message: Callable[[], object] = lambda: None) -> None:
        """Read what the server says until nothing is to come.

        `on_message`: called after each message, when the page shows what came.
        """
        while self._pending:
            for message in self.listen():
                self._take(message)
                on_message()

    def listen(self) -> Iterator[Mapping[str, Any]]:
        """Yield the messages of one stream; the server ends it when no event is left."""
        path = f"/gradio_api/queue/data?session_hash={self._session}"
        self._stream = self._browser.connect()  # the server closes one that was idle for seconds
        self._stream.request("GET", path, headers=self._browser.headers)
        response = self._stream.getresponse()
        if response.status != 200:
            self.errors.append(f"HTTP {response.status} of the stream")
            self._pending.clear()
            return
        yield from events(response)
        self._stream.close()

    def close(self) -> None:
        """Leave: close all connections, whatever still runs."""
        for connection in (self._heartbeat, self._stream):
            if connection is not None:
                connection.close()
        self._browser.close()

    def _start(self, heard: Mapping[str, Any], data: Any = None) -> None:
        body = {
            "data": [self.values.get(part) for part in heard["inputs"]],
            "event_data": data,
            "fn_index": heard["id"],
            "trigger_id": None,
            "session_hash": self._session,
        }
        self.times[heard["id"]] = EventTimes(time.monotonic())
        try:
            if heard["queue"] is False:
                self._finish(heard, self._browser.post("/gradio_api/run/predict", body), True)
            else:
                event = self._browser.post("/gradio_api/queue/join", body)["event_id"]
                self._pending[event] = heard
        except RefusedRequest as refused:
            self.errors.append(str(refused))
            self._follow(heard, has_failed=True)

    def _take(self, message: Mapping[str, Any]) -> None:
        """Do with a message of the stream what the page does with it."""
        if message["msg"] == "unexpected_error":
            self.errors.append(str(message.get("message")))
            self._pending.clear()
            return
        event = str(message.get("event_id"))
        heard = self._pending.get(event)
        if heard is None:
            return
        times = self.times[heard["id"]]
        if message["msg"] == "process_starts":
            times.begun = time.monotonic()
        elif message["msg"] == "process_generating" and message["success"]:
            self._show(heard, self._whole(event, message["output"]["data"]))
            self._changed(message["output"])
        elif message["msg"] == "process_completed":
            times.ended = time.monotonic()
            del self._pending[event]
            was_generated = self._sent.pop(event, None) is not None
            self._finish(heard, message["output"], message["success"], shown=was_generated)

    def _whole(self, event: str, data: list[Any]) -> list[Any]:
        """Return the outputs of a step, of which Gradio sends the first whole, then differences."""
        before = self._sent.get(event)
        whole = (
            list(data)
            if before is None
            else [apply_diff(old, new) for old, new in zip(before, data, strict=False)]
        )
        self._sent[event] = whole
        return whole

    def _finish(
        self,
        heard: Mapping[str, Any],
        output: Mapping[str, Any],
        success: bool,
        shown: bool = False,
    ) -> None:
        if not success:
            self.errors.append(str(output.get("error")))
        elif not shown:
            self._show(heard, output.get("data") or [])
        self._changed(output)
        self._follow(heard, has_failed=not success)

    def _show(self, heard: Mapping[str, Any], outputs: list[Any]) -> None:
        for part, output in zip(heard["outputs"], outputs, strict=False):
            if not isinstance(output, dict) or _SKIPPED not in output:
                self.values[part] = output
            elif "value" in output:
                self.values[part] = output["value"]

    def _changed(self, output: Mapping[str, Any]) -> None:
        """Start what listens to a state of the session that has changed."""
        for part in output.get("changed_state_ids") or ():
            for heard in self._layout.heard_by(part, "change"):
                self._start(heard)

    def _follow(self, heard: Mapping[str, Any], has_failed: bool) -> None:
        for follower in self._layout.after(heard["id"], has_failed):
            self._start(follower)

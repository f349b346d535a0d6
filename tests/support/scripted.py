"""Takes replies from a list or a function, in the place of a model.

Who imports this module can load models of the backend `scripted`.
"""

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from hallascope.backends import registry
from hallascope.backends.base import CallLimits, ModelSpec, OnStep
from hallascope.data.requests import (
    Answer,
    Detected,
    Embedded,
    Failure,
    Generated,
    Matched,
    Reply,
    Request,
    Segmented,
    TextRead,
)

ScriptedReply = str | Reply | Exception
Script = Sequence[ScriptedReply] | Callable[[Any], ScriptedReply]
registry.BACKENDS["scripted"] = "tests.support.scripted:Scripted"
_WRONG = Failure(
    "broken", "The script holds a reply of another sort than was asked for: fix the script."
)
_ENDED = Failure("broken", "The script is at its end: make it longer.")


def _replies_of(kind: type, steps: int = 0) -> Callable[..., list[Any]]:
    """Return the method that answers requests with replies of one kind."""

    def replies(
        self: "Scripted", requests: Sequence[Request], on_step: OnStep | None = None
    ) -> list[Any]:
        if on_step:
            on_step(1, steps)
        return [
            reply if isinstance(reply, kind | Failure) else _WRONG for reply in self.call(requests)
        ]

    return replies


class ScriptedSpec(ModelSpec):
    """An entry that brings this module, and so its backend, to the process that it is sent to."""


class Scripted:
    """Returns replies in the order of `script`, or the results of the function `script`.

    A string stands for an Answer; an exception is raised. Without a script every reply is
    ``settings.reply``, or "E". Each call waits `latency` seconds by `sleep`. The model counts its
    `calls` and `requests`, and `most_at_once`, the highest number of calls in flight together.
    """

    limits = CallLimits()
    revision = "scripted"

    def __init__(
        self,
        spec: ModelSpec,
        script: Script | None = None,
        *,
        limits: CallLimits | None = None,
        latency: float = 0.0,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self.spec = spec
        self.limits = limits or CallLimits()
        self.calls = self.requests = self.at_once = self.most_at_once = 0
        self._latency = latency
        self._sleep = sleep
        self._lock = threading.Lock()
        self._say = script if callable(script) else None
        self._rest: Iterator[ScriptedReply] = iter(
            () if script is None or callable(script) else script
        )
        self._always: str | None = (
            str(spec.settings.get("reply") or "E") if script is None else None
        )

    ask = describe = write = _replies_of(Answer)
    generate = _replies_of(Generated, steps=1)
    detect = _replies_of(Detected)
    segment = _replies_of(Segmented)
    embed = _replies_of(Embedded)
    match = _replies_of(Matched)
    read_text = _replies_of(TextRead)

    def call(self, requests: Sequence[Request]) -> list[Reply]:
        """Return what the script says to each request, of any kind."""
        with self._lock:
            self.calls += 1
            self.requests += len(requests)
            self.at_once += 1
            self.most_at_once = max(self.most_at_once, self.at_once)
        try:
            if self._latency:
                self._sleep(self._latency)
            return [self._reply(request) for request in requests]
        finally:
            with self._lock:
                self.at_once -= 1

    def _reply(self, request: Request) -> Reply:
        if self._say is not None:
            item = self._say(request)
        else:
            with self._lock:
                item = self._always if self._always is not None else next(self._rest, _ENDED)
        if isinstance(item, Exception):
            raise item
        return Answer(item) if isinstance(item, str) else item

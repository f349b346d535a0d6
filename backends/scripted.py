"""Takes replies from a list or a function, for tests and first steps without models."""

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

from hallascope.backends.base import CallLimits, ModelSpec, OnStep
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
    Match,
    Matched,
    ReadText,
    Reply,
    Request,
    Segment,
    Segmented,
    TextRead,
    Write,
)

ScriptedReply = str | Reply | Exception
Script = (
    Sequence[ScriptedReply]
    | Callable[[Ask], ScriptedReply]
    | Callable[[Describe], ScriptedReply]
    | Callable[[Write], ScriptedReply]
    | Callable[[Generate], ScriptedReply]
    | Callable[[Detect], ScriptedReply]
    | Callable[[Segment], ScriptedReply]
    | Callable[[Embed], ScriptedReply]
    | Callable[[Match], ScriptedReply]
    | Callable[[ReadText], ScriptedReply]
    | Callable[[Request], ScriptedReply]
)
A = TypeVar("A", Answer, Generated, Detected, Segmented, Embedded, Matched, TextRead)
_WRONG = Failure(
    "broken", "The script holds a reply of another sort than was asked for: mend the script."
)
_ENDED = Failure("broken", "The script is at its end: make it longer.")


class Scripted:
    """Returns replies in the order of `script`, or the results of the function `script`.

    A string stands for an Answer; an exception is raised. Without a script every reply is
    ``settings.reply``, or "E". Each call waits `latency` seconds by `sleep`. The model counts its
    `calls` and `requests`, and `most_at_once`, the highest number of calls in flight together.
    """

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

    @staticmethod
    def check(spec: ModelSpec) -> str | None:
        """Return None: it runs anywhere."""
        return None

    def ask(self, requests: Sequence[Ask], on_step: OnStep | None = None) -> list[Answer | Failure]:
        return self._typed_replies(requests, Answer, on_step)

    def describe(
        self, requests: Sequence[Describe], on_step: OnStep | None = None
    ) -> list[Answer | Failure]:
        return self._typed_replies(requests, Answer, on_step)

    def write(
        self, requests: Sequence[Write], on_step: OnStep | None = None
    ) -> list[Answer | Failure]:
        return self._typed_replies(requests, Answer, on_step)

    def generate(
        self, requests: Sequence[Generate], on_step: OnStep | None = None
    ) -> list[Generated | Failure]:
        return self._typed_replies(requests, Generated, on_step, steps=1)

    def detect(
        self, requests: Sequence[Detect], on_step: OnStep | None = None
    ) -> list[Detected | Failure]:
        return self._typed_replies(requests, Detected, on_step)

    def segment(
        self, requests: Sequence[Segment], on_step: OnStep | None = None
    ) -> list[Segmented | Failure]:
        return self._typed_replies(requests, Segmented, on_step)

    def embed(
        self, requests: Sequence[Embed], on_step: OnStep | None = None
    ) -> list[Embedded | Failure]:
        return self._typed_replies(requests, Embedded, on_step)

    def match(
        self, requests: Sequence[Match], on_step: OnStep | None = None
    ) -> list[Matched | Failure]:
        return self._typed_replies(requests, Matched, on_step)

    def read_text(
        self, requests: Sequence[ReadText], on_step: OnStep | None = None
    ) -> list[TextRead | Failure]:
        return self._typed_replies(requests, TextRead, on_step)

    def _typed_replies(
        self, requests: Sequence[Request], sort: type[A], on_step: OnStep | None, steps: int = 0
    ) -> list[A | Failure]:
        if on_step:
            on_step(1, steps)
        return [
            reply if isinstance(reply, sort | Failure) else _WRONG for reply in self._call(requests)
        ]

    def _call(self, requests: Sequence[Request]) -> list[Reply]:
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
            item = self._say(request)  # type: ignore[arg-type]
        else:
            with self._lock:
                item = self._always if self._always is not None else next(self._rest, _ENDED)
        if isinstance(item, Exception):
            raise item
        return Answer(item) if isinstance(item, str) else item

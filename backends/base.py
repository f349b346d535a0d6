"""Defines what a backend is: one small protocol a role, its limits, and the tree of errors."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol, runtime_checkable

from hallascope.data.models.specs import ModelSpec as ModelSpec
from hallascope.data.requests import (
    Answer,
    Ask,
    Describe,
    Detect,
    Detected,
    Embed,
    Embedded,
    Failure,
    FailureKind,
    Generate,
    Generated,
    Match,
    Matched,
    ReadText,
    Segment,
    Segmented,
    TextRead,
    Usage,
    Write,
)


@dataclass(frozen=True)
class CallLimits:
    """Says how many requests a model takes in a call (`batch`) and how many calls at once.

    `start`: the number of calls at once to begin with (None: all). `one_image`: the requests of a
    call are about the same image; a model that reads images one after another gains nothing from
    more, and each image has its replies sooner.
    """

    batch: int = 1
    concurrency: int = 1
    start: int | None = None
    one_image: bool = False


# (step, of steps), 0 where nobody knows how many: called by what works in steps; raises `Stopped`
# when the run was stopped.
OnStep = Callable[[int, int], None]


class Backend(Protocol):
    """A loaded model. `revision` is part of every cache key."""

    spec: ModelSpec
    limits: CallLimits
    revision: str


@runtime_checkable
class Judge(Backend, Protocol):
    def ask(
        self, requests: Sequence[Ask], on_step: OnStep | None = None
    ) -> list[Answer | Failure]: ...


@runtime_checkable
class Captioner(Backend, Protocol):
    def describe(
        self, requests: Sequence[Describe], on_step: OnStep | None = None
    ) -> list[Answer | Failure]: ...


@runtime_checkable
class Writer(Backend, Protocol):
    def write(
        self, requests: Sequence[Write], on_step: OnStep | None = None
    ) -> list[Answer | Failure]: ...


@runtime_checkable
class Generator(Backend, Protocol):
    def generate(
        self, requests: Sequence[Generate], on_step: OnStep | None = None
    ) -> list[Generated | Failure]: ...


@runtime_checkable
class Detector(Backend, Protocol):
    def detect(
        self, requests: Sequence[Detect], on_step: OnStep | None = None
    ) -> list[Detected | Failure]: ...


@runtime_checkable
class Segmenter(Backend, Protocol):
    def segment(
        self, requests: Sequence[Segment], on_step: OnStep | None = None
    ) -> list[Segmented | Failure]: ...


@runtime_checkable
class Embedder(Backend, Protocol):
    def embed(
        self, requests: Sequence[Embed], on_step: OnStep | None = None
    ) -> list[Embedded | Failure]: ...


@runtime_checkable
class Matcher(Backend, Protocol):
    """Scores how likely a text is that of an image."""

    def match(
        self, requests: Sequence[Match], on_step: OnStep | None = None
    ) -> list[Matched | Failure]: ...


@runtime_checkable
class Reader(Backend, Protocol):
    def read_text(
        self, requests: Sequence[ReadText], on_step: OnStep | None = None
    ) -> list[TextRead | Failure]: ...


class HallaScopeError(Exception):
    """Is the root of all errors, whose message is one sentence that a person can act on.

    It says what is wrong, where, and what to do.

    `kind` names the failure of a request that ends with this error; `remedy` is more advice for
    the command line.
    """

    kind: FailureKind = "unavailable"
    remedy: str = ""


class UnknownModel(HallaScopeError):
    """No model of that name; the message names the nearest."""


class Unavailable(HallaScopeError):
    """The model cannot run here; the message says why and what to do."""


class NoRoom(Unavailable):
    """Tells that memory is too small for the model now but may be enough without other models."""


class Denied(Unavailable):
    """Tells that the service denied a call: wrong key, unknown name, no credit.

    A run takes it as final, or as a stray fault of one call, as the calls before it went.
    """

    kind = "denied"


class BadWeights(HallaScopeError):
    """Tells that a model folder is damaged, incomplete, or has pickles or remote code."""


class Stopped(HallaScopeError):
    """Tells that the person pressed stop."""


TransientKind = Literal["timeout", "rate_limited", "unavailable"]  # kinds of faults that may pass


class Transient(HallaScopeError):
    """Tells of a fault that may pass (429, 5xx, timeout, reset) and is retried with backoff.

    `retry_after`: seconds. `may_be_charged`: the service may have done the work all the same;
    `usage` is what it counted then.
    """

    def __init__(
        self,
        message: str,
        kind: TransientKind = "unavailable",
        retry_after: float | None = None,
        may_be_charged: bool | None = None,
        usage: Usage | None = None,
    ) -> None:
        super().__init__(message)
        self.kind: TransientKind = kind
        self.retry_after = retry_after
        self.may_be_charged = (
            kind == "timeout" or usage is not None if may_be_charged is None else may_be_charged
        )
        self.usage = usage

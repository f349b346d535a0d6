"""Starts, stops and limits a visitor's work on a page: one at a time, from the page's buttons."""

import threading
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import gradio as gr

from hallascope.components.cards import status
from hallascope.components.html.gradio_html import NO_PROGRESS
from hallascope.engine.errors import HallaScopeError
from hallascope.engine.money.budget import SpendingPolicy
from hallascope.engine.services import Services
from hallascope.pages.shared.spending import SpendingInputs

RunHandler = Callable[..., Iterator[Any]]
"""Called with a `StartedRun` and the values of the inputs.

Gives the values of the outputs, moment by moment.
"""


def start_and_stop(words: str, start_id: str, stop_id: str) -> tuple[gr.Button, gr.Button]:
    """Lay out the button that starts a run, and beside it the one that stops it."""
    start = gr.Button(words, variant="primary", scale=0, min_width=132, elem_id=start_id)
    stop = gr.Button("Stop", interactive=False, scale=0, min_width=84, elem_id=stop_id)
    return start, stop


# requests whose signal is held; the oldest are of visitors who left while they waited their turn
MAX_REQUESTS = 1_000


class StopSignals:
    """Holds the stop signals of requested and running work, one for each visitor's session."""

    def __init__(self) -> None:
        self._signals: dict[str, threading.Event] = {}
        self._running: set[str] = set()

    def ask(self, session: str) -> None:
        """Note a request, which may wait its turn and can be stopped, unless one is running."""
        if session in self._running:
            return
        self._signals.pop(session, None)
        self._signals[session] = threading.Event()
        for other in list(self._signals)[:-MAX_REQUESTS]:
            if other not in self._running:
                self._signals.pop(other, None)

    def start(self, session: str) -> threading.Event | None:
        """Return the signal of the request; None where there is none, or one is already running."""
        if session in self._running or session not in self._signals:
            return None
        self._running.add(session)
        return self._signals[session]

    def is_running(self, session: str) -> bool:
        return session in self._running

    def stop(self, session: str) -> None:
        if session in self._signals:
            self._signals[session].set()

    def end(self, session: str) -> None:
        """End the work; where it was left in the middle, nothing new is started for it."""
        self.stop(session)
        self._signals.pop(session, None)
        self._running.discard(session)


class ImmediateUpdate(NamedTuple):
    """Shows something as soon as a run is requested: `show` makes `output` from `shown`."""

    show: Callable[[Any], Any]
    shown: Any
    output: Any


class StartedRun(NamedTuple):
    """Holds with what a visitor's work is begun.

    That is the signal to stop it, the session, the services as the visitor may use them, and what
    they allow to be spent.
    """

    stop: threading.Event
    session: str
    services: Services
    terms: SpendingPolicy


class RunButtons:
    """Connects the buttons that start work, and the one that stops it.

    `free` returns, from the values of `known`, which of the buttons can be pressed when nothing
    runs; all of them without it.
    """

    def __init__(
        self,
        starts: Sequence[gr.Button],
        stop: gr.Button,
        spending: SpendingInputs,
        free: Callable[..., Sequence[bool]] | None = None,
        known: Any = None,
    ) -> None:
        self._runs = StopSignals()
        self._starts = starts
        self._spending = spending
        self._all = [*starts, stop]
        self._free = free or (lambda *_: [True] * len(starts))
        self._known = known
        stop.click(self._on_stop, None, stop, queue=False, **NO_PROGRESS)

    def begin(
        self,
        listeners: Sequence[Any],
        work: RunHandler,
        inputs: Sequence[Any],
        outputs: Sequence[Any],
        at_once: int,
        *,
        called: str,
        before: ImmediateUpdate | None = None,
    ) -> Any:
        """Have the listeners start `work`, of which `at_once` run at the same time under this name.

        Returns the event of its end. The sentence of a HallaScopeError is shown in the first
        output. `before` is done at once, though the work may wait its turn.
        """

        def run(asker: gr.Request, *values: Any) -> Iterator[Any]:
            session = asker.session_hash or ""
            if (signal := self._runs.start(session)) is None:
                return
            try:
                terms = self._spending.read_policy(asker, *values[len(inputs) :])
                services = self._spending.services.acting_for(terms.visitor)
                begun = StartedRun(signal, session, services, terms)
                yield from work(begun, *values[: len(inputs)])
            except HallaScopeError as sentence:
                message = status.error_message(sentence)
                yield (message, *(gr.skip() for _ in outputs[1:])) if outputs[1:] else message
            finally:
                self._runs.end(session)

        taken = gr.on(listeners, self._on_request, None, self._all, queue=False, **NO_PROGRESS)
        if before is not None:
            taken = taken.then(
                self._unless_running(before.show),
                before.shown,
                before.output,
                queue=False,
                **NO_PROGRESS,
            )
        going = taken.then(
            run,
            [*inputs, *self._spending.all],
            outputs,
            concurrency_limit=at_once,
            concurrency_id=called,
            **NO_PROGRESS,
        )
        # Gradio 6.31 calls `then` only after a success
        going.failure(self._on_finish, self._known, self._all, queue=False, **NO_PROGRESS)
        return going.then(self._on_finish, self._known, self._all, queue=False, **NO_PROGRESS)

    def _on_request(self, asker: gr.Request) -> tuple[gr.Button, ...]:
        self._runs.ask(asker.session_hash or "")
        return *(gr.Button(interactive=False) for _ in self._starts), gr.Button(
            "Stop", interactive=True
        )

    def _unless_running(self, show: Callable[[Any], Any]) -> Callable[..., Any]:
        def shown(asker: gr.Request, value: Any) -> Any:
            return gr.skip() if self._runs.is_running(asker.session_hash or "") else show(value)

        return shown

    def _on_stop(self, asker: gr.Request) -> gr.Button:
        self._runs.stop(asker.session_hash or "")
        return gr.Button("Stopping", interactive=False)

    def _on_finish(self, asker: gr.Request, *known: Any) -> tuple[Any, ...]:
        # the request that has ended came meanwhile, and is not the one that is running
        if self._runs.is_running(asker.session_hash or ""):
            return tuple(gr.skip() for _ in self._all)
        return *(gr.Button(interactive=can) for can in self._free(*known)), gr.Button(
            "Stop", interactive=False
        )

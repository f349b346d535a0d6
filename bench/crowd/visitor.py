"""Does what a visitor does: open the page, evaluate prompts, open the evidence, change tabs."""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from http.client import HTTPException

from bench.crowd.http import Browser, RefusedRequest
from bench.crowd.measures import told_wait
from bench.crowd.page import VisitorPage
from bench.crowd.server import CrowdedApp
from hallascope.primer.scenes import prompts

TABS = ("tab-ihalla", "tab-leaderboard", "tab-judges", "tab-explore")
_RUN = re.compile(r'data-run="(\w+)"')
_IMAGE = re.compile(r'data-key="(\w+)"')
_FILE = re.compile(r'(/gradio_api/file=[^"\s]+)"')
_WRONG = re.compile(r'class="status wrong"[^>]*><span>([^<]*)')
_TROUBLE = re.compile(r"<li>([^<]*)")
# the built-in judge refuses some images of the diffusion models: that is its answer, and no fault
_ANSWER = "outside its drawn style"


@dataclass(frozen=True)
class QueueRefusal:
    """Says which wait a visitor was told when the queue was full, and when, in seconds.

    `of_evaluation`: it was the evaluation that found no place, and not what the page asks beside.
    """

    told: int
    at: float
    of_evaluation: bool


@dataclass
class VisitRecord:
    """Gathers what visitors measured, for many threads; all times are in seconds."""

    documents: list[float] = field(default_factory=list)
    pages: list[float] = field(default_factory=list)
    evaluations: list[float] = field(default_factory=list)
    waits: list[float] = field(default_factory=list)  # of evaluations, until they began
    evidence: list[float] = field(default_factory=list)
    tabs: list[float] = field(default_factory=list)
    refusals: list[QueueRefusal] = field(default_factory=list)
    begun: list[float] = field(default_factory=list)  # when an evaluation began
    errors: list[str] = field(default_factory=list)


class Visitor:
    """Is one visitor with a browser of their own; `number` says which, and what they evaluate."""

    def __init__(self, app: CrowdedApp, number: int, record: VisitRecord) -> None:
        self._app = app
        self._record = record
        self._browser = Browser(app.address, number)
        self.page = VisitorPage(self._browser, app.layout)

    def open_page(self) -> None:
        """Ask for the page and its files, and wait for what the page asks for when it is there."""
        begun = time.monotonic()
        try:
            self._browser.get("/")
            self._record.documents.append(time.monotonic() - begun)
            for path in self._app.files:
                self._browser.get(path)
        except RefusedRequest as refused:
            self._record.errors.append(str(refused))
        self.page.open()
        self._record.pages.append(time.monotonic() - begun)
        self._gather_errors()

    def evaluate(self, number: int, models: Sequence[str] = ()) -> bool:
        """Evaluate the prompt and seed of this number; return whether it began.

        `models`: those that draw; without them the models that the page chooses.
        """
        self.prepare(number, models)
        self._gather_errors()
        run = self._app.layout.queued_after("go", "click")
        self.page.times.pop(run, None)
        begun = time.monotonic()
        self.page.fire("go", "click")
        times = self.page.times.get(run)
        if times is None or times.begun is None:
            self._gather_errors(of_evaluation=True)
            return False
        self._gather_errors()
        self._record.begun.append(times.begun)
        self._record.waits.append(times.begun - times.sent)
        if times.ended is not None:
            self._record.evaluations.append(times.ended - begun)
        status = str(self.page.values[self._app.layout.ids["status"]])
        troubles = _WRONG.findall(status) or _TROUBLE.findall(status)
        if times.ended is None:
            troubles.append(f"no end of an evaluation: {status}")
        if not any(_ANSWER in trouble for trouble in troubles):
            self._record.errors.extend(troubles)
        return True

    def prepare(self, number: int, models: Sequence[str] = ()) -> None:
        """Type the prompt of this number and choose models; the page then says what it costs."""
        layout = self._app.layout
        choice = prompts()
        self.page.values[layout.ids["prompt"]] = choice[number % len(choice)]
        self.page.values[layout.ids["Seed"]] = number // len(choice)
        if models:
            self.page.values[layout.ids["models"]] = list(models)
        self.page.fire("prompt", "blur")

    def open_evidence(self) -> None:
        """Open the evidence of each image of the run, and load the images that it shows."""
        ids = self._app.layout.ids
        cards = str(self.page.values[ids["cards"]])
        if not (run := _RUN.search(cards)):
            return
        for key in _IMAGE.findall(cards):
            begun = time.monotonic()
            self.page.fire("cards", "select", {"run": run[1], "key": key})
            for path in _FILE.findall(str(self.page.values[ids["evidence"]])):
                try:
                    self._browser.get(path)
                except RefusedRequest as refused:
                    self._record.errors.append(str(refused))
            self._record.evidence.append(time.monotonic() - begun)
        self._gather_errors()

    def change_tabs(self) -> None:
        for tab in TABS:
            begun = time.monotonic()
            self.page.fire(tab, "select")
            self._record.tabs.append(time.monotonic() - begun)
        self._gather_errors()

    def leave(self) -> None:
        self.page.close()

    def _gather_errors(self, of_evaluation: bool = False) -> None:
        """Record what the page was told."""
        found, self.page.errors = self.page.errors, []
        for sentence in found:
            wait = told_wait(sentence)
            if wait is None:
                self._record.errors.append(sentence)
            else:
                self._record.refusals.append(QueueRefusal(wait, time.monotonic(), of_evaluation))


def together(record: VisitRecord, tasks: Sequence[Callable[[], None]]) -> None:
    """Do all tasks at once and wait for their end; one that fails is an error of the app."""

    def do(task: Callable[[], None]) -> None:
        try:
            task()
        except (OSError, HTTPException, RefusedRequest, threading.BrokenBarrierError) as error:
            record.errors.append(f"{type(error).__name__}: {error}")

    threads = [threading.Thread(target=do, args=(task,)) for task in tasks]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

"""Builds a tab on which one or two line-ups evaluate the pictures of a run by one metric."""

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, NamedTuple

import gradio as gr
from markupsafe import Markup

from hallascope.components.cards import status
from hallascope.components.evidence.exhibits.score_table import score_table
from hallascope.components.evidence.viewer import viewer
from hallascope.components.html.deviations import deviation_tables
from hallascope.components.html.gradio_html import chosen, live, quiet, still
from hallascope.engine.errors import HallaScopeError
from hallascope.engine.events import EvaluateRequest
from hallascope.engine.money.budget import SpendingPolicy
from hallascope.engine.services import Services
from hallascope.pages.shared.context import CurrentRun, PageContext
from hallascope.pages.shared.evidence import runs
from hallascope.pages.shared.evidence.handlers import verdict_handler
from hallascope.pages.shared.evidence.pipeline_pickers import (
    LineupChoice,
    PickerValues,
    RolePicker,
    chosen_lineups,
    first_pickers,
    second_pickers,
)
from hallascope.pages.shared.evidence.runs import EvidenceRuns, EvidenceSpec
from hallascope.pages.shared.evidence.wording_choice import chosen_wording, picker_for_run
from hallascope.pages.shared.model_picker import Picker, picker
from hallascope.pages.shared.readings import panel as reading_panel
from hallascope.pages.shared.run_buttons import RunButtons, start_and_stop

WELCOME = (
    "Choose the models, then press Run: the images of this run are evaluated, and none is made"
    " again."
)
EMPTY = "Generate images on the Evaluate tab first; they are evaluated here."
EXAMPLE = (
    "This is an example that ships with HallaScope: {prompt}. Generate images on the Evaluate tab"
    " to see your own here."
)
NOTHING_NEW = (gr.skip(),) * 4
MOST_AT_OPENING = 16  # images of a run that are evaluated when the tab is opened


@dataclass(frozen=True, kw_only=True)
class EvidenceTab:
    """Describes what is a tab's own; `name` begins its element ids, `title` names the metric.

    `help` is HTML that says what the metric does. `extra_controls` lays further controls out, and
    `adjust_request` puts what they hold into the request. `describing` gives the words that
    describe and never name when the metric reads the prompt; None: no reading is shown.
    """

    name: str
    title: str
    spec: EvidenceSpec
    roles: Sequence[RolePicker]
    help: Markup
    extra_controls: Callable[[], Sequence[Any]] = tuple
    adjust_request: Callable[[EvaluateRequest, Sequence[Any]], EvaluateRequest] = (
        lambda request, _: request
    )
    describing: Callable[[], frozenset[str]] | None = None


class Page(NamedTuple):
    """Holds the components that events listen to or write to."""

    pickers: tuple[Picker, ...]
    go: gr.Button
    stop: gr.Button
    status: gr.HTML
    estimate: gr.HTML
    table: gr.HTML
    evidence: gr.HTML
    shown: gr.State
    wording: gr.HTML
    extra: Sequence[Any] = ()
    asked: gr.HTML | None = None


# --- what happens ---------------------------------------------------------------------------------


def open_tab(
    services: Services, spec: EvidenceSpec, current: CurrentRun, before: EvidenceRuns
) -> tuple[Any, ...]:
    """Return the status line, the table, the runs and the evidence when tab or run are opened.

    Where there is no run yet, they are those of the shipped example. Evidence is emptied where
    nothing is there to choose in the table, and else stays: the table asks for it. The status line
    stays where the results are those that are shown already.
    """
    if not current.run:
        return _open_example(services, spec)
    shown = runs.of_run(services, current, before, spec.metric)
    line = status.idle_message("" if shown.runs else WELCOME)
    return (
        gr.skip() if shown.runs and shown == before else line,
        runs.table(services, shown, spec),
        shown,
        gr.skip() if shown.runs else viewer(()),
    )


def _open_example(services: Services, spec: EvidenceSpec) -> tuple[Any, ...]:
    try:
        shown = runs.example_runs(services)
        table = runs.table(services, shown, spec)
    except HallaScopeError:  # an installation without it
        return status.idle_message(EMPTY), score_table(()), EvidenceRuns(), viewer(())
    prompt = runs.services_of(services, shown).view(shown.runs[0]).request.prompt
    return status.idle_message(EXAMPLE.format(prompt=prompt)), table, shown, gr.skip()


def prompt_of_run(services: Services, current: CurrentRun) -> str:
    """Return the prompt of the run that is shown; "" without one. Raises UnknownRun."""
    return services.store.run(current.run).request.prompt if current.run else ""


class LineupRequest(NamedTuple):
    """Holds what the controls of a tab say: line-ups, spending, and changes of the request."""

    lineups: tuple[LineupChoice, ...]
    terms: SpendingPolicy
    adjust_request: runs.RequestTransform


class TabHandlers:
    """Handles the events of one tab.

    `values` are those of pickers, wording, extra controls and spending.
    """

    def __init__(
        self, services: Services, place: PageContext, tab: EvidenceTab, page: Page
    ) -> None:
        self._services = services
        self._place = place
        self._tab = tab
        self._pickers = 2 * len(page.pickers)
        self._extra = len(page.extra)
        # what stops the opening of the tab, by session
        self._openings: dict[str, threading.Event] = {}
        # the session and the run of each evaluation that is under way
        self._under_way: list[tuple[str, str]] = []

    def evaluate(
        self, stop: threading.Event, asker: gr.Request, current: CurrentRun, *values: Any
    ) -> Iterator[tuple[Any, ...]]:
        """Yield the status line, the table and the runs while the line-ups evaluate.

        What the opening of the tab began ends, and shows nothing more.
        """
        session = asker.session_hash or ""
        self._end_opening(session)
        if not current.run:
            yield status.error_message(EMPTY), gr.skip(), gr.skip()
            return
        request = self._read(asker, values)
        spec = replace(self._tab.spec, adjust_request=request.adjust_request)
        with self._evaluating(session, current.run):
            yield from self._frames(current.run, request, stop, spec)

    def open_with_results(
        self, asker: gr.Request, current: CurrentRun, before: EvidenceRuns, *values: Any
    ) -> Iterator[tuple[Any, ...]]:
        """Yield what the tab shows when it is opened, or another run while it is open.

        A run that is over and has no results is evaluated at once where the models that are chosen
        ship with HallaScope and the run is small. It ends where somebody presses *Run* meanwhile,
        or opens another run. What an evaluation of this run that is under way shows stays.
        """
        session = asker.session_hash or ""
        if (session, current.run) in self._under_way:
            yield NOTHING_NEW
            return
        self._end_opening(session)
        stop = self._openings[session] = threading.Event()
        try:
            for shown in self._opening(stop, asker, current, before, values):
                if stop.is_set():
                    break
                yield shown
        except HallaScopeError as sentence:
            if not stop.is_set():
                yield status.error_message(str(sentence)), gr.skip(), gr.skip(), gr.skip()
        finally:
            if self._openings.get(session) is stop:
                del self._openings[session]
        if stop.is_set():
            # At the end, Gradio shows once more what came last, which must be nothing then.
            yield NOTHING_NEW

    def _end_opening(self, session: str) -> None:
        if opening := self._openings.get(session):
            opening.set()

    def _opening(
        self,
        stop: threading.Event,
        asker: gr.Request,
        current: CurrentRun,
        before: EvidenceRuns,
        values: Sequence[Any],
    ) -> Iterator[tuple[Any, ...]]:
        opened = open_tab(self._services, self._tab.spec, current, before)
        yield opened
        shown: EvidenceRuns = opened[2]
        if shown.runs or not current.run or not current.done:
            return
        request = self._read(asker, values)
        if not is_quick(self._services, current.run, request.lineups):
            return
        with self._evaluating(asker.session_hash or "", current.run):
            for frame in self._frames(current.run, request, stop, self._tab.spec):
                yield *frame, gr.skip()

    @contextmanager
    def _evaluating(self, session: str, run: str) -> Iterator[None]:
        """Note that the run is evaluated for the session, for as long as it is."""
        self._under_way.append((session, run))
        try:
            yield
        finally:
            self._under_way.remove((session, run))

    def _frames(
        self, run: str, request: LineupRequest, stop: threading.Event, spec: EvidenceSpec
    ) -> Iterator[tuple[Any, ...]]:
        return runs.frames(
            services=self._services,
            run=run,
            lineups=request.lineups,
            stop=stop,
            terms=request.terms,
            spec=spec,
        )

    def estimate(self, asker: gr.Request, current: CurrentRun, *values: Any) -> str:
        """Return what the evaluation is likely to cost, as HTML."""
        if not current.run:
            return ""
        request = self._read(asker, values)
        return runs.estimate_html(
            services=self._services,
            run=current.run,
            lineups=request.lineups,
            terms=request.terms,
            metric=self._tab.spec.metric,
            adjust_request=request.adjust_request,
        )

    def show_evidence(self, shown: EvidenceRuns, event: gr.EventData) -> Markup:
        """Return the evidence of the picture that was chosen in the table."""
        spec = self._tab.spec
        try:
            return viewer(
                runs.exhibits(self._services, shown, event.key, spec.metric, spec.companions)
            )
        except HallaScopeError as sentence:
            raise gr.Error(str(sentence)) from sentence

    def _read(self, asker: gr.Request, values: Sequence[Any]) -> LineupRequest:
        pickers = values[: self._pickers]
        wording, *others = values[self._pickers :]
        extra = others[: self._extra]
        spending = others[self._extra :]
        roles = [picker.role for picker in self._tab.roles]
        return LineupRequest(
            chosen_lineups(PickerValues.from_values(pickers, roles)),
            self._place.spending.read_policy(asker, *spending),
            lambda request: self._tab.adjust_request(
                replace(request, wording=chosen_wording(wording, request.wording)), extra
            ),
        )


def is_quick(services: Services, run: str, lineups: Sequence[LineupChoice]) -> bool:
    """Return whether an evaluation costs nothing and takes seconds: few images, shipped models."""
    shots = services.view(run).shots
    if len(shots) > MOST_AT_OPENING or not any(shot.image for shot in shots):
        return False
    chosen = {model for lineup in lineups for model in lineup.values() if model}
    specs = services.registry.specs
    return all(model in specs and specs[model].is_shipped for model in chosen)


# --- the page -------------------------------------------------------------------------------------


def build(services: Services, place: PageContext, tab: EvidenceTab) -> Page:
    """Lay the page out and connect it."""
    page = _layout(services, place, tab)
    _connect(services, place, tab, page)
    return page


def _layout(services: Services, place: PageContext, tab: EvidenceTab) -> Page:
    name = tab.name
    still(tab.help + deviation_tables(tab.spec.metric))
    reading = None
    if tab.describing is not None:
        reading = reading_panel.build(services, f"{name}-asked", tab.describing)
    with gr.Accordion("Models used", open=False, elem_classes=["lineup"]):
        first = tuple(
            picker(services, place.spending, spec, f"{name}-{spec.role}")
            for spec in first_pickers(tab.roles)
        )
        wording = picker_for_run(services, f"{name}-wording")
    with gr.Accordion("Compare with other models", open=False, elem_classes=["lineup"]):
        second = tuple(
            picker(services, place.spending, spec, f"{name}-second-{spec.role}")
            for spec in second_pickers(tab.roles)
        )
    extra = tab.extra_controls()
    with gr.Row(elem_classes=["q-actions"]):
        go, stop = start_and_stop(f"Run {tab.title}", f"{name}-go", f"{name}-stop")
        line = still(status.idle_message(EMPTY), elem_id=f"{name}-status")
    return Page(
        pickers=(*first, *second),
        go=go,
        stop=stop,
        status=line,
        estimate=still(Markup(), elem_id=f"{name}-estimate", elem_classes=["estimate"]),
        table=live("comparison/tables", score_table(()), elem_id=f"{name}-table"),
        evidence=live("evidence/viewer", viewer(()), elem_id=f"{name}-evidence"),
        shown=gr.State(EvidenceRuns()),
        wording=wording,
        extra=extra,
        asked=reading,
    )


def _connect(services: Services, place: PageContext, tab: EvidenceTab, page: Page) -> None:
    handlers = TabHandlers(services, place, tab, page)
    pickers = [control for each in page.pickers for control in (each.chips, each.other)]
    settings = [place.current, *pickers, page.wording, *page.extra, *place.spending.all]
    outputs = [page.status, page.table, page.shown]
    RunButtons([page.go], page.stop).begin(
        listeners=[page.go.click],
        work=handlers.evaluate,
        inputs=settings,
        outputs=outputs,
        at_once=2,
        called="looking",
    )
    place.follow_run(
        handlers.open_with_results,
        [place.current, page.shown, *settings[1:]],
        [*outputs, page.evidence],
        concurrency_limit=2,
        trigger_mode="multiple",
    )
    gr.on(
        [
            *(event for each in page.pickers for event in (each.chips.change, each.other.blur)),
            *(control.change for control in (page.wording, *page.extra)),
            place.tab.select,
            place.run_changed.change,
            *(control.change for control in place.spending.all),
        ],
        handlers.estimate,
        settings,
        page.estimate,
        trigger_mode="always_last",
        **quiet(),
    )
    if page.asked:
        place.follow_run(partial(prompt_of_run, services), place.current, page.asked)
    page.table.select(handlers.show_evidence, page.shown, page.evidence, **chosen())
    page.evidence.submit(verdict_handler(services), None, None, **chosen())

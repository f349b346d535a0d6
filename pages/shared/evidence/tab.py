"""Builds a tab on which the images of a run are evaluated by one metric."""

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import gradio as gr
from markupsafe import Markup

from hallascope.components.cards import status
from hallascope.components.evidence.exhibits.score_table import score_table
from hallascope.components.evidence.viewer import viewer
from hallascope.components.html.deviations import deviation_tables
from hallascope.components.html.gradio_html import (
    CHOICE_EVENT,
    NO_PROGRESS,
    scripted_html,
    static_html,
)
from hallascope.data.wordings.catalog import OURS
from hallascope.engine.errors import HallaScopeError
from hallascope.engine.events import EvaluateRequest
from hallascope.engine.money.budget import SpendingPolicy
from hallascope.engine.services import Services
from hallascope.pages.shared.context import CurrentRun, PageContext
from hallascope.pages.shared.evidence import runs
from hallascope.pages.shared.evidence.metric_models import MetricModels, chosen_roles
from hallascope.pages.shared.evidence.people_labels import evidence_viewer
from hallascope.pages.shared.evidence.runs import EvidenceRuns, EvidenceSpec, RoleModels
from hallascope.pages.shared.run_buttons import RunButtons, start_and_stop

WELCOME = "These images are not evaluated yet: press Run. No image is made again."
EMPTY = "Generate images first; they are evaluated here."
EXAMPLE = (
    "This is an example that ships with HallaScope: {prompt}. Generate images to see your own here."
)
COMPARE = "Keep these results beside those of the next run"
NOTHING_NEW = (gr.skip(),) * 4


@dataclass(frozen=True, kw_only=True)
class EvidenceTab:
    """Describes what is a tab's own; `name` begins its element ids, `title` names the metric.

    `help` is HTML that says what the metric does. `extra_controls` lays further controls out, and
    `adjust_request` puts what they hold into the request.
    """

    name: str
    title: str
    spec: EvidenceSpec
    help: Markup
    extra_controls: Callable[[], Sequence[Any]] = tuple
    adjust_request: Callable[[EvaluateRequest, Sequence[Any]], EvaluateRequest] = (
        lambda request, _: request
    )


class Page(NamedTuple):
    """Holds the components that events listen to or write to."""

    start: gr.Button
    stop: gr.Button
    compare: gr.Checkbox
    status: gr.HTML
    estimate: gr.HTML
    table: gr.HTML
    evidence: gr.HTML
    shown: gr.State
    extra: Sequence[Any] = ()


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
    prompt = runs.services_for_runs(services, shown).view(shown.runs[0]).request.prompt
    return status.idle_message(EXAMPLE.format(prompt=prompt)), table, shown, gr.skip()


class TabRequest(NamedTuple):
    """Holds what the controls say: models by role, spending, and changes of the request."""

    models: RoleModels
    terms: SpendingPolicy
    adjust_request: runs.RequestTransform


class TabHandlers:
    """Handles the events of one tab.

    `values` are those of `MetricModels`, extra controls and spending.
    """

    def __init__(
        self, services: Services, place: PageContext, tab: EvidenceTab, page: Page
    ) -> None:
        self._services = services
        self._place = place
        self._tab = tab
        self._extra = len(page.extra)
        # the session and the run of each evaluation that is under way
        self._under_way: list[tuple[str, str]] = []

    def evaluate(
        self,
        stop: threading.Event,
        asker: gr.Request,
        shown: EvidenceRuns,
        compare: bool,
        current: CurrentRun,
        *values: Any,
    ) -> Iterator[tuple[Any, ...]]:
        """Yield the status line, the table and the runs while the metric evaluates.

        `compare`: what was shown of the same images stays beside it.
        """
        if not current.run:
            yield status.error_message(EMPTY), gr.skip(), gr.skip()
            return
        request = self._read(asker, values)
        spec = replace(self._tab.spec, adjust_request=request.adjust_request)
        with self._evaluating(asker.session_hash or "", current.run):
            yield from runs.frames(
                services=self._services,
                run=current.run,
                models=request.models,
                stop=stop,
                terms=request.terms,
                spec=spec,
                before=shown if compare else EvidenceRuns(),
            )

    def open_with_results(
        self, asker: gr.Request, current: CurrentRun, before: EvidenceRuns
    ) -> tuple[Any, ...]:
        """Return what the tab shows when it is opened, or another run while it is open.

        To open it evaluates nothing: it shows what is stored of the run, or the example. What an
        evaluation of this run that is under way shows stays.
        """
        if (asker.session_hash or "", current.run) in self._under_way:
            return NOTHING_NEW
        try:
            return open_tab(self._services, self._tab.spec, current, before)
        except HallaScopeError as sentence:
            return status.error_message(str(sentence)), gr.skip(), gr.skip(), gr.skip()

    @contextmanager
    def _evaluating(self, session: str, run: str) -> Iterator[None]:
        """Note that the run is evaluated for the session, for as long as it is."""
        self._under_way.append((session, run))
        try:
            yield
        finally:
            self._under_way.remove((session, run))

    def estimate(self, asker: gr.Request, current: CurrentRun, *values: Any) -> str:
        """Return what the evaluation is likely to cost, as HTML."""
        if not current.run:
            return ""
        request = self._read(asker, values)
        return runs.estimate_html(
            services=self._services,
            run=current.run,
            models=request.models,
            terms=request.terms,
            metric=self._tab.spec.metric,
            adjust_request=request.adjust_request,
        )

    def show_evidence(self, shown: EvidenceRuns, event: gr.EventData) -> Markup:
        """Return the evidence of the image that was chosen in the table."""
        spec = self._tab.spec
        try:
            return viewer(
                runs.exhibits(self._services, shown, event.key, spec.metric, spec.companions)
            )
        except HallaScopeError as sentence:
            raise gr.Error(str(sentence)) from sentence

    def _read(self, asker: gr.Request, values: Sequence[Any]) -> TabRequest:
        number = len(MetricModels._fields)
        *models, wording = values[:number]
        others = values[number:]
        extra, spending = others[: self._extra], others[self._extra :]
        return TabRequest(
            chosen_roles(models, [self._tab.spec.metric]),
            self._place.spending.read_policy(asker, *spending),
            lambda request: self._tab.adjust_request(
                replace(request, wording=wording or OURS), extra
            ),
        )


# --- the page -------------------------------------------------------------------------------------


def build(services: Services, place: PageContext, tab: EvidenceTab) -> Page:
    """Lay the page out and connect it."""
    page = _layout(services, tab)
    _connect(services, place, tab, page)
    return page


def _layout(services: Services, tab: EvidenceTab) -> Page:
    name = tab.name
    static_html(tab.help + deviation_tables(tab.spec.metric))
    extra = tab.extra_controls()
    with gr.Row(elem_classes=["q-actions"]):
        start, stop = start_and_stop(f"Run {tab.title}", f"{name}-go", f"{name}-stop")
        compare = gr.Checkbox(
            False,
            label=COMPARE,
            container=False,
            elem_id=f"{name}-compare",
            elem_classes=["keep-result"],
        )
        line = static_html(status.idle_message(EMPTY), elem_id=f"{name}-status")
    return Page(
        start=start,
        stop=stop,
        compare=compare,
        status=line,
        estimate=static_html(Markup(), elem_id=f"{name}-estimate", elem_classes=["estimate"]),
        table=scripted_html("comparison/tables", score_table(()), elem_id=f"{name}-table"),
        evidence=evidence_viewer(services, f"{name}-evidence"),
        shown=gr.State(EvidenceRuns()),
        extra=extra,
    )


def _connect(services: Services, place: PageContext, tab: EvidenceTab, page: Page) -> None:
    assert place.models, "the tab is part of Evaluate"
    handlers = TabHandlers(services, place, tab, page)
    settings = [place.current, *place.models, *page.extra, *place.spending.all]
    outputs = [page.status, page.table, page.shown]
    RunButtons([page.start], page.stop).begin(
        listeners=[page.start.click],
        work=handlers.evaluate,
        inputs=[page.shown, page.compare, *settings],
        outputs=outputs,
        at_once=2,
        called="looking",
    )
    place.follow_run(
        handlers.open_with_results,
        [place.current, page.shown],
        [*outputs, page.evidence],
        concurrency_limit=2,
    )
    gr.on(
        [
            *(control.change for control in (*place.models, *page.extra)),
            place.shown.change,
            *(control.change for control in place.spending.all),
        ],
        handlers.estimate,
        settings,
        page.estimate,
        trigger_mode="always_last",
        **NO_PROGRESS,
    )
    page.table.select(handlers.show_evidence, page.shown, page.evidence, **CHOICE_EVENT)

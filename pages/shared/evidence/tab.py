"""Builds a tab on which the images of a run are evaluated by one metric."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import gradio as gr
from markupsafe import Markup

from hallascope.components.cards import status
from hallascope.components.evidence.exhibits.score_table import score_table
from hallascope.components.evidence.viewer import viewer
from hallascope.components.html.deviations import deviation_tables
from hallascope.components.html.gradio_html import (
    CHOICE_EVENT,
    scripted_html,
    static_html,
)
from hallascope.data.wordings.catalog import OURS
from hallascope.engine.errors import HallaScopeError
from hallascope.engine.events import EvaluateRequest
from hallascope.engine.money.budget import SpendingPolicy
from hallascope.engine.services import Services
from hallascope.pages.shared import run_messages
from hallascope.pages.shared.context import CurrentRun, PageContext
from hallascope.pages.shared.evidence import runs
from hallascope.pages.shared.evidence.metric_models import ROLES, chosen_roles
from hallascope.pages.shared.evidence.people_labels import evidence_viewer
from hallascope.pages.shared.evidence.runs import EvidenceRuns, EvidenceTab
from hallascope.pages.shared.run_buttons import RunButtons, StartedRun, start_and_stop
from hallascope.pages.shared.server_functions import one_sentence

WELCOME = "These images are not evaluated yet: press Run. No image is made again."
EMPTY = "Generate images first; they are evaluated here."
EXAMPLE = (
    "This is an example that ships with HallaScope: {prompt}. Generate images to see your own here."
)
COMPARE = "Keep these results beside those of the next run"
NOTHING_NEW = (gr.skip(),) * 4


def open_tab(
    services: Services, tab: EvidenceTab, current: CurrentRun, before: EvidenceRuns
) -> tuple[Any, ...]:
    """Return the status line, the table, the runs and the evidence when tab or run are opened.

    Where there is no run yet, they are those of the shipped example. Evidence is emptied where
    nothing is there to choose in the table, and else stays: the table asks for it. The status line
    stays where the results are those that are shown already.
    """
    if not current.run:
        return _open_example(services, tab)
    shown = runs.of_run(services, current, before, tab.metric)
    line = status.result_message("" if shown.runs else WELCOME)
    return (
        gr.skip() if shown.runs and shown == before else line,
        runs.table(services, shown, tab),
        shown,
        gr.skip() if shown.runs else viewer(()),
    )


def _open_example(services: Services, tab: EvidenceTab) -> tuple[Any, ...]:
    try:
        shown = runs.example_runs(services)
        table = runs.table(services, shown, tab)
    except HallaScopeError:  # an installation without it
        return status.result_message(EMPTY), score_table(()), EvidenceRuns(), viewer(())
    prompt = runs.services_for_runs(services, shown).view(shown.runs[0]).request.prompt
    return status.result_message(EXAMPLE.format(prompt=prompt)), table, shown, gr.skip()


class TabHandlers:
    """Handles the events of one tab.

    `values` are those of `MetricModels` and of the tab's extra controls.
    """

    def __init__(self, services: Services, tab: EvidenceTab) -> None:
        self._services = services
        self._tab = tab
        # the session and the run of each evaluation that is under way
        self._under_way: list[tuple[str, str]] = []

    def evaluate(
        self,
        begun: StartedRun,
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
        with self._evaluating(begun.session, current.run):
            yield from runs.frames(
                begun.services,
                self._request(begun.services, current.run, values),
                current.run,
                begun.stop,
                begun.terms,
                tab=self._tab,
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
            return open_tab(self._services, self._tab, current, before)
        except HallaScopeError as sentence:
            return status.error_message(sentence), gr.skip(), gr.skip(), gr.skip()

    @contextmanager
    def _evaluating(self, session: str, run: str) -> Iterator[None]:
        """Note that the run is evaluated for the session, for as long as it is."""
        self._under_way.append((session, run))
        try:
            yield
        finally:
            self._under_way.remove((session, run))

    def estimate(
        self, services: Services, terms: SpendingPolicy, current: CurrentRun, *values: Any
    ) -> str:
        """Return what the evaluation is likely to cost, in words."""
        if not current.run:
            return ""
        expected = services.estimate(self._request(services, current.run, values), terms)
        return run_messages.estimate_words(services, expected, terms)

    def show_evidence(self, shown: EvidenceRuns, event: gr.EventData) -> Markup:
        """Return the evidence of the image that was chosen in the table."""
        with one_sentence():
            return viewer(runs.exhibits(self._services, shown, event.key, self._tab))

    def _request(self, services: Services, run: str, values: Sequence[Any]) -> EvaluateRequest:
        *models, wording = values[: len(ROLES) + 1]
        roles = chosen_roles(models, [self._tab.metric])
        request = runs.request_of(services.view(run).request, roles, self._tab.metric)
        extra = values[len(ROLES) + 1 :]
        return self._tab.adjust_request(replace(request, wording=wording or OURS), extra)


# --- the page -------------------------------------------------------------------------------------


def build(services: Services, place: PageContext, tab: EvidenceTab) -> tuple[gr.HTML, gr.State]:
    """Lay the page out and connect it; return its table and the `EvidenceRuns` that are shown."""
    name = tab.name
    static_html(tab.help + deviation_tables(tab.metric))
    extra = tab.extra_controls(services)
    with gr.Row(elem_classes=["q-actions"]):
        start, stop = start_and_stop(f"Run {tab.title}", f"{name}-go", f"{name}-stop")
        compare = gr.Checkbox(
            False,
            label=COMPARE,
            container=False,
            elem_id=f"{name}-compare",
            elem_classes=["keep-result"],
        )
        line = static_html(status.result_message(EMPTY), elem_id=f"{name}-status")
    cost = static_html(Markup(), elem_id=f"{name}-estimate", elem_classes=["estimate"])
    table = scripted_html("comparison/tables", score_table(()), elem_id=f"{name}-table")
    evidence = evidence_viewer(services, f"{name}-evidence")
    shown = gr.State(EvidenceRuns())
    handlers = TabHandlers(services, tab)
    settings = [place.current, *place.models.values(), *extra]
    RunButtons([start], stop, place.spending).begin(
        listeners=[start.click],
        work=handlers.evaluate,
        inputs=[shown, compare, *settings],
        outputs=[line, table, shown],
        at_once=2,
        called="looking",
    )
    place.follow_run(
        handlers.open_with_results,
        [place.current, shown],
        [line, table, shown, evidence],
        concurrency_limit=2,
    )
    changes = [control.change for control in (*settings[1:], *place.spending.all)]
    place.spending.show_estimate([*changes, place.shown.change], handlers.estimate, settings, cost)
    table.select(handlers.show_evidence, shown, evidence, **CHOICE_EVENT)
    return table, shown

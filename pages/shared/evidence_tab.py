"""A tab on which the pictures of a run are looked at by a line-up, or by two side by side.

Which metric looks is the page's own.
"""

import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, NamedTuple

import gradio as gr

from hallascope.components.cards import status
from hallascope.components.evidence.score_table import score_table
from hallascope.components.evidence.viewer import viewer
from hallascope.components.html.gradio_html import chosen, live, quiet, still
from hallascope.engine.errors import HallaScopeError
from hallascope.engine.events import EvaluateRequest
from hallascope.engine.money.budget import SpendingPolicy
from hallascope.engine.services import Services
from hallascope.pages.shared import evidence_runs
from hallascope.pages.shared.context import CurrentRun, PageContext
from hallascope.pages.shared.evidence import verdict_handler
from hallascope.pages.shared.evidence_runs import EvidenceRuns, EvidenceSpec
from hallascope.pages.shared.model_picker import Picker, picker
from hallascope.pages.shared.pipeline_pickers import (
    LineupChoice,
    PickerValues,
    RolePicker,
    chosen_lineups,
    first_pickers,
    second_pickers,
)
from hallascope.pages.shared.run_buttons import RunButtons

WELCOME = (
    "Choose who looks, then press Look: the pictures of this run are looked at, and none is made"
    " again."
)
EMPTY = "Generate pictures on the Explore tab first; they are looked at here."


def _keep_request(asked: EvaluateRequest, values: Sequence[Any]) -> EvaluateRequest:
    return asked


@dataclass(frozen=True, kw_only=True)
class EvidenceTab:
    """What is a page's own: `name` begins its element ids; who looks, for which metric.

    `help` says as HTML what it does.

    `more` lays out further controls, and `ask` puts what they hold into the request.
    """

    name: str
    look: EvidenceSpec
    posts: Sequence[RolePicker]
    help: str
    more: Callable[[], Sequence[Any]] = tuple
    ask: Callable[[EvaluateRequest, Sequence[Any]], EvaluateRequest] = _keep_request


class Page(NamedTuple):
    """The parts of the page that are listened to or written to."""

    pickers: tuple[Picker, ...]
    go: gr.Button
    stop: gr.Button
    status: gr.HTML
    estimate: gr.HTML
    table: gr.HTML
    evidence: gr.HTML
    looked: gr.State
    more: Sequence[Any] = ()


# --- what happens
# --------------------------------------------------------------------------------------------------


def open_tab(
    services: Services, look: EvidenceSpec, current: CurrentRun, before: EvidenceRuns
) -> tuple[Any, ...]:
    """Return what is shown when the tab is opened or another run is.

    It is what was said of its pictures, else how to have them looked at.
    """
    if not current.run:
        return status.idle_message(EMPTY), score_table(()), EvidenceRuns()
    found = evidence_runs.of_run(services, current, before, look.metric)
    return (
        status.idle_message("" if found.runs else WELCOME),
        evidence_runs.table(services, found, look),
        found,
    )


def chosen_evidence(
    services: Services, look: EvidenceSpec, looked: EvidenceRuns, event: gr.EventData
) -> str:
    """The evidence of the picture that was chosen in the table."""
    try:
        return viewer(
            evidence_runs.exhibits(services, looked, event.key, look.metric, look.companions)
        )
    except HallaScopeError as sentence:
        raise gr.Error(str(sentence)) from sentence


def selected_lineups(tab: EvidenceTab, values: Sequence[object]) -> tuple[LineupChoice, ...]:
    """The line-ups that the controls name."""
    return chosen_lineups(PickerValues.from_values(values, [post.role for post in tab.posts]))


# --- the page
# --------------------------------------------------------------------------------------------------


def build(services: Services, place: PageContext, tab: EvidenceTab) -> Page:
    """Lay the page out and connect it."""
    page = _layout(services, place, tab)
    _connect(services, place, tab, page)
    return page


def _layout(services: Services, place: PageContext, tab: EvidenceTab) -> Page:
    name = tab.name
    still(tab.help)
    with gr.Accordion("Who looks", open=False, elem_classes=["lineup"]):
        mine = tuple(
            picker(services, place.spending, one, f"{name}-{one.role}")
            for one in first_pickers(tab.posts)
        )
    with gr.Accordion("Compare with a second line-up", open=False, elem_classes=["lineup"]):
        others = tuple(
            picker(services, place.spending, one, f"{name}-second-{one.role}")
            for one in second_pickers(tab.posts)
        )
    more = tab.more()
    with gr.Row(elem_classes=["q-actions"]):
        go = gr.Button(
            "EvidenceSpec", variant="primary", scale=0, min_width=132, elem_id=f"{name}-go"
        )
        stop = gr.Button("Stop", interactive=False, scale=0, min_width=84, elem_id=f"{name}-stop")
        line = still(status.idle_message(EMPTY), elem_id=f"{name}-status")
    estimate = still("", elem_id=f"{name}-estimate", elem_classes=["estimate"])
    table = live("comparison/tables", score_table(()), elem_id=f"{name}-table")
    evidence = live("evidence/viewer", viewer(()), elem_id=f"{name}-evidence")
    return Page(
        pickers=(*mine, *others),
        go=go,
        stop=stop,
        status=line,
        estimate=estimate,
        table=table,
        evidence=evidence,
        looked=gr.State(EvidenceRuns()),
        more=more,
    )


def _connect(services: Services, place: PageContext, tab: EvidenceTab, page: Page) -> None:
    buttons = RunButtons([page.go], page.stop)
    moment = [page.status, page.table, page.looked]
    controls = [control for one in page.pickers for control in (one.chips, one.other)]
    settings = [place.current, *controls, *page.more, *place.spending.all]
    parts = len(controls), len(controls) + len(page.more)

    def asked(
        asker: gr.Request, values: Sequence[Any]
    ) -> tuple[tuple[LineupChoice, ...], SpendingPolicy, evidence_runs.RequestTransform]:
        more = values[parts[0] : parts[1]]
        return (
            selected_lineups(tab, values[: parts[0]]),
            place.spending.read_policy(asker, *values[parts[1] :]),
            lambda request: tab.ask(request, more),
        )

    def look(
        signal: threading.Event, asker: gr.Request, current: CurrentRun, *values: Any
    ) -> Iterator[tuple[Any, ...]]:
        found, allowed, ask = asked(asker, values)
        if current.run:
            yield from evidence_runs.frames(
                services=services,
                run=current.run,
                lineups=found,
                stop=signal,
                terms=allowed,
                look=replace(tab.look, adjust_request=ask),
            )
        else:
            yield status.error_message(EMPTY), gr.skip(), gr.skip()

    def costs(asker: gr.Request, current: CurrentRun, *values: Any) -> str:
        found, allowed, ask = asked(asker, values)
        return (
            evidence_runs.estimate_html(
                services=services,
                run=current.run,
                lineups=found,
                terms=allowed,
                metric=tab.look.metric,
                ask=ask,
            )
            if current.run
            else ""
        )

    def show(looked: EvidenceRuns, event: gr.EventData) -> str:
        return chosen_evidence(services, tab.look, looked, event)

    buttons.begin(
        listeners=[page.go.click],
        work=look,
        inputs=settings,
        outputs=moment,
        at_once=2,
        called="looking",
    )
    again = [place.tab.select, place.current.change]
    gr.on(
        again,
        partial(open_tab, services, tab.look),
        [place.current, page.looked],
        moment,
        concurrency_limit=8,
        **quiet(),
    )
    gr.on(
        _changes(page, place), costs, settings, page.estimate, trigger_mode="always_last", **quiet()
    )
    page.table.select(show, page.looked, page.evidence, **chosen())
    page.evidence.submit(verdict_handler(services), None, None, **chosen())


def _changes(page: Page, place: PageContext) -> list[Any]:
    """The events after which looking may cost something else."""
    picked = [event for one in page.pickers for event in (one.chips.change, one.other.blur)]
    picked += [one.change for one in page.more]
    return [
        *picked,
        place.current.change,
        *(one.change for one in (place.spending.run, place.spending.day, place.spending.unpriced)),
    ]

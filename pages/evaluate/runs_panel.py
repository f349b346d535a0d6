"""Lays out the panel of runs, and answers what a person does in it."""

from dataclasses import dataclass
from typing import Any

import gradio as gr
from pydantic import BaseModel, ConfigDict, Field

from hallascope.components.runs.panel import RunFunction, runs_panel
from hallascope.components.runs.run_list import MOST_LISTED, list_html
from hallascope.engine.run_history.history import PER_PAGE, RunHistory
from hallascope.engine.services import Services
from hallascope.pages.evaluate.run_cards import run_card
from hallascope.pages.shared.server_functions import catch_errors
from hallascope.pages.shared.visitor import services_of, visitor_of

_NONE_YET = "No run is stored yet: generate images, and they are listed here."
_NO_COOKIE = (
    "This app lists runs by a cookie, which this browser does not send: allow cookies for this"
    " page, or log in, and generate again."
)

PanelResult = dict[str, Any]  # {html} or {sentence}; {wrong: a sentence} where it cannot be done


class _Sent(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class ListRequest(_Sent):
    """Asks for the first runs that contain a text."""

    text: str = Field("", max_length=400)
    limit: int = Field(PER_PAGE, ge=1, le=MOST_LISTED)


class RunRequest(_Sent):
    """Names a run or sweep."""

    run: str = Field(max_length=100)


class RenameRequest(RunRequest):
    """Asks to give a run a name."""

    name: str


class PinRequest(RunRequest):
    """Asks to pin a run, or to unpin it."""

    pinned: bool


@dataclass(frozen=True)
class RunsHandlers:
    """Answers what the panel asks. Every method raises a HallaScopeError with one sentence."""

    services: Services

    def history(self, asker: gr.Request | None) -> RunHistory:
        """Return the runs of everybody, or on a public app those of the visitor alone."""
        return RunHistory(services_of(self.services, asker))

    def list_runs(self, request: ListRequest, asker: gr.Request | None) -> PanelResult:
        listed = self.history(asker).list(request.text, request.limit)
        cards = [run_card(run, self.services.store.images) for run in listed.runs]
        if request.text.strip():
            empty = f"No run contains “{request.text.strip()}”."
        elif (visitor := visitor_of(self.services, asker)) and not visitor.id:
            empty = _NO_COOKIE
        else:
            empty = _NONE_YET
        return {"html": str(list_html(cards, listed.total, empty)), "total": listed.total}

    def rename(self, request: RenameRequest, asker: gr.Request | None) -> PanelResult:
        return {"name": self.history(asker).rename(request.run, request.name).name}

    def pin(self, request: PinRequest, asker: gr.Request | None) -> PanelResult:
        run = self.history(asker).pin(request.run, request.pinned)
        return {"pinned": run.is_pinned}

    def plan_deletion(self, request: RunRequest, asker: gr.Request | None) -> PanelResult:
        return {"sentence": self.history(asker).describe_removal(request.run).sentence}

    def delete(self, request: RunRequest, asker: gr.Request | None) -> PanelResult:
        removed = self.history(asker).delete(request.run)
        return {"deleted": [member.run for member in removed.run.runs]}


def build(services: Services, elem_id: str = "runs") -> gr.HTML:
    """Lay the panel out; it fires `select` with {run} where a person opens a run."""
    return runs_panel(server_functions(RunsHandlers(services)), elem_id)


def server_functions(handlers: RunsHandlers) -> tuple[RunFunction, ...]:
    """Return the functions that the panel calls, under the names by which it does.

    Gradio takes no methods.
    """

    @catch_errors
    def list_runs(sent: dict[str, Any], asker: gr.Request) -> PanelResult:
        return handlers.list_runs(ListRequest.model_validate(sent), asker)

    @catch_errors
    def rename(sent: dict[str, Any], asker: gr.Request) -> PanelResult:
        return handlers.rename(RenameRequest.model_validate(sent), asker)

    @catch_errors
    def pin(sent: dict[str, Any], asker: gr.Request) -> PanelResult:
        return handlers.pin(PinRequest.model_validate(sent), asker)

    @catch_errors
    def plan_deletion(sent: dict[str, Any], asker: gr.Request) -> PanelResult:
        return handlers.plan_deletion(RunRequest.model_validate(sent), asker)

    @catch_errors
    def delete(sent: dict[str, Any], asker: gr.Request) -> PanelResult:
        return handlers.delete(RunRequest.model_validate(sent), asker)

    return list_runs, rename, pin, plan_deletion, delete

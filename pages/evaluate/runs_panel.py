"""Lays out the panel of runs, and answers what a person does in it.

On a public app a visitor has their own runs alone.
"""

from typing import Annotated, Any

import gradio as gr
from pydantic import Field

from hallascope.components.runs.panel import runs_panel
from hallascope.engine.run_history.history import PER_PAGE, RunHistory
from hallascope.engine.services import Services
from hallascope.pages.evaluate.run_list import MOST_LISTED, list_html
from hallascope.pages.shared.server_functions import server_functions

_NONE_YET = "No run is stored yet: generate images, and they are listed here."
_NO_COOKIE = (
    "This app lists runs by a cookie, which this browser does not send: allow cookies for this"
    " page, or log in, and generate again."
)
RunId = Annotated[str, Field(max_length=100)]


def build(services: Services, elem_id: str = "runs") -> gr.HTML:
    """Lay the panel out; it fires `select` with {run} where a person opens a run."""
    functions = server_functions(services, list_runs, rename, pin, plan_deletion, delete)
    return runs_panel(functions, elem_id)


def list_runs(
    services: Services,
    text: Annotated[str, Field(max_length=400)] = "",
    limit: Annotated[int, Field(ge=1, le=MOST_LISTED)] = PER_PAGE,
) -> dict[str, Any]:
    """Return the first runs that contain a text, as a list."""
    listed = RunHistory(services).list(text, limit)
    if text.strip():
        empty = f"No run contains “{text.strip()}”."
    else:
        empty = _NO_COOKIE if services.visitor and not services.visitor.id else _NONE_YET
    html = list_html(listed.runs, services.store.images, listed.total, empty)
    return {"html": str(html), "total": listed.total}


def rename(services: Services, run: RunId, name: str) -> dict[str, Any]:
    """Give a run a name."""
    return {"name": RunHistory(services).rename(run, name).name}


def pin(services: Services, run: RunId, pinned: bool) -> dict[str, Any]:
    """Pin a run, or unpin it."""
    return {"pinned": RunHistory(services).pin(run, pinned).is_pinned}


def plan_deletion(services: Services, run: RunId) -> dict[str, Any]:
    """Return what deleting a run deletes, in a sentence."""
    return {"sentence": RunHistory(services).describe_removal(run).sentence}


def delete(services: Services, run: RunId) -> dict[str, Any]:
    """Delete a run."""
    removed = RunHistory(services).delete(run)
    return {"deleted": [member.run for member in removed.run.runs]}

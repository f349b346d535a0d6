"""From a chosen picture to its evidence, and what people say of it.

Every page that shows the viewer calls this.
"""

from collections.abc import Callable

import gradio as gr

from hallascope.components.evidence.viewer import viewer
from hallascope.engine.errors import HallaScopeError
from hallascope.engine.services import Services
from hallascope.pages.shared import run_progress
from hallascope.pages.shared.exhibits import exhibit, facts
from hallascope.pages.shared.ratings import rate


def evidence(services: Services, run: str, key: str | None) -> str:
    """The viewer of one picture of a run. Raises UnknownRun."""
    view = services.view(run)
    shot = run_progress.find_picture(view, key)
    return viewer([exhibit(services, view, shot)] if shot else ())


def evidence_handler(
    services: Services, look: Callable[[Services, str, str | None], str] = evidence
) -> Callable[[gr.EventData], str]:
    """Return the handler for a component that tells run and key of what was chosen in it.

    Gradio wants a plain function, no partial.
    """

    def show(event: gr.EventData) -> str:
        try:
            return look(services, event.run, event.key)
        except HallaScopeError as sentence:
            raise gr.Error(str(sentence)) from sentence

    return show


def verdict_handler(services: Services) -> Callable[[gr.EventData], None]:
    """The handler for what a person says of a finding in the viewer."""

    def hear(event: gr.EventData) -> None:
        try:
            rate(
                services=services,
                run=event.run,
                key=event.key,
                metric=event.metric,
                about=event.about,
                value=event.value,
            )
        except HallaScopeError as sentence:
            raise gr.Error(str(sentence)) from sentence

    return hear


__all__ = ["evidence", "evidence_handler", "exhibit", "facts", "verdict_handler"]

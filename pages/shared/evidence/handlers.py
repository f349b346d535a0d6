"""Handles events of the evidence viewer: a chosen picture, and what a person says of a finding."""

from collections.abc import Callable

import gradio as gr
from markupsafe import Markup

from hallascope.components.evidence.viewer import viewer
from hallascope.engine.errors import HallaScopeError
from hallascope.engine.services import Services
from hallascope.pages.shared import run_pictures
from hallascope.pages.shared.evidence.all_metrics import all_metrics_exhibit
from hallascope.pages.shared.evidence.ratings import rate
from hallascope.pages.shared.visitor import services_of


def evidence(services: Services, run: str, key: str | None) -> Markup:
    """Return the viewer of one picture of a run, as HTML. Raises UnknownRun."""
    view = services.view(run)
    shot = run_pictures.find_picture(view, key)
    return viewer([all_metrics_exhibit(services, view, shot)] if shot else ())


def evidence_handler(
    services: Services, look: Callable[[Services, str, str | None], Markup] = evidence
) -> Callable[[gr.EventData], Markup]:
    """Return the handler for a component whose events name a run and the key of a picture.

    Gradio needs a plain function, no partial.
    """

    def show(event: gr.EventData) -> Markup:
        try:
            return look(services, event.run, event.key)
        except HallaScopeError as sentence:
            raise gr.Error(str(sentence)) from sentence

    return show


def verdict_handler(services: Services) -> Callable[[gr.EventData, gr.Request], None]:
    """Return the handler for what a person says of a finding in the viewer."""

    def hear(event: gr.EventData, asker: gr.Request) -> None:
        try:
            rate(
                services=services_of(services, asker),
                run=event.run,
                key=event.key,
                metric=event.metric,
                about=event.about,
                value=event.value,
            )
        except HallaScopeError as sentence:
            raise gr.Error(str(sentence)) from sentence

    return hear

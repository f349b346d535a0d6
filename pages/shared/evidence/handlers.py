"""Shows the evidence of the image that is chosen."""

from collections.abc import Callable
from dataclasses import replace

import gradio as gr
from markupsafe import Markup

from hallascope.components.evidence.viewer import viewer
from hallascope.engine.services import Services
from hallascope.pages.shared import run_pictures
from hallascope.pages.shared.evidence.all_metrics import all_metrics_exhibit
from hallascope.pages.shared.evidence.runs import find_shown, first_metric
from hallascope.pages.shared.server_functions import one_sentence


def evidence(services: Services, run: str, key: str | None) -> Markup:
    """Return the viewer of one image of a run, as HTML. Raises UnknownRun."""
    shown = find_shown(services, run)
    view = first_metric(shown.view) if shown.is_example else shown.view
    image = run_pictures.find_picture(view, key)
    if image is None:
        return viewer(())
    found = all_metrics_exhibit(shown.services, view, image, labels=not shown.is_example)
    return viewer([replace(found, unnamed=shown.is_example)])


def evidence_handler(
    services: Services, look: Callable[[Services, str, str | None], Markup] = evidence
) -> Callable[[gr.EventData], Markup]:
    """Return the handler for a component whose events name a run and the key of an image.

    Gradio needs a plain function, no partial.
    """

    def show(event: gr.EventData) -> Markup:
        with one_sentence():
            return look(services, event.run, event.key)

    return show

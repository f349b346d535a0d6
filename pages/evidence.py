"""From a chosen picture to its evidence; every page that shows the viewer calls this."""

from collections.abc import Callable

import gradio as gr

from components.evidence import viewer
from engine.errors import HallaScopeError
from engine.services import Services
from pages import views


def evidence(services: Services, run: str, key: str | None) -> str:
    """The viewer of one picture of a run. Raises UnknownRun.

    The regions are taken from the stored truth, apart from the image; they go to the page and to nothing else.
    """
    view = services.view(run)
    shot = views.chosen(view, key)
    if shot is None:
        return viewer(None)
    return viewer(views.tile(view, shot), services.regions(shot.image) if shot.image else {})


def shows(services: Services, look: Callable[[Services, str, str | None], str] = evidence) -> Callable[[gr.EventData], str]:
    """The handler for a component that tells run and key of what was chosen in it (Gradio wants a plain function, no partial)."""

    def show(event: gr.EventData) -> str:
        try:
            return look(services, event.run, event.key)
        except HallaScopeError as sentence:
            raise gr.Error(str(sentence)) from sentence

    return show

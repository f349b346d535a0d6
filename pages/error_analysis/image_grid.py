"""Shows a grid of images: prompts by models, or any two settings."""

from typing import Any

import gradio as gr

from hallascope.components.html.gradio_html import quiet
from hallascope.engine.error_analysis.selection import ErrorSelection, read_judged_images
from hallascope.engine.errors import HallaScopeError
from hallascope.engine.services import Services
from hallascope.pages.error_analysis import gallery
from hallascope.pages.error_analysis.selection_bar import SelectionBar
from hallascope.pages.shared.context import PageContext

ALL_IMAGES = "All judged images, the worst first"


def build(services: Services, place: PageContext, bar: SelectionBar) -> None:
    """Lay the part out and connect it."""
    shown = gallery.build(services, "errors-gallery")

    def show(selection: ErrorSelection) -> dict[str, Any]:
        try:
            return all_images(services, selection)
        except HallaScopeError as sentence:
            raise gr.Error(str(sentence)) from sentence

    place.tab.select(show, bar.chosen, shown, **quiet())
    bar.chosen.change(show, bar.chosen, shown, **quiet())


def all_images(services: Services, selection: ErrorSelection) -> dict[str, Any]:
    """Return what a gallery shows of all images of a selection, those with most errors first."""
    images = read_judged_images(services.store, selection).images
    worst = images.sort_values(["error", "evaluation"], ascending=[False, True])
    return {"title": ALL_IMAGES, "evaluations": worst["evaluation"].tolist()}

"""Shows a grid of images: prompts by models, or any two settings; and all images as a list."""

from dataclasses import dataclass, field
from typing import Any

import gradio as gr

from hallascope.components.error_analysis.image_grid import image_grid
from hallascope.components.evidence.viewer import viewer
from hallascope.components.html.gradio_html import chosen, live, quiet
from hallascope.engine.error_analysis.judged_cache import JudgedImagesCache
from hallascope.engine.error_analysis.selection import ErrorSelection, JudgedImages
from hallascope.engine.errors import HallaScopeError
from hallascope.engine.services import Services
from hallascope.pages.error_analysis import gallery, grid_view
from hallascope.pages.error_analysis.gallery import GalleryHandlers
from hallascope.pages.error_analysis.selection_bar import ErrorsPart
from hallascope.pages.shared.context import PageContext
from hallascope.pages.shared.evidence import people_labels
from hallascope.pages.shared.evidence.handlers import evidence_handler, verdict_handler

ALL_IMAGES = "All judged images, the worst first"
Axes = tuple[str, str]


@dataclass(frozen=True)
class GridEvents:
    """Answers the events of the part. `axes` are those of rows and columns."""

    services: Services
    cache: JudgedImagesCache = field(default_factory=JudgedImagesCache)

    def show(
        self, asker: gr.Request, selection: ErrorSelection, axes: Axes | None
    ) -> tuple[Any, Axes, Any]:
        """Return the grid of a selection by the axes that were chosen, else those of the address.

        With them come the axes, and all images as a list.
        """
        named = asker.query_params
        wanted = axes or (named.get(grid_view.ROWS, ""), named.get(grid_view.COLUMNS, ""))
        return *self._grid(selection, wanted), self._list(selection)

    def choose_axes(self, selection: ErrorSelection, event: gr.EventData) -> tuple[Any, Axes]:
        return self._grid(selection, (str(event.rows), str(event.columns)))

    def _grid(self, selection: ErrorSelection, axes: Axes) -> tuple[Any, Axes]:
        try:
            return grid_view.grid_value(self.services, selection, axes, self.cache.read), axes
        except HallaScopeError as sentence:
            raise gr.Error(str(sentence)) from sentence

    def _list(self, selection: ErrorSelection) -> dict[str, Any]:
        try:
            return all_images(self.cache.read(self.services.store, selection))
        except HallaScopeError as sentence:
            raise gr.Error(str(sentence)) from sentence


def build(services: Services, place: PageContext, part: ErrorsPart) -> None:
    """Lay the part out and connect it."""
    events = GridEvents(services, part.bar.cache)

    functions = gallery.server_functions(GalleryHandlers(services))
    axes = gr.State(None)
    grid = image_grid(functions, "errors-grid")
    evidence = live(
        "evidence/viewer",
        viewer(()),
        server_functions=people_labels.server_functions(services),
        elem_id="errors-grid-evidence",
    )
    with gr.Accordion("All images as a list", open=False):
        images = gallery.build(services, "errors-gallery")
    part.fill(events.show, [grid, axes, images], [axes], **quiet())
    grid.submit(events.choose_axes, part.bar.chosen, [grid, axes], **chosen())
    grid.select(evidence_handler(services), None, evidence, **chosen())
    evidence.submit(verdict_handler(services), None, None, **chosen())


def all_images(judged: JudgedImages) -> dict[str, Any]:
    """Return what a gallery shows of all images of a selection, those with most errors first."""
    worst = judged.images.sort_values(["error", "evaluation"], ascending=[False, True])
    return {"title": ALL_IMAGES, "evaluations": worst["evaluation"].tolist()}

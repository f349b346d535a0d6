"""Draws the judged images as a map of points: near ones look alike."""

import threading
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count
from typing import Any

import gradio as gr
from markupsafe import Markup

from hallascope.components.cards import status
from hallascope.components.html.gradio_html import (
    CHOICE_EVENT,
    NO_PROGRESS,
    scripted_html,
    static_html,
)
from hallascope.components.html.markup import join, soft_line, tag, to_json
from hallascope.engine.deployment.hosting import public
from hallascope.engine.error_analysis.error_map.embeddings import (
    DEFAULT_EMBEDDER,
    bind_embedder,
    embed_images,
    embedder_key,
    usable_embedders,
)
from hallascope.engine.error_analysis.error_map.layout import METHODS
from hallascope.engine.error_analysis.error_map.points import (
    ErrorMap,
    error_map,
    truth_distances,
)
from hallascope.engine.error_analysis.gallery import read_gallery_images
from hallascope.engine.error_analysis.selection import ErrorSelection, read_judged_images
from hallascope.engine.errors import HallaScopeError, require_name
from hallascope.engine.services import Services
from hallascope.pages.errors import gallery
from hallascope.pages.errors.image_tiles import image_caption, thumbnail, verdict_text
from hallascope.pages.errors.map_figure import (
    TRUTH,
    colorings,
    map_figure,
    point_groups,
    summary,
)
from hallascope.pages.errors.selection_bar import ErrorsPart
from hallascope.pages.shared.context import PageContext
from hallascope.pages.shared.known_models import known_models
from hallascope.pages.shared.run_buttons import RunButtons, StartedRun, start_and_stop
from hallascope.pages.shared.run_pictures import seeded_name, short_name
from hallascope.pages.shared.server_functions import NOT_UNDERSTOOD, server_functions

TITLE = "Map"
LAYOUTS = {"pca": "Principal components (PCA)", "umap": "UMAP"}
MOST_PUBLIC = 2_000  # images that a visitor of a public app may have embedded at once
KEYS = (
    "Drag around points to see their images. Shift adds to the selection, a "
    "double click clears it. Keyboard: choose a group under “Show images of”."
)
_computed = count(1)


@dataclass(frozen=True)
class MapHandlers:
    """Answers the events of the map. `groups` are ids of evaluations by the words of a group."""

    services: Services

    def show(
        self,
        asker: gr.Request,
        selection: ErrorSelection,
        color: str,
        layout: str,
        embedder: str,
        groups: dict[str, list[int]] | None,
    ) -> tuple[Any, ...]:
        """Return the figure, what is said of it, the lists, the groups, and no images.

        At first, while there are no groups yet, the address names color and layout.
        """
        if groups is None:
            color = asker.query_params.get("map-color", color)
            layout = asker.query_params.get("map-layout", layout)
        try:
            drawn = error_map(
                self.services, selection, embedder, require_name("layout", layout, METHODS)
            )
            points = drawn.points
            offered = colorings(points)
            color = color if color in offered else next(iter(offered))
            if color == TRUTH:
                distances = truth_distances(self.services.store, points["evaluation"].tolist())
                points = points.assign(**{TRUTH: points["evaluation"].map(distances)})
        except HallaScopeError as sentence:
            line = status.error_message(sentence)
            no_groups = gr.update(choices=[], value=None)
            return gr.skip(), line, gr.skip(), gr.skip(), no_groups, {}, None
        known = known_models(self.services.registry, self.services.store)
        found = point_groups(points, color, known)
        ids = {group.words: group.points["evaluation"].tolist() for group in found}
        return (
            map_figure(found) if found else None,
            words_html(drawn, color, layout),
            gr.update(choices=[(words, name) for name, words in offered.items()], value=color),
            layout,
            gr.update(choices=list(ids), value=None),
            ids,
            None,
        )


def describe(services: Services, evaluation: int) -> dict[str, Any]:
    """Return the thumbnail and the words that stand at a point, the id of an evaluation."""
    found = read_gallery_images(services.store, [evaluation])
    if not found:
        return {"wrong": "This image was deleted."}
    image = found[0]
    name = seeded_name(short_name(image.model), image.model, image.seed)
    words = f"{name}: {verdict_text(image)}"
    return {"html": join(thumbnail(image), tag("p", words), image_caption(image))}


def words_html(drawn: ErrorMap, color: str, layout: str) -> Markup:
    """Return what the map shows in words, what is missing, and what the address says of it."""
    missing = len(drawn.missing)
    images = "image has" if missing == 1 else "images have"
    note = f"{missing:,} {images} no embedding yet: press “Compute embeddings” to put them here."
    return join(
        tag("p", note, role="status") if missing else "",
        tag("p", summary(drawn.points), class_="map-words soft"),
        soft_line(KEYS) if len(drawn.points) else "",
        tag("div", class_="map-hover", hidden=True, aria_hidden="true"),
        tag("span", data_address=to_json({"map-color": color, "map-layout": layout}), hidden=True),
    )


def select_points(event: gr.EventData) -> dict[str, Any] | None:
    """Return what the gallery shows of what was selected on the map."""
    try:
        ids = [int(each) for each in event.evaluations]
    except (TypeError, ValueError) as error:
        raise gr.Error(NOT_UNDERSTOOD) from error
    return {"title": "Selected on the map", "evaluations": ids} if ids else None


def select_group(words: str, groups: dict[str, list[int]]) -> dict[str, Any] | None:
    """Return what the gallery shows of a group."""
    return {"title": words, "evaluations": groups[words]} if words in (groups or {}) else None


# --- the part ---


def build(services: Services, place: PageContext, part: ErrorsPart) -> None:
    """Lay the part out and connect it."""
    handlers = MapHandlers(services)
    embedders = usable_embedders(services) or (DEFAULT_EMBEDDER,)
    with gr.Row(elem_classes=["choice-row"]):
        color = _list("Color by", {"error": "Error"}, "errors-map-color")
        layout = _list("Layout", LAYOUTS, "errors-map-layout")
        embedder = _list("Embedder", {name: name for name in embedders}, "errors-map-embedder")
        embedder.visible = len(embedders) > 1
        group = gr.Dropdown(
            [], label="Show images of", interactive=True, elem_id="errors-map-group"
        )
    with gr.Row(elem_classes=["q-actions"]):
        start, stop = start_and_stop("Compute embeddings", "map-embed", "map-embed-stop")
        line = static_html(Markup(), elem_id="map-embed-status")
    figure = gr.Plot(show_label=False, container=False, elem_id="errors-map-plot")
    words = scripted_html(
        "errors/map_selection",
        Markup(),
        server_functions=server_functions(services, describe),
        elem_id="errors-map",
    )
    groups, computed = gr.State(None), gr.State(0)
    images = gallery.build(services, "errors-map-gallery")

    def embed(
        begun: StartedRun, selection: ErrorSelection, named: str
    ) -> Iterator[tuple[Any, Any]]:
        return embedding_updates(services, begun.stop, selection, named)

    RunButtons([start], stop, place.spending).begin(
        [start.click],
        embed,
        [part.bar.chosen, embedder],
        [line, computed],
        1,
        called="embed-images",
    )
    outputs = [figure, words, color, layout, group, groups, images]
    inputs = [color, layout, embedder, groups]
    part.fill(handlers.show, outputs, inputs, **NO_PROGRESS)
    gr.on(
        [color.input, layout.input, embedder.input, computed.change],
        handlers.show,
        [part.bar.chosen, *inputs],
        outputs,
        preprocess=False,
        trigger_mode="always_last",
        **NO_PROGRESS,
    )
    group.input(select_group, [group, groups], images, preprocess=False, **NO_PROGRESS)
    words.select(select_points, None, images, **CHOICE_EVENT)


def _list(label: str, options: dict[str, str], elem_id: str) -> gr.Dropdown:
    choices = [(words, name) for name, words in options.items()]
    return gr.Dropdown(
        choices, value=choices[0][1], label=label, interactive=True, min_width=160, elem_id=elem_id
    )


def embedding_updates(
    services: Services, signal: threading.Event, selection: ErrorSelection, named: str
) -> Iterator[tuple[Any, Any]]:
    """Yield the line of progress, and at the end a new number, for which the map is drawn anew."""
    judged = read_judged_images(services.store, selection)
    wanted = list(judged.images["image"].unique())
    embedder = bind_embedder(services, named)
    if public():
        key = embedder_key(embedder)
        wanted = services.store.embeddings.find_missing(key, wanted)[:MOST_PUBLIC]
    sentence = ""
    for progress in embed_images(services, embedder, wanted, signal):
        sentence = progress.sentence
        words = f"{progress.done:,} of {progress.total:,} images"
        yield status.progress(progress.done, progress.total, words), gr.skip()
    if signal.is_set():
        sentence = f"Stopped. {sentence} Press “Compute embeddings” again to resume."
    yield status.result_message(sentence), next(_computed)

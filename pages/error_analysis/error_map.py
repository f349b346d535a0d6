"""Draws the judged images as a map of points: near ones look alike."""

import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, TypeVar

import gradio as gr
from markupsafe import Markup
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from hallascope.components.cards import status
from hallascope.components.error_analysis.error_map.error_map import MapFunction
from hallascope.components.error_analysis.error_map.error_map import error_map as map_html
from hallascope.components.html.gradio_html import quiet, still
from hallascope.engine.deployment.hosting import public
from hallascope.engine.error_analysis.error_map.embeddings import (
    DEFAULT_EMBEDDER,
    bind_embedder,
    embed_images,
    usable_embedders,
)
from hallascope.engine.error_analysis.error_map.layout import parse_method
from hallascope.engine.error_analysis.error_map.points import (
    ErrorMap,
    error_map,
    truth_distances,
)
from hallascope.engine.error_analysis.gallery import read_gallery_images
from hallascope.engine.error_analysis.judged_cache import JudgedImagesCache
from hallascope.engine.error_analysis.selection import ErrorSelection, read_judged_images
from hallascope.engine.errors import HallaScopeError
from hallascope.engine.services import Services
from hallascope.pages.error_analysis import gallery, map_data
from hallascope.pages.error_analysis.selection_bar import ErrorsPart
from hallascope.pages.error_analysis.selection_choice import parse_choice, selection_fields
from hallascope.pages.shared.context import PageContext
from hallascope.pages.shared.run_buttons import RunButtons, start_and_stop

LAYOUTS = {"pca": "Principal components (PCA)", "umap": "UMAP"}
AT_ONCE = 600  # images that are embedded when the map opens, without being asked
MOST_PUBLIC = 2_000  # images that a visitor of a public app may have embedded at once
NOT_UNDERSTOOD = "This cannot be read: reload the page, and try again."
GALLERY = "errors-map-gallery"


class MapRequest(BaseModel):
    """Asks for a map of the images that the selection bar names, as `choice`."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    choice: dict[str, list[str]]
    layout: str = Field(max_length=20)
    embedder: str = Field("", max_length=200)


class PointRequest(BaseModel):
    """Asks what is shown of one image, by the id of its evaluation."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    evaluation: int


_Kind = TypeVar("_Kind", bound=BaseModel)


@dataclass(frozen=True)
class MapHandlers:
    """Answers what the script of the map asks. Every method raises a HallaScopeError."""

    services: Services
    cache: JudgedImagesCache = field(default_factory=JudgedImagesCache)

    def read_map(self, request: MapRequest) -> dict[str, Any]:
        """Return the points of a map, and what there is to say of it."""
        drawn = self._map(request)
        known = [model.spec.id for model in self.services.generators()]
        missing = len(drawn.missing)
        return {
            **map_data.map_data(drawn, known),
            "embed": 0 < missing <= AT_ONCE and not public(),
            "note": missing_words(drawn),
        }

    def read_truth(self, request: MapRequest) -> dict[str, Any]:
        """Return the coloring of a map by how far the judge is from the truth."""
        points = self._map(request).points
        distances = truth_distances(self.services.store, points["evaluation"].tolist())
        values = points["evaluation"].map(distances)
        return map_data.binned_coloring(
            map_data.TRUTH, "Distance from truth", values, points["error"]
        )

    def describe(self, request: PointRequest) -> dict[str, Any]:
        """Return the thumbnail and the words that stand at a point."""
        found = read_gallery_images(self.services.store, [request.evaluation])
        if not found:
            return {"src": None, "words": "This image is not stored any more."}
        image = gallery.image_fields(found[0])
        words = f"{image['model']}, seed {image['seed']}: {image['verdict']}. {image['prompt']}"
        return {"src": image["src"], "words": words}

    def _map(self, request: MapRequest) -> ErrorMap:
        return error_map(
            self.services,
            parse_choice(request.choice).selection,
            request.embedder or DEFAULT_EMBEDDER,
            parse_method(request.layout),
            read=self.cache.read,
        )


def missing_words(drawn: ErrorMap) -> str:
    """Return how many images are not on the map and what to do, "" where all are."""
    missing = len(drawn.missing)
    if not missing:
        return ""
    images = "image has" if missing == 1 else "images have"
    return f"{missing:,} {images} no embedding yet: press “Compute embeddings” to put them here."


def server_functions(handlers: MapHandlers) -> tuple[MapFunction, ...]:
    """Return the functions that the map calls, under the names by which it does.

    Gradio takes no methods.
    """

    def read_map(sent: dict[str, Any]) -> dict[str, Any]:
        return _answer(handlers.read_map, MapRequest, sent)

    def read_truth(sent: dict[str, Any]) -> dict[str, Any]:
        return _answer(handlers.read_truth, MapRequest, sent)

    def describe(sent: dict[str, Any]) -> dict[str, Any]:
        return _answer(handlers.describe, PointRequest, sent)

    return read_map, read_truth, describe


def _answer(
    handle: Callable[[_Kind], dict[str, Any]], kind: type[_Kind], sent: object
) -> dict[str, Any]:
    try:
        return handle(kind.model_validate(sent))
    except ValidationError:
        return {"wrong": NOT_UNDERSTOOD}
    except HallaScopeError as sentence:
        return {"wrong": str(sentence)}


# --- the part ---


def build(services: Services, place: PageContext, part: ErrorsPart) -> None:
    """Lay the part out and connect it."""
    embedders = {name: name for name in usable_embedders(services)}
    with gr.Row(elem_classes="map-embedding"):
        start, stop = start_and_stop("Compute embeddings", "map-embed", "map-embed-stop")
    line = still(Markup(), elem_id="map-embed-status")
    functions = server_functions(MapHandlers(services, part.bar.cache))
    drawn = map_html(functions, LAYOUTS, embedders, GALLERY, "errors-map")
    gallery.build(services, GALLERY)

    def embed(
        signal: threading.Event, asker: gr.Request, selection: ErrorSelection, value: Any
    ) -> Iterator[tuple[Any, Any]]:
        del asker
        return embedding_updates(services, signal, selection, value)

    buttons = RunButtons([start], stop)
    buttons.begin(
        [start.click, drawn.submit],
        embed,
        [part.bar.chosen, drawn],
        [line, drawn],
        1,
        called="embed-images",
    )

    def show_map(_: gr.Request, selection: ErrorSelection) -> dict[str, Any]:
        return map_value(selection)

    part.fill(show_map, [drawn], **quiet())


def map_value(selection: ErrorSelection, computed: int = 0, embedder: str = "") -> dict[str, Any]:
    """Return the value of the map; with another number in `computed` it is drawn anew."""
    return {"choice": selection_fields(selection), "computed": computed, "embedder": embedder}


def embedding_updates(
    services: Services, signal: threading.Event, selection: ErrorSelection, value: Any
) -> Iterator[tuple[Any, Any]]:
    """Yield the line of progress and the value of the map, which is drawn anew at the end."""
    held = value if isinstance(value, dict) else {}
    named = str(held.get("embedder") or DEFAULT_EMBEDDER)
    judged = read_judged_images(services.store, selection)
    wanted = list(judged.images["image"].unique())
    if public():
        wanted = wanted[:MOST_PUBLIC]
    embedder = bind_embedder(services, named)
    sentence = ""
    for progress in embed_images(services, embedder, wanted, signal):
        sentence = progress.sentence
        words = f"{progress.done:,} of {progress.total:,} images"
        yield status.progress(progress.done, progress.total, words), gr.skip()
    computed = int(held.get("computed") or 0) + 1
    if signal.is_set():
        sentence = f"Stopped. {sentence} “Compute embeddings” goes on from here."
    yield status.result_message(sentence), map_value(selection, computed, named)

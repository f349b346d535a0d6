"""Shows a grid of images: prompts by models, or any two settings; and all images as a list."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import gradio as gr
from markupsafe import Markup

from hallascope.components.cards import status
from hallascope.components.evidence.viewer import viewer
from hallascope.components.html.gradio_html import CHOICE_EVENT, NO_PROGRESS
from hallascope.components.html.judge_chip import percent
from hallascope.components.html.markup import tag
from hallascope.data.nouns import count_noun
from hallascope.engine.error_analysis.gallery import GalleryImage, read_gallery_images
from hallascope.engine.error_analysis.grid import (
    GridLine,
    ImageGrid,
    build_grid,
    compare_answers,
    list_axes,
)
from hallascope.engine.error_analysis.selection import (
    ErrorSelection,
    JudgedImages,
    read_judged_images,
)
from hallascope.engine.services import Services
from hallascope.pages.errors import gallery
from hallascope.pages.errors.image_tiles import tile, tile_page
from hallascope.pages.errors.selection_bar import ErrorsPart
from hallascope.pages.shared.context import PageContext
from hallascope.pages.shared.run_pictures import short_name
from hallascope.pages.shared.server_functions import one_sentence

TITLE = "Grid"
ELEM_ID = "errors-grid"
ALL_IMAGES = "All judged images, worst first"
NO_IMAGES = "No judged image matches this choice."
NOT_KNOWN = "not known"
TILES = 120  # on a page of the grid
NOTHING = ""  # is compared with


class GridChoice(NamedTuple):
    """Names what rows and columns are, and the column that others are compared with.

    None where nothing was chosen yet.
    """

    rows: str | None = None
    columns: str | None = None
    baseline: str | None = None


@dataclass(frozen=True)
class GridHandlers:
    """Answers the events of the part; `values` are those of `GridChoice`."""

    services: Services

    def show(self, asker: gr.Request, selection: ErrorSelection, *values: Any) -> tuple[Any, ...]:
        """Return the controls, the grid, no evidence, and all images as a list."""
        choice = GridChoice(*values)
        if choice.rows is None:
            named = asker.query_params
            choice = GridChoice(*(named.get(f"grid-{name}") for name in GridChoice._fields))
        shown = self.choose(selection, *choice)
        return *shown, all_images(read_judged_images(self.services.store, selection))

    def choose(self, selection: ErrorSelection, *values: Any) -> tuple[Any, ...]:
        """Return the controls, the grid and no evidence."""
        return *self._page(selection, GridChoice(*values), 0), viewer(())

    def turn(self, event: gr.EventData, selection: ErrorSelection, *values: Any) -> Markup:
        grid: Markup = self._page(selection, GridChoice(*values), int(event.page))[-1]
        return grid

    def _page(self, selection: ErrorSelection, wanted: GridChoice, page: int) -> tuple[Any, ...]:
        """Return the controls and a page; what the images do not have is replaced in the choice.

        Raises gr.Error with one sentence.
        """
        with one_sentence():
            images = read_judged_images(self.services.store, selection).images
        if images.empty:
            return *[gr.update(choices=[], value=None)] * 3, status.result_message(NO_IMAGES)
        known = list_axes(images)
        rows = wanted.rows if wanted.rows in known else "prompt"
        columns = wanted.columns if wanted.columns in known and wanted.columns != rows else None
        columns = columns or ("prompt" if rows == "model" else "model")
        grid = build_grid(images, rows, columns)
        titles = {line.value: _title(line) for line in grid.columns}
        choice = GridChoice(
            rows, columns, wanted.baseline if wanted.baseline in titles else NOTHING
        )
        axes = [(f"{name} ({number:,})", name) for name, number in known.items()]
        baselines = [("nothing", NOTHING), *((words, name) for name, words in titles.items())]
        return (
            gr.update(choices=axes, value=rows),
            gr.update(choices=axes, value=columns),
            gr.update(choices=baselines, value=choice.baseline),
            _page_html(self.services, grid, choice, page, len(images)),
        )


def build(services: Services, place: PageContext, part: ErrorsPart) -> None:
    """Lay the part out and connect it."""
    handlers = GridHandlers(services)
    with gr.Row(elem_classes=["choice-row"]):
        choice = [
            gr.Dropdown([], label=label, interactive=True, min_width=140, elem_id=f"grid-{name}")
            for name, label in zip(
                GridChoice._fields, ("Rows", "Columns", "Compare with"), strict=True
            )
        ]
    grid, evidence = gallery.build_tiles(services, ELEM_ID)
    with gr.Accordion("All images as a list", open=False):
        images = gallery.build(services, "errors-gallery")
    part.fill(handlers.show, [*choice, grid, evidence, images], choice, **NO_PROGRESS)
    inputs = [part.bar.chosen, *choice]
    gr.on(
        [control.input for control in choice],
        handlers.choose,
        inputs,
        [*choice, grid, evidence],
        preprocess=False,
        **NO_PROGRESS,
    )
    grid.submit(handlers.turn, inputs, grid, preprocess=False, **CHOICE_EVENT)


def _page_html(
    services: Services, grid: ImageGrid, choice: GridChoice, page: int, images: int
) -> Markup:
    per_page = max(TILES // len(grid.columns), 4)
    pages = -(-len(grid.rows) // per_page)
    page = min(max(page, 0), pages - 1)
    places = range(page * per_page, min((page + 1) * per_page, len(grid.rows)))
    ids = [cell[0] for (row, _), cell in grid.cells.items() if row in places]
    found = {image.evaluation: image for image in read_gallery_images(services.store, ids)}
    column = grid.column(choice.baseline) if choice.baseline else None
    cells = [_name(""), *(_name(_title(line)) for line in grid.columns)]
    for row in places:
        cells.append(_name(_title(grid.rows[row]), _about(grid.rows[row])))
        cells += _row(grid, row, column, found)
    words = (
        f"{len(grid.rows):,} rows by {len(grid.columns):,} columns, {count_noun(images, 'image')}."
        " A cell with several images shows one; all show the same prompt and seed where"
        " possible."
    )
    if pages > 1:
        words = f"Rows {places[0] + 1:,} to {places[-1] + 1:,} of {words}"
    address = {f"grid-{name}": value for name, value in choice._asdict().items() if value}
    style = f"--columns: {len(grid.columns)}"
    tiles = tag("div", *cells, class_="tile-grid", style=style)
    return tile_page("", tiles, ids, words, range(page, pages), address)


def _name(title: str, about: str = "") -> Markup:
    below = tag("span", about, class_="soft") if about else ""
    words = f"{title}: {about}" if about else title
    return tag(
        "div", tag("span", title), below, class_="tile-name", aria_hidden="true", title=words
    )


def _row(
    grid: ImageGrid, row: int, baseline: int | None, found: Mapping[int, GalleryImage]
) -> list[Markup]:
    """Return the tile of each column; questions that changed from the baseline are marked."""
    before = None
    if baseline is not None and (row, baseline) in grid.cells:
        before = found.get(grid.cells[row, baseline][0])
    tiles = []
    for place, line in enumerate(grid.columns):
        ids = grid.cells.get((row, place), ())
        image = found.get(ids[0]) if ids else None
        if image is None:
            tiles.append(tag("span", aria_hidden="true"))
            continue
        notes = [f"1 of {count_noun(len(ids), 'image')}"] if len(ids) > 1 else []
        changed: frozenset[str] = frozenset()
        if before and place != baseline:
            changes = compare_answers(before, image)._asdict()
            changed = frozenset(subject for own in changes.values() for subject in own)
            told = ", ".join(f"{len(own)} {name}" for name, own in changes.items() if own)
            notes += [f"{told} than {_title(grid.columns[baseline or 0])}"] if told else []
        where = f"{_title(grid.rows[row])}, {_title(line)}"
        tiles.append(tile(image, ELEM_ID, where, ", ".join(notes), changed))
    return tiles


def _title(line: GridLine) -> str:
    return short_name(line.value) or NOT_KNOWN


def _about(line: GridLine) -> str:
    return f"error rate {percent(line.error)}, {count_noun(line.images, 'image')}"


def all_images(judged: JudgedImages) -> dict[str, Any]:
    """Return what a gallery shows of all images of a selection, those with most errors first."""
    worst = judged.images.sort_values(["error", "evaluation"], ascending=[False, True])
    return {"title": ALL_IMAGES, "evaluations": worst["evaluation"].tolist()}

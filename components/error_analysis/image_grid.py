"""Makes the grid of judged images, which `image_grid.js` fills as it is scrolled."""

from collections.abc import Sequence

import gradio as gr
from markupsafe import Markup

from hallascope.components.error_analysis.gallery import GalleryFunction, sign_icons
from hallascope.components.html.gradio_html import holder
from hallascope.components.html.markup import tag

KEYS = (
    "Arrow keys move, Enter opens the evidence, T tags, + and − or Ctrl with the wheel zoom, 0 goes"
    " back to the first size."
)
_ZOOM = {"out": ("−", "Smaller images"), "in": ("+", "Larger images")}


def image_grid(functions: Sequence[GalleryFunction], elem_id: str) -> gr.HTML:
    """Return the grid; its value is what `pages/error_analysis/grid_view.py` makes, None at first.

    It fires `select` with {run, key} where a person opens an image, and `submit` with {rows,
    columns} where they choose what rows and columns are. In the browser `functions` are called
    `read_images`, `read_tag_choices`, `change_tags` and `keep_note`.
    """
    return holder(
        "error_analysis/image_grid",
        _body(elem_id),
        None,
        server_functions=list(functions),
        elem_id=elem_id,
    )


def _body(elem_id: str) -> Markup:
    zoom = (
        tag("button", sign, type="button", data_grid_zoom=way, aria_label=label, title=label)
        for way, (sign, label) in _ZOOM.items()
    )
    controls = tag(
        "div",
        _select("rows", "Rows"),
        _select("columns", "Columns"),
        _select("baseline", "Compare with"),
        tag("span", *zoom, class_="grid-zoom"),
        class_="grid-controls gallery-tools",
    )
    head = tag(
        "div", tag("p", class_="gallery-count", role="status"), class_="gallery-head grid-head"
    )
    cells = tag(
        "div",
        class_="grid-cells",
        role="listbox",
        tabindex="0",
        aria_label="Images by row and column",
        aria_describedby=f"{elem_id}-keys",
    )
    frame = tag(
        "div",
        tag("div", class_="grid-corner", aria_hidden="true"),
        tag("div", tag("div"), class_="grid-columns", aria_hidden="true"),
        tag("div", tag("div"), class_="grid-rows", aria_hidden="true"),
        cells,
        class_="grid-frame",
    )
    keys = tag("p", KEYS, class_="gallery-keys soft", id=f"{elem_id}-keys")
    return tag(
        "section",
        controls,
        head,
        frame,
        keys,
        class_="gallery image-grid",
        hidden=True,
        data_icons=sign_icons(),
        data_evidence=f"{elem_id}-evidence",
    )


def _select(name: str, label: str) -> Markup:
    return tag("label", tag("span", label), tag("select", data_grid=name), class_="grid-select")

"""Makes the map of judged images: its tools and the place that `error_map.js` draws points in."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import gradio as gr
from markupsafe import Markup

from hallascope.components.html.gradio_html import holder
from hallascope.components.html.markup import tag

# what the browser calls; the result is {"wrong": a sentence} where there is none
MapFunction = Callable[..., dict[str, Any]]

MODES = {"lasso": "Lasso", "box": "Box", "move": "Move"}
KEYS = (
    "Drag to select images; Shift adds to what is selected. Without a mouse, choose a group in the"
    " list below. On the map, the arrow keys move, + and - zoom, 0 shows all, and Escape clears the"
    " selection."
)


def error_map(
    functions: Sequence[MapFunction],
    layouts: Mapping[str, str],
    embedders: Mapping[str, str],
    elem_id: str,
) -> gr.HTML:
    """Return the map; its value is {"choice": ..., "computed": a number}, None at first.

    It fires `select` with {title, evaluations} where a person selects images, and `submit` where
    images have no vectors yet and few enough to compute them at once. In the browser `functions`
    are called `read_map`, `read_truth` and `describe`. `layouts` and `embedders` are words by name,
    the default first.
    """
    return holder(
        "error_analysis/error_map",
        _body(layouts, embedders, elem_id),
        None,
        server_functions=list(functions),
        elem_id=elem_id,
    )


def _body(layouts: Mapping[str, str], embedders: Mapping[str, str], elem_id: str) -> Markup:
    keys_id = f"{elem_id}-keys"
    return tag(
        "section",
        _tools(layouts, embedders),
        tag("p", class_="map-status", role="status"),
        _stage(keys_id),
        tag("p", KEYS, class_="map-keys soft", id=keys_id, hidden=True),
        tag("ul", class_="map-legend", aria_label="Groups of the map"),
        tag("p", class_="map-words soft"),
        tag("div", tag("img", alt="", width=160), tag("p"), class_="map-hover", hidden=True),
        class_="error-map",
    )


def _tools(layouts: Mapping[str, str], embedders: Mapping[str, str]) -> Markup:
    modes = (
        tag("button", words, type="button", data_mode=mode, aria_pressed="false")
        for mode, words in MODES.items()
    )
    zoom = (
        tag("button", sign, type="button", data_zoom=name, aria_label=words)
        for name, sign, words in (
            ("in", "+", "Zoom in"),
            ("out", "−", "Zoom out"),
            ("fit", "Fit", "Show all points"),
        )
    )
    return tag(
        "div",
        _list("color", "Color by", {}),
        _list("layout", "Layout", layouts),
        _list("embedder", "Embedder", embedders) if len(embedders) > 1 else "",
        tag("div", *modes, class_="map-buttons", role="group", aria_label="Drag to"),
        tag("div", *zoom, class_="map-buttons", role="group", aria_label="Zoom"),
        tag("button", "Clear selection", type="button", class_="map-clear", disabled=True),
        class_="map-tools",
    )


def _list(name: str, label: str, options: Mapping[str, str]) -> Markup:
    entries = (tag("option", words, value=value) for value, words in options.items())
    return tag(
        "label", tag("span", label), tag("select", *entries, data_map=name), class_="board-list"
    )


def _stage(keys_id: str) -> Markup:
    drawn = tag("svg", tag("path", d=""), class_="map-path", aria_hidden="true")
    return tag(
        "div",
        tag("canvas", class_="map-points", aria_hidden="true"),
        tag("canvas", class_="map-selected", aria_hidden="true"),
        drawn,
        class_="map-stage",
        tabindex="0",
        role="application",
        aria_label="Map of judged images",
        aria_describedby=keys_id,
        hidden=True,
    )

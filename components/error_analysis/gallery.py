"""Makes the gallery of judged images, which `gallery.js` fills as it is scrolled."""

from collections.abc import Callable, Sequence
from typing import Any

import gradio as gr
from markupsafe import Markup

from hallascope.components.html.gradio_html import holder
from hallascope.components.html.markup import icon_path, tag, to_json
from hallascope.components.html.signs import ICONS

# what the browser calls; the result is {"wrong": a sentence} where there is none
GalleryFunction = Callable[..., dict[str, Any]]

KEYS = (
    "Arrow keys move, Enter opens the evidence, Space selects, Shift with an arrow key or a click"
    " selects a range, T tags what is selected."
)


def sign_icons() -> str:
    """Return the line of the icon of every kind of answer, as JSON."""
    return to_json({kind: icon_path(icon) for kind, icon in ICONS.items()})


def gallery(functions: Sequence[GalleryFunction], elem_id: str) -> gr.HTML:
    """Return the gallery; its value is {"title": str, "evaluations": [int, ...]}, None at first.

    It fires `select` with {run, key} where a person opens an image. In the browser `functions` are
    called `read_images`, `read_tag_choices`, `change_tags` and `keep_note`.
    """
    return holder(
        "error_analysis/gallery",
        _body(elem_id),
        None,
        server_functions=list(functions),
        elem_id=elem_id,
    )


def _body(elem_id: str) -> Markup:
    title_id = f"{elem_id}-title"
    head = tag(
        "div",
        tag("h2", class_="gallery-title", id=title_id),
        tag("p", class_="gallery-count", role="status"),
        tag(
            "div",
            tag("button", "Tag", type="button", class_="gallery-tag"),
            tag("button", "Select all", type="button", class_="gallery-all"),
            tag("button", "Clear selection", type="button", class_="gallery-clear", disabled=True),
            class_="gallery-tools",
        ),
        class_="gallery-head",
    )
    images = tag(
        "div",
        class_="gallery-list",
        role="listbox",
        tabindex="0",
        aria_multiselectable="true",
        aria_labelledby=title_id,
        aria_describedby=f"{elem_id}-keys",
    )
    keys = tag("p", KEYS, class_="gallery-keys soft", id=f"{elem_id}-keys")
    return tag(
        "section", head, images, keys, class_="gallery", hidden=True, data_icons=sign_icons()
    )

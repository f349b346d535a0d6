"""A button that hands out a text file as it is at the moment of the click."""

from collections.abc import Callable

import gradio as gr

from hallascope.components.html.gradio_html import live
from hallascope.components.html.markup import join, tag


def file_button(words: str, make: Callable[[], dict[str, str]], elem_id: str) -> gr.HTML:
    """Return the button. `make` gives {name, text, kind}, or {wrong: a sentence}."""

    def export_file(_: object) -> dict[str, str]:  # Gradio always hands over what the browser sent
        return make()

    body = join(
        tag("button", words, type="button", class_="file-button"),
        tag("p", class_="export-wrong", role="alert"),
    )
    return live("html/fields/file_button", body, server_functions=[export_file], elem_id=elem_id)

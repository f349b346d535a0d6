"""Makes a button that hands out a file as it is at the moment of the click."""

import gradio as gr

from hallascope.components.html.gradio_html import ServerFunction, scripted_html
from hallascope.components.html.markup import join, tag


def file_button(words: str, function: ServerFunction, elem_id: str, picker: str = "") -> gr.HTML:
    """Return the button. `function` returns {name, text, kind}, or {wrong: a sentence}.

    In place of `text`, `base64` holds bytes. `function` gets as `chosen` what is chosen in the
    picker with the id `picker`, "" where that is nothing.
    """
    body = join(
        tag(
            "button",
            words,
            class_="file-button",
            data_function=function.__name__,
            data_picker=picker or None,
        ),
        tag("p", class_="export-wrong", role="alert"),
    )
    return scripted_html(
        "html/fields/file_button", body, server_functions=[function], elem_id=elem_id
    )

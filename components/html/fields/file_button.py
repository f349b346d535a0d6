"""Makes buttons that hand out a file as it is at the moment of the click."""

from collections.abc import Callable

import gradio as gr

from hallascope.components.html.gradio_html import scripted_html
from hallascope.components.html.markup import join, tag


def file_button(words: str, make: Callable[[], dict[str, str]], elem_id: str) -> gr.HTML:
    """Return the button. `make` gives {name, text, kind}, or {wrong: a sentence}.

    In place of `text`, `base64` holds bytes.
    """

    def export_file(_: object) -> dict[str, str]:  # Gradio always hands over what the browser sent
        return make()

    return _button(words, export_file, elem_id)


def chosen_file_button(
    words: str, make: Callable[[gr.Request, str], dict[str, str]], elem_id: str, picker: str
) -> gr.HTML:
    """Return a button as `file_button` does; `make` gets who asks and the chosen option, or "".

    `picker` is the id of the picker in which one option can be chosen.
    """

    def export_file(asker: gr.Request, sent: object) -> dict[str, str]:
        chosen = sent.get("chosen") if isinstance(sent, dict) else ""
        return make(asker, str(chosen or ""))

    return _button(words, export_file, elem_id, picker)


def _button(
    words: str, export_file: Callable[..., dict[str, str]], elem_id: str, picker: str = ""
) -> gr.HTML:
    body = join(
        tag("button", words, class_="file-button", data_picker=picker or None),
        tag("p", class_="export-wrong", role="alert"),
    )
    return scripted_html(
        "html/fields/file_button", body, server_functions=[export_file], elem_id=elem_id
    )

"""HTML that lives in the browser: a Gradio component with one of our scripts; what it shows arrives escaped."""

from collections.abc import Callable
from functools import partial
from typing import Any

import gradio as gr

from components.scripts import script


def live(name: str, html: str = "", **options: Any) -> gr.HTML:
    """A component whose value is HTML and which ``<name>.js`` makes selectable; it fires `select`."""
    return gr.HTML(html, js_on_load=script(name), apply_default_css=False, **options)


def holder(name: str, body: str, value: Any, **options: Any) -> gr.HTML:
    """A component whose HTML is fixed and whose value is what the person chose in it.

    `body` is a property and not the template, since Gradio would read ``${`` and ``{{`` in a template as its own.
    """
    return gr.HTML(value, html_template="${body}", body=body, js_on_load=script(name), apply_default_css=False, **options)


def still(html: str, **options: Any) -> gr.HTML:
    """HTML that only shows."""
    return gr.HTML(html, js_on_load=None, apply_default_css=False, **options)


chosen: Callable[..., dict[str, Any]] = partial(
    dict, trigger_mode="multiple", concurrency_limit=1, concurrency_id="evidence", show_progress="hidden", api_visibility="private"
)
"""Options of events that carry what was chosen. Gradio's other modes lose the last of two quick choices (`once` drops it, `always_last`
sends the data of the first again); one at a time, they cannot overtake each other."""

quiet: Callable[..., dict[str, Any]] = partial(dict, show_progress="hidden", api_visibility="private")
"""Options of events that only change what is shown: no spinner over the page, not part of the API."""

"""Makes Gradio components that show HTML, some with a script of ours that makes them live."""

from collections.abc import Callable
from functools import partial
from typing import Any

import gradio as gr
from markupsafe import Markup

from hallascope.components.html import scripts


def live(name: str, html: Markup, **options: Any) -> gr.HTML:
    """Return a component whose value is HTML and which ``<name>.js`` makes selectable.

    It fires `select`.
    """
    return gr.HTML(html, js_on_load=scripts.start(name), apply_default_css=False, **options)


def holder(name: str, body: Markup, value: Any, **options: Any) -> gr.HTML:
    """Return a component whose HTML is fixed and whose value is what the person chose in it.

    `body` is a property and not the template, since Gradio would read ``${`` and ``{{`` in a
    template as its own.
    """
    return gr.HTML(
        value,
        html_template="${body}",
        body=body,
        js_on_load=scripts.start(name),
        apply_default_css=False,
        **options,
    )


def still(html: Markup, **options: Any) -> gr.HTML:
    """Return a component that only shows HTML."""
    return gr.HTML(html, js_on_load=None, apply_default_css=False, **options)


chosen: Callable[..., dict[str, Any]] = partial(
    dict,
    trigger_mode="multiple",
    concurrency_limit=1,
    concurrency_id="evidence",
    show_progress="hidden",
    show_progress_on=(),
    api_visibility="private",
)
"""Options of events that carry what was chosen.

Gradio's other modes lose the last of two quick choices (`once` drops it, `always_last` sends the
data of the first again); one at a time, they cannot overtake each other.
"""

quiet: Callable[..., dict[str, Any]] = partial(
    dict, show_progress="hidden", show_progress_on=(), api_visibility="private"
)
"""Options of events that only change what is shown: no spinner over the page, not part of the API.

Without components to show progress on, Gradio keeps no status of each output. It would copy all of
them at every step of every event.
"""

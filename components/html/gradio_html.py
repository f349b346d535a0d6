"""Makes Gradio components that show HTML, some with a script of ours that makes them live."""

from collections.abc import Callable, Mapping
from typing import Any

import gradio as gr
from markupsafe import Markup

from hallascope.components.html import scripts

# What Gradio reads in a template as its own (Handlebars, then a JavaScript template literal).
TEMPLATE_SIGNS = str.maketrans({sign: f"&#{ord(sign)};" for sign in "$`\\{@"})

ServerFunction = Callable[..., dict[str, Any]]
"""What a script calls by its name; the result is {"wrong": a sentence} where there is none."""


def scripted_html(
    name: str, html: Markup, properties: Mapping[str, Any] | None = None, **options: Any
) -> gr.HTML:
    """Return a component whose value is HTML and which ``<name>.js`` makes selectable.

    It fires `select`. `properties` are constants for the script: those of a `gr.HTML` are lost
    where it gets an update before it is drawn, in a tab that was never open (gradio 6.31).
    """
    script = scripts.start(name, properties)
    return gr.HTML(html, js_on_load=script, apply_default_css=False, **options)


def input_html(
    name: str,
    body: Markup,
    value: Any,
    properties: Mapping[str, Any] | None = None,
    **options: Any,
) -> gr.HTML:
    """Return a component whose HTML is fixed and whose value is what the person chose in it.

    `properties`: as those of `scripted_html`.
    """
    return gr.HTML(
        value,
        html_template=str(body).translate(TEMPLATE_SIGNS),
        js_on_load=scripts.start(name, properties),
        apply_default_css=False,
        **options,
    )


def static_html(html: Markup, **options: Any) -> gr.HTML:
    """Return a component that only shows HTML."""
    return gr.HTML(html, js_on_load=None, apply_default_css=False, **options)


NO_PROGRESS: dict[str, Any] = {
    "show_progress": "hidden",
    "show_progress_on": (),
    "api_visibility": "private",
}
"""Options of events that only change what is shown: no spinner over the page, not part of the API.

Without components to show progress on, Gradio keeps no status of each output. It would copy all of
them at every step of every event.
"""

CHOICE_EVENT: dict[str, Any] = {
    **NO_PROGRESS,
    "trigger_mode": "multiple",
    "concurrency_limit": 1,
    "concurrency_id": "evidence",
}
"""Options of events that carry what was chosen.

Gradio's other modes lose the last of two quick choices (`once` drops it, `always_last` sends the
data of the first again); one at a time, they cannot overtake each other.
"""

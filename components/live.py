"""HTML that lives in the browser: a Gradio component with one of our scripts; what it shows arrives escaped."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import gradio as gr

FOLDER = Path(__file__).parent
PARTS = {  # scripts that come in several files, one after the other
    "evidence": ("zoom", "evidence"),
    **{name: ("nodes", name) for name in ("labelling", "lessons", "review", "teaching")},
}
VIEWER = "/* THE VIEWER */"  # in whose place a script has the evidence viewer within its own element


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


def script(name: str) -> str:
    """A script of ours, whole."""
    said = "\n".join((FOLDER / f"{part}.js").read_text("utf-8") for part in PARTS.get(name, (name,)))
    return said.replace(VIEWER, script("evidence")) if VIEWER in said else said


chosen: Callable[..., dict[str, Any]] = partial(
    dict, trigger_mode="multiple", concurrency_limit=1, concurrency_id="evidence", show_progress="hidden", api_visibility="private"
)
"""Options of events that carry what was chosen. Gradio's other modes lose the last of two quick choices (`once` drops it, `always_last`
sends the data of the first again); one at a time, they cannot overtake each other."""

quiet: Callable[..., dict[str, Any]] = partial(dict, show_progress="hidden", api_visibility="private")
"""Options of events that only change what is shown: no spinner over the page, not part of the API."""

"""Shows the panel in which a person changes the facts of a drawing and hunts the judge's errors."""

from collections.abc import Sequence

import gradio as gr

from hallascope.components.html.gradio_html import holder
from hallascope.components.html.markup import tag
from hallascope.components.teach.exercise import ServerFunction


def break_it_panel(functions: Sequence[ServerFunction], judge: str, elem_id: str) -> gr.HTML:
    """Return the panel.

    `judge` is asked until a person chooses another, and the address need not name it. In the
    browser `functions` are called `begin`, `draw`, `ask`, `surprise`, `browse`.
    """
    return holder(
        "teach/break_it",
        tag("div", class_="break-it", data_judge=judge),
        None,
        server_functions=list(functions),
        elem_id=elem_id,
    )

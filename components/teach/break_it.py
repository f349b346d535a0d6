"""Shows the panel in which a person changes the facts of a drawing and hunts the judge's errors."""

from collections.abc import Sequence

import gradio as gr
from markupsafe import Markup

from hallascope.components.html.gradio_html import holder
from hallascope.components.teach.exercise import ServerFunction

BODY = Markup('<div class="break-it"></div>')


def break_it_panel(functions: Sequence[ServerFunction], elem_id: str) -> gr.HTML:
    """Return the panel.

    In the browser `functions` are called `begin`, `draw`, `ask`, `surprise`, `browse`.
    """
    return holder(
        "teach/break_it",
        BODY,
        None,
        server_functions=list(functions),
        elem_id=elem_id,
    )

"""Makes fields for one line of text that stand in a row with buttons."""

from typing import Any

import gradio as gr


def line_field(label: str, placeholder: str, elem_id: str, **options: Any) -> gr.Textbox:
    """Return a field for one line of text; only screen readers get its label."""
    return gr.Textbox(
        label=label,
        placeholder=placeholder,
        lines=1,
        max_lines=1,
        container=False,
        elem_id=elem_id,
        **options,
    )

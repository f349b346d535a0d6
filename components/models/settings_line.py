"""Shows the settings of a run in one line, with the button that unfolds them."""

from collections.abc import Sequence

import gradio as gr
from markupsafe import Markup

from hallascope.components.html.gradio_html import live
from hallascope.components.html.markup import tag


def settings_line(summary: Markup, elem_id: str) -> gr.HTML:
    """Return the line as a component whose value is that of `summary_html`."""
    return live("models/settings_line", summary, elem_id=elem_id)


def summary_html(parts: Sequence[str], settings_id: str) -> Markup:
    """Return the line as HTML: what is chosen, and the button that shows or hides the settings.

    `settings_id` is the HTML id of what the button shows.
    """
    button = tag(
        "button",
        "Settings",
        type="button",
        class_="settings-toggle",
        aria_expanded="false",
        aria_controls=settings_id,
    )
    words = [tag("span", part) for part in parts]
    return tag("div", tag("p", *words, class_="settings-summary"), button, class_="settings-line")

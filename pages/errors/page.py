"""Builds the Errors tab: from a score to its cause, over all judged images of a selection."""

from functools import partial

import gradio as gr
from markupsafe import Markup

from hallascope.components.html.gradio_html import NO_PROGRESS, static_html
from hallascope.engine.services import Services
from hallascope.pages.errors import (
    error_map,
    image_grid,
    probe,
    remedies,
    run_comparison,
    selection_bar,
    slice_table,
)
from hallascope.pages.errors.selection_bar import ErrorsPart
from hallascope.pages.shared.context import PageContext, change_open_tab

TITLE = "Errors"
_PAGES = {
    "slices": slice_table,
    "map": error_map,
    "grid": image_grid,
    "probe": probe,
    "remedies": remedies,
    "runs": run_comparison,
}
PARTS = {name: page.TITLE for name, page in _PAGES.items()}
HELP = Markup("""<div class="lead"><p><strong>Why do models fail?</strong> Find the kinds of prompt
that fail most and see their images side by side. Vary a prompt until a model fails. Test what
repairs it.</p></div>""")


def build(services: Services, place: PageContext) -> None:
    """Lay the page out and connect it."""
    static_html(HELP)
    bar = selection_bar.build(services, place)
    opened = gr.State(next(iter(PARTS)))
    to_fill = {name: gr.Number(0, visible=False) for name in PARTS}
    with gr.Tabs(elem_id="errors-parts", elem_classes=["parts"]) as parts:
        for name, page in _PAGES.items():
            with gr.Tab(page.TITLE, id=name):
                page.build(services, place, ErrorsPart(to_fill[name], bar))
    names = {title: name for name, title in PARTS.items()}

    def open_part(event: gr.SelectData) -> str:
        return names[event.value]

    parts.select(open_part, None, opened, **NO_PROGRESS)
    gr.on(
        [opened.change, bar.reading.change],
        partial(change_open_tab, tuple(PARTS)),
        opened,
        list(to_fill.values()),
        trigger_mode="multiple",
        **NO_PROGRESS,
    )

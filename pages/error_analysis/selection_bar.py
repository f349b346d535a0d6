"""Lays out the choice of judged images that all parts of the Errors tab share."""

from typing import NamedTuple

import gradio as gr

from hallascope.engine.error_analysis.selection import ErrorSelection
from hallascope.engine.services import Services
from hallascope.pages.shared.context import PageContext


class SelectionBar(NamedTuple):
    """Holds the State of the `ErrorSelection` that is chosen; every part follows its changes."""

    chosen: gr.State


def build(services: Services, place: PageContext) -> SelectionBar:
    """Lay the bar out and connect it."""
    return SelectionBar(chosen=gr.State(ErrorSelection()))

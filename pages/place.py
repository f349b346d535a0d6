"""What the app gives every page beside the services: where it stands and what the pages share."""

from dataclasses import dataclass
from typing import NamedTuple

import gradio as gr


@dataclass(frozen=True)
class Current:
    """The run that is shown, and whether it has come to its end; pages look again when either changes."""

    run: str | None = None
    done: bool = False


class Place(NamedTuple):
    """`demo`: the app, for what happens when it is opened; `tab`: the page's own; `current`: a State of Current."""

    demo: gr.Blocks
    tab: gr.Tab
    current: gr.State

"""Measures the start of the dashboard and of an empty Gradio app."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from bench.support.apps import RunningApp, running_app

EMPTY_APP = (
    "import os, gradio as gr\nwith gr.Blocks() as demo:\n    gr.Markdown('empty')\n"
    "demo.launch(server_port=int(os.environ['GRADIO_SERVER_PORT']), ssr_mode=False, quiet=True)"
)
EMPTY = (sys.executable, "-c", EMPTY_APP)


@contextmanager
def serve_app(command: Sequence[str]) -> Iterator[RunningApp]:
    """Yield an app with an empty home folder. Raises RuntimeError where it serves no page."""
    with (
        tempfile.TemporaryDirectory() as folder,
        # an installed program has its bytecode
        running_app(Path(folder), command, PYTHONDONTWRITEBYTECODE="") as app,
    ):
        yield app


def measure_start(command: Sequence[str]) -> float:
    """Return the seconds from the command to its first page."""
    with serve_app(command) as app:
        return app.start_seconds

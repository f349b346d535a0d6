"""Writes the scene graphs of a chosen picture as files: JSON, GraphML and PNG.

There are some for each line-up that looked at it.
"""

import hashlib
import shutil
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import gradio as gr

from hallascope.components.html.gradio_html import chosen
from hallascope.data.evidence import Evidence
from hallascope.engine.deployment.hosting import KEPT
from hallascope.engine.errors import HallaScopeError
from hallascope.engine.images.graph_files import FORMS, write
from hallascope.engine.services import Services
from hallascope.pages.shared import run_progress
from hallascope.pages.shared.evidence_runs import WHO, EvidenceRuns, EvidenceSpec
from hallascope.pages.shared.evidence_tab import Page

LABELS = [label for label, _ in FORMS.values()]


def graphs_of(
    services: Services, looked: EvidenceRuns, key: str | None, metric: str
) -> list[tuple[str, Evidence]]:
    """The evidence of a picture that has graphs, by the name of the picture, one a line-up.

    Raises UnknownRun.
    """
    found = []
    for view in map(services.view, looked.runs):
        shot = run_progress.find_picture(view, key)
        said = run_progress.evaluations_of(view, shot, metric) if shot else ()
        if shot and said and said[0].report.evidence and said[0].report.evidence.graphs:
            found.append(
                (
                    f"scene-graph-{run_progress.short_name(shot.model)}-{shot.seed}",
                    said[0].report.evidence,
                )
            )
    return found


def write_graph_files(found: Sequence[tuple[str, Evidence]], folder: Path) -> list[Path]:
    """All files of all line-ups, written into the folder, each named after its picture."""
    names = [
        f"{name}-{number}" if len(found) > 1 else name for number, (name, _) in enumerate(found, 1)
    ]
    return [
        path
        for name, (_, evidence) in zip(names, found, strict=True)
        for path in write(folder, name, evidence)
    ]


def files(services: Services, page: Page, look: EvidenceSpec) -> None:
    """A row of buttons a line-up beneath the viewer, which follow the choice in the table."""
    buttons = [button for _ in WHO for button in _row()]
    folder = tempfile.TemporaryDirectory(prefix="hallascope-graphs-")

    def offer(looked: EvidenceRuns, event: gr.EventData) -> list[Any]:
        try:
            found = graphs_of(services, looked, event.key, look.metric)
        except HallaScopeError as sentence:
            raise gr.Error(str(sentence)) from sentence
        paths = write_graph_files(found, _place(Path(folder.name), found))
        shown = [_offered(path, len(found) > 1, i) for i, path in enumerate(paths)]
        return [*shown, *(gr.DownloadButton(visible=False) for _ in buttons[len(shown) :])]

    page.table.select(offer, page.looked, buttons, **chosen())


def _place(folder: Path, found: Sequence[tuple[str, Evidence]]) -> Path:
    """A folder of its own for what differs, so that two visitors' files never meet.

    The same again is written to the same place.
    """
    for old in folder.iterdir():
        if time.time() - old.stat().st_mtime > KEPT:
            shutil.rmtree(old, ignore_errors=True)
    place = (
        folder / hashlib.sha256(repr(found).encode("utf-8", "backslashreplace")).hexdigest()[:16]
    )
    place.mkdir(exist_ok=True)
    return place


def _row() -> list[gr.DownloadButton]:
    with gr.Row(elem_classes=["files"]):
        return [
            gr.DownloadButton(label, visible=False, size="sm", scale=0, min_width=150)
            for label in LABELS
        ]


def _offered(path: Path, several: bool, index: int) -> gr.DownloadButton:
    who = f", {WHO[index // len(LABELS)]}" if several else ""
    return gr.DownloadButton(
        f"Graphs as {LABELS[index % len(LABELS)]}{who}", value=path, visible=True
    )

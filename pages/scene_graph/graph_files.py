"""Offers the scene graphs of a chosen picture as files: JSON, GraphML and PNG."""

import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import gradio as gr

from hallascope.components.html.gradio_html import chosen
from hallascope.data.evidence import Evidence
from hallascope.engine.errors import HallaScopeError
from hallascope.engine.images.graph_files import FORMS, write
from hallascope.engine.services import Services
from hallascope.pages.shared import run_pictures
from hallascope.pages.shared.download_folder import own_folder
from hallascope.pages.shared.evidence.runs import (
    LINEUP_NAMES,
    EvidenceRuns,
    EvidenceSpec,
    services_of,
)
from hallascope.pages.shared.evidence.tab import Page

LABELS = [form.title for form in FORMS.values()]


def graphs_of(
    services: Services, shown: EvidenceRuns, key: str | None, metric: str
) -> list[tuple[str, Evidence]]:
    """Return the evidence of a picture that has graphs, by the name of its file, one a line-up.

    Raises UnknownRun.
    """
    graphs = []
    for view in map(services_of(services, shown).view, shown.runs):
        shot = run_pictures.find_picture(view, key)
        evaluations = run_pictures.evaluations_of(view, shot, metric) if shot else ()
        evidence = evaluations[0].report.evidence if evaluations else None
        if shot and evidence and evidence.graphs:
            name = f"scene-graph-{run_pictures.short_name(shot.model)}-{shot.seed}"
            graphs.append((name, evidence))
    return graphs


def write_graph_files(graphs: Sequence[tuple[str, Evidence]], folder: Path) -> list[Path]:
    """Write the files of all line-ups into the folder, each named after its picture."""
    names = [
        f"{name}-{number}" if len(graphs) > 1 else name
        for number, (name, _) in enumerate(graphs, 1)
    ]
    return [
        path
        for name, (_, evidence) in zip(names, graphs, strict=True)
        for path in write(folder, name, evidence)
    ]


def files(services: Services, page: Page, spec: EvidenceSpec) -> None:
    """Lay out a row of buttons a line-up, for the picture that is chosen in the table."""
    buttons = []
    for _ in LINEUP_NAMES:
        with gr.Row(elem_classes=["files"]):
            buttons += [
                gr.DownloadButton(label, visible=False, size="sm", scale=0, min_width=150)
                for label in LABELS
            ]
    folder = tempfile.TemporaryDirectory(prefix="hallascope-graphs-")

    def offer(evidence_runs: EvidenceRuns, event: gr.EventData) -> list[Any]:
        try:
            graphs = graphs_of(services, evidence_runs, event.key, spec.metric)
        except HallaScopeError as sentence:
            raise gr.Error(str(sentence)) from sentence
        paths = write_graph_files(graphs, own_folder(Path(folder.name), repr(graphs)))
        visible = [_offered(path, len(graphs) > 1, i) for i, path in enumerate(paths)]
        return [*visible, *(gr.DownloadButton(visible=False) for _ in buttons[len(visible) :])]

    page.table.select(offer, page.shown, buttons, **chosen())


def _offered(path: Path, several: bool, index: int) -> gr.DownloadButton:
    who = f", {LINEUP_NAMES[index // len(LABELS)]}" if several else ""
    return gr.DownloadButton(
        f"Graphs as {LABELS[index % len(LABELS)]}{who}", value=path, visible=True
    )

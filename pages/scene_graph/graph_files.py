"""Offers the scene graphs of a chosen image as files: JSON, GraphML and PNG."""

import tempfile
from pathlib import Path

import gradio as gr

from hallascope.components.html.gradio_html import CHOICE_EVENT
from hallascope.data.evidence import Evidence
from hallascope.engine.images.graph_files import FORMS, write
from hallascope.engine.services import Services
from hallascope.pages.shared import run_pictures
from hallascope.pages.shared.download_folder import own_folder
from hallascope.pages.shared.evidence.runs import EvidenceRuns, services_for_runs
from hallascope.pages.shared.server_functions import one_sentence


def graph_of(
    services: Services, shown: EvidenceRuns, key: str | None, metric: str
) -> tuple[str, Evidence] | None:
    """Return the name of an image's files, and its evidence in the newest of the runs.

    None where it has no graphs. Raises UnknownRun.
    """
    if not shown.runs:
        return None
    view = services_for_runs(services, shown).view(shown.runs[-1])
    image = run_pictures.find_picture(view, key)
    evaluations = run_pictures.evaluations_of(view, image, metric) if image else ()
    evidence = evaluations[0].report.evidence if evaluations else None
    if not (image and evidence and evidence.graphs):
        return None
    return f"scene-graph-{run_pictures.short_name(image.model)}-{image.seed}", evidence


def files(services: Services, table: gr.HTML, runs: gr.State, metric: str) -> None:
    """Lay out a button a file, for the image that is chosen in the table."""
    with gr.Row(elem_classes=["files"]):
        buttons = [
            gr.DownloadButton(
                f"Graphs as {form.title}", visible=False, size="sm", scale=0, min_width=150
            )
            for form in FORMS.values()
        ]
    folder = tempfile.TemporaryDirectory(prefix="hallascope-graphs-")

    def offer(shown: EvidenceRuns, event: gr.EventData) -> list[gr.DownloadButton]:
        with one_sentence():
            found = graph_of(services, shown, event.key, metric)
        if found is None:
            return [gr.DownloadButton(visible=False) for _ in buttons]
        name, evidence = found
        paths = write(own_folder(Path(folder.name), repr(found)), name, evidence)
        return [gr.DownloadButton(value=path, visible=True) for path in paths]

    table.select(offer, runs, buttons, **CHOICE_EVENT)

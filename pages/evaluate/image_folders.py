"""Lays out the panel that judges images which exist already, and says what came of them."""

import threading
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import gradio as gr
from markupsafe import Markup

from hallascope import metrics
from hallascope.components.cards import status
from hallascope.components.html.gradio_html import static_html
from hallascope.components.tiles.scores import number_text
from hallascope.data.files.problem_groups import group_problems
from hallascope.engine.deployment.hosting import LOCAL_FILE_LIMIT
from hallascope.engine.errors import HallaScopeError
from hallascope.engine.events import EvaluateRequest
from hallascope.engine.image_folders.judging import FolderJudging
from hallascope.engine.image_folders.records import OpenedImages
from hallascope.engine.image_folders.report import JudgingReport
from hallascope.engine.image_folders.sources import open_dropped
from hallascope.engine.money.budget import SpendingPolicy
from hallascope.engine.services import Services
from hallascope.pages.evaluate.run import EvaluateSettings, judging_template
from hallascope.pages.shared.nouns import count_noun
from hallascope.pages.shared.run_buttons import RunButtons
from hallascope.pages.shared.spending import SpendingInputs

HOW = (
    "Drop a .zip of images in the layout of a benchmark, or a table with the columns prompt and"
    " image and its images. The judge and metrics above score them, and the Leaderboard ranks them"
    " under the name of their model."
)
_INTERVAL = 0.5  # seconds between two lines of progress


class ImagesPanel(NamedTuple):
    """Holds the controls of the panel."""

    name: gr.Textbox
    files: gr.File
    start: gr.Button
    stop: gr.Button
    line: gr.HTML


FILES_LABEL = f"A .zip of up to {LOCAL_FILE_LIMIT.removesuffix('gb')} GB, or a table and its images"


def build() -> ImagesPanel:
    """Lay the panel out."""
    with gr.Accordion(
        "Judge existing images",
        open=False,
        elem_id="image-folders",
        elem_classes=["lineup", "getting"],
    ):
        static_html(status.idle_message(HOW))
        with gr.Row(elem_classes=["numbers-row"]):
            name = gr.Textbox(
                label="Model of the images",
                placeholder="e.g. dalle-3",
                max_lines=1,
                elem_id="images-model",
            )
            start = gr.Button(
                "Judge images", variant="primary", scale=0, min_width=132, elem_id="judge-images"
            )
            stop = gr.Button(
                "Stop", interactive=False, scale=0, min_width=84, elem_id="stop-judging-images"
            )
        files = gr.File(
            label=FILES_LABEL,
            file_count="multiple",
            file_types=["image", ".avif", ".zip", ".csv", ".tsv", ".xlsx"],
            type="filepath",
            height=120,
            elem_id="image-files",
        )
        line = static_html(status.idle_message(), elem_id="images-status")
    return ImagesPanel(name=name, files=files, start=start, stop=stop, line=line)


def connect(
    services: Services, panel: ImagesPanel, spending: SpendingInputs, controls: Sequence[Any]
) -> None:
    """Have the button judge the files with what `controls` and `spending` say."""
    own = len(controls)

    def judge(
        signal: threading.Event, asker: gr.Request, name: str, files: list[str] | None, *values: Any
    ) -> Iterator[Markup]:
        settings = EvaluateSettings(*values[:own])
        policy = spending.read_policy(asker, *values[own:])
        yield from judge_files(services, settings, policy, name, files or (), signal)

    RunButtons([panel.start], panel.stop).begin(
        listeners=[panel.start.click],
        work=judge,
        inputs=[panel.name, panel.files, *controls, *spending.all],
        outputs=[panel.line],
        at_once=1,
        called="images",
    )


def judge_files(
    services: Services,
    settings: EvaluateSettings,
    policy: SpendingPolicy,
    name: str,
    files: Sequence[str],
    stop: threading.Event,
) -> Iterator[Markup]:
    """Yield the line of the panel while the files are judged, and in the end what came of them."""
    if not files:
        yield status.error_message("No file is chosen: drop a .zip, or a table and its images.")
        return
    yield status.idle_message("Reading the files.")
    try:
        template = judging_template(settings)
        with open_dropped([Path(file) for file in files]) as opened:
            yield from _judge(services, opened, template, policy, name or "", stop)
    except HallaScopeError as sentence:
        yield status.error_message(str(sentence))


def _judge(
    services: Services,
    opened: OpenedImages,
    template: EvaluateRequest,
    policy: SpendingPolicy,
    name: str,
    stop: threading.Event,
) -> Iterator[Markup]:
    report = JudgingReport()
    shown = time.monotonic()
    judging = FolderJudging(services, opened, template, policy, name=name, stop=stop)
    for event in judging.events():
        report.add(event)
        if time.monotonic() - shown > _INTERVAL:
            shown = time.monotonic()
            judged = sum(total.images for total in report.means.values())
            words = f"{report.images:,} images stored, {judged:,} judgments done"
            yield status.idle_message(words)
    yield result_html(opened, report)


def result_html(opened: OpenedImages, report: JudgingReport) -> Markup:
    """Return what came of the files: counts, means by model and metric, and what is left out."""
    new, known = sum(report.new.values()), sum(report.known.values())
    words = [
        f"Layout {opened.layout}.",
        opened.note,
        f"{count_noun(new, 'image')} new, {known:,} stored before,"
        f" {len(report.unmatched):,} left out.",
        *(
            f"{model}: {metrics.title(metric)} {number_text(total.mean)} on average over"
            f" {count_noun(total.scored, 'judgment')}, {total.left_out:,} left out."
            for (model, metric), total in sorted(report.means.items())
            if total.mean is not None
        ),
    ]
    words.append("Stopped. Judge the same files again to resume." if report.stopped else "")
    if report.means:
        words.append("The Leaderboard ranks them; Runs lists them.")
    troubles = [
        *report.not_run,
        *(f"Failed: {message} ({times:,} times)" for message, times in report.faults.items()),
        *(f"Left out: {line}" for line in group_problems(report.unmatched)),
        *(f"Note: {line}" for line in group_problems(report.notes)),
    ]
    return status.result_message(" ".join(filter(None, words)), troubles)

"""Lays out the panel that judges images which exist already, and says what came of them."""

import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import gradio as gr
from markupsafe import Markup

from hallascope import metrics
from hallascope.components.cards import status
from hallascope.components.html.gradio_html import static_html
from hallascope.components.tiles.scores import number_text
from hallascope.data.files.problem_groups import group_problems
from hallascope.data.nouns import count_noun
from hallascope.engine.deployment.hosting import LOCAL_FILE_LIMIT
from hallascope.engine.events import EvaluateRequest
from hallascope.engine.image_folders.judging import FolderJudging
from hallascope.engine.image_folders.records import OpenedImages
from hallascope.engine.image_folders.report import JudgingReport
from hallascope.engine.image_folders.sources import open_dropped
from hallascope.pages.evaluate.run import EvaluateSettings, judging_template
from hallascope.pages.shared.run_buttons import RunButtons, StartedRun, start_and_stop
from hallascope.pages.shared.spending import SpendingInputs

HOW = (
    "Drop a .zip of images in the layout of a benchmark, or a table with the columns prompt and"
    " image and its images. The judge and metrics above score them, and the Leaderboard ranks them"
    " under the name of their model."
)
_INTERVAL = 0.5  # seconds between two lines of progress


FILES_LABEL = f"A .zip of up to {LOCAL_FILE_LIMIT.removesuffix('gb')} GB, or a table and its images"


def build(spending: SpendingInputs, controls: Sequence[Any]) -> None:
    """Lay the panel out; its button judges the files with what `controls` and `spending` say."""
    with gr.Accordion(
        "Judge existing images",
        open=False,
        elem_id="image-folders",
        elem_classes=["lineup", "getting"],
    ):
        static_html(status.result_message(HOW))
        with gr.Row(elem_classes=["numbers-row"]):
            name = gr.Textbox(
                label="Model of the images",
                placeholder="e.g. dalle-3",
                max_lines=1,
                elem_id="images-model",
            )
            start, stop = start_and_stop("Judge images", "judge-images", "stop-judging-images")
        files = gr.File(
            label=FILES_LABEL,
            file_count="multiple",
            file_types=["image", ".avif", ".zip", ".csv", ".tsv", ".xlsx"],
            type="filepath",
            height=120,
            elem_id="image-files",
        )
        line = static_html(status.result_message(), elem_id="images-status")
    RunButtons([start], stop, spending).begin(
        listeners=[start.click],
        work=judge_files,
        inputs=[name, files, *controls],
        outputs=[line],
        at_once=1,
        called="images",
    )


def judge_files(
    begun: StartedRun, name: str, files: Sequence[str] | None, *settings: Any
) -> Iterator[Markup]:
    """Yield the line of the panel while the files are judged, and in the end what came of them.

    `settings` are the values of `EvaluateSettings`. Raises HallaScopeError.
    """
    if not files:
        yield status.error_message("No file is chosen: drop a .zip, or a table and its images.")
        return
    yield status.result_message("Reading the files.")
    template = judging_template(EvaluateSettings(*settings))
    with open_dropped([Path(file) for file in files]) as opened:
        yield from _judge(begun, opened, template, name or "")


def _judge(
    begun: StartedRun, opened: OpenedImages, template: EvaluateRequest, name: str
) -> Iterator[Markup]:
    report = JudgingReport()
    shown = time.monotonic()
    judging = FolderJudging(
        begun.services, opened, template, begun.terms, name=name, stop=begun.stop
    )
    for event in judging.events():
        report.add(event)
        if time.monotonic() - shown > _INTERVAL:
            shown = time.monotonic()
            judged = sum(total.images for total in report.means.values())
            words = f"{report.images:,} images stored, {judged:,} judgments done"
            yield status.result_message(words)
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

"""Holds the command that brings images of a model into the store and has them judged."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from hallascope.cli.checks import checks_document, exit_code, require_checkable, run_checks
from hallascope.cli.options import (
    CheckOptions,
    DryRunOption,
    JsonOption,
    JudgingOptions,
    SpendingOptions,
)
from hallascope.cli.output import printing
from hallascope.cli.output.costs import calls_table, cost_text, time_text
from hallascope.cli.output.printing import problem_lines
from hallascope.cli.terminal import DONE, FAILURES, Progress, say
from hallascope.data.models.specs import CURRENCY
from hallascope.data.nouns import count_noun
from hallascope.engine.image_folders.hub import HubColumns
from hallascope.engine.image_folders.judging import FolderJudging, ImageTaken
from hallascope.engine.image_folders.preview import MatchPreview, preview_images
from hallascope.engine.image_folders.records import OpenedImages
from hallascope.engine.image_folders.report import JudgingReport
from hallascope.engine.image_folders.sources import open_images
from hallascope.engine.money.spending import spending_text
from hallascope.engine.services import create_services


def judge(
    folder: str,
    *,
    judging: JudgingOptions,
    spending: SpendingOptions,
    checking: CheckOptions,
    name: Annotated[str, typer.Option("--as", metavar="NAME")] = "",
    layout: str | None = None,
    prompts: Path | None = None,
    named_by: str = "",
    image_column: str = "image",
    prompt_column: str = "prompt",
    model_column: str = "",
    seed_column: str = "",
    split: str = "",
    allow_registered: bool = False,
    dry_run: DryRunOption = False,
    as_json: JsonOption = False,
) -> int:
    """Bring existing images into the store under their model's name, and judge them.

    The same command again adds only new images. Files without a prompt are listed.

    Args:
        folder: The images: a folder, a .zip of one, a table of prompts and images, or a data set of
            the Hub as hf:OWNER/NAME.
        name: The model that made the images.
        layout: How images and prompts are stored: ihalla, factualbench, t2i-compbench, geneval,
            drawbench or csv; default: detected.
        prompts: The list of prompts, if it is not in the folder.
        named_by: The field of the list that names the images, such as prompt_id; or row-0, row-1:
            images are numbered by row from 0 or 1; default: the one that fits.
        image_column: The column of images in a data set.
        prompt_column: The column of prompts in a data set.
        model_column: The column of models in a data set; else --as names the model.
        seed_column: The column of seeds in a data set; else images are numbered.
        split: Read only this split of a data set.
        allow_registered: Allow the name of a model that HallaScope runs; the images count as its
            own.
    """
    services = create_services()
    template = judging.request("")
    require_checkable(checking, services.store, template.metrics)
    policy = spending.policy
    columns = HubColumns(
        image=image_column,
        prompt=prompt_column,
        model=model_column,
        seed=seed_column,
        split=split,
    )
    progress = Progress("images")

    def show_progress(images: int) -> None:
        if images % 100 == 0:
            progress.count(images)

    owner: dict[str, Any] = {"name": name, "allow_registered": allow_registered}
    with open_images(folder, layout, prompts, columns=columns, named_by=named_by) as opened:
        if dry_run:
            preview = preview_images(
                services, opened, template, policy, **owner, on_image=show_progress
            )
            progress.close()
            printing.print_result(
                as_json,
                _preview_json(opened, preview),
                _preview_lines(opened, preview, policy.caps()),
            )
            return FAILURES if preview.unmatched or not preview.images else DONE
        judging_ = FolderJudging(services, opened, template, policy, **owner)
        report = JudgingReport()
        if not as_json:
            say(_layout_line(opened))
        for event in judging_.events():
            report.add(event)
            if isinstance(event, ImageTaken) and not as_json:
                show_progress(report.images)
    progress.close()
    metrics = dict.fromkeys(metric for _, metric in report.means)
    boards = [f"hallascope leaderboard --metric {metric}" for metric in metrics]
    checks = run_checks(checking, services, report.sweep, template.metrics)
    record = report.document(opened) | checks_document(checks)
    lines = [*_report_lines(report, record), *(check.sentence for check in checks)]
    printing.print_result(as_json, record, lines, next_step="`, `".join(boards))
    return exit_code(report.failed or not report.images, checks, as_json)


def _layout_line(opened: OpenedImages) -> str:
    found = "detected" if opened.detected else "as named"
    return f"Layout {opened.layout} ({found}). {opened.note}".rstrip()


def _preview_json(opened: OpenedImages, preview: MatchPreview) -> dict[str, Any]:
    """Return what would be brought in and asked, for programs."""
    document = opened.document() | vars(preview) | vars(preview.totals)
    document["calls"] = document.pop("lines")
    del document["totals"]
    return document | {
        "currency": CURRENCY,
        "not_judged": [
            {"prompt": prompt, "message": message} for prompt, message in preview.not_judged
        ],
        "not_run": list(preview.not_run),
    }


def _preview_lines(
    opened: OpenedImages, preview: MatchPreview, caps: tuple[float, float]
) -> Iterable[str]:
    """Yield what would be brought in and asked, for people."""
    yield _layout_line(opened)
    yield problem_lines(preview.unmatched, "left out: ")
    yield from preview.not_run
    yield problem_lines(map(": ".join, preview.not_judged), "not judged: ")
    for model, images in preview.images.items():
        yield f"{model}: {images:,} images"
    prompts = count_noun(preview.prompts, "prompt")
    yield f"{prompts}; {len(preview.unmatched):,} left out; nothing is stored."
    if calls := calls_table(preview.totals):
        yield f"\n{calls}\n"
    yield f"{preview.new:,} images are new; {preview.evaluations:,} evaluations are to be made"
    yield time_text(preview.totals)
    yield cost_text(preview.totals, caps, "run")


def _report_lines(report: JudgingReport, record: Mapping[str, Any]) -> Iterable[str]:
    yield problem_lines(report.unmatched, "left out: ")
    yield problem_lines(report.notes, "note: ")
    new, known = sum(report.new.values()), sum(report.known.values())
    yield f"Images: {new:,} new, {known:,} stored before, {len(report.unmatched):,} left out."
    for message, times in report.faults.items():
        yield f"failed: {message} ({times:,} times)"
    yield from report.not_run
    if scores := record["scores"]:
        yield f"\n{printing.table(scores)}\n"
    paid = spending_text(report.spent, report.unconfirmed, "spent so far")
    spent = f", {paid}" if report.spent else ""
    stopped = ", stopped: run the same command to continue" if report.stopped else ""
    yield f"sweep {report.sweep}{spent}{stopped}"

"""Holds the command that brings images of a model into the store and has them judged.

Exit codes as in `hallascope.cli.main`.
"""

from pathlib import Path
from typing import Annotated, Any

import typer

from hallascope.cli.output import printing
from hallascope.cli.output.forecasts import calls_table, cost_text, time_text
from hallascope.cli.output.printing import TextColumn
from hallascope.cli.output.problems import problem_lines
from hallascope.cli.terminal import (
    DONE,
    FAILURES,
    AcceptReadingsOption,
    BudgetOption,
    DayBudgetOption,
    JsonOption,
    PromptReaderOption,
    UnpricedOption,
    WordingOption,
    progress,
    say,
    split_names,
)
from hallascope.data.models.specs import CURRENCY
from hallascope.data.wordings.catalog import OURS
from hallascope.engine.events import EvaluateRequest
from hallascope.engine.image_folders.detection import OpenedImages
from hallascope.engine.image_folders.hub import HubColumns
from hallascope.engine.image_folders.judging import FolderJudging, ImageTaken
from hallascope.engine.image_folders.preview import MatchPreview, preview_images
from hallascope.engine.image_folders.records import LAYOUTS
from hallascope.engine.image_folders.report import JudgingReport
from hallascope.engine.image_folders.sources import open_images
from hallascope.engine.money.budget import SpendingPolicy
from hallascope.engine.money.spending import spending_text
from hallascope.engine.services import create_services

_COLUMNS = (
    TextColumn("model", lambda row: row[0][0]),
    TextColumn("metric", lambda row: row[0][1]),
    TextColumn("images", lambda row: f"{row[1].images:,}"),
    TextColumn("mean", lambda row: printing.number(row[1].mean)),
    TextColumn("n", lambda row: f"{row[1].scored:,}"),
    TextColumn("left out", lambda row: f"{row[1].left_out:,}"),
)


def judge(
    source: Annotated[
        str,
        typer.Argument(
            metavar="FOLDER",
            help=(
                "The images: a folder, a .zip of one, a table of prompts and images, or a data set"
                " of the Hub as hf:OWNER/NAME."
            ),
        ),
    ],
    name: Annotated[
        str, typer.Option("--as", metavar="NAME", help="The model that made the images.")
    ] = "",
    layout: Annotated[
        str | None,
        typer.Option(
            help=f"How images and prompts lie: {', '.join(LAYOUTS)}; else it is detected."
        ),
    ] = None,
    prompts: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="The list of prompts or the table, where it lies elsewhere."
        ),
    ] = None,
    named_by: Annotated[
        str,
        typer.Option(
            help="What images are named by: a field of the list of prompts such as prompt_id, or"
            " its rows (row-0, row-1: counted from 0 or 1); else the one that fits."
        ),
    ] = "",
    image_column: Annotated[
        str, typer.Option(help="The column of the images, of a data set.")
    ] = "image",
    prompt_column: Annotated[
        str, typer.Option(help="The column of the prompts, of a data set.")
    ] = "prompt",
    model_column: Annotated[
        str, typer.Option(help="The column of the models, of a data set; else --as names it.")
    ] = "",
    seed_column: Annotated[
        str, typer.Option(help="The column of the seeds, of a data set; else they are counted.")
    ] = "",
    split: Annotated[
        str, typer.Option(help="The only split of a data set that is read; else all.")
    ] = "",
    metrics: Annotated[str, typer.Option(help="Metrics by name, with commas between.")] = "ihalla",
    judge_: Annotated[
        str,
        typer.Option("--judge", help="The model that answers; `none` only brings the images in."),
    ] = "primer/judge",
    trials: Annotated[int, typer.Option(help="How often each image is judged.")] = 1,
    writer: Annotated[
        str | None, typer.Option(help="The model that writes what a metric needs written.")
    ] = None,
    parser: Annotated[
        str | None, typer.Option(help="The model that reads what a prompt asks for.")
    ] = None,
    prompt_reader: PromptReaderOption = None,
    accept_readings: AcceptReadingsOption = False,
    captioner: Annotated[str | None, typer.Option(help="The model that describes.")] = None,
    detector: Annotated[str | None, typer.Option(help="The model that finds things.")] = None,
    segmenter: Annotated[str | None, typer.Option(help="The model that cuts things out.")] = None,
    reader: Annotated[str | None, typer.Option(help="The model that reads writing.")] = None,
    embedder: Annotated[str | None, typer.Option(help="The model that compares.")] = None,
    allow_registered: Annotated[
        bool,
        typer.Option(
            "--allow-registered",
            help="The name may be that of a model which HallaScope runs: the images count as its.",
        ),
    ] = False,
    wording: WordingOption = OURS,
    dry_run: Annotated[
        bool,
        typer.Option(
            "--dry-run",
            help="Say what is matched, what is left out and what it would cost; store nothing.",
        ),
    ] = False,
    budget: BudgetOption = None,
    budget_day: DayBudgetOption = None,
    unpriced: UnpricedOption = False,
    as_json: JsonOption = False,
) -> int:
    """Bring images that exist already into the store under their model's name, and judge them.

    The same command again adds only what is new. What cannot be matched with a prompt is listed.
    """
    services = create_services()
    template = EvaluateRequest(
        prompt="",
        metrics=split_names(metrics),
        judge=None if judge_ == "none" else judge_,
        trials=trials,
        writer=writer,
        parser=parser,
        captioner=captioner,
        detector=detector,
        segmenter=segmenter,
        reader=reader,
        embedder=embedder,
        prompt_reader=prompt_reader,
        accept_readings=accept_readings,
        wording=wording,
    )
    policy = SpendingPolicy(run=budget, day=budget_day, unpriced=unpriced)
    report = JudgingReport()
    columns = HubColumns(
        image=image_column,
        prompt=prompt_column,
        model=model_column,
        seed=seed_column,
        split=split,
    )
    with open_images(source, layout, prompts, columns=columns, named_by=named_by) as opened:
        if dry_run:
            preview = preview_images(
                services,
                opened,
                template,
                policy,
                name=name,
                allow_registered=allow_registered,
                on_image=_show_progress,
            )
            printing.print_result(
                as_json,
                _preview_json(opened, preview),
                _preview_lines(opened, preview, services.caps(policy)),
            )
            return FAILURES if preview.unmatched or not preview.images else DONE
        judging = FolderJudging(
            services, opened, template, policy, name=name, allow_registered=allow_registered
        )
        if not as_json:
            say(_layout_line(opened))
        for event in judging.events():
            report.add(event)
            if isinstance(event, ImageTaken) and not as_json:
                _show_progress(report.images)
    if as_json:
        say(printing.document(report.document(opened)))
    else:
        _say_report(report)
    return FAILURES if report.failed or not report.images else DONE


def _layout_line(opened: OpenedImages) -> str:
    found = "detected" if opened.detected else "as named"
    return " ".join(filter(None, [f"Layout {opened.layout} ({found}).", opened.folder.note]))


def _show_progress(images: int) -> None:
    if images % 100 == 0:
        progress(images, images + 1, "images")


def _preview_json(opened: OpenedImages, preview: MatchPreview) -> dict[str, Any]:
    """Return what would be brought in and asked, for programs."""
    document = opened.document() | vars(preview)
    totals = document.pop("totals")
    return document | {
        "calls": totals.lines,
        "seconds": totals.seconds,
        "amount": totals.amount,
        "currency": CURRENCY,
        "unmeasured": list(totals.unmeasured),
        "unpriced": list(totals.unpriced),
        "not_judged": [
            {"prompt": prompt, "message": message} for prompt, message in preview.not_judged
        ],
        "not_run": list(preview.not_run),
    }


def _preview_lines(opened: OpenedImages, preview: MatchPreview, caps: tuple[float, float]) -> str:
    """Return what would be brought in and asked, for people."""
    calls = calls_table(preview.totals)
    return "\n".join(
        [
            _layout_line(opened),
            *filter(None, [problem_lines(preview.unmatched, "left out: ")]),
            *preview.not_run,
            *filter(None, [problem_lines(map(": ".join, preview.not_judged), "not judged: ")]),
            *(f"{model}: {images:,} images" for model, images in preview.images.items()),
            f"{preview.prompts:,} prompts; {len(preview.unmatched):,} left out; nothing is stored.",
            *([f"\n{calls}\n"] if calls else []),
            f"{preview.new:,} images are new; {preview.evaluations:,} evaluations are to be made",
            time_text(preview.totals),
            cost_text(preview.totals, caps, "run"),
        ]
    )


def _say_report(report: JudgingReport) -> None:
    for problems, what in ((report.unmatched, "left out: "), (report.notes, "note: ")):
        if problems:
            say(problem_lines(problems, what))
    new, known = sum(report.new.values()), sum(report.known.values())
    say(f"Images: {new:,} new, {known:,} stored before, {len(report.unmatched):,} left out.")
    for message, times in report.faults.items():
        say(f"failed: {message} ({times:,} times)")
    for reason in report.not_run:
        say(reason)
    if report.means:
        say(f"\n{printing.table(_COLUMNS, sorted(report.means.items()))}\n")
    paid = spending_text(report.spent, report.unconfirmed, "spent so far")
    spent = f", {paid}" if report.spent else ""
    stopped = ", stopped: the same command goes on" if report.stopped else ""
    say(f"sweep {report.sweep}{spent}{stopped}")
    metrics = list(dict.fromkeys(metric for _, metric in report.means))
    for metric in metrics:
        say(f"Rank them with `hallascope leaderboard --metric {metric}`.")

"""Holds the command that reproduces a table of a paper, and lists the tables that there are.

Ctrl-C ends it cleanly, twice at once.
"""

from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from textwrap import indent
from typing import Annotated

import typer

from hallascope.cli.commands.sweep import stopped_by_hand
from hallascope.cli.options import Natural, Positive, SpendingOptions, WordingOption
from hallascope.cli.output import printing
from hallascope.cli.output.costs import cost_text, forecasts_lines, time_text
from hallascope.cli.terminal import (
    DONE,
    FAILURES,
    INTERRUPTED,
    Progress,
    complain,
    say,
    write_file,
)
from hallascope.data.reproduce.paper_tables import PaperTable, ReproducedPaper, read_papers
from hallascope.data.wordings.packs import AS_PUBLISHED
from hallascope.engine.errors import BadRequest
from hallascope.engine.image_folders.preview import preview_images
from hallascope.engine.image_folders.records import UnmatchedFile
from hallascope.engine.image_folders.report import JudgingReport
from hallascope.engine.reproduce.benchmarks import (
    error_type_cells,
    judge_cells,
    reply_cells,
    run_graders,
    run_judges,
)
from hallascope.engine.reproduce.reproduction import (
    FilledCells,
    assemble_table,
    counted_cells,
    swept_cells,
)
from hallascope.engine.reproduce.sweeps import (
    ReproduceOptions,
    TableJob,
    TableSweeps,
    plan_sweeps,
    require_known_data,
    run_sweeps,
)
from hallascope.engine.reproduce.tables import (
    NOTHING_STORED,
    OurCell,
    ReproducedWorld,
    TableNeeds,
    cell_sources,
    data_in_images,
    fill_cells,
    find_table,
    table_needs,
    with_images,
    with_judge,
)
from hallascope.engine.reproduce.writers import WRITERS, TableFormat
from hallascope.engine.services import Services, create_services
from hallascope.engine.sweep.forecast import forecast
from hallascope.engine.sweep.plan import PlannedSweep
from hallascope.engine.sweep.runner import ItemRefused, SweepEnded, SweepProgress, SweepStarted

LIST = "list"
MAX_LISTED_FILES = 50


def reproduce(
    paper: str,
    table: str = "",
    *,
    spending: SpendingOptions,
    go: bool = False,
    world: ReproducedWorld = "paper",
    data: list[str] | None = None,
    images: str = "",
    ratings: Path | None = None,
    sample: Positive | None = None,
    seed: Natural = 0,
    trials: Annotated[int | None, typer.Option(min=1, max=9)] = None,
    judge: str = "",
    wording: WordingOption = AS_PUBLISHED,
    format: TableFormat = "text",
    out: Path | None = None,
) -> int:
    """Say what a paper's table needs and costs, and print our numbers beside the published ones.

    With --go what is missing is made first. Run the same command again to continue after an
    interruption.

    Args:
        paper: The name of a paper, or `list`, which shows every table.
        table: One of its tables or figures, such as 3 or figure-4.
        go: Make and judge what is missing.
        world: paper: its models and prompts; primer: the embedded ones, without key or GPU.
        data: Where a benchmark is stored, such as ihalla=FOLDER; may be repeated.
        images: Judge the images of this folder instead of drawing: any folder for `hallascope
            judge` that names its models.
        ratings: What people say: a table `model, prompt, value[, dimension]`, or of replies to
            HaloQuest `item, reply, value[, model]`.
        sample: Only so many prompts of each set, drawn by the seed.
        seed: Which prompts are drawn.
        trials: How often each image is judged (default: as in the paper).
        judge: The judge in place of those that cannot run here; the table says so.
        format: How the table is written.
        out: Write the table into this file.
    """
    services = create_services()
    if paper == LIST:
        say(
            printing.table(
                {
                    "paper": paper_.name,
                    "table": needs.table.name,
                    "what": needs.table.title,
                    "images": needs.brought,
                    "here": needs.status,
                }
                for paper_, needs in _listed_tables(services)
            )
        )
        return DONE
    title, spec = find_table(paper, table)
    options = ReproduceOptions(
        world=world,
        data={**data_in_images(spec, images), **_paths(data or [])},
        sample=sample,
        seed=seed,
        trials=trials,
        ratings=ratings,
        images=images,
        wording=wording,
    )
    require_known_data(spec, options.data)
    terms = spending.policy
    tell = say if format == "text" or out else complain  # the table alone on standard output
    if images and options.world == "primer":
        raise BadRequest("The Primer world draws its images: leave --images or --world primer out.")
    if judge and options.world == "primer":
        raise BadRequest("The Primer world has its own judge: leave --judge or --world primer out.")
    needs = table_needs(spec, services, has_images=bool(images))
    tell(_needs_text(title, spec, needs, options))
    if spec.fill == "none" or (spec.not_because and options.world == "paper"):
        return DONE
    sources = cell_sources(spec, options.world, services)
    notes: tuple[str, ...] = ()
    if judge and options.world == "paper":
        sources, notes = with_judge(sources, services, judge)
    if images:
        sources, note = with_images(spec, sources, images)
        notes = (*notes, note)
    job = TableJob(table=spec, sources=sources, services=services, options=options, terms=terms)
    with stopped_by_hand() if go else nullcontext(job.stop) as stop:
        job = replace(job, stop=stop)
        code, filled = _fill(job, go)
    filled = replace(filled, notes=(*notes, *filled.notes))
    made = assemble_table(title, filled, job)
    text = WRITERS[format](made)
    if format == "csv":  # which has no place for them
        for note in made.notes:
            complain(note)
    if out:
        write_file(out, text)
        tell(f"The table is in {out}.")
    else:
        say(f"\n{text.rstrip()}" if format == "text" else text.rstrip())
    return code


def _listed_tables(services: Services) -> list[tuple[ReproducedPaper, TableNeeds]]:
    return [
        (paper, table_needs(table, services)) for paper in read_papers() for table in paper.tables
    ]


def _paths(named: Sequence[str]) -> dict[str, str]:
    """Return the paths of benchmarks by their kind. Raises BadRequest."""
    paths = {}
    for entry in named:
        kind, sign, path = entry.partition("=")
        if not (sign and kind.strip() and path.strip()):
            raise BadRequest(f"{entry!r} names no data: write it as ihalla=FOLDER.")
        paths[kind.strip()] = path.strip()
    return paths


def _fill(job: TableJob, go: bool) -> tuple[int, FilledCells]:
    """Make what is missing where `go` says so, and return the exit code and our numbers."""
    notes: tuple[str, ...] = ()
    match job.table.fill:
        case "counts":
            return DONE, counted_cells(job)
        case "scores" | "correlations":
            sweeps = plan_sweeps(job)
            code = _run(sweeps, job) if go else _say_costs(sweeps, job)
            return code, swept_cells(sweeps, job)
        case "judges":
            cells = judge_cells(job, run_judges(job, Progress("questions")) if go else {})
        case "replies":
            replies = run_graders(job, go, Progress("replies"))
            cells, notes = reply_cells(job, replies), replies.notes
        case _:
            cells = (
                error_type_cells(job, Progress("images"))
                if go
                else fill_cells(job.sources, lambda source: OurCell(reason=NOTHING_STORED))
            )
    return _code(job, failed=False), FilledCells(job.sources, cells, notes)


# --- what it needs and costs ---


def _needs_text(title: str, spec: PaperTable, needs: TableNeeds, options: ReproduceOptions) -> str:
    """Return what the table is and needs, in the paper's world or in Primer's."""
    head = f"{title}, {spec.heading}: {spec.title} (section: {spec.section})"
    if spec.not_because and (options.world == "paper" or spec.fill == "none"):
        return f"{head}\nThis {spec.heading.split()[0]} is not reproduced: {spec.not_because}"
    if options.world == "primer":
        return f"{head}\nneeds: nothing else; Primer's models stand in for the paper's"
    lines = [head, f"status: {needs.status}"]
    if needs.models:
        models = printing.table(
            {
                "model": model.id,
                "memory": f"{model.memory_gb:g} GB" if model.memory_gb else None,
                "here": reason or "can run",
            }
            for model, reason in needs.models
        )
        lines += ["models:", indent(models, "  ")]
    lines.append(f"keys: {', '.join(needs.keys) or 'none'}")
    gpu = "none needed" if needs.gpu_gb is None else f"{needs.gpu_gb:g} GB, one model at a time"
    lines.append(f"GPU memory: {gpu}")
    for each in spec.data:
        place = options.data.get(each.kind)
        here = f"in {place}" if place else f"name it with --data {each.kind}=PATH"
        lines.append(f"data: {each.title}, published at {each.published_at}; {here}")
    if needs.images and not options.images:
        lines.append(f"images: {needs.brought} FOLDER with those of {', '.join(needs.images)}")
    if spec.ratings:
        columns = "item, reply, value" if spec.fill == "replies" else "model, prompt, value"
        lines.append(f"ratings: a table `{columns}` of people (--ratings FILE)")
    lines += [
        f"left empty: {line.name}: {line.not_because}"
        for line in (*spec.rows, *spec.columns)
        if line.not_because
    ]
    return "\n".join(lines)


def _say_costs(sweeps: TableSweeps, job: TableJob) -> int:
    """Say what is still to be made, of all that can be drawn and judged here."""
    for sentence in sweeps.unplanned:
        complain(f"cost: not known yet. {sentence}")
    forecasts = []
    for work in sweeps.works.values():
        if isinstance(work, PlannedSweep):
            forecasts.append(forecast(work, job.services, job.terms, Progress("prompts")))
            continue
        with work.open() as opened:
            preview = preview_images(job.services, opened, work.template, job.terms)
        complain(
            f"To judge with --go: {preview.images.total():,} images,"
            f" {preview.evaluations:,} evaluations. {time_text(preview.totals)}"
            f" {cost_text(preview.totals, job.terms.caps(), 'run')}"
        )
        _say_left_out(preview.unmatched)
    for line in forecasts_lines(forecasts) if forecasts else []:
        complain(line)
    return DONE


def _say_left_out(unmatched: Sequence[UnmatchedFile]) -> None:
    """Say which files of a folder are left out, the first of them by name."""
    for entry in unmatched[:MAX_LISTED_FILES]:
        complain(f"left out: {entry}")
    if len(unmatched) > MAX_LISTED_FILES:
        complain(f"left out: {len(unmatched) - MAX_LISTED_FILES:,} more files.")


def _run(sweeps: TableSweeps, job: TableJob) -> int:
    """Make what is missing, and return the exit code."""
    failed = False
    report = JudgingReport()
    progress = Progress("prompts")
    for sentence in sweeps.unplanned:
        complain(sentence)
    for event in run_sweeps(sweeps, job, complain):
        match event:
            case ItemRefused(prompt, message):
                complain(f"{prompt!r}: {message}")
            case SweepProgress():
                progress(event.over, event.items, seconds_left=event.seconds_left)
            case SweepEnded():
                failed = failed or bool(event.failed) or event.stopped
                if event.notice:
                    complain(event.notice)
            case SweepStarted():
                pass
            case _:
                report.add(event)
    if report.sweep:  # of a folder
        _say_left_out(report.unmatched)
        for message, times in report.faults.items():
            complain(f"failed: {message} ({times:,} times)")
        failed = failed or report.failed
    return _code(job, failed)


def _code(job: TableJob, failed: bool) -> int:
    if job.stop.is_set():
        return INTERRUPTED
    return FAILURES if failed else DONE

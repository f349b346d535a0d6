"""Holds the command that reproduces a table of a paper, and lists the tables that there are.

Exit codes as in `hallascope.cli.main`; Ctrl-C ends it cleanly, twice at once.
"""

import sys
import threading
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated, NamedTuple, cast

import typer

from hallascope.cli.commands.sweep import stopped_by_hand
from hallascope.cli.output import printing
from hallascope.cli.output.forecasts import forecasts_lines
from hallascope.cli.output.printing import TextColumn
from hallascope.cli.terminal import (
    DONE,
    FAILURES,
    INTERRUPTED,
    BudgetOption,
    DayBudgetOption,
    UnpricedOption,
    WordingOption,
    progress,
    say,
)
from hallascope.data.reproduce.paper_tables import PaperTable, ReproducedPaper, read_papers
from hallascope.data.wordings.catalog import OURS
from hallascope.engine.errors import BadRequest
from hallascope.engine.money.budget import SpendingPolicy
from hallascope.engine.reproduce.cells import (
    CellSources,
    ReproducedWorld,
    cell_sources,
    require_world,
    with_judge,
)
from hallascope.engine.reproduce.error_types import error_type_cells, unmade_cells
from hallascope.engine.reproduce.judge_trials import judge_cells, run_judges
from hallascope.engine.reproduce.needs import NeededModel, TableNeeds, find_table, table_needs
from hallascope.engine.reproduce.replies import reply_cells, run_graders
from hallascope.engine.reproduce.reproduction import (
    FilledCells,
    assemble_table,
    counted_cells,
    swept_cells,
)
from hallascope.engine.reproduce.scores import NOTHING_STORED
from hallascope.engine.reproduce.sweeps import (
    ReproduceOptions,
    TableSweeps,
    forecast_sweeps,
    plan_sweeps,
    require_known_data,
    run_sweeps,
)
from hallascope.engine.reproduce.writers import require_format, write_table
from hallascope.engine.services import Services, create_services
from hallascope.engine.sweep.runner import ItemRefused, SweepEnded, SweepProgress

LIST = "list"


class _ListedTable(NamedTuple):
    """Holds a table of the list with its status."""

    paper: ReproducedPaper
    table: PaperTable
    status: str


_LIST_COLUMNS = (
    TextColumn("paper", lambda row: row.paper.name),
    TextColumn("table", lambda row: row.table.name),
    TextColumn("what", lambda row: row.table.title),
    TextColumn("here", lambda row: row.status),
)
_MODEL_COLUMNS = (
    TextColumn("model", lambda model: model.name),
    TextColumn("memory", lambda model: f"{model.memory_gb:g} GB" if model.memory_gb else "-"),
    TextColumn("here", lambda model: model.reason or "can run"),
)


def reproduce(
    paper: Annotated[
        str, typer.Argument(help="A paper by name, or `list`, which shows every table.")
    ],
    table: Annotated[
        str, typer.Argument(help="One of its tables or figures, such as 3 or figure-4.")
    ] = "",
    go: Annotated[
        bool,
        typer.Option("--go", help="Make and judge what is missing; else only say what is needed."),
    ] = False,
    world: Annotated[
        str,
        typer.Option(
            help="paper: its models and prompts; primer: the embedded ones, without key or GPU."
        ),
    ] = "paper",
    data: Annotated[
        list[str] | None,
        typer.Option(
            help="Where a benchmark lies, such as ihalla=FOLDER; may be given several times."
        ),
    ] = None,
    ratings: Annotated[
        Path | None,
        typer.Option(
            help=(
                "What people say: a table `model, prompt, value[, dimension]` on images, or"
                " `item, reply, value` with an optional `model` on replies to HaloQuest's"
                " questions."
            )
        ),
    ] = None,
    sample: Annotated[
        int | None,
        typer.Option(min=1, help="Only so many prompts of each set, drawn by the seed."),
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="Which prompts are drawn.")] = 0,
    trials: Annotated[
        int | None,
        typer.Option(min=1, max=9, help="How often each image is judged (as the paper)."),
    ] = None,
    judge: Annotated[
        str,
        typer.Option(
            help="The model that judges in place of those that were shut down; the table says so."
        ),
    ] = "",
    wording: WordingOption = OURS,
    form: Annotated[
        str, typer.Option("--format", help="How the table is written: text, csv, latex or html.")
    ] = "text",
    out: Annotated[
        Path | None, typer.Option(help="Write the table into this file instead of printing it.")
    ] = None,
    budget: BudgetOption = None,
    budget_day: DayBudgetOption = None,
    unpriced: UnpricedOption = False,
) -> int:
    """Say what a paper's table needs and costs, and print it with our numbers beside its own.

    With --go what is missing is made first; the same command goes on where it was left.
    """
    services = create_services()
    if paper == LIST:
        say(printing.table(_LIST_COLUMNS, _listed_tables(services)))
        return DONE
    require_format(form)
    title, spec = find_table(paper, table)
    options = ReproduceOptions(
        world=cast(ReproducedWorld, world),
        data=_paths(data or []),
        sample=sample,
        seed=seed,
        trials=trials,
        ratings=ratings,
        wording=wording,
        judge=judge,
    )
    require_known_data(spec, options.data)
    require_world(options.world)
    terms = SpendingPolicy(run=budget, day=budget_day, unpriced=unpriced)
    tell = say if form == "text" or out else _complain  # the table alone on standard output
    needs = table_needs(spec, services)
    tell(_needs_text(title, spec, needs, options))
    if spec.fill == "none" or (spec.not_because and options.world == "paper"):
        return DONE
    code, filled = _fill(spec, services, options, terms, go)
    text = write_table(assemble_table(title, spec, filled, options), form)
    if out:
        _write(out, text)
        tell(f"The table is in {out}.")
    else:
        say(f"\n{text.rstrip()}" if form == "text" else text.rstrip())
    return code


def _listed_tables(services: Services) -> list[_ListedTable]:
    return [
        _ListedTable(paper, table, table_needs(table, services).status)
        for paper in read_papers()
        for table in paper.tables
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


def _complain(sentence: str) -> None:
    print(sentence, file=sys.stderr, flush=True)


def _write(path: Path, text: str) -> None:
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise BadRequest(
            f"The table cannot be written into {str(path)!r} ({error}): name another file."
        ) from error


def _fill(
    spec: PaperTable,
    services: Services,
    options: ReproduceOptions,
    terms: SpendingPolicy,
    go: bool,
) -> tuple[int, FilledCells]:
    """Make what is missing where `go` says so, and return the exit code and our numbers."""
    sources = cell_sources(spec, options.world, services)
    notes: tuple[str, ...] = ()
    if options.judge and options.world == "paper":
        sources, notes = with_judge(sources, services, options.judge)
    code, filled = _fill_cells(spec, sources, services, options, terms, go)
    return code, replace(filled, notes=(*notes, *filled.notes))


def _fill_cells(
    spec: PaperTable,
    sources: CellSources,
    services: Services,
    options: ReproduceOptions,
    terms: SpendingPolicy,
    go: bool,
) -> tuple[int, FilledCells]:
    if spec.fill == "counts":
        return DONE, counted_cells(spec, sources, options)
    if spec.fill in ("scores", "correlations"):
        sweeps = plan_sweeps(spec, sources, services, options, terms)
        code = _run(sweeps, services, terms) if go else _say_costs(sweeps, services, terms)
        return code, swept_cells(spec, sweeps, services, options)
    if spec.fill == "judges":
        with stopped_by_hand() as stop:
            trials = (
                run_judges(sources, services, options, terms, stop, _questions_done) if go else {}
            )
        cells = judge_cells(spec, sources, trials, services, options, terms)
        return INTERRUPTED if stop.is_set() else DONE, FilledCells(sources, cells)
    if spec.fill == "replies":
        with stopped_by_hand() as stop:
            replies = run_graders(sources, services, options, terms, stop, go, _replies_done)
        cells = reply_cells(spec, sources, replies, services, options, terms)
        return INTERRUPTED if stop.is_set() else DONE, FilledCells(sources, cells, replies.notes)
    columns = {number: column.name for number, column in enumerate(spec.columns)}
    if go:
        cells = error_type_cells(sources, columns, services, options, _images_done)
    else:
        cells = unmade_cells(sources, NOTHING_STORED)
    return DONE, FilledCells(sources, cells)


def _questions_done(done: int, of: int) -> None:
    progress(done, of, "questions")


def _replies_done(done: int, of: int) -> None:
    progress(done, of, "replies")


def _images_done(done: int, of: int) -> None:
    progress(done, of, "images")


# --- what it needs and costs ---


def _needs_text(title: str, spec: PaperTable, needs: TableNeeds, options: ReproduceOptions) -> str:
    """Return what the table is and needs, in the paper's world or in Primer's."""
    head = f"{title}, {spec.heading}: {spec.title} (section: {spec.section})"
    if needs.not_because and (options.world == "paper" or spec.fill == "none"):
        return f"{head}\nThis {spec.heading.split()[0]} is not reproduced: {needs.not_because}"
    if options.world == "primer":
        return f"{head}\nneeds: nothing that is not here; Primer's models take the paper's places"
    lines = [head, f"status: {needs.status}"]
    if needs.models:
        lines += ["models:", _indented(printing.table(_MODEL_COLUMNS, _by_name(needs.models)))]
    lines.append(f"keys: {', '.join(needs.keys) or 'none'}")
    gpu = "none needed" if needs.gpu_gb is None else f"{needs.gpu_gb:g} GB, one model at a time"
    lines.append(f"GPU memory: {gpu}")
    for each in needs.data:
        place = options.data.get(each.kind)
        here = f"in {place}" if place else f"name it with --data {each.kind}=PATH"
        lines.append(f"data: {each.title}, published at {each.published_at}; {here}")
    for name in needs.stored:
        lines.append(f"images: those that are stored under the name {name!r}; bring them yourself")
    if needs.ratings:
        columns = "item, reply, value" if spec.fill == "replies" else "model, prompt, value"
        lines.append(f"ratings: a table `{columns}` of people (--ratings FILE)")
    lines += [f"left empty: {sentence}" for sentence in needs.blank]
    return "\n".join(lines)


def _by_name(models: Sequence[NeededModel]) -> list[NeededModel]:
    return sorted(models, key=lambda model: model.name)


def _indented(text: str) -> str:
    return "\n".join(f"  {line}" for line in text.splitlines())


def _say_costs(sweeps: TableSweeps, services: Services, terms: SpendingPolicy) -> int:
    """Say what is still to be made, of all that can be drawn and judged here."""
    forecasts = forecast_sweeps(sweeps, services, terms, progress)
    for sentence in sweeps.unplanned:
        _complain(f"cost: not known yet. {sentence}")
    if not forecasts:
        return DONE
    for line in forecasts_lines(forecasts):
        _complain(line)
    return DONE


def _run(sweeps: TableSweeps, services: Services, terms: SpendingPolicy) -> int:
    """Make what is missing, and return the exit code."""
    failed = False
    for sentence in sweeps.unplanned:
        _complain(sentence)
    with stopped_by_hand() as stop:
        for event in run_sweeps(sweeps, services, terms, stop, _complain):
            match event:
                case ItemRefused(prompt, message):
                    _complain(f"{prompt!r}: {message}")
                case SweepProgress():
                    progress(event.over, event.items)
                case SweepEnded():
                    failed = failed or bool(event.failed) or event.stopped
                    if event.notice:
                        _complain(event.notice)
                case _:
                    pass
        return _code(stop, failed)


def _code(stop: threading.Event, failed: bool) -> int:
    if stop.is_set():
        return INTERRUPTED
    return FAILURES if failed else DONE

"""Fills a table of a paper in a world, from what is stored."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from hallascope.data.reproduce.paper_tables import PaperTable, PublishedCell, published_cell
from hallascope.data.wordings.catalog import OURS
from hallascope.engine.reproduce.cells import HUMAN, CellSource, CellSources
from hallascope.engine.reproduce.correlations import (
    RatingsByDimension,
    correlation_cell,
    primer_ratings,
    ratings_of_cell,
    read_image_ratings,
)
from hallascope.engine.reproduce.counts import (
    NO_BENCHMARK,
    NO_CATEGORY,
    BenchmarkPrompt,
    benchmark_prompts,
    count_benchmark,
    prompts_of,
)
from hallascope.engine.reproduce.haloquest_counts import count_haloquest
from hallascope.engine.reproduce.results import OurCell, ReproducedCell, ReproducedTable
from hallascope.engine.reproduce.scores import score_cell
from hallascope.engine.reproduce.sweeps import ReproduceOptions, TableSweeps, arrangement_of
from hallascope.engine.services import Services

PRIMER_NOTE = (
    "Primer's models and prompts stand in place of the paper's: these numbers show the layout and"
    " compare with no published number."
)


@dataclass(frozen=True)
class FilledCells:
    """Holds our number of each cell, what the cell measures, and sentences about the data."""

    sources: CellSources
    cells: Mapping[tuple[int, int], OurCell]
    notes: tuple[str, ...] = ()


def assemble_table(
    paper: str,
    table: PaperTable,
    filled: FilledCells,
    options: ReproduceOptions,
) -> ReproducedTable:
    """Return the table of our numbers, with the published ones beside them in the paper's world."""
    notes = [*table.notes, *filled.notes]
    stand_ins: Mapping[str, str] = {}
    published: Mapping[tuple[int, int], PublishedCell] = {}
    if options.world == "primer":
        stand_ins = _stand_ins(table, filled.sources)
        notes = [PRIMER_NOTE, *filled.notes]
    else:
        published = {
            (i, j): published_cell(table, row, column)
            for i, row in enumerate(table.rows)
            for j, column in enumerate(table.columns)
        }
    if options.wording != OURS:
        notes.append(f"Models were sent the wording {Path(options.wording).name}.")
    ours = filled.cells
    if left_out := sum(cell.left_out for cell in ours.values()):
        notes.append(f"{left_out:,} answers are missing and left out of our numbers.")
    return ReproducedTable(
        paper=paper,
        table=table,
        world=options.world,
        cells={
            place: ReproducedCell(ours=cell, published=published.get(place, PublishedCell()))
            for place, cell in ours.items()
        },
        stand_ins=stand_ins,
        notes=(*notes, *_reasons(ours)),
    )


def counted_cells(
    table: PaperTable, sources: CellSources, options: ReproduceOptions
) -> FilledCells:
    """Return our numbers of a table that counts a benchmark. Raises BadRequest."""
    if "haloquest" in table.parts.values():
        return FilledCells(sources, count_haloquest(sources, options))
    return FilledCells(sources, count_benchmark(sources, options))


def swept_cells(
    table: PaperTable, sweeps: TableSweeps, services: Services, options: ReproduceOptions
) -> FilledCells:
    """Return our numbers of a table of scores or correlations, from what is stored.

    Raises BadRequest, StoreError.
    """
    store = services.store
    ratings: RatingsByDimension = {}
    notes: list[str] = []
    if table.fill == "correlations":
        if options.world == "primer":
            ids = [each.id for each in sweeps.planned.values()]
            ratings = {"": primer_ratings(store, ids)}
        elif options.ratings:
            ratings, complaints = read_image_ratings(options.ratings, table)
            notes += map(str, complaints)
    # in the Primer world the store knows the categories of prompts
    by_file = options.world == "paper" and "ihalla" in table.parts.values()
    prompts = benchmark_prompts(options) if by_file else None
    cells: dict[tuple[int, int], OurCell] = {}
    for place, source in sweeps.sources.items():
        planned = sweeps.planned.get(arrangement_of(source))
        if source.reason:
            cells[place] = OurCell(reason=source.reason)
        elif planned is None and not source.stored and source.metric != HUMAN:
            cells[place] = OurCell(reason=" ".join(sweeps.unplanned))
        else:
            runs = [planned.id] if planned else []
            narrow = source if prompts is None else _by_prompts(source, prompts)
            if narrow.reason:
                cells[place] = OurCell(reason=narrow.reason)
            elif table.fill == "correlations":
                own = ratings_of_cell(ratings, source)
                cells[place] = correlation_cell(store, table, narrow, runs, own)
            else:
                cells[place] = score_cell(store, table, narrow, runs)
    return FilledCells(sweeps.sources, cells, tuple(notes))


def _by_prompts(source: CellSource, prompts: list[BenchmarkPrompt]) -> CellSource:
    """Return the source with the prompts of its categories, as the benchmark's files say."""
    if not source.categories:
        return source
    if not prompts:
        return replace(source, reason=NO_BENCHMARK)
    own = prompts_of(source, prompts)
    if own is None:
        return replace(source, reason=NO_CATEGORY)
    if not own:
        return replace(source, reason="The benchmark's files hold no prompt of it.")
    return replace(source, categories=(), prompts=tuple(each.prompt for each in own))


def _stand_ins(table: PaperTable, sources: Mapping[tuple[int, int], CellSource]) -> dict[str, str]:
    """Return Primer's model, or models, by the name of a row or column that differs by them."""
    names: dict[str, str] = {}
    for (i, j), source in sources.items():
        if source.reason:
            continue
        for line in (table.rows[i], table.columns[j]):
            label = f"{line.group}: {line.name}" if line.group else line.name
            if source.models and line.model:
                names[label] = source.models[0]
            for role in line.roles:
                if stand_in := source.roles.get(role):
                    names[label] = f"{role} {stand_in}"
    return names


def _reasons(cells: Mapping[tuple[int, int], OurCell]) -> list[str]:
    """Return why cells are empty, each reason once."""
    reasons = dict.fromkeys(cell.reason for cell in cells.values() if cell.reason)
    return [f"Empty cells: {reason}" for reason in reasons]

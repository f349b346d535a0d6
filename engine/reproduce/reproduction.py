"""Fills a table of a paper in a world, from what is stored."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from hallascope.data.benchmarks.ihalla import IHallaPrompt
from hallascope.data.records import protocol_text, version_protocol
from hallascope.data.reproduce.paper_tables import PaperTable, PublishedCell, published_cell
from hallascope.data.wordings.catalog import WORDINGS, wordings_of
from hallascope.data.wordings.packs import WordingPack
from hallascope.engine.leaderboard import queries
from hallascope.engine.leaderboard.filters import Query
from hallascope.engine.reproduce.benchmarks import (
    NO_BENCHMARK,
    NO_CATEGORY,
    benchmark_prompts,
    count_cells,
    grader_of,
    prompts_of,
)
from hallascope.engine.reproduce.scores import (
    RatingsByDimension,
    cell_filters,
    correlation_cell,
    primer_ratings,
    read_image_ratings,
    score_cell,
)
from hallascope.engine.reproduce.sweeps import TableJob, TableSweeps, arrangement_of
from hallascope.engine.reproduce.tables import (
    HUMAN,
    CellSource,
    CellSources,
    OurCell,
    OurCells,
    ReproducedTable,
    fill_cells,
)
from hallascope.engine.storage.store import Store
from hallascope.metrics.deviations import deviations_of
from hallascope.metrics.haloquest.auto_eval import AUTO_EVALS
from hallascope.metrics.haloquest.plan import NAME as HALOQUEST

PRIMER_NOTE = (
    "Primer's models and prompts stand in place of the paper's: these numbers show the layout and"
    " compare with no published number."
)


@dataclass(frozen=True)
class FilledCells:
    """Holds our number of each cell, what the cell measures, and sentences about the data."""

    sources: CellSources
    cells: OurCells
    notes: tuple[str, ...] = ()


def assemble_table(paper: str, filled: FilledCells, job: TableJob) -> ReproducedTable:
    """Return the table of our numbers, with the published ones beside them in the paper's world.

    Raises BadRequest where there is no such wording.
    """
    table, services, options = job.table, job.services, job.options
    pack = services.wording_pack(options.wording)
    cells = {
        place: replace(
            ours,
            published=PublishedCell()
            if options.world == "primer"
            else published_cell(table, table.rows[place[0]], table.columns[place[1]]),
            stand_ins=filled.sources[place].stand_ins,
            wording=_cell_wording(table, filled.sources[place], pack),
        )
        for place, ours in filled.cells.items()
    }
    notes = [PRIMER_NOTE] if options.world == "primer" else list(table.notes)
    return ReproducedTable(
        paper=paper,
        table=table,
        world=options.world,
        cells=cells,
        notes=(*notes, *filled.notes, *_conditions(table, filled.sources, cells), *_gaps(cells)),
    )


def _conditions(
    table: PaperTable,
    sources: CellSources,
    cells: OurCells,
) -> Iterator[str]:
    """Yield the wordings, the protocols, the stand-ins and the deviations from the paper."""
    metrics = {place: _cell_metric(table, source) for place, source in sources.items()}
    asked = [(metrics[place], cell.wording, cell.protocol) for place, cell in cells.items()]
    for metric, wording, protocol in dict.fromkeys(asked):
        if wording or protocol:
            judged = f" Protocol of the judge: {protocol_text(protocol)}." if protocol else ""
            yield f"Wording of {metric}: {wording or 'none is sent'}.{judged}"
    stand_ins = dict.fromkeys(
        f"{own} for {theirs}" for cell in cells.values() for theirs, own in cell.stand_ins.items()
    )
    if stand_ins:
        yield f"Stand-ins: {'; '.join(stand_ins)}."
    for metric in dict.fromkeys(metrics.values()):
        for each in deviations_of(metric):
            yield (
                f"Deviation of {metric}. Paper: {each.paper} Here: {each.ours} Why: {each.why}"
                f" Matters: {each.matters}"
            )


def _gaps(cells: OurCells) -> Iterator[str]:
    """Yield how many answers are missing, and why cells are empty, each reason once."""
    if left_out := sum(cell.left_out for cell in cells.values()):
        yield f"{left_out:,} answers are missing and left out of our numbers."
    for reason in dict.fromkeys(cell.reason for cell in cells.values() if cell.reason):
        yield f"Empty cells: {reason}"


def counted_cells(job: TableJob) -> FilledCells:
    """Return our numbers of a table that counts a benchmark. Raises BadRequest."""
    return FilledCells(job.sources, count_cells(job))


def swept_cells(sweeps: TableSweeps, job: TableJob) -> FilledCells:
    """Return our numbers of a table of scores or correlations, from what is stored.

    Raises BadRequest, StoreError.
    """
    table, options, store = job.table, job.options, job.services.store
    ratings: RatingsByDimension = {}
    notes: list[str] = []
    if table.fill == "correlations":
        if options.world == "primer":
            ids = [each.id for each in sweeps.works.values()]
            ratings = primer_ratings(store, ids)
        elif options.ratings:
            ratings, complaints = read_image_ratings(options.ratings, table)
            notes += map(str, complaints)
    # in the Primer world the store knows the categories of prompts
    by_file = options.world == "paper" and "ihalla" in table.parts.values()
    prompts = benchmark_prompts(options) if by_file else None

    def measure(source: CellSource) -> OurCell:
        work = sweeps.works.get(arrangement_of(source))
        if work is None and source.metric != HUMAN:
            return OurCell(reason=" ".join(sweeps.unplanned))
        runs = [work.id] if work else []
        if table.fill == "correlations":
            own = ratings.get(source.rating) or ratings.get("", {})  # of one dimension, or the only
            cell = correlation_cell(store, table, source, runs, own)
        else:
            cell = score_cell(store, table, source, runs)
        return replace(cell, protocol=_stored_protocol(store, source, runs))

    sources = {place: _by_prompts(source, prompts) for place, source in sweeps.sources.items()}
    return FilledCells(sweeps.sources, fill_cells(sources, measure), tuple(notes))


def _by_prompts(source: CellSource, prompts: Sequence[IHallaPrompt] | None) -> CellSource:
    """Return the source with the prompts of its categories, as the benchmark's files say."""
    if prompts is None or source.not_because or not source.categories:
        return source
    if not prompts:
        return replace(source, not_because=NO_BENCHMARK)
    own = prompts_of(source, prompts)
    if own is None:
        return replace(source, not_because=NO_CATEGORY)
    if not own:
        return replace(source, not_because="The benchmark's files hold no prompt of it.")
    return replace(source, categories=(), prompts=tuple(each.prompt for each in own))


# --- the conditions of a cell: which texts are sent, how a judge answers


def _cell_metric(table: PaperTable, source: CellSource) -> str:
    """Return the metric of a cell by name; "" of a cell that counts a benchmark."""
    return HALOQUEST if table.fill in ("judges", "replies") else source.metric


def _cell_wording(table: PaperTable, source: CellSource, pack: WordingPack | None) -> str:
    """Return which texts the models of a cell are sent: those of the pack, and ours where none.

    `pack` None: ours alone. "" where no text of a wording is sent.
    """
    receivers = {str(role) for role in source.roles}
    if "writer" in receivers:
        receivers.add("grader")
    names = wordings_of(_cell_metric(table, source))
    if table.fill == "replies":
        grader = grader_of(source)
        names = (AUTO_EVALS[grader[1]].template,) if grader else ()
    sent = [name for name in names if WORDINGS[name].sent_to in receivers]
    texts = pack.texts if pack else {}
    own = [name for name in sent if name in texts]
    ours = [name for name in sent if name not in texts]
    parts = []
    if pack and own:
        parts.append(f"{pack.name} ({', '.join(own)})")
    if ours:
        reason = f"; {pack.name} has none" if pack else ""
        parts.append(f"ours ({', '.join(ours)}{reason})")
    return ", ".join(parts)


def _stored_protocol(store: Store, source: CellSource, runs: Sequence[str]) -> str:
    """Return the protocol of a cell's stored evaluations, as `Report.protocol`; "" without any."""
    query = Query(source.metric, source.score, filters=cell_filters(source, runs))
    instruments = queries.read_instruments(store, query)
    shown = queries.select_instruments(query, instruments)[:1]
    return "".join(version_protocol(each.version) for each in instruments if each.key in shown)

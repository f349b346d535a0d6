"""Every table that can be filled runs in the Primer world: same specification, embedded models."""

from collections.abc import Iterator
from dataclasses import replace
from threading import Event
from typing import Any

import pytest

from hallascope.data.models.specs import read_models
from hallascope.data.reproduce.paper_tables import PaperTable, read_papers
from hallascope.engine.money.budget import SpendingPolicy
from hallascope.engine.reproduce.cells import CellSources, cell_sources
from hallascope.engine.reproduce.error_types import error_type_cells
from hallascope.engine.reproduce.judge_trials import judge_cells, run_judges
from hallascope.engine.reproduce.replies import reply_cells, run_graders
from hallascope.engine.reproduce.reproduction import (
    PRIMER_NOTE,
    FilledCells,
    assemble_table,
    counted_cells,
    swept_cells,
)
from hallascope.engine.reproduce.sweeps import ReproduceOptions, plan_sweeps, run_sweeps
from hallascope.engine.reproduce.writers import WRITERS, write_table
from hallascope.engine.services import Services
from hallascope.engine.storage.store import Store

TABLES = {
    f"{paper.name} {table.name}": table
    for paper in read_papers()
    for table in paper.tables
    if table.fill != "none"
}
SWEPT = [name for name, table in TABLES.items() if table.fill in ("scores", "correlations")]
JUDGED = [name for name, table in TABLES.items() if table.fill == "judges"]
OPTIONS = ReproduceOptions(world="primer", data={}, sample=2, trials=1)
TERMS = SpendingPolicy()


@pytest.fixture(scope="module")
def services(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Services]:
    """One store for all tables, so that what several of them need is made once."""
    store = Store(folder=tmp_path_factory.mktemp("reproduce"))
    yield Services(store, read_models())
    store.close()


def sources_of(table: PaperTable, services: Services) -> CellSources:
    return cell_sources(table, "primer", services)


def values(filled: FilledCells) -> list[float]:
    return [cell.value for cell in filled.cells.values() if cell.value is not None]


def require_layout(table: PaperTable, filled: FilledCells) -> None:
    """Every format has every row and column; nothing published stands beside Primer's numbers."""
    result = assemble_table("Paper", table, filled, OPTIONS)
    assert len(result.cells) == len(table.rows) * len(table.columns)
    assert all(cell.published.value is None for cell in result.cells.values())
    assert all(cell.difference is None for cell in result.cells.values())
    assert result.notes[0] == PRIMER_NOTE
    for name in WRITERS:
        assert write_table(result, name).endswith("\n")
    text = write_table(result, "text")
    assert all(row.name in text for row in table.rows)
    assert all(column.name in text for column in table.columns)


@pytest.mark.parametrize("name", SWEPT)
def test_a_table_of_images_is_filled_with_primers_models(name: str, services: Services) -> None:
    table = TABLES[name]
    sweeps = plan_sweeps(table, sources_of(table, services), services, OPTIONS, TERMS)
    assert not sweeps.unplanned
    for _ in run_sweeps(sweeps, services, TERMS, Event(), lambda message: None):
        pass
    filled = swept_cells(table, sweeps, services, OPTIONS)
    # a correlation needs images that differ, of which there may be too few
    assert values(filled) or table.fill == "correlations"
    assert all(cell.value is not None or cell.reason for cell in filled.cells.values())
    bounds = {"share": (-1.0, 2.5), "percent": (0.0, 100.0), "count": (0.0, 1e9)}[table.unit]
    assert all(bounds[0] <= value <= bounds[1] for value in values(filled))
    require_layout(table, filled)


@pytest.mark.parametrize("name", [name for name in TABLES if TABLES[name].fill == "counts"])
def test_a_table_of_sizes_counts_primers_prompts(name: str, services: Services) -> None:
    filled = counted_cells(TABLES[name], sources_of(TABLES[name], services), OPTIONS)
    if name == "ihalla 2":
        assert sum(values(filled)) == 10  # five questions for each of two prompts
    require_layout(TABLES[name], filled)


def test_the_tables_of_judges_share_one_trial(services: Services) -> None:
    first = TABLES[JUDGED[0]]
    trials = run_judges(
        sources_of(first, services), services, OPTIONS, TERMS, Event(), lambda done, of: None
    )
    assert "primer/judge" in trials
    for name in JUDGED:
        sources = sources_of(TABLES[name], services)
        cells = judge_cells(TABLES[name], sources, trials, services, OPTIONS, TERMS)
        filled = FilledCells(sources, cells)
        assert values(filled)
        require_layout(TABLES[name], filled)


@pytest.mark.parametrize("name", [name for name in TABLES if TABLES[name].fill == "replies"])
def test_a_table_of_replies_compares_the_embedded_judge_s(name: str, services: Services) -> None:
    table = TABLES[name]
    sources = sources_of(table, services)
    options = replace(OPTIONS, sample=9)
    trials = run_graders(sources, services, options, TERMS, Event(), True, lambda done, of: None)
    filled = FilledCells(sources, reply_cells(table, sources, trials, services, options, TERMS))
    assert values(filled)
    require_layout(table, filled)


def test_types_of_error_are_counted_where_every_error_is_known(services: Services) -> None:
    table = TABLES["scene-graph 2"]
    columns = {number: column.name for number, column in enumerate(table.columns)}
    sources: Any = {
        place: source
        for place, source in sources_of(table, services).items()
        if source.reason or source.roles["judge"] == "primer/judge"
    }
    cells = error_type_cells(sources, columns, services, OPTIONS, lambda done, of: None)
    assert {cell.value for cell in cells.values()} - {None}
    assert all(0 <= cell.value <= 1 for cell in cells.values() if cell.value is not None)

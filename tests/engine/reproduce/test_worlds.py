"""Every table that can be filled runs in the Primer world, and every format holds the same
numbers.
"""

import csv
import io
import re
from collections.abc import Iterator
from dataclasses import replace
from html.parser import HTMLParser
from threading import Event
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hallascope.data.models.specs import read_models
from hallascope.data.reproduce.paper_tables import PaperLine, PaperTable, PublishedCell, read_papers
from hallascope.engine.money.budget import SpendingPolicy
from hallascope.engine.reproduce.cells import CellSources, ReproducedWorld, cell_sources
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
from hallascope.engine.reproduce.results import OurCell, ReproducedCell, ReproducedTable
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


@pytest.mark.full
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


@pytest.mark.full
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


@pytest.mark.full
@pytest.mark.parametrize("name", [name for name in TABLES if TABLES[name].fill == "replies"])
def test_a_table_of_replies_compares_the_embedded_judge_s(name: str, services: Services) -> None:
    table = TABLES[name]
    sources = sources_of(table, services)
    options = replace(OPTIONS, sample=9)
    trials = run_graders(sources, services, options, TERMS, Event(), True, lambda done, of: None)
    filled = FilledCells(sources, reply_cells(table, sources, trials, services, options, TERMS))
    assert values(filled)
    require_layout(table, filled)


@pytest.mark.full
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


def small_table(
    row: str = "SD v1.4",
    column: str = "Science",
    note: str = "A note.",
    ours: float | None = 0.401,
    world: ReproducedWorld = "paper",
) -> ReproducedTable:
    """Return a table of one row and two columns, of which the second has no number of ours."""
    spec = PaperTable(
        name="3",
        title="Scores",
        section="Results",
        fill="scores",
        rows=(PaperLine(name=row),),
        columns=(
            PaperLine(name=column, group="I-HallA Score"),
            PaperLine(name="History", group="I-HallA Score"),
        ),
    )
    published = PublishedCell(0.353, 0.002) if world == "paper" else PublishedCell()
    first = OurCell(value=ours, deviation=None if ours is None else 0.01, n=100, trials=3)
    return ReproducedTable(
        paper="I-HallA",
        table=spec,
        world=world,
        cells={
            (0, 0): ReproducedCell(ours=first, published=published),
            (0, 1): ReproducedCell(ours=OurCell(reason="No key."), published=PublishedCell(0.535)),
        },
        notes=(note,),
    )


HOSTILE = "<script>alert(1)</script> & 100 % _of_ $them$ \\input{x}"
LINE = st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cs"]), min_size=1)


def test_text_has_ours_the_published_number_and_the_difference_in_three_lines() -> None:
    lines = write_table(small_table(), "text").splitlines()
    assert lines == [
        "I-HallA, table 3: Scores (from 0 to 1; mean ± standard deviation over trials)",
        "",
        "                     I-HallA Score",
        "                     Science        History",
        "SD v1.4  ours        0.401 ± 0.010  -",
        "         published   0.353 ± 0.002  0.535",
        "         difference  +0.048         -",
        "",
        "A note.",
    ]


def test_csv_has_one_line_a_cell_with_the_reason_of_an_empty_one() -> None:
    rows = list(csv.DictReader(io.StringIO(write_table(small_table(), "csv"))))
    assert [row["column"] for row in rows] == ["Science", "History"]
    assert float(rows[0]["difference"]) == pytest.approx(0.048)
    assert (rows[0]["n"], rows[0]["trials"], rows[0]["published_deviation"]) == (
        "100",
        "3",
        "0.002",
    )
    assert (rows[1]["ours"], rows[1]["published"], rows[1]["reason"]) == ("", "0.535", "No key.")


class _Texts(HTMLParser):
    """Gathers the texts of a page and the names of its elements."""

    def __init__(self) -> None:
        super().__init__()
        self.texts: list[str] = []
        self.names: set[str] = set()

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.names.add(tag)

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


@given(row=LINE, note=LINE)
def test_html_shows_every_text_as_it_stands(row: str, note: str) -> None:
    page = _Texts()
    page.feed(write_table(small_table(row=row, note=note), "html"))
    page.close()
    everything = "".join(page.texts)
    assert row in everything
    assert note in everything
    assert "script" not in page.names


def test_latex_escapes_a_hostile_name_and_keeps_numbers_in_math() -> None:
    text = write_table(small_table(row=HOSTILE, note=HOSTILE), "latex")
    assert "\\input" not in text
    assert r"100 \% \_of\_ \$them\$" in text
    assert r"$0.401 \pm 0.010$" in text
    assert r"\multicolumn{2}{c}{I-HallA Score}" in text
    tabular = text.partition(r"\midrule")[2].partition(r"\bottomrule")[0]
    rows = [line for line in tabular.splitlines() if line.endswith(r"\\")]
    assert [len(re.findall(r"(?<!\\)&", row)) for row in rows] == [3, 3, 3]

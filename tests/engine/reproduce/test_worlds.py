"""Every table that can be filled runs in the Primer world, and every format holds the same
numbers.
"""

import csv
import html
import io
import re
from collections.abc import Iterator
from dataclasses import replace
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hallascope.data.models.specs import read_models
from hallascope.data.reproduce.paper_tables import PaperLine, PaperTable, PublishedCell, read_papers
from hallascope.engine.reproduce.benchmarks import (
    error_type_cells,
    judge_cells,
    reply_cells,
    run_graders,
    run_judges,
)
from hallascope.engine.reproduce.reproduction import (
    PRIMER_NOTE,
    FilledCells,
    assemble_table,
    counted_cells,
    swept_cells,
)
from hallascope.engine.reproduce.sweeps import ReproduceOptions, TableJob, plan_sweeps, run_sweeps
from hallascope.engine.reproduce.tables import (
    OurCell,
    ReproducedTable,
    ReproducedWorld,
    cell_sources,
)
from hallascope.engine.reproduce.writers import WRITERS, TableFormat
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


@pytest.fixture(scope="module")
def services(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Services]:
    """One store for all tables, so that what several of them need is made once."""
    store = Store(folder=tmp_path_factory.mktemp("reproduce"))
    yield Services(store, read_models())
    store.close()


def job_of(table: PaperTable, services: Services, options: ReproduceOptions = OPTIONS) -> TableJob:
    sources = cell_sources(table, "primer", services)
    return TableJob(table=table, sources=sources, services=services, options=options)


def values(filled: FilledCells) -> list[float]:
    return [cell.value for cell in filled.cells.values() if cell.value is not None]


def require_layout(filled: FilledCells, job: TableJob) -> None:
    """Every format has every row and column; nothing published stands beside Primer's numbers."""
    table = job.table
    result = assemble_table("Paper", filled, job)
    assert len(result.cells) == len(table.rows) * len(table.columns)
    assert all(cell.published.value is None for cell in result.cells.values())
    assert all(cell.difference is None for cell in result.cells.values())
    assert result.notes[0] == PRIMER_NOTE
    for name in WRITERS:
        written = WRITERS[name](result)
        assert written.endswith("\n")
        assert all(cell.value is None or f"{cell.n:,}" in written for cell in result.cells.values())
    text = WRITERS["text"](result)
    assert all(row.name in text for row in table.rows)
    assert all(column.name in text for column in table.columns)


@pytest.mark.full
@pytest.mark.parametrize("name", SWEPT)
def test_a_table_of_images_is_filled_with_primers_models(name: str, services: Services) -> None:
    table = TABLES[name]
    job = job_of(table, services)
    sweeps = plan_sweeps(job)
    assert not sweeps.unplanned
    for _ in run_sweeps(sweeps, job, lambda message: None):
        pass
    filled = swept_cells(sweeps, job)
    # a correlation needs images that differ, of which there may be too few
    assert values(filled) or table.fill == "correlations"
    assert all(cell.value is not None or cell.reason for cell in filled.cells.values())
    bounds = {"share": (-1.0, 2.5), "percent": (0.0, 100.0), "count": (0.0, 1e9)}[table.unit]
    assert all(bounds[0] <= value <= bounds[1] for value in values(filled))
    require_layout(filled, job)


@pytest.mark.parametrize("name", [name for name in TABLES if TABLES[name].fill == "counts"])
def test_a_table_of_sizes_counts_primers_prompts(name: str, services: Services) -> None:
    job = job_of(TABLES[name], services)
    filled = counted_cells(job)
    if name == "ihalla 2":
        assert sum(values(filled)) == 10  # five questions for each of two prompts
    require_layout(filled, job)


@pytest.mark.full
def test_the_tables_of_judges_share_one_trial(services: Services) -> None:
    first = job_of(TABLES[JUDGED[0]], services)
    trials = run_judges(first, lambda done, of: None)
    assert "primer/judge" in trials
    for name in JUDGED:
        job = job_of(TABLES[name], services)
        filled = FilledCells(job.sources, judge_cells(job, trials))
        assert values(filled)
        require_layout(filled, job)


@pytest.mark.full
@pytest.mark.parametrize("name", [name for name in TABLES if TABLES[name].fill == "replies"])
def test_a_table_of_replies_compares_the_embedded_judge_s(name: str, services: Services) -> None:
    job = job_of(TABLES[name], services, replace(OPTIONS, sample=9))
    trials = run_graders(job, True, lambda done, of: None)
    filled = FilledCells(job.sources, reply_cells(job, trials))
    assert values(filled)
    require_layout(filled, job)


@pytest.mark.full
def test_types_of_error_are_counted_where_every_error_is_known(services: Services) -> None:
    job = job_of(TABLES["scene-graph 2"], services)
    cells = error_type_cells(job, lambda done, of: None)
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
        rows=(PaperLine(name=row, model="sd-v1.4"),),
        columns=(
            PaperLine(name=column, group="I-HallA Score"),
            PaperLine(name="History", group="I-HallA Score"),
        ),
    )
    published = PublishedCell(0.353, 0.002) if world == "paper" else PublishedCell()
    deviation = None if ours is None else 0.01
    first = OurCell(value=ours, deviation=deviation, n=100, trials=3, left_out=2)
    return ReproducedTable(
        paper="I-HallA",
        table=spec,
        world=world,
        cells={
            (0, 0): replace(
                first,
                published=published,
                stand_ins={"sd-v1.4": "primer/exact"} if world == "primer" else {},
                wording="ours (ihalla_ask)",
            ),
            (0, 1): OurCell(reason="No key.", published=PublishedCell(0.535)),
        },
        notes=(note,),
    )


HOSTILE = "<script>alert(1)</script> & 100 % _of_ $them$ \\input{x}"


def test_text_has_ours_the_published_number_and_the_difference_in_three_lines() -> None:
    lines = WRITERS["text"](small_table()).splitlines()
    assert lines == [
        "I-HallA, table 3: Scores (from 0 to 1; mean ± standard deviation over trials)",
        "",
        "                   I-HallA Score",
        "                   Science                              History",
        "SD v1.4 ours        0.401 ± 0.010 (n = 100, 2 left out)  -",
        "        published   0.353 ± 0.002                        0.535",
        "        difference  +0.048                               -",
        "",
        "A note.",
    ]


@pytest.mark.parametrize("form", WRITERS)
def test_every_format_names_a_stand_in_and_how_many_are_counted(form: TableFormat) -> None:
    written = WRITERS[form](small_table(world="primer"))
    shown = "primer/exact for sd-v1.4" if form == "csv" else "SD v1.4 (primer/exact in its place)"
    assert shown in written
    assert (",100,3,2," if form == "csv" else "(n = 100, 2 left out)") in written


def test_csv_has_one_line_a_cell_with_the_reason_of_an_empty_one() -> None:
    rows = list(csv.DictReader(io.StringIO(WRITERS["csv"](small_table()))))
    assert [row["column"] for row in rows] == ["Science", "History"]
    assert float(rows[0]["difference"]) == pytest.approx(0.048)
    assert (rows[0]["n"], rows[0]["trials"], rows[0]["published_deviation"]) == (
        "100",
        "3",
        "0.002",
    )
    assert (rows[1]["ours"], rows[1]["published"], rows[1]["reason"]) == ("", "0.535", "No key.")


def test_a_hostile_name_is_text_in_latex_and_html() -> None:
    table = small_table(row=HOSTILE, note=HOSTILE)
    text = WRITERS["latex"](table)
    assert "\\input" not in text
    assert r"100 \% \_of\_ \$them\$" in text
    assert r"$0.401 \pm 0.010$" in text
    tabular = text.partition(r"\midrule")[2].partition(r"\bottomrule")[0]
    rows = [line for line in tabular.splitlines() if line.endswith(r"\\")]
    assert [len(re.findall(r"(?<!\\)&", row)) for row in rows] == [3, 3, 3]
    page = WRITERS["html"](table)
    assert page.count(html.escape(HOSTILE)) == 2
    assert "<script" not in page


LINE = st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cs"]), min_size=1)


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
    page.feed(WRITERS["html"](small_table(row=row, note=note)))
    page.close()
    everything = "".join(page.texts)
    assert row.strip() in everything, "whitespace around a name is none of it"
    assert note in everything
    assert "script" not in page.names

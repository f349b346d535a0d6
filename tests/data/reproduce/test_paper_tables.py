"""The specifications of the papers' tables name only what the published tables hold."""

import csv
from pathlib import Path

import pytest

from hallascope.data.models.specs import find, read_models
from hallascope.data.reproduce.paper_tables import (
    PUBLISHED,
    PaperLine,
    PaperTable,
    PublishedCellMissing,
    published_cell,
    read_paper,
    read_papers,
)
from hallascope.data.yaml_file import BadYaml

TABLES = [(paper.name, table) for paper in read_papers() for table in paper.tables]
WITH_NUMBERS = [(paper, table) for paper, table in TABLES if table.published]
IDS = [f"{paper} {table.name}" for paper, table in TABLES]


def lines(table: PaperTable) -> tuple[PaperLine, ...]:
    return (*table.rows, *table.columns)


def test_every_table_that_the_project_promises_is_there() -> None:
    names: dict[str, set[str]] = {}
    for paper, table in TABLES:
        names.setdefault(paper, set()).add(table.name)
    assert names == {
        "ihalla": {"1", "2", "3", "4", "figure-4", "figure-5", "figure-6"},
        "fig": {"1", "2", "3", "4"},
        "scene-graph": {"1", "2", "3"},
        "factualbench": {"3", "4", "figure-5"},
        "haloquest": {"splits", "3", "4", "5", "7", "8", "figure-3"},
    }


@pytest.mark.parametrize(("paper", "table"), TABLES, ids=IDS)
def test_every_cell_is_found_in_the_published_table(paper: str, table: PaperTable) -> None:
    cells = [published_cell(table, row, column) for row in table.rows for column in table.columns]
    assert len(cells) == len(table.rows) * len(table.columns)
    if table.published:
        assert any(cell.value is not None for cell in cells)


def test_no_published_number_is_named_by_two_cells_or_by_none() -> None:
    """All files of published tables but the derived deltas are used, each number exactly once."""
    used: dict[str, int] = {}
    for _, table in WITH_NUMBERS:
        cells = [
            published_cell(table, row, column) for row in table.rows for column in table.columns
        ]
        count = sum(cell.value is not None for cell in cells)
        used[table.published] = used.get(table.published, 0) + count
    names_not_numbers = {
        "ihalla_categories.csv": 72,
        "ihalla_coi_counts.csv": 18,
        "ihalla_scores.csv": 60,
        "ihalla_figure4.csv": 135,
        "ihalla_human_agreement.csv": 3,
        "fig_scores.csv": 132,
        "scene_graph_scores.csv": 39,
        "scene_graph_error_f1.csv": 14,
        "scene_graph_caption_ablation.csv": 12,
        "factualbench_scores.csv": 66,
        "factualbench_agreement.csv": 18,
        "factualbench_skcm_by_domain.csv": 87,
        "haloquest_leaderboard.csv": 192,
        "haloquest_splits.csv": 18,
    }
    assert used == names_not_numbers
    files = {file.name for file in PUBLISHED.glob("*.csv")} - {"factualbench_deltas.csv"}
    assert set(used) == files


def test_a_published_table_of_scores_gives_the_very_digits_of_the_paper() -> None:
    table = next(table for paper, table in TABLES if (paper, table.name) == ("ihalla", "3"))
    row = next(row for row in table.rows if row.name == "SD XL")
    cells = [published_cell(table, row, column) for column in table.columns]
    assert cells == [(0.398, 0.015), (0.579, 0.012), (0.077, 0.05), (0.11, 0.066)]


@pytest.mark.parametrize(("paper", "table"), TABLES, ids=IDS)
def test_every_model_that_draws_or_judges_is_known(paper: str, table: PaperTable) -> None:
    models = read_models()
    stored = {line.model for line in (*table.rows, *table.columns) if line.stored}
    drawn = {line.model for line in (*table.rows, *table.columns)} - stored - {""}
    if not any(line.stored for line in (*table.rows, *table.columns)):
        drawn |= set(table.models)
    roles = [table.roles, *(line.roles for line in (*table.rows, *table.columns))]
    named = drawn | {name for each in roles for name in each.values()}
    assert [name for name in sorted(named) if find(models, name) is None] == []


@pytest.mark.parametrize(("paper", "table"), TABLES, ids=IDS)
def test_a_reason_is_one_sentence(paper: str, table: PaperTable) -> None:
    for reason in (table.not_because, *(line.not_because for line in lines(table))):
        if reason:
            assert reason.endswith(".")
            assert ". " not in reason


def test_a_cell_that_is_not_in_the_published_table_is_an_error() -> None:
    table = next(table for paper, table in TABLES if (paper, table.name) == ("ihalla", "3"))
    row = PaperLine(name="SD v9", where={"model": "SD v9"})
    with pytest.raises(PublishedCellMissing, match=r"ihalla_scores.csv has 0 rows .* 'SD v9'"):
        published_cell(table, row, table.columns[0])


def test_a_lookup_that_fits_several_rows_is_an_error() -> None:
    table = next(table for paper, table in TABLES if (paper, table.name) == ("ihalla", "3"))
    column = PaperLine(name="any", where={"metric": "i-halla"})
    with pytest.raises(PublishedCellMissing, match="has 2 rows"):
        published_cell(table, table.rows[0], column)


PAPER = """
name: mine
title: Mine
citation: Somebody
tables:
  - name: 1
    title: A table
    section: Results
    fill: {fill}
    rows: [{{name: a, part: {part}}}]
    columns: [{{name: b}}]
    parts: {{all: ihalla}}
"""


@pytest.mark.parametrize(
    ("fill", "part", "problem"),
    [
        ("scores", "some", r"line 6: Table '1' has no part 'some': add it to `parts`."),
        ("none", "all", r"line 6: Table '1' has no `fill`: name one, or say `not_because`."),
        ("guesses", "all", r"line 9: .*'guesses'"),
    ],
)
def test_a_wrong_specification_is_named_with_its_line(
    tmp_path: Path, fill: str, part: str, problem: str
) -> None:
    file = tmp_path / "mine.yaml"
    file.write_text(PAPER.format(fill=fill, part=part), encoding="utf-8")
    with pytest.raises(BadYaml, match=problem):
        read_paper(file)


def test_names_of_published_columns_are_real() -> None:
    for _, table in WITH_NUMBERS:
        with (PUBLISHED / table.published).open(encoding="utf-8", newline="") as stream:
            header = set(next(csv.reader(stream)))
        named = {*table.where, table.value, table.deviation}
        for line in lines(table):
            named |= {*line.where, line.value, line.deviation}
        named.discard("")
        assert named <= header, table.name

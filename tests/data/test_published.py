"""Published numbers stand as printed, and where they contradict each other a note says so."""

from collections import Counter
from collections.abc import Mapping

from hallascope.data.models.services import find
from hallascope.data.models.specs import ModelSpec, read_models
from hallascope.data.published.numbers import (
    factualbench_deltas,
    published_numbers,
    select_numbers,
    tables_of_metric,
)
from hallascope.data.reproduce.paper_tables import (
    PaperLine,
    PaperTable,
    published_cell,
    read_papers,
)
from hallascope.data.requests import Role
from hallascope.engine.leaderboard.board import published_rows
from hallascope.engine.leaderboard.filters import Query
from hallascope.engine.reproduce.tables import HUMAN
from hallascope.metrics import get as find_metric


def test_the_differences_of_table_3_follow_from_its_numbers_but_for_two() -> None:
    wrong = [delta for delta in factualbench_deltas() if delta.misprinted]
    assert [(delta.model, delta.printed, delta.derived) for delta in wrong] == [
        ("MS-Diffusion", 30.5, 20.5),
        ("MS-Diffusion", 14.9, 4.9),
    ]


def test_the_leaderboard_says_that_celestial_values_are_multiples_of_one_56th() -> None:
    rows = published_rows(Query("factualbench", "concept", by="domain"))
    assert {row.group for row in rows if "1/56" in row.source} == {"celestial"}
    assert sum("1/56" in row.source for row in rows) == 11


def test_every_module_table_shows_all_numbers_of_its_paper() -> None:
    shown = [row for table in tables_of_metric("fig") for row in table.rows.values()]
    numbers = [number for number in select_numbers(paper="fig") if number.table != "1"]
    assert [number for row in shown for number in row.values()] == numbers
    (agreement,) = tables_of_metric("factualbench")
    assert len(agreement.rows) == 9
    row = agreement.rows["DINO", "Concept factuality"]
    assert [row[column].value for column in agreement.columns] == [0.264, 0.206]
    assert tables_of_metric("ihalla") == []


TABLES = [(paper.name, table) for paper in read_papers() for table in paper.tables]


WITH_NUMBERS = [(paper, table) for paper, table in TABLES if table.where]


def table_lines(table: PaperTable) -> tuple[PaperLine, ...]:
    return (*table.rows, *table.columns)


def test_every_published_number_is_in_one_cell_of_the_reproduced_tables() -> None:
    used: Counter[tuple[str, str]] = Counter()
    for _, table in WITH_NUMBERS:
        cells = [
            published_cell(table, row, column) for row in table.rows for column in table.columns
        ]
        place = table.where["paper"], table.where["table"]
        used[place] += sum(cell.value is not None for cell in cells)
    printed = Counter(
        (number.paper, number.table)
        for number in published_numbers()
        if number.value is not None and number.table != "3 differences"
    )
    assert used == printed
    assert printed.total() == 872


def test_a_published_table_of_scores_gives_the_very_digits_of_the_paper() -> None:
    table = next(table for paper, table in TABLES if (paper, table.name) == ("ihalla", "3"))
    row = next(row for row in table.rows if row.name == "SD XL")
    cells = [published_cell(table, row, column) for column in table.columns]
    assert cells == [(0.398, 0.015), (0.579, 0.012), (0.077, 0.05), (0.11, 0.066)]


def roles_of(table: PaperTable) -> list[tuple[PaperLine, str, Mapping[Role, str]]]:
    """Return each row with the metric and the roles of its cells."""
    return [
        (
            row,
            column.metric or row.metric or table.metric,
            {**table.roles, **row.roles, **column.roles},
        )
        for row in table.rows
        for column in table.columns
    ]


def test_every_role_is_filled_by_a_model_that_can_fill_it_and_asked_by_its_metric() -> None:
    models = read_models()
    wrong: list[tuple[str, ...]] = []
    for paper, table in TABLES:
        drawn = {line.model for line in table_lines(table) if not line.stored} - {""}
        wrong += [(paper, name) for name in drawn if "generator" not in known_roles(models, name)]
        for row, metric, roles in roles_of(table):
            asked = {"judge", "writer"}  # of judges and their replies, which have no metric
            if metric not in ("", HUMAN):
                asked = {*find_metric(metric).required_roles, *find_metric(metric).optional_roles}
            wrong += [
                (paper, table.name, row.name, role, name)
                for role, name in roles.items()
                if role not in known_roles(models, name) or role not in asked
            ]
    assert wrong == []


def known_roles(models: Mapping[str, ModelSpec], name: str) -> tuple[Role, ...]:
    spec = find(models, name)
    assert spec, name
    return spec.roles

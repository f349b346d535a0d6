"""Published numbers stand as printed, and where they contradict each other a note says so."""

import csv
from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path

import pytest

from hallascope.data.models.services import find
from hallascope.data.models.specs import ModelSpec, read_models
from hallascope.data.published import factualbench, haloquest
from hallascope.data.published.haloquest import IMAGE_TYPES
from hallascope.data.published.module_tables import FOLDER, published_tables, tables_of_metric
from hallascope.data.published.scene_graph import BEST, error_f1
from hallascope.data.published.tables import CELESTIAL_NOTE, POSITIONAL_NOTE, published_scores
from hallascope.data.records import COIS, Category
from hallascope.data.reproduce.paper_tables import (
    PUBLISHED,
    PaperLine,
    PaperTable,
    PublishedCellMissing,
    published_cell,
    read_paper,
    read_papers,
)
from hallascope.data.requests import Role
from hallascope.data.yaml_file import BadYaml
from hallascope.engine.leaderboard.board import published_rows
from hallascope.engine.leaderboard.filters import Query
from hallascope.engine.reproduce.cells import HUMAN
from hallascope.metrics import get as find_metric


def rows(name: str) -> list[dict[str, str]]:
    with (PUBLISHED / name).open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


def sizes() -> dict[str, int]:
    return {
        row["category"]: int(row["total"])
        for row in rows("ihalla_categories.csv")
        if row["type"] == "Factual"
    }


def test_table_1_names_our_categories_and_holds_200_prompts() -> None:
    assert set(sizes()) == set(Category)
    assert sum(sizes().values()) == 200
    fields: dict[str, int] = defaultdict(int)
    levels: dict[tuple[str, str], int] = defaultdict(int)
    for row in rows("ihalla_categories.csv"):
        for level in ("easy", "medium", "hard"):
            sign = -1 if row["category"] == "All" else 1  # a total of the paper
            levels[row["domain"], level] += sign * int(row[level])
        if row["category"] == "All":
            continue
        assert (
            int(row["easy"]) + int(row["medium"]) + int(row["hard"])
            == int(row["total"])
            == sizes()[row["category"]]
        )
        assert Category(row["category"]).field == row["domain"]
        fields[row["domain"]] += int(row["total"])
    assert fields == {"Science": 200, "History": 200}
    assert set(levels.values()) == {0}


def test_table_2_names_our_compositions_of_interest_and_holds_1000_questions() -> None:
    counts = rows("ihalla_coi_counts.csv")
    for field in ("Science", "History"):
        assert {row["coi"] for row in counts if row["domain"] == field} == set(COIS)
        assert sum(int(row["questions"]) for row in counts if row["domain"] == field) == 500


def test_every_published_file_is_named_in_its_readme() -> None:
    readme = (PUBLISHED / "README.md").read_text(encoding="utf-8")
    files = {path.name for path in PUBLISHED.glob("*.csv")}
    assert len(files) == 15
    assert {name for name in files if f"`{name}`" not in readme} == set()


def test_the_agreement_with_people_says_on_how_many_images_it_rests() -> None:
    assert {(row["images"], row["raters"]) for row in rows("ihalla_human_agreement.csv")} == {
        ("10", "53")
    }


def test_the_arrows_of_table_3_are_differences_of_its_numbers() -> None:
    percent = {row.model: row.percent for row in factualbench.table()}
    for delta in factualbench.deltas():
        place = (delta.level, delta.score)
        difference = percent[delta.model][place] - percent[delta.base][place]
        assert delta.derived == pytest.approx(difference, abs=0.051)


def test_two_arrows_are_misprinted() -> None:
    wrong = [delta for delta in factualbench.deltas() if delta.misprinted]
    assert [(delta.model, delta.printed, delta.derived) for delta in wrong] == [
        ("MS-Diffusion", 30.5, 20.5),
        ("MS-Diffusion", 14.9, 4.9),
    ]


def test_a_row_adds_up_or_says_why_it_does_not() -> None:
    for row in haloquest.leaderboard():
        if row.note:
            continue
        for scores in (row.human, row.auto):
            total = sum(row.sizes[name] for name in IMAGE_TYPES)
            mean = sum(scores[name] * row.sizes[name] for name in IMAGE_TYPES) / total
            assert scores["overall"] == pytest.approx(mean, abs=1.1), row.model


def test_tables_of_fig_differ_for_one_configuration_and_the_note_gives_the_other_numbers() -> None:
    of_table = {
        (row["table"], row["name"], row["dataset"], row["metric"]): row["percent"]
        for row in rows("fig_scores.csv")
    }
    positional = [
        of_table[table, name, "DrawBench", "positional"]
        for table, name in (("1", "Flux-Dev"), ("3", "InstructBLIP-Vicuna 7b"), ("4", "Qwen-7b"))
    ]
    assert positional == ["20.83", "10.23", "20.83"]
    for metric in ("object", "colour", "number", "positional"):
        other = of_table["3", "InstructBLIP-Vicuna 7b", "MSCOCO", metric]
        assert other != of_table["1", "Flux-Dev", "MSCOCO", metric]
        assert other in POSITIONAL_NOTE
    noted = [score for score in published_scores() if score.note == POSITIONAL_NOTE]
    assert {(score.model, score.group) for score in noted} == {("Flux-Dev", "DrawBench")}
    assert {round(score.value, 4) for score in noted} == {0.2083}


def test_celestial_values_are_multiples_of_one_56th_and_no_other_domain_has_them_all() -> None:
    def in_steps(domain: str) -> bool:
        values = [
            float(row["concept_percent"])
            for row in rows("factualbench_skcm_by_domain.csv")
            if row["domain"] == domain and row["concept_percent"]
        ]
        return all(round(round(value * 0.56) / 0.56, 1) == pytest.approx(value) for value in values)

    domains = {row["domain"] for row in rows("factualbench_skcm_by_domain.csv")}
    assert [domain for domain in sorted(domains) if in_steps(domain)] == ["celestial"]
    noted = [score for score in published_scores() if score.note == CELESTIAL_NOTE]
    assert len(noted) == 11
    assert {score.group for score in noted} == {"celestial"}


def test_the_leaderboard_says_what_is_doubtful_beside_the_source() -> None:
    rows = published_rows(Query("factualbench", "concept", by="domain"))
    celestial = [row for row in rows if row.group == "celestial"]
    assert celestial
    assert all(row.source.endswith(CELESTIAL_NOTE) for row in celestial)
    assert not any(CELESTIAL_NOTE in row.source for row in rows if row.group != "celestial")


def test_every_number_of_the_files_is_in_the_tables() -> None:
    with (FOLDER / "fig_scores.csv").open(encoding="utf-8", newline="") as file:
        of_file = sorted(
            (f"FiG, table {row['table']}", row["name"], row["dataset"], float(row["percent"] or 0))
            for row in csv.DictReader(file)
            if row["table"] != "1"
        )
    shown = sorted(
        (table.source, row.name, row.group, float(number.text or 0))
        for table in tables_of_metric("fig")
        for row in table.rows
        for number in row.numbers
    )
    assert shown == of_file
    (agreement,) = tables_of_metric("factualbench")
    assert [number.text for number in agreement.rows[3].numbers] == ["0.504", "0.432"]
    assert len(agreement.rows) == 9
    assert all(
        len(row.numbers) == len(table.columns) for table in published_tables() for row in table.rows
    )


def test_numbers_of_the_recommended_configuration_that_differ_have_a_note() -> None:
    detectors, captioners, mergers = tables_of_metric("fig")
    assert detectors.notes == ()
    assert (
        "10.23 on DrawBench: tables 1 and 4 print 20.83 for the same configuration"
        in captioners.notes
    )
    assert len(captioners.notes) == 5
    noted = {number.text for row in mergers.rows for number in row.numbers if number.note}
    assert noted == {"20.83", "34.05", "28.80", "26.80", "12.30"}
    assert "20.83 on DrawBench: table 3 prints 10.23 for the same configuration" in mergers.notes


def test_the_best_row_knows_all_types_and_is_at_least_as_good_in_each() -> None:
    f1_rows = error_f1()
    assert len(f1_rows[BEST]) == 4
    for row in f1_rows.values():
        assert all(f1_rows[BEST][error] >= f1 for error, f1 in row.items())


TABLES = [(paper.name, table) for paper in read_papers() for table in paper.tables]


WITH_NUMBERS = [(paper, table) for paper, table in TABLES if table.published]


def table_lines(table: PaperTable) -> tuple[PaperLine, ...]:
    return (*table.rows, *table.columns)


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
        "ihalla_categories.csv": 78,
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


def test_a_cell_that_is_not_in_the_published_table_is_an_error() -> None:
    table = next(table for paper, table in TABLES if (paper, table.name) == ("ihalla", "3"))
    row = PaperLine(name="SD v9", where={"model": "SD v9"})
    with pytest.raises(PublishedCellMissing, match=r"ihalla_scores.csv has 0 rows .* 'SD v9'"):
        published_cell(table, row, table.columns[0])


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


def test_figure_4_weighted_by_the_sizes_of_the_categories_gives_table_3() -> None:
    weights = sizes()
    table = {
        (row["model"], row["domain"]): float(row["score"])
        for row in rows("ihalla_scores.csv")
        if (row["judge"], row["metric"]) == ("gpt-4o", "i-halla")
    }
    derived: dict[tuple[str, str], float] = defaultdict(float)
    for row in rows("ihalla_figure4.csv"):
        if row["slice"] == "category":
            share = weights[row["group"]] / 100
            derived[row["model"], row["domain"]] += share * float(row["score"])
    assert len(derived) == 10
    for place, score in derived.items():
        assert score == pytest.approx(table[place], abs=0.025), place
    assert derived["SD v1.4", "Science"] == pytest.approx(0.350, abs=0.0006), "the README's example"


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


def test_in_scene_graphs_blip_2_sees_and_a_language_model_writes() -> None:
    """Sections 3.2, and 3.3 and 3.4 with equations 1 and 2."""
    writers = {
        (table.name, row.name): roles["writer"]
        for paper, table in TABLES
        if paper == "scene-graph"
        for row, metric, roles in roles_of(table)
        if metric == "scene-graph" and not row.not_because
        if roles["judge"] == "blip2-flan-t5-xl"
    }
    assert writers == {
        ("1", "Ours (w/Gemini)"): "gemini/gemini-1.5-pro",
        ("1", "Ours (w/GPT-4)"): "openai/gpt-4-turbo",
        ("2", "Ours (w/Gemini)"): "gemini/gemini-1.5-pro",
        ("2", "Ours (w/GPT-3.5-turbo)"): "openai/gpt-3.5-turbo",
        ("2", "Ours (w/GPT-4)"): "openai/gpt-4-turbo",
        ("3", "KG-based (GPT)"): "openai/gpt-3.5-turbo",
    }

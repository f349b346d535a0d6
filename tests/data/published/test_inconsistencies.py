"""Where a paper speaks against itself, its number is shown as printed, with a note."""

import csv
from pathlib import Path

import pytest

from hallascope.data.published.tables import CELESTIAL_NOTE, POSITIONAL_NOTE, published_scores
from hallascope.engine.leaderboard.board import published_rows
from hallascope.engine.leaderboard.filters import Query

PUBLISHED = Path(__file__).parents[3] / "data" / "published"


def _rows(name: str) -> list[dict[str, str]]:
    with (PUBLISHED / name).open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


def test_tables_of_fig_differ_for_one_configuration_and_the_note_gives_the_other_numbers() -> None:
    of_table = {
        (row["table"], row["name"], row["dataset"], row["metric"]): row["percent"]
        for row in _rows("fig_scores.csv")
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
            for row in _rows("factualbench_skcm_by_domain.csv")
            if row["domain"] == domain and row["concept_percent"]
        ]
        return all(round(round(value * 0.56) / 0.56, 1) == pytest.approx(value) for value in values)

    domains = {row["domain"] for row in _rows("factualbench_skcm_by_domain.csv")}
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

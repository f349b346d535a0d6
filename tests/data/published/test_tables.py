"""The published numbers of I-HallA agree with one another as far as the paper lets them be
re-derived.
"""

import csv
from collections import defaultdict
from pathlib import Path

import pytest

from hallascope.data.records import COIS, Category

PUBLISHED = Path(__file__).parents[3] / "data" / "published"


def rows(name: str) -> list[dict[str, str]]:
    with (PUBLISHED / name).open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


def sizes() -> dict[str, int]:
    return {
        row["category"]: int(row["total"])
        for row in rows("ihalla_categories.csv")
        if row["type"] == "Factual"
    }


MODELS = sorted({row["model"] for row in rows("ihalla_figure4.csv")})


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("field", ["Science", "History"])
def test_figure_4_weighted_by_the_sizes_of_the_categories_gives_table_3(
    model: str, field: str
) -> None:
    bars = [
        row
        for row in rows("ihalla_figure4.csv")
        if (row["slice"], row["domain"], row["model"]) == ("category", field, model)
    ]
    weights = [sizes()[row["group"]] for row in bars]
    derived = sum(
        float(row["score"]) * weight for row, weight in zip(bars, weights, strict=True)
    ) / sum(weights)
    (table,) = [
        float(row["score"])
        for row in rows("ihalla_scores.csv")
        if (row["model"], row["judge"], row["domain"], row["metric"])
        == (model, "gpt-4o", field, "i-halla")
    ]
    assert sum(weights) == 100
    assert derived == pytest.approx(table, abs=0.025)


def test_the_readme_s_example_holds() -> None:
    bars = {
        row["group"]: float(row["score"])
        for row in rows("ihalla_figure4.csv")
        if (row["slice"], row["domain"], row["model"]) == ("category", "Science", "SD v1.4")
    }
    assert sum(bars[group] * sizes()[group] for group in bars) / 100 == pytest.approx(
        0.350, abs=0.0006
    )


def test_table_1_names_our_categories_and_holds_200_prompts() -> None:
    assert set(sizes()) == set(Category)
    assert sum(sizes().values()) == 200
    fields: dict[str, int] = defaultdict(int)
    for row in rows("ihalla_categories.csv"):
        assert (
            int(row["easy"]) + int(row["medium"]) + int(row["hard"])
            == int(row["total"])
            == sizes()[row["category"]]
        )
        assert Category(row["category"]).field == row["domain"]
        fields[row["domain"]] += int(row["total"])
    assert fields == {"Science": 200, "History": 200}


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

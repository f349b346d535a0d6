"""Tests `hallascope errors map`: judged images become points, as JSON, CSV and a page."""

import csv
from pathlib import Path
from typing import Any

import pytest


@pytest.fixture
def judged(command: Any) -> Any:
    command(
        "evaluate",
        "a ladybug",
        "--models",
        "primer/hasty,primer/careless",
        "--judge",
        "scripted/judge",
        "--count",
        "3",
    )
    return command


def test_an_empty_store_has_no_points(command: Any) -> None:
    shown = command("errors", "map")
    assert (shown.code, "No judged image" in shown.out) == (1, True)


def test_points_come_with_coordinates_and_scores(judged: Any, tmp_path: Path) -> None:
    shown = judged("errors", "map", "--json").json
    assert shown["embedder"] == "primer/embedder"
    assert shown["missing"] == []
    points = shown["points"]
    assert len(points) == shown["judged"] > 2
    assert {point["model"] for point in points} == {"primer/hasty", "primer/careless"}
    assert all(point["value"] + point["error"] == pytest.approx(1) for point in points)
    assert len({(point["x"], point["y"]) for point in points}) > 1
    table = tmp_path / "maps" / "map.csv"
    assert judged("errors", "map", "--out", str(table)).code == 0
    with table.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [int(row["evaluation"]) for row in rows] == [point["evaluation"] for point in points]


def test_a_condition_leaves_fewer_points_on_the_page(judged: Any, tmp_path: Path) -> None:
    page = tmp_path / "map.html"
    shown = judged("errors", "map", "--where", "model:primer/hasty", "--out", str(page), "--json")
    assert {point["model"] for point in shown.json["points"]} == {"primer/hasty"}
    text = page.read_text("utf-8")
    assert "scattergl" in text
    assert "primer/careless" not in text


def test_what_cannot_be_done_is_one_sentence(judged: Any, tmp_path: Path) -> None:
    picture = judged("errors", "map", "--out", str(tmp_path / "map.png"))
    assert (picture.code, ".html or .csv" in picture.err) == (2, True)
    layout = judged("errors", "map", "--layout", "tsne")
    assert (layout.code, "pca or umap" in layout.err) == (2, True)
    embedder = judged("errors", "map", "--embedder", "primer/hasty")
    assert embedder.code == 2

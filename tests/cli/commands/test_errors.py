"""`hallascope errors` and `repair`: slices, maps, grids, tags, comparisons, probes and repairs."""

import csv
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import assert_refused
from tests.support.left_out_store import PROMPTS, STATES, fill

PROMPT = "a molecule of methane"
EVALUATE = ("evaluate", PROMPT, "--judge", "scripted/judge", "--json", "--model")


@pytest.fixture
def runs(command: Any) -> list[str]:
    """Two runs of one prompt by two models."""
    models = ("primer/exact", "primer/careless")
    return [command(*EVALUATE, model).json["run"] for model in models]


def test_an_empty_store_says_how_to_judge_images(command: Any) -> None:
    assert "hallascope evaluate" in command("errors", "slices").out
    empty = command("errors", "map")
    assert (empty.code, "No judged image" in empty.out) == (1, True)


@pytest.mark.full
def test_points_come_with_coordinates_and_scores(command: Any, tmp_path: Path) -> None:
    models = ("primer/hasty", "primer/careless")
    command(*EVALUATE, ",".join(models), "--count", "3")
    shown = command("errors", "map", "--json").json
    assert (shown["embedder"], shown["missing"]) == ("primer/embedder", [])
    points = shown["points"]
    assert len(points) == shown["judged"] > 2
    assert {point["model"] for point in points} == set(models)
    assert all(point["value"] + point["error"] == pytest.approx(1) for point in points)
    assert len({(point["x"], point["y"]) for point in points}) > 1
    table = tmp_path / "maps" / "map.csv"
    assert command("errors", "map", "--out", table).code == 0
    with table.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [int(row["evaluation"]) for row in rows] == [point["evaluation"] for point in points]
    page = tmp_path / "map.html"
    narrowed = command("errors", "map", "--where", f"model:{models[0]}", "--out", page, "--json")
    assert {point["model"] for point in narrowed.json["points"]} == {models[0]}
    assert models[1] not in page.read_text("utf-8")
    assert_refused(
        command,
        (("errors", "map", "--out", tmp_path / "map.png"), ".html or .csv"),
        (("errors", "map", "--layout", "tsne"), "'pca', 'umap'"),
        (("errors", "map", "--embedder", models[0]), models[0]),
    )


def test_a_grid_says_over_how_many_images_its_means_are(command: Any, tmp_path: Path) -> None:
    fill(tmp_path / "home").close()
    lines = command("errors", "grid").out.splitlines()
    assert [line.split() for line in lines[-4:-2]] == [
        [model, str(PROMPTS), "0.250", str(PROMPTS * STATES.count("unreadable"))]
        for model in ("m/one", "m/two")
    ]
    images, left_out = 2 * PROMPTS, 2 * PROMPTS * STATES.count("unreadable")
    assert lines[-1].endswith(f"n = {images}, 0 left out; answers: {left_out} left out")


def test_images_are_tagged_and_noted_by_id_and_by_selection(command: Any, runs: list[str]) -> None:
    cells = command("errors", "grid", "--json").json["cells"]
    one = cells[0]["evaluations"][0]
    assert "No image has a tag" in command("errors", "tags").out
    tagged = command(
        "errors", "tags", "--add", "Extra  Fingers", "--image", one, "--by", "Ann", "--json"
    ).json
    assert (tagged["tag"], tagged["images"]) == ("extra fingers", 1)
    selected = command("errors", "tags", "--add", "drawn", "--where", "model:primer/careless")
    assert "“drawn” added to 1 image." in selected.out
    counts = command("errors", "tags", "--json").json
    assert {row["tag"]: row["images"] for row in counts["tags"]} == {"extra fingers": 1, "drawn": 1}
    assert command("errors", "tags", "--where", "tag:drawn", "--json").json["images"] == 1
    command("errors", "tags", "--remove", "drawn", "--model", "primer/careless")
    assert "drawn" not in command("errors", "tags").out
    note = ("errors", "tags", "--note")
    assert "kept on 1 image" in command(*note, "It is green.", "--image", one).out
    assert "removed from 1 image" in command(*note, "", "--image", one).out
    assert_refused(
        command,
        (("errors", "tags", "--add", "drawn"), "No image is named"),
        (("errors", "tags", "--add", "drawn", "--image", "999"), "None of these images"),
        (("errors", "tags", "--add", "a", "--note", "b"), "Give one of --add"),
    )
    groups = command("errors", "tags", "--types", "--json").json["groups"]
    assert any("I-HallA" in group["source"] for group in groups)


def test_two_runs_are_compared_and_one_prompt_is_not_enough_to_fail(
    command: Any, runs: list[str], tmp_path: Path
) -> None:
    assert "No group fails more" in command("errors", "slices").out
    report = tmp_path / "report.md"
    changes = command("runs", "compare", *runs, "--out", report, "--json").json["changes"]
    assert changes["runs"] == runs
    whole = changes["whole"]
    assert whole["better"] + whole["worse"] + whole["unchanged"] == 1
    assert report.read_text(encoding="utf-8").startswith("## Two runs by ihalla")
    shown = command("runs", "compare", *runs, "--fail-on-worse")
    assert (shown.code, "cannot be told apart" in shown.out) == (0, True)
    assert command("runs", "compare", runs[0], "nothing").code == 2


def test_remedies_are_compared_by_another_judge(command: Any, tmp_path: Path) -> None:
    file = tmp_path / "prompts.txt"
    file.write_text("two red circles\nthree blue stars\n", encoding="utf-8")
    repair = ("errors", "remedies", "--model", "primer/careless", "--judge", "scripted/judge")
    asked = (*repair, "--evaluate-by", "openai/gpt-5.4-mini", "--prompts", file, "--images", "2")
    said = command(*asked, "--remedy", "best-of-n", "--json").json
    assert (said["failing_images"], said["treated"]) == (2, 2)
    (best,) = said["remedies"]
    assert best["truth"]["repaired"]["facts"] > 0
    assert best["sentence"] in command(*asked, "--remedy", "best-of-n").out


def test_the_rounds_of_a_repair_are_printed_and_given_as_json(command: Any) -> None:
    estimate = command("repair", PROMPT, "--model", "primer/exact", "--dry-run")
    assert (estimate.code, "Free: no paid model" in estimate.out) == (0, True)
    assert command("runs", "show", "--json").json["total"] == 0
    asked = ("repair", PROMPT, "--model", "primer/careless", "--rounds", "2")
    said = command(*asked, "--json").json
    rounds = said["rounds"]
    assert [each["round"] for each in rounds] == list(range(len(rounds)))
    assert rounds[0]["prompt"] == PROMPT
    assert all(each["prompt"].startswith(PROMPT) and each["run"] for each in rounds)
    assert said["repaired"] == (rounds[-1]["wrong"] == [])
    printed = command(*asked).out
    assert said["end"] in printed
    assert rounds[0]["run"] in printed

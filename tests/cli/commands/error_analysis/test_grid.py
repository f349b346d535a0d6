"""Tests `hallascope errors grid`: images in rows and columns, as JSON, an image and a page."""

from pathlib import Path
from typing import Any

import pytest
from PIL import Image

PROMPTS = ("a molecule of methane", "the planet Saturn")


@pytest.fixture
def judged(command: Any) -> None:
    for prompt in PROMPTS:
        command(
            "evaluate", prompt, "--models", "primer/exact,primer/careless", "--judge",
            "scripted/judge", "--json",
        )  # fmt: skip


def test_a_grid_is_a_document(command: Any, judged: None) -> None:
    shown = command("errors", "grid", "--baseline", "primer/exact", "--json").json
    assert sorted(line["value"] for line in shown["row_values"]) == sorted(PROMPTS)
    values = [line["value"] for line in shown["column_values"]]
    assert values == ["primer/careless", "primer/exact"]
    assert len(shown["cells"]) == 4
    compared = [cell for cell in shown["cells"] if "changes" in cell]
    assert [cell["column"] for cell in compared] == [0, 0]
    one_row = command("errors", "grid", "--most-rows", "1", "--json").json
    assert len(one_row["cells"]) == 2


def test_a_grid_is_written_as_an_image_and_as_a_page(
    command: Any, judged: None, tmp_path: Path
) -> None:
    image, page = tmp_path / "grid.png", tmp_path / "grid.html"
    assert command("errors", "grid", "--out", str(image)).code == 0
    with Image.open(image) as drawn:
        assert drawn.format == "PNG"
    assert (
        command("errors", "grid", "--rows", "model", "--columns", "seed", "--out", str(page)).code
        == 0
    )
    assert page.read_text("utf-8").count("<img ") == 2
    refused = command("errors", "grid", "--out", str(tmp_path / "grid.gif"))
    assert (refused.code, "ends in .png or .html" in refused.err) == (2, True)


def test_an_unknown_axis_is_refused_with_those_there_are(command: Any, judged: None) -> None:
    refused = command("errors", "grid", "--rows", "weather")
    assert (refused.code, "take one of prompt, model" in refused.err) == (2, True)

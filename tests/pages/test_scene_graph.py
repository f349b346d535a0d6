"""Scene graphs of the images of a run: who looks, what is shown, and what is written as files."""

import json
from collections.abc import Iterator, Mapping
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from hallascope.components.evidence.viewer import viewer
from hallascope.data.requests import Role
from hallascope.engine.images.graph_files import write
from hallascope.pages.scene_graph import graph_files, page
from hallascope.pages.shared.context import CurrentRun
from hallascope.pages.shared.evidence import runs, tab
from tests.support import fake_vision as eyes
from tests.support.fake_vision import drawn

FIRST: dict[Role, str | None] = {
    "detector": "primer/segmenter",
    "segmenter": "primer/segmenter",
    "judge": "primer/judge",
    "writer": None,
    "parser": None,
}
METRIC = page.TAB.metric


@pytest.fixture
def services(tmp_path: Path) -> Iterator[Any]:
    found = eyes.build(tmp_path)
    yield found
    found.store.close()


def look(
    services: Any, current: CurrentRun, *others: Mapping[Role, str | None]
) -> list[runs.EvidenceUpdate]:
    return eyes.looked(services, current, page.TAB, FIRST, *others)


# --- the page ---


def test_the_pictures_of_a_run_are_looked_at_and_their_errors_stand_in_the_table(
    services: Any,
) -> None:
    current = drawn(services)
    said, table, looked = look(services, current)[-1]
    assert "2 of 2 images, 2 judged" in said
    assert table.count('class="head-cell"') == 2
    heads = "Wrong attributes", "Wrong relations", "Missing", "Not in the prompt"
    for head in ("Grade (our rule)", "Score", *heads):
        assert f'<th scope="col">{head}</th>' in table
    assert "One or two attributes or counts are wrong." in table
    assert eyes.made().extras[0].concept.name in table
    assert tab.open_tab(services, page.TAB, current, looked)[2] == looked


def test_the_viewer_shows_both_graphs_and_every_question_with_its_memory(services: Any) -> None:
    _, _, looked = look(services, drawn(services))[-1]
    (shown,) = runs.exhibits(services, looked, None, page.TAB)
    html = viewer([shown])
    assert '<svg class="graph"' in html
    assert html.count('data-ring="graph"') == 2
    assert "grade 5 of 7" in shown.alt
    titles = [group.title for group in shown.groups]
    assert titles[:3] == ["The prompt asks for", "Questions", "Memory"]
    assert (
        shown.groups[2].body.count('class="recall"')
        == shown.groups[1].body.count('class="lead-button"')
        > 2
    )
    assert "<li" in shown.groups[2].body, "the triples that came back from the store"


def test_two_line_ups_are_compared_side_by_side(services: Any) -> None:
    _, table, looked = look(services, drawn(services), {"judge": "eyes/blind"})[-1]
    assert table.count('class="head-cell"') == 4
    one, other = runs.exhibits(services, looked, None, page.TAB)
    assert one.name == "eyes/painter, judge primer/judge"
    assert other.name == "eyes/painter, judge eyes/blind"
    assert other.diagram
    assert other.diagram != one.diagram


# --- files ---


def test_the_graphs_of_an_image_are_written_as_three_files(services: Any, tmp_path: Path) -> None:
    _, _, looked = look(services, drawn(services))[-1]
    found = graph_files.graph_of(services, looked, None, METRIC)
    assert found
    paths = write(tmp_path, *found)
    assert [path.name for path in paths] == [
        f"scene-graph-eyes-painter-0.{form}" for form in ("json", "graphml", "png")
    ]
    assert json.loads(paths[0].read_bytes())["grade"] == 5
    assert paths[1].read_bytes().startswith(b"<?xml")
    assert Image.open(BytesIO(paths[2].read_bytes())).format == "PNG"

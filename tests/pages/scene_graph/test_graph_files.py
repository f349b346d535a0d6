"""The graphs of a run are written as files."""

import json
from io import BytesIO
from pathlib import Path
from typing import Any

from PIL import Image

from hallascope.pages.scene_graph import graph_files
from hallascope.pages.shared.evidence.runs import EvidenceRuns
from tests.pages.scene_graph.conftest import METRIC, look
from tests.support.fake_vision import drawn


def test_the_graphs_of_each_line_up_are_written_as_three_files(
    services: Any, tmp_path: Path
) -> None:
    _, _, looked = look(services, drawn(services), {"judge": "eyes/blind"})[-1]
    found = graph_files.graphs_of(services, looked, None, METRIC)
    paths = graph_files.write_graph_files(found, tmp_path)
    assert [path.name for path in paths] == [
        f"scene-graph-eyes-painter-0-{number}.{form}"
        for number in (1, 2)
        for form in ("json", "graphml", "png")
    ]
    assert json.loads(paths[0].read_bytes())["grade"] == 5
    assert paths[1].read_bytes().startswith(b"<?xml")
    assert Image.open(BytesIO(paths[2].read_bytes())).format == "PNG"


def test_a_run_that_was_not_looked_at_has_no_files(services: Any) -> None:
    current = drawn(services)
    assert (
        graph_files.graphs_of(
            services, EvidenceRuns((str(current.run),), current.run), None, METRIC
        )
        == []
    )

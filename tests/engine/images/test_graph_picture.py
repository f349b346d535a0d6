"""Scene graphs drawn as a picture: large enough to be read, everything in its place, nothing that
cannot be drawn.
"""

from dataclasses import replace
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from hallascope.data.evidence import Evidence
from hallascope.data.graph_layout.layout import layout
from hallascope.data.graph_layout.pairs import pairs
from hallascope.data.graphs import Graph, SceneGraphs
from hallascope.engine.errors import BadRequest
from hallascope.engine.events import Evaluation
from hallascope.engine.images import graph_picture
from hallascope.engine.images.graph_files import save
from hallascope.engine.images.graph_picture import MARGIN, SCALE, drawn, png
from tests.support import scene_graphs, viewer_app


def judged(evidence: Evidence | None, trial: int = 0) -> Evaluation:
    report = replace(scene_graphs.report(scene_graphs.evidence()), evidence=evidence)
    return Evaluation(
        "g1", "primer/careless", "ab" * 32, "scene-graph", "primer/judge", trial, report
    )


def opened(evidence: Evidence) -> Image.Image:
    return Image.open(BytesIO(png(evidence)))


def test_it_is_drawn_at_twice_the_size_of_the_page() -> None:
    placed = layout(pairs(scene_graphs.graphs(), scene_graphs.findings()), graph_picture._measure)
    assert opened(scene_graphs.evidence()).size == (
        round((placed.width + 2 * MARGIN) * SCALE),
        round((placed.height + 2 * MARGIN) * SCALE),
    )


def test_every_node_has_ink_in_its_place_and_the_margin_has_none() -> None:
    placed = layout(pairs(scene_graphs.graphs(), scene_graphs.findings()), graph_picture._measure)
    pixels = np.asarray(drawn(placed).convert("L"))
    for block in placed.blocks:
        left, top = (
            round((at + by) * SCALE)
            for at, by in ((block.place.x, MARGIN - placed.left), (block.place.y, MARGIN))
        )
        inside = pixels[
            top + 8 : top + round(block.place.height * SCALE) - 8,
            left + 8 : left + round(block.place.width * SCALE) - 8,
        ]
        assert inside.min() < 120
    assert pixels[:8].min() == pixels[:, :8].min() == 255


def test_what_is_right_and_what_is_wrong_have_different_colours_and_signs() -> None:
    wrong = {tuple(pixel) for pixel in np.asarray(opened(scene_graphs.evidence())).reshape(-1, 3)}
    assert {(0x1A, 0x7F, 0x4E), (0xB3, 0x26, 0x1E), (0x7A, 0x5B, 0x00)} <= wrong


def test_a_large_graph_is_drawn_no_larger_than_programs_can_open() -> None:
    assert max(opened(Evidence(graphs=scene_graphs.crowd(160))).size) <= graph_picture.LARGEST + 1


def test_no_nodes_and_hostile_texts_are_drawn_all_the_same() -> None:
    assert opened(Evidence(graphs=SceneGraphs(Graph(), Graph()))).format == "PNG"
    assert opened(scene_graphs.hostile(f"{viewer_app.EVIL}\n鍋\x00")).format == "PNG"


def test_without_graphs_there_is_nothing_to_draw() -> None:
    with pytest.raises(ValueError, match="evaluate the picture with scene-graph"):
        png(Evidence())


def test_the_graphs_of_all_evaluations_are_written_in_every_form_and_those_without_are_left_aside(
    tmp_path: Path,
) -> None:
    paths = save(
        tmp_path / "new" / "folder",
        [
            judged(scene_graphs.evidence()),
            judged(scene_graphs.evidence(), 1),
            judged(None),
            judged(Evidence()),
        ],
    )
    assert [path.name for path in paths] == [
        f"scene-graph-primer-careless-abababab{trial}.{form}"
        for trial in ("", "-trial-2")
        for form in ("json", "graphml", "png")
    ]
    assert all(path.stat().st_size for path in paths)


def test_a_folder_that_cannot_be_written_to_gives_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(BadRequest, match="name another folder"):
        save(tmp_path / "file" / "folder", [judged(scene_graphs.evidence())])

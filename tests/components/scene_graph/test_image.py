"""Scene graphs as PNG: what the page draws, in its colors, with text on any machine."""

from functools import partial
from io import BytesIO

import numpy as np
import pytest
import resvg_py
from PIL import Image

from hallascope.components.scene_graph import image
from hallascope.components.scene_graph.image import LARGEST, SCALE, png
from hallascope.components.scene_graph.layout.placement import Layout, layout
from hallascope.components.scene_graph.links import link_graphs
from hallascope.data.evidence import Evidence
from hallascope.data.graphs import Graph, SceneGraphs
from tests.support import scene_graphs, viewer_app


def opened(evidence: Evidence) -> Image.Image:
    return Image.open(BytesIO(png(evidence)))


def placed(evidence: Evidence) -> Layout:
    tied = link_graphs(evidence)
    assert tied
    return layout(tied.pairs)


def test_it_is_drawn_at_twice_the_size_of_the_page() -> None:
    size = placed(scene_graphs.evidence())
    assert opened(scene_graphs.evidence()).size == (
        SCALE * round(size.width),
        SCALE * round(size.height),
    )


def ink_of_names(evidence: Evidence) -> list[float]:
    """The share of dark pixels where the name of each node stands."""
    pixels = np.asarray(opened(evidence).convert("L"))
    drawn = placed(evidence)
    shares = []
    for block in drawn.blocks:
        left = round((block.place.x - drawn.left + 8) * SCALE)
        top = round((block.place.y + 8) * SCALE)
        shares.append(float((pixels[top : top + 40, left : left + 80] < 128).mean()))
    return shares


def test_every_node_has_its_name_in_its_place_and_the_margin_is_empty() -> None:
    assert min(ink_of_names(scene_graphs.evidence())) > 0.02
    pixels = np.asarray(opened(scene_graphs.evidence()).convert("L"))
    assert pixels[:8].min() == pixels[:, :8].min() == 255


def test_a_machine_without_fonts_draws_the_names_too(monkeypatch: pytest.MonkeyPatch) -> None:
    bare = partial(resvg_py.svg_to_bytes, skip_system_fonts=True)
    monkeypatch.setattr(resvg_py, "svg_to_bytes", bare)
    assert min(ink_of_names(scene_graphs.evidence())) > 0.02
    monkeypatch.setattr(image, "_bundled_fonts", lambda folder: [])
    assert max(ink_of_names(scene_graphs.evidence())) < 0.02, (
        "only Pillow's font was left to draw with"
    )


def test_what_is_right_and_what_is_wrong_have_the_colors_of_the_page() -> None:
    colors = {
        tuple(pixel)
        for pixel in np.asarray(opened(scene_graphs.evidence()).convert("RGB")).reshape(-1, 3)
    }
    assert {
        (0x1A, 0x7F, 0x4E),
        (0xB3, 0x26, 0x1E),
        (0x7A, 0x5B, 0x00),
        (0xFB, 0xE9, 0xE7),
    } <= colors


def test_a_large_graph_is_drawn_no_larger_than_programs_can_open() -> None:
    assert max(opened(Evidence(graphs=scene_graphs.crowd(160))).size) <= LARGEST + 1


def test_no_nodes_and_hostile_texts_are_drawn_all_the_same() -> None:
    assert opened(Evidence(graphs=SceneGraphs(asked=Graph(), seen=Graph()))).format == "PNG"
    assert opened(scene_graphs.hostile(f"{viewer_app.EVIL}\n鍋\x00\udc80")).format == "PNG"


def test_without_graphs_there_is_nothing_to_draw() -> None:
    with pytest.raises(ValueError, match="evaluate the image with scene-graph"):
        png(Evidence())

"""Scene graphs as a diagram, an exhibit and a PNG file: buttons, links and words."""

import re
from dataclasses import replace
from functools import partial
from html import unescape
from io import BytesIO
from json import loads
from pathlib import Path

import numpy as np
import pytest
import resvg_py
from PIL import Image

from hallascope.components.scene_graph import image
from hallascope.components.scene_graph.diagram import diagram
from hallascope.components.scene_graph.image import SCALE, png
from hallascope.components.scene_graph.layout.placement import Layout, layout
from hallascope.components.scene_graph.links import GraphLinks, link_graphs
from hallascope.components.theme import drawing
from hallascope.data.evidence import Evidence
from hallascope.data.graphs import Graph, SceneGraphs
from tests.support import scene_graphs, viewer_app


def tied(evidence: Evidence) -> GraphLinks:
    found = link_graphs(evidence)
    assert found
    return found


FOUND = tied(scene_graphs.evidence())


HTML = diagram(FOUND)


def buttons(html: str = HTML) -> list[dict[str, str]]:
    """The attributes of everything that can be chosen, in the order in which the keyboard comes to
    it.
    """
    found = re.findall(r'<g class="([^"]*)" role="button"([^>]*)>', html)
    return [
        {"class": one}
        | {name: unescape(value) for name, value in re.findall(r'([\w-]+)="([^"]*)"', rest)}
        for one, rest in found
    ]


def button(label: str) -> dict[str, str]:
    return next(one for one in buttons() if one["aria-label"].startswith(label))


def test_every_node_and_every_relation_of_both_sides_is_a_button_in_a_ring_of_its_side() -> None:
    nodes, edges = (
        sum(one["class"].startswith(kind) for one in buttons()) for kind in ("node", "edge")
    )
    assert (nodes, edges) == (4 + 4, 2 + 4)
    assert HTML.count('data-ring="graph"') == 2
    assert {one["tabindex"] for one in buttons()} == {"-1"}


def test_both_sides_of_a_row_have_one_key_and_light_up_with_questions_segment_and_relations() -> (
    None
):
    one, other = (
        loads(each["data-keys"])
        for each in buttons()
        if each["aria-label"].endswith("Circle: asked red, seen green.")
    )
    assert one == other == ["node=1"]
    under = loads(button("circle, red")["data-under"])
    assert {"finding=1", "finding=4", "finding=6", "segment=1", "edge=1"} <= set(under)
    assert "finding=2" not in under


def test_where_there_is_nothing_to_draw_it_is_said() -> None:
    assert "there is no graph" in diagram(
        tied(Evidence(graphs=SceneGraphs(asked=Graph(), seen=Graph())))
    )
    assert link_graphs(Evidence()) is None


PATH = Path("/a.png")


SHOWN = scene_graphs.shown(scene_graphs.evidence(), PATH)


def test_a_part_of_the_picture_leads_to_its_node_and_lights_up_with_all_that_rests_on_it() -> None:
    circle, square, other, star = SHOWN.marks
    assert (circle.keys, square.keys, other.keys, star.keys) == (
        ("node=1",),
        ("node=2",),
        ("node=5",),
        ("node=6",),
    )
    assert {"finding=4", "segment=1", "edge=1"} <= set(circle.under)


def test_without_a_grade_there_is_no_mark_on_the_scale_and_a_sentence_says_why() -> None:
    found = scene_graphs.evidence()
    assert found.graphs
    shown = scene_graphs.shown(
        replace(found, graphs=replace(found.graphs, grade=None, sentence="")), PATH
    )
    assert "No grade on a scale of 1 to 7" in shown.numbers
    assert "aria-current" not in shown.numbers
    assert "nothing could be seen" in shown.numbers


def opened(evidence: Evidence) -> Image.Image:
    return Image.open(BytesIO(png(evidence)))


def placed(evidence: Evidence) -> Layout:
    tied = link_graphs(evidence)
    assert tied
    return layout(tied.pairs)


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
    monkeypatch.setattr(drawing, "_bundled_fonts", lambda folder: [])
    assert max(ink_of_names(scene_graphs.evidence())) < 0.02, (
        "only Pillow's font was left to draw with"
    )


def test_no_nodes_and_hostile_texts_are_drawn_all_the_same() -> None:
    assert opened(Evidence(graphs=SceneGraphs(asked=Graph(), seen=Graph()))).format == "PNG"
    assert opened(scene_graphs.hostile(f"{viewer_app.EVIL}\n鍋\x00\udc80")).format == "PNG"


def test_a_large_graph_is_drawn_no_larger_than_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(image, "LARGEST", 500)
    assert max(opened(Evidence(graphs=scene_graphs.crowd(8))).size) in (500, 501)

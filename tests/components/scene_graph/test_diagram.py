"""Scene graphs as SVG: what is a button, what leads where, what is said of it; texts stay texts."""

import re
from html import unescape
from json import loads

import pytest

from hallascope.components.scene_graph.diagram import diagram
from hallascope.components.scene_graph.links import GraphLinks, link_graphs
from hallascope.data.evidence import Evidence
from hallascope.data.graphs import Graph, SceneGraphs
from tests.support import scene_graphs, viewer_app
from tests.support.tiles import no_markup_of


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


def test_a_relation_lights_up_with_its_question_and_its_two_ends() -> None:
    edge = button("left of → right of")
    assert loads(edge["data-keys"]) == ["edge=1"]
    assert loads(edge["data-under"]) == ["finding=6", "node=1", "node=2"]


def test_states_are_told_in_words_by_sign_and_by_line() -> None:
    assert button("square, blue")["aria-label"] == "square, blue: correct. Square: as asked for."
    assert button("tulip")["aria-label"] == "tulip: wrong. Tulip: asked for and not seen."
    assert "dashed" in button("tulip")["class"]
    assert (
        button("above")["aria-label"] == "above: left out. Square above tulip: could not be told."
    )
    assert HTML.count('class="mark"') == len(re.findall(r'class="mark" transform', HTML)) > 10


def test_what_is_asked_and_what_is_seen_instead_stand_side_by_side() -> None:
    assert "red → green" in HTML
    assert "left of → right of" in HTML
    assert "Not in the prompt" in HTML


def test_the_empty_place_of_what_is_missing_is_no_stop_for_the_keyboard_but_leads_there_too() -> (
    None
):
    (ghost, _) = re.findall(r'<g class="node [^"]*ghost"([^>]*)>', HTML)
    assert 'aria-hidden="true"' in ghost
    assert "node=3" in ghost
    assert "role" not in ghost


def test_a_triple_leads_to_its_relation_else_to_its_node() -> None:
    assert FOUND.of_triple(scene_graphs.RIGHT_OF) == ("edge=1",)
    assert FOUND.of_triple(scene_graphs.IS_BLUE) == ("node=2",)


def test_a_segment_leads_to_its_row() -> None:
    assert FOUND.of_segment(0)[0] == ("node=1",)
    assert "edge=1" in FOUND.of_segment(0)[1]


def test_where_there_is_nothing_to_draw_it_is_said() -> None:
    assert "there is no graph" in diagram(
        tied(Evidence(graphs=SceneGraphs(asked=Graph(), seen=Graph())))
    )
    assert link_graphs(Evidence()) is None


@pytest.mark.parametrize("number", [1, 40])
def test_one_and_forty_nodes_are_all_there(number: int) -> None:
    html = diagram(tied(scene_graphs.boxed(number)))
    assert len([one for one in buttons(html) if one["class"].startswith("node")]) == 2 * number


def test_text_from_elsewhere_stays_text() -> None:
    assert no_markup_of(viewer_app.EVIL, diagram(tied(scene_graphs.hostile(viewer_app.EVIL))))

"""Triples of a scene graph are held against the drawing."""

from hallascope.data.evidence import Evidence, SegmentEvidence
from hallascope.data.graphs import Attribute, Edge, Graph, Node, SceneGraphs
from hallascope.engine.judge_eval.matching.triples import NONE, TripleAccuracy, check
from hallascope.primer.truth.compositions import things
from tests.support.composition_evidence import CIRCLES


def test_a_triple_that_the_drawing_contradicts_is_wrong_and_an_unknown_one_is_not_counted() -> None:
    ladybug, star = things(CIRCLES, 96)
    segments = (
        SegmentEvidence(name="s1", phrase="ladybug", box=ladybug.box, score=1.0),
        SegmentEvidence(name="s2", phrase="star", box=star.box, score=1.0),
    )

    def right(*said: Attribute, label: str = "star", relation: str = "") -> TripleAccuracy:
        nodes = (
            Node(name="n1", label="ladybug", attributes=(), segment="s1"),
            Node(name="n2", label=label, attributes=said, segment="s2"),
        )
        edges = (Edge("e1", "n1", relation, "n2"),) if relation else ()
        return check(
            (ladybug, star),
            Evidence(
                segments=segments, graphs=SceneGraphs(asked=Graph(), seen=Graph(nodes, edges))
            ),
        )

    assert right() == (2, 2)
    assert right(label="heart") == (1, 2)
    assert right(
        Attribute("color", "blue"), Attribute("shape", "star-shaped"), Attribute("state", "old")
    ) == (4, 4)
    assert right(Attribute("color", "red")) == (2, 3)
    sides = [right(relation=relation).right for relation in ("left of", "right of")]
    assert sorted(sides) == [2, 3]
    assert check((ladybug,), None) == NONE

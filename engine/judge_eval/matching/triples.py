"""Holds the graph that a metric made of a picture against what is drawn there, triple by triple.

A triple is right where the drawing says the same, and not counted where it says nothing of it. What
two things are to each other is taken from the exact masks and boxes.
"""

from collections.abc import Iterator, Mapping, Sequence

from hallascope.data.evidence import Evidence
from hallascope.data.graphs import Graph
from hallascope.data.masks import overlap
from hallascope.data.regions import Box
from hallascope.engine.judge_eval.matching.errors import SAME_PLACE
from hallascope.engine.trials.records import Share
from hallascope.metrics.detection.geometry import Center, center, middle, relations
from hallascope.primer.appearance import SHAPE_WORDS
from hallascope.primer.groups import SHAPE_NAMES
from hallascope.primer.truth.compositions import DrawnThing
from hallascope.primer.truth.perfect_models import is_called

NONE = Share(0, 0)


def check(drawn: Sequence[DrawnThing], evidence: Evidence | None) -> Share:
    """Check the triples of the seen graph: what each node is called, each attribute, each edge."""
    graphs = evidence.graphs if evidence else None
    if evidence is None or graphs is None:
        return NONE
    boxes = {segment.name: segment.box for segment in evidence.segments}
    by_node = {
        node.name: _thing_at(boxes[node.segment], drawn) if node.segment in boxes else None
        for node in graphs.seen.nodes
    }
    matches = [match for match in _triple_matches(graphs.seen, by_node) if match is not None]
    return Share(sum(matches), len(matches))


def _thing_at(box: Box, drawn: Sequence[DrawnThing]) -> DrawnThing | None:
    best = max(drawn, key=lambda thing: overlap(thing.box, box), default=None)
    return best if best and overlap(best.box, box) >= SAME_PLACE else None


def _triple_matches(
    graph: Graph, by_node: Mapping[str, DrawnThing | None]
) -> Iterator[bool | None]:
    """Yield for each triple whether it is right, None where the drawing does not say."""
    for node in graph.nodes:
        thing = by_node[node.name]
        yield thing is not None and is_called(node.label, thing)
        for attribute in node.attributes:
            yield _has_attribute(thing, attribute.kind, attribute.value)
    for edge in graph.edges:
        yield _are_related(by_node[edge.source], edge.relation, by_node[edge.target])


def _has_attribute(thing: DrawnThing | None, kind: str, value: str) -> bool | None:
    """Return whether a thing has an attribute, None where the drawing does not say.

    Concepts have a color at most.
    """
    if thing is None:
        return False
    attributes: dict[str, str | None] = {"color": thing.tone}
    if thing.name in SHAPE_NAMES:
        attributes["shape"] = SHAPE_WORDS[thing.name].casefold()
        attributes["texture"] = "plain"
    expected = attributes.get(kind)
    return None if expected is None else expected == value


def _are_related(source: DrawnThing | None, relation: str, target: DrawnThing | None) -> bool:
    if source is None or target is None:
        return False
    at = _middle(source)
    of = _middle(target)
    sides = {
        "left of": at.x < of.x,
        "right of": at.x > of.x,
        "above": at.y < of.y,
        "below": at.y > of.y,
    }
    if relation in sides:
        return sides[relation]
    return relation in relations(source.box, middle(source.box), target.box, middle(target.box))


def _middle(thing: DrawnThing) -> Center:
    return center(thing.mask) or middle(thing.box)

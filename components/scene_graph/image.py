"""Draws two scene graphs as a PNG file: the SVG of the page in the light colors."""

from hallascope.components.scene_graph.diagram import drawing
from hallascope.components.scene_graph.layout.placement import layout
from hallascope.components.scene_graph.links import link_graphs
from hallascope.components.theme.drawing import svg_png
from hallascope.data.evidence import Evidence

SCALE = 2  # px of the image for one of the page
LARGEST = 16_000  # px of a side; what would be larger is drawn smaller


def png(evidence: Evidence) -> bytes:
    """Return both graphs of the evidence as PNG, two px for each of the page.

    Raises ValueError where the evidence has no graphs.
    """
    links = link_graphs(evidence)
    if links is None:
        raise ValueError("There are no scene graphs to draw: evaluate the image with scene-graph.")
    placed = layout(links.pairs)
    zoom = min(SCALE, LARGEST / max(placed.width, placed.height))
    return svg_png(drawing(placed, links), "scene_graph/graph_drawing.css", zoom)

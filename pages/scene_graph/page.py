"""Builds Scene graph: the prompt's graph beside the image's, questions, errors and grade."""

from markupsafe import Markup

from hallascope.components.scene_graph.exhibit import columns
from hallascope.engine.services import Services
from hallascope.pages.scene_graph.graph_files import files
from hallascope.pages.shared.context import PageContext
from hallascope.pages.shared.evidence import tab
from hallascope.pages.shared.evidence.runs import EvidenceTab

TITLE = "Scene graph"
HELP = Markup("""<div class="lead"><p><strong>Scene-graph QA</strong> turns the prompt and the image
into graphs: objects, their color, shape and texture, and their relations. Questions are answered
only from the graph of the image, never from the image itself. <em>Grade</em> 1: nothing of
the prompt is there. <em>Grade</em> 7: all of it, and nothing else. Parts that could not be checked
are left out.</p></div>""")
TAB = EvidenceTab(metric="scene-graph", name="scene-graph", title=TITLE, help=HELP, columns=columns)


def build(services: Services, place: PageContext) -> None:
    """Lay the page out and connect it, with the graphs as files beneath the viewer."""
    files(services, *tab.build(services, place, TAB), TAB.metric)

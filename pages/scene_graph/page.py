"""Shows the prompt's graph beside the picture's, its questions, the errors and the grade.

Questions have their memory.
"""

from hallascope.components.evidence.scene_graph import columns
from hallascope.components.models.pickers import Option
from hallascope.engine.services import Services
from hallascope.pages.scene_graph.graph_files import files
from hallascope.pages.shared import evidence_tab
from hallascope.pages.shared.context import PageContext
from hallascope.pages.shared.evidence_runs import EvidenceSpec
from hallascope.pages.shared.evidence_tab import EvidenceTab, Page
from hallascope.pages.shared.pipeline_pickers import NOBODY, RolePicker

TITLE = "Scene graph"
HELP = """<div class="lead"><p><strong>Scene-graph QA</strong> makes a graph of the picture: the
things a detector finds, what a judge says of the colour, shape and texture of each, and how they
stand to each other by their boxes. The prompt becomes a graph, too, and then questions; each is
answered from the <em>memory</em>, the triples about its things, and from nothing else. Four kinds
of errors come of it: attributes, relations, what is missing, what nobody asked for; and a
<em>grade</em> from 1 (nothing of the prompt is there) to 7 (all of it, and nothing else). What
could not be looked at is left out and counted.</p></div>"""
LOOK = EvidenceSpec("scene-graph", columns)
POSTS = (
    RolePicker("detector"),
    RolePicker("segmenter"),
    RolePicker("judge"),
    RolePicker(
        "writer",
        Option(NOBODY, "Templates ask, and rules answer from the memory", called="none: by rule"),
        "Writer of questions",
    ),
)


def build(services: Services, place: PageContext) -> Page:
    """Lay the page out and connect it; beneath the viewer, the graphs as files."""
    page = evidence_tab.build(
        services, place, EvidenceTab(name="scene-graph", look=LOOK, posts=POSTS, help=HELP)
    )
    files(services, page, LOOK)
    return page

"""Builds Scene graph: the prompt's graph beside the picture's, questions, errors and grade."""

from markupsafe import Markup

from hallascope.components.models.pickers import Option
from hallascope.components.scene_graph.exhibit import columns
from hallascope.engine.services import Services
from hallascope.metrics.scene_graph.words.attributes import describing_words
from hallascope.pages.scene_graph.graph_files import files
from hallascope.pages.shared.context import PageContext
from hallascope.pages.shared.evidence import tab
from hallascope.pages.shared.evidence.pipeline_pickers import NOBODY, RolePicker
from hallascope.pages.shared.evidence.runs import EvidenceSpec
from hallascope.pages.shared.evidence.tab import EvidenceTab, Page

TITLE = "Scene graph"
HELP = Markup("""<div class="lead"><p><strong>Scene-graph QA</strong> makes a graph of the image:
the things a detector finds, what a judge says of the color, shape and texture of each, and how
they stand to each other by their boxes. The prompt becomes a graph, too, and then questions; each
is answered from the <em>memory</em>, the triples about its things, and from nothing else. Four
kinds of errors come of it: attributes, relations, what is missing, what not in the prompt; and a
<em>grade</em> from 1 (nothing of the prompt is there) to 7 (all of it, and nothing else). What
could not be looked at is left out and counted.</p></div>""")
SPEC = EvidenceSpec("scene-graph", columns)
ROLES = (
    RolePicker("detector"),
    RolePicker("segmenter"),
    RolePicker("judge"),
    RolePicker(
        "writer",
        Option(NOBODY, "Templates ask, and rules answer from the memory", called="none: by rule"),
        "Writer of questions",
    ),
    RolePicker(
        "parser",
        Option(
            NOBODY,
            "Rules read the prompt; a judge or writer that can, what they are not sure of",
            called="none: by rule",
        ),
    ),
)


def build(services: Services, place: PageContext) -> Page:
    """Lay the page out and connect it, with the graphs as files beneath the viewer."""
    page = tab.build(
        services,
        place,
        EvidenceTab(
            name="scene-graph",
            title=TITLE,
            spec=SPEC,
            roles=ROLES,
            help=HELP,
            describing=describing_words,
        ),
    )
    files(services, page, SPEC)
    return page

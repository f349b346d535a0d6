"""Scene graph: the graph of the prompt beside that of the picture, its questions with their memory, the errors and the grade."""

from components.pickers import Option
from components.scene import columns
from engine.services import Services
from pages import eyes
from pages.eyes import Page, Tab
from pages.graph_files import files
from pages.lineups import NOBODY, Post
from pages.looking import Look
from pages.place import Place

TITLE = "Scene graph"
HELP = """<div class="lead"><p><strong>Scene-graph QA</strong> makes a graph of the picture: the things a detector finds, what a judge says
of the colour, shape and texture of each, and how they stand to each other by their boxes. The prompt becomes a graph, too, and then
questions; each is answered from the <em>memory</em>, the triples about its things, and from nothing else. Four kinds of errors come of it:
attributes, relations, what is missing, what nobody asked for; and a <em>grade</em> from 1 (nothing of the prompt is there) to 7 (all of it,
and nothing else). What could not be looked at is left out and counted.</p></div>"""
LOOK = Look("scene-graph", columns)
POSTS = (
    Post("detector"),
    Post("segmenter"),
    Post("judge"),
    Post("writer", Option(NOBODY, "Templates ask, and rules answer from the memory", called="none: by rule"), "Writer of questions"),
)


def build(services: Services, place: Place) -> Page:
    """Lay the page out and connect it; beneath the viewer, the graphs as files."""
    page = eyes.build(services, place, Tab("scene-graph", LOOK, POSTS, HELP))
    files(services, page, LOOK)
    return page

"""Names the files of a site, by ids and never by what people wrote."""

from hallascope.engine.events import GeneratedPicture
from hallascope.engine.export.folder import slug
from hallascope.engine.run.result import RunResult

IMAGES = "images"
THUMBS = "thumbs"


def index(number: int = 1) -> str:
    """Return the page of the index of that number, from 1."""
    return "index.html" if number == 1 else f"prompts-{number}.html"


def run(view: RunResult) -> str:
    """Return the page of a run."""
    return f"runs/{slug(view.run)}.html"


def picture(view: RunResult, shot: GeneratedPicture) -> str:
    """Return the page of a picture; a place may be in several runs."""
    return f"pictures/{slug(view.run)}.{slug(shot.generation)}.html"


def image(sha256: str) -> str:
    """Return the file of a picture."""
    return f"{IMAGES}/{sha256}.png"


def thumbnail(sha256: str) -> str:
    """Return the file of the thumbnail of a picture."""
    return f"{THUMBS}/{sha256}.webp"

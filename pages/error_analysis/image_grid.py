"""Shows a grid of images: prompts by models, or any two settings."""

from hallascope.engine.services import Services
from hallascope.pages.error_analysis.selection_bar import SelectionBar
from hallascope.pages.shared.context import PageContext


def build(services: Services, place: PageContext, bar: SelectionBar) -> None:
    """Lay the part out and connect it."""

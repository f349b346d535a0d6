"""Builds the Trust tab: how good the judges are, what people label, how well both agree."""

from functools import partial

from hallascope.engine.services import Services
from hallascope.pages.agreement import page as agreement
from hallascope.pages.judges import page as judges
from hallascope.pages.labels import page as labels
from hallascope.pages.shared.context import PageContext

TITLE = "Trust"
_PAGES = {"judges": judges, "labels": labels, "agreement": agreement}
PARTS = {name: page.TITLE for name, page in _PAGES.items()}


def build(services: Services, place: PageContext) -> None:
    """Lay the parts out."""
    place.build_parts(
        {name: (page.TITLE, partial(page.build, services)) for name, page in _PAGES.items()}
    )

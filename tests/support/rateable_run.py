"""A run whose pictures people rate."""

from typing import Any

from hallascope.data.records import NONE_OF_THE_ABOVE
from hallascope.data.requests import Answer
from hallascope.engine import ratings
from hallascope.engine.ratings import Rateable

PROMPT = "a molecule of methane"


def gold(ask: Any) -> Any:
    """Says D to everything that has such a choice."""
    return Answer("D" if len(ask.choices) > 3 else NONE_OF_THE_ABOVE)


def rateable_pictures(services: Any, who: str = "ann", run: str | None = None) -> list[Rateable]:
    return ratings.rateable_pictures(services, run, who)

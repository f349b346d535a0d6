"""Holds what a Primer prompt asks for: groups of things, numbers, and relations.

A relation is how two groups stand to each other.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from hallascope.primer.shapes import SHAPES
from hallascope.primer.world import Concept

SpatialRelation = Literal["left", "right", "above", "below"]
OPPOSITE: Mapping[SpatialRelation, SpatialRelation] = {
    "left": "right",
    "right": "left",
    "above": "below",
    "below": "above",
}
NUMBERS = ("zero", "one", "two", "three", "four", "five", "six")
SHAPE_NAMES = frozenset(shape.name for shape in SHAPES)


@dataclass(frozen=True)
class ConceptGroup:
    """Holds how many of one thing; `color` only where the thing is a plain shape."""

    concept: Concept
    count: int = 1
    color: str | None = None

    @property
    def counted_name(self) -> str:
        return self.concept.plural if self.count != 1 else self.concept.name

    @property
    def plain(self) -> bool:
        """Return whether it is a group of plain shapes."""
        return self.concept.name in SHAPE_NAMES


def key(groups: Sequence[ConceptGroup], index: int, parameter: str) -> str:
    """Return the name of a concept's parameter in a scene of these groups.

    A group alone on the picture keeps its own names.
    """
    return parameter if len(groups) == 1 or parameter == "scene" else f"{index}.{parameter}"

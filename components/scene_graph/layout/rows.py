"""Holds the rows and relations in which two scene graphs are set side by side."""

from dataclasses import dataclass
from typing import Literal

from hallascope.components.html.signs import SignKind
from hallascope.data.graphs import Edge, Node

GraphSide = Literal["asked", "seen"]
Section = Literal["asked", "also", "extraneous"]
NOT_SEEN = "not seen"
CHANGED = " → "  # between what was asked and what is seen


@dataclass(frozen=True)
class AttributeLabel:
    """Is an attribute in words; where another was asked for than is seen, "red → green"."""

    text: str
    kind: SignKind | None = None


@dataclass(frozen=True)
class LayoutNode:
    """Is a node as shown. `missing`: it was asked for and is not there, or could not be told."""

    node: Node
    values: tuple[AttributeLabel, ...] = ()
    kind: SignKind | None = None
    missing: bool = False


@dataclass(frozen=True)
class NodeRow:
    """Holds one row: what was asked, and what it is in the image.

    The section "also" is of what is seen, asked by nobody and no error; "extraneous" is of errors.
    `findings`: by index, what rests on it.
    """

    asked: tuple[LayoutNode, ...]
    seen: tuple[LayoutNode, ...]
    section: Section
    kind: SignKind | None
    findings: tuple[int, ...] = ()

    @property
    def things(self) -> tuple[LayoutNode, ...]:
        """Return the nodes of both sides."""
        return (*self.asked, *self.seen)


@dataclass(frozen=True)
class RelationRow:
    """Holds an edge asked for with all that it is in the image, or a seen one not asked for.

    `instead`: what is seen in the place of what was asked. `quiet`: nothing rests on it.
    """

    asked: Edge | None
    seen: tuple[Edge, ...]
    kind: SignKind | None
    findings: tuple[int, ...] = ()
    instead: str = ""

    @property
    def quiet(self) -> bool:
        """Say whether nothing rests on it."""
        return self.asked is None and not self.findings and self.kind is None


@dataclass(frozen=True)
class Pairs:
    """Holds all rows as they are shown, and all relations: those asked for first.

    Those that nothing rests on come last.
    """

    slots: tuple[NodeRow, ...]
    relations: tuple[RelationRow, ...]

    def slot_of(self, side: GraphSide, name: str) -> int | None:
        """Return the index of the slot of a node of that side; None where there is none."""
        for i, slot in enumerate(self.slots):
            if name in {thing.node.name for thing in getattr(slot, side)}:
                return i
        return None

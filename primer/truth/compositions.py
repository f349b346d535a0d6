"""Compares what a picture shows with what its prompt asks for, thing by thing, and finds errors.

Asked for and drawn are compared by kind and color of the things, so that no error follows from how
it came about.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, NamedTuple

from hallascope.data import masks
from hallascope.data.lexicon import without_article
from hallascope.data.regions import Box, Mask
from hallascope.primer.appearance import RenderedScene
from hallascope.primer.compose import PlacedConcept, compose
from hallascope.primer.drawing.layout import cells
from hallascope.primer.drawing.parts import Art, Drawing
from hallascope.primer.groups import NUMBERS, ConceptGroup, SpatialRelation
from hallascope.primer.scenes import RELATION_PHRASES, Scene, nouns
from hallascope.primer.shapes import COLORS
from hallascope.primer.world import Concept, FactValues

ErrorKind = Literal["omission", "extraneous", "color", "number", "position"]
SIZE = 512  # px of masks


class CompositionError(NamedTuple):
    """Holds one thing that is wrong: of what, what was asked for, and what is drawn.

    `asked` and `drawn` are words; "" where nothing is asked for or drawn.
    """

    kind: ErrorKind
    subject: str
    asked: str
    drawn: str


class CompositionItem(NamedTuple):
    """Holds a thing to be drawn; `color` only where it is a plain shape."""

    concept: Concept
    color: str | None

    @property
    def values(self) -> FactValues:
        return self.concept.truths() | ({"colour": self.color} if self.color else {})


class DrawnThing(NamedTuple):
    """Holds a drawn thing: its singular name, a plain shape's color, and where it is seen.

    `tone` is the color that covers most of it, plain shape or not; None where there is no one.
    """

    name: str
    color: str | None
    box: Box
    mask: Mask
    tone: str | None = None

    def is_called(self, phrase: str) -> bool:
        """Return whether it goes by a phrase: a name of its concept, with or without its color.

        The name is that in the Primer world.
        """
        words = without_article(" ".join(phrase.casefold().split()))
        color = next((color for color in COLORS if words.startswith(f"{color} ")), None)
        noun = nouns().get(words.removeprefix(f"{color} "))
        return noun is not None and noun.concept.name == self.name and color in (None, self.color)


@dataclass(frozen=True)
class Composition:
    """A picture for a prompt. `scene` is what the prompt asks for.

    `sides` holds what is drawn: for each group of the scene its things, then things nobody asked
    for that stand with it. `relation` is how the first side stands to the second, where the prompt
    says how it should.
    """

    seed: int
    scene: Scene
    sides: tuple[tuple[CompositionItem, ...], ...]
    relation: SpatialRelation | None

    @property
    def prompt(self) -> str:
        return self.scene.prompt

    @property
    def items(self) -> tuple[CompositionItem, ...]:
        """Return all things in the order in which they are drawn."""
        return tuple(item for side in self.sides for item in side)

    @cached_property
    def errors(self) -> tuple[CompositionError, ...]:
        """Return all that is wrong, in the order of the prompt.

        () where the picture shows what was asked for.
        """
        return tuple(_errors(self))

    @cached_property
    def drawing(self) -> Drawing:
        """The picture; the same seed always gives the same.

        The things of two sides stand apart as the relation says, unless one side is empty. A thing
        alone stands where it lives.
        """
        art = Art(f"composition {self.seed}")
        relation = self.relation if all(self.sides) else None
        places = cells([len(side) for side in self.sides], relation, art)
        scene = self.items[0].concept.scene if len(self.items) == 1 else "plain"
        placed = [
            PlacedConcept(item.concept, item.values, *cell)
            for item, cell in zip(self.items, places, strict=True)
        ]
        return compose(placed, scene, art)

    def items_of(self, group: ConceptGroup) -> tuple[CompositionItem, ...]:
        """Return what is drawn of the kind of thing that a group asks for."""
        return tuple(item for item in self.items if item.concept == group.concept)

    @property
    def extras(self) -> tuple[CompositionItem, ...]:
        """Return what is drawn and nobody asked for."""
        asked = [group.concept for group in self.scene.groups]
        return tuple(item for item in self.items if item.concept not in asked)


def things(made: Composition, size: int = SIZE) -> tuple[DrawnThing, ...]:
    """Return all things that are drawn, in the order drawn.

    Masks are exact, of `size` x `size` px.
    """
    view = RenderedScene(made.scene, {}, made.drawing, size)
    drawn = []
    for item, indices in zip(made.items, view.things, strict=True):
        pixels = view.mask(indices)
        box = masks.bounds(pixels)
        if box:
            tone = item.color or view.color_of(indices)
            mask = masks.encode(pixels)
            drawn.append(DrawnThing(item.concept.name, item.color, box, mask, tone))
    return tuple(drawn)


# --- what is wrong


def _errors(made: Composition) -> Iterator[CompositionError]:
    for group in made.scene.groups:
        yield from _of_group(group, made.items_of(group))
    asked = made.scene.relation
    if asked and asked != made.relation and all(map(made.items_of, made.scene.groups)):
        yield CompositionError(
            "position",
            made.scene.groups[0].concept.name,
            RELATION_PHRASES[asked],
            RELATION_PHRASES[made.relation] if made.relation else "",
        )
    extras = {item.concept.name: item.concept for item in made.extras}
    for name, count in Counter(item.concept.name for item in made.extras).items():
        yield CompositionError(
            "extraneous", name, "", f"{NUMBERS[count]} {extras[name].plural if count > 1 else name}"
        )


def _of_group(group: ConceptGroup, drawn: Sequence[CompositionItem]) -> Iterator[CompositionError]:
    """Yield the errors of one group.

    A number is only asked for where the prompt says one: "a circle" is not one circle.
    """
    name = group.concept.name
    if not drawn:
        yield CompositionError("omission", name, group.counted_name, "")
        return
    if len(drawn) != group.count > 1:
        yield CompositionError("number", name, NUMBERS[group.count], NUMBERS[len(drawn)])
    colors = sorted({item.color for item in drawn if item.color})
    if group.color and colors != [group.color]:
        yield CompositionError("color", name, group.color, " and ".join(colors))

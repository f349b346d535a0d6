"""Makes compositions with a prompt and what is drawn for it."""

from hallascope.primer.groups import SpatialRelation
from hallascope.primer.scenes import parse
from hallascope.primer.truth.compositions import Composition, CompositionItem


def made_of(prompt: str, *sides: str, relation: SpatialRelation | None = None) -> Composition:
    """A composition by hand: what stands on each side as a prompt of its own."""
    drawn = [
        (
            [
                CompositionItem(g.concept, g.color)
                for words in side.split(" and ")
                for g in parse(words).groups
                for _ in range(g.count)
            ]
            if side
            else []
        )
        for side in sides
    ]
    scene = parse(prompt)
    return Composition(0, scene, tuple(map(tuple, drawn)), relation if relation else scene.relation)

"""Places concepts on a backdrop and draws them as one picture."""

from collections.abc import Sequence
from typing import NamedTuple

from hallascope.primer.drawing.backdrops import backdrop
from hallascope.primer.drawing.parts import Art, Drawing
from hallascope.primer.world import Concept, FactValues


class PlacedConcept(NamedTuple):
    """Holds a concept with its drawn values at a place.

    Center and size are in hundredths of the picture.
    """

    concept: Concept
    values: FactValues
    x: float
    y: float
    size: float


def compose(placed: Sequence[PlacedConcept], scene: str, art: Art) -> Drawing:
    """Return the drawing of all placed concepts over the scene.

    The same arguments and seed give the same bytes.
    """
    ground = backdrop(scene, art)
    parts = []
    for item in placed:
        turn = art.vary(-item.concept.tilt, item.concept.tilt)
        flip = -1 if item.concept.mirror and art.random.random() < 0.5 else 1
        scale = item.size / 100
        transform = (
            f"translate({item.x:.2f} {item.y:.2f}) rotate({turn:.2f}) scale({flip * scale:.4f}"
            f" {scale:.4f})"
        )
        for drawn in item.concept.draw(item.values, art):
            parts.append(drawn.with_transform(transform, item.concept.name))
    return Drawing(ground, tuple(parts))


def portrait(concept: Concept, values: FactValues, seed: int | str) -> Drawing:
    """Return one concept alone, with chance in place and size."""
    art = Art(seed)
    item = PlacedConcept(concept, values, art.vary(47, 53), art.vary(47, 53), art.vary(78, 92))
    return compose([item], str(values.get("scene", concept.scene)), art)

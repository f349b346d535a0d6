"""The drawings of the domain plant; `forms` holds what several of them share."""

from collections.abc import Mapping

from hallascope.primer.concepts.plant import (
    bamboo,
    coconut_palm,
    saguaro_cactus,
    strawberry,
    sunflower,
    tulip,
    water_lily,
    white_clover_leaf,
)
from hallascope.primer.world import ConceptRenderer

# By the names of their tables in `facts.toml`.
DRAWINGS: Mapping[str, ConceptRenderer] = {
    "bamboo": bamboo.draw,
    "coconut_palm": coconut_palm.draw,
    "saguaro_cactus": saguaro_cactus.draw,
    "strawberry": strawberry.draw,
    "sunflower": sunflower.draw,
    "tulip": tulip.draw,
    "water_lily": water_lily.draw,
    "white_clover_leaf": white_clover_leaf.draw,
}

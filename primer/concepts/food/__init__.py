"""The drawings of the domain food; `forms` holds what several of them share."""

from collections.abc import Mapping

from hallascope.primer.concepts.food import (
    avocado_half,
    bibimbap,
    fried_egg,
    hamburger,
    mooncake,
    nigiri_sushi,
    pizza_margherita,
    watermelon_slice,
)
from hallascope.primer.world import ConceptRenderer

# By the names of their tables in `facts.toml`.
DRAWINGS: Mapping[str, ConceptRenderer] = {
    "avocado_half": avocado_half.draw,
    "bibimbap": bibimbap.draw,
    "fried_egg": fried_egg.draw,
    "hamburger": hamburger.draw,
    "mooncake": mooncake.draw,
    "nigiri_sushi": nigiri_sushi.draw,
    "pizza_margherita": pizza_margherita.draw,
    "watermelon_slice": watermelon_slice.draw,
}

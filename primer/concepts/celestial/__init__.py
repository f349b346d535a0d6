"""The drawings of the domain celestial; `forms` holds what several of them share."""

from collections.abc import Mapping

from hallascope.primer.concepts.celestial import (
    big_dipper,
    comet,
    earth,
    jupiter,
    mars,
    saturn,
    sun,
    waxing_crescent_moon,
)
from hallascope.primer.world import ConceptRenderer

# By the names of their tables in `facts.toml`.
DRAWINGS: Mapping[str, ConceptRenderer] = {
    "big_dipper": big_dipper.draw,
    "comet": comet.draw,
    "earth": earth.draw,
    "jupiter": jupiter.draw,
    "mars": mars.draw,
    "saturn": saturn.draw,
    "sun": sun.draw,
    "waxing_crescent_moon": waxing_crescent_moon.draw,
}

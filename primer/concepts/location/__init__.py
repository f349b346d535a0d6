"""The drawings of the domain location; `forms` holds what several of them share."""

from collections.abc import Mapping

from hallascope.primer.concepts.location import (
    eiffel_tower,
    five_storied_pagoda,
    great_wall_of_china,
    medieval_castle,
    parthenon,
    pyramids_of_giza,
    stonehenge,
    torii_gate,
)
from hallascope.primer.world import ConceptRenderer

# By the names of their tables in `facts.toml`.
DRAWINGS: Mapping[str, ConceptRenderer] = {
    "eiffel_tower": eiffel_tower.draw,
    "five_storied_pagoda": five_storied_pagoda.draw,
    "great_wall_of_china": great_wall_of_china.draw,
    "medieval_castle": medieval_castle.draw,
    "parthenon": parthenon.draw,
    "pyramids_of_giza": pyramids_of_giza.draw,
    "stonehenge": stonehenge.draw,
    "torii_gate": torii_gate.draw,
}

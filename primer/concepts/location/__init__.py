"""The concepts of the domain location, one file each; `forms` holds what several of them share."""

from hallascope.primer.concepts.location.eiffel_tower import EIFFEL
from hallascope.primer.concepts.location.five_storied_pagoda import PAGODA
from hallascope.primer.concepts.location.great_wall_of_china import GREAT_WALL
from hallascope.primer.concepts.location.medieval_castle import CASTLE
from hallascope.primer.concepts.location.parthenon import PARTHENON
from hallascope.primer.concepts.location.pyramids_of_giza import PYRAMIDS
from hallascope.primer.concepts.location.stonehenge import STONEHENGE
from hallascope.primer.concepts.location.torii_gate import TORII
from hallascope.primer.world import Concept

CONCEPTS: tuple[Concept, ...] = (
    PYRAMIDS,
    PARTHENON,
    STONEHENGE,
    GREAT_WALL,
    PAGODA,
    TORII,
    EIFFEL,
    CASTLE,
)

"""The concepts of the domain location, one file each; `forms` holds what several of them share."""

from data.primer.concepts.location.eiffel_tower import EIFFEL
from data.primer.concepts.location.five_storied_pagoda import PAGODA
from data.primer.concepts.location.great_wall_of_china import GREAT_WALL
from data.primer.concepts.location.medieval_castle import CASTLE
from data.primer.concepts.location.parthenon import PARTHENON
from data.primer.concepts.location.pyramids_of_giza import PYRAMIDS
from data.primer.concepts.location.stonehenge import STONEHENGE
from data.primer.concepts.location.torii_gate import TORII
from data.primer.world import Concept

CONCEPTS: tuple[Concept, ...] = (PYRAMIDS, PARTHENON, STONEHENGE, GREAT_WALL, PAGODA, TORII, EIFFEL, CASTLE)

"""The drawings of the domain artifact; `forms` holds what several of them share."""

from collections.abc import Mapping

from hallascope.primer.concepts.artifact import (
    bar_magnet,
    comb_pattern_pot,
    flag_of_france,
    flag_of_japan,
    glass_prism,
    methane,
    traffic_light,
    viking_longship,
    water_molecule,
)
from hallascope.primer.world import ConceptRenderer

# By the names of their tables in `facts.toml`.
DRAWINGS: Mapping[str, ConceptRenderer] = {
    "bar_magnet": bar_magnet.draw,
    "comb_pattern_pot": comb_pattern_pot.draw,
    "flag_of_france": flag_of_france.draw,
    "flag_of_japan": flag_of_japan.draw,
    "glass_prism": glass_prism.draw,
    "methane": methane.draw,
    "traffic_light": traffic_light.draw,
    "viking_longship": viking_longship.draw,
    "water_molecule": water_molecule.draw,
}

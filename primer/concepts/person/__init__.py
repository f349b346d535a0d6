"""The drawings of the domain person; `forms` holds what several of them share."""

from collections.abc import Mapping

from hallascope.primer.concepts.person import (
    astronaut,
    firefighter,
    medieval_knight,
    pharaoh,
    roman_legionary,
    samurai,
    terracotta_warrior,
    woman_in_a_hanbok,
)
from hallascope.primer.world import ConceptRenderer

# By the names of their tables in `facts.toml`.
DRAWINGS: Mapping[str, ConceptRenderer] = {
    "astronaut": astronaut.draw,
    "firefighter": firefighter.draw,
    "medieval_knight": medieval_knight.draw,
    "pharaoh": pharaoh.draw,
    "roman_legionary": roman_legionary.draw,
    "samurai": samurai.draw,
    "terracotta_warrior": terracotta_warrior.draw,
    "woman_in_a_hanbok": woman_in_a_hanbok.draw,
}

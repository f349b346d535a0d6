"""The concepts of the domain artifact, one file each; `forms` holds what several of them share."""

from hallascope.primer.concepts.artifact.bar_magnet import MAGNET
from hallascope.primer.concepts.artifact.comb_pattern_pot import POT
from hallascope.primer.concepts.artifact.flag_of_france import FLAG_OF_FRANCE
from hallascope.primer.concepts.artifact.flag_of_japan import FLAG_OF_JAPAN
from hallascope.primer.concepts.artifact.glass_prism import PRISM
from hallascope.primer.concepts.artifact.methane import METHANE
from hallascope.primer.concepts.artifact.traffic_light import TRAFFIC_LIGHT
from hallascope.primer.concepts.artifact.viking_longship import LONGSHIP
from hallascope.primer.concepts.artifact.water_molecule import WATER
from hallascope.primer.world import Concept

CONCEPTS: tuple[Concept, ...] = (
    METHANE,
    WATER,
    TRAFFIC_LIGHT,
    POT,
    PRISM,
    LONGSHIP,
    FLAG_OF_FRANCE,
    FLAG_OF_JAPAN,
    MAGNET,
)

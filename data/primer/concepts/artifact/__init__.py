"""The concepts of the domain artifact, one file each; `forms` holds what several of them share."""

from data.primer.concepts.artifact.bar_magnet import MAGNET
from data.primer.concepts.artifact.comb_pattern_pot import POT
from data.primer.concepts.artifact.flag_of_france import FLAG_OF_FRANCE
from data.primer.concepts.artifact.flag_of_japan import FLAG_OF_JAPAN
from data.primer.concepts.artifact.glass_prism import PRISM
from data.primer.concepts.artifact.methane import METHANE
from data.primer.concepts.artifact.traffic_light import TRAFFIC_LIGHT
from data.primer.concepts.artifact.viking_longship import LONGSHIP
from data.primer.concepts.artifact.water_molecule import WATER
from data.primer.world import Concept

CONCEPTS: tuple[Concept, ...] = (METHANE, WATER, TRAFFIC_LIGHT, POT, PRISM, LONGSHIP, FLAG_OF_FRANCE, FLAG_OF_JAPAN, MAGNET)

"""The concepts of the domain plant, one file each; `forms` holds what several of them share."""

from hallascope.primer.concepts.plant.bamboo import BAMBOO
from hallascope.primer.concepts.plant.coconut_palm import PALM
from hallascope.primer.concepts.plant.saguaro_cactus import SAGUARO
from hallascope.primer.concepts.plant.strawberry import STRAWBERRY
from hallascope.primer.concepts.plant.sunflower import SUNFLOWER
from hallascope.primer.concepts.plant.tulip import TULIP
from hallascope.primer.concepts.plant.water_lily import LILY
from hallascope.primer.concepts.plant.white_clover_leaf import CLOVER
from hallascope.primer.world import Concept

CONCEPTS: tuple[Concept, ...] = (SUNFLOWER, SAGUARO, CLOVER, TULIP, BAMBOO, LILY, PALM, STRAWBERRY)

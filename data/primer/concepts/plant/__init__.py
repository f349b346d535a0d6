"""The concepts of the domain plant, one file each; `forms` holds what several of them share."""

from data.primer.concepts.plant.bamboo import BAMBOO
from data.primer.concepts.plant.coconut_palm import PALM
from data.primer.concepts.plant.saguaro_cactus import SAGUARO
from data.primer.concepts.plant.strawberry import STRAWBERRY
from data.primer.concepts.plant.sunflower import SUNFLOWER
from data.primer.concepts.plant.tulip import TULIP
from data.primer.concepts.plant.water_lily import LILY
from data.primer.concepts.plant.white_clover_leaf import CLOVER
from data.primer.world import Concept

CONCEPTS: tuple[Concept, ...] = (SUNFLOWER, SAGUARO, CLOVER, TULIP, BAMBOO, LILY, PALM, STRAWBERRY)

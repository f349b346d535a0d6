"""The concepts of the domain food, one file each; `forms` holds what several of them share."""

from hallascope.primer.concepts.food.avocado_half import AVOCADO
from hallascope.primer.concepts.food.bibimbap import BIBIMBAP
from hallascope.primer.concepts.food.fried_egg import FRIED_EGG
from hallascope.primer.concepts.food.hamburger import HAMBURGER
from hallascope.primer.concepts.food.mooncake import MOONCAKE
from hallascope.primer.concepts.food.nigiri_sushi import NIGIRI
from hallascope.primer.concepts.food.pizza_margherita import PIZZA
from hallascope.primer.concepts.food.watermelon_slice import WATERMELON
from hallascope.primer.world import Concept

CONCEPTS: tuple[Concept, ...] = (
    FRIED_EGG,
    NIGIRI,
    BIBIMBAP,
    HAMBURGER,
    PIZZA,
    WATERMELON,
    AVOCADO,
    MOONCAKE,
)

"""The concepts of the domain food, one file each; `forms` holds what several of them share."""

from data.primer.concepts.food.avocado_half import AVOCADO
from data.primer.concepts.food.bibimbap import BIBIMBAP
from data.primer.concepts.food.fried_egg import FRIED_EGG
from data.primer.concepts.food.hamburger import HAMBURGER
from data.primer.concepts.food.mooncake import MOONCAKE
from data.primer.concepts.food.nigiri_sushi import NIGIRI
from data.primer.concepts.food.pizza_margherita import PIZZA
from data.primer.concepts.food.watermelon_slice import WATERMELON
from data.primer.world import Concept

CONCEPTS: tuple[Concept, ...] = (FRIED_EGG, NIGIRI, BIBIMBAP, HAMBURGER, PIZZA, WATERMELON, AVOCADO, MOONCAKE)

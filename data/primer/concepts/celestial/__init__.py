"""The concepts of the domain celestial, one file each; `forms` holds what several of them share."""

from data.primer.concepts.celestial.big_dipper import BIG_DIPPER
from data.primer.concepts.celestial.comet import COMET
from data.primer.concepts.celestial.earth import EARTH
from data.primer.concepts.celestial.jupiter import JUPITER
from data.primer.concepts.celestial.mars import MARS
from data.primer.concepts.celestial.saturn import SATURN
from data.primer.concepts.celestial.sun import SUN
from data.primer.concepts.celestial.waxing_crescent_moon import CRESCENT
from data.primer.world import Concept

CONCEPTS: tuple[Concept, ...] = (SATURN, JUPITER, EARTH, MARS, CRESCENT, COMET, BIG_DIPPER, SUN)

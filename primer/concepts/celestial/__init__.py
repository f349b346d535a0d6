"""The concepts of the domain celestial, one file each; `forms` holds what several of them share."""

from hallascope.primer.concepts.celestial.big_dipper import BIG_DIPPER
from hallascope.primer.concepts.celestial.comet import COMET
from hallascope.primer.concepts.celestial.earth import EARTH
from hallascope.primer.concepts.celestial.jupiter import JUPITER
from hallascope.primer.concepts.celestial.mars import MARS
from hallascope.primer.concepts.celestial.saturn import SATURN
from hallascope.primer.concepts.celestial.sun import SUN
from hallascope.primer.concepts.celestial.waxing_crescent_moon import CRESCENT
from hallascope.primer.world import Concept

CONCEPTS: tuple[Concept, ...] = (SATURN, JUPITER, EARTH, MARS, CRESCENT, COMET, BIG_DIPPER, SUN)

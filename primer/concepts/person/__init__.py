"""The concepts of the domain person, one file each; `forms` holds what several of them share."""

from hallascope.primer.concepts.person.astronaut import ASTRONAUT
from hallascope.primer.concepts.person.firefighter import FIREFIGHTER
from hallascope.primer.concepts.person.medieval_knight import KNIGHT
from hallascope.primer.concepts.person.pharaoh import PHARAOH
from hallascope.primer.concepts.person.roman_legionary import LEGIONARY
from hallascope.primer.concepts.person.samurai import SAMURAI
from hallascope.primer.concepts.person.terracotta_warrior import TERRACOTTA
from hallascope.primer.concepts.person.woman_in_a_hanbok import HANBOK
from hallascope.primer.world import Concept

CONCEPTS: tuple[Concept, ...] = (
    PHARAOH,
    LEGIONARY,
    KNIGHT,
    SAMURAI,
    TERRACOTTA,
    ASTRONAUT,
    FIREFIGHTER,
    HANBOK,
)

"""The concepts of the domain person, one file each; `forms` holds what several of them share."""

from data.primer.concepts.person.astronaut import ASTRONAUT
from data.primer.concepts.person.firefighter import FIREFIGHTER
from data.primer.concepts.person.medieval_knight import KNIGHT
from data.primer.concepts.person.pharaoh import PHARAOH
from data.primer.concepts.person.roman_legionary import LEGIONARY
from data.primer.concepts.person.samurai import SAMURAI
from data.primer.concepts.person.terracotta_warrior import TERRACOTTA
from data.primer.concepts.person.woman_in_a_hanbok import HANBOK
from data.primer.world import Concept

CONCEPTS: tuple[Concept, ...] = (PHARAOH, LEGIONARY, KNIGHT, SAMURAI, TERRACOTTA, ASTRONAUT, FIREFIGHTER, HANBOK)

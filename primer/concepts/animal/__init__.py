"""The concepts of the domain animal, one file each; `forms` holds what several of them share."""

from hallascope.primer.concepts.animal.bat import BAT
from hallascope.primer.concepts.animal.flamingo import FLAMINGO
from hallascope.primer.concepts.animal.honeybee import HONEYBEE
from hallascope.primer.concepts.animal.ladybug import LADYBUG
from hallascope.primer.concepts.animal.octopus import OCTOPUS
from hallascope.primer.concepts.animal.penguin import PENGUIN
from hallascope.primer.concepts.animal.spider import SPIDER
from hallascope.primer.concepts.animal.zebra import ZEBRA
from hallascope.primer.world import Concept

CONCEPTS: tuple[Concept, ...] = (LADYBUG, HONEYBEE, SPIDER, OCTOPUS, ZEBRA, PENGUIN, BAT, FLAMINGO)

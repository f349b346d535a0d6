"""The concepts of the domain animal, one file each; `forms` holds what several of them share."""

from data.primer.concepts.animal.bat import BAT
from data.primer.concepts.animal.flamingo import FLAMINGO
from data.primer.concepts.animal.honeybee import HONEYBEE
from data.primer.concepts.animal.ladybug import LADYBUG
from data.primer.concepts.animal.octopus import OCTOPUS
from data.primer.concepts.animal.penguin import PENGUIN
from data.primer.concepts.animal.spider import SPIDER
from data.primer.concepts.animal.zebra import ZEBRA
from data.primer.world import Concept

CONCEPTS: tuple[Concept, ...] = (LADYBUG, HONEYBEE, SPIDER, OCTOPUS, ZEBRA, PENGUIN, BAT, FLAMINGO)

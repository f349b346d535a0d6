"""The drawings of the domain animal; `forms` holds what several of them share."""

from collections.abc import Mapping

from hallascope.primer.concepts.animal import (
    bat,
    flamingo,
    honeybee,
    ladybug,
    octopus,
    penguin,
    spider,
    zebra,
)
from hallascope.primer.world import ConceptRenderer

# By the names of their tables in `facts.toml`.
DRAWINGS: Mapping[str, ConceptRenderer] = {
    "bat": bat.draw,
    "flamingo": flamingo.draw,
    "honeybee": honeybee.draw,
    "ladybug": ladybug.draw,
    "octopus": octopus.draw,
    "penguin": penguin.draw,
    "spider": spider.draw,
    "zebra": zebra.draw,
}

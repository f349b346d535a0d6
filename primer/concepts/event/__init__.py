"""The drawings of the domain event; `forms` holds what several of them share."""

from collections.abc import Mapping

from hallascope.primer.concepts.event import (
    christmas,
    lantern_festival,
    rainbow,
    raising_of_the_olympic_flag,
    thunderstorm,
    tornado,
    total_solar_eclipse,
    volcanic_eruption,
)
from hallascope.primer.world import ConceptRenderer

# By the names of their tables in `facts.toml`.
DRAWINGS: Mapping[str, ConceptRenderer] = {
    "christmas": christmas.draw,
    "lantern_festival": lantern_festival.draw,
    "rainbow": rainbow.draw,
    "raising_of_the_olympic_flag": raising_of_the_olympic_flag.draw,
    "thunderstorm": thunderstorm.draw,
    "tornado": tornado.draw,
    "total_solar_eclipse": total_solar_eclipse.draw,
    "volcanic_eruption": volcanic_eruption.draw,
}

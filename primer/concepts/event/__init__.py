"""The concepts of the domain event, one file each; `forms` holds what several of them share."""

from hallascope.primer.concepts.event.christmas import CHRISTMAS
from hallascope.primer.concepts.event.lantern_festival import LANTERN_FESTIVAL
from hallascope.primer.concepts.event.rainbow import RAINBOW
from hallascope.primer.concepts.event.raising_of_the_olympic_flag import OLYMPIC_FLAG
from hallascope.primer.concepts.event.thunderstorm import THUNDERSTORM
from hallascope.primer.concepts.event.tornado import TORNADO
from hallascope.primer.concepts.event.total_solar_eclipse import ECLIPSE
from hallascope.primer.concepts.event.volcanic_eruption import VOLCANO
from hallascope.primer.world import Concept

CONCEPTS: tuple[Concept, ...] = (
    RAINBOW,
    VOLCANO,
    THUNDERSTORM,
    ECLIPSE,
    TORNADO,
    OLYMPIC_FLAG,
    CHRISTMAS,
    LANTERN_FESTIVAL,
)
